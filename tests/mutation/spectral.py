#!/usr/bin/env python3
"""Breaks the bounds of the spectral route one at a time and expects a test
to go red: a sign, a factor, a term left out.

    tests/mutation/spectral.py [WORK [NUMBER...]]

WORK is an empty directory for a copy of the tree and its build (default: a
temporary one); numbers choose mutants. Not part of the tests: it takes some
twenty minutes. Mutants whose last field is not empty are known to survive,
with the reason; the exit status is 1 when another one does, or when one of
those dies. A mutant that no longer applies is an error, too.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ["test_phase_sums", "test_spectral_contour", "test_spectral_parts",
         "prop_spectral", "test_spectral_far", "test_spectral_fine",
         "test_spectral_split", "test_spectral_bent", "test_consider"]

(SUMS, PART, SAMPLED, FAR, GROWTH, CLOSED, CONTOUR, READ, ASK, TRIG, INVERT,
 FINE) = (
    "src/num/phase_sums.c", "src/repr/spectral_part.c",
    "src/repr/spectral_sampled.c", "src/repr/spectral_far.c",
    "src/repr/spectral_growth.c",
    "src/repr/spectral_closed.c", "src/repr/spectral_contour.c",
    "src/repr/spectral_contour_read.c",
    "src/repr/spectral.c", "src/num/trig.h", "src/repr/spectral_epsilon.c",
    "src/repr/spectral_fine.c")

# (file, text that occurs once, what replaces it, why it survives or "")
MUTANTS = [
    # the inner pass
    (SUMS, "(10 + m / 2)", "(1 + m / 20)", ""),
    (SUMS, "u * (8 + m / 6)", "u * (0.1 + m / 100)",
     "where the cube counts, the charge on X covers both"),
    (SUMS, "(34 + 3 * m) * s->far0", "(2 + m / 10) * s->far0",
     "far points are far: the first moment covers both"),
    (SUMS, "u * (14 + m) * s->far1", "u * (0.5 + m / 40) * s->far1", ""),
    (SUMS, "s->near2 * up + DBL_MIN", "s->near2 * up",
     "near3 has it, too"),
    (SUMS, "- turns * PI_2)", "+ turns * PI_2)", ""),
    (SUMS, "- turns * PI_3;", ";",
     "n PI_3 is below the rounding of the argument"),
    # nodes
    (PART, "4 * u * self->spread", "0 * u * self->spread",
     "vague losses make vague weights, whose charge is larger"),
    (PART, "disc chi = {{0, 0}, {0, 0}, 1};",
     "disc chi = {{1, 0}, {0, 0}, 1};", ""),
    (PART, "-gap / (m * m)", "-gap / m", ""),
    (PART, "+ slack + 0x1p-49 * fabs(log(sum));", ";",
     "a few units on a bound that Chernoff makes loose by far more"),
    (PART, "part->error += off *", "part->error += 0 * off *",
     "the spread of the points covers it"),
    # sampled Gaussian noise
    (SAMPLED, "ball_add_d(steps, 1)", "steps", ""),
    (SAMPLED, "ball_add(ball_of(-xi), ball_min(pull, ball_of(0)))",
     "ball_of(-xi)", ""),
    (SAMPLED, "ball_sub(ball_of(xi), ball_max(pull, ball_of(0)))",
     "ball_of(xi)", ""),
    (SAMPLED, "ball_sub(ball_add(log_growth, ball_ln2()),",
     "ball_sub(log_growth,",
     "the strip's bound on the integrand is loose by more than the factor"),
    (SAMPLED, "ball_mul(p, ball_log(cosine)));",
     "ball_neg(ball_mul(p, ball_log(cosine))));", ""),
    (SAMPLED, "ball_add(strip_growth(self, b), ball_mul_d(ball_of(outer), "
     "b));", "ball_mul_d(ball_of(outer), b);",
     "with steps of at most 1/2 it is a few nats where it counts at all"),
    (SAMPLED, "ball_add(strip_growth(self, b), ball_mul_d(ball_of(outer), "
     "b));", "strip_growth(self, b);\n    (void)outer;", ""),
    (SAMPLED, "round_up(2 * relative + beyond / sum)",
     "round_up(beyond / sum)", ""),
    (SAMPLED, "self->error += 2 * share", "self->error += 0.01 * share", ""),
    (SAMPLED, "return ball_upper(ball_add(log_mean, strip_growth(self, "
     "alpha)));", "return ball_upper(log_mean);", ""),
    (SAMPLED, "double pull = turn * r / sqrt(1 - gap);",
     "double pull = 1.1 * turn * r / sqrt(1 - gap);", ""),
    (SAMPLED, "double log_rho = log1p(-gap) / 2;",
     "double log_rho = log1p(-gap);", ""),
    (SAMPLED, "double slack = rotated_slack(self);", "double slack = 0;",
     "the rule is fine enough for it to be below e^-40"),
    (SAMPLED, "return ball_upper(ball_sub(k, ball_log1p(ball_of(-relative)))"
     ");", "return ball_upper(k);",
     "at most 2^-20 on a bound; the rule at u = 0 is far better"),
    (SAMPLED, "ball k = ball_add(self->cumulant, sum);",
     "ball k = ball_add(self->cumulant, inside);\n    (void)sum;", ""),
    (SAMPLED, "total *= 1 + 0x1p-40;", "total = 0;", ""),
    (GROWTH, "double turned = s->outer * theta +",
     "double turned = 0.5 * s->outer * theta +", ""),
    (GROWTH, " + slope * cell / 2;", ";\n    (void)slope;",
     "Riemann sums over cells of 1/8 lose more"),
    (GROWTH, "return height * height / (2 * mu * mu) + power",
     "(void)mu;\n    return power",
     "heights are below pi/2: at most a few nats"),
    (GROWTH, "power = s->p * log1p(", "power = -s->p * log1p(", ""),
    (GROWTH, "bulge = 4 * ratio * (1 - ratio);", "bulge = ratio * (1 - ratio);",
     ""),
    (GROWTH, "            right.height);", "            left.height);",
     "cells of 1/8: the height hardly changes"),
    # far out
    (FAR, "double edge = 4 * f->growth;", "double edge = 0;",
     "at most e^8 on a term that the step makes far smaller"),
    (FAR, "edge += f->p * log(cos(f->alpha));",
     "edge -= f->p * log(cos(f->alpha));", ""),
    (FAR, "double period = 2 * 3.14159265358979323846",
     "double period = 4 * 3.14159265358979323846", ""),
    (FAR, "return rule_error(self, &f) + beyond",
     "return 0 * rule_error(self, &f) + beyond", ""),
    (FAR, "rounded + dropped + spectral_far_rule(self)",
     "dropped + spectral_far_rule(self)", ""),
    (FAR, "+ beyond * line_factor(&f);", "+ 0 * beyond * line_factor(&f);",
     ""),
    (FAR, ".log_size = f->constant - xi * xi / 2 + f->p * a,",
     ".log_size = f->constant - xi * xi / 2 + f->p * a * 0.999,", ""),
    (FAR, "turned = f->p * b - sway;", "turned = f->p * b + sway;", ""),
    (FAR, "? ball_neg(keep) : keep;", "? keep : keep;", ""),
    (PART, "0x1p-51 * size_a * size_b;", "0;", ""),
    (PART, "(size_b + b.rad) * a.rad +", "b.rad * a.rad +", ""),
    # closed forms
    (CLOSED, "im = (1 + x) * d,", "im = (1 - x) * d,", ""),
    (CLOSED, "double c = c0 - rest * s0,", "double c = c0 + rest * s0,", ""),
    (CLOSED, "return ball_add(ball_sqrt(ratio), ball_scale2(e, -1));",
     "return ball_sqrt(ratio);", ""),
    (CLOSED, "return ball_add(ball_sqrt(ratio), ball_scale2(e, -1));",
     "return ball_add(ratio, ball_scale2(e, -1));", ""),
    (CLOSED, "ball_add_d(ball_exp(ball_neg(ball_mul(s, e))), 1);",
     "ball_of(1);", ""),
    (CLOSED, "ball v = ball_scale2(ball_sqr(self->law->parameter), -1);",
     "ball v = ball_sqr(self->law->parameter);", ""),
    (CLOSED, "return disc_div(disc_of(re, u), norm);",
     "return disc_div(disc_of(re, ball_neg(u)), norm);", ""),
    # the contour
    (CONTOUR, "return ball_sub(value, ball_log1mexp(decay));",
     "return value;", ""),
    (CONTOUR, "ball_div(ball_scale2(ball_pi(), 1), ball_of(c->choice.step));",
     "ball_div(ball_scale2(ball_pi(), 2), ball_of(c->choice.step));", ""),
    (CONTOUR, "kernel = ball_neg(ball_add(ball_log1p(u),",
     "kernel = ball_scale2(ball_neg(ball_add(ball_log1p(u),", ""),
    (READ, "const double shifts[] = {k->alias_right, -k->alias_left};\n"
     "    double alias = 0;\n    for (int i = 0;",
     "const double shifts[] = {k->alias_right, -k->alias_left};\n"
     "    double alias = 0;\n    for (int i = 1;", ""),
    (READ, "i < 2; i++) {\n        ball u", "i < 1; i++) {\n        ball u",
     ""),
    (CONTOUR, "ball upper = ball_div(ball_mul(tail,",
     "ball upper = ball_div(ball_mul(ball_scale2(tail, -1),", ""),
    (CONTOUR, "c->cut_lower = ball_upper(ball_mul(lower, ball_exp(log_b)));",
     "c->cut_lower = 0;\n        (void)lower;", ""),
    (READ, "double hi = round_up(sum.hi + c->cut_upper);",
     "double hi = round_up(sum.hi);", ""),
    (CONTOUR, "factor b = blurred_fraction(t + 1, u, s);",
     "factor b = blurred_fraction(t + 1, u, 1.01 * s);", ""),
    (CONTOUR, "double angle = u * (2 * t + 1) * s * s / 2,",
     "double angle = -u * (2 * t + 1) * s * s / 2,", ""),
    (CONTOUR, "is_safe ? 24 / sqrt(norm) : HUGE_VAL",
     "is_safe ? 24 / sqrt(norm) : 0", ""),
    (READ, "(error * UNIT + terms->error)", "(error * UNIT)", ""),
    (READ, "(error * UNIT + terms->error)", "(terms->error)",
     "a few units; the terms are charged as much again"),
    # double-doubles
    (FINE, "fine->least) +\n                   spectral_far_rule(self);",
     "fine->least);", ""),
    (FINE, "fine->fixed += size;", "",
     "e^-8 of what the rule is charged with"),
    (FINE, "ball_add(b, off)", "ball_sub(b, off)", ""),
    # questions
    (ASK, "ball_of(out->hi), ball_of(lost.hi))", "ball_of(out->hi), "
     "ball_of(-HUGE_VAL))", ""),
    (INVERT, "side > 0 ? f.hi <= in->target.lo", "side > 0 ? f.lo <= "
     "in->target.lo", ""),
    (INVERT, ": f.lo >= in->target.hi", ": f.hi >= in->target.hi",
     "the first step is below the root already"),
    (INVERT, "fmax(ball_upper(s->largest), 0)", "ball_upper(s->largest)",
     "delta(0) settles it before"),
    (TRIG, "0x1p-510", "BALL_TINY",
     "only powers below 2^-510 differ, which no sum sees"),
]


def fix_tail(new, old, text):
    """The one mutant that opens a bracket closes it."""
    if "ball_scale2(ball_neg(ball_add(ball_log1p(u)," in new:
        return text.replace(
            "ball_mul(u, ball_log1p(ball_div(ball_of(1), u)))));",
            "ball_mul(u, ball_log1p(ball_div(ball_of(1), u))))), 1);")
    return text


def build(work):
    return subprocess.run(
        ["cmake", "--build", str(work / "build"), "--target"] + TESTS,
        capture_output=True, text=True, check=False)


def first_red(work, name=None):
    """The first test that fails, or None; that of the file comes first."""
    likely = {SUMS: 0, CONTOUR: 1, READ: 1, ASK: 3, FAR: 4,
              INVERT: 3, FINE: 5}.get(name, 2)
    for name in sorted(TESTS, key=lambda t: t != TESTS[likely]):
        try:
            run = subprocess.run([str(work / "build" / "tests" / name)],
                                 capture_output=True, timeout=300,
                                 check=False)
        except subprocess.TimeoutExpired:
            return name + " (time)"
        if run.returncode != 0:
            return name
    return None


def main():
    work = pathlib.Path(sys.argv[1] if len(sys.argv) > 1
                        else tempfile.mkdtemp(prefix="mutation-"))
    chosen = [int(x) for x in sys.argv[2:]] or range(len(MUTANTS))
    tree = work / "tree"
    if not tree.exists():
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(
            ".git", "build", "__pycache__"))
        subprocess.run(["cmake", "-S", str(tree), "-B", str(work / "build"),
                        "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
                       check=True, capture_output=True)
    clean = build(work)
    if clean.returncode != 0 or first_red(work) is not None:
        sys.exit("not green to begin with\n" + clean.stdout[-2000:])
    bad = 0
    for i in chosen:
        name, old, new, reason = MUTANTS[i]
        path = tree / name
        text = path.read_text()
        if text.count(old) != 1:
            print(f"{i:2} {name}: '{old}' occurs {text.count(old)} times")
            bad += 1
            continue
        path.write_text(fix_tail(new, old, text.replace(old, new)))
        made = build(work)
        red = "no build" if made.returncode != 0 else first_red(
            work, name)
        path.write_text(text)
        survived = red is None
        wrong = red == "no build" or survived != bool(reason)
        bad += wrong
        print(f"{i:2} {'!' if wrong else ' '} {name}: {old!r} -> {new!r}: "
              f"{'SURVIVES ' + reason if survived else red}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
