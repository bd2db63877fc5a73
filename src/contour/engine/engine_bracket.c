/*
 * Newton steps and certain signs of log delta on one contour.
 * docs/theory/contour.md.
 */
#include "engine_bracket.h"

dosi_interval inversion_at(const inversion *in, double epsilon)
{
    dosi_interval found;
    if (!contour_beyond_largest(&found, in->s, epsilon))
        found = contour_read(&in->s->contour, epsilon);
    return found;
}

void inversion_polish(inversion *in)
{
    double y_last = 0, x_last = 0;
    for (int i = 0; i < 12; i++) {
        dosi_interval f = inversion_at(in, in->x);
        if (!(f.hi > -HUGE_VAL))
            break;
        bool wide = !(f.hi - f.lo < 1);
        double y = in->target.hi - (wide ? f.hi : (f.lo + f.hi) / 2);
        double slope = (y - y_last) / (in->x - x_last);
        if (i > 0 && slope > 0 && slope < HUGE_VAL)
            in->slope = slope;
        x_last = in->x;
        y_last = y;
        in->slack = f.hi - f.lo;
        in->x = fmax(in->x - y / in->slope, in->x / 8);
        if (fabs(y) <= fmax(in->slack / 4, 0x1p-52 * fabs(in->target.hi)))
            break;
    }
}

double inversion_certain(const inversion *in, double side, double most)
{
    double step = 0.6 * in->slack / in->slope +
                  fmax(0x1p-52, in->ease) * in->x;
    if (!(step < HUGE_VAL))
        step = 1e-3 * in->x;
    for (int i = 0; i < 64; i++, step *= i < 4 ? 1.3 : 3) {
        double y = in->x + side * step;
        if (!(y > 0 && y < most))
            break;
        dosi_interval f = inversion_at(in, y);
        if (side > 0 ? f.hi <= in->target.lo : f.lo >= in->target.hi)
            return y;
    }
    return side > 0 ? most : 0;
}

dosi_interval inversion_narrow(
    inversion *in, dosi_interval known, double slope)
{
    double a = known.lo, b = known.hi, fa = NAN, fb = NAN;
    for (int i = 0; i < 80 && (b == HUGE_VAL || b - a > 0x1p-50 * b); i++) {
        double x = a + (b - a) * fa / (fa - fb);
        if (isnan(x))
            x = fmax(a + fa / slope, b + fb / slope); /* fmax drops a NaN */
        if (b == HUGE_VAL)
            x = fmax(2 * a, 1);
        else if (!(x > a && x < b) || i % 8 == 7)
            x = a > 0 && b > 4 * a ? sqrt(a * b) : a / 2 + b / 2;
        dosi_interval f = inversion_at(in, x);
        double y = (f.lo + f.hi) / 2 - in->target.hi;
        y = f.hi - f.lo < 1 ? y : NAN;
        if (f.lo >= in->target.hi) {
            a = x;
            fb /= 2;
            fa = y;
        } else if (f.hi <= in->target.lo) {
            b = x;
            fa /= 2;
            fb = y;
        } else {
            in->x = x;
            in->slack = f.hi - f.lo;
            if (fa > fb)
                in->slope = (fa - fb) / (b - a);
            break;
        }
    }
    return (dosi_interval){a, b};
}
