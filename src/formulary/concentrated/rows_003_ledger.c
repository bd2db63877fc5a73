/*
 * A mixed ledger: Gaussian, pure and approximate releases in one account of
 * approximate zCDP.
 */
#include <string.h>

#include "formulary/line_args.h"
#include "num/decimal.h"
#include "renyi/composition_theorems.h"
#include "renyi/zcdp.h"

/* Reads as "COUNTxTAIL|COUNTxTAIL", where TAIL is made of literal pieces and
 * numbers. */
typedef struct reader {
    const char *text;
    size_t n;
    bool failed;
} reader;

static double read_value(reader *r)
{
    double x = 0;
    size_t used = 0;
    if (r->failed || !decimal_read(&x, r->text, r->n, &used) || !isfinite(x)) {
        r->failed = true;
        return 0;
    }
    r->text += used;
    r->n -= used;
    return x;
}

static void read_word(reader *r, const char *word)
{
    size_t n = strlen(word);
    if (r->failed || r->n < n || memcmp(r->text, word, n) != 0) {
        r->failed = true;
        return;
    }
    r->text += n;
    r->n -= n;
}

/* The bar before a next entry; false at the end. */
static bool read_more(reader *r)
{
    if (r->failed || r->n == 0)
        return false;
    read_word(r, "|");
    return !r->failed;
}

static double read_count(reader *r)
{
    double count = read_value(r);
    if (!(count >= 0 && count <= 0x1p53 && floor(count) == count))
        r->failed = true;
    read_word(r, "x");
    return count;
}

static double read_bounded(reader *r, double low, double high)
{
    double x = read_value(r);
    if (!(x >= low && x <= high))
        r->failed = true;
    return x;
}

typedef struct ledger {
    cdp_line line;
    ball log_keep;
} ledger;

static void add_rho(ledger *l, double count, ball rho)
{
    l->line.rho = ball_add(l->line.rho, ball_mul_d(rho, count));
}

static dosi_status refuse(
    const char *name, const char *form, const reader *whole, dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL, "%s reads as %s, got '%.*s'", name, form,
        whole->n > 60 ? 60 : (int)whole->n, whole->text);
}

static dosi_status ledger_read(
    ledger *l, const formula_args *args, dosi_error *err)
{
    *l = (ledger){{ball_of(0), ball_of(0)}, ball_of(0)};
    reader r = {.failed = false};
    r.text = formula_text(args, "gauss", &r.n);
    reader whole = r;
    do {
        double count = read_count(&r);
        read_word(&r, "sigma");
        ball sigma = ball_of(read_bounded(&r, DBL_MIN, DBL_MAX));
        add_rho(l, count, zcdp_of_gaussian(ball_of(1), sigma));
    } while (read_more(&r));
    if (r.failed)
        return refuse("gauss", "COUNTxsigmaSIGMA", &whole, err);
    r.text = formula_text(args, "pure", &r.n);
    whole = r;
    do {
        double count = read_count(&r);
        ball eps = ball_of(read_bounded(&r, 0, DBL_MAX));
        add_rho(l, count, zcdp_of_pure(eps));
    } while (read_more(&r));
    if (r.failed)
        return refuse("pure", "COUNTxEPS", &whole, err);
    r.text = formula_text(args, "approx", &r.n);
    whole = r;
    do {
        double count = read_count(&r);
        read_word(&r, "(");
        ball eps = ball_of(read_bounded(&r, 0, DBL_MAX));
        read_word(&r, ":");
        double delta = read_bounded(&r, 0, 1);
        read_word(&r, ")");
        add_rho(l, count, zcdp_of_pure(eps));
        if (!(delta < 1))
            r.failed = true;
        else
            l->log_keep = ball_add(
                l->log_keep, ball_mul_d(ball_log1p(ball_of(-delta)), count));
    } while (read_more(&r));
    if (r.failed)
        return refuse("approx", "COUNTx(EPS:DELTA)", &whole, err);
    return DOSI_OK;
}

/* Defines a row of one expression in l, the ledger. */
#define LEDGER_INTERVAL(function, expression)                                  \
    FORMULA(function)                                                          \
    {                                                                          \
        ledger l;                                                              \
        dosi_status status = ledger_read(&l, args, err);                       \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        return formula_give_interval(out, (expression), err);                  \
    }

LEDGER_INTERVAL(ledger_rho, ball_interval(l.line.rho))
LEDGER_INTERVAL(ledger_delta, within(ball_neg(ball_expm1(l.log_keep)), 0, 1))

static dosi_status ledger_epsilon(dosi_interval *out, cdp_rule rule,
    const formula_args *args, dosi_error *err)
{
    ledger l;
    dosi_status status = ledger_read(&l, args, err);
    if (status != DOSI_OK)
        return status;
    /* (deltatotal - delta) / (1 - delta) =
     * 1 - e^(log(1 - deltatotal) - log(1 - delta)) */
    ball target = ARG("deltatotal");
    ball gap = ball_sub(ball_log1p(ball_neg(target)), l.log_keep);
    if (ball_is_zero(l.log_keep))
        return formula_give(
            out, cdp_epsilon(rule, l.line, ball_log(target)), err);
    if (!ball_is_negative(gap))
        return formula_domain(err,
            "infeasible: needs deltatotal > delta, got deltatotal = %.17g, "
            "delta = %.17g",
            target.hi, -expm1(ball_mid(l.log_keep)));
    ball left = ball_neg(ball_expm1(gap));
    return formula_give(out, cdp_epsilon(rule, l.line, ball_log(left)), err);
}

FORMULA(ledger_epsilon_algebraic)
{
    return ledger_epsilon(out, CDP_ALGEBRAIC, args, err);
}

FORMULA(ledger_epsilon_sharp)
{
    return ledger_epsilon(out, CDP_SHARP, args, err);
}
