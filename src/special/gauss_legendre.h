/*
 * Nodes and weights of the Gauss-Legendre rule with 20 points on [-1, 1]:
 * the positive nodes, each with its mirror image, as double-doubles within
 * 2^-106 of the exact values. Digits: mpmath at 60 decimals, roots of P_20
 * and 2/((1 - x^2) P_20'(x)^2).
 *
 * For f analytic and |f| <= m inside the ellipse with foci -1 and 1 whose
 * semi-axes add to rho > 1, the rule errs by at most
 *
 *     8 m rho^-39 / (rho - 1):
 *
 * it is exact for polynomials of degree 39, one of which is within
 * 2 m rho^-39/(rho - 1) of f on [-1, 1] (Chebyshev series), and the integral
 * and the rule, whose weights are positive and add to 2, each lose at most
 * twice that.
 */
#ifndef DOSI_SPECIAL_GAUSS_LEGENDRE_H
#define DOSI_SPECIAL_GAUSS_LEGENDRE_H

#define GAUSS_HALF 10

/* node hi, node lo, weight hi, weight lo */
static const double gauss_table[GAUSS_HALF][4] = {
    {0x1.3973df98b86b0p-4, -0x1.5040ab2e8b077p-58,
        0x1.38d6c490a3370p-3, 0x1.ee7b50b7712c8p-57},
    {0x1.d281636928bc0p-3, 0x1.6ca937f7895eap-57,
        0x1.31819b52c5992p-3, 0x1.923461e3dd7efp-58},
    {0x1.7eaccf15652c4p-2, 0x1.b7673f9fe2006p-57,
        0x1.230348f34a535p-3, 0x1.769adf7bb90a5p-57},
    {0x1.05905c13f7ff7p-1, -0x1.06d28cd48471ep-55,
        0x1.0db2c5db26dffp-3, -0x1.779e855c1cffbp-57},
    {0x1.45a8d3fa710dbp-1, 0x1.17ac7e2c2bdd9p-61,
        0x1.e41ff31573b48p-4, 0x1.872c21a05dc8ap-58},
    {0x1.7e1f37346a54ep-1, -0x1.cad6555373b9fp-59,
        0x1.a1817a317a821p-4, -0x1.e22351b1b1503p-58},
    {0x1.ada0bd5efd6e7p-1, 0x1.7ac409a6c8b90p-55,
        0x1.5519fe196e24ap-4, -0x1.bc1e5c170efd9p-58},
    {0x1.d31064173fd92p-1, -0x1.73672edab9d36p-55,
        0x1.00b467df7e475p-4, -0x1.3ac2b0e3b0038p-58},
    {0x1.ed8dba7bd769fp-1, -0x1.4c597b9cc8a04p-56,
        0x1.4c9b5ea53b67fp-5, 0x1.89da97ec3b190p-59},
    {0x1.fc7b5a0c71ce0p-1, 0x1.72181cfa7567fp-55,
        0x1.209680274e8afp-6, 0x1.fc73983fd0ef4p-62},
};

#endif
