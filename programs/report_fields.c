/*
 * What people say of a report besides the plan: texts of limited length, and
 * a date of the calendar.
 */
#include "report_page.h"

#include <string.h>

/* One row a field: where it is kept, and how many letters it may have. */
static const struct field {
    enum cli_option_id option;
    size_t offset;
    size_t most_letters;
} fields[] = {
    {OPTION_TITLE, offsetof(struct report_fields, title), 200},
    {OPTION_DATA_SET, offsetof(struct report_fields, data_set), 200},
    {OPTION_UNIT, offsetof(struct report_fields, unit), 60},
    {OPTION_OWNER, offsetof(struct report_fields, owner), 200},
    {OPTION_PURPOSE, offsetof(struct report_fields, purpose), 1000},
    {OPTION_DATE, offsetof(struct report_fields, date), 10},
    {OPTION_CONTACT, offsetof(struct report_fields, contact), 200},
};

static size_t letters_of(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static int two_digits(const char *text)
{
    return 10 * (text[0] - '0') + text[1] - '0';
}

/* Whether the text is YYYY-MM-DD, a day of the Gregorian calendar. */
static bool is_date(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-')
        return false;
    for (int i = 0; i < 10; i++)
        if (i != 4 && i != 7 && (text[i] < '0' || text[i] > '9'))
            return false;
    int year = 100 * two_digits(text) + two_digits(text + 2);
    int month = two_digits(text + 5), day = two_digits(text + 8);
    bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month < 1 || month > 12)
        return false;
    return day >= 1 && day <= days[month - 1] + (month == 2 && is_leap);
}

static int read_field(
    struct report_fields *out, const struct cli_arguments *args, size_t i)
{
    const char *value = cli_value(args, fields[i].option);
    const char *name = cli_options[fields[i].option].name;

    int status = cli_text_check(args, fields[i].option);
    if (value == NULL || status != CLI_YES)
        return status;
    if (strspn(value, " ") == strlen(value))
        return cli_usage(args, "%s is empty", name);
    if (letters_of(value) > fields[i].most_letters)
        return cli_usage(args, "%s has at most %zu letters, got %zu", name,
            fields[i].most_letters, letters_of(value));
    if (fields[i].option == OPTION_DATE && !is_date(value))
        return cli_usage(args,
            "--date is a day of the calendar as YYYY-MM-DD, got \"%s\"", value);
    memcpy((char *)out + fields[i].offset, &value, sizeof value);
    return CLI_YES;
}

int report_fields_read(
    struct report_fields *out, const struct cli_arguments *args)
{
    int status = CLI_YES;

    *out = (struct report_fields){0};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (status == CLI_YES)
            status = read_field(out, args, i);
    return status;
}
