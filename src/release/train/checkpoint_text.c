/*
 * The text of a checkpoint: its numbers in hexadecimal, written and read in
 * the C locale. It is read twice: for its checksums, then for its contents, so
 * that a damaged file is called damaged whatever the damage made of it.
 */
#include "checkpoint_text.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"
#include "base/error.h"
#include "train_run.h"

#define LONGEST_LINE ((size_t)1 << 30)

/* ---- Checksums ---------------------------------------------------------- */

#define CHECKSUM_BYTES (CHECKSUM_DIGITS / 2)
_Static_assert(CHECKSUM_BYTES >= crypto_generichash_BYTES_MIN &&
                   CHECKSUM_BYTES <= crypto_generichash_BYTES_MAX,
    "libsodium makes checksums of this length");

static void checksum_start(crypto_generichash_state *sum)
{
    (void)crypto_generichash_init(sum, NULL, 0, CHECKSUM_BYTES);
}

static void checksum_add(
    crypto_generichash_state *sum, const char *bytes, size_t n)
{
    (void)crypto_generichash_update(sum, (const unsigned char *)bytes, n);
}

static void checksum_end(char *digits, crypto_generichash_state *sum)
{
    unsigned char bytes[CHECKSUM_BYTES];

    (void)crypto_generichash_final(sum, bytes, sizeof bytes);
    sodium_bin2hex(digits, CHECKSUM_DIGITS + 1, bytes, sizeof bytes);
}

void checkpoint_used_line(char *line, double used, const char *checksum)
{
    crypto_generichash_state sum;
    char digits[CHECKSUM_DIGITS + 1];
    int n = snprintf(line, CHECKPOINT_USED_BYTES + 1, "used %020" PRIu64,
        (uint64_t)used);

    checksum_start(&sum);
    checksum_add(&sum, line, (size_t)n);
    checksum_add(&sum, checksum, CHECKSUM_DIGITS);
    checksum_end(digits, &sum);
    snprintf(line + n, CHECKPOINT_USED_BYTES + 1 - (size_t)n, " %s\n",
        digits);
}

/* ---- Writing ------------------------------------------------------------ */

struct writer {
    FILE *stream;
    crypto_generichash_state sum;
};

static void put(struct writer *w, const char *text)
{
    size_t n = strlen(text);

    (void)fwrite(text, 1, n, w->stream);
    checksum_add(&w->sum, text, n);
}

static void put_line(struct writer *w, const char *name, const char *value)
{
    put(w, name);
    put(w, " ");
    put(w, value);
    put(w, "\n");
}

static void put_whole(struct writer *w, const char *name, uint64_t x)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, x);
    put_line(w, name, text);
}

static void put_numbers(
    struct writer *w, const char *name, const double *x, size_t n)
{
    char text[40];

    put_whole(w, name, n);
    for (size_t j = 0; j < n; j++) {
        snprintf(text, sizeof text, "%a%c", x[j],
            j % 4 == 3 || j + 1 == n ? '\n' : ' ');
        put(w, text);
    }
}

void checkpoint_text_write(FILE *stream, struct checkpoint_text *text,
    const struct train_state *state, const struct name_list *settings,
    const char *plan)
{
    struct writer w = {.stream = stream};
    c_locale before = dosi_c_locale_enter();

    checksum_start(&w.sum);
    fprintf(stream, "%s%*s\n", CHECKPOINT_FIRST_LINE,
        CHECKPOINT_USED_BYTES - 1, "");
    put_whole(&w, "run", (uint64_t)text->run);
    put_whole(&w, "file", text->file);
    put_whole(&w, "updates", (uint64_t)state->n_updates);
    put_line(&w, "plan", plan);
    for (size_t i = 0; i < settings->n; i++)
        put_line(&w, "setting", settings->names[i]);
    put_numbers(&w, "parameters", state->parameters, state->n_parameters);
    put_numbers(&w, "first", state->first, state->n_parameters);
    put_numbers(&w, "second", state->second, state->n_parameters);
    checksum_end(text->checksum, &w.sum);
    fprintf(stream, "end %s\n", text->checksum);
    dosi_c_locale_leave(before);
}

/* ---- Lines -------------------------------------------------------------- */

/* A file line by line, in a buffer that grows. */
struct lines {
    FILE *stream;
    const char *path;
    char *text; /* of n bytes, a NUL after them */
    size_t n, capacity;
    bool is_out_of_memory;
};

static dosi_status damaged(const struct lines *lines, dosi_error *err)
{
    if (lines->is_out_of_memory)
        return dosi_fail_memory(err);
    if (ferror(lines->stream))
        return dosi_fail(
            err, DOSI_EIO, "cannot read the checkpoint %.150s", lines->path);
    return dosi_fail(
        err, DOSI_EINVAL, "the checkpoint %.150s is damaged", lines->path);
}

static dosi_status differs(
    const struct lines *lines, const char *what, dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL,
        "the checkpoint %.150s is of another %s; only learning-rate and "
        "schedule may change", lines->path, what);
}

/* Room for one byte more and a NUL. */
static bool make_room(struct lines *lines)
{
    if (lines->n + 1 < lines->capacity)
        return true;
    size_t more = 2 * lines->capacity + 256;
    char *text = more > LONGEST_LINE ? NULL : realloc(lines->text, more);
    lines->is_out_of_memory = text == NULL;
    if (text == NULL)
        return false;
    lines->text = text;
    lines->capacity = more;
    return true;
}

/* The next line without its LF; NULL: there is none, it is empty or without
 * an LF, or memory is missing. */
static char *next_line(struct lines *lines)
{
    int c;

    for (lines->n = 0; (c = getc(lines->stream)) != EOF && c != '\n';) {
        if (!make_room(lines))
            return NULL;
        lines->text[lines->n++] = (char)c;
    }
    if (c == EOF || lines->n == 0)
        return NULL;
    lines->text[lines->n] = '\0';
    return lines->text;
}

/* Whether the next line is this one, which ends with an LF. */
static bool next_is(struct lines *lines, const char *line)
{
    size_t n = strlen(line) - 1;

    return next_line(lines) != NULL && lines->n == n &&
           memcmp(lines->text, line, n) == 0;
}

/* The text after a name on the next line; NULL for another line. */
static const char *next_value(struct lines *lines, const char *name)
{
    const char *line = next_line(lines);
    size_t n = strlen(name);

    if (line == NULL || strncmp(line, name, n) != 0 || line[n] != ' ')
        return NULL;
    return line + n + 1;
}

/* A whole number on the next line. */
static bool next_integer(
    uint64_t *out, struct lines *lines, const char *name)
{
    const char *text = next_value(lines, name);
    size_t n = text == NULL ? 0 : strlen(text);

    *out = 0;
    if (n == 0 || n > 20 || strspn(text, "0123456789") != n)
        return false;
    *out = strtoull(text, NULL, 10);
    return true;
}

/* One below 2^53. */
static bool next_whole(double *out, struct lines *lines, const char *name)
{
    uint64_t x;
    bool is_there = next_integer(&x, lines, name);

    *out = (double)x;
    return is_there && *out < 0x1p53;
}

/* n numbers after a line that says how many. */
static bool next_numbers(
    double *out, size_t n, struct lines *lines, const char *name)
{
    double n_there;
    size_t n_read = 0;

    if (!next_whole(&n_there, lines, name) || n_there != (double)n)
        return false;
    while (n_read < n) {
        char *at = next_line(lines);
        if (at == NULL)
            return false;
        while (*at != '\0') {
            char *end;
            if (n_read == n)
                return false;
            out[n_read++] = strtod(at, &end);
            if (end == at || (*end != ' ' && *end != '\0'))
                return false;
            at = *end == ' ' ? end + 1 : end;
        }
    }
    return true;
}

static dosi_status read_settings(struct lines *lines,
    const struct name_list *settings, const char *plan, dosi_error *err)
{
    const char *text = next_value(lines, "plan");

    if (text == NULL)
        return damaged(lines, err);
    if (strcmp(text, plan) != 0)
        return differs(lines, "plan", err);
    for (size_t i = 0; i < settings->n; i++) {
        text = next_value(lines, "setting");
        if (text == NULL || strcmp(text, settings->names[i]) != 0)
            return differs(lines, "run", err);
    }
    return DOSI_OK;
}

/* ---- Reading ------------------------------------------------------------ */

/* The first line; only the program of this version knows how to go on. */
static dosi_status check_first(struct lines *lines, dosi_error *err)
{
    const char *line = next_line(lines);

    if (line == NULL || strncmp(line, "dosimeter ", 10) != 0)
        return ferror(lines->stream) || lines->is_out_of_memory
                   ? damaged(lines, err)
                   : dosi_fail(err, DOSI_EINVAL,
                         "the file %.150s is not a checkpoint, or is damaged",
                         lines->path);
    rewind(lines->stream);
    if (next_is(lines, CHECKPOINT_FIRST_LINE))
        return DOSI_OK;
    rewind(lines->stream);
    if (next_is(lines, CHECKPOINT_OLD_LINE))
        return dosi_fail(err, DOSI_EINVAL,
            "the checkpoint %.150s is an old version under another name; a "
            "newer one took its place", lines->path);
    return damaged(lines, err);
}

/* Compares the checksums of the whole file; *used is then known. */
static dosi_status check_sums(
    double *used, char *checksum, struct lines *lines, dosi_error *err)
{
    char before[CHECKPOINT_USED_BYTES + 1], line[CHECKPOINT_USED_BYTES + 1];
    crypto_generichash_state sum;
    dosi_status status = check_first(lines, err);

    if (status != DOSI_OK)
        return status;
    if (next_line(lines) == NULL || lines->n != CHECKPOINT_USED_BYTES - 1)
        return damaged(lines, err);
    memcpy(before, lines->text, CHECKPOINT_USED_BYTES - 1);
    before[CHECKPOINT_USED_BYTES - 1] = '\0';
    checksum_start(&sum);
    char *text = next_line(lines);
    while (text != NULL && strncmp(text, "end ", 4) != 0) {
        text[lines->n] = '\n';
        checksum_add(&sum, text, lines->n + 1);
        text = next_line(lines);
    }
    checksum_end(checksum, &sum);
    if (text == NULL || lines->n != 4 + CHECKSUM_DIGITS ||
        memcmp(text + 4, checksum, CHECKSUM_DIGITS) != 0 ||
        getc(lines->stream) != EOF)
        return damaged(lines, err);
    *used = (double)strtoull(before + 5, NULL, 10);
    checkpoint_used_line(line, *used, checksum);
    return memcmp(before, line, CHECKPOINT_USED_BYTES - 1) == 0 &&
                   *used < 0x1p53
               ? DOSI_OK
               : damaged(lines, err);
}

static dosi_status read_lines(struct checkpoint_text *out,
    struct train_state *state, struct lines *lines,
    const struct name_list *settings, const char *plan, dosi_error *err)
{
    size_t n = state->n_parameters;
    dosi_status status = check_sums(&state->used, out->checksum, lines, err);

    if (status != DOSI_OK)
        return status;
    rewind(lines->stream);
    if (!next_is(lines, CHECKPOINT_FIRST_LINE) ||
        next_value(lines, "used") == NULL ||
        !next_whole(&out->run, lines, "run") ||
        !next_integer(&out->file, lines, "file") ||
        !next_whole(&state->n_updates, lines, "updates") ||
        state->n_updates > state->used)
        return damaged(lines, err);
    status = read_settings(lines, settings, plan, err);
    if (status != DOSI_OK)
        return status;
    return next_numbers(state->parameters, n, lines, "parameters") &&
                   next_numbers(state->first, n, lines, "first") &&
                   next_numbers(state->second, n, lines, "second") &&
                   next_value(lines, "end") != NULL
               ? DOSI_OK
               : damaged(lines, err);
}

dosi_status checkpoint_text_read(struct checkpoint_text *out,
    struct train_state *state, FILE *stream, const char *path,
    const struct name_list *settings, const char *plan, dosi_error *err)
{
    struct lines lines = {.stream = stream, .path = path};
    c_locale before = dosi_c_locale_enter();
    dosi_status status =
        read_lines(out, state, &lines, settings, plan, err);

    dosi_c_locale_leave(before);
    free(lines.text);
    return status;
}
