/*
 * dosimeter train: NoisySGD and NoisyAdam on a CSV file. During the run
 * only the step count is shown; at the end it writes the model, its plan and
 * the cost. Records influence the output only through the noisy gradients.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "train_files.h"

struct train {
    const struct cli_arguments *args;
    const char *data;   /* path, or "-" */
    const char *output; /* path, or "-" */
    const char *test;   /* path, or NULL */
    struct cli_asking how;
    dosi_training *training;
    dosi_training_report report;
    dosi_model *model;
    struct train_rows rows; /* of the test */
    struct train_score score;
};

/* ---- Before the data -------------------------------------------------------
 */

static int check_files(struct train *t)
{
    t->data = t->args->operands[0];
    t->output = cli_value(t->args, OPTION_OUTPUT);
    t->test = cli_value(t->args, OPTION_TRAIN_TEST);
    if (cli_has(t->args, OPTION_PLAN_ONLY))
        return CLI_YES;
    if (t->output == NULL)
        return cli_usage(t->args, "missing --output, the file of the model");
    const char *read[] = {
        t->data, t->test, cli_value(t->args, OPTION_TRAIN_CHECKPOINT)};
    for (size_t i = 0; i < 3 && strcmp(t->output, "-") != 0; i++)
        if (read[i] != NULL && train_is_same_file(t->output, read[i]))
            return cli_usage(t->args,
                "--output is an input file: the model would overwrite it");
    if (t->test != NULL && train_is_same_file(t->data, t->test))
        return cli_usage(t->args,
            "--test is the training file: accuracy on it is not covered by "
            "the plan");
    return CLI_YES;
}

static int make_training(struct train *t)
{
    dosi_training_options options = DOSI_TRAINING_OPTIONS_INIT;
    struct setting_texts texts;
    dosi_error err;

    int status = cli_asking_read(&t->how, t->args);
    if (status == CLI_YES)
        status = train_texts_read(&texts, t->args);
    if (status != CLI_YES)
        return status;
    options.settings = (const char *const *)texts.texts;
    options.n_settings = texts.n;
    options.accounting = cli_asking_start(&t->how);
    dosi_status made = dosi_training_new(&t->training, &options, &err);
    made = cli_asking_end(&t->how, NULL, 0, made, &err);
    setting_texts_free(&texts);
    if (made != DOSI_OK)
        return cli_fail(t->args, &err, NULL, 0);
    dosi_training_state(&t->report, t->training);
    return CLI_YES;
}

/* ---- The run ---------------------------------------------------------------
 */

static dosi_status take_data(
    void *reader, const char *bytes, size_t n, dosi_error *err)
{
    return dosi_training_read_csv(reader, bytes, n, err);
}

static int start(struct train *t)
{
    dosi_error err;
    int status = data_file_read(t->args, t->data, take_data, t->training);

    if (status == CLI_YES && dosi_training_start(t->training, &err) != DOSI_OK)
        status = cli_fail(t->args, &err, NULL, 0);
    if (status == CLI_YES &&
        dosi_training_model(&t->model, t->training, &err) != DOSI_OK)
        status = cli_fail(t->args, &err, NULL, 0);
    /* A test that cannot be read is known before a step is used. */
    if (status == CLI_YES && t->test != NULL)
        status = train_rows_read(&t->rows, t->args, t->test, t->model, true);
    dosi_model_free(t->model);
    t->model = NULL;
    return status;
}

static int run_steps(struct train *t)
{
    dosi_error err;

    dosi_training_state(&t->report, t->training);
    while (t->report.n_used < t->report.n_steps && !cli_interrupted()) {
        cli_progress_of("step", t->report.n_used, t->report.n_steps);
        cli_progress_tick(cli_now_us());
        if (dosi_training_step(t->training, 1, &err) != DOSI_OK)
            return cli_fail(t->args, &err, NULL, 0);
        dosi_training_state(&t->report, t->training);
    }
    cli_progress_clear();
    if (!cli_interrupted())
        return CLI_YES;
    const char *state = cli_value(t->args, OPTION_TRAIN_CHECKPOINT);
    if (state == NULL)
        return CLI_INTERRUPTED;
    if (dosi_training_save(t->training, &err) != DOSI_OK)
        return cli_fail(t->args, &err, NULL, 0);
    cli_say("%s has %zu of %zu steps; --resume continues it", state,
        t->report.n_used, t->report.n_steps);
    return CLI_INTERRUPTED;
}

static int write_model(struct train *t, FILE *stream)
{
    dosi_error err;
    size_t length;

    if (dosi_training_model(&t->model, t->training, &err) != DOSI_OK ||
        dosi_model_print(NULL, 0, &length, t->model, &err) != DOSI_OK)
        return cli_fail(t->args, &err, NULL, 0);
    char *text = malloc(length + 1);
    if (text == NULL)
        return cli_no_memory();
    int status = CLI_YES;
    if (dosi_model_print(text, length + 1, &length, t->model, &err) !=
        DOSI_OK)
        status = cli_fail(t->args, &err, NULL, 0);
    else
        fwrite(text, 1, length, stream);
    free(text);
    return status;
}

static int test_model(struct train *t)
{
    if (t->test == NULL)
        return CLI_YES;
    int status = train_rows_predict(&t->rows, t->model, t->args);
    if (status == CLI_YES)
        t->score = train_rows_score(&t->rows);
    return status;
}

/* ---- The report ------------------------------------------------------------
 */

static bool has_classes(const struct train *t)
{
    return dosi_model_class(t->model, 0) != NULL;
}

static double accuracy(const struct train_score *score)
{
    return score->n_rows > 0 ? score->right / (double)score->n_rows : 0;
}

static void write_test(const struct train *t)
{
    if (t->test == NULL)
        return;
    if (has_classes(t))
        printf("  test       accuracy %.4f", accuracy(&t->score));
    else
        printf("  test       root mean squared error %.6g", t->score.rmse);
    printf(" on %zu rows of %s\n", t->score.n_rows, t->test);
    puts("             whose people are not protected by this plan");
}

/* The first line, as of a question; the lower end is of the mechanism. */
static void write_epsilon(const struct train *t)
{
    const struct cli_question *question = cli_question_of(OPTION_DELTA);
    const char *asked = cli_value(t->args, OPTION_BUDGET);
    dosi_answer answer = {
        .value = t->report.epsilon, .lower_meaning = "the mechanism"};
    struct cli_bound b = cli_bound_of(question, &answer, &t->how);

    if (asked != NULL && !cli_number_parse(&b.target, asked))
        b.target = HUGE_VAL;
    cli_write_headline(question, t->report.delta, &b, "");
    cli_write_details(t->args, b.value, t->how.n_digits);
}

/* The safe end alone. */
static void write_quiet(const struct train *t)
{
    char text[DOSI_NUMBER_BYTES];

    dosi_print_upper(text, t->report.epsilon.hi, 17);
    puts(text);
}

static void write_text(const struct train *t, const char *plan)
{
    const dosi_training_report *r = &t->report;
    char noise[DOSI_NUMBER_BYTES];

    dosi_print_exact(noise, r->noise_multiplier);
    write_epsilon(t);
    printf("  neighbours %s\n", cli_neighbours_name(r->neighbours));
    printf("  unit       one %s\n", r->unit);
    if (t->model != NULL)
        printf("  model      %s, %zu parameters\n", t->output,
            r->n_parameters);
    printf("  steps      %zu", r->n_steps);
    if (t->model != NULL && r->n_updates < r->n_steps)
        printf(", of which the model has %zu", r->n_updates);
    putchar('\n');
    printf("  noise      multiplier %s = standard deviation on the sum / "
        "clip\n",
        noise);
    printf("  plan       %s\n", plan);
    write_test(t);
    for (size_t i = 0; i < r->n_assumptions; i++)
        printf("  assumed    %s\n", r->assumptions[i]);
}

static void write_json(const struct train *t, const char *plan)
{
    const dosi_training_report *r = &t->report;

    putchar('{');
    cli_json_text("plan", plan, true);
    cli_json_key("delta", false);
    cli_json_number(r->delta);
    cli_json_interval("epsilon", r->epsilon, false);
    cli_json_text("neighbours", cli_neighbours_name(r->neighbours), false);
    cli_json_text("unit", r->unit, false);
    cli_json_key("steps", false);
    printf("%zu", r->n_steps);
    cli_json_key("noise_multiplier", false);
    cli_json_number(r->noise_multiplier);
    if (t->model != NULL) {
        cli_json_text("model", t->output, false);
        cli_json_key("updates", false);
        printf("%zu", r->n_updates);
        cli_json_key("parameters", false);
        printf("%zu", r->n_parameters);
    }
    if (t->test != NULL && t->model != NULL) {
        cli_json_key(has_classes(t) ? "test_accuracy" : "test_rmse", false);
        cli_json_number(
            has_classes(t) ? accuracy(&t->score) : t->score.rmse);
        cli_json_key("test_rows", false);
        printf("%zu", t->score.n_rows);
        cli_json_text("test_people", "not protected by this plan", false);
    }
    cli_json_key("assumptions", false);
    for (size_t i = 0; i < r->n_assumptions; i++) {
        putchar(i == 0 ? '[' : ',');
        cli_json_string(r->assumptions[i], strlen(r->assumptions[i]));
    }
    puts("]}");
}

static int write_report(struct train *t)
{
    dosi_error err;

    if (t->report.plan == NULL) /* --plan-only, with the examples uncounted */
        return cli_usage(t->args,
            "--plan-only needs --examples N: auto counts the lines");
    char *plan = cli_plan_text(t->report.plan, DOSI_FORM_TEXT, &err);
    if (plan == NULL)
        return cli_fail(t->args, &err, NULL, 0);
    if (cli_has(t->args, OPTION_JSON))
        write_json(t, plan);
    else if (cli_has(t->args, OPTION_QUIET))
        write_quiet(t);
    else
        write_text(t, plan);
    free(plan);
    return CLI_YES;
}

/* ---- The command -----------------------------------------------------------
 */

/* The model is whole under its name, or nothing is left. */
static int train_to_file(struct train *t)
{
    struct cli_output out;
    int status = cli_output_open(&out, t->output);

    if (status != CLI_YES)
        return status;
    status = start(t);
    if (status == CLI_YES)
        status = run_steps(t);
    if (status == CLI_YES)
        status = write_model(t, out.stream);
    return cli_output_close(&out, status);
}

int cli_train(const struct cli_arguments *args)
{
    struct train t = {.args = args};
    int status = check_files(&t);

    if (status == CLI_YES)
        status = make_training(&t);
    if (status == CLI_YES && !cli_has(args, OPTION_PLAN_ONLY)) {
        status = train_to_file(&t);
        if (status == CLI_YES)
            status = test_model(&t);
    }
    bool to_stdout = t.output != NULL && strcmp(t.output, "-") == 0;
    if (status == CLI_YES && !to_stdout)
        status = write_report(&t);
    train_rows_free(&t.rows);
    dosi_model_free(t.model);
    dosi_training_free(t.training);
    return status;
}
