/*
 * The tables of habits, and the errors that read them.
 */
#include "habits.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "argument_units.h"

/* Whether the name, in either case, is one of the words between blanks. */
static bool is_one_of(const lexer *name, const char *words)
{
    char word[32];
    while (*words != '\0') {
        size_t n = strcspn(words, " ");
        if (n < sizeof word) {
            memcpy(word, words, n);
            word[n] = '\0';
            if (dosi_lex_is(name, word))
                return true;
        }
        words += n + (words[n] == ' ');
    }
    return false;
}

/* ---- Characters -------------------------------------------------------- */

static const struct {
    const char *bytes, *name, *meant;
} characters[] = {
    {"\u2212", "U+2212", "-"},
    {"\u2010", "U+2010", "-"},
    {"\u2011", "U+2011", "-"},
    {"\u2012", "U+2012", "-"},
    {"\u2013", "U+2013", "-"},
    {"\u2014", "U+2014", "-"},
    {"\u00d7", "U+00D7", "*"},
    {"\u00b7", "U+00B7", "*"},
    {"\u22c5", "U+22C5", "*"},
    {"\u2217", "U+2217", "*"},
    {"\u2062", "U+2062", "*"},
    {"\u00f7", "U+00F7", "/"},
    {"\u2044", "U+2044", "/"},
    {"\u2215", "U+2215", "/"},
    {"\uff0b", "U+FF0B", "+"},
    {"\u2295", "U+2295", "+"},
    {"\u2018", "U+2018", "\""},
    {"\u2019", "U+2019", "\""},
    {"\u201a", "U+201A", "\""},
    {"\u201c", "U+201C", "\""},
    {"\u201d", "U+201D", "\""},
    {"\u201e", "U+201E", "\""},
    {"\u00ab", "U+00AB", "\""},
    {"\u00bb", "U+00BB", "\""},
    {"\u00a0", "U+00A0", "a blank"},
    {"\u2009", "U+2009", "a blank"},
    {"\u202f", "U+202F", "a blank"},
    {"\u200b", "U+200B", "nothing"},
    {"\ufeff", "U+FEFF", "nothing"},
    {"\uff08", "U+FF08", "("},
    {"\uff09", "U+FF09", ")"},
    {"\uff0c", "U+FF0C", ","},
    {"\u03b5", "U+03B5", "epsilon"},
    {"\u03f5", "U+03F5", "epsilon"},
    {"\u03b4", "U+03B4", "delta"},
    {"\u03c3", "U+03C3", "sigma"},
    {"\u03bc", "U+03BC", "mu"},
    {"\u00b5", "U+00B5", "mu"},
    {"\u03c1", "U+03C1", "rho"},
    {"\u03b1", "U+03B1", "order"},
    {"\u03bb", "U+03BB", "scale or order"},
    {"\u03be", "U+03BE", "xi"},
    {"\u0394", "U+0394", "sensitivity"},
    {"\u221e", "U+221E", "inf"},
    {"\u00bd", "U+00BD", "1/2"},
    {"\u00bc", "U+00BC", "1/4"},
    {"%", "'%'", "a percentage as a ratio, 1/100"},
    {"^", "'^'", "1e-5 for a power of ten, M * 3 for repetition"},
    {";", "';'", "+ between parts, a comma between arguments"},
    {"&", "'&'", "+"},
    {"|", "'|'", "+"},
    {"'", "\"'\"", "\""},
    {"`", "'`'", "\""},
    {"{", "'{'", "("},
    {"}", "'}'", ")"},
    {"<", "'<'", "= behind the name of an argument"},
    {">", "'>'", "= behind the name of an argument"},
    {"$", "'$'", "the number itself"},
    {"!", "'!'", "nothing"},
};

const char *dosi_habit_behind_digits(const char *text, size_t n, size_t rest)
{
    static const char minus[] = "\u2212", dash[] = "\u2013";
    if (memchr(text, '_', n) != NULL)
        return "; digits are not grouped";
    if (rest - n >= 3 && (memcmp(text + n, minus, 3) == 0 ||
                             memcmp(text + n, dash, 3) == 0))
        return "; write - for the sign behind it";
    return "";
}

dosi_status dosi_habit_fail_byte(const lexer *lex, dosi_error *err)
{
    const char *at = lex->text + lex->at;
    size_t rest = lex->n - lex->at;
    unsigned char c = (unsigned char)*at;
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        size_t n = strlen(characters[i].bytes);
        if (n <= rest && memcmp(at, characters[i].bytes, n) == 0)
            return dosi_fail_at(err, DOSI_ESYNTAX, lex->at,
                "unexpected character %s; write %s", characters[i].name,
                characters[i].meant);
    }
    if (c >= 0x20 && c < 0x7f)
        return dosi_fail_at(
            err, DOSI_ESYNTAX, lex->at, "unexpected character '%c'", c);
    return dosi_fail_at(err, DOSI_ESYNTAX, lex->at,
        "unexpected byte 0x%02x: plans are written in ASCII, except labels and "
        "comments",
        c);
}

/* ---- Kinds ------------------------------------------------------------- */

/* Samplers that are known, but not by a theorem. */
static const struct {
    const char *name, *batches, *condition;
} not_amplified[] = {
    {"shuffle", "shuffled", "a removed record leaves its slot empty"},
    {"shuffled", "shuffled", "a removed record leaves its slot empty"},
    {"truncated", "truncated", "it is also stated for a record replaced"},
    {"truncated_poisson", "truncated",
        "it is also stated for a record replaced"},
};

/* The last argument of the call whose name is the token, as it is written:
 * what is run on the batches. Its length, or 0. */
static size_t last_argument(const char **out, const lexer *name)
{
    const char *end = name->text + name->n;
    const char *at = name->text + name->at + name->length;
    int depth = 0;
    *out = at;
    for (; at < end; at++) {
        if (*at == '(' || *at == '[')
            depth++;
        if (*at == ')' || *at == ']')
            depth--;
        if (depth == 0)
            break; /* its end, or there is no call */
        if (depth == 1 && (*at == '(' || *at == ',' || *at == ' ') &&
            (*at != ' ' || *out == at))
            *out = at + 1;
    }
    return at < end && *at == ')' ? (size_t)(at - *out) : 0;
}

static dosi_status fail_not_amplified(
    const lexer *name, const char *found, size_t row, dosi_error *err)
{
    const char *base;
    size_t n = last_argument(&base, name);
    if (n == 0 || n > 60) {
        base = "the base mechanism";
        n = strlen(base);
    }
    return dosi_fail_at(err, DOSI_EUNSUPPORTED, name->at,
        "%s: no amplification theorem for %s batches is implemented here; %.*s "
        "bounds it without amplification, if %s",
        found, not_amplified[row].batches, (int)n, base,
        not_amplified[row].condition);
}

static const struct {
    const char *words, *meant;
} kinds[] = {
    {"normal gauss gaussian_mechanism gaussian_noise gaussianmechanism awgn "
     "gaussiandpevent",
        "gaussian"},
    {"lap laplacian laplace_mechanism laplacemechanism laplacedpevent",
        "laplace"},
    {"geometric geom two_sided_geometric dlap discretelaplace "
     "geometric_mechanism double_geometric",
        "discrete_laplace"},
    {"dgauss discretegaussian gaussian_discrete integer_gaussian",
        "discrete_gaussian"},
    {"randomized_response randomised_response randomizedresponse krr warner "
     "randomised randomized",
        "rr"},
    {"exp expmech exponential_mechanism em choice", "exponential"},
    {"epsilon eps epsilon_dp eps_dp puredp pure_dp dp", "pure"},
    {"epsilon_delta eps_delta approximate approximate_dp approxdp adp",
        "approx"},
    {"cdp rho concentrated", "zcdp"},
    {"rdp renyi_dp", "renyi"},
    {"mu mu_gdp fdp gaussian_dp", "gdp"},
    {"subsample subsampled sample sampled poisson_sample poisson_subsample "
     "poisson_sampling poissonsampled poisson_sampled bernoulli amplify",
        "poisson"},
    {"wor fixed_size fixed_batch sampledwithoutreplacement without",
        "without_replacement"},
    {"wr sampledwithreplacement", "with_replacement"},
    {"none nodp non_private no_privacy infinite", "nonprivate"},
    {"pld privacy_loss losses privacy_loss_distribution", "loss"},
};

/* Words that another name does not replace. */
static const struct {
    const char *words, *hint;
} phrases[] = {
    {"sgd dpsgd dp_sgd noisysgd dpadam dp_adam adam",
        "write poisson(rate, gaussian(sigma)) * steps, or use the command sgd"},
    {"composition composed sum add", "write A + B"},
    {"loop self_composed selfcomposed selfcompose times power",
        "write M * count"},
    {"noop nothing no_op", "write pure(0)"},
};

/* A kind of the table in other letters, or NULL. */
static const char *in_other_letters(const lexer *name)
{
    for (int i = 0; i < DOSI_KIND_COUNT; i++) {
        const kind_row *row = dosi_kind_row((dosi_kind)i);
        if (row->infix == NULL && dosi_lex_is(name, row->name))
            return row->name;
    }
    return NULL;
}

dosi_status dosi_habit_fail_kind(const lexer *name, dosi_error *err)
{
    char found[LEX_FOUND_BYTES];
    const char *meant = in_other_letters(name);
    dosi_lex_found(name, found);
    for (size_t i = 0; i < sizeof not_amplified / sizeof *not_amplified; i++)
        if (dosi_lex_is(name, not_amplified[i].name))
            return fail_not_amplified(name, found, i, err);
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
        if (is_one_of(name, phrases[i].words))
            return dosi_fail_at(err, DOSI_EINVAL, name->at,
                "unknown kind %s; %s", found, phrases[i].hint);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (meant == NULL && is_one_of(name, kinds[i].words))
            meant = kinds[i].meant;
    if (meant == NULL)
        meant = dosi_kind_nearest(name->text + name->at, name->length);
    if (meant != NULL)
        return dosi_fail_at(err, DOSI_EINVAL, name->at,
            "unknown kind %s; did you mean '%s'?", found, meant);
    return dosi_fail_at(err, DOSI_EINVAL, name->at, "unknown kind %s", found);
}

/* ---- Arguments --------------------------------------------------------- */

static_assert(DOSI_KIND_COUNT <= 32, "kinds are bits of an unsigned");

#define ONLY(kind) (1u << DOSI_##kind)
#define ANY (~0u)
#define SAMPLERS (ONLY(WITHOUT_REPLACEMENT) | ONLY(WITH_REPLACEMENT))
#define INTEGER (ONLY(DISCRETE_GAUSSIAN) | ONLY(DISCRETE_LAPLACE))

/* The first row that fits; meant is a parameter, hint a phrase. */
static const struct {
    unsigned kinds;
    const char *words, *meant, *hint;
} arguments[] = {
    {ONLY(GAUSSIAN), "stddev std_dev sd standard_deviation noise_std scale",
        NULL, "write gaussian(std=S, sensitivity=D)"},
    {ONLY(GAUSSIAN) | ONLY(LAPLACE),
        "sens delta_f l1 l2 l1_sensitivity l2_sensitivity clip clip_norm "
        "l2_norm_clip max_grad_norm c",
        "sensitivity", NULL},
    {ONLY(GAUSSIAN) | ONLY(DISCRETE_GAUSSIAN),
        "s z nm noise multiplier noise_scale noisemultiplier std stddev scale",
        "sigma", NULL},
    {ONLY(GAUSSIAN) | ONLY(DISCRETE_GAUSSIAN), "epsilon eps delta mu", NULL,
        "write (?), and let calibrate find sigma"},
    {ONLY(LAPLACE) | ONLY(DISCRETE_LAPLACE),
        "sigma std stddev standard_deviation", NULL,
        "write scale, which is std / sqrt(2) of Laplace noise"},
    {ONLY(LAPLACE) | ONLY(DISCRETE_LAPLACE), "b lambda beta noise s",
        "scale", NULL},
    {INTEGER, "sensitivity sens delta_f", NULL,
        "write group(sensitivity, M)"},
    {ONLY(POISSON),
        "q p gamma prob probability sampling_rate fraction ratio "
        "sampling_ratio subsampling_rate",
        "rate", NULL},
    {ONLY(POISSON),
        "batch batch_size batchsize b m population n size dataset_size lot",
        NULL, "write rate=batch/population"},
    {SAMPLERS, "n size dataset_size examples source_dataset_size num_examples",
        "population", NULL},
    {SAMPLERS, "m k b batch_size batchsize sample_size lot", "batch", NULL},
    {SAMPLERS, "q p rate sample_rate", NULL, "write batch and population"},
    {ONLY(RANDOMIZED_RESPONSE), "p prob probability", NULL,
        "of a true answer with probability p of two, epsilon is log(p/(1-p))"},
    {ONLY(RANDOMIZED_RESPONSE), "k n num_buckets buckets domain", "categories",
        NULL},
    {ONLY(RENYI), "alpha lambda a", "order", NULL},
    {ONLY(RENYI), "rho rdp divergence", "epsilon", NULL},
    {ONLY(GDP), "sigma", NULL, "write gaussian(sigma)"},
    {ONLY(GROUP), "k n group_size", "size", NULL},
    {ANY, "eps e", "epsilon", NULL},
    {ANY, "d", "delta", NULL},
    {ANY,
        "steps t count times repeat repetitions num_steps compositions epochs "
        "n_steps iterations rounds",
        NULL, "repetition is written M * count"},
    {ANY, "base mechanism event inner m noise", "of", NULL},
};

/* Whether the kind has what a row of arguments points to. */
static bool has_argument(dosi_kind kind, const char *meant)
{
    const kind_row *row = dosi_kind_row(kind);
    if (meant == NULL ||
        dosi_unit_find(kind, meant, strlen(meant)) < UNIT_COUNT)
        return true;
    if (strcmp(meant, "of") == 0)
        return row->n_children > 0;
    return dosi_kind_find_parameter(row, meant, strlen(meant)) <
               row->n_parameters;
}

dosi_status dosi_habit_fail_argument(
    const lexer *name, dosi_kind kind, dosi_error *err)
{
    const kind_row *row = dosi_kind_row(kind);
    const char *nearest =
        dosi_kind_nearest_parameter(row, name->text + name->at, name->length);
    char found[LEX_FOUND_BYTES];
    dosi_lex_found(name, found);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        if (!(arguments[i].kinds & 1u << kind) ||
            !has_argument(kind, arguments[i].meant) ||
            !is_one_of(name, arguments[i].words))
            continue;
        nearest = arguments[i].meant;
        if (nearest == NULL)
            return dosi_fail_at(err, DOSI_EINVAL, name->at,
                "%s: unknown argument %s; %s", row->name, found,
                arguments[i].hint);
        break;
    }
    if (nearest != NULL)
        return dosi_fail_at(err, DOSI_EINVAL, name->at,
            "%s: unknown argument %s; did you mean '%s'?", row->name, found,
            nearest);
    return dosi_fail_at(err, DOSI_EINVAL, name->at,
        "%s: unknown argument %s", row->name, found);
}

/* ---- Numbers, and what stands behind a part ----------------------------- */

dosi_status dosi_habit_fail_number(const lexer *lex, const char *whose,
    const char *what, dosi_error *err)
{
    char found[LEX_FOUND_BYTES];
    dosi_lex_found(lex, found);
    return dosi_fail_at(err, DOSI_ESYNTAX, lex->at,
        "%s: %s must be a number, found %s%s", whose, what, found,
        lex->token == TOKEN_STRING ? "; numbers have no quotes" : "");
}

const char *dosi_habit_comma(const lexer *lex)
{
    size_t i = lex->at;
    bool is_decimal = lex->token == TOKEN_NUMBER && i > 1 &&
                      lex->text[i - 1] == ',' && lex->text[i - 2] >= '0' &&
                      lex->text[i - 2] <= '9';
    return is_decimal ? "; the decimal sign is a point" : "";
}

dosi_status dosi_habit_fail_behind(
    const lexer *lex, const char *expected, dosi_error *err)
{
    static const struct {
        const char *words, *hint;
    } signs[] = {
        {"x times mal", "; repetition is written *"},
        {"and plus then", "; parts are joined by +"},
    };
    char found[LEX_FOUND_BYTES];
    const char *hint = "";
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (lex->token == TOKEN_NAME && is_one_of(lex, signs[i].words))
            hint = signs[i].hint;
    if (lex->token == TOKEN_NAME && lex->length > 1 &&
        (lex->text[lex->at] == 'x' || lex->text[lex->at] == 'X') &&
        lex->text[lex->at + 1] >= '0' && lex->text[lex->at + 1] <= '9')
        hint = signs[0].hint; /* "x3" */
    if (lex->token == TOKEN_COMMA && lex->at + 1 < lex->n &&
        lex->text[lex->at + 1] >= '0' && lex->text[lex->at + 1] <= '9')
        hint = "; digits are not grouped, and the decimal sign is a point";
    else if (lex->token == TOKEN_COMMA)
        hint = "; parts are joined by +";
    if (lex->token == TOKEN_OVER)
        hint = "; a plan cannot be divided";
    return dosi_fail_at(err, DOSI_ESYNTAX, lex->at, "expected %s, found %s%s",
        expected, dosi_lex_found(lex, found), hint);
}
