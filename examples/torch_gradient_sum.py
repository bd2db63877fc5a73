"""A small torch model, trained with dosimeter.GradientSum and with Opacus.

Both run the plan poisson(rate, gaussian(sigma)) * steps. With GradientSum the
clipped gradients are added as integers, and the noise has exactly the law of
the plan. Gradients are computed one example at a time: in a batch a matrix
product may round differently, and then one person changes the gradients of
others.

usage: python examples/torch_gradient_sum.py [STEPS]
"""

import sys

import torch
from torch import nn

import dosimeter as dm

EXAMPLES, FEATURES, RATE, SIGMA, CLIP, LEARNING_RATE = 512, 6, 1 / 8, 1.0, \
    1.0, 0.5


def points(seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.rand(EXAMPLES, FEATURES,
                   generator=torch.Generator().manual_seed(seed)) * 2 - 1
    return x, (x[:, 0] + x[:, 1] > 0).long()


def network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(FEATURES, 8), nn.Tanh(), nn.Linear(8, 2))


def per_example(model: nn.Module, x: torch.Tensor,
                y: torch.Tensor) -> list[torch.Tensor]:
    """A tensor for each parameter, with a row for each example."""
    parameters = list(model.parameters())
    rows = [torch.empty(len(x), *p.shape) for p in parameters]
    for i in range(len(x)):
        loss = nn.functional.cross_entropy(model(x[i:i + 1]), y[i:i + 1])
        for row, gradient in zip(rows, torch.autograd.grad(loss, parameters)):
            row[i] = gradient
    return rows


def accuracy(model: nn.Module) -> float:
    """On people who are not in the training data."""
    x, y = points(seed=2)
    return float((model(x).argmax(1) == y).float().mean())


def with_gradient_sum(steps: int) -> nn.Module:
    x, y = points(seed=1)
    model = network()
    parameters = list(model.parameters())
    check = dm.check_batch_invariance(
        lambda batch: per_example(model, *batch), (x[:8], y[:8]))
    if not check:
        raise SystemExit(check.difference)
    total = dm.GradientSum(sum(p.numel() for p in parameters), clip=CLIP)
    for _ in range(steps):
        # fresh exact coins; their number is not shown, nor divided by
        coins = torch.frombuffer(dm.release.sample_poisson(EXAMPLES, RATE),
                                 dtype=torch.uint8).bool()
        total.add(per_example(model, x[coins], y[coins]))
        noisy = torch.as_tensor(total.release(SIGMA), dtype=torch.float32)
        with torch.no_grad():
            pieces = noisy.split([p.numel() for p in parameters])
            for p, piece in zip(parameters, pieces):
                p -= LEARNING_RATE * piece.view_as(p) / (RATE * EXAMPLES)
    return model


def with_opacus(steps: int) -> tuple[nn.Module, dm.Plan]:
    from opacus import PrivacyEngine

    import dosimeter.opacus  # registers the accountant  # noqa: F401

    x, y = points(seed=1)
    model = network()
    engine = PrivacyEngine(accountant="dosimeter")
    model, optimizer, loader = engine.make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=LEARNING_RATE),
        data_loader=torch.utils.data.DataLoader(
            torch.utils.data.TensorDataset(x, y),
            batch_size=int(RATE * EXAMPLES)),
        noise_multiplier=SIGMA, max_grad_norm=CLIP)
    done = 0
    while done < steps:
        for features, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(features), labels).backward()
            optimizer.step()
            done += 1
            if done == steps:
                break
    return model, engine.accountant.plan


def main(steps: int = 60) -> None:
    plan = dm.poisson(RATE, dm.gaussian(SIGMA)) * steps
    print(f"plan         {plan}")
    print(f"epsilon      {plan.epsilon(delta=1e-5)} at delta 1e-5")
    print(f"GradientSum  accuracy {accuracy(with_gradient_sum(steps)):.3f}")
    try:
        model, opacus_plan = with_opacus(steps)
    except ImportError:
        print("Opacus       is not installed")
        return
    print(f"Opacus       accuracy {accuracy(model):.3f}, plan {opacus_plan}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
