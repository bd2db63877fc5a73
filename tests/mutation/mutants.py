"""Mutants of bounds: what is changed, where, and which tests should see it.

Each is (file, text that occurs once, what replaces it, why it survives or
"").
"""

(SUMS, PART, CLOSED, CONTOUR, READ, ASK, TRIG, INVERT, FINE) = (
    "src/special/phase_sums.c", "src/contour/part/part.c",
    "src/contour/part/part_closed.c",
    "src/contour/core/contour.c",
    "src/contour/core/contour_eval.c",
    "src/contour/engine/engine.c", "src/num/trig.h", "src/contour/engine/engine_epsilon.c",
    "src/contour/core/contour_dd.c")
SHIFTS, SHIFTS_BOUND, SHIFTS_TERMS, SHIFTS_LINE = (
    "src/contour/part/part_group.c", "src/contour/part/part_group_bound.c",
    "src/contour/part/part_group_terms.c", "src/contour/part/part_group_dd.c")
DISC_ROW = "src/special/disc_row.c"
EXPS = "src/special/exp_sums.c"
ROWS = "src/num/ball_row.c"
TRUNCATE, STEER = "src/contour/engine/engine_truncate.c", "src/contour/core/contour_choose.c"
RANGE, RANGE_RUNS, RANGE_STEP, RANGE_READ, RANGE_LAW, EXPONENTIAL = (
    "src/adaptive/adaptive_grid.c", "src/adaptive/adaptive_runs.c",
    "src/adaptive/adaptive_crossings.c", "src/adaptive/adaptive_grid_query.c",
    "src/adaptive/adaptive_law.c", "src/mechanisms/exponential/mechanism_exponential.c")
RANGE_POINTS, RANGE_ROWS, INVERSE = (
    "src/adaptive/adaptive_choices.c", "src/adaptive/adaptive_rows.c",
    "src/profile/profile_inverse.c")
ZERO = "src/contour/engine/engine_epsilon_zero.c"
SIGNS = "src/contour/engine/engine_bracket.c"
PART_H, FILL = ("src/contour/part/part.h",
                "src/contour/core/contour_terms.c")
LAW, LAW_TRADEOFF, BOUNDS, RISK = (
    "src/profile/profile.c", "src/profile/profile_tradeoff.c", "src/account/best_bounds.c",
    "src/account/risk.c")
LOSSES, ZCDP_BOX, CURVES, AFFINITY = (
    "src/mechanisms/plan_laws.c", "src/mechanisms/mechanism_zcdp.c",
    "src/mechanisms/plan_total_curves.c", "src/profile/profile_affinity.c")
OBJECTIVE, REVERSE, TRADEOFF = (
    "src/contour/engine/engine_tradeoff_point.c", "src/contour/engine/engine_reverse.c",
    "src/contour/engine/engine_tradeoff.c")
WITHIN, ASK_LAW, REPLACED, GROUP, GROUP_PLAN, COUNTED, DRAWN = (
    "src/contour/engine/engine_no_worse.c", "src/account/ask_law.c",
    "src/mechanisms/poisson/poisson_replace_lower.c", "src/profile/profile_group.c",
    "src/account/routes/route_group.c", "src/sampling/with_replacement_laplace.c",
    "src/mechanisms/with_replacement/mechanism_with_replacement.c")
LOSS_CELLS, AMPLIFY, DERIVED, PROFILE_LAW, HYBRID, BALL, SCALED = (
    "src/loss/loss_tails.c", "src/sampling/amplify.c", "src/profile/profile_derived.c",
    "src/loss/dominating_law.c", "src/mechanisms/poisson/poisson_replace_upper.c", "src/num/ball.c",
    "src/num/scaled.c")
ENVIRONMENT, NORMAL, POISSON = (
    "src/base/float_environment.h", "src/plan/normal.c",
    "src/mechanisms/poisson/poisson_curve.c")

# The tests of each file, the likeliest first.
OF_CONTOURS = ["test_part", "test_part_decay",
               "test_phase_sums", "test_contour",
               "prop_engine_truth", "prop_engine", "test_part_rows",
               "test_contour_dd"]


def of_contours(first):
    return [first] + [t for t in OF_CONTOURS if t != first]


FORMULARY, TARGET = "src/formulary/formula.c", "src/calibrate/target.c"
CITED = "src/formulary/statements.c"
TESTS = {
    FORMULARY: ["test_formula"], TARGET: ["test_calibrate"],
    CITED: ["test_statements"],
    SUMS: of_contours("test_phase_sums"), PART: OF_CONTOURS, PART_H: OF_CONTOURS,
    FILL: of_contours("test_contour"),
    CLOSED: OF_CONTOURS,
    TRIG: OF_CONTOURS,
    FINE: ["test_part_group_dd"] + of_contours("test_contour_dd"),
    CONTOUR: of_contours("test_contour"),
    READ: ["test_part_group_dd"] + of_contours("test_contour"),
    ASK: of_contours("prop_engine"),
    INVERT: of_contours("prop_engine") + ["test_engine_finite",
                                            "test_discrete_truth"],
    SIGNS: of_contours("prop_engine"),
    SHIFTS: ["test_part_group_bound", "test_part_group"] +
            OF_CONTOURS,
    SHIFTS_BOUND: ["test_part_group_bound", "test_part_group",
                   "test_part", "test_part_decay"],
    SHIFTS_TERMS: ["test_part_group_bound", "test_part_group",
                   "test_part_group_dd", "test_part"],
    "src/contour/part/part_dd.c": ["test_part_group_dd", "test_contour_dd",
                                  "test_part_rows"],
    SHIFTS_LINE: ["test_part_group_dd", "test_part_rows",
                  "test_contour_dd"],
    DISC_ROW: ["test_part_rows", "test_contour"],
    EXPS: ["test_exp_sums"],
    ROWS: ["prop_ball"],
    ZERO: ["test_engine_finite", "prop_engine"],
    OBJECTIVE: ["test_engine_tradeoff"], REVERSE: ["test_engine_tradeoff"],
    TRADEOFF: ["test_engine_tradeoff"],
    TRUNCATE: ["test_discrete_truth"], STEER: ["test_discrete_truth"],
    RANGE: ["test_adaptive_runs", "test_adaptive_sampled"],
    RANGE_STEP: ["test_adaptive_runs"],
    RANGE_RUNS: ["test_adaptive_runs"],
    RANGE_POINTS: ["test_adaptive_sampled"],
    RANGE_ROWS: ["test_adaptive_sampled"],
    RANGE_READ: ["test_adaptive_runs", "test_adaptive_sampled"],
    INVERSE: ["test_profile_inverse"], RANGE_LAW: ["test_adaptive_runs"],
    EXPONENTIAL: ["test_adaptive_runs"],
    WITHIN: ["test_engine_no_worse", "test_ask_law"],
    ASK_LAW: ["test_ask_law"], COUNTED: ["test_with_replacement"],
    DRAWN: ["test_with_replacement"],
    REPLACED: ["test_poisson_replace"],
    GROUP: ["test_group_chain"], GROUP_PLAN: ["test_group_chain"],
    LOSS_CELLS: ["test_loss_tails", "prop_underflow"],
    AMPLIFY: ["prop_underflow"], DERIVED: ["prop_underflow"],
    PROFILE_LAW: ["test_loss_with_replacement"], HYBRID: ["prop_underflow"],
    BALL: ["test_ball"], SCALED: ["test_excess"],
    "src/num/bracket.c": ["test_bracket"], "src/num/newton.c": ["test_bracket"],
    "src/literature/moments_accountant.c": ["test_moments_accountant"],
    "src/formulary/composition/rows_renyi.c": ["test_oracles"],
    "src/literature/mutual_information.c": ["prop_concentrated"],
    # the formulary
    "src/literature/tradeoff_fixed_size.c": ["test_formula_forms"],
    "src/literature/tradeoff_compare.c": ["test_formula_forms"],
    "src/formulary/family_args.c": ["test_formula_forms"],
    "src/formulary/law_args.c": ["test_formula_forms"],
    "src/finite/response_composition.c": ["test_formula_forms"],
    "src/formulary/subsampled_renyi/rows_002_base.c": ["test_formula_forms"],
    "src/noise/gaussian.c": ["test_formula_forms"],
    GROUP: ["test_leaks", "test_group_chain"], GROUP_PLAN: ["test_group_chain"],
    LAW: ["test_leaks"], LAW_TRADEOFF: ["test_leaks"],
    BOUNDS: ["test_leaks"],
    RISK: ["test_gdp"], LOSSES: ["test_account", "prop_account"],
    ZCDP_BOX: ["test_account"], CURVES: ["test_account"],
    AFFINITY: ["test_profiles"],
    ENVIRONMENT: ["test_float_environment"], NORMAL: ["test_normal_form"],
    POISSON: ["test_nested_samples"],
}

MUTANTS = [
    # balls in rows
    (ROWS, "(a->rad[i] + b->rad[i] + fabs(s.hi)", "(a->rad[i] + fabs(s.hi)",
     ""),
    (ROWS, "size_b * of_a + of_a * of_b", "of_a * of_b", ""),
    (ROWS, "double spread = rad * (1 + rad)", "double spread = rad / 2", ""),
    (ROWS, "off += is_low > 0 ? 0x1p-1008 : BALL_TINY;", "off += BALL_TINY;",
     ""),
    (ROWS, "off += rad <= 0.5 ? 0 : HUGE_VAL;", "off += 0;", ""),
    (ROWS, "(dd){-z.hi * z.hi / 2, 0}", "(dd){z.hi * z.hi / 2, 0}", ""),
    (ROWS, "1.5 * rad + BALL_TINY", "0.5 * rad + BALL_TINY", ""),
    (ROWS, "f.lo = m->power[i] == 0 ? x->lo[i] : f.lo;", "f.lo += 0;", ""),
    (ROWS, "dd_mul_d(ln2, m->power[i])", "dd_mul_d(ln2, m->power[i] / 2)", ""),
    (ROWS, "m->scale[i] = is_next ? scale / 2 : scale;",
     "m->scale[i] = scale;", ""),
    # the inner pass
    (SUMS, "(10 + m / 2)", "(1 + m / 20)", ""),
    (SUMS, "u * (8 + m / 6)", "u * (0.1 + m / 100)",
     "where the cube counts, the charge on X covers both"),
    (SUMS, "(34 + 3 * m) * s->far0", "(2 + m / 10) * s->far0",
     "far points are far: the first moment covers both"),
    (SUMS, "u * (14 + m) * s->far1", "u * (0.5 + m / 40) * s->far1", ""),
    (SUMS, "s->near2 * up + DBL_MIN", "s->near2 * up",
     "near3 has it, too"),
    (SUMS, "- half_turns * PI_2)", "+ half_turns * PI_2)", ""),
    (SUMS, "- half_turns * PI_3;", ";", ""),
    # nodes
    (PART_H, "4 * u * self->spread", "0 * u * self->spread",
     "vague losses make vague weights, whose charge is larger"),
    (PART, "disc chi = {{0, 0}, {0, 0}, 1};",
     "disc chi = {{1, 0}, {0, 0}, 1};", ""),
    (PART, "-gap / (m * m)", "-gap / m", ""),
    (PART, "+ slack + 0x1p-49 * fabs(log(sum));", ";",
     "a few units on a bound that Chernoff makes loose by far more"),
    (PART, "part->error += off *", "part->error += 0 * off *",
     "the spread of the points covers it"),
    # sampled Gaussian noise
    (PART, "here + share * (there - here) + 0x1p-50",
     "fmin(here, there) + 0x1p-50", ""),
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
    (CLOSED, "(64 * 0x1p-53 * size +", "(0x1p-60 * size +", ""),
    # the contour
    (CONTOUR, "return ball_sub(value, ball_log1mexp(decay));",
     "return value;", ""),
    (CONTOUR, "ball_div(ball_scale2(ball_pi(), 1), ball_of(",
     "ball_div(ball_scale2(ball_pi(), 2), ball_of(", ""),
    (CONTOUR, "return ball_neg(ball_add(ball_log1p(s),",
     "return ball_neg(ball_add(ball_scale2(ball_log1p(s), 1),", ""),
    (READ, "const double shifts[] = {k->alias_right, -k->t};\n"
     "    double alias = 0;\n    for (int i = 0;",
     "const double shifts[] = {k->alias_right, -k->t};\n"
     "    double alias = 0;\n    for (int i = 1;", ""),
    (READ, "for (int i = 0; i < 2; i++) {\n        ball u",
     "for (int i = 0; i < 1; i++) {\n        ball u", ""),
    (CONTOUR, "ball upper = ball_div(ball_mul(tail,",
     "ball upper = ball_div(ball_mul(ball_scale2(tail, -1),", ""),
    (CONTOUR, "c->truncation_lower = ball_upper(ball_mul(lower, ball_exp(log_b)));",
     "c->truncation_lower = 0;\n        (void)lower;", ""),
    (READ, "double hi = round_up(sum.hi + c->truncation_upper);",
     "double hi = round_up(sum.hi);", ""),
    (FILL, "factor b = smoothed_fraction(t + 1, u, s);",
     "factor b = smoothed_fraction(t + 1, u, 1.01 * s);", ""),
    (FILL, "double angle = u * (2 * t + 1) * s * s / 2,",
     "double angle = -u * (2 * t + 1) * s * s / 2,", ""),
    (FILL, "is_safe ? 24 / sqrt(norm) : HUGE_VAL",
     "is_safe ? 24 / sqrt(norm) : 0", ""),
    (READ, "(error * UNIT + terms->error)", "(error * UNIT)", ""),
    (READ, "(error * UNIT + terms->error)", "(terms->error)",
     "a few units; the terms are charged as much again"),
    # double-doubles
    ("src/contour/part/part_dd.c", "(n + 1) * rule->min_term + error;", "(n + 1) * rule->min_term;", ""),
    ("src/contour/part/part_dd.c", "additions * rule->sum * 0x1p-103 +", "",
     "roundings hardly ever agree"),
    ("src/contour/part/part_dd.c", "rule->error_constant += size;", "",
     "e^-8 of what the rule is charged with"),
    ("src/contour/part/part_dd.c", "rule->error_linear += gain.rad + most * 0x1p-103;", "",
     "radii are many times what balls err by"),
    ("src/contour/part/part_dd.c", "rule->error_quadratic += most * error / 2;", "",
     "roundings hardly ever agree"),
    ("src/contour/part/part_dd.c", "ball_sub(ball_sub(grown, ball_mul(grown, v)), v);",
     "ball_sub(grown, v);", ""),
    ("src/contour/part/part_dd.c", "for (double k = 10; k >= 2; k -= 2)",
     "for (double k = 6; k >= 2; k -= 2)", ""),
    ("src/contour/part/part_dd.c", "most * 0x1p-103);\n}", "0);\n}",
     "the series is exact to more digits than balls have"),
    ("src/contour/part/part_dd.c", "rule->base = disc_add(rule->base, start);", "", ""),
    ("src/contour/part/part_dd.c", "while (n > rule->n_slow &&", "while (n > 0 &&",
     ""),
    ("src/contour/part/part_dd.c", "rule->error_constant *= 2 * (1 + 1e-6);", "rule->fixed *= 0.1;", ""),
    ("src/contour/part/part_dd.c", "ball_add(b, off)", "ball_sub(b, off)", ""),
    # questions
    (ASK, "ball_of(out->hi), ball_of(lost.hi))", "ball_of(out->hi), "
     "ball_of(-HUGE_VAL))", ""),
    (SIGNS, "side > 0 ? f.hi <= in->target.lo", "side > 0 ? f.lo <= "
     "in->target.lo", "steps begin beyond half of what is not known"),
    (SIGNS, ": f.lo >= in->target.hi", ": f.hi >= in->target.hi",
     "steps begin beyond half of what is not known"),
    (INVERT, "fmax(ball_upper(s->largest), 0)", "ball_upper(s->largest)",
     "delta(0) settles it before"),
    (TRIG, "0x1p-510", "BALL_TINY",
     "only powers below 2^-510 differ, which no sum sees"),
    # mixtures of shifts
    (SHIFTS, "ball_mul_d(ball_add_d(t, 1), g->p.n), added);",
     "ball_mul_d(t, g->p.n), added);", ""),
    (SHIFTS, "slope = ball_sub(ball_of(x), ball_mul(",
     "slope = ball_add(ball_of(x), ball_mul(", ""),
    (SHIFTS, "ball_mul(density, ball_add_d(steps, 1));",
     "ball_mul(density, steps);", ""),
    (SHIFTS, "double total = ball_upper(left_out);",
     "double total = 0;\n    (void)left_out;", ""),
    (SHIFTS, "log_error = ball_sub(log_error, ball_log(ball_of(g->h)));", "",
     "the strip's bound is loose by more than the step"),
    (SHIFTS, "self->error += 2 * error / sum",
     "self->error += 0.01 * error / sum", ""),
    (SHIFTS, "self->moment = ball_widen(self->moment, error);", "", ""),
    (SHIFTS, "ball_of(fmax(error, DBL_MIN))", "ball_of(DBL_MIN)", ""),
    (SHIFTS, "group_left_out(self, 0) * most;", "0 * most;", ""),
    (SHIFTS, "double slack =\n        (error", "double slack =\n        0 * (error",
     ""),
    (SHIFTS, "2 * e.share * most + e.sum", "e.sum", ""),
    (SHIFTS, "ball_lower(self->moment) + 2 * e.share + self->error)",
     "ball_lower(self->moment) + self->error)",
     "the rule is fine enough for it to be below e^-40"),
    (SHIFTS, "ball_sub(k, ball_log1p(ball_of(-e.share)))", "k",
     "at most e^-18 on a bound"),
    (SHIFTS, "dd_two_product(at, -at / 2)", "dd_two_product(at, -at / 4)", ""),
    (SHIFTS, "ball_log1p(ball_neg(pair->rate)), n));",
     "ball_log1p(ball_neg(pair->rate)), n / 2));", ""),
    (SHIFTS_BOUND, "-4 * v * log(cos(a / 2))", "-2 * v * log(cos(a / 2))", ""),
    (SHIFTS_BOUND, "x = 4 * v * sine", "x = 2 * v * sine", ""),
    (SHIFTS_BOUND, "at * fmax(1 - at / s->trials, 0)",
     "0.5 * at * fmax(1 - at / s->trials, 0)", ""),
    (SHIFTS_BOUND, ": 2 * tan(b / 2) / b", ": tan(b / 2) / b", ""),
    (SHIFTS_BOUND, "double x = 2 * pi * height", "double x = 4 * pi * height",
     ""),
    (SHIFTS_BOUND, "cost = b * b / (2 * s->mu * s->mu);",
     "cost = b * b / (4 * s->mu * s->mu);", ""),
    (SHIFTS_BOUND, "cost += r->outer * b * (s->p.n + s->q.trials);",
     "cost += 0.5 * r->outer * b * (s->p.n + s->q.trials);", ""),
    (SHIFTS_BOUND, "cost -= r->t * s->q.trials * log(cos(",
     "cost -= 0.5 * r->t * s->q.trials * log(cos(", ""),
    (SHIFTS_BOUND, "double value = cost + 0.6931471805599454 - over;",
     "double value = cost - over;", ""),
    (SHIFTS_BOUND, "atan2(m * sin(a), 1 - m + m * cos(a))",
     "atan2(m * sin(a), 1 - m + m)", ""),
    (SHIFTS_BOUND, "!(m <= 1)", "!(m <= 2)", ""),
    (SHIFTS_BOUND, "high * high / (2 * s->mu", "high * high / (4 * s->mu",
     ""),
    (SHIFTS_BOUND, "double by_turn = r->outer * turn",
     "double by_turn = 0.5 * r->outer * turn", ""),
    (SHIFTS_BOUND, "+ by_turn + log1p(high * high) / 2 - over;",
     "+ by_turn - over;", ""),
    (SHIFTS_BOUND, "return g + steep * cell / 2 + log(cell)",
     "(void)steep;\n    return g + log(cell)",
     "the bounds within a cell of 1/8 are loose by more elsewhere"),
    (SHIFTS_BOUND, "+ log(cell) +", "+ 2 * log(cell) +", ""),
    (SHIFTS_BOUND,
     "cost = (cost + group_shrink_cost(v, fmax(r->alpha, high))) / 2",
     "cost = cost / 2", ""),
    (SHIFTS_BOUND, "sum = log_add(sum, log_left(s, r, &first));",
     "(void)log_left;",
     "nothing is left beyond -14: (log G)' is at least |x| there"),
    (SHIFTS_BOUND, "sum = log_add(sum, log_right(s, r, &left));",
     "(void)log_right;", ""),
    (SHIFTS_BOUND, "return t * zeros_cost(v, alpha);",
     "return 0 * t * zeros_cost(v, alpha);", ""),
    (SHIFTS_BOUND, "2 * re - re * re - im * im;", "2 * re - im * im;", ""),
    (SHIFTS_BOUND, "angle = fmax(angle, x + x * x * x / 6);",
     "angle = fmax(angle, x + x * x * x / 2);", ""),
    (SHIFTS_BOUND, "0 : w->sine * t.mean", "0 : w->alpha * t.mean", ""),
    (SHIFTS_BOUND, "(t + 1) * a.log_size - t * b.log_size;",
     "(t + 1) * a.log_size + t * b.log_size;", ""),
    (SHIFTS_BOUND, "double pull = u * (a.angle", "double pull = 1.1 * u * "
     "(a.angle", ""),
    (SHIFTS_BOUND, "self->law->parameter)), -1);\n    return ball_upper(",
     "self->law->parameter)), -2);\n    return ball_upper(", ""),
    (SHIFTS_TERMS, "ball_mul_d(square, i + 0.5)", "ball_mul_d(square, i)", ""),
    (SHIFTS_TERMS, "ball_of((trials - i) * (i + 2))",
     "ball_of((trials - i) * (i + 1))", ""),
    (SHIFTS_TERMS, "s->log_term[0] = ball_mul_d(miss, trials);",
     "s->log_term[0] = ball_mul_d(miss, trials - 1);", ""),
    (SHIFTS_TERMS, "if (i < s->trials && !(s->is_truncated && i == s->n))\n"
     "        add_rest(v, series_rest(term, ratio), w);", "", ""),
    (SHIFTS_TERMS, "v->im = side > 0 ? ball_add(v->im, im) : "
     "ball_sub(v->im, im);", "v->im = ball_add(v->im, im);", ""),
    (SHIFTS_TERMS, "rest = ball_hull(ball_neg(rest), rest);", "",
     "the rest is 2^-112 of the sum"),
    (SHIFTS_TERMS, "for (int i = 1; i < BALL_ROW; i *= 2)",
     "for (int i = 2; i < BALL_ROW; i *= 2)", ""),
    (SHIFTS_TERMS, "    ball_row_add(out, &first);\n", "    (void)first;\n",
     ""),
    (SHIFTS_TERMS, "return 0x1p-44 * size;", "return 0 * size;", ""),
    # mixtures of shifts in double-doubles
    ("src/contour/part/part_dd.c", "for (double i = 0; i < n; i++)",
     "for (double i = 1; i < n; i++)", ""),
    (SHIFTS_LINE, "rule_error(self) + range_error(self)", "range_error(self)",
     ""),
    (SHIFTS_LINE, "rule_error(self) + range_error(self)", "rule_error(self)",
     ""),
    (SHIFTS_LINE, ".h = 2 * shifted->h,", ".h = shifted->h,", ""),
    (SHIFTS_LINE, "ball_sub(log_error, self->cumulant)",
     "ball_sub_d(log_error, 2.5)", ""),
    (SHIFTS_LINE, "double share = (1 + exp(", "double share = 0.5 * (1 + exp(",
     ""),
    (SHIFTS_LINE, "shifted->h / (self->group->h * ball_lower(self->moment))",
     "self->group->h / (far->h * ball_lower(self->moment)) * 0.01", ""),
    (SHIFTS_LINE, "ball_upper(ball_mul_d(grown, beyond * units))",
     "ball_upper(ball_mul_d(ball_of(0.1), beyond * units))", ""),
    (SHIFTS_LINE, "rule->error_constant += exp(bound);", "",
     "e^-9 of what is charged for nodes that are dropped later"),
    (SHIFTS_LINE, "ball_sub(phase, ball_mul_d(f->eta, x))",
     "ball_add(phase, ball_mul_d(f->eta, x))", ""),
    (SHIFTS_LINE, "ball_mul_d(ball_pi(), 2 * turns)",
     "ball_mul_d(ball_pi(), 0 * turns)",
     "beside the greatest term the others hardly turn"),
    (SHIFTS_LINE, "ball_mul_d(damp, -self->want.step)",
     "ball_mul_d(p.angle, -self->want.step)", ""),
    (READ, "if (c->has_floor && epsilon <= c->floor_at)", "if (c->has_floor)",
     ""),
    # classes of jumps
    # several records, some of them added
    (ZERO, "(double)contour_removed(pair) + contour_added(pair);",
     "0.1 * contour_removed(pair);", ""),
    (SUMS, "(18 + 0.7 * near) * r->near2", "(0.1 + 0.01 * near) * r->near2",
     ""),
    (SUMS, "(90 + 3 * far) * r->far0 +", "0 * r->far0 +", ""),
    (SUMS, "at * (20 + far) * r->far1;", "0 * r->far1;", ""),
    (SUMS, "factor /= k == 0 ? 2 : m * (m - 1);",
     "factor /= k == 0 ? 2 : m * (m + 1);", ""),
    (SUMS, "y[j] += im[j] - at * r->first;", "y[j] += im[j];", ""),
    (SUMS, "r->far_weight[i] = is_near ? 0 : r->weight[i];",
     "r->far_weight[i] = r->weight[i];", ""),
    (EXPS, "k = m > ROOT2 ? k + 1 : k;", "k = m > 1.5 ? k + 1 : k;", ""),
    (EXPS, "p = p * z + 2 / 15.0;", "p = p * z;", ""),
    # a grid from below
    # classes on a grid
    # the second direction
    (WITHIN, "ball log_c = contour_log_kernel(ball_of(t)),",
     "ball log_c = ball_scale2(contour_log_kernel(ball_of(t)), 1),", ""),
    (WITHIN, "ball_mul_d(p->cumulant, p->count)", "p->cumulant",
     "steering by the same numbers has said so before"),
    (WITHIN, "ball_sub(cumulant, drop)", "ball_sub(cumulant, "
     "ball_scale2(drop, 1))",
     "steering by the same numbers has said so before"),
    (WITHIN, "*out = known.hi <= target.lo;", "*out = known.lo <= "
     "target.hi;",
     "only where epsilon is the greatest loss to its last digit"),
    (WITHIN, "*out = known.hi <= epsilon;", "*out = known.lo <= epsilon;",
     ""),
    (WITHIN, "choice->epsilon).hi <=", "choice->epsilon).lo <=", ""),
    (ASK_LAW, "!c->prepared->has_pairs && laws->items[i].above &&",
     "!c->prepared->has_pairs &&", ""),
    (ASK_LAW, "!c->prepared->has_pairs && laws->items[i].above &&",
     "laws->items[i].above &&", ""),
    (ASK_LAW, "at = ball_of(end.value);", "at = ball_of(2 * end.value);",
     ""),
    (ASK_LAW, "delta = ball_min(value, ball_exp(log_value));",
     "delta = ball_scale2(value, 1);",
     "laws without leaks go by its logarithm"),
    (ASK_LAW, "log_delta = ball_min(ball_log(value), log_value);",
     "log_delta = ball_add_d(log_value, 0.5);", ""),
    # samples under replace
    (REPLACED, "near.up = far.up;", "", ""),
    (REPLACED, "cell_scale(cell_exp(a, a), half);",
     "cell_scale(cell_exp(a, a), mass);", ""),
    (REPLACED, "ball_mul(half, ball_neg(ball_expm1(",
     "ball_mul(ball_of(1), ball_neg(ball_expm1(", ""),
    (REPLACED, "ball_exp(ball_neg(x)), ball_exp(ball_sub(x, far))};",
     "ball_exp(ball_neg(x)), ball_exp(ball_sub(far, x))};", ""),
    (REPLACED, "ball_add(rest, ball_mul(l->rate, x.down))",
     "ball_add(rest, ball_mul(l->rate, x.still))", ""),
    (REPLACED, "ball_mul(ball_sub(ball_of(1), l->rate), x.still)",
     "x.still", ""),
    (REPLACED, "ball tail = ball_div(ball_of(1), ball_add_d(r, 1));",
     "ball tail = ball_div(r, ball_add_d(r, 1));", ""),
    (REPLACED, "put(&l, integer_middle(scale, shift));",
     "(void)integer_middle;", ""),
    (REPLACED, "ball bend = ball_scale2(ball_sqr(mu), -1);",
     "ball bend = ball_sqr(mu);", ""),
    (REPLACED, "ball_sub(bend, ball_scale2(lost_there, -1))",
     "ball_sub(bend, lost_there)", ""),
    (REPLACED, "pair_atoms(&l, lost, c)", "pair_atoms(&l, ball_of(0), c)",
     "1e-60 is left out"),
    (REPLACED, "plan_laws_mixture(out, &base, rate, &own) &&\n"
     "           mechanism_loss_of_class(out);",
     "plan_laws_mixture(out, &base, rate, &own);", ""),
    # groups by chains
    (GROUP, "profile_steps(k, x)", "profile_steps(k - 1, x)", ""),
    (GROUP, ": iv_max(d, profile_log_delta(reverse, x));", ": d;", ""),
    (GROUP, "double d = worse.hi;", "double d = worse.hi - 0.01;", ""),
    (GROUP, "N_SHARES * self->as.group.size)",
     "N_SHARES * (self->as.group.size - 1))", ""),
    (GROUP, ": fmax(hi, profile_epsilon(reverse, delta, log_delta).hi);",
     ": hi;", ""),
    (GROUP, "ball_sub(log_delta, log_factor)",
     "ball_add(log_delta, log_factor)", ""),
    (GROUP, "return there <= x ? 0", "return there <= 1.1 * x ? 0", ""),
    (GROUP, "ball_mul_d(ball_of(hi), self->as.group.size)",
     "ball_mul_d(ball_of(hi), self->as.group.size - 1)", ""),
    (GROUP_PLAN, "return 1;\n    return group;", "continue;\n    "
     "return group;", ""),
    (GROUP_PLAN, "DOSI_REPEAT, &p->count, 1,", "DOSI_REPEAT, "
     "(const double[]){1}, 1,", ""),
    (GROUP_PLAN, "profile_group(base, other, k)", "profile_group(base, NULL, k)",
     ""),
    (GROUP_PLAN, "profile_group(base, other, k)", "profile_group(base, other, k - 1)",
     ""),
    (GROUP_PLAN, "account_add_below(laws, view->c.add && both ? other : "
     "base);", "account_add_below(laws, view->c.add && both ? base : other);",
     "the worse direction is looked for in both; others have pairs"),
    # draws with replacement over Laplace noise, one record more or less
    (COUNTED, "scaled_mul(w, scaled_expm1(at))", "scaled_mul(w, "
     "scaled_exp(at))", ""),
    (COUNTED, "mix.lift = ball_neg(x->theta);", "mix.lift = x->theta;", ""),
    (COUNTED, "ball_mul_d(x->theta, 2 * j);", "ball_mul_d(x->theta, j);", ""),
    (COUNTED, "scaled_mul(scaled_exp(at->y), scaled_expm1(at->y))",
     "scaled_expm1(at->y)", ""),
    (COUNTED, "ball_sub(scaled_log(left), scaled_log(rest)), -1);",
     "ball_sub(scaled_log(left), scaled_log(rest)), 0);", ""),
    (COUNTED, "scaled_mul(sum, scaled_exp(ball_neg(x->level)))", "sum", ""),
    (COUNTED, "return ball_mul_d(ball_log1p(grown), x->mix.n);",
     "return ball_log1p(grown);", ""),
    (COUNTED, "ball left = ball_sub(ball_of(1), right);",
     "ball left = right;", ""),
    (COUNTED, "ball right = ball_div(ball_of(1), ball_add_d(ball_exp(d), "
     "1));", "ball right = ball_of(0);\n    (void)d;", ""),
    (COUNTED, "twice = ball_add(twice, d);", "twice = ball_add(twice, "
     "ball_scale2(d, 1));", ""),
    (COUNTED, "append(o, scaled_add(ratio, g), far);",
     "append(o, ratio, far);", ""),
    (COUNTED, "append(o, scaled_add(ratio, scaled_div(d, q)), q);",
     "append(o, ratio, q);", ""),
    (DRAWN, "profile_with_replacement_pair(&base, m, n, c->add);",
     "profile_with_replacement_pair(&base, m, 2 * n, c->add);", ""),
    (DRAWN, "ball rate = amplify_rate_with_replacement(n, m);\n        pair",
     "ball rate = amplify_rate_with_replacement(2 * n, m);\n        pair",
     ""),
    # all below a cut on one contour
    ("src/contour/part/part_dd.c", "return self->type->power(self, n * self->want.step);",
     "return self->type->power(self, n);", ""),
    (EXPS, "double r = (x - k * LN2_1) - k * LN2_2;",
     "double r = x - k * LN2_1;", ""),
    (EXPS, "double p = 1 / 6227020800.0;", "double p = 0;", ""),
    (EXPS, "double e = height[at + i] + p * point[at + i];",
     "double e = height[at + i];", ""),
    (EXPS, "exp_one(e < MIN_EXPONENT ? MIN_EXPONENT : e);",
     "exp_one(e > MIN_EXPONENT ? e : MIN_EXPONENT);", ""),
    # parts beside others
    (OBJECTIVE, "return ball_sub_d(rest, alpha);", "return rest;", ""),
    (OBJECTIVE, "fmax(ball_lower(least), 0), ball_upper(most)});",
     "fmax(ball_lower(least), 0), ball_upper(least)});", ""),
    (OBJECTIVE, "h->is_reversed ? objective_scaled_x(h, c) : ball_exp(ball_of(-c));",
     "ball_exp(ball_of(-c));", ""),
    (REVERSE, "out->removed = pair->added;", "out->removed = pair->removed;",
     ""),
    (REVERSE, "out->finite = *owned;", "out->finite = pair->finite;",
     ""),
    (REVERSE, "        out->map = LOSS_BASE_FIRST;", "        out->map = LOSS_MIXTURE_FIRST;",
     ""),
    (TRADEOFF, "!ball_is_positive(ball_sub(p[1].g, p[0].g)) ||", "",
     "steering ends with the maximum between its points"),
    (TRADEOFF, "falls ? ball_neg(rise) : rise,", "rise,", ""),
    (TRADEOFF, "ball_mul(ball_mul(up, down), width)", "ball_of(0)", ""),
    (TRADEOFF, "ball_exp(ball_of(fmax(k.c, MIN_LOG_SCALE)));",
     "ball_exp(ball_of(fmin(k.c, MIN_LOG_SCALE)));", ""),
    (TRADEOFF, "is_reversed ? q->alpha : known->threshold",
     "is_reversed ? q->alpha : 0.5 * known->threshold", ""),
    (OBJECTIVE, "return ball_is_zero(s->log_keep);", "return true;", ""),
    (TRADEOFF, "out->lo = known->threshold;",
     "out->lo = 1.0005 * known->threshold;", ""),
    (RANGE_STEP, "ball y = ball_expm1(ball_scale2(behind, -1));",
     "ball y = ball_expm1(behind);", ""),
    (RANGE_STEP, "r->step_weights[0] = ball_upper(below);", "r->step_weights[0] = 0;", ""),
    (RANGE_STEP, "ball t = ball_tanh(ball_scale2(h, -2));",
     "ball t = ball_of(0);", ""),
    (RANGE, ": sampled_loss(of, of->e);",
     ": ball_mul_d(sampled_loss(of, of->e), 0.9998);", ""),
    (RANGE, "? short_step(ball_upper(step), bits, true)",
     "? 0.999999 * short_step(ball_upper(step), bits, true)", ""),
    (RANGE, "r->lower.step = short_step(ball_lower(step), bits, false);",
     "r->lower.step = (1 + 1e-6) * short_step(ball_lower(step), bits, false);",
     ""),
    (RANGE_STEP, "(s->drop[i] + s->factor[i] * s->value[i]) * rounding;",
     "(s->drop[i] + 0.9 * s->factor[i] * s->value[i]) * rounding;", ""),
    (RANGE_STEP, "return s->left[i - b] * s->value[b] + "
     "s->right[i - b] * s->value[b + m];",
     "return s->left[i - b] * s->value[b] + "
     "s->right[i - b] * s->value[b + m - 1];", ""),
    (RANGE_STEP, "    u->next[i] = most * ROUND_UP;",
     "    u->next[i] = most * (1 - 1e-5);", ""),
    (RANGE_STEP, "    while (sign < 0 && ++at <= most)",
     "    while (sign < 0 && (at += 4) <= most)", ""),
    (RANGE_STEP, "left * v[i - 1] + mid * v[i] + right * v[i + 1]",
     "left * v[i] + mid * v[i] + right * v[i]", ""),
    (RANGE_STEP, "double low = chord(l, m, best, i) * ROUND_DOWN;",
     "double low = chord(l, m, best, i) * (1 + 1e-9);",
     "a member's chord is below the class by more"),
    (RANGE_STEP, "while (from < r->end && r->after[from + m] <= i)",
     "while (from < r->end && r->after[from + m] <= i + 8)", ""),
    (RANGE_STEP, "above[i] = above[last];", "above[i] = 0;", ""),
    (RANGE_STEP, "        above[last] = below[last] = 0;", "        ;",
     "beyond its range the class is rarely asked about"),
    (RANGE_RUNS, "ball_mul_d(ball_log1mexp(ball_neg(each)), r->of.k + 1),",
     "ball_mul_d(ball_log1mexp(ball_neg(each)), r->of.k),", ""),
    (RANGE_RUNS, "ball each = ball_div_d(below, r->of.k + 1);",
     "ball each = ball_div_d(below, r->of.k);", ""),
    (RANGE_RUNS, "ball first = ball_mul_d(r->of.e, r->of.k - 1);",
     "ball first = ball_mul_d(r->of.e, r->of.k - 2);", ""),
    (RANGE_RUNS, "ball_mul_d(ball_log1mexp(each), r->of.k + 1));",
     "ball_mul_d(ball_log1mexp(each), r->of.k));", ""),
    (RANGE_RUNS, "if (x.lo >= ball_upper(end)) {",
     "if (x.hi >= ball_lower(end) - 1e-3) {", ""),
    (RANGE_READ, "return s->value[x > 0 ? r->end : -r->end];", "return 0;",
     ""),
    (RANGE_READ, "return ball_upper(ball_add(a, ball_mul(share, ball_sub(b, "
     "a))));", "return ball_upper(ball_add(a, ball_mul_d(\n"
     "        ball_mul(share, ball_sub(b, a)), 2)));", ""),
    (RANGE_READ, "here, ball_mul(ball_mul(ball_sub(here, before), e_h), "
     "share));", "here, ball_of(0));", ""),
    (RANGE_READ, "ball_add(next, ball_mul(ball_sub(next, behind), back));",
     "ball_add(next, ball_mul(ball_sub(here, behind), back));", ""),
    (RANGE_READ, "return ball_add(ball_of(g), ball_abs(ball_expm1(ball_of(x))"
     "));", "return ball_of(g);", ""),
    (RANGE_READ, "y = add ? ball_add_d(ball_log(y), x) : ball_log(y);",
     "y = ball_log(y);", ""),
    (RANGE_READ, "least = s->value[right ? i + 1 : i];",
     "least = s->value[right ? i : i + 1];", ""),
    (INVERSE, "is_below = v.hi <= s->target.lo;",
     "is_below = v.lo <= s->target.lo;", ""),
    (INVERSE, "bool is_above = v.lo > s->target.hi,",
     "bool is_above = v.hi > s->target.hi,", ""),
    (INVERSE, "(void)bracket_approx_from(steer_lower, &s,",
     "(void)bracket_approx_from(steer_upper, &s,", ""),
    (INVERSE, "ball_interval(log_delta), within,",
     "iv_point(ball_mid(log_delta)), within,", ""),
    (INVERSE, "distance <= WIDTH_SHARE * open;", "distance <= open;", ""),
    (RANGE_LAW, "loss_curve both = {values, values};",
     "loss_values none = {1, c.at, c.log_delta};\n"
     "    loss_curve both = {values, none};", ""),
    (RANGE_LAW, "ball_sub(ball_log1mexp(rest), whole)};",
     "ball_sub(ball_log1mexp(ball_neg(t)), whole)};", ""),
    (RANGE_ROWS, "ball_log1p(ball_mul_d(rest, -c->rate))",
     "ball_log1p(ball_mul_d(rest, -0.99 * c->rate))", ""),
    (RANGE_ROWS, "ball p1 = ball_div(rise, whole), p2 = ball_div(fall, "
     "whole);", "ball p1 = ball_div(fall, whole), p2 = ball_div(rise, "
     "whole);", ""),
    (RANGE_ROWS, "row.weight[1] = towards(ball_mul(p1, before), up);",
     "row.weight[1] = 0;", ""),
    (RANGE_ROWS, "row.weight[3] = towards(ball_mul(p2, behind), up);",
     "row.weight[3] = 0;", ""),
    (RANGE_ROWS, "row.rise = towards(ball_expm1(r), up);", "row.rise = 0;",
     ""),
    (RANGE_ROWS, "row.fall = towards(ball_neg(ball_expm1(ball_neg(phi))), "
     "up);", "row.fall = 0;", ""),
    (RANGE_ROWS, "return row_of(b->reach_left, a->reach_right, c->h, true);",
     "return row_of(a->reach_left, b->reach_right, c->h, true);", ""),
    (RANGE_ROWS, "return n * h > least ? n - 1 : n;", "return n + 1;", ""),
    (RANGE_POINTS, "double gain = mid[i] - min_end + MIDDLE_SLACK * mid[i];",
     "double gain = 0 * min_end;", ""),
    (RANGE_POINTS, "if (g == guess || !exceeds(f, best, n))",
     "if (g != guess)", ""),
    (RANGE_POINTS, "v[r->last + i] = v[r->last];", "v[r->last + i] = 0;",
     "what lies so far out hardly matters where it is asked"),
    (EXPONENTIAL, "if (c->attained && c->is_last)", "if (true)", ""),
    (EXPONENTIAL, "out->count = ceil(p->count / k);", "out->count = 1;", ""),
    # rare atoms and blurs, and what is 0
    (TRUNCATE, "log(width) - OMITTED_NATS_ATOMS", "log(width) + OMITTED_NATS_ATOMS", ""),
    (TRUNCATE, "log_delta + log(width) - OMITTED_NATS_ATOMS", "log_delta - 32", ""),
    (INVERT, "effort.width *= finer;", "effort.width *= 1;", ""),
    (INVERT, "q->slope > 0 ? q->slope : choice->t", "choice->t",
     "ends are looked for farther out, which no row is too wide for"),
    (INVERT, "out->hi = at_zero.hi <= target.lo ? 0 : out->hi;",
     "out->hi = 0;", ""),
    # words and numbers that people read
    (FORMULARY, "x->hi = 1;", ";", ""),
    (FORMULARY, "x->lo = 0;", ";", ""),
    (FORMULARY, "else if (row->is_probability)", "else", ""),
    (CITED, "if (n > longest) {", "if (n > 0 && longest == 0) {", ""),
    (CITED, "n == n_bytes || strchr(\".-_\", id[n]) != NULL ? n : 0",
     "n", ""),
    (CITED, "if (is_again)", "if (n_key > 0)", ""),
    (TARGET, "answer->value.hi < target->value\n"
     "                                : answer->value.lo > target->value;",
     "answer->value.lo < target->value\n"
     "                                : answer->value.hi > target->value;", ""),
    (TARGET, "n_digits++ < 17", "false", ""),
    # next to underflow
    (LOSS_CELLS, "scaled growth = scaled_div(scaled_expm1(s), scaled_of(q));",
     "scaled growth = scaled_of(ball_div(ball_expm1(s), q));\n"
     "    if (ball_is_unknown(growth.m))\n"
     "        return (mixed_tail){growth, growth};", ""),
    (LOSS_CELLS, "scaled growth = scaled_div(scaled_expm1(s), scaled_of(q));",
     "scaled growth = scaled_of(ball_div(ball_expm1(s), q));\n"
     "    if (ball_is_unknown(growth.m))\n"
     "        growth.m = ball_of(-2);", ""),
    (AMPLIFY, "if (!ball_is_unknown(growth))", "if (true)", ""),
    (DERIVED, "ball_sub(eps, log_share)};",
     "ball_add(eps, ball_sub(ball_log(rate), ball_log1mexp(\n"
     "        ball_add(eps, log_keep))))};", ""),
    (PROFILE_LAW, "l->lost = ball_add_d(l->lost, fmax(ball_upper(mass), 0));",
     ";", ""),
    (HYBRID, "#define APART 0x1p-900", "#define APART 0", ""),
    (RANGE_POINTS, "best[j] > 0 ? fmax(best[j] * ROUND_UP, MIN_EXCESS) : 0;",
     "best[j] * ROUND_UP;", ""),
    (BALL, "bool sure = a.rad == 0 && b.rad == 0;", "bool sure = spread == 0;",
     ""),
    (SCALED, "return (scaled){m, 0};", "return (scaled){m, e};", ""),
    (SCALED, "return ball_log1p(scaled_ball(a));",
     "return a.e > -3000 ? ball_log1p(scaled_ball(a))\n"
     "                     : ball_widen(ball_of(0), BALL_TINY);", ""),
    # the formulary
    ("src/literature/tradeoff_fixed_size.c", "forms[i].rad < gap.rad", "i == 0",
     ""),
    ("src/literature/tradeoff_fixed_size.c",
     "ball_add(past, ball_mul(ball_sub_d(twice, 1), fixed));",
     "ball_sub(ball_sub(one_minus(ball_mul(rate, tradeoff_gauss_tv(mu))), "
     "fixed), alpha.value);", ""),
    ("src/literature/tradeoff_compare.c",
     "f.parameter <= g.parameter ? at_zero : VERDICT_NO",
     "f.parameter <= g.parameter ? VERDICT_YES : VERDICT_NO", ""),
    ("src/literature/tradeoff_compare.c",
     "verdict_both(verdict_at_most(leak_of(f), leak_of(g)), at_b)", "at_b",
     ""),
    ("src/literature/tradeoff_compare.c",
     "ball_less_equal(f_lo, at_lo) && ball_less_equal(f_hi, at_hi)",
     "ball_less_equal(f_lo, g_lo) && ball_less_equal(f_hi, g_hi)", ""),
    ("src/formulary/family_args.c", "count = number;", "count = 1;", ""),
    ("src/formulary/law_args.c",
     "if (from->value[i] > 0 && to->value[j] > 0)",
     "if (from->value[i] > 0)", ""),
    ("src/formulary/law_args.c", "out[i] = ball_div(out[i], sum);", ";", ""),
    ("src/finite/response_composition.c", "g.hi + g.rad < 0.5 && g.rad < 0x1p-96",
     "g.hi + g.rad < 0.5", ""),
    ("src/noise/gaussian.c", "is_at_limit && !ball_is_unknown(f->limit)", "false", ""),
    ("src/formulary/subsampled_renyi/rows_002_base.c",
     ".range = ball_upper(ball_scale2(chi_pure(&law), 1)),", ".range = 0,", ""),
    ("src/literature/tradeoff_fixed_size.c", "|| !ball_is_positive(f.value)", "", ""),
    # pairs on samples, both directions
    ("src/mechanisms/poisson/poisson_curve.c",
     "dosi_plan_list(inner.node, c->add ? 1 : 0, &n)",
     "dosi_plan_list(inner.node, 0, &n)", ""),
    ("src/mechanisms/poisson/poisson_curve.c", "c->add ? FINITE_BASE_FIRST : FINITE_MIXTURE_FIRST, NULL);",
     "FINITE_MIXTURE_FIRST, NULL);", ""),
    ("src/formulary/composition/rows_renyi.c", "args, true, FINITE_BASE_FIRST, err",
     "args, false, FINITE_BASE_FIRST, err", ""),
    ("src/literature/mutual_information.c", "&kept, ceil(n / 2),", "&kept, ceil(n / 2) + 1,",
     ""),
    # the least of an objective that is convex
    ("src/literature/moments_accountant.c", "line_at(&p[0], &p[1], p[2].x));", "HUGE_VAL);", ""),
    ("src/literature/moments_accountant.c", "line_at(&p[2], &p[3], p[1].x), ", "HUGE_VAL, ", ""),
    ("src/literature/moments_accountant.c", "return fmin(line_at(a, b, ball_of(0)),",
     "return fmin(HUGE_VAL,", ""),
    ("src/literature/moments_accountant.c", "ball_add(s->given, k), at)", "k, at)", ""),
    # roots of functions of balls
    ("src/num/bracket.c", "return bracket_sign_of(function_at(x, context));",
     "return function_mid(x, context) > 0 ? 1 : -1;", ""),
    ("src/num/newton.c",
     "? ball_of_interval(bracket_root_of(f, context, lo, hi))",
     "? ball_of(guess)", ""),
    # leaks, and the ends of the trade-off curve
    (LAW, "log_floor == NULL)\n        return (dosi_interval){-HUGE_VAL, 0};",
     "log_floor == NULL)\n        return iv_point(-HUGE_VAL);", ""),
    (GROUP, "hi == -HUGE_VAL ? hi : 0};", "-HUGE_VAL};", ""),
    (LAW_TRADEOFF, "round_up(round_up(1 - alpha) * most), 1)};",
     "round_up(1 - alpha), 1)};", ""),
    (BOUNDS, "fmin(round_up(1 - q->argument), 1) : 0;",
     "round_up(1 - q->argument) : 0;", ""),
    (RISK, "ask_about(&at[i], d, is_rare, &q, err);",
     "account_answer_on(&at[i], d, &q, err);", ""),
    (RISK, "ask_about(&beta, d, true, &q, err);",
     "account_answer_on(&beta, d, &q, err);", ""),
    (RISK, "is_there ? 0 : 1, q, err)", "is_there ? 0 : 0, q, err)", ""),
    (LOSSES, "ball_mul_d(one.rho, p->count)", "one.rho", ""),
    (LOSSES, "sum->xi = ball_add(sum->xi, ball_mul_d(one.xi, p->count));",
     "sum->xi = ball_add(sum->xi, one.xi);", ""),
    (LOSSES, "if (c->attained && (!found || flag == ATTAINED_BY_NONE))",
     "if (false)", ""),
    (ZCDP_BOX, "ball mu2 = ball_mul_d(ball_of(2), part_parameter(p, 0));",
     "ball mu2 = ball_mul_d(ball_of(4), part_parameter(p, 0));", ""),
    (CURVES, "if (type->renyi == NULL || !type->renyi(&one, order, &p, c))\n"
     "            continue;",
     "if (type->renyi == NULL || !type->renyi(&one, order, &p, c))\n"
     "            return 0;", ""),
    (AFFINITY, "ball t = ball_add(ball_scale2(eps, -1), ",
     "ball t = ball_add(ball_scale2(eps, -2), ", ""),
    (AFFINITY, "ball_scale2(self->as.affinity.log_affinity, 1);",
     "ball_scale2(self->as.affinity.log_affinity, 2);", ""),
    (AFFINITY, "fmax(ball_lower(ball_scale2(rest, 1)), 0), HUGE_VAL};",
     "fmax(ball_lower(ball_scale2(rest, 2)), 0), HUGE_VAL};", ""),
    (CURVES, "ball_neg(ball_scale2(ball_sqr(m->mu), -3));",
     "ball_neg(ball_scale2(ball_sqr(m->mu), -2));",
     "noise that is large enough to be asked has affinity 0, nearly"),
    (CURVES, "ball_scale2(finite_renyi(m->finite, ball_of(0.5)), -1));",
     "ball_scale2(finite_renyi(m->finite, ball_of(0.5)), 1));", ""),
    # the caller's floating-point environment
    (ENVIRONMENT, "if ((caller.mxcsr & MXCSR_MODES) != MXCSR_DEFAULT) {",
     "if (0) {", ""),
    (ENVIRONMENT, "if ((caller.x87 & X87_MODES) != X87_DEFAULT) {",
     "if (0) {", ""),
    (ENVIRONMENT, "#define MXCSR_MODES 0xffc0U", "#define MXCSR_MODES 0x7f80U",
     ""),
    (ENVIRONMENT, "if ((caller.mxcsr & MXCSR_MODES) != MXCSR_DEFAULT) {",
     "if ((caller.mxcsr & 0xe040U) != 0) {", ""),
    (ENVIRONMENT,
     '__asm__ volatile("ldmxcsr %0" : : "m"(caller->mxcsr) : "memory");', ";",
     ""),
    (ENVIRONMENT, "if ((caller->x87 & X87_MODES) != X87_DEFAULT)",
     "if (0)", ""),
    # samples in samples
    (NORMAL, "fma(*rate, by, -product) == 0", "product > 0", ""),
    (NORMAL, "product >= 0x1p-960 && ", "", ""),
    (POISSON, "rate = ball_mul_d(rate, dosi_plan_parameter(plan, 0));", ";",
     ""),
    (POISSON, "inner.nested++;", ";", ""),
]

# foreign text, and events under a relation
JSON_TEXT, JSON_EVENT, JSON_PLAN, EVENTS, C_LOCALE = (
    "src/interop/json_text.c", "src/interop/json_event.c",
    "src/interop/json_plan.c", "src/lang/events.c", "src/base/c_locale.c")
TESTS.update({JSON_TEXT: ["test_json", "test_locale"],
              JSON_EVENT: ["test_json"], JSON_PLAN: ["test_json"],
              EVENTS: ["test_print", "test_json"],
              C_LOCALE: ["test_locale"]})
MUTANTS += [
    (JSON_TEXT, "if (text[i] == '\\0')", "if (text[i] == 1)", ""),
    (JSON_TEXT, 'memcmp(text + i, "\\\\u0000", 6) == 0', "text[i] == 1", ""),
    (JSON_TEXT, "text[i + 1] == '\\\\' ? 2 : length;", "false ? 2 : length;",
     ""),
    (JSON_TEXT, "else if (value == 0 && !is_zero)", "else if (false)", ""),
    (JSON_TEXT, "whole > (unsigned long long)value)", "false)", ""),
    (JSON_EVENT, "bool doubles = of_one && at.is_replaced;",
     "bool doubles = of_one && false;", ""),
    (JSON_EVENT, "at.is_replaced = true; /* the batch", "/* the batch", ""),
    (JSON_EVENT, "(row->about == ABOUT_NEIGHBOURS && !at.replaces);",
     "false;", ""),
    (JSON_EVENT, "if (row->about == ABOUT_NEIGHBOURS && at.replaces && "
     "!at.is_replaced)", "if (false)", ""),
    (JSON_PLAN, "(neighbours == DOSI_NATURAL && json_event_replaces(event));",
     "false;", ""),
    (EVENTS, "sensitivity = ceil(sensitivity / 2);",
     "sensitivity = floor(sensitivity / 2);", ""),
    (EVENTS, "return fma(y, k, -x) > 0 ? nextafter(y, 0) : y;", "return y;",
     ""),
    (C_LOCALE, "l.callers = uselocale((locale_t)l.own);",
     "l.callers = uselocale((locale_t)0);", ""),
]

# parameters from other units, and labels
UNITS, PRINT, PARTS = ("src/lang/argument_units.c", "src/lang/print.c",
                       "src/plan/parts.c")
TESTS.update({UNITS: ["test_argument_units"], PRINT: ["test_labels"],
              PARTS: ["test_labels"]})
MUTANTS += [
    (UNITS, "fma(q, b, -a) <= 0", "fma(q, b, -a) >= 0", ""),
    (UNITS, "    return round_down(q);", "    return q;", ""),
    (UNITS, "a >= 0x1p-900 && ", "", ""),
    (PRINT, ", .omits_labels = true", "", ""),
    (PARTS, "label_compare(a->label, b->label) == 0) &&", "true) &&", ""),
]

# GDP of Poisson samples under replace
TAIL = "src/account/tail_profile.c"
TESTS.update({TAIL: ["test_gdp"]})
MUTANTS += [
    (TAIL, "double steps = p->group * (is_replaced ? 2 : 1);",
     "double steps = p->group;", ""),
]

# the budget of work, and parts that are left out
LIMITS, OPTIONS, RHO, GDP, CURVES = (
    "src/base/work_limits.h", "src/account/options.c",
    "src/account/least_rho.c", "src/account/gdp_question.c",
    "src/mechanisms/plan_total_curves.c")
TESTS.update({LIMITS: ["test_limits"], OPTIONS: ["test_limits"],
              RHO: ["test_leaks", "prop_metamorphic", "test_account"],
              GDP: ["test_gdp", "prop_metamorphic"], CURVES: ["test_limits"]})
MUTANTS += [
    (LIMITS, "w->stopped = w->stopped || w->is_spent;", ";", ""),
    (OPTIONS, "if (!(out->max_operations >= 0))",
     "if (out->max_operations < 0)", ""),
    (RHO, "*out = fmax(iv_add(lines, rest).lo, 0);", "*out = 0;", ""),
    (GDP, "g->out->value.lo = fmax(g->out->value.lo, answer.value.lo);", ";",
     ""),
    (GDP, "mu->lo = fmax(mu->lo, attained);", ";", ""),
]

# leaks that are next to nothing, losses next to infinity
ASK_PLAN, ASK_ROUTE, LOWER_LOSS, LAW_TRADEOFF = (
    "src/account/ask_plan.c", "src/account/ask_route.c",
    "src/mechanisms/mechanism_loss.c", "src/profile/profile_tradeoff.c")
PORTFOLIO = "src/account/portfolio.c"
TESTS[PORTFOLIO] = ["test_limits"]
TESTS[ASK_PLAN] = ["test_limits"] + TESTS.get(ASK_PLAN, [])
for one in ASK_PLAN, ASK_ROUTE, LOWER_LOSS, LAW_TRADEOFF, GDP, PORTFOLIO:
    TESTS[one] = ["test_leaks"] + TESTS.get(one, [])
MUTANTS += [
    (ASK_ROUTE, "if (found && ball_is_zero(r.leak))",
     "if (found && !ball_is_positive(r.leak))", ""),
    (GDP, "{.kind = ACCOUNT_TRADEOFF, .argument = 0};",
     "{.kind = ACCOUNT_DELTA, .argument = 0x1p200};", ""),
    (LOWER_LOSS, "if (ball_is_zero(e.beyond))", "if (true)", ""),
    (LOWER_LOSS, "*delta = e.beyond;", "*delta = e.leak;", ""),
    (LOWER_LOSS, "> 300;", "> 1e300;", ""),
    (LAW_TRADEOFF, "if (c->n < 3 || !(c->at[c->n - 2].y.lo >= 1))",
     "if (false)", ""),
    (PORTFOLIO,
     "status = raise_by_mechanisms(out, plan, question, options, err);",
     ";", ""),
    (PORTFOLIO, "is_stopped_early(s, w, d) ? d->stop_reason : NULL", "NULL", ""),
]

# exact noise: the law over all strings of bits, tiers, entropy
BRICKS, PROPOSAL, FAST, CONSTANT, COMPARE, WORDS, SYSTEM, QUICK = (
    "src/release/bricks.c", "src/release/proposal.c",
    "src/release/noise_fast.c", "src/release/noise_constant.c",
    "src/release/exp_compare.c", "src/release/entropy/words.c",
    "src/release/entropy/words_system.c", "src/release/quick_exp.h")
STRINGS = ["prop_noise_strings_1", "prop_noise_strings_2",
           "prop_noise_strings_4", "prop_noise_strings_8", "prop_noise_tiers", "prop_noise",
           "test_noise"]
TESTS.update({BRICKS: STRINGS, PROPOSAL: STRINGS, FAST: STRINGS,
              CONSTANT: STRINGS, COMPARE: STRINGS, WORDS: ["test_words"],
              SYSTEM: ["test_words"], QUICK: ["prop_noise_tiers"]})
MUTANTS += [
    # the boundary flag off by one, at either end of the column
    (BRICKS, "v < interior ? 0 :", "v <= interior ? 0 :", ""),
    (BRICKS, "uint64_t end = b->is_rounded ? next : next - 1;",
     "uint64_t end = b->is_rounded ? next - 1 : next - 1;", ""),
    (BRICKS, "uint64_t end = b->is_rounded ? next : next - 1;",
     "uint64_t end = next;",
     ""),
    (BRICKS, "ceil(ball_upper(bricks_height(b, c * b->shape.width)))",
     "floor(ball_upper(bricks_height(b, c * b->shape.width)))", ""),
    (BRICKS, "ball_scale2(ball_of_int((int64_t)s->width), -1));",
     "ball_scale2(ball_of_int((int64_t)s->width), 1));", ""),
    (BRICKS, "ball_mul(ball_of_int(2 * (int64_t)s->tail_length),",
     "ball_mul(ball_of_int(1 * (int64_t)s->tail_length),", ""),
    # a negative zero is kept
    (PROPOSAL, "if ((j & 1) != 0 && magnitude == 0 && !b->is_rounded)",
     "if (0)", ""),
    (FAST, "is_left &= 1 ^ ((j & 1) & (magnitude == 0));", ";", ""),
    (CONSTANT,
     "is_kept &= ~(p->is_negative[i] & (unsigned)(p->magnitude[i] == 0));",
     ";", ""),
    (PROPOSAL, "if ((j & 1) != 0 && magnitude == 0 && !b->is_rounded)",
     "if ((j & 1) != 0 && magnitude == 0)", ""),
    # heights of the tail
    (COMPARE, "s->width, -s->height_bits - 1 - at->block, s->tail_length);",
     "s->width, -s->height_bits - at->block, s->tail_length);", ""),
    (COMPARE, "height = ball_scale2(height, at->block + 1);",
     "height = ball_scale2(height, at->block);", ""),
    (COMPARE, "height = ball_scale2(height, at->block + 1);",
     "height = ball_scale2(height, 1);", ""),
    (PROPOSAL, "return n + __builtin_ctzll(word);",
     "return n + __builtin_ctzll(word) / 2;", ""),
    # intervals
    (PROPOSAL, "f->hi = digits_above(&f->lo, count, u->n_bits);",
     "f->hi = digits_above(&f->lo, 1, u->n_bits);", ""),
    (PROPOSAL, "return first == last >> shift;", "return true;", ""),
    (FAST, "unsigned is_open = (((uint128)f + (count - 1)) >> WORD_BITS != 0) |",
     "unsigned is_open =", ""),
    (FAST, "(last >> shift != magnitude) |", "", ""),
    (CONSTANT, "(f > c->most_f) |", "", ""),
    (CONSTANT, "c.most_rest = WORD_MAX - (uint64_t)slack_rest;",
     "c.most_rest = WORD_MAX;", ""),
    (CONSTANT, "(is_tail & (p->words[3 * i + 2] <= b->tail_limit));",
     "0;", ""),
    (FAST, "v + 2 * WORD_STEP < above - band", "v < above", ""),
    (CONSTANT, "v + 2 * WORD_STEP < above - b->band", "v < above", ""),
    (PROPOSAL, "int shift = b->exponent + b->shape.cell_bits;",
     "int shift = b->exponent + b->shape.cell_bits + 1;", ""),
    (PROPOSAL, "return floor_of(out, start + ((uint128)1 << (shift - 1)),",
     "return floor_of(out, start,", ""),
    (COMPARE, "z = wide_mul(&z, &z);", ";", ""),
    (PROPOSAL, "w->failed = true;", ";", ""),
    (QUICK, "even = even * t + 1.0 / 24;", "even = even * t + 1.0 / 23.99;",
     ""),
    # entropy
    (WORDS, "sodium_memzero(w->block, sizeof w->key);", ";", ""),
    (WORDS, "memcpy(w->key, w->block, sizeof w->key);", ";", ""),
    (WORDS, "w->next = KEY_WORDS;", "w->next = 0;", ""),
    (SYSTEM, "return got == SEED_BYTES;", "return got > 0;", ""),
    (SYSTEM, "while (got < 0 && errno == EINTR);", "while (0);", ""),
    (SYSTEM, "return sodium_memcmp(seed, seed + half, half) != 0 &&",
     "return", ""),
    (SYSTEM, "sodium_is_zero(seed + half, half) == 0;", "1;", ""),
]

# checkpoints: no step is drawn twice, damage and copies are seen
CHECKPOINT, CHECKPOINT_TEXT, TRAIN_STEP = (
    "src/release/train/checkpoint.c", "src/release/train/checkpoint_text.c",
    "src/release/train/train_step.c")
TESTS.update({
    CHECKPOINT: ["fault_checkpoint", "fault_checkpoint_copies"],
    CHECKPOINT_TEXT: ["test_checkpoint_text", "fault_checkpoint_copies"],
    TRAIN_STEP: ["fault_checkpoint", "test_training"]})
MUTANTS += [
    (CHECKPOINT, "n, at) == (ssize_t)n && fsync(file) == 0;",
     "n, at) == (ssize_t)n;", ""),
    (CHECKPOINT, "(about.st_nlink == 0 ||", "(true ||", ""),
    (CHECKPOINT, "dosi_status status = lock_file(c->file, c, err);",
     "dosi_status status = DOSI_OK;", ""),
    (CHECKPOINT, "if (flock(file, LOCK_EX | LOCK_NB) == 0 && write_text",
     "if (write_text", ""),
    (CHECKPOINT, "if ((uint64_t)about.st_ino == c->text.file)", "if (true)",
     ""),
    (CHECKPOINT, "if (c->is_behind)", "if (false)", ""),
    (CHECKPOINT, "good = fflush(stream) == 0 && !ferror(stream);",
     "good = true;",
     "a disk that stays full fails the last write, which fclose tells"),
    (CHECKPOINT, "named.st_nlink == 1 &&", "", ""),
    (CHECKPOINT_TEXT, "getc(lines->stream) != EOF)", "false)", ""),
    (CHECKPOINT_TEXT, "memcmp(text + 4, checksum, CHECKSUM_DIGITS) != 0 ||",
     "", ""),
    (CHECKPOINT_TEXT, "checksum_add(&sum, checksum, CHECKSUM_DIGITS);", ";",
     ""),
    (CHECKPOINT_TEXT, "return memcmp(before, line, CHECKPOINT_USED_BYTES - 1)"
     " == 0 &&", "return", ""),
    (TRAIN_STEP,
     "status = checkpoint_reserve(&t->checkpoint, t->state.used, err);",
     "status = checkpoint_reserve(&t->checkpoint, t->state.used - 1, err);",
     ""),
]

# tables: parts that are merged, cells that stay in the engine, stopping
(PEOPLE_MERGE, READER_MERGE, QUERY_MERGE, BUDGET, BUDGET_SEARCH, DRAW,
 SQL_CELLS, SQL_PARTS) = (
    "src/release/table/reader/people_merge.c", "src/release/table/reader/reader_merge.c",
    "src/release/table/query/query_merge.c", "src/release/table/query/budget.c",
    "src/release/table/query/budget_search.c", "src/release/table/query/draw.c",
    "src/release/table/sql/sql_part_cells.c", "src/release/table/sql/sql_parts.c")
TESTS.update({
    PEOPLE_MERGE: ["test_table_merge", "prop_table_people"],
    READER_MERGE: ["test_table_merge", "prop_table_people"],
    QUERY_MERGE: ["test_table_merge"],
    BUDGET: ["test_unknown_cells", "test_table_merge"],
    BUDGET_SEARCH: ["test_table_query"], DRAW: ["test_table_query"],
    SQL_CELLS: ["test_sql_query"], SQL_PARTS: ["test_sql_query"]})
MUTANTS += [
    (PEOPLE_MERGE, "person->n_rows += other->n_rows;",
     "person->n_rows = other->n_rows;", ""),
    (PEOPLE_MERGE, "person->is_bad |= other->is_bad;", ";", ""),
    (PEOPLE_MERGE, "sum = (int128)((uint128)sum + (uint128)more);",
     "sum = sum > more ? sum : more;", ""),
    (PEOPLE_MERGE, "(uint32_t)half[1]), entry[1],", "(uint32_t)half[1]), 1,",
     ""),
    (PEOPLE_MERGE, "return cells_merge(m, person, other) && rows_merge",
     "return cells_merge(m, person, other) || rows_merge", ""),
    (READER_MERGE, "status = reader_csv_end(other, err);", ";", ""),
    (READER_MERGE, "people_flush(&other->people, &other->adder) &&", "", ""),
    (READER_MERGE, "other->is_finished = true;", "other->is_finished = false;",
     ""),
    (READER_MERGE, "(int128)((uint128)into->tally.integers[i] +",
     "(int128)((uint128)into->tally.integers[i] * 0 +", ""),
    (QUERY_MERGE, "if (other->has_tally && query_is_filtered(into))",
     "if (false)", ""),
    (QUERY_MERGE, "if (status == DOSI_OK && into->layout.is_file_order)",
     "if (false)", ""),
    (QUERY_MERGE, "if (strcmp(a[i], b[i]) != 0)", "if (false)", ""),
    (QUERY_MERGE, "into->has_tally && other->has_tally)", "false)", ""),
    (QUERY_MERGE, "other->is_finished = true;", "other->is_finished = false;",
     ""),
    (BUDGET, "hidden + (int64_t)part->distance, most",
     "0 * hidden + (int64_t)part->distance, most", ""),
    (BUDGET, "p->tau = other->tau;", ";", ""),
    (BUDGET_SEARCH, "options.stop(options.stop_context) != 0)", "false)", ""),
    (DRAW, "if (cell.count < min_count)",
     "if (cell.count < 0 * min_count + 1)", ""),
    (SQL_CELLS, "if (it->min_count > 1)", "if (it->min_count > 20)", ""),
    (SQL_PARTS, "!place->is_first_part || least <= 1)",
     "!place->is_first_part || least <= 20)", ""),
]

# tallies: counted once, and with what is assumed of them
SQL_QUERY = "src/release/table/sql/sql_query.c"
TESTS.update({SQL_QUERY: ["fault_query", "test_sql_query"]})
MUTANTS += [
    (SQL_QUERY, "status = tally_read(&answer, reader,",
     "status = tally_read(tally, reader,", ""),
    (SQL_QUERY, "        q->has_tally = false;", "        ;", ""),
]

# rows of discs
MUTANTS += [
    (DISC_ROW, "double new_v = v * (2 + v) - w * w,",
     "double new_v = v * (2 + v),", ""),
    (DISC_ROW, "4 * UNIT * less * size_of(2 + v, w);", "0;", ""),
    (DISC_ROW, "(2 * size + off + 4 * UNIT) * off +", "size * off +", ""),
    (DISC_ROW, "(2 * size + of_a) * of_a + PRODUCT_ERROR * size * size;",
     "(size + of_a) * of_a + PRODUCT_ERROR * size * size;", ""),
    (DISC_ROW, "(size + 2 * UNIT) * of_z +", "0 * of_z +", ""),
    ("src/contour/part/part.c", "out->re[j] = is_known ? -out->re[j] : -1;",
     "out->re[j] = is_known ? out->re[j] : -1;", ""),
    ("src/contour/part/part.c", "double off = contour_nodes_error(self, at, out->rad[j]);",
     "double off = 0x1p-20 * contour_nodes_error(self, at, out->rad[j]);",
     ""),
]

# lists of masses
(LIST_LAW, LIST_RUN, LIST_COMPOSE, LIST_PROFILE, LIST_READ, LIST_ASK,
 LIST_ENDS, LIST_TREE) = (
    "src/list/list_law.c", "src/list/list_run.c", "src/list/list_compose.c",
    "src/list/list_profile.c", "src/list/list_read.c", "src/list/list_ask.c",
    "src/list/list_ends.c", "src/list/list_tree.c")
OF_LISTS = ["test_list_law", "test_list", "prop_list"]
TESTS.update({LIST_LAW: OF_LISTS, LIST_RUN: OF_LISTS[1:],
              LIST_COMPOSE: OF_LISTS, LIST_PROFILE: OF_LISTS,
              LIST_READ: OF_LISTS[1:],
              LIST_ASK: OF_LISTS[1:], LIST_ENDS: OF_LISTS[1:],
              LIST_TREE: OF_LISTS[1:]})
MUTANTS += [
    # outcomes
    (LIST_LAW, "        if (up) /*", "        if (false) /*", ""),
    (LIST_LAW, "up ? round_up(sum) : round_down(sum);",
     "up ? round_down(sum) : round_up(sum);", ""),
    (LIST_LAW, "round_up(round_up(sum * (1 + error)) + LIST_UNDERFLOW);",
     "sum * (1 - error);", ""),
    (LIST_LAW, "fmax(round_down(round_down(sum * (1 - error))",
     "fmax(round_down(round_down(sum * (1 + error))", ""),
    (LIST_LAW, "list_product(total(a), b->at_infinity, a->scale);", "0;", ""),
    (LIST_LAW, "double all = total(b) + b->at_infinity;",
     "double all = total(b);", ""),
    # one run
    (LIST_RUN, "up ? ball_upper(a.at) : ball_lower(a.at),",
     "up ? ball_lower(a.at) : ball_upper(a.at),", ""),
    (LIST_RUN, "up ? fmin(ball_upper(a.p), 1) : ball_lower(a.p)};",
     "up ? ball_lower(a.p) : ball_upper(a.p)};", ""),
    (LIST_RUN, "put_at_infinity(out, a.mass);",
     ";", "atoms at infinite losses are not made: p_inf has their mass"),
    (LIST_RUN, "ball_sub(tail_at(run, 0, true).p, tail_at(run, first, true).p);",
     "ball_of(0);", ""),
    (LIST_RUN, "return ball_add(tail_at(run, 0, false).p, between);",
     "return between;", ""),
    (LIST_RUN, "over.p = ball_add(over.p, ball_sub(all.p, left.p));", ";", ""),
    (LIST_RUN, "over.xq = ball_sub(ball_mul(ball_add(over.xq, all.xq), down), "
     "left.xq);", ";", ""),
    (LIST_RUN, "ball xq = ball_sub(a.xq, ball_mul(b.xq, down));",
     "ball xq = ball_sub(a.xq, b.xq);", ""),
    (LIST_RUN, "mass = ball_neg(mass);", ";", ""),
    (LIST_RUN, "xq = ball_neg(xq);", ";", ""),
    (LIST_RUN, "*right = fmin(mass_upper(ball_div(c->moved, share)), all);",
     "*right = fmin(mass_upper(c->moved), all);", ""),
    (LIST_RUN, "*left = all > *right ? round_up(all - *right) : 0;", "*left = 0;", ""),
    (LIST_RUN, "return fmin(fmax(l, at), next);", "return next;", ""),
    (LIST_RUN, "double carry = d->under;", "double carry = 0;",
     ""),
    (LIST_RUN, "carry = right;", "carry = 0;", ""),
    (LIST_RUN, "list_sum_up(carry, list_sum_up(all, -lost)),", "carry,", ""),
    (LIST_RUN, "put_at_infinity(out, lost);", ";", ""),
    (LIST_RUN, "double over = fmax(ball_lower(d->over.p), 0);",
     "double over = ball_lower(d->over.p) * 1.001;", ""),
    (LIST_RUN, "up ? mass_upper(run->p_inf) :", "up ? 0 :", ""),
    (LIST_RUN, ": fmax(ball_lower(run->p_inf), 0);",
     ": ball_upper(run->p_inf) * 1.001;", ""),
    # a common factor
    (LIST_PROFILE, "v = iv_sub(v, iv_log(iv_point(ldexp(1, f->of->scale))));",
     ";", ""),
    (LIST_PROFILE, "sum.delta += list_product(a->mass[i], v.delta, a->scale);",
     "sum.delta += ldexp(a->mass[i], -a->scale) * v.delta;", ""),
    (LIST_PROFILE, "least = unstored(least, f->of->scale, LIST_BELOW);", ";", ""),
    (LIST_COMPOSE, "m < 1 && a->scale > 0 ? 1 : 0", "0", ""),
    # composition
    (LIST_COMPOSE, "at = cell_after(c, at + 1, l);", "at++;", ""),
    (LIST_COMPOSE, "to->second += m * tt;", ";", ""),
    (LIST_COMPOSE, "double least = c->first - c->second / 2;",
     "double least = c->first;", ""),
    (LIST_COMPOSE, "fmin(longest, MAX_SQUARE_T) * (1.0 / 6 + 0x1p-40);", "0;", ""),
    (LIST_COMPOSE, "return (c->terms + SUM_ERROR_ROUNDS) * LIST_ROUND * "
     "(1 + 0x1p-20);", "return 0;", ""),
    (LIST_COMPOSE, "fmax(c->mass * (1 - error) - tiny, 0),",
     "c->mass * (1 + error),", ""),
    (LIST_COMPOSE, "round_up(c->mass * (1 + error) + tiny),",
     "c->mass * (1 - error),", ""),
    (LIST_COMPOSE, "fmax(round_down(least - all), 0)};",
     "round_down(least + all)};", ""),
    (LIST_COMPOSE, "double carry = settle(&c->cell[0], 0, LIST_ABOVE).mass;",
     "double carry = 0;", ""),
    (LIST_COMPOSE, "double lost = fmin(far.moved, far.mass);",
     "double lost = 0;", ""),
    (LIST_COMPOSE, "double right = fmin(round_up(s.moved / share), s.mass);",
     "double right = fmin(round_up(s.moved), s.mass);", ""),
    (LIST_COMPOSE, "list_sum_up(carry, left),", "carry,", ""),
    (LIST_COMPOSE, "carry = right;", "carry = 0;", ""),
    (LIST_COMPOSE, "list_sum_up(carry, kept),", "carry,", ""),
    (LIST_COMPOSE, "list_sum_up(out->at_infinity, lost);",
     "out->at_infinity;", ""),
    (LIST_COMPOSE, "for (size_t i = 1; i < c->n; i++) {\n"
     "        const cell *from = &c->cell[i];\n        settled s",
     "for (size_t i = 0; i < c->n; i++) {\n"
     "        const cell *from = &c->cell[i];\n        settled s", ""),
    (LIST_COMPOSE, "double gap = s.moved / settle(from, 0, LIST_ABOVE).mass;",
     "double gap = 1.001 * s.moved / settle(from, 0, LIST_ABOVE).mass;", ""),
    (LIST_COMPOSE, "double error = (double)(a->n + b->n + 8) * LIST_ROUND;",
     "double error = -64 * LIST_ROUND;", ""),
    (LIST_COMPOSE, "out->at_infinity, list_end(left_out, 0x1p-20, side));",
     "out->at_infinity, 0);", ""),
    (LIST_COMPOSE, "r.left_out * (same ? 2 : 1);", "r.left_out;", ""),
    (LIST_COMPOSE, "r.left_out += s->below[first] * m;", ";", ""),
    (LIST_COMPOSE, "if (i >= r.first && i < r.end)", "if (false)", ""),
    (LIST_COMPOSE, "m *= 2;", ";", ""),
    (LIST_COMPOSE, "out->slack = round_up(round_up(a->slack + b->slack) +",
     "out->slack = round_up(round_up(a->slack) +", ""),
    (LIST_COMPOSE, "round_up(LIST_LOSS_ROUND * most +", "round_up(", ""),
    (LIST_COMPOSE, "range_of(s, b->n, m, of_row);",
     "range_of(s, b->n, m, negligible);", ""),
    # profiles
    (LIST_PROFILE, "return (steps * PROFILE_ERROR_ROUNDS + terms) * LIST_ROUND * "
     "(1 + 0x1p-20);", "return 0;", ""),
    (LIST_PROFILE, "slack += f->with->slack;", ";", ""),
    (LIST_PROFILE, "return (slack + 0x1p-51 * most) * (1 + 0x1p-40) + "
     "LIST_MIN_SLACK;",
     "return slack;", ""),
    (LIST_PROFILE, "LIST_ABOVE ? epsilon - slack : epsilon + slack;",
     "LIST_ABOVE ? epsilon + slack : epsilon - slack;", ""),
    (LIST_PROFILE, "double most = finite_at(f, epsilon - slack).xq;",
     "double most = finite_at(f, epsilon + slack).xq;", ""),
    (LIST_PROFILE, "double error = error_of(f) + 4 * slack;",
     "double error = 0;", ""),
    # questions
    (LIST_READ, "return up ? hi : lo;", "return up ? lo : hi;", ""),
    (LIST_ASK, "double lo = list_epsilon_end(&side[LIST_BELOW], target.hi, guess);",
     "double lo = list_epsilon_end(&side[LIST_BELOW], target.lo, guess);",
     ""),
    (LIST_ASK, "epsilon_end(&side[LIST_ABOVE], target.lo,",
     "epsilon_end(&side[LIST_ABOVE], target.hi + 0.01,", ""),
    (LIST_READ, "double rise = round_up(fmax(round_up(q.hi - alpha), 0) * "
     "length.hi);", "double rise = 0;", ""),
    (LIST_READ, ": round_up(1 - list_delta_end(f, at.lo));", ": 0;", ""),
    (LIST_READ, "? round_down(round_down(1 - h) - round_up(cost.hi * alpha))",
     "? round_up(1 - h + cost.hi * alpha)", ""),
    (LIST_READ, ": round_up(round_up(1 - h) - round_down(cost.lo * alpha));",
     ": round_down(1 - h - 1.001 * cost.lo * alpha);", ""),
    (LIST_ASK, "*out = status == DOSI_OK && v.hi <= ball_lower(log_delta);",
     "*out = status == DOSI_OK && v.lo <= ball_lower(log_delta);", ""),
    (LIST_ASK, "if (status == DOSI_EUNABLE && n_rounds > 0)",
     "if (status == DOSI_EUNABLE)",
     "the answer is then what was known before: it says nothing, truly"),
    (LIST_ASK, "if (!(log_delta >= LIST_MIN_LOG_DELTA))", "if (false)", ""),
    (LIST_ASK, "if (count > MAX_COUNT)", "if (count > 1e300)", ""),
    # ends
    (LIST_ENDS, "ball_mul_d(ball_log1p(ball_neg(c.p_inf)), parts[i].count));",
     "ball_log1p(ball_neg(c.p_inf)));", ""),
    (LIST_ENDS, "most = ball_add(most, ball_mul_d(loss_largest(&c), "
     "parts[i].count));", "most = ball_add(most, loss_largest(&c));", ""),
    (LIST_ENDS, "if (profile_log_mass(p_inf).hi <= ball_lower(log_delta))",
     "if (true)", ""),
    (LIST_ENDS, "ball_add(*log_mass, ball_mul_d(ball_log(a.p), "
     "parts[i].count));", "ball_add(*log_mass, ball_log(a.p));", ""),
    (LIST_ENDS, "if (!ball_is_negative(gap))\n        return 0;", "",
     "the logarithm of 1 - exp of what is no less than 0 is a NaN, and so 0"),
    (LIST_ENDS, "ball_lower(ball_add(log_mass, ball_log1mexp(gap))));",
     "ball_lower(log_mass));", ""),
    # the tree
    (LIST_TREE, "if (fmod(count, 2) == 1)", "if (false)", ""),
    (LIST_TREE, "if (status == DOSI_OK && (k >> bits & 1) != 0)",
     "if (false)", ""),
]

# the planner
for one in ASK_PLAN, ASK_ROUTE:
    TESTS[one] += ["test_account", "test_ask_law", "test_work"]
TESTS[LIMITS] += ["test_account", "test_work"]
MUTANTS += [
    (ASK_PLAN, "for (int pass = 0; pass < 2 && status == DOSI_OK; pass++)",
     "for (int pass = 0; pass < 1 && status == DOSI_OK; pass++)", ""),
    (ASK_PLAN, "return prepared_is_narrow(w, d) || prepared_worst(w).is_exhausted;",
     "return true;", ""),
    (ASK_PLAN, "most < HUGE_VAL && d->only == NULL", "most < HUGE_VAL",
     "a second pass follows, longer than contours need"),
    (ASK_PLAN, "work_unshare(&d->limits, pause);", "(void)pause;",
     "a later direction works less, which makes no answer of the tests wide"),
    (LIMITS, "return w->stopped || (w->pause > 0 && w->spent > w->pause);",
     "return w->stopped;",
     "the answers are no wider, only later: no test measures time"),
]

# which ends laws and directions give, and their joining
BEST, ASK_LAW = "src/account/best_bounds.c", "src/account/ask_law.c"
for one in BEST, ASK_LAW, ASK_ROUTE, PORTFOLIO:
    TESTS[one] = list(dict.fromkeys(
        TESTS.get(one, []) + ["test_leaks", "test_account",
                              "prop_metamorphic", "prop_questions"]))
MUTANTS += [
    (BEST, "if (improves(&b->guarantee, &s.guarantee, below))",
     "if (improves(&b->guarantee, &s.guarantee, !below))", ""),
    (BEST, "if (improves(&b->other, &s.other, below))",
     "if (improves(&b->other, &s.other, !below))", ""),
    (BEST, "if (improves(found, &s->guarantee, !bounds_guards_below(q)))",
     "if (true)", ""),
    (BEST, "if (improves(found, &s->other, bounds_guards_below(q)))",
     "if (true)", ""),
    (BEST, "? safe >= attained", "? safe <= attained", ""),
    (BEST, ": safe <= attained &&", ": safe >= attained &&", ""),
    (BEST, "s.law_width = fmax(a->law_width, b->law_width);",
     "s.is_exhausted = true;", ""),
    (ASK_LAW, "if (laws->items[i].above)\n        bounds_guarantee(",
     "if (true)\n        bounds_guarantee(", ""),
    (ASK_LAW, "if (laws->items[i].below)\n        bounds_other(",
     "if (true)\n        bounds_other(", ""),
    (ASK_LAW, "!profile_is_within(from, at, delta, log_delta))",
     "profile_is_within(from, at, delta, log_delta))", ""),
    (ASK_LAW, "return half > 0 ? q->argument > 0.5 :",
     "return half > 0 ? q->argument < 0.5 :", ""),
    (ASK_ROUTE, "ball_is_zero(delta))\n        *most", "true)\n        *most",
     ""),
    (ASK_ROUTE, "*least = fmax(*least,", "*least = fmax(1.001 * *least,", ""),
    (PORTFOLIO, "out->value.hi = fmin(out->value.hi, alone.value.hi);", ";", ""),
    (PORTFOLIO, "out->log_value.lo = fmax(out->log_value.lo, "
     "alone.log_value.lo);", ";", ""),
]

# moments of Poisson samples in doubles
MOMENT, LAPLACE_MOMENT = ("src/renyi/poisson_gaussian_moment.c",
                          "src/renyi/poisson_laplace_moment.c")
TESTS.update({MOMENT: ["test_poisson_gaussian", "prop_renyi",
                       "prop_poisson_renyi"],
              LAPLACE_MOMENT: ["test_poisson_base_renyi",
                               "prop_poisson_renyi"]})
SMALL_TERM = ("the choices keep this term below the rounding, which is charged "
              "as well")
MUTANTS += [
    (MOMENT, "rad += rule_error(m, total + rad);", ";",
     SMALL_TERM),
    (MOMENT, "m->dropped += most;", ";",
     SMALL_TERM),
    (MOMENT, "m->dropped = tail(m, -last * m->step) + "
     "tail(m, last * m->step);", "m->dropped = 0;",
     SMALL_TERM),
    (MOMENT, "m->rad += value.rad + fabs(m->sum) * 0x1p-53;", ";", ""),
    (MOMENT, "if (most <= OMITTED_CELL) {", "if (most <= 1e-3) {", ""),
    (MOMENT, "return fmin(second, log(s));", "return second - 60;", ""),
    (MOMENT, "ball gap = ball_of_interval((dosi_interval){0, most});",
     "ball gap = ball_of(2 * most);", ""),
    (MOMENT, "ball_upper(log_rest) < -28", "ball_upper(log_rest) < 1", ""),
    (LAPLACE_MOMENT, "m->rad += h.mid * 6.6e-17 * exp(most + "
     "POWER_EXCESS_GUARD);", ";",
     SMALL_TERM),
    (LAPLACE_MOMENT, "add_at(&m, dball_neg(m.a), dball_of(0), half);", ";", ""),
    (LAPLACE_MOMENT, "double reach = fmin(1, 5 / ", "double reach = fmin(1, 80 / ",
     ""),
]

# epsilon at delta 0
PURE, UNBOUNDED = (
    "src/account/pure_question.c", "src/mechanisms/plan_unbounded.c")
TESTS.update({PURE: ["test_pure_epsilon"], UNBOUNDED: ["test_pure_epsilon"]})
MUTANTS += [
    (PURE, "out->upper = fmax(out->upper, losses_at_most(view));",
     "out->upper = 0;", ""),
    (PURE, "    out->value.hi = upper;", "    upper = out->value.hi;", ""),
    (PURE, "    if (bound.unbounded != NULL) {", "    if (false) {", ""),
    (UNBOUNDED, "dosi_plan_child(p.node, 0), true, c)",
     "dosi_plan_child(p.node, 0), false, c)", ""),
]

# curves: kept contours, and points that bound each other
KEPT, BETWEEN, CURVE = ("src/contour/engine/engine_kept.c",
                        "src/account/curve_between.c", "src/account/curve.c")
TESTS.update({KEPT: ["test_engine_kept", "prop_curve"],
              BETWEEN: ["prop_curve"], CURVE: ["prop_curve"]})
MUTANTS += [
    (KEPT, "if (!(contour_reuse(s) > 0) || ", "if (true || ", ""),
    (KEPT, "while (s->kept != NULL && !(out.hi - out.lo <= contour_reuse(s)))",
     "while (false)", ""),
    (BETWEEN, "return ball_sub(log_gap(e, b), log_gap(a, b));",
     "return ball_sub(log_gap(a, e), log_gap(a, b));", ""),
    (BETWEEN, "return ball_add(apart, ball_sub(log_gap(a, e), "
     "log_gap(a, b)));", "return ball_sub(log_gap(a, e), log_gap(a, b));", ""),
    (BETWEEN, "end = ball_upper(ball_logaddexp(left, right));",
     "end = ball_lower(ball_max(left, right));", ""),
    (BETWEEN, "end = ball_upper(has_left ? left : right);",
     "end = -HUGE_VAL;", ""),
    (BETWEEN, "ball_sub(ball_of(near), ball_mul(rest, ball_of(far))), w);",
     "ball_of(near), w);", ""),
    (BETWEEN, "take_delta_lower(a, best, best->value.lo, "
     "best->log_value.lo);",
     "take_delta_lower(a, best, best->value.hi, best->log_value.hi);", ""),
    (BETWEEN, "if (kind == ACCOUNT_DELTA)\n        status", "if (false)\n"
     "        status", ""),
    (CURVE, "status = ask_point(d, a, &sorted[a->n - 1], err);", ";", ""),
]

# the inverse of optimal composition
INVERSE = "src/finite/response_inverse.c"
TESTS[INVERSE] = ["test_response_composition", "prop_response_composition"]
MUTANTS += [
    (INVERSE, "return ball_sub(t->log_tau, log_core);",
     "return ball_add_d(ball_sub(t->log_tau, log_core), 1e-9);", ""),
    (INVERSE, "return iv_make(core_inverse(&c, log_tau, done).lo, HUGE_VAL);",
     "return core_inverse(&c, log_tau, done);", ""),
]
