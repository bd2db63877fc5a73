"""Other rounding modes of the process do not change answers. Numbers are
made before and compared after, since Python's own follow the mode."""

import ctypes
import platform

import pytest

import dosimeter as dm

# FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO of <fenv.h>
MODES = {"x86_64": (0x400, 0x800, 0xc00),
         "aarch64": (0x800000, 0x400000, 0xc00000)}
QUESTIONS = [
    lambda at: dm.Plan("poisson(256/60000, gaussian(1.1)) * 14063"
                       ).epsilon(at),
    lambda at: dm.Plan("pure(0.1) * 100").epsilon(at),
    lambda at: (dm.laplace(3) + dm.gaussian(4)).tradeoff(at),
    lambda at: str(dm.Plan("gaussian(0.1)") * 7),
    lambda at: dm.epsilon([dm.gaussian(2)] * 9, at, threads=2)[8],
    lambda at: dm.calibrate("gaussian(?)", epsilon=1.0, delta=at).value,
]


@pytest.mark.skipif(platform.machine() not in MODES,
                    reason="the numbers of the modes are not known")
@pytest.mark.parametrize("which", range(3))
def test_the_rounding_mode_of_the_process(which: int) -> None:
    libm = ctypes.CDLL("libm.so.6")
    mode = MODES[platform.machine()][which]
    expected = [ask(1e-5) for ask in QUESTIONS]
    assert libm.fesetround(mode) == 0
    try:
        found = [ask(1e-5) for ask in QUESTIONS]
        kept = libm.fegetround()
    finally:
        libm.fesetround(0)
    assert found == expected
    assert kept == mode
