/*
 * Numbers and JSON on stdout: intervals for people, rounded outward, and the
 * few JSON tokens that the commands put together.
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Digits that show the width and a little more; an ulp shows as 12. */
int cli_interval_digits(dosi_interval x)
{
    double scale = fmax(fabs(x.lo), fabs(x.hi));
    double width = x.hi - x.lo;

    if (!(width > 0))
        return 12;
    if (!(scale < HUGE_VAL))
        return 6;
    double digits = 3 - floor(log10(width / scale));
    return digits > 12 ? 12 : (int)digits;
}

void cli_interval_text(char *text, dosi_interval x, int n_digits)
{
    if (n_digits == 0)
        n_digits = cli_interval_digits(x);
    text += dosi_print_lower(text, x.lo, n_digits);
    memcpy(text, " .. ", sizeof " .. ");
    dosi_print_upper(text + 4, x.hi, n_digits);
}

/* Whether what is printed of the safe end is on its side of the target. */
static bool shows(const char *text, double target, bool is_lower)
{
    double shown = strtod(text, NULL);

    return is_lower ? shown >= target : shown <= target;
}

void cli_interval_against(char *text, dosi_interval x, int n_digits,
    double target, bool is_lower)
{
    size_t (*print)(char *, double, int) =
        is_lower ? dosi_print_lower : dosi_print_upper;
    double end = is_lower ? x.lo : x.hi;
    char shown[DOSI_NUMBER_BYTES], other[DOSI_NUMBER_BYTES];

    print(shown, end, n_digits);
    if (end == target) { /* as the target is printed */
        dosi_print_exact(shown, end);
    } else if (is_lower ? end > target : end < target) {
        /* 17 digits tell any two doubles apart, also rounded outward */
        while (n_digits < 17 && !shows(shown, target, is_lower))
            print(shown, end, ++n_digits);
    }
    if (is_lower)
        dosi_print_upper(other, x.hi, n_digits);
    else
        dosi_print_lower(other, x.lo, n_digits);
    snprintf(text, CLI_INTERVAL_BYTES, "%s .. %s", is_lower ? shown : other,
        is_lower ? other : shown);
}

void cli_write_interval(dosi_interval x, int n_digits)
{
    char text[CLI_INTERVAL_BYTES];

    cli_interval_text(text, x, n_digits);
    fputs(text, stdout);
}

void cli_json_number(double x)
{
    char text[DOSI_NUMBER_BYTES];

    dosi_print_exact(text, x);
    if (isinf(x))
        printf("\"%s\"", text);
    else
        fputs(text, stdout);
}

/* Bytes of a well-formed sequence (RFC 3629) at s, or 0. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    if (s[0] < 0x80)
        return 1;
    size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

size_t cli_utf8_length(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t length = utf8_length(s, n);

    if (length == 1 && (s[0] < 0x20 || s[0] == 0x7f))
        return 0; /* C0 and DEL */
    if (length == 2 && s[0] == 0xc2 && s[1] < 0xa0)
        return 0; /* C1 */
    if (length == 3 && s[0] == 0xe2 &&
        ((s[1] == 0x80 && s[2] >= 0xa8) || (s[1] == 0x81 && s[2] >= 0xa6)))
        return 0; /* U+2028..202F and U+2066..: separators, direction */
    return length;
}

int cli_text_check(
    const struct cli_arguments *args, enum cli_option_id option)
{
    const char *text = cli_value(args, option);

    for (size_t n; text != NULL && *text != '\0'; text += n) {
        n = cli_utf8_length(text, strlen(text));
        if (n == 0)
            return cli_usage(args,
                "%s needs UTF-8 text without control characters, got \"%s\"",
                cli_options[option].name, cli_value(args, option));
    }
    return CLI_YES;
}

void cli_json_string(const char *s, size_t n)
{
    putchar('"');
    for (size_t i = 0; i < n;) {
        unsigned char c = (unsigned char)s[i];
        size_t length = cli_utf8_length(s + i, n - i);
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
            i++;
        } else if (length > 0) {
            fwrite(s + i, 1, length, stdout);
            i += length;
        } else {
            printf("\\u%04x", c < 0x80 ? c : 0xfffdu);
            i++;
        }
    }
    putchar('"');
}

void cli_json_key(const char *name, bool first)
{
    if (!first)
        putchar(',');
    cli_json_string(name, strlen(name));
    putchar(':');
}

void cli_json_text(const char *name, const char *value, bool first)
{
    cli_json_key(name, first);
    cli_json_string(value, strlen(value));
}

void cli_json_theorem(const char *theorem)
{
    char citation[DOSI_CITATION_BYTES];

    cli_json_text("theorem", theorem, false);
    dosi_citation(citation, theorem);
    cli_json_text("citation", citation, false);
}

void cli_json_interval(const char *name, dosi_interval x, bool first)
{
    cli_json_key(name, first);
    putchar('{');
    cli_json_key("lower", true);
    cli_json_number(x.lo);
    cli_json_key("upper", false);
    cli_json_number(x.hi);
    putchar('}');
}
