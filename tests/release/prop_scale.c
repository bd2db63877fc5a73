/*
 * scale_upper against Arb: the product rounded up to a double, for random and
 * extreme scales and distances of up to 128 bits.
 */
#include <arb.h>

#include "support/random.h"
#include "release/scale.h"

static uint128 draw_distance(prop_random *r)
{
    uint128 x = (uint128)prop_bits(r) << 64 | prop_bits(r);
    if (prop_below(r, 3) == 0)
        x = ~(uint128)0;
    x >>= prop_below(r, 128);
    return prop_below(r, 40) ? x : 0;
}

static void property_product(prop_random *r)
{
    double sigma = prop_below(r, 3) ? prop_scaled(r, -10, 40)
                                    : prop_scaled(r, -1074, 1023);
    uint128 distance = draw_distance(r);
    uint64_t parts[2] = {(uint64_t)distance, (uint64_t)(distance >> 64)};
    arf_t x;
    fmpz_t z;
    arf_init(x);
    fmpz_init(z);
    fmpz_set_ui_array(z, (const ulong *)parts, 2);
    arf_set_d(x, sigma);
    arf_mul_fmpz(x, x, z, ARF_PREC_EXACT, ARF_RND_DOWN);
    double expected = arf_get_d(x, ARF_RND_CEIL);
    double found = scale_upper(sigma, distance);
    if (found != expected) {
        printf("wrong: %a, %a for %a\n", found, expected, sigma);
        exit(1);
    }
    fmpz_clear(z);
    arf_clear(x);
}

int main(void)
{
    static const prop_property properties[] = {{property_product, 200000}};
    prop_random r = prop_start("prop_scale");
    if (scale_upper(DBL_MAX, 2) != HUGE_VAL || scale_upper(0, 3) != 0)
        return 1;
    /* (double)distance would round down here */
    if (scale_upper(1, ((uint128)1 << 53) + 1) != 0x1p53 + 2)
        return 1;
    prop_run(&r, properties, 1);
    flint_cleanup();
    return 0;
}
