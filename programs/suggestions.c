/*
 * The tables of habits on the command line. The text form has its own, in the
 * library.
 */
#include "suggestions.h"

#include <ctype.h>
#include <string.h>

/* Longer words are not compared. */
#define MOST_LETTERS 32

/* ---- Words -----------------------------------------------------------------
 */

static char folded(char c)
{
    return c == '_' ? '-' : (char)tolower((unsigned char)c);
}

/* Whether one of the words between blanks is the word, in either case, its
 * "_" being "-". */
static bool is_one_of(const char *words, const char *word, size_t length)
{
    while (*words != '\0') {
        size_t n = strcspn(words, " "), i = 0;
        while (n == length && i < n && words[i] == folded(word[i]))
            i++;
        if (n == length && i == n)
            return true;
        words += n + (words[n] == ' ');
    }
    return false;
}

/* Insertions, deletions, replacements and swaps of neighbours between two
 * words (optimal string alignment). */
static size_t distance(const char *a, size_t m, const char *b)
{
    size_t d[MOST_LETTERS + 1][MOST_LETTERS + 1], n = strlen(b);

    if (m > MOST_LETTERS || n > MOST_LETTERS)
        return MOST_LETTERS;
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            size_t best = i + j;
            if (i > 0 && j > 0) {
                best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
                best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
                best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
            }
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    return d[m][n];
}

/* A word that is taken for a name differs in a third of its letters at most. */
static bool is_near(size_t distance_of, const char *name)
{
    return 3 * distance_of <= strlen(name) + 1;
}

/* ---- Commands --------------------------------------------------------------
 */

static const struct {
    const char *words;
    enum cli_command_id command;
} commands[] = {
    {"eps e get-epsilon compute-epsilon privacy spent get-privacy-spent",
        COMMAND_EPSILON},
    {"del d get-delta compute-delta", COMMAND_DELTA},
    {"trade-off fdp f-dp fnr fpr alpha beta type1 type2 roc", COMMAND_TRADEOFF},
    {"rdp renyi-dp moments", COMMAND_RENYI},
    {"cdp rho zcdp-rho concentrated", COMMAND_ZCDP},
    {"mu mu-gdp gaussian-dp", COMMAND_GDP},
    {"attack mia membership advantage inference", COMMAND_RISK},
    {"methods accountants accountant routes vs diff", COMMAND_COMPARE},
    {"calibration solve find search optimize optimise noise sigma fit "
     "get-noise-multiplier get-noise budget inverse",
        COMMAND_CALIBRATE},
    {"verify assert validate prove claim claims test audit", COMMAND_CHECK},
    {"cost costs share shares parts split contributions decompose",
        COMMAND_BREAKDOWN},
    {"scan vary range table gridsearch grid", COMMAND_SWEEP},
    {"dpsgd dp-sgd noisysgd noisy-sgd opacus dpadam training "
     "compute-dp-sgd-privacy compute-dp-sgd-privacy-statement",
        COMMAND_SGD},
    {"fl fedavg dp-fedavg federate", COMMAND_FEDERATED},
    {"fit-model learn", COMMAND_TRAIN},
    {"describe say summary summarize interpret meaning statement",
        COMMAND_EXPLAIN},
    {"graph draw figure curve svg chart", COMMAND_PLOT},
    {"html page document certificate", COMMAND_REPORT},
    {"query statistics stats histogram count sum mean noisy publish anonymize",
        COMMAND_RELEASE},
    {"pld law privacy-loss losses", COMMAND_LOSS},
    {"subsample sampling", COMMAND_SAMPLER},
    {"normal normalize normalise hash parse format print show",
        COMMAND_PLAN},
    {"list mechanisms kind mechanism ls", COMMAND_KINDS},
    {"formulas theorem theorems cite citation formulae", COMMAND_FORMULA},
    {"json questions stdin jsonl serve", COMMAND_BATCH},
    {"ver about", COMMAND_VERSION},
    {"man usage commands ?", COMMAND_HELP},
};

/* The name in other letters, or the nearest one; NULL when none is near. */
static const char *nearest_command(const char *word, size_t length)
{
    const char *best = NULL;
    size_t least = MOST_LETTERS;

    for (int i = 0; i < COMMAND_COUNT; i++) {
        const char *name = cli_commands[i].name;
        size_t d = is_one_of(name, word, length) ? 0
                                                 : distance(word, length, name);
        if (d < least && is_near(d, name)) {
            least = d;
            best = name;
        }
    }
    return best;
}

const char *habit_of_command(char text[HABIT_BYTES], const char *word)
{
    const char *meant = NULL;
    size_t length = strlen(word);

    if (strchr(word, '(') != NULL || word[0] == '@') {
        snprintf(text, HABIT_BYTES,
            "; a plan stands behind a command, as in: dosimeter epsilon PLAN "
            "--delta 1e-6");
        return text;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (meant == NULL && is_one_of(commands[i].words, word, length))
            meant = cli_commands[commands[i].command].name;
    if (meant == NULL)
        meant = nearest_command(word, length);
    if (meant == NULL)
        return "";
    snprintf(text, HABIT_BYTES, "; did you mean \"%s\"?", meant);
    return text;
}

/* ---- Options ---------------------------------------------------------------
 */

#define IN_PLAN \
    "stands in the plan, as in poisson(256/60000, gaussian(1.1)) * 14063"

/* The option of this name, if the command has it; else the hint, if there is
 * one. */
static const struct {
    const char *words, *option, *hint;
} options[] = {
    {"-e --eps --target-epsilon --epsilons --e", "--epsilon", NULL},
    {"-d --target-delta --deltas --del --d", "--delta", NULL},
    {"--sigma --sigmas --noise-multiplier --noise --std --z -z --noise-scale "
     "--noise-std -s --s",
        "--noise", "the noise " IN_PLAN},
    {"--batch-size --batchsize --batch --lot-size --bs -b --b", "--batch",
        "the rate " IN_PLAN},
    {"--per-round --clients-per-round", "--per-round", NULL},
    {"--rate -q --q --sample-rate --sampling-rate --sampling-probability -p",
        "", "the rate stands in the plan, or is --batch of --examples"},
    {"-n --n --dataset-size --num-examples --n-examples --size --population "
     "--samples --num-samples --records --examples",
        "--examples", "the rate " IN_PLAN},
    {"-n --n --num-clients --population --n-clients", "--clients", NULL},
    {"--epoch --num-epochs --n-epochs --epochs", "--epochs",
        "the count " IN_PLAN},
    {"-t --t --iterations --iters --num-steps --n-steps --steps --step",
        "--steps", "the count " IN_PLAN},
    {"-t --t --num-rounds --n-rounds --rounds --round --steps", "--rounds",
        "the count " IN_PLAN},
    {"-c --c --max-grad-norm --clip-norm --l2-norm-clip --clipping "
     "--clipping-norm --clip --sensitivity",
        "--clip",
        "noise is relative to the sensitivity: gaussian(std=S, sensitivity=D)"},
    {"-m --accountant --method --accounting --engine", "--route", NULL},
    {"--adjacency --relation --neighboring --neighbouring --neighbor "
     "--neighbour --neighboring-relation",
        "--neighbours", NULL},
    {"--out --outfile --output-file --file --save --o", "--output", NULL},
    {"--precision --digit --decimals --significant", "--digits", NULL},
    {"-j --threads --cores --workers --parallel --n-jobs --num-workers",
        "--jobs", NULL},
    {"--timeout --max-time --time", "--time-limit", NULL},
    {"--memory --mem --max-mem", "--max-memory", NULL},
    {"--users --n-users --num-users --n", "--people", NULL},
    {"--param --over --grid --range --sweep", "--vary", NULL},
    {"--fpr --type1 --type-1 --significance", "--alpha", NULL},
    {"--fnr --type2 --type-2", "--beta", NULL},
    {"--power", "--beta", NULL},
    {"--lambda -a --moment --orders --alphas --alpha", "--order", NULL},
    {"--seed --random-seed --random-state", "--init-seed",
        "noise has no seed: nobody may be able to draw it again"},
    {"--tolerance --tol --accuracy --eps-error", "--width", NULL},
    {"--table --csv-output", "--csv", NULL},
    {"--plan --mechanism", "--plan", "the plan is an argument, not an option"},
    {"--quiet -q --silent", "--quiet", NULL},
};

static bool has_option(
    enum cli_command_id command, const char *name, size_t length)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (cli_options[i].commands & 1u << command &&
            strlen(cli_options[i].name) == length &&
            strncmp(cli_options[i].name, name, length) == 0)
            return true;
    return false;
}

/* The command's option whose name is nearest, or NULL. */
static const char *nearest_option(
    enum cli_command_id command, const char *word, size_t length)
{
    const char *best = NULL;
    size_t least = MOST_LETTERS;

    for (int i = 0; i < OPTION_COUNT; i++) {
        const char *name = cli_options[i].name;
        size_t d = distance(word, length, name);
        if (cli_options[i].commands & 1u << command && d < least &&
            is_near(d, name + 2)) {
            least = d;
            best = name;
        }
    }
    return best;
}

/* What asks an option of another command that the two often mix up. */
static const struct {
    enum cli_command_id command;
    const char *option, *hint;
} mixed[] = {
    {COMMAND_EPSILON, "--epsilon",
        "dosimeter delta answers at an epsilon, and calibrate meets one"},
    {COMMAND_DELTA, "--delta",
        "dosimeter epsilon answers at a delta, and calibrate meets one"},
};

static const char *mixed_up(enum cli_command_id command, const char *name)
{
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++)
        if (mixed[i].command == command && strcmp(mixed[i].option, name) == 0)
            return mixed[i].hint;
    return NULL;
}

const char *habit_of_option(
    char text[HABIT_BYTES], enum cli_command_id command, const char *word)
{
    const char *meant = NULL, *hint = NULL;
    char dashed[MOST_LETTERS + 2];
    size_t length = strcspn(word, "=");

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *name = options[i].option;
        if (meant != NULL || !is_one_of(options[i].words, word, length))
            continue;
        if (has_option(command, name, strlen(name)))
            meant = name;
        else if (hint == NULL)
            hint = mixed_up(command, name);
        if (meant == NULL && hint == NULL)
            hint = options[i].hint;
    }
    if (meant == NULL && hint == NULL)
        hint = mixed_up(command, word);
    if (length > 2 && length < MOST_LETTERS && word[1] != '-') {
        dashed[0] = '-'; /* "-delta" */
        memcpy(dashed + 1, word, length);
        dashed[length + 1] = '\0';
        if (meant == NULL && has_option(command, dashed, length + 1))
            meant = dashed;
    }
    if (meant == NULL && hint == NULL)
        meant = nearest_option(command, word, length);
    if (meant != NULL)
        snprintf(text, HABIT_BYTES, "; did you mean %s?", meant);
    else if (hint != NULL)
        snprintf(text, HABIT_BYTES, "; %s", hint);
    return meant != NULL || hint != NULL ? text : "";
}

/* ---- Values ----------------------------------------------------------------
 */

const char *habit_of_number(const char *value)
{
    size_t n = strlen(value);

    if (n > 0 && value[n - 1] == '%')
        return "; write a percentage as a ratio, 1/100";
    if (strchr(value, ',') != NULL)
        return "; the decimal sign is a point";
    if (strchr(value, '^') != NULL || strstr(value, "**") != NULL)
        return "; write a power of ten as 1e-5";
    if (strpbrk(value, "\"'") != NULL)
        return "; numbers have no quotes";
    if (strchr(value, '_') != NULL)
        return "; digits are not grouped";
    if (strstr(value, "\u2212") != NULL || strstr(value, "\u2013") != NULL)
        return "; write - for the sign";
    if (strcmp(value, "?") == 0)
        return "; only a number of the plan may be the hole";
    return "";
}

const char *habit_of_neighbours(const char *value)
{
    static const char adding[] =
        "unbounded add-or-remove addremove add-remove-one add-or-remove-one "
        "zero-out add remove add-remove addition removal";
    static const char replacing[] =
        "bounded replace-one substitution substitute swap change-one change "
        "replacement edit hamming";

    if (is_one_of(adding, value, strlen(value)))
        return "; did you mean add_remove?";
    if (is_one_of(replacing, value, strlen(value)))
        return "; did you mean replace?";
    return "";
}

const char *habit_of_operand(const char *word)
{
    if (strncmp(word, "\u2013", 3) == 0 || strncmp(word, "\u2014", 3) == 0 ||
        strncmp(word, "\u2212", 3) == 0)
        return "; an option starts with two hyphens, --";
    if (strcmp(word, "*") == 0 || strcmp(word, "+") == 0)
        return "; a plan stands in quotes, '...'";
    return "";
}
