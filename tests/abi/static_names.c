/*
 * A program that links the three static libraries and defines functions under
 * names that the libraries use inside. The link fails if one of the names
 * leaves a library, and the answers are wrong if a library calls these.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter.h"
#include "dosimeter/json.h"
#include "dosimeter/release.h"

/* Names from layers that libraries share, then from one library each. */
#define TAKEN(name) \
    void name(void); \
    void name(void) \
    { \
        puts("a library called " #name); \
        exit(1); \
    }
TAKEN(dosi_buffer_bytes)
TAKEN(ball_add)
TAKEN(decimal_read)
TAKEN(envelope_pieces)
TAKEN(json_text_read)
TAKEN(words_expand)
TAKEN(clip_add)

static int failed(const char *step, const dosi_error *err)
{
    printf("%s: %s\n", step, err->message);
    return 1;
}

int main(void)
{
    static const char text[] = "{\"kind\":\"gaussian\",\"sigma\":1}";
    const dosi_plan *plan;
    dosi_noise *noise;
    dosi_answer answer;
    dosi_error err;

    if (dosi_json_read_plan(&plan, text, strlen(text), &err))
        return failed("json", &err);
    if (dosi_delta_at_epsilon(&answer, plan, 1, NULL, &err))
        return failed("delta", &err);
    dosi_plan_free(plan);
    if (!(fabs(answer.value.hi - 0.12693673750664394) < 1e-15))
        return printf("delta is %.17g\n", answer.value.hi), 1;
    if (dosi_noise_new(
            &noise, DOSI_NOISE_DISCRETE_LAPLACE, 2, DOSI_TIMING_FAST, &err))
        return failed("noise", &err);
    dosi_noise_free(noise);
    return 0;
}
