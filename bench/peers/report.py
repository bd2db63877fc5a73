"""The tables: one a question, a summary, and the same as CSV."""

import datetime
import math

import questions
from turns import median

USEFUL_WIDTH = 0.02  # relative: what the summary calls narrow


def seconds(t):
    if t is None:
        return ""
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if t >= scale:
            return "%.3g %s" % (t / scale, unit)
    return "%.2g us" % (t * 1e6)


def width_of(answer):
    """Upper minus lower end, or None where nothing is claimed."""
    if answer is None or answer.lower is None or answer.upper is None:
        return None
    return answer.upper - answer.lower


def claim_of(answer):
    if answer is None:
        return ""
    if width_of(answer) is not None:
        return "%.2g" % width_of(answer)
    return "no lower end" if answer.upper is not None else "none claimed"


def verdict(row):
    """How the peer's claim stands to our interval, which holds the exact
    value: what is wrong, or how far its answer lies above."""
    theirs, mine = row.answer, row.ours_answer
    if theirs is None or mine is None or row.package == "dosimeter":
        return ""
    if not math.isfinite(theirs.value):
        return "no use"
    off = (theirs.value - mine.upper if theirs.value > mine.upper
           else min(theirs.value - mine.lower, 0.0))
    text = "%+.2g" % off
    if theirs.upper is not None and theirs.upper < mine.lower:
        return text + " **below the exact value**"
    if theirs.lower is not None and theirs.lower > mine.upper:
        return text + " **its lower end is too high**"
    if theirs.upper is None and theirs.value < mine.lower:
        return text + " (estimate, too small)"
    return text


def ratio_of(row):
    theirs, mine = median(row.times), median(row.ours)
    return theirs / mine if theirs and mine else None


def equal_text(row, unit=""):
    """The ratio where ours was asked for the width that the peer claims."""
    theirs, mine = median(row.times), median(row.equal)
    return "%.3g%s" % (theirs / mine, unit) if theirs and mine else ""


def ratio_text(row, unit=""):
    """The ratio, marked where ours is the wider answer of the two."""
    theirs, mine = width_of(row.answer), width_of(row.ours_answer)
    wider = theirs is not None and mine is not None and mine > theirs
    return "%.3g%s%s" % (
        ratio_of(row), unit, " (ours is wider)" if wider else "")


def print_header(h):
    print("Dosimeter %s and its peers, %s: `bench/peers/run`\n" % (
        h["dosimeter"], datetime.date.today().isoformat()))
    versions = dict(h["peers"])
    versions["opacus"] += " (its accountants alone, without torch)"
    print("Peers: %s; on Python %s with %s." % (
        ", ".join("%s %s" % v for v in versions.items()), h["python"],
        " and ".join("%s %s" % v for v in h["numeric"].items())))
    print(
        "Processor time of one core, medians of up to %d turns, taken in "
        "alternation, each from the description of the plan to epsilon; "
        "`x ours` is the peer's median over ours beside it, as it answers "
        "unasked, and `x at its width` over ours when asked for no more than "
        "the relative width that the peer claims. Ours is called "
        "through ctypes, which takes %.2g us a call, included. A call may "
        "take %g s and %g GB." % (
            h["turns"], h["empty_call_us"], h["limit"], h["memory"]))
    print(
        "`width` is the upper end minus the lower one that an accountant "
        "claims to hold the exact value; the lower ends of PLD and Opacus "
        "PRV were asked for outside of the time. `off` is how far the "
        "peer's answer lies outside of ours.\n")


def print_question(question, rows):
    text = questions.text(question.groups)
    if len(text) > 120:
        text = "%s + ... (%d groups)" % (
            text.split(" + ")[0], len(question.groups))
    print("### %s: `%s` at delta %g\n" % (question.name, text,
                                          question.delta))
    print("| accountant | epsilon | width | off | time | x ours | "
          "x at its width | n |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for row in rows:
        if row.refusal is not None:
            continue
        name = "%s %s" % (row.package, row.label)
        if row.package == "dosimeter" and row.answer is not None:
            name = "**dosimeter** %s (%s)" % (row.label, row.answer.route)
            value = "%.12g" % row.answer.upper
        else:
            value = "" if row.answer is None else "%.8g" % row.answer.value
        if row.fault is not None:
            value = (value + " " + row.fault[:100].replace("|", "/")).strip()
        ratio = ratio_of(row) if row.package != "dosimeter" else None
        print("| %s | %s | %s | %s | %s | %s | %s | %s |" % (
            name, value, claim_of(row.answer), verdict(row),
            seconds(median(row.times)),
            ratio_text(row) if ratio else "", equal_text(row),
            len(row.times) or ""))
    refused = ["%s %s (%s)" % (r.package, r.label, r.refusal)
               for r in rows if r.refusal is not None]
    if refused:
        print("\nCannot be asked: %s." % "; ".join(refused))
    print(flush=True)


def _answered(rows, accepts):
    return [r for r in rows if r.package != "dosimeter" and
            r.fault is None and ratio_of(r) and accepts(r)]


def _fastest(rows, accepts):
    return min(_answered(rows, accepts), key=ratio_of, default=None)


def _is_sound(row):
    return row.answer.upper is not None and (
        math.isfinite(row.answer.upper) and "**" not in verdict(row))


def _is_narrow(row):
    width = width_of(row.answer)
    return _is_sound(row) and width is not None and (
        width <= USEFUL_WIDTH * abs(row.answer.upper))


def _closest(rows):
    """The bound with the least upper end: ours holds the exact value."""
    return min(_answered(rows, _is_sound), key=lambda r: r.answer.upper,
               default=None)


def _cell(row):
    if row is None:
        return "none"
    equal = equal_text(row, " x")
    return "%s%s, %s %s" % (
        ratio_text(row, " x"), " (%s at its width)" % equal if equal else "",
        row.package, row.label)


def print_summary(rows):
    """Per question: ours, the fastest at all, the fastest that is a bound,
    the fastest of them that knows its error to two per cent, and the bound
    that lies closest to ours."""
    print("### Summary\n")
    print("| question | ours | relative width | fastest of all | fastest "
          "bound | fastest within %g %% | closest bound |" % (
              100 * USEFUL_WIDTH))
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for question in dict.fromkeys(r.question.name for r in rows):
        group = [r for r in rows if r.question.name == question]
        mine = group[0]
        cells = []
        for accepts in (lambda r: True, _is_sound, _is_narrow):
            row = _fastest(group, accepts)
            cells.append(_cell(row))
        cells.append(_cell(_closest(group)))
        width = width_of(mine.answer)
        relative = "" if width is None else "%.1g" % (
            width / abs(mine.answer.upper) if mine.answer.upper else width)
        print("| %s | %s | %s | %s |" % (
            question, seconds(median(mine.times)), relative,
            " | ".join(cells)))
    wrong = [r for r in rows if "**" in verdict(r)]
    print("\nClaims that our intervals contradict: %s." % (
        "; ".join("%s %s on %s" % (r.package, r.label, r.question.name)
                  for r in wrong) or "none"))
    print(flush=True)


def csv_rows(rows):
    yield ["question", "plan", "delta", "package", "setting", "epsilon",
           "lower", "upper", "ours_lower", "ours_upper", "seconds", "n",
           "ours_seconds", "ours_n", "ratio", "at_its_width_lower",
           "at_its_width_upper", "at_its_width_seconds", "refusal", "fault",
           "note"]
    for r in rows:
        theirs = r.answer or (None,) * 4
        mine = r.ours_answer or (None,) * 4
        equal = r.equal_answer or (None,) * 4
        yield [r.question.name, questions.text(r.question.groups),
               r.question.delta, r.package, r.label, theirs[0], theirs[1],
               theirs[2], mine[1], mine[2], median(r.times), len(r.times),
               median(r.ours), len(r.ours), ratio_of(r), equal[1], equal[2],
               median(r.equal), r.refusal, r.fault, r.note]
