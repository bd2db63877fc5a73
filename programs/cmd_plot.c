/*
 * dosimeter plot: curves of one plan or several as SVG, or their points as
 * CSV or JSON.
 */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options ---------------------------------------------------------------
 */

static int read_kind(enum curve_kind *out, const struct cli_arguments *args)
{
    const char *word = cli_value(args, OPTION_KIND);

    *out = CURVE_PROFILE;
    for (int i = 0; word != NULL && i < CURVE_KINDS; i++)
        if (strcmp(word, curve_kinds[i].name) == 0) {
            *out = (enum curve_kind)i;
            return CLI_YES;
        }
    return word == NULL
               ? CLI_YES
               : cli_usage(args,
                     "--kind is profile, tradeoff, roc, renyi, steps or noise, "
                     "got \"%s\"",
                     word);
}

static int read_scale(struct curve_plot *plot, const struct cli_arguments *args)
{
    const char *word = cli_value(args, OPTION_SCALE);

    if (word == NULL)
        return CLI_YES;
    bool is_log = strcmp(word, "log") == 0;
    if (!is_log && strcmp(word, "linear") != 0)
        return cli_usage(args, "--scale is linear or log, got \"%s\"", word);
    plot->x_is_log = is_log;
    plot->y_is_log = is_log;
    return CLI_YES;
}

static int read_delta(struct curve_plot *plot, const struct cli_arguments *args)
{
    size_t n = 0;

    for (size_t i = 0; i < args->n_given; i++) {
        const struct cli_given *given = &args->given[i];
        if (given->option != OPTION_DELTA)
            continue;
        if (n++ > 0)
            return cli_usage(args, "--delta is given twice");
        int status = cli_number(&plot->delta, args, given);
        if (status != CLI_YES)
            return status;
        if (!(plot->delta > 0 && plot->delta < 1))
            return cli_usage(args,
                "--delta must be greater than 0 and less than 1, got \"%s\"",
                given->value);
    }
    if (n == 0 && curve_kinds[plot->kind].needs_delta)
        return cli_usage(args, "--kind %s needs the --delta of its epsilon",
            curve_kinds[plot->kind].name);
    return CLI_YES;
}

static int read_plot(struct curve_plot *plot, const struct cli_arguments *args)
{
    enum curve_kind kind;
    long n_points;

    int status = read_kind(&kind, args);
    if (status != CLI_YES)
        return status;
    *plot = curves_init(kind);
    status = read_scale(plot, args);
    if (status == CLI_YES)
        status = read_delta(plot, args);
    if (status == CLI_YES)
        status = cli_positive(&plot->from, args, OPTION_FROM);
    if (status == CLI_YES)
        status = cli_positive(&plot->to, args, OPTION_TO);
    if (status == CLI_YES)
        status = cli_whole(&n_points, args, OPTION_POINTS, 2, 10000, 101);
    if (status != CLI_YES)
        return status;
    plot->n_points = (size_t)n_points;
    plot->title = cli_value(args, OPTION_TITLE);
    return CLI_YES;
}

/* ---- Writing ---------------------------------------------------------------
 */

static void write_csv_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void write_csv(FILE *out, const struct curve_plot *plot)
{
    char x[DOSI_NUMBER_BYTES], low[DOSI_NUMBER_BYTES], high[DOSI_NUMBER_BYTES];

    fprintf(out, "plan,%s,lower,upper\n", curves_x_name(plot));
    for (size_t i = 0; i < plot->n_curves; i++) {
        const struct curve *c = &plot->curves[i];
        for (size_t j = 0; j < c->n; j++) {
            dosi_print_exact(x, c->x[j]);
            dosi_print_lower(low, c->low[j], 17);
            dosi_print_upper(high, c->high[j], 17);
            write_csv_text(out, c->source.label);
            fprintf(out, ",%s,%s,%s\n", x, low, high);
        }
    }
}

static void write_json_curve(const struct curve_plot *plot, size_t index)
{
    const struct curve *c = &plot->curves[index];

    fputs(index > 0 ? ",\n{" : "{", stdout);
    cli_json_text("plan", c->source.label, true);
    cli_json_text("neighbours", cli_neighbours_name(c->neighbours), false);
    cli_json_key("points", false);
    putchar('[');
    for (size_t i = 0; i < c->n; i++) {
        fputs(i > 0 ? ",\n{" : "\n{", stdout);
        cli_json_key(curves_x_name(plot), true);
        cli_json_number(c->x[i]);
        cli_json_key("lower", false);
        cli_json_number(c->low[i]);
        cli_json_key("upper", false);
        cli_json_number(c->high[i]);
        putchar('}');
    }
    fputs("]}", stdout);
}

static void write_json(const struct curve_plot *plot)
{
    putchar('{');
    cli_json_text("kind", curve_kinds[plot->kind].name, true);
    cli_json_text("value", curve_kinds[plot->kind].y_name, false);
    if (plot->delta > 0) {
        cli_json_key("delta", false);
        cli_json_number(plot->delta);
    }
    cli_json_key("curves", false);
    putchar('[');
    for (size_t i = 0; i < plot->n_curves; i++)
        write_json_curve(plot, i);
    puts("]}");
}

static int write_plot(
    const struct curve_plot *plot, const struct cli_arguments *args)
{
    struct cli_output output;

    if (cli_has(args, OPTION_JSON)) {
        write_json(plot);
        return CLI_YES;
    }
    int status = cli_output_open(&output, cli_value(args, OPTION_OUTPUT));
    if (status != CLI_YES)
        return status;
    if (cli_has(args, OPTION_CSV))
        write_csv(output.stream, plot);
    else
        curves_write_svg(output.stream, plot, NULL);
    return cli_output_close(&output, CLI_YES);
}

/* ---- The command -----------------------------------------------------------
 */

struct plotting {
    struct cli_plan plans[SVG_STYLES];
    char *labels[SVG_STYLES];
    char *routes; /* the value of --route, in parts */
};

static int add_plans(struct plotting *p, struct curve_plot *plot,
    const struct cli_arguments *args)
{
    int status = CLI_YES;

    for (size_t i = 0; i < args->n_operands && status == CLI_YES; i++) {
        status = cli_plan_read(&p->plans[i], args, args->operands[i]);
        if (status != CLI_YES)
            break;
        p->labels[i] = cli_plan_label(&p->plans[i], args->operands[i]);
        status = p->labels[i] == NULL
                     ? cli_no_memory()
                     : curves_add(plot, args, p->plans[i].plan, p->labels[i]);
    }
    return status;
}

/* The curves of others, whose labels are in the text. */
static int add_overlay(struct curve_plot *plot, struct cli_plan *text,
    const struct cli_arguments *args)
{
    const char *path = cli_value(args, OPTION_OVERLAY);

    if (path == NULL)
        return CLI_YES;
    int status = cli_file_read(text, path);
    return status == CLI_YES ? curves_overlay(plot, args, text->text) : status;
}

/* The one plan by every route of a list a,b,c. */
static int add_routes(struct plotting *p, struct curve_plot *plot,
    const struct cli_arguments *args)
{
    size_t n = 0;

    if (args->n_operands > 1)
        return cli_usage(args, "several routes take one plan");
    int status = cli_plan_read(&p->plans[0], args, args->operands[0]);
    char *name = status == CLI_YES
                     ? cli_plan_label(&p->plans[0], args->operands[0])
                     : NULL;
    for (char *rest = p->routes; rest != NULL && status == CLI_YES; n++) {
        char *route = rest;
        size_t length = strcspn(route, ",");
        rest = route[length] == ',' ? route + length + 1 : NULL;
        route[length] = '\0';
        if (n == SVG_STYLES)
            status = cli_usage(args, "at most %d routes", SVG_STYLES);
        size_t size = length + (name != NULL ? strlen(name) : 0) + 3;
        char *label = name != NULL && n < SVG_STYLES ? malloc(size) : NULL;
        if (status == CLI_YES && label == NULL)
            status = cli_no_memory();
        if (status != CLI_YES)
            break;
        snprintf(label, size, "%s: %s", route, name);
        p->labels[n] = label;
        status = curves_add(plot, args, p->plans[0].plan, label);
        plot->curves[n].source.route = route;
    }
    free(name);
    return status;
}

static int add_curves(struct plotting *p, struct curve_plot *plot,
    const struct cli_arguments *args, struct cli_asking *how)
{
    const char *route = how->options.route;

    if (route == NULL || strchr(route, ',') == NULL)
        return add_plans(p, plot, args);
    size_t size = strlen(route) + 1;
    p->routes = malloc(size);
    if (p->routes == NULL)
        return cli_no_memory();
    memcpy(p->routes, route, size);
    how->options.route = NULL;
    return add_routes(p, plot, args);
}

static int plot_plans(struct curve_plot *plot, const struct cli_arguments *args,
    struct cli_asking *how)
{
    struct plotting p = {0};
    struct cli_plan overlay = {0};

    int status = add_curves(&p, plot, args, how);
    if (status == CLI_YES)
        status = curves_make(plot, args, how);
    if (status == CLI_YES && !curves_say_something(plot)) {
        cli_say("no point of the curve has a finite value");
        status = CLI_UNABLE;
    }
    if (status == CLI_YES && plot->is_spent)
        cli_say("the work for a curve was spent: %s; a time limit allows more",
            plot->is_bounded ? "some points have wider bounds"
                             : "it has fewer points");
    if (status == CLI_YES && plot->is_cut)
        cli_say("the time limit was reached: curves have fewer points");
    if (status == CLI_YES)
        status = add_overlay(plot, &overlay, args);
    if (status == CLI_YES)
        status = write_plot(plot, args);
    curves_free(plot);
    cli_plan_free(&overlay);
    for (size_t i = 0; i < SVG_STYLES; i++) {
        cli_plan_free(&p.plans[i]);
        free(p.labels[i]);
    }
    free(p.routes);
    return status;
}

int cli_plot(const struct cli_arguments *args)
{
    struct curve_plot plot;
    struct cli_asking how;

    if (cli_has(args, OPTION_OVERLAY) &&
        (cli_has(args, OPTION_CSV) || cli_has(args, OPTION_JSON)))
        return cli_usage(args,
            "--overlay draws into a picture; leave out --csv and --json");
    if (cli_has(args, OPTION_OUTPUT) && cli_has(args, OPTION_JSON))
        return cli_usage(args, "--json is printed; leave out --output");
    int status = cli_has(args, OPTION_CSV)
                     ? cli_output_check(args, "csv", "a .csv file with --csv")
                     : cli_output_check(args, "svg",
                           "a .svg file, or a .csv file with --csv");
    if (status == CLI_YES)
        status = read_plot(&plot, args);
    if (status == CLI_YES)
        status = cli_text_check(args, OPTION_TITLE);
    if (status == CLI_YES)
        status = cli_asking_read(&how, args);
    if (status != CLI_YES)
        return status;
    cli_asking_keep(&how);
    status = plot_plans(&plot, args, &how);
    cli_asking_free(&how);
    return status;
}
