/*
 * Foreign JSON as a plan and as a question: a plan that is read prints and
 * reads back as an equal one, and every question has a one-line answer.
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter.h"
#include "dosimeter/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_back(const dosi_plan *plan)
{
    size_t length = 0;
    dosi_error err;
    if (dosi_plan_print(NULL, 0, &length, plan, DOSI_FORM_JSON, &err) != 0)
        abort();
    char *text = malloc(length + 1);
    const dosi_plan *back = NULL;
    if (text == NULL ||
        dosi_plan_print(
            text, length + 1, &length, plan, DOSI_FORM_JSON, &err) != DOSI_OK ||
        dosi_json_read_plan(&back, text, length, &err) != DOSI_OK ||
        !dosi_plan_equal(plan, back))
        abort();
    dosi_plan_free(back);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const dosi_plan *plan = NULL;
    dosi_error err;
    if (dosi_json_read_plan(&plan, text, size, &err) == DOSI_OK)
        read_back(plan);
    else if (strlen(err.message) == 0 || strchr(err.message, '\n') != NULL)
        abort();
    dosi_plan_free(plan);
    char *answer = NULL;
    if (dosi_json_answer(&answer, text, size, NULL, &err) != DOSI_OK)
        abort();
    if (strchr(answer, '\n') != NULL)
        abort();
    dosi_json_free(answer);
    dosi_sampler *sampler = NULL;
    if (dosi_json_read_sampler(
            &sampler, text, size, DOSI_REPLACE, &err) != DOSI_OK &&
        (strlen(err.message) == 0 || strchr(err.message, '\n') != NULL))
        abort();
    dosi_sampler_free(sampler);
    dosi_json_claims *claims = NULL;
    if (dosi_json_read_claims(
            &claims, text, size, DOSI_NATURAL, &err) != DOSI_OK &&
        (strlen(err.message) == 0 || strchr(err.message, '\n') != NULL))
        abort();
    dosi_json_claims_free(claims);
    return 0;
}
