/*
 * The rows whose exact value is a probability, or a difference of two, for
 * all parameters that they take: their ends are cut at 0 and 1. Bounds that
 * may exceed 1, such as sums of deltas, are not among them, nor are numbers
 * of laws that the reader gives with sums of nearly 1.
 */
#include "formula.h"

#include <string.h>

static const char *const probabilities[] = {
    "T000-02.tv", "T000-02.test_accuracy", "T000-06.q_tail", "T000-07.delta",
    "T000-07.delta_reverse", "T000-07.tail", "T000-03.tv", "T000-04.tpr",
    "T000-04.tnr", "T000-04.min_fnr", "T000-08.delta", "T000-08.delta_rho",
    "T000-08.tail_bound", "T000-10.delta", "T000-10.k_delta", "T000-24.p_truth",
    "T000-24.p_lie", "S000-7.kov_delta", "S000-7.hetero_delta",
    "D000-sgm.delta_add", "D000-sgm.delta_rem", "D000-laplace.delta",
    "S000-7.tight_delta_add", "S000-7.tight_delta_rem",
    "S000-4.max_prob_of_eps", "T001-D1.power", "T001-E4.roc", "T001-E4.f",
    "T001-E4.fixedpoint", "T001-E4.tv", "T001-P5.sup", "T001-E5.G",
    "T001-E5.roc", "T001-E5.fixedpoint", "T001-E5.tv", "T001-P7.laplace",
    "T001-P7.fixedpoint", "T001-P7.delta", "T001-P8.env", "T001-E3.fp_inv",
    "T001-P2.fS", "T001-C1.delta", "T001-P6.delta_ed", "T001-T3.group_ed",
    "T001-T3.group_G", "T001-T3.group_CG", "T001-E11.delta", "T001-E11.delta_n",
    "T001-E12.gauss", "T001-E12.gauss_delta", "T001-E13.CG", "T001-E13.CG_roc",
    "T001-E15.delta_CG", "T001-E14.intercept", "T001-E14.C",
    "T001-E15.delta_Ced", "T001-S33.delta", "T001-S33.f", "T001-S33.delta_ed",
    "T001-S33.hetero_delta", "T001-D5.gauss_laplace", "T001-D5.gauss_ed",
    "T001-D5.laplace_laplace", "T001-D5.CG_CG", "T001-D5.CG_gauss",
    "T001-T10.delta", "T001-T10.beta", "X002-hs.delta_exact",
    "X002-hs.gauss.delta_exact", "T003-6.ex2-exactprob", "T003-7.3-prob",
    "T003-8.5-pkeep", "T003-8.5-pflip", "T003-8.2-delta", "T003-8.2-delta-k",
    "X003-rr-compose-delta", "X004-11.gauss_delta_at", "T004-PROF.delta",
    "T004-3.delta", "T004-4.delta", "T004-5.tail", "T004-5.tail_rev",
    "T004-RR.delta", "T004-RR.psi", "T004-RR.p", "T004-RR.one_minus_p",
    "F004-1.laplace", "F004-1.gauss", "F004-1.rr", "T004-GPROF.delta",
    "T004-GB.delta", "T004-M.delta", "T004-12.delta", "X004-12.q",
    "T004-13.delta_at", "T004-2.beta", "T004-2.one_minus_beta",
    "T004-TAB1.eta_wor", "T004-TAB1.eta_wr", "T004-8.delta_at",
    "X004-8.add_delta_at", "T004-9.delta_at", "T004-10.delta_at", "F004-3.base",
    "F004-3.poisson_or_wor", "T004-8.calib_gamma",
    "R105-dgauss.pmf", "R105-dgauss.sf", "R105-dlaplace.pmf",
    "R105-dlaplace.sf", "R105-rgauss.pmf", "R105-rgauss.sf",
    "R105-rlaplace.pmf", "R105-rlaplace.sf", "R105-threshold.delta",
    "R105-rr.keep", "R105-expmech.p", "R105-pf.p", "R105-quantile.p",
};

bool formula_is_probability(const char *id)
{
    const size_t n = sizeof probabilities / sizeof *probabilities;
    for (size_t i = 0; i < n; i++)
        if (strcmp(id, probabilities[i]) == 0)
            return true;
    return false;
}
