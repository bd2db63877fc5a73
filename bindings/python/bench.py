"""What Python adds to a question, and many plans at once. Prints a table.

    python bindings/python/bench.py
"""

import time
import timeit

import dosimeter as dm
from dosimeter._core import ffi, lib
from dosimeter.asking import EPSILON, Call

PLANS = [
    dm.gaussian(1),
    dm.poisson(256 / 60000, dm.gaussian(1.1)) * 14063,
    dm.poisson(0.01, dm.gaussian(2)) * 1000 + dm.gaussian(10),
]
DELTA = 1e-5
COUNT = 200


def c_time(plan: dm.Plan) -> float:
    """Seconds of a question in a loop of C."""
    call = Call({})
    plans = ffi.new("const dosi_plan *[]", [plan._handle] * COUNT)
    at = ffi.new("double[]", [DELTA] * COUNT)
    out = ffi.new("dosi_answer[]", COUNT)
    done = ffi.new("size_t *")
    return min(timeit.repeat(
        lambda: lib.ask_many(call.raw, out, done, plans, EPSILON.number, at,
                             COUNT),
        number=1, repeat=7, timer=time.thread_time)) / COUNT


def python_time(plan: dm.Plan) -> float:
    """Seconds of a question from Python."""
    return min(timeit.repeat(
        lambda: plan.epsilon(DELTA), number=COUNT, repeat=7,
        timer=time.thread_time)) / COUNT


def main() -> None:
    print("| plan | C, us | Python, us | more, us |")
    print("| --- | --- | --- | --- |")
    for plan in PLANS:
        c, python = c_time(plan) * 1e6, python_time(plan) * 1e6
        print(f"| {plan} | {c:.1f} | {python:.1f} | {python - c:.1f} |")
    plans = [dm.poisson(0.001 + i * 1e-7, dm.gaussian(1 + i * 1e-4))
             * (1000 + i) for i in range(10000)]
    print("\n| threads | 10000 plans, s |\n| --- | --- |")
    for threads in (1, 2):
        start = time.perf_counter()
        dm.epsilon(plans, DELTA, threads=threads)
        print(f"| {threads} | {time.perf_counter() - start:.2f} |")


if __name__ == "__main__":
    main()
