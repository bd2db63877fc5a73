/*
 * The parts of a plan and what they cost. Every answer is a certified one of
 * a plan of its own; only the shares are arithmetic on them.
 */
#include "breakdown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"

/* Operations of all questions together, where no time limit is set; a
 * question alone has 1e9. */
#define ALL_OPERATIONS 3e9
#define MOST_OPERATIONS 1e9

/* Plans of more parts than this ask about each with a coarser width: a share
 * is shown to a thousandth. */
#define MANY_PARTS 16
#define COARSE_WIDTH 1e-4

struct work {
    struct breakdown *out;
    const dosi_plan *plan;
    struct cli_asking how;
    dosi_error *errs; /* of each question, first that of the whole plan */
};

/* ---- Parts -----------------------------------------------------------------
 */

static size_t count_parts(const dosi_plan *normal)
{
    return dosi_plan_kind(normal) == DOSI_COMPOSE &&
                   dosi_plan_label(normal) == NULL
               ? dosi_plan_child_count(normal)
               : 1;
}

size_t breakdown_count(const dosi_plan *plan)
{
    const dosi_plan *parts = NULL;
    dosi_error err;

    if (dosi_plan_parts(&parts, plan, &err) != DOSI_OK)
        return 0;
    size_t n = count_parts(parts);
    dosi_plan_free(parts);
    return n;
}

static dosi_status fail_memory(dosi_error *err)
{
    *err = (dosi_error){.status = DOSI_ENOMEM,
        .offset = DOSI_NO_OFFSET,
        .message = "out of memory"};
    return DOSI_ENOMEM;
}

/* All parts but one; without the only part, the plan that costs nothing. */
static dosi_status leave_out(const dosi_plan **out, const dosi_plan *normal,
    const dosi_plan **others, size_t left_out, dosi_error *err)
{
    size_t n = count_parts(normal), n_others = 0;

    if (n == 1)
        return dosi_plan_compose(out, NULL, 0, err);
    for (size_t i = 0; i < n; i++)
        if (i != left_out)
            others[n_others++] = dosi_plan_child(normal, i);
    if (n_others == 1) {
        *out = dosi_plan_retain(others[0]);
        return DOSI_OK;
    }
    return dosi_plan_compose(out, others, n_others, err);
}

/* The texts of a part, with its label and without. */
static dosi_status write_part(struct breakdown_part *part, dosi_error *err)
{
    const dosi_plan *plain = NULL;

    part->text = cli_plan_text(part->plan, DOSI_FORM_TEXT, err);
    if (part->text == NULL)
        return err->status;
    dosi_status status = dosi_plan_labelled(&plain, part->plan, NULL, err);
    if (status != DOSI_OK)
        return status;
    part->plain = cli_plan_text(plain, DOSI_FORM_TEXT, err);
    dosi_plan_free(plain);
    return part->plain != NULL ? DOSI_OK : err->status;
}

static dosi_status make_parts(
    struct breakdown *out, const dosi_plan *normal, dosi_error *err)
{
    size_t n = count_parts(normal);
    const dosi_plan **others = calloc(n, sizeof(const dosi_plan *));
    dosi_status status = DOSI_OK;

    out->parts = calloc(n, sizeof *out->parts);
    if (out->parts == NULL || others == NULL)
        status = fail_memory(err);
    for (size_t i = 0; i < n && status == DOSI_OK; i++) {
        struct breakdown_part *part = &out->parts[out->n++];
        part->plan =
            dosi_plan_retain(n > 1 ? dosi_plan_child(normal, i) : normal);
        status = leave_out(&part->rest, normal, others, i, err);
        if (status != DOSI_OK)
            break;
        status = write_part(part, err);
    }
    free(others);
    return status;
}

/* ---- Questions -------------------------------------------------------------
 */

/* Question 0 is about the whole plan, then two about each part. */
static void ask(void *context, size_t i)
{
    struct work *w = context;
    struct breakdown *b = w->out;
    struct cli_asking how;
    struct breakdown_part *part = i > 0 ? &b->parts[(i - 1) / 2] : NULL;
    bool is_alone = i % 2 == 1;
    const dosi_plan *plan = part == NULL ? w->plan
                            : is_alone   ? part->plan
                                         : part->rest;
    dosi_answer *answer = part == NULL ? &b->all
                          : is_alone   ? &part->alone
                                       : &part->without;

    cli_asking_quiet(&how, &w->how);
    if (part != NULL && b->n > MANY_PARTS)
        how.options.width = COARSE_WIDTH;
    dosi_status status =
        cli_asking_at(answer, &how, b->question, plan, b->given, &w->errs[i]);
    /* A width that is not reached leaves a valid interval. */
    if (status == DOSI_EUNABLE && how.options.width > 0 &&
        answer->value.lo > -HUGE_VAL)
        status = DOSI_OK;
    w->errs[i].status = status;
}

static void ask_part(void *context, size_t i)
{
    ask(context, i + 1);
}

static dosi_status ask_all(struct work *w, size_t n_jobs, dosi_error *err)
{
    size_t n_asked = 2 * w->out->n + 1;
    dosi_status status = DOSI_OK;

    w->errs = calloc(n_asked, sizeof *w->errs);
    if (w->errs == NULL)
        return fail_memory(err);
    ask(w, 0);
    if (w->errs[0].status == DOSI_OK) {
        w->how.options.neighbours = w->out->all.neighbours;
        if (cli_jobs_run(n_jobs, n_asked - 1, ask_part, w, "question") !=
            CLI_YES)
            w->errs[0] = (dosi_error){.status = DOSI_EUNABLE,
                .offset = DOSI_NO_OFFSET,
                .message = "interrupted"};
    }
    for (size_t i = 0; i < n_asked && status == DOSI_OK; i++)
        if (w->errs[i].status != DOSI_OK) {
            *err = w->errs[i];
            status = err->status;
        }
    free(w->errs);
    return status;
}

/* ---- Shares ----------------------------------------------------------------
 */

static int by_share(const void *a, const void *b)
{
    const struct breakdown_part *x = a, *y = b;

    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    if (x->alone.value.hi != y->alone.value.hi)
        return x->alone.value.hi < y->alone.value.hi ? 1 : -1;
    return strcmp(x->text, y->text);
}

static void find_shares(struct breakdown *b)
{
    double sum = 0;

    for (size_t i = 0; i < b->n; i++) {
        struct breakdown_part *part = &b->parts[i];
        double last = b->all.value.hi - part->without.value.hi;
        part->share = (part->alone.value.hi + (last > 0 ? last : 0)) / 2;
        sum += part->share;
    }
    b->has_shares = b->all.value.hi < HUGE_VAL && sum > 0 && sum < HUGE_VAL;
    for (size_t i = 0; i < b->n; i++)
        b->parts[i].share = b->has_shares ? b->parts[i].share / sum : 0;
    qsort(b->parts, b->n, sizeof *b->parts, by_share);
}

dosi_status breakdown_make(struct breakdown *out, const dosi_plan *plan,
    const struct cli_question *question, double given,
    const struct cli_asking *how, size_t n_jobs, dosi_error *err)
{
    const dosi_plan *normal = NULL;
    struct work w = {.out = out, .plan = plan, .how = *how};
    double *operations = &w.how.options.max_operations;

    *out = (struct breakdown){.question = question, .given = given};
    dosi_status status = dosi_plan_parts(&normal, plan, err);
    if (status == DOSI_OK)
        status = make_parts(out, normal, err);
    dosi_plan_free(normal);
    if (status != DOSI_OK)
        return status;
    if (!(how->limit_us > 0))
        *operations = fmin(*operations > 0 ? *operations : MOST_OPERATIONS,
            ALL_OPERATIONS / (double)(out->n + 1));
    status = ask_all(&w, n_jobs, err);
    if (status == DOSI_OK)
        find_shares(out);
    return status;
}

void breakdown_free(struct breakdown *breakdown)
{
    for (size_t i = 0; i < breakdown->n; i++) {
        dosi_plan_free(breakdown->parts[i].plan);
        dosi_plan_free(breakdown->parts[i].rest);
        free(breakdown->parts[i].text);
        free(breakdown->parts[i].plain);
    }
    free(breakdown->parts);
    *breakdown = (struct breakdown){0};
}
