/*
 * dosimeter formula show: explains a row of the formulary by its id or name, a
 * statement by its id or as it is cited, and a work by its key.
 */
#include "cli.h"

#include <ctype.h>
#include <string.h>

/* The longest text that is compared with ids and citations. */
#define MAX_BYTES 64
/* How many ids are named for one that is not there. */
#define N_NEAREST 3

static const char *short_of(const char *word)
{
    static const char *const words[][2] = {{"theorem", "thm"},
        {"proposition", "prop"}, {"corollary", "cor"}, {"definition", "def"},
        {"equation", "eq"}, {"figure", "fig"}, {"section", "§"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i][0]) == 0)
            return words[i][1];
    return word;
}

/* A citation as it is compared: in lower case and short words, without
 * brackets, blanks, and full stops at the end of words. out has MAX_BYTES,
 * where the text is cut. */
static void plain(char *out, const char *citation)
{
    char word[MAX_BYTES];

    out[0] = '\0';
    for (const char *c = citation; *c != '\0';) {
        size_t n = 0, length = strcspn(c, "[] ");
        for (; n < length && n < MAX_BYTES - 1; n++)
            word[n] = (char)tolower((unsigned char)c[n]);
        while (n > 0 && word[n - 1] == '.')
            n--;
        word[n] = '\0';
        strncat(out, short_of(word), MAX_BYTES - 1 - strlen(out));
        c += length + (c[length] != '\0');
    }
}

/* Whether a statement is cited so. The kind is left out of the comparison
 * where is_number: "Ste22 Thm 8" then is its Corollary 8. */
static bool is_cited(const char *citation, const char *text, bool is_number)
{
    char cited[MAX_BYTES], asked[MAX_BYTES];

    plain(cited, citation);
    plain(asked, text);
    if (!is_number)
        return strcmp(cited, asked) == 0;
    const char *year = strpbrk(cited, "0123456789");
    size_t n_key = year != NULL ? (size_t)(year - cited) + 2 : 0;
    if (n_key == 0 || strncmp(cited, asked, n_key) != 0)
        return false;
    const char *place = strpbrk(cited + n_key, "0123456789");
    const char *number = strpbrk(asked + n_key, "0123456789");
    return place != NULL && number != NULL && strcmp(place, number) == 0;
}

static bool cites(const char *citation, const char *key)
{
    size_t n = strlen(key);

    for (const char *c = citation; (c = strchr(c, '[')) != NULL; c++)
        if (strncmp(c + 1, key, n) == 0 && c[n + 1] == ']')
            return true;
    return false;
}

static size_t source_named(const char *text)
{
    char asked[MAX_BYTES], key[MAX_BYTES];
    size_t i = 0;

    plain(asked, text);
    for (; i < dosi_source_count(); i++) {
        plain(key, dosi_source_at(i).key);
        if (strcmp(asked, key) == 0)
            break;
    }
    return i;
}

/* The statement of an id; that of index dosi_statement_count() is empty. */
static dosi_statement statement_of(const char *id)
{
    size_t index;
    dosi_error err;

    if (dosi_statement_find(&index, id, &err) != DOSI_OK)
        index = dosi_statement_count();
    return dosi_statement_at(index);
}

static bool has_row(const dosi_statement *statement, size_t row)
{
    return strcmp(statement_of(dosi_formula_at(row).id).id, statement->id) == 0;
}

static void write_works(const char *citation)
{
    for (size_t i = 0; i < dosi_source_count(); i++) {
        dosi_source source = dosi_source_at(i);
        if (cites(citation, source.key))
            printf("source      [%s] %s\n", source.key, source.work);
    }
}

static void write_rows(const dosi_statement *statement)
{
    const char *label = "rows";

    for (size_t i = 0; i < dosi_formula_count(); i++) {
        dosi_formula_info info = dosi_formula_at(i);
        if (!has_row(statement, i))
            continue;
        printf("%-11s %s: %s\n", label, info.id, info.meaning);
        label = "";
    }
}

/* A row, and the others of its statement where both have one id. */
static void write_row(const dosi_formula_info *info)
{
    dosi_statement statement = statement_of(info->id);

    printf("id          %s\n", info->id);
    printf("name        %s\n", info->name);
    printf("parameters  %s\n", info->parameters);
    printf("direction   %s\n", info->direction);
    printf("validity    %s\n", info->validity);
    printf("meaning     %s\n", info->meaning);
    printf("statement   %s, %s: %s\n", statement.id, statement.citation,
        statement.meaning);
    write_works(statement.citation);
    if (strcmp(info->id, statement.id) == 0)
        write_rows(&statement);
}

static void write_statement(const dosi_statement *statement)
{
    printf("id          %s\n", statement->id);
    printf("cited as    %s\n", statement->citation);
    printf("statement   %s\n", statement->meaning);
    write_works(statement->citation);
    write_rows(statement);
}

static void write_source(const dosi_source *source)
{
    const char *label = "statements";

    printf("key         [%s]\n", source->key);
    printf("source      %s\n", source->work);
    for (size_t i = 0; i < dosi_statement_count(); i++) {
        dosi_statement statement = dosi_statement_at(i);
        if (!cites(statement.citation, source->key))
            continue;
        printf("%-11s %s, %s: %s\n", label, statement.id, statement.citation,
            statement.meaning);
        label = "";
    }
}

static void write_row_json(const dosi_formula_info *info)
{
    dosi_statement statement = statement_of(info->id);

    putchar('{');
    cli_json_formula(info);
    cli_json_text("statement", statement.id, false);
    cli_json_text("citation", statement.citation, false);
    putchar('}');
}

static void write_statement_json(const dosi_statement *statement)
{
    const char *comma = "";

    putchar('{');
    cli_json_text("id", statement->id, true);
    cli_json_text("citation", statement->citation, false);
    cli_json_text("meaning", statement->meaning, false);
    cli_json_key("rows", false);
    putchar('[');
    for (size_t i = 0; i < dosi_formula_count(); i++) {
        dosi_formula_info info = dosi_formula_at(i);
        if (!has_row(statement, i))
            continue;
        fputs(comma, stdout);
        cli_json_string(info.id, strlen(info.id));
        comma = ",";
    }
    fputs("]}", stdout);
}

static void write_source_json(const dosi_source *source)
{
    putchar('{');
    cli_json_text("key", source->key, true);
    cli_json_text("work", source->work, false);
    putchar('}');
}

/* Letters that have to be changed, left out or put in; both have fewer than
 * MAX_BYTES. */
static size_t distance(const char *a, const char *b)
{
    size_t cost[MAX_BYTES + 1];
    size_t n = strlen(b);

    for (size_t j = 0; j <= n; j++)
        cost[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = cost[0]++;
        for (size_t j = 0; j < n; j++) {
            size_t best = diagonal + (a[i] != b[j]);
            diagonal = cost[j + 1];
            if (cost[j] + 1 < best)
                best = cost[j] + 1;
            if (diagonal + 1 < best)
                best = diagonal + 1;
            cost[j + 1] = best;
        }
    }
    return cost[n];
}

/* The id of a row or statement, or the name of a row, at an index. */
static const char *name_at(size_t index)
{
    size_t n = dosi_formula_count();

    if (index < n)
        return dosi_formula_at(index).id;
    if (index < 2 * n)
        return dosi_formula_at(index - n).name;
    return dosi_statement_at(index - 2 * n).id;
}

/* Keeps the N_NEAREST names that are nearest, the nearest first. */
static void keep_nearest(
    const char **names, size_t *steps, const char *name, size_t distance)
{
    size_t i = N_NEAREST - 1;

    if (distance >= steps[i])
        return;
    for (; i > 0 && distance < steps[i - 1]; i--) {
        names[i] = names[i - 1];
        steps[i] = steps[i - 1];
    }
    names[i] = name;
    steps[i] = distance;
}

static int write_nearest(const struct cli_arguments *args, const char *text)
{
    dosi_error err = {.status = DOSI_EINVAL, .offset = DOSI_NO_OFFSET};
    const char *names[N_NEAREST] = {"", "", ""};
    size_t steps[N_NEAREST] = {MAX_BYTES, MAX_BYTES, MAX_BYTES};

    for (const char *c = text; *c != '\0'; c++)
        if (*c < ' ' || *c > '~') /* a message is one line of plain text */
            text = "";
    for (size_t i = 0;
         name_at(i)[0] != '\0' && text[0] != '\0' && strlen(text) < MAX_BYTES;
         i++)
        keep_nearest(names, steps, name_at(i), distance(text, name_at(i)));
    snprintf(err.message, sizeof err.message,
        "there is no formula, statement or source '%.60s'%s%s%s%s%s%s", text,
        names[0][0] != '\0' ? "; nearest: " : "", names[0],
        names[1][0] != '\0' ? ", " : "", names[1],
        names[2][0] != '\0' ? ", " : "", names[2]);
    return cli_fail(args, &err, NULL, 0);
}

/* The statements that are cited so; how many. */
static size_t show_cited(const char *text, bool is_number, bool json)
{
    size_t n = 0;

    for (size_t i = 0; i < dosi_statement_count(); i++) {
        dosi_statement statement = dosi_statement_at(i);
        if (!is_cited(statement.citation, text, is_number))
            continue;
        if (n++ > 0)
            putchar('\n');
        if (json)
            write_statement_json(&statement);
        else
            write_statement(&statement);
    }
    return n;
}

/* What an id names: a row, and the statement with that id or that it is a
 * part of. Whether there is something. */
static bool show_id(const char *id, bool json)
{
    dosi_statement statement = statement_of(id);
    dosi_error err;
    size_t index;
    bool is_row = dosi_formula_find(&index, id, &err) == DOSI_OK;

    if (is_row) {
        dosi_formula_info info = dosi_formula_at(index);
        if (json)
            write_row_json(&info);
        else
            write_row(&info);
    } else if (statement.id[0] != '\0') {
        if (json)
            write_statement_json(&statement);
        else
            write_statement(&statement);
    }
    return is_row || statement.id[0] != '\0';
}

int cli_formula_show(const struct cli_arguments *args)
{
    if (args->n_operands != 2)
        return cli_usage(args, "show needs one ID");
    const char *text = args->operands[1];
    bool json = cli_has(args, OPTION_JSON);
    size_t index = source_named(text);

    if (index < dosi_source_count()) {
        dosi_source source = dosi_source_at(index);
        if (json)
            write_source_json(&source);
        else
            write_source(&source);
    } else if (!show_id(text, json) && show_cited(text, false, json) == 0 &&
               show_cited(text, true, json) == 0) {
        return write_nearest(args, text);
    }
    if (json)
        putchar('\n');
    return CLI_YES;
}
