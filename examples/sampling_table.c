/*
 * sampling_table [MECHANISM N M EPSILON]: what a batch of m out of n records
 * does to a mechanism, by sampler and relation, as CSV: the total variation
 * of the samplings and delta at epsilon, rounded up. MECHANISM is written as
 * in the formulary: mech=gauss;theta=0.5
 */
#include <stdio.h>
#include <string.h>

#include <dosimeter.h>

static const struct line {
    const char *theorem, *sampler, *base, *whole;
    const char *rate; /* row of n and m */
    const char *more; /* parameters besides n and m */
} lines[] = {
    {"T004-8", "Poisson", "remove/add", "remove/add", "T004-TAB1.eta_wor", ""},
    {"T004-9", "without replacement", "substitute", "substitute",
        "T004-TAB1.eta_wor", ""},
    {"T004-10", "with replacement", "substitute", "substitute",
        "T004-TAB1.eta_wr", ";group=white"},
    {"T004-11", "with replacement", "substitute", "remove/add",
        "T004-TAB1.eta_wr", ";group=white"},
};

static int print_line(
    const struct line *line, char *const *arguments, dosi_error *err)
{
    char size[128], text[512], row[64];
    char rate_text[DOSI_NUMBER_BYTES], delta_text[DOSI_NUMBER_BYTES];
    dosi_interval rate, delta;
    snprintf(size, sizeof size, "n=%s;m=%s", arguments[1], arguments[2]);
    if (dosi_formula_eval(&rate, line->rate, size, err))
        return 1;
    if (strcmp(line->theorem, "T004-8") == 0) /* by its rate, rounded up */
        snprintf(size, sizeof size, "gamma=%.17g", rate.hi);
    snprintf(row, sizeof row, "%s.delta_at", line->theorem);
    snprintf(text, sizeof text, "%s;%s%s;epsp=%s", arguments[0], size,
        line->more, arguments[3]);
    if (dosi_formula_eval(&delta, row, text, err))
        return 1;
    dosi_print_upper(rate_text, rate.hi, 6);
    dosi_print_upper(delta_text, delta.hi, 6);
    printf("%s,%s,%s,%s,%s,%s\n", line->theorem, line->sampler, line->base,
        line->whole, rate_text, delta_text);
    return 0;
}

int main(int n_arguments, char **arguments)
{
    char mech[] = "mech=gauss;theta=0.5", n[] = "60000", m[] = "256",
         eps[] = "0.1";
    char *const defaults[] = {mech, n, m, eps};
    dosi_error err;
    puts("theorem,sampler,base,whole,eta,delta");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (print_line(
                &lines[i], n_arguments > 4 ? arguments + 1 : defaults, &err)) {
            fprintf(stderr, "%s\n", err.message);
            return 1;
        }
    return 0;
}
