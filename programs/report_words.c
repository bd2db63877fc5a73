/*
 * The words of a report: the sentence on top, probabilities as one in so
 * many, and the command that makes it again. Every number is rounded to the
 * side that claims less protection.
 */
#include "report_page.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* An epsilon above which a factor e^epsilon tells a person nothing. */
#define MOST_FACTOR 7

/* More than a few roundings of doubles make of a number. */
static const double slack = 4e-15;

__attribute__((format(printf, 2, 3))) static void add(
    struct report_words *out, const char *format, ...)
{
    size_t used = strlen(out->text);
    va_list list;

    va_start(list, format);
    vsnprintf(out->text + used, sizeof out->text - used, format, list);
    va_end(list);
}

/* ---- Numbers ---------------------------------------------------------------
 */

/* A whole number, in words from a million on; far above, a power of ten on
 * the side given. */
static void add_count(struct report_words *out, double n, bool up)
{
    static const struct {
        double unit;
        const char *name;
    } names[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};
    char digits[32];

    if (n >= 1e15) {
        add(out, "10^%.0f", up ? ceil(log10(n)) : floor(log10(n)));
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (n >= names[i].unit) {
            double many = n / names[i].unit;
            if (many == 1)
                add(out, "a %s", names[i].name);
            else
                add(out, "%.3g %s", many, names[i].name);
            return;
        }
    int length = snprintf(digits, sizeof digits, "%.0f", n);
    for (int j = 0; j < length; j++)
        add(out, "%c%s", digits[j],
            (length - j) % 3 == 1 && j + 1 < length ? "," : "");
}

/* At most n, of three digits; 1/n rounded down makes the probability larger. */
static double cut(double n)
{
    double unit = fmax(1, pow(10, floor(log10(n)) - 2));

    return floor(n * (1 + slack) / unit) * unit;
}

struct report_words report_odds(double probability)
{
    struct report_words out = {""};

    if (probability > 0.1)
        return report_percent(probability);
    add(&out, "1 in ");
    add_count(&out, cut(fmin(1 / probability, 1e300)), false);
    return out;
}

struct report_words report_percent(double upper)
{
    struct report_words out = {""};
    char digits[DOSI_NUMBER_BYTES];

    /* 100 x rounds, so that the next double above is certainly an upper end */
    dosi_print_upper(digits,
        upper > 0 ? fmin(100, nextafter(100 * upper, HUGE_VAL)) : 0, 3);
    add(&out, "%s %%", digits);
    return out;
}

/* At least e^epsilon, of two digits, or three below 10. */
static struct report_words factor_of(double epsilon)
{
    struct report_words out = {""};
    double factor = exp(epsilon) * (1 + slack);
    char digits[DOSI_NUMBER_BYTES];

    if (factor < 10) {
        dosi_print_upper(digits, factor, 3);
        add(&out, "%s", digits);
    } else {
        double unit = pow(10, floor(log10(factor)) - 1);
        add_count(&out, ceil(factor / unit) * unit, true);
    }
    return out;
}

/*
 * With a false positive rate f, a true positive rate of at most t and a prior
 * p, an alarm is right with probability p t / (p t + (1 - p) f), which
 * increases with t. Six operations round, each by at most 2^-53.
 */
double report_posterior(const struct report *report)
{
    double p = report->statement.risk.prior;
    double true_alarms = p * report->recognised.hi;
    double false_alarms = (1 - p) * REPORT_FALSE_ALARMS;

    if (statement_gives_away(&report->statement))
        return 1; /* other outputs leave no doubt */
    return fmin(1, true_alarms / (true_alarms + false_alarms) * (1 + slack));
}

/* ---- The sentence on top ---------------------------------------------------
 */

struct report_words report_who(const struct report *report)
{
    struct report_words out = {""};
    const char *unit = report->fields.unit;

    if (report->group > 1 && unit != NULL)
        add(&out, "one %s with up to %.0f records", unit, report->group);
    else if (report->group > 1)
        add(&out, "any %.0f records", report->group);
    else
        add(&out, "one %s", unit != NULL ? unit : "record");
    return out;
}

/* "the presence of one person in admissions 2025" */
static void add_subject(struct report_words *out, const struct report *report)
{
    const char *data_set = report->fields.data_set;
    bool replaces = report->epsilon.neighbours == DOSI_REPLACE;

    add(out, "%s %s in %s",
        !replaces                       ? "the presence of"
        : report->fields.unit == NULL ? "the content of"
                                        : "the data of",
        report_who(report).text, data_set != NULL ? data_set : "the data");
}

struct report_words report_guess(const struct report *report)
{
    struct report_words out = {""};
    const char *unit = report->fields.unit;
    bool replaces = report->epsilon.neighbours == DOSI_REPLACE;

    add(&out, "An attacker who knows everything else guesses %s ",
        replaces ? "what" : "whether");
    if (report->group > 1)
        add(&out, "a group of %.0f records", report->group);
    else if (replaces && unit != NULL)
        add(&out, "the record of one %s", unit);
    else
        add(&out, "one %s", unit != NULL ? unit : "record");
    add(&out, " %s. A coin is right in 50\xc2\xa0%%.",
        replaces ? "says" : "is in the data");
    return out;
}

static void say_unprotected(struct report_words *out, const struct report *r)
{
    char delta[DOSI_NUMBER_BYTES];

    dosi_print_exact(delta, r->statement.delta);
    if (statement_gives_away(&r->statement)) {
        add(out, "Nothing is guaranteed: with a probability above δ = %s, the "
                 "results disclose ",
            delta);
        add_subject(out, r);
    } else {
        add(out, "Nothing is guaranteed: no finite ε is certified for ");
        add_subject(out, r);
        add(out, " at δ = %s", delta);
    }
    add(out, ".");
}

static void say_factor(
    struct report_words *out, const struct report *report, double epsilon)
{
    add_subject(out, report);
    if (epsilon == 0)
        add(out, " changes the probability of no result");
    else
        add(out, " makes no result more than %s times as likely or as unlikely",
            factor_of(epsilon).text);
}

/* An epsilon whose factor is no comfort. */
static void say_little(
    struct report_words *out, const struct report *report, double epsilon)
{
    add(out, "this guarantee alone hardly protects ");
    add_subject(out, report);
    if (epsilon < 600)
        add(out, ": a result may become up to %s times as likely or as "
                 "unlikely",
            factor_of(epsilon).text);
}

struct report_words report_headline(const struct report *report)
{
    struct report_words out = {""};
    const struct statement *s = &report->statement;
    char epsilon[DOSI_NUMBER_BYTES], delta[DOSI_NUMBER_BYTES];

    if (statement_is_unprotected(s)) {
        say_unprotected(&out, report);
        return out;
    }
    double value = s->epsilon.value.hi;
    dosi_print_upper(epsilon, value, 3);
    dosi_print_exact(delta, s->delta);
    if (value > MOST_FACTOR) {
        add(&out, "With ε = %s and δ = %s, ", epsilon, delta);
        say_little(&out, report, value);
    } else {
        add(&out, "With ε = %s, ", epsilon);
        say_factor(&out, report, value);
    }
    if (value <= MOST_FACTOR)
        add(&out, ", except with a probability of at most %s (δ = %s)",
            report_odds(s->delta).text, delta);
    add(&out, ".");
    return out;
}

/* ---- Sentences and the command ---------------------------------------------
 */

const char *report_stop(const char *sentence)
{
    size_t n = strlen(sentence);

    return n > 0 && sentence[n - 1] != '.' ? "." : "";
}

/* A word of a command line, in quotes unless it is plain. */
static void write_word(FILE *out, const char *word,
    void (*text)(FILE *out, const char *words))
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./:=+,@%";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        text(out, word);
        return;
    }
    text(out, "'");
    for (size_t left = strlen(word), n = 0; left > 0; word += n, left -= n) {
        char letter[8] = "";
        n = cli_utf8_length(word, left);
        n = n > 0 ? n : 1;
        memcpy(letter, word, n);
        text(out, *word == '\'' ? "'\\''" : letter);
    }
    text(out, "'");
}

void report_command(FILE *out, const struct report *report,
    const char *between, void (*text)(FILE *out, const char *words))
{
    const struct cli_arguments *args = report->args;

    text(out, "dosimeter report ");
    write_word(out, report->label, text);
    for (size_t i = 0; i < args->n_given; i++) {
        const struct cli_given *given = &args->given[i];
        text(out, between);
        text(out, cli_options[given->option].name);
        if (given->value != NULL) {
            text(out, " ");
            write_word(out, given->value, text);
        }
    }
}
