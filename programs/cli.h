/*
 * What the commands of the program share: the tables of commands and
 * options, the arguments of one call, and the ways to speak to people and to
 * programs. Results go to stdout, everything else to stderr.
 */
#ifndef DOSI_CLI_H
#define DOSI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "dosimeter.h"

/* Exit statuses, pinned. */
enum cli_exit {
    CLI_YES = 0,    /* answered */
    CLI_NO = 1,     /* a check failed */
    CLI_USAGE = 2,  /* bad usage or bad input */
    CLI_UNABLE = 3, /* unsupported, or nothing could be certified */
    CLI_SYSTEM = 4, /* memory, reading, writing */
    CLI_INTERRUPTED = 130 /* by Ctrl-C or a request to end */
};

/* ---- The tables, in main.c ---------------------------------------------- */

enum cli_command_id {
    COMMAND_EPSILON,
    COMMAND_DELTA,
    COMMAND_TRADEOFF,
    COMMAND_RENYI,
    COMMAND_ZCDP,
    COMMAND_GDP,
    COMMAND_RISK,
    COMMAND_COMPARE,
    COMMAND_CALIBRATE,
    COMMAND_CHECK,
    COMMAND_BREAKDOWN,
    COMMAND_SWEEP,
    COMMAND_SGD,
    COMMAND_FEDERATED,
    COMMAND_TRAIN,
    COMMAND_PREDICT,
    COMMAND_EXPLAIN,
    COMMAND_PLOT,
    COMMAND_REPORT,
    COMMAND_RELEASE,
    COMMAND_LOSS,
    COMMAND_SAMPLER,
    COMMAND_PLAN,
    COMMAND_KINDS,
    COMMAND_FORMULA,
    COMMAND_BATCH,
    COMMAND_VERSION,
    COMMAND_HELP,
    COMMAND_COUNT
};

enum cli_option_id {
    OPTION_DELTA,
    OPTION_LOG_DELTA,
    OPTION_EPSILON,
    OPTION_ALPHA,
    OPTION_POINTS,
    OPTION_ORDER,
    OPTION_XI,
    OPTION_FLOOR,
    OPTION_PRIOR,
    OPTION_MOST_EPSILON,
    OPTION_BETA,
    OPTION_MOST_RENYI,
    OPTION_RHO,
    OPTION_MU,
    OPTION_ADVANTAGE,
    OPTION_CLAIMS,
    OPTION_VARY,
    OPTION_FORMAT,
    OPTION_EXAMPLES,
    OPTION_BATCH_SIZE,
    OPTION_ACCUMULATE,
    OPTION_EPOCHS,
    OPTION_STEPS,
    OPTION_CLIENTS,
    OPTION_PER_ROUND,
    OPTION_ROUNDS,
    OPTION_NOISE,
    OPTION_NOISE_STD,
    OPTION_CLIP,
    OPTION_ADDED_TO,
    OPTION_TARGET,
    OPTION_SAMPLER,
    OPTION_MICROBATCHING,
    OPTION_PER_USER,
    OPTION_TRAIN_LABEL,
    OPTION_TRAIN_BOUNDS,
    OPTION_TRAIN_FEATURE,
    OPTION_TRAIN_MODEL,
    OPTION_TRAIN_GRID_BITS,
    OPTION_TRAIN_OPTIMIZER,
    OPTION_TRAIN_LEARNING_RATE,
    OPTION_TRAIN_SCHEDULE,
    OPTION_TRAIN_MOMENTUM,
    OPTION_TRAIN_WEIGHT_DECAY,
    OPTION_TRAIN_BETA1,
    OPTION_TRAIN_BETA2,
    OPTION_TRAIN_INIT_SEED,
    OPTION_TRAIN_UNIT,
    OPTION_TRAIN_CHECKPOINT,
    OPTION_TRAIN_CHECKPOINT_EVERY,
    OPTION_TRAIN_RESUME,
    OPTION_TRAIN_MOVED,
    OPTION_TRAIN_TEST,
    OPTION_TRAIN_COLUMNS,
    OPTION_PROBA,
    OPTION_PEOPLE,
    OPTION_KIND,
    OPTION_FROM,
    OPTION_TO,
    OPTION_SCALE,
    OPTION_OVERLAY,
    OPTION_TITLE,
    OPTION_DATA_SET, /* of report: what a page says besides the plan */
    OPTION_UNIT,
    OPTION_OWNER,
    OPTION_PURPOSE,
    OPTION_DATE,
    OPTION_CONTACT,
    OPTION_REGISTRY,
    OPTION_CHECKLIST,
    OPTION_OUTPUT,
    /* of release: statistics, then settings, each with its name */
    OPTION_COUNT_ROWS,
    OPTION_USERS,
    OPTION_SUM,
    OPTION_MEAN,
    OPTION_VARIANCE,
    OPTION_HISTOGRAM,
    OPTION_MEDIAN,
    OPTION_QUANTILE,
    OPTION_MODE,
    OPTION_COUNT_BAD,
    OPTION_BY,
    OPTION_CATEGORIES,
    OPTION_BINS,
    OPTION_UNKNOWN_CELLS,
    OPTION_GRID,
    OPTION_MISSING,
    OPTION_TYPE,
    OPTION_WHERE,
    OPTION_DELIMITER,
    OPTION_DECIMAL,
    OPTION_NO_HEADER,
    OPTION_USER,
    OPTION_MAX_ROWS,
    OPTION_ROW_ORDER,
    OPTION_FILE_ORDER,
    OPTION_MAX_CELLS,
    OPTION_MAX_PER_CELL,
    OPTION_MIN_COUNT,
    OPTION_USER_BOUNDS,
    OPTION_BUDGET,
    OPTION_BUDGET_DELTA,
    OPTION_GIVEN_PLAN,
    OPTION_WEIGHT,
    OPTION_LAW,
    OPTION_LEVEL,
    OPTION_NONNEGATIVE,
    OPTION_PERMUTE_AND_FLIP,
    OPTION_NOT_PRIVATE,
    OPTION_PLAN_ONLY,
    OPTION_SQL,
    OPTION_TABLE,
    OPTION_TALLY,
    OPTION_STATEMENT,
    OPTION_SELF_TEST_SQL,
    OPTION_SIDE,
    OPTION_LOSS_POINTS,
    OPTION_TAIL,
    OPTION_LOWER,
    OPTION_UPPER,
    OPTION_NEIGHBOURS,
    OPTION_ROUTE,
    OPTION_WIDTH,
    OPTION_MAX_MEMORY,
    OPTION_TIME_LIMIT,
    OPTION_JOBS,
    OPTION_DIGITS,
    OPTION_CSV,
    OPTION_EVENTS,
    OPTION_ALL,
    OPTION_BATCH,
    OPTION_CHECK,
    OPTION_VERBOSE,
    OPTION_DETAILS,
    OPTION_QUIET,
    OPTION_MAN,
    OPTION_COMPLETION,
    OPTION_MARKDOWN,
    OPTION_JSON,
    OPTION_COLOR,
    OPTION_HELP,
    OPTION_COUNT
};

struct cli_arguments;

struct cli_command {
    const char *name;
    const char *usage; /* one form a line, without the program's name */
    size_t min_operands;
    size_t max_operands;
    const char *missing; /* what to call an operand that is not there */
    int (*run)(const struct cli_arguments *args); /* an exit status */
    const char *meaning;                          /* one line */
    const char *details;  /* a paragraph of one line, or NULL */
    const char *examples; /* one command a line, without the program's name */
};

struct cli_option {
    unsigned commands; /* bit 1 << COMMAND_x: applies to x */
    bool repeats;      /* may be given several times */
    const char *name;
    const char *argument; /* NULL for a switch */
    const char *choices;  /* what may stand for the argument, or NULL */
    const char *meaning;
};

extern const struct cli_command cli_commands[COMMAND_COUNT];
extern const struct cli_option cli_options[OPTION_COUNT];

int cli_ask(const struct cli_arguments *args); /* every question */
int cli_risk(const struct cli_arguments *args);
int cli_compare(const struct cli_arguments *args);
int cli_calibrate(const struct cli_arguments *args);
int cli_check(const struct cli_arguments *args);
int cli_breakdown(const struct cli_arguments *args);
int cli_sweep(const struct cli_arguments *args);
int cli_training(const struct cli_arguments *args); /* sgd, federated */
int cli_train(const struct cli_arguments *args);
int cli_predict(const struct cli_arguments *args);
int cli_explain(const struct cli_arguments *args);
int cli_plot(const struct cli_arguments *args);
int cli_report(const struct cli_arguments *args);
int cli_release(const struct cli_arguments *args);
int cli_loss(const struct cli_arguments *args);
int cli_sampler(const struct cli_arguments *args);
int cli_plan(const struct cli_arguments *args);
int cli_kinds(const struct cli_arguments *args);
int cli_formula(const struct cli_arguments *args);
int cli_batch(const struct cli_arguments *args);
int cli_version(const struct cli_arguments *args);
int cli_help(const struct cli_arguments *args);

/* ---- The arguments of one call, in command_line.c --------------------------
 */

struct cli_given {
    enum cli_option_id option;
    const char *value; /* NULL for a switch */
};

struct cli_arguments {
    enum cli_command_id command;
    const char **operands;
    size_t n_operands;
    struct cli_given *given; /* in the order of the command line */
    size_t n_given;
};

/* Sorts argv[2..] by the tables. Returns an exit status, having said why. */
int cli_arguments_read(struct cli_arguments *out, enum cli_command_id command,
    int argc, char **argv);
void cli_arguments_free(struct cli_arguments *args);

/* Whether the command is there; *out is set when it is. */
bool cli_command_find(enum cli_command_id *out, const char *name);

bool cli_has(const struct cli_arguments *args, enum cli_option_id option);

/* The value of an option, or NULL when it was not given. */
const char *cli_value(
    const struct cli_arguments *args, enum cli_option_id option);

/* A number or a ratio of two. Returns an exit status, having said why. */
int cli_number(double *out, const struct cli_arguments *args,
    const struct cli_given *given);

/* The number, or ratio of two, that a text is; false for anything else. */
bool cli_number_parse(double *out, const char *text);

/* A whole number of an option in [low, high]; fallback when not given. */
int cli_whole(long *out, const struct cli_arguments *args,
    enum cli_option_id option, long low, long high, long fallback);

/* A positive number of an option, in question.c; 0 when not given. */
int cli_positive(double *out, const struct cli_arguments *args,
    enum cli_option_id option);

/* ---- Plans as arguments, in plan_input.c -------------------------------- */

struct cli_plan {
    const dosi_plan *plan;
    char *text; /* as it was given, for error messages */
    size_t n_bytes;
};

/*
 * Reads a plan from its text, from JSON when that starts with "{", from a
 * table (plan_table.h) when its first line has a column "kind", from a file
 * as "@FILE", or from standard input as "-". "@FILE" may also be a part of a
 * text; its name is then relative to the file that names it. Returns an
 * exit status, having said why.
 */
int cli_plan_read(struct cli_plan *out, const struct cli_arguments *args,
    const char *operand);
void cli_plan_free(struct cli_plan *plan);

/* The text alone, from the same places: plan is left NULL. */
int cli_text_read(struct cli_plan *out, const char *operand);

/* The text of a file, "-" being standard input. */
int cli_file_read(struct cli_plan *out, const char *path);

/* How to name it: as it was typed, or its text; the caller frees it, and
 * NULL is no memory. */
char *cli_plan_label(const struct cli_plan *plan, const char *operand);

/* The plan in a form, as a text the caller frees; NULL with *err filled. */
char *cli_plan_text(const dosi_plan *plan, dosi_form form, dosi_error *err);

/* ---- Questions about plans, in question.c ------------------------------- */

/* What may be asked of a plan: one row of a table. */
struct cli_question {
    enum cli_command_id command;
    enum cli_option_id option;
    const char *label; /* of the answer, for people: "epsilon", "beta" */
    const char *given; /* what is given, as in a batch: "delta" */
    double trivial;    /* the safe end that is true of every plan */
    bool safe_is_lower;
    bool hides_zero;   /* a given 0 is not worth saying */
    dosi_status (*at)(dosi_answer *out, const dosi_plan *plan, double given,
        const dosi_options *options, dosi_error *err);
    const char *condition; /* before what is given, in the answer's line */
};

/* The question that an option asks, or NULL. */
const struct cli_question *cli_question_of(enum cli_option_id option);

/* Bad usage: no option of the command asks anything. */
int cli_question_missing(const struct cli_arguments *args);

/* How questions are asked: the options of the library, and what they point
 * to; it must not move. The library is given what cli_asking_start returns. */
struct cli_asking {
    dosi_options options;
    int n_digits; /* to print; 0: as many as tell something */
    int n_shown;  /* of a bound that rounds; 0: few */
    double limit_us; /* of one answer; 0: none */
    bool is_whole;   /* the limit is that of all answers together */
    bool is_quiet;   /* another thread shows the progress */
    double begin_us; /* when the options were read */
    double start_us; /* of the answer at work */
    double end_us;   /* when the limit is reached */
    double elapsed_us; /* of the last answer */
};

/* The relation of a word; false, *out being as it was, when it has none. */
bool cli_neighbours_find(dosi_neighbours *out, const char *word);

/* --neighbours, or DOSI_NATURAL. Returns an exit status. */
int cli_neighbours_read(
    dosi_neighbours *out, const struct cli_arguments *args);

/* --neighbours, --route, --width, --max-memory, --time-limit and --digits. */
int cli_asking_read(
    struct cli_asking *out, const struct cli_arguments *args);

/* Lets questions about one plan share its laws, until they are freed. */
void cli_asking_keep(struct cli_asking *asking);
void cli_asking_free(struct cli_asking *asking);

/*
 * What stands around a question that is put to the library: the clock
 * starts, and at the end the progress is taken away, a reason that is the
 * clock's says so in n answers, and a request to end is a failure. The
 * options of the library are those that the start returns, so that no
 * question is asked by a clock that stands.
 */
const dosi_options *cli_asking_start(struct cli_asking *asking);
dosi_status cli_asking_end(struct cli_asking *asking, dosi_answer *answers,
    size_t n, dosi_status status, dosi_error *err);

/* From now on the questions share one limit, counted from when the options
 * were read, and have until this share of it has passed. */
void cli_asking_until(struct cli_asking *asking, double share);

/* Whether the clock ended the answer. */
bool cli_is_out_of_time(const dosi_answer *answer);

/* Asks within the limits, between start and end. */
dosi_status cli_asking_at(dosi_answer *out, struct cli_asking *asking,
    const struct cli_question *question, const dosi_plan *plan, double given,
    dosi_error *err);

/* The trade-off at n type I errors, and delta at n epsilons; one limit for all
 * of them. */
dosi_status cli_asking_curve(dosi_answer *out, struct cli_asking *asking,
    const dosi_plan *plan, const double *alphas, size_t n, dosi_error *err);
dosi_status cli_asking_deltas(dosi_answer *out, struct cli_asking *asking,
    const dosi_plan *plan, const double *epsilons, size_t n, dosi_error *err);

/* The central limit of a plan, in gdp_limit_text.c. Returns an exit status. */
int cli_write_limit(const struct cli_arguments *args, const dosi_plan *plan,
    struct cli_asking *asking);

/* Whether no guarantee was certified although there may be one, or none can be
 * since pure DP was asked for. */
bool cli_is_vacuous(
    const struct cli_question *question, const dosi_answer *answer);

/* Why an answer may be believed, as what follows the ends in the JSON object
 * of an answer; in ask.c. */
void cli_json_provenance(const dosi_answer *answer);
void cli_json_assumptions(const dosi_answer *answer);

/* The member "tests": what attackers find at each rate of false alarms. */
void cli_json_tests(const dosi_risk *risk);

/* "add_remove" or "replace". */
const char *cli_neighbours_name(dosi_neighbours neighbours);

/* A clock in whole microseconds. */
double cli_now_us(void);

/* ---- Answers for people, in answer_text.c -------------------------------- */

#define CLI_BOUND_BYTES (DOSI_NUMBER_BYTES + 4)
#define CLI_VALUE_BYTES (2 * DOSI_NUMBER_BYTES + 20)
#define CLI_BRACKET_BYTES (CLI_VALUE_BYTES + 160)

/* An interval of which one end is safe to report. */
struct cli_bound {
    dosi_interval value;
    bool safe_is_lower;
    double trivial;      /* the safe end that is true of every plan */
    const char *meaning; /* what the other end refers to */
    double target;  /* that the safe end is seen to meet, if it does */
    int n_digits;   /* of the safe end; 0: few */
    int n_most;     /* of the exact value; 0: as many as tell something */
};

/* The bound that an answer is, with no target. */
struct cli_bound cli_bound_of(const struct cli_question *question,
    const dosi_answer *answer, const struct cli_asking *how);

/* "<= 2.3817": the safe end, rounded to its side. */
void cli_bound_text(char text[CLI_BOUND_BYTES], const struct cli_bound *b);

/* "exact value 2.38168972614...", "between 5.1 and 5.6", or nothing. */
void cli_bracket_text(char text[CLI_BRACKET_BYTES], const struct cli_bound *b);

/* Both as the end of a line, and what belongs between them. */
void cli_write_bound(const struct cli_bound *b, const char *between);

/* The first line of an answer, with more about the question. */
void cli_write_headline(const struct cli_question *question, double given,
    const struct cli_bound *b, const char *also);

/* With --verbose, the interval. */
void cli_write_details(
    const struct cli_arguments *args, dosi_interval x, int n_digits);

/* Why an answer may be believed, a line each: how records were sampled, the
 * relation and the theorem; all of it with --verbose. */
void cli_write_provenance(
    const struct cli_arguments *args, const dosi_answer *answer);

/* Whether an assumption says how records were chosen. */
bool cli_is_on_sampler(const char *assumption);

/* The name of a route as people say it. */
const char *cli_route_words(const char *route);

/* ---- Colors, in colors.c -------------------------------------------------- */

enum cli_style {
    STYLE_PLAIN,
    STYLE_STRONG,
    STYLE_FAINT,
    STYLE_WARNING,
    STYLE_GOOD,
    STYLE_BAD
};

/* --color; without it, colors are for terminals and unless NO_COLOR is set.
 * Returns an exit status, having said why. */
int cli_colors_read(const struct cli_arguments *args);

/* What switches to a style on standard output; "" where colors are off. */
const char *cli_style(enum cli_style style);

/* ---- Formulas, in formula_show.c, formula_batch.c and cmd_formula.c ------ */

int cli_formula_show(const struct cli_arguments *args);
int cli_formula_batch(const struct cli_arguments *args);

/* The members of a row. */
void cli_json_formula(const dosi_formula_info *info);

/* ---- Work that takes time, in progress.c and interrupt.c ----------------- */

/* Names the work for the progress line on the terminal: part done + 1 of total
 * if total is above 1. */
void cli_progress_of(const char *what, size_t done, size_t total);
void cli_progress_tick(double now_us);
void cli_progress_clear(void); /* before anything else is said */

/* From now on Ctrl-C asks the work to stop; a second one ends at once. */
void cli_interrupt_watch(void);
bool cli_interrupted(void);

/* ---- Files that are whole or not there, in output.c ---------------------- */

struct cli_output {
    FILE *stream;
    const char *path;
    char *target, *temporary; /* NULL for standard output and devices */
};

/* Whether the name that --output gives, if it has a suffix, has one of these,
 * which are parted by blanks; what they are is said if not. Returns an exit
 * status. */
int cli_output_check(const struct cli_arguments *args, const char *suffixes,
    const char *formats);

/* NULL and "-" are standard output. Returns an exit status, having said why. */
int cli_output_open(struct cli_output *out, const char *path);

/* Keeps the file when the status is that of an answer and no one asked to
 * end. Returns the status, or that of a failure, having said why. */
int cli_output_close(struct cli_output *out, int status);

/* Takes away what is being written; for a handler of signals. */
void cli_output_drop(void);

/* ---- Speaking, in report.c ----------------------------------------------- */

/* One line to stderr, with the program's name; control bytes are masked. */
__attribute__((format(printf, 1, 2))) void cli_say(const char *format, ...);

/* Bad usage: says it, points to the help, and is CLI_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_usage(
    const struct cli_arguments *args, const char *format, ...);

/*
 * Reports a library error, with a caret under the culprit when text is what
 * the offset counts in; with --json also as an object on stdout.
 */
int cli_fail(const struct cli_arguments *args, const dosi_error *err,
    const char *text, size_t n_bytes);

/* The same for a text that has a name, which stands before the message with
 * the line and the column; NULL for the command line. */
int cli_fail_in(const struct cli_arguments *args, const dosi_error *err,
    const char *name, const char *text, size_t n_bytes);

/* CLI_SYSTEM, after saying that memory ran out. */
int cli_no_memory(void);

/* Flushes stdout; CLI_SYSTEM, having said so, when it could not be written. */
int cli_flush(void);

/* The exit status of a library status. */
int cli_exit_of(dosi_status status);

/* ---- Writing numbers and JSON to stdout, in write.c ---------------------- */

#define CLI_INTERVAL_BYTES (2 * DOSI_NUMBER_BYTES + 4)

/* Digits that show the width of an interval, at most 12. */
int cli_interval_digits(dosi_interval x);

/* "LOW .. HIGH", rounded outward; n_digits 0: as many as the width needs. */
void cli_interval_text(char *text, dosi_interval x, int n_digits);
void cli_write_interval(dosi_interval x, int n_digits);

/* The same with so many digits more that the safe end, the lower or else the
 * upper one, is seen to meet a target if it does. */
void cli_interval_against(char *text, dosi_interval x, int n_digits,
    double target, bool is_lower);

/* "name":{"lower":L,"upper":U} */
void cli_json_interval(const char *name, dosi_interval x, bool first);

/* A JSON number that reads back exactly; infinities as strings. */
void cli_json_number(double x);
void cli_json_string(const char *s, size_t n);

/* "name": with a comma before it unless it comes first in its object. */
void cli_json_key(const char *name, bool first);
void cli_json_text(const char *name, const char *value, bool first);

/* The members theorem, the ids of an answer, and citation: what they are. */
void cli_json_theorem(const char *theorem);

/* Whether the value of an option, if given, is text that may be shown.
 * Returns an exit status, having said why not. */
int cli_text_check(
    const struct cli_arguments *args, enum cli_option_id option);

/* Bytes of the UTF-8 sequence at s that may be shown, or 0. */
size_t cli_utf8_length(const char *s, size_t n);

/* ---- Decimal texts, in decimal_check.c ----------------------------------- */

/*
 * Whether the value that text names, rounded at its last digit, may lie in
 * x. *ok is false when text is not a decimal number, "inf" or "-inf".
 */
bool cli_contains(dosi_interval x, const char *text, bool *ok);

#endif
