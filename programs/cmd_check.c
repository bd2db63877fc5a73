/*
 * dosimeter check: whether claims about plans hold. A claim holds if the safe
 * end of the certified interval is within it, and is refuted if the other
 * end, attained by the mechanism itself, is beyond it; all comparisons are
 * those of doubles, before anything is rounded for printing.
 */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The width at which a claim inside the interval is asked again. */
#define CLOSE_WIDTH 1e-12

static const char *const verdict_names[] = {"holds", "undecided", "refuted"};
static const enum cli_style styles[] = {STYLE_GOOD, STYLE_WARNING, STYLE_BAD};

struct checking {
    const struct cli_arguments *args;
    struct cli_asking how;
    struct claims claims;
    struct checked *all;
    size_t n_verdicts[3];
};

/* ---- Deciding --------------------------------------------------------------
 */

/* An epsilon at delta 0 is asked as a delta of 0 at epsilon: the plan is
 * (E, 0)-DP if and only if delta(E) = 0. An advantage is delta at 0. */
static void set_question(struct checked *c)
{
    const dosi_target *target = &c->claim->target;
    const struct cli_target_row *row = cli_target_row(target->kind);

    c->question =
        cli_question_of(row->at != OPTION_COUNT ? row->at : OPTION_EPSILON);
    c->given = row->at != OPTION_COUNT ? target->at : 0;
    c->claimed = target->value;
    if (target->kind == DOSI_TARGET_EPSILON && target->at == 0) {
        c->question = cli_question_of(OPTION_EPSILON);
        c->given = target->value;
        c->claimed = 0;
    }
}

/* A NaN would satisfy neither comparison. */
static void decide(struct checked *c)
{
    const dosi_answer *a = &c->answer;
    bool within = c->question->safe_is_lower ? a->value.lo >= c->claimed
                                             : a->value.hi <= c->claimed;

    c->beyond = check_is_beyond(c, a);
    c->verdict = within                              ? HOLDS
                 : c->beyond && check_is_attained(a) ? REFUTED
                                                     : UNDECIDED;
}

/* Asks and decides; a width that is not reached is no failure here. */
static dosi_status ask(struct checked *c, struct cli_asking *how, double width)
{
    how->options.neighbours = c->claim->neighbours;
    how->options.width = width;
    dosi_status status = cli_asking_at(
        &c->answer, how, c->question, c->claim->plan, c->given, &c->err);
    c->answered =
        status == DOSI_OK || (status == DOSI_EUNABLE && width > 0 &&
                                 c->answer.value.lo > -HUGE_VAL &&
                                 c->answer.value.lo <= c->answer.value.hi);
    c->verdict = UNDECIDED;
    if (c->answered)
        decide(c);
    return c->answered ? DOSI_OK : status;
}

static int check(struct checking *all, size_t i)
{
    struct checked *c = &all->all[i];
    struct checked closer;

    c->claim = &all->claims.all[i];
    set_question(c);
    dosi_status status = ask(c, &all->how, 0);
    if (status == DOSI_OK && c->verdict == UNDECIDED && !c->beyond) {
        closer = *c;
        if (ask(&closer, &all->how, CLOSE_WIDTH) == DOSI_OK)
            *c = closer;
    }
    if (status == DOSI_OK && c->verdict == UNDECIDED)
        check_known_parts(c, &all->how);
    if (cli_interrupted())
        return CLI_INTERRUPTED;
    all->n_verdicts[c->verdict]++;
    if (status == DOSI_OK || cli_exit_of(status) == CLI_UNABLE)
        return CLI_YES;
    if (all->claims.n > 1) {
        char message[DOSI_MESSAGE_BYTES];
        memcpy(message, c->err.message, sizeof message);
        snprintf(c->err.message, sizeof c->err.message, "claim %zu: %.200s",
            i + 1, message);
    }
    return cli_fail(all->args, &c->err, NULL, 0);
}

/* ---- Writing ---------------------------------------------------------------
 */

static void write_one(const struct checking *all, const struct checked *c)
{
    char text[CHECK_SENTENCE_BYTES], target[CLI_TARGET_BYTES];

    cli_target_text(target, &c->claim->target);
    printf("%s%s%s   %s\n", cli_style(styles[c->verdict]),
        verdict_names[c->verdict], cli_style(STYLE_PLAIN), target);
    check_sentence(text, c);
    printf("  %s\n", text);
    if (!c->answered)
        return;
    cli_interval_text(text, c->answer.value, all->how.n_digits);
    printf("  %-10s %s\n", c->question->label, text);
    if (c->known != NULL)
        printf("  known      %s\n", c->known);
    cli_write_provenance(all->args, &c->answer);
}

/* The label of a claim, or its plan. */
static void write_label(const struct claim *claim)
{
    dosi_error err;
    char *plan = claim->label == NULL
                     ? cli_plan_text(claim->plan, DOSI_FORM_TEXT, &err)
                     : NULL;
    const char *label = claim->label != NULL ? claim->label : plan;

    for (size_t n; label != NULL && *label != '\0'; label += n) {
        n = cli_utf8_length(label, strlen(label));
        fwrite(n > 0 ? label : "?", 1, n > 0 ? n : 1, stdout);
        n += n == 0;
    }
    putchar('\n');
    free(plan);
}

static void write_list(const struct checking *all)
{
    for (size_t i = 0; i < all->claims.n; i++) {
        const struct checked *c = &all->all[i];
        char target[CLI_TARGET_BYTES], interval[CLI_INTERVAL_BYTES] = "-";
        cli_target_text(target, &c->claim->target);
        if (c->answered)
            cli_interval_text(interval, c->answer.value, all->how.n_digits);
        printf("%s%-9s%s  %-32s  %-9s %-30s  ", cli_style(styles[c->verdict]),
            verdict_names[c->verdict], cli_style(STYLE_PLAIN), target,
            c->answered ? c->question->label : "", interval);
        write_label(c->claim);
    }
    printf("claims %zu: holds %zu, refuted %zu, undecided %zu\n", all->claims.n,
        all->n_verdicts[HOLDS], all->n_verdicts[REFUTED],
        all->n_verdicts[UNDECIDED]);
}

static int json_claim(const struct checked *c, bool first)
{
    const dosi_target *target = &c->claim->target;
    const struct cli_target_row *row = cli_target_row(target->kind);
    char sentence[CHECK_SENTENCE_BYTES];
    dosi_error err;
    char *plan = cli_plan_text(c->claim->plan, DOSI_FORM_TEXT, &err);

    if (plan == NULL)
        return cli_no_memory();
    fputs(first ? "\n{" : ",\n{", stdout);
    cli_json_text("verdict", verdict_names[c->verdict], true);
    if (c->claim->label != NULL)
        cli_json_text("label", c->claim->label, false);
    cli_json_text("plan", plan, false);
    cli_json_key(row->label, false);
    cli_json_number(target->value);
    if (row->given != NULL) {
        cli_json_key(row->given, false);
        cli_json_number(target->at);
    }
    check_sentence(sentence, c);
    cli_json_text("sentence", sentence, false);
    if (c->answered) {
        cli_json_text("query", c->question->label, false);
        cli_json_key("lower", false);
        cli_json_number(c->answer.value.lo);
        cli_json_key("upper", false);
        cli_json_number(c->answer.value.hi);
        cli_json_provenance(&c->answer);
        if (c->known != NULL)
            cli_json_text("known", c->known, false);
    } else {
        cli_json_text("reason", c->err.message, false);
    }
    putchar('}');
    free(plan);
    return CLI_YES;
}

static int write_json(const struct checking *all)
{
    int status = CLI_YES;

    fputs("{\"claims\":[", stdout);
    for (size_t i = 0; i < all->claims.n && status == CLI_YES; i++)
        status = json_claim(&all->all[i], i == 0);
    printf("],\"holds\":%zu,\"refuted\":%zu,\"undecided\":%zu}\n",
        all->n_verdicts[HOLDS], all->n_verdicts[REFUTED],
        all->n_verdicts[UNDECIDED]);
    return status;
}

/* ---- The command -----------------------------------------------------------
 */

static int check_all(struct checking *all)
{
    int status = CLI_YES;

    all->all = calloc(all->claims.n, sizeof *all->all);
    if (all->all == NULL)
        return cli_no_memory();
    for (size_t i = 0; i < all->claims.n && status == CLI_YES; i++) {
        cli_progress_of("claim", i, all->claims.n);
        status = check(all, i);
    }
    return status;
}

int cli_check(const struct cli_arguments *args)
{
    struct checking all = {.args = args};

    int status = cli_asking_read(&all.how, args);
    if (status == CLI_YES)
        status = claims_read(&all.claims, args);
    if (status == CLI_YES)
        status = check_all(&all);
    if (status == CLI_YES) {
        if (cli_has(args, OPTION_JSON))
            status = write_json(&all);
        else if (cli_has(args, OPTION_QUIET))
            status = CLI_YES; /* the exit status is the answer */
        else if (all.claims.n == 1 && !cli_has(args, OPTION_CLAIMS))
            write_one(&all, &all.all[0]);
        else
            write_list(&all);
    }
    if (status == CLI_YES)
        status = all.n_verdicts[REFUTED] > 0     ? CLI_NO
                 : all.n_verdicts[UNDECIDED] > 0 ? CLI_UNABLE
                                                 : CLI_YES;
    for (size_t i = 0; all.all != NULL && i < all.claims.n; i++)
        free(all.all[i].known);
    free(all.all);
    claims_free(&all.claims);
    return status;
}
