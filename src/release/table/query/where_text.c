/*
 * Parses conditions on rows, C OP VALUE.
 */
#include "where_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define FORM "C OP VALUE with = != < <= > or >= and a number or 'text'"

/* The operator at *at, which moves past it. */
static bool take_operator(enum table_operator *out, const char **at)
{
    static const struct {
        const char *text;
        enum table_operator op;
    } operators[] = {{"!=", TABLE_NE}, {"<=", TABLE_LE}, {">=", TABLE_GE},
        {"=", TABLE_EQ}, {"<", TABLE_LT}, {">", TABLE_GT}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        size_t n = strlen(operators[i].text);
        if (strncmp(*at, operators[i].text, n) == 0) {
            *out = operators[i].op;
            *at += n + strspn(*at + n, " ");
            return true;
        }
    }
    return false;
}

/* The text between the quotes that open at text and close at its end. */
static char *quoted_text(const char *text, bool *is_good)
{
    char quote = text[0];
    char *out = text_copy(text + 1, strlen(text + 1));
    size_t n = 0;
    *is_good = false;
    for (const char *at = text + 1; out != NULL && *at != '\0'; at++) {
        if (*at == quote && *++at != quote) {
            *is_good = *at == '\0';
            break;
        }
        out[n++] = *at;
    }
    if (out != NULL)
        out[n] = '\0';
    return out;
}

static dosi_status read_operand(struct condition *out, const char *value,
    const char *text, const char *what, dosi_error *err)
{
    struct exact_decimal number;
    bool is_good = true;
    out->is_text = value[0] == '\'' || value[0] == '"';
    if (out->is_text) {
        out->operand = quoted_text(value, &is_good);
    } else {
        size_t n = strlen(value);
        while (n > 0 && value[n - 1] == ' ')
            n--;
        is_good = exact_parse(&number, value, n);
        out->operand = text_copy(value, n);
    }
    if (out->operand == NULL)
        return dosi_fail_memory(err);
    return is_good ? DOSI_OK : text_refuse(err, what, FORM, text);
}

dosi_status where_parse(struct condition *out, const char *text,
    const char *what, dosi_error *err)
{
    const char *at = text;
    dosi_status status;
    *out = (struct condition){0};
    if (*at == '"') {
        status = text_name(&out->name, &at, " =!<>", what, err);
        if (status != DOSI_OK)
            return status;
    } else {
        size_t n = strcspn(at, "=!<>");
        at += n;
        while (n > 0 && text[n - 1] == ' ')
            n--;
        if (n == 0)
            return text_refuse(err, what, FORM, text);
        out->name = text_copy(text, n);
        if (out->name == NULL)
            return dosi_fail_memory(err);
    }
    at += strspn(at, " ");
    status = take_operator(&out->op, &at)
                 ? read_operand(out, at, text, what, err)
                 : text_refuse(err, what, FORM, text);
    if (status != DOSI_OK) {
        free(out->name);
        free(out->operand);
        *out = (struct condition){0};
    }
    return status;
}
