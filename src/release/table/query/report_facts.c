/*
 * The facts reported beside the numbers of an answer: unit of privacy, laws and
 * scales of the noise, plan, cost, bounds, limits and assumptions, all from the
 * query alone.
 */
#include "report_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "base/error.h"
#include "layout_build.h"
#include "statistics.h"

/* ---- Lists of texts ---------------------------------------------------- */

/* Moves the buffer's text to the list. */
static dosi_status add_fact(struct report_facts *f, enum fact_kind kind,
    dosi_buffer *text, dosi_error *err)
{
    struct fact_list *list = &f->lists[kind];
    void *more = text->failed ? NULL
                              : text_more(list->texts, list->n,
                                    sizeof *list->texts);
    if (more == NULL) {
        dosi_buffer_free(text);
        return dosi_fail_memory(err);
    }
    list->texts = more;
    list->texts[list->n++] = text->text;
    *text = (dosi_buffer){0};
    return DOSI_OK;
}

static dosi_status add_sentence(struct report_facts *f, enum fact_kind kind,
    const char *sentence, dosi_error *err)
{
    dosi_buffer text = {0};
    dosi_buffer_text(&text, sentence);
    return add_fact(f, kind, &text, err);
}

static void write_escaped(dosi_buffer *b, const char *text)
{
    answer_escape(b, text, strlen(text), false);
}

static void write_whole(dosi_buffer *b, int64_t x)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, x);
    dosi_buffer_text(b, text);
}

static void write_double(dosi_buffer *b, double x)
{
    char text[DOSI_NUMBER_BYTES];
    dosi_buffer_bytes(b, text, dosi_print_exact(text, x));
}

/* ---- Noise ------------------------------------------------------------- */

static const char *law_name(dosi_noise_law law)
{
    switch (law) {
    case DOSI_NOISE_ROUND_GAUSSIAN:
        return "Gaussian noise, rounded";
    case DOSI_NOISE_ROUND_LAPLACE:
        return "Laplace noise, rounded";
    case DOSI_NOISE_DISCRETE_GAUSSIAN:
        return "discrete Gaussian noise";
    case DOSI_NOISE_DISCRETE_LAPLACE:
        return "discrete Laplace noise";
    }
    return "";
}

static void write_choice(dosi_buffer *b, const dosi_table_query *q,
    const struct table_statistic *s)
{
    const struct table_part *part = &s->parts[0];
    char within[DOSI_NUMBER_BYTES];
    size_t n = q->layout.items[part->item].n_cells;
    bool is_rank = s->whole > 0;
    dosi_buffer_text(b, q->settings.permute_and_flip
                            ? "permute-and-flip, epsilon "
                            : "exponential mechanism, epsilon ");
    write_double(b, part->parameter);
    dosi_buffer_text(b, ", score sensitivity ");
    write_whole(b, (int64_t)part->distance);
    dosi_buffer_text(b, is_rank ? "; within " : "; count within ");
    dosi_print_upper(within,
        answer_within(q, part, n, is_rank ? (double)s->whole : 1), 6);
    dosi_buffer_text(b, within);
    dosi_buffer_text(
        b, is_rank ? " rows of rank" : " of the largest");
}

static void write_noise(dosi_buffer *b, const dosi_table_query *q,
    const struct table_statistic *s, const struct table_part *part)
{
    struct exact_grid grid = exact_grid_of_places(0);
    if (part->leaf == LEAF_SUM)
        grid = layout_grid(&q->layout, s->value);
    if (strcmp(part->label, "squares") == 0)
        grid.power = 2;
    dosi_buffer_text(b, law_name(part->law));
    dosi_buffer_text(b, ", scale ");
    write_double(b, part->scale);
    if (grid.num != 1 || grid.den != 1) {
        dosi_buffer_text(b, " units of ");
        exact_print(b, 1, &grid);
    }
    if (part->has_threshold) {
        int64_t least = q->layout.items[part->item].min_count;
        dosi_buffer_text(b, "; cells are printed from ");
        write_whole(b, part->tau);
        dosi_buffer_text(b, least > 1 ? ", if they have at least " : "");
        if (least > 1)
            write_whole(b, least);
        return;
    }
    dosi_buffer_text(b, "; within ");
    exact_print(b, part->half_width, &grid);
    if (part->leaf == LEAF_SUM && part->label[0] != '\0') {
        bool is_square = grid.power == 2;
        struct exact_grid plain = layout_grid(&q->layout, s->value);
        dosi_buffer_text(b, is_square ? "; of squares of value - "
                                      : "; of value - ");
        exact_print(b, s->centre, &plain);
    }
}

static dosi_status add_noise_facts(
    struct report_facts *f, const dosi_table_query *q, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < q->n_statistics; i++) {
        const struct table_statistic *s = &q->statistics[i];
        f->has_bad = f->has_bad || s->row == &statistic_bad;
        for (size_t j = 0; j < s->n_parts && status == DOSI_OK; j++) {
            dosi_buffer b = {0};
            write_escaped(&b, s->name);
            dosi_buffer_text(&b, s->parts[j].label[0] != '\0' ? "." : "");
            dosi_buffer_text(&b, s->parts[j].label);
            dosi_buffer_text(&b, ": ");
            if (s->parts[j].leaf == LEAF_CHOICE)
                write_choice(&b, q, s);
            else
                write_noise(&b, q, s, &s->parts[j]);
            status = add_fact(f, FACT_NOISE, &b, err);
        }
    }
    return status;
}

/* ---- Bounds and limits -------------------------------------------------- */

/* The width of the cells that a value is for, or 0. */
static int64_t bin_width(const struct table_layout *l, size_t value)
{
    for (size_t i = 0; i < l->n_rules; i++)
        if (l->rules[i].kind == TABLE_BINS && l->rules[i].value == value)
            return l->rules[i].width;
    return 0;
}

static dosi_status add_bounds(
    struct report_facts *f, const dosi_table_query *q, dosi_error *err)
{
    const struct table_layout *l = &q->layout;
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < l->n_values && status == DOSI_OK; i++) {
        const struct table_value *v = &l->values[i];
        struct exact_grid grid = layout_grid(l, i);
        dosi_buffer b = {0};
        int64_t width = bin_width(l, i);
        write_escaped(&b, l->columns[v->column].name);
        dosi_buffer_text(&b, " ");
        exact_print(&b, v->lo, &grid);
        dosi_buffer_text(&b, "..");
        exact_print(&b, v->hi + (width > 0), &grid);
        if (width > 0) {
            dosi_buffer_text(&b, " in cells of ");
            exact_print(&b, width, &grid);
        }
        dosi_buffer_text(&b, ", grid ");
        exact_print(&b, 1, &grid);
        if (v->missing != TABLE_MISSING) {
            dosi_buffer_text(&b, ", missing counts as ");
            exact_print(&b, v->missing, &grid);
        }
        status = add_fact(f, FACT_BOUNDS, &b, err);
    }
    return status;
}

static void write_item_limit(
    dosi_buffer *b, const dosi_table_query *q, const struct table_item *item)
{
    switch (item->limit) {
    case TABLE_BY_ROWS:
        write_whole(b, q->rows_of_person);
        dosi_buffer_text(b, " rows");
        break;
    case TABLE_BY_CELLS:
        write_whole(b, item->max_cells);
        dosi_buffer_text(b, " cells, ");
        write_whole(b, item->max_per_cell);
        dosi_buffer_text(b, " rows in each");
        break;
    case TABLE_BY_PERSON:
        if (item->term == TABLE_TOTAL) {
            struct exact_grid grid = layout_grid(&q->layout, item->value);
            dosi_buffer_text(b, "a total of ");
            exact_print(b, item->total_lo, &grid);
            dosi_buffer_text(b, "..");
            exact_print(b, item->total_hi, &grid);
        } else {
            dosi_buffer_text(b, "1");
        }
        break;
    }
}

/* For each statistic, the limit of the contribution of one person. */
static dosi_status add_limits(
    struct report_facts *f, const dosi_table_query *q, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    if (q->settings.user == NULL)
        return DOSI_OK;
    for (size_t i = 0; i < q->n_statistics && status == DOSI_OK; i++) {
        const struct table_statistic *s = &q->statistics[i];
        dosi_buffer b = {0};
        write_escaped(&b, s->name);
        dosi_buffer_text(&b, ": ");
        write_item_limit(&b, q, &q->layout.items[s->parts[0].item]);
        dosi_buffer_text(&b, " per person");
        status = add_fact(f, FACT_LIMITS, &b, err);
    }
    return status;
}

/* ---- The whole --------------------------------------------------------- */

static dosi_status add_unit(
    struct report_facts *f, const dosi_table_query *q, dosi_error *err)
{
    dosi_buffer b = {0};
    if (q->settings.user == NULL) {
        dosi_buffer_text(&b, "one row; a person with several rows is protected "
                             "only for each row separately");
    } else {
        dosi_buffer_text(&b, "one person: all rows with one value of ");
        write_escaped(&b, q->settings.user);
        dosi_buffer_text(&b, ", byte for byte");
    }
    return add_fact(f, FACT_UNIT, &b, err);
}

static dosi_status add_assumptions(
    struct report_facts *f, const dosi_table_query *q, dosi_error *err)
{
    static const char *const always[] = {
        "statistics, bounds, grids, cells and limits were chosen without "
        "looking at these data",
        "nobody observes reading time, caches, memory, power or effects on "
        "other users of the machine",
    };
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < q->n_assumptions && status == DOSI_OK; i++)
        status = add_sentence(
            f, FACT_ASSUMED, q->assumptions[i].bytes, err);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (status == DOSI_OK)
            status = add_sentence(f, FACT_ASSUMED, always[i], err);
    return status;
}

static dosi_status set_plan(
    struct report_facts *f, const dosi_table_query *q, dosi_error *err)
{
    const dosi_plan *normal = NULL;
    size_t length;
    f->plan = dosi_plan_retain(q->plan);
    dosi_status status =
        dosi_plan_print(NULL, 0, &length, q->plan, DOSI_FORM_TEXT, err);
    if (status != DOSI_OK)
        return status;
    f->plan_text = malloc(length + 1);
    if (f->plan_text == NULL)
        return dosi_fail_memory(err);
    status = dosi_plan_print(f->plan_text, length + 1, &length, q->plan,
        DOSI_FORM_TEXT, err);
    if (status == DOSI_OK)
        status = dosi_plan_normal(&normal, q->plan, err);
    if (status == DOSI_OK)
        snprintf(f->hash, sizeof f->hash, "%016" PRIx64,
            dosi_plan_hash(normal));
    dosi_plan_free(normal);
    return status;
}

dosi_status report_facts_make(
    struct report_facts *out, const dosi_table_query *q, dosi_error *err)
{
    *out = (struct report_facts){.epsilon = q->epsilon,
        .budget = q->settings.epsilon,
        .delta = q->delta,
        .neighbours = q->settings.neighbours,
        .level = text_copy(q->settings.level, strlen(q->settings.level))};
    if (out->level == NULL)
        return dosi_fail_memory(err);
    dosi_status status = set_plan(out, q, err);
    if (status == DOSI_OK)
        status = add_unit(out, q, err);
    if (status == DOSI_OK)
        status = add_noise_facts(out, q, err);
    if (status == DOSI_OK)
        status = add_bounds(out, q, err);
    if (status == DOSI_OK)
        status = add_limits(out, q, err);
    if (status == DOSI_OK)
        status = add_assumptions(out, q, err);
    return status;
}

void report_facts_free(struct report_facts *f)
{
    for (int i = 0; i < FACT_KINDS; i++) {
        for (size_t j = 0; j < f->lists[i].n; j++)
            free(f->lists[i].texts[j]);
        free(f->lists[i].texts);
    }
    dosi_plan_free(f->plan);
    free(f->plan_text);
    free(f->level);
    *f = (struct report_facts){0};
}
