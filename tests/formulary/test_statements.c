/*
 * What answers cite: ids of statements and of their parts, the texts that
 * people cite by, and that every row of the formulary belongs to a statement.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter.h"

static void belongs(const char *id, const char *statement)
{
    dosi_error err;
    size_t index = SIZE_MAX;
    dosi_status status = dosi_statement_find(&index, id, &err);
    if (statement == NULL) {
        assert_int_equal(status, DOSI_EINVAL);
        return;
    }
    assert_int_equal(status, DOSI_OK);
    assert_string_equal(dosi_statement_at(index).id, statement);
}

static void test_find(void **state)
{
    (void)state;
    belongs("T000-08", "T000-08");
    belongs("T000-08.delta", "T000-08");
    belongs("T000-33.2", "T000-33.2");  /* not T000-33 */
    belongs("T000-33.20", "T000-33");   /* not T000-33.2 */
    belongs("T003-1.10-indep", "T003-1.10");
    belongs("D003-3.3-tightrho", "D003-3.3");
    belongs("S000-7.tight_eps_rem", "S000-7.tight");
    belongs("X004-8.add", "X004-8.add");
    belongs("A002.pure", "A002");
    belongs("T000-0", NULL);
    belongs("T000-088", NULL);
    belongs("", NULL);
    belongs("gaussian.delta", NULL);
}

static void test_tables(void **state)
{
    (void)state;
    assert_true(dosi_statement_count() > 300);
    assert_true(dosi_source_count() > 20);
    for (size_t i = 0; i < dosi_statement_count(); i++) {
        dosi_statement x = dosi_statement_at(i);
        belongs(x.id, x.id); /* no id is there twice */
        assert_true(x.citation[0] != '\0' && x.meaning[0] != '\0');
        assert_null(strpbrk(x.meaning, "\n\r\t"));
    }
    for (size_t i = 0; i < dosi_formula_count(); i++) {
        dosi_error err;
        size_t index;
        assert_int_equal(
            dosi_statement_find(&index, dosi_formula_at(i).id, &err), DOSI_OK);
    }
    for (size_t i = 1; i < dosi_source_count(); i++)
        assert_true(
            strcmp(dosi_source_at(i - 1).key, dosi_source_at(i).key) < 0);
    assert_string_equal(dosi_statement_at(SIZE_MAX).id, "");
    assert_string_equal(dosi_source_at(SIZE_MAX).key, "");
}

static void cites(const char *theorem, const char *citation)
{
    char text[DOSI_CITATION_BYTES];
    assert_int_equal(dosi_citation(text, theorem), strlen(citation));
    assert_string_equal(text, citation);
}

static void test_citation(void **state)
{
    (void)state;
    cites("", "");
    cites("T000-08", "[Ste22] Cor 8 (T000-08)");
    cites("T000-08, T000-10", "[Ste22] Cor 8 (T000-08), Cor 10 (T000-10)");
    cites("T000-34, T002-9, C002-10",
        "[Ste22] Thm 34 (T000-34), [WBK19] Thm 9 (T002-9), Cor 10 (C002-10)");
    cites("T000-09, [ZDW22]", "[Ste22] Thm 9 (T000-09), [ZDW22]");
    cites("T000-13, D003-3.3-tightrho, T000-14",
        "[Ste22] Thm 13 (T000-13), docs/theory/concentrated.md, after [BS16] "
        "Prop 3.3 (D003-3.3-tightrho), [Ste22] Prop 14 (T000-14)");
    cites("counting lemma (docs/theory/couplings.md)",
        "counting lemma (docs/theory/couplings.md)");
    cites("no id, T000-99", "no id, T000-99");
}

/* A list that is too long is cut, with its terminator. */
static void test_long_citation(void **state)
{
    (void)state;
    char theorem[4096] = "T000-08", text[DOSI_CITATION_BYTES];
    while (strlen(theorem) < 4000)
        strcat(theorem, ", T002-9, T000-08");
    assert_int_equal(dosi_citation(text, theorem), DOSI_CITATION_BYTES - 1);
    assert_int_equal(strlen(text), DOSI_CITATION_BYTES - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_citation),
        cmocka_unit_test(test_long_citation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
