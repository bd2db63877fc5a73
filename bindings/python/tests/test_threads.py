"""Many plans, threads, the lock, interruption."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import dosimeter as dm

def test_many_plans() -> None:
    plans = [dm.gaussian(1 + i / 100) * (i + 1) for i in range(1000)]
    for threads in (1, 2, None):
        answers = dm.epsilon(plans, 1e-5, threads=threads)
        assert len(answers) == 1000
        assert answers[7] == plans[7].epsilon(1e-5)
        assert answers.upper[999] == plans[999].epsilon(1e-5).upper
    at = [0.01 * i for i in range(1000)]
    losses = dm.delta(plans, at)
    assert losses[500] == plans[500].delta(5.0)
    assert len(dm.epsilon([], 1e-5)) == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_failure_is_raised(threads: int) -> None:
    plans = [dm.gaussian(1)] * 50
    plans[20] = dm.Plan("gaussian(?)")
    with pytest.raises(dm.InvalidError, match="plan 20: .*hole"):
        dm.epsilon(plans, 1e-5, threads=threads)
    with pytest.raises(dm.InvalidError, match="50 plans and 2 values of delta"):
        dm.epsilon(plans, [1e-5, 1e-6])
    with pytest.raises(dm.InvalidError, match="threads"):
        dm.epsilon(plans, 1e-5, threads=0)


def test_the_lock_is_released() -> None:
    """While one thread asks, another counts."""
    plans = [dm.laplace(3 + i / 1000) * 100 for i in range(200)]
    done = threading.Event()

    def work() -> None:
        dm.epsilon(plans, 1e-5, threads=1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    turns = 0
    while not done.wait(0.001):
        turns += 1
    thread.join()
    assert turns > 5


def test_plans_are_shared_by_threads() -> None:
    plan = dm.poisson(0.01, dm.gaussian(1)) * 1000
    expected = plan.epsilon(1e-5)
    results: list[dm.Interval] = []

    def work() -> None:
        for _ in range(20):
            assert str(plan.children[0]) == "poisson(0.01, gaussian(1))"
            results.append(plan.epsilon(1e-5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80 and set(results) == {expected}


def test_time_limit() -> None:
    plan = dm.Plan(" + ".join(
        f"laplace({3 + i / 7}) * {i + 1}" for i in range(60)))
    start = time.monotonic()
    answer = plan.epsilon(1e-9, time_limit=0.05)
    assert time.monotonic() - start < 20
    assert answer.lower <= answer.upper
    with pytest.raises(dm.InvalidError, match="time_limit"):
        plan.epsilon(1e-9, time_limit=-1)


@pytest.mark.parametrize("threads", [1, 2])
def test_interruption(threads: int) -> None:
    """Ctrl-C ends a long call soon, with KeyboardInterrupt."""
    code = f"""
import dosimeter as dm
plans = [dm.laplace(3) * 100] * 250000
print("begin", flush=True)
try:
    dm.epsilon(plans, 1e-5, threads={threads})
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code],
                               stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begin\n"
    time.sleep(0.5)
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n"
    assert process.returncode == 0


def test_accountant() -> None:
    accountant = dm.Accountant()
    assert accountant.epsilon(1e-5).upper == 0
    accountant.add(dm.gaussian(10), 5).add(dm.laplace(3))
    for _ in range(3):
        accountant.add(dm.gaussian(10))
    plan = dm.gaussian(10) * 8 + dm.laplace(3)
    assert len(accountant) == 2
    assert accountant.plan.normal() == plan.normal()
    for theirs, ours in (
            (accountant.epsilon(1e-5), plan.epsilon(1e-5)),
            (accountant.epsilon(log_delta=-20), plan.epsilon(log_delta=-20)),
            (accountant.delta(1), plan.delta(1)),
            (accountant.renyi(2), plan.renyi(2)),
            (accountant.zcdp(), plan.zcdp())):
        assert max(theirs.lower, ours.lower) <= min(theirs.upper, ours.upper)
    with pytest.raises(dm.InvalidError):
        accountant.add(dm.gaussian(1), 0)
    with pytest.raises(TypeError):
        accountant.epsilon()
    replace = dm.Accountant(neighbours="replace", route="renyi")
    replace.add(dm.laplace(1))
    assert replace.epsilon(1e-5).neighbours == "replace"
    assert replace.epsilon(1e-5).route == "renyi"
