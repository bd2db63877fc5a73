"""Processes that answer, and the order in which they are asked."""

import collections
import importlib
import logging
import math
import multiprocessing
import os
import resource
import statistics
import time
import warnings

import ours
import peers as peer_packages
import questions

# width: the relative one that ours is asked for, 0 for its default.
Limits = collections.namedtuple("Limits", "seconds bytes library width")

# What one accountant made of one question. refusal: why it has no form
# there; fault: how it failed; ours: our times next to its own; equal: those
# at the width that it claims itself.
Row = collections.namedtuple(
    "Row",
    "question package label answer refusal fault note times ours_answer ours "
    "equal_answer equal")

TURN_S = 0.02  # fast ones repeat within a turn, so that caches are as warm
MAX_IN_TURN = 20
COUNTS_ALONE_S = 1.0  # a first call at least this long is not a warm-up
WIDEST = 0.5  # relative, that ours is asked for


def _settings(package, limits):
    if package == "ours":
        return ours.settings(limits.library, limits.width, questions.text)
    return peer_packages.PACKAGES[package]()


def _first_line(error):
    text = str(error).strip().split("\n")[0]
    return "%s: %s" % (type(error).__name__, text) if text else (
        type(error).__name__)


def _ask(setting, question, is_first):
    """(answer, seconds of each call, first warning). The first time: one
    call, then what the peer claims of its error, not timed."""
    times = []
    answer = note = None
    more = (question.width,) if setting.package == "dosimeter" else ()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always" if is_first else "ignore")
        while not times or (sum(times) < TURN_S and not is_first and
                            len(times) < MAX_IN_TURN):
            begin = time.process_time()
            answer = setting.ask(question.groups, question.delta, *more)
            times.append(time.process_time() - begin)
        for w in caught:
            if not issubclass(w.category, DeprecationWarning):
                note = note or str(w.message).strip().split("\n")[0]
    return answer, times, note


def _claim(setting, question, answer):
    if setting.claim is None:
        return answer
    lower, upper = setting.claim(question.groups, question.delta)
    if not math.isfinite(lower):
        raise ValueError("it is %g" % lower)
    return answer._replace(
        lower=lower, upper=answer.upper if upper is None else upper)


def _serve(connection, package, limits):
    """The life of a worker. Requests: (what, index of the setting,
    question, whether it is the first or the answer so far); replies:
    ("ok", result) or ("fault", text)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # some peers chatter
    resource.setrlimit(resource.RLIMIT_AS, (limits.bytes, limits.bytes))
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    settings = _settings(package, limits)
    for module in peer_packages.MODULES.get(package, ()):
        importlib.import_module(module)  # no part of any time
    for what, index, question, more in iter(connection.recv, None):
        try:
            if what == "ask":
                result = _ask(settings[index], question, more)
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    result = _claim(settings[index], question, more)
            connection.send(("ok", result))
        except Exception as error:  # whatever a peer may raise
            connection.send(("fault", _first_line(error)))


class Worker:
    """A package in its own process, started when first needed."""

    def __init__(self, package, limits):
        self.package = package
        self.limits = limits
        self.settings = _settings(package, limits)
        self.process = None

    def _start(self):
        self.connection, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(
            target=_serve, args=(theirs, self.package, self.limits),
            daemon=True)
        self.process.start()
        theirs.close()

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None

    def request(self, *message):
        if self.process is None:
            self._start()
        try:
            self.connection.send(message)
            if self.connection.poll(self.limits.seconds):
                return self.connection.recv()
        except (EOFError, OSError):
            self.stop()
            return "fault", "the process died"
        self.stop()
        return "fault", "no answer within %g s" % self.limits.seconds


class _Asked:
    """One setting of one peer, while its question is being asked."""

    def __init__(self, worker, index):
        self.worker, self.index = worker, index
        self.setting = worker.settings[index]
        self.answer = self.refusal = self.fault = self.note = None
        self.times, self.ours, self.equal = [], [], []
        self.equal_answer = None
        self.spent = 0.0

    def begin(self, question):
        refuses = self.setting.refuses
        self.refusal = refuses(question.groups) if refuses else None
        if self.refusal is not None:
            return
        state, got = self.worker.request("ask", self.index, question, True)
        if state == "fault":
            self.fault = got
            return
        self.answer, times, self.note = got
        if times[0] >= COUNTS_ALONE_S:
            self.times, self.spent = times, times[0]
        state, got = self.worker.request(
            "claim", self.index, question, self.answer)
        if state == "ok":
            self.answer = got
        else:
            self.note = "no lower end: " + got

    def width(self):
        """The relative one that it claims, or None."""
        a = self.answer
        if a.lower is None or a.upper is None or not (
                0 < a.upper - a.lower < math.inf):
            return None
        return min((a.upper - a.lower) / abs(a.upper), WIDEST)

    def turn(self, question, mine):
        state, got = mine.request("ask", 0, question, False)
        if state == "ok":
            self.ours += got[1]
        if self.width() is not None:
            state, got = mine.request(
                "ask", 0, question._replace(width=self.width()), False)
            if state == "ok":
                self.equal_answer = got[0]
                self.equal += got[1]
        state, got = self.worker.request("ask", self.index, question, False)
        if state == "fault":
            self.fault = got
            return
        self.times += got[1]
        self.spent += sum(got[1])

    def is_done(self, budget):
        return self.refusal is not None or self.fault is not None or (
            self.times and self.spent > budget and self.ours)


def take_turns(question, mine, peers, a):
    """The rows of one question, ours first."""
    state, got = mine.request("ask", 0, question, True)
    our_answer, our_fault = (got[0], None) if state == "ok" else (None, got)
    asked = [
        _Asked(w, i) for w in peers for i, s in enumerate(w.settings)
        if a.only in w.package + " " + s.label]
    for one in asked:
        one.begin(question)
    our_times = []
    for _ in range(a.turns):
        for one in asked:
            if not one.is_done(a.budget):
                one.turn(question, mine)
        state, got = mine.request("ask", 0, question, False)
        if state == "ok":
            our_times += got[1]
    our_times += [t for one in asked for t in one.ours]
    first = Row(question, "dosimeter", mine.settings[0].label, our_answer, None,
                our_fault, None, our_times, our_answer, our_times, None, [])
    return [first] + [
        Row(question, one.worker.package, one.setting.label, one.answer,
            one.refusal, one.fault, one.note, one.times, our_answer,
            one.ours or our_times, one.equal_answer, one.equal)
        for one in asked]


def median(times):
    return statistics.median(times) if times else None
