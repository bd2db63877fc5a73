"""Dosimeter in process, through the shared library and its public header.

A question is timed from the text of the plan to the answer: reading, asking
and freeing.
"""

import ctypes
import statistics
import time

from answers import Answer, Setting

SPARE = 4096  # fields that a later version appends land here


class _Answer(ctypes.Structure):
    """The leading fields of dosi_answer."""

    _fields_ = [
        ("lo", ctypes.c_double),
        ("hi", ctypes.c_double),
        ("log_lo", ctypes.c_double),
        ("log_hi", ctypes.c_double),
        ("neighbours", ctypes.c_int),
        ("route", ctypes.c_char_p),
        ("spare", ctypes.c_char * SPARE),
    ]


class _Error(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_int),
        ("offset", ctypes.c_size_t),
        ("message", ctypes.c_char * 256),
    ]


class _Options(ctypes.Structure):
    """The leading fields of dosi_options: the size says how many."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("neighbours", ctypes.c_int),
        ("max_terms", ctypes.c_size_t),
        ("route", ctypes.c_char_p),
        ("width", ctypes.c_double),
    ]


class Library:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.options = _Options(size=ctypes.sizeof(_Options))
        self.lib.dosi_version.restype = ctypes.c_char_p
        self.lib.dosi_version.argtypes = []
        self.lib.dosi_plan_parse.argtypes = [
            ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p,
            ctypes.c_size_t, ctypes.POINTER(_Error)]
        self.lib.dosi_epsilon_at_delta.argtypes = [
            ctypes.POINTER(_Answer), ctypes.c_void_p, ctypes.c_double,
            ctypes.POINTER(_Options), ctypes.POINTER(_Error)]
        self.lib.dosi_plan_free.argtypes = [ctypes.c_void_p]
        self.lib.dosi_plan_free.restype = None
        self.answer = _Answer()
        self.error = _Error()

    def version(self):
        return self.lib.dosi_version().decode()

    def epsilon(self, plan_text, delta, width):
        """width is the relative one to ask for; 0: the default."""
        plan = ctypes.c_void_p()
        self.options.width = width
        status = self.lib.dosi_plan_parse(
            plan, plan_text, len(plan_text), self.error)
        if status == 0:
            status = self.lib.dosi_epsilon_at_delta(
                self.answer, plan, delta, self.options, self.error)
            self.lib.dosi_plan_free(plan)
        if status != 0:
            raise RuntimeError(self.error.message.decode())
        return self.answer

    def empty_call_us(self, n=2000):
        """Microseconds of a call that does nothing: ctypes alone."""
        call = self.lib.dosi_version
        times = []
        for _ in range(n):
            begin = time.perf_counter_ns()
            call()
            times.append(time.perf_counter_ns() - begin)
        return statistics.median(times) / 1e3


def settings(path, width, plan_text):
    """One setting. plan_text turns groups into text."""
    library = Library(path)

    def ask(groups, delta, wanted):
        found = library.epsilon(
            plan_text(groups).encode(), delta, wanted or width)
        return Answer(found.hi, found.lo, found.hi, found.route.decode())

    label = "width %g" % width if width > 0 else "default"
    return [Setting("dosimeter", label, ask, None, None)]
