/*
 * The program dosimeter: a table of commands, a table of options, a loop.
 * Help, manual page, shell completion and docs/commands.md are printed from
 * these rows.
 */
#include "cli.h"

#include <string.h>

#define ON(command) (1u << COMMAND_##command)
#define TRAINING (ON(SGD) | ON(FEDERATED))
#define QUESTIONS (ON(EPSILON) | ON(DELTA) | ON(TRADEOFF) | ON(RENYI) | \
                   ON(ZCDP) | ON(GDP) | ON(RISK) | ON(EXPLAIN) | TRAINING)
#define LIMITED (ON(EPSILON) | ON(DELTA) | ON(TRADEOFF) | ON(COMPARE) | \
                 ON(GDP) | ON(RISK) | ON(EXPLAIN) | TRAINING)
#define DRAWN (ON(PLOT) | ON(REPORT))
#define EVERYWHERE ((1u << COMMAND_COUNT) - 1)

const struct cli_command cli_commands[COMMAND_COUNT] = {
    [COMMAND_EPSILON] = {"epsilon",
        "epsilon PLAN --delta D ...\n"
        "epsilon PLAN --log-delta X ...",
        1, 1, "PLAN", cli_ask,
        "the smallest epsilon for which the plan is (epsilon, delta)-DP",
        "The answer is an interval that contains the exact value; its upper "
        "end is safe to report.",
        "epsilon 'gaussian(50) * 10000' --delta 1e-5\n"
        "epsilon 'gaussian(1)' --delta 1e-6 --delta 1e-30\n"
        "epsilon 'gaussian(1)' --log-delta -2000"},
    [COMMAND_DELTA] = {"delta", "delta PLAN --epsilon E ...", 1, 1, "PLAN",
        cli_ask,
        "the smallest delta for which the plan is (epsilon, delta)-DP",
        "The answer is an interval that contains the exact value; its upper "
        "end is safe to report.",
        "delta 'laplace(10) * 3 + gaussian(4)' --epsilon 1\n"
        "delta 'rr(1, categories=4)' --epsilon 0 --epsilon 0.5"},
    [COMMAND_TRADEOFF] = {"tradeoff",
        "tradeoff PLAN --alpha A[,A...] ...\n"
        "tradeoff PLAN --points N [--csv]",
        1, 1, "PLAN", cli_ask,
        "the smallest type II error (beta) of any test at type I error alpha",
        "The test decides between two neighbouring data sets; the lower end "
        "is safe to report. --points asks for the whole curve, alpha 0 and 1 "
        "and equally spaced normal quantiles between them, which shows small "
        "errors of both kinds.",
        "tradeoff 'gaussian(1)' --alpha 0.05\n"
        "tradeoff 'laplace(1)' --points 11 --csv"},
    [COMMAND_RENYI] = {"renyi",
        "renyi PLAN --order A ... [--lower | --upper]", 1, 1, "PLAN",
        cli_ask, "the Renyi divergence between neighbours at an order",
        "The worse of both directions; the upper end is safe to report.",
        "renyi 'laplace(2)' --order 8"},
    [COMMAND_ZCDP] = {"zcdp", "zcdp PLAN [--xi X ...]", 1, 1, "PLAN",
        cli_ask, "the smallest rho for which the plan is (xi, rho)-zCDP",
        "That is, its Renyi divergence is at most xi + rho order at every "
        "order above 1. Without --xi at xi = 0; the upper end is safe to "
        "report.",
        "zcdp 'gaussian(5) * 20 + pure(0.1) * 3'\n"
        "zcdp 'pure(2)' --xi 0.5"},
    [COMMAND_GDP] = {"gdp", "gdp PLAN [--floor F ...]", 1, 1, "PLAN", cli_ask,
        "the smallest mu for which the plan is mu-GDP",
        "That is, no test between neighbours does better than one between "
        "N(0, 1) and N(mu, 1); the upper end is safe to report. First of all "
        "tests, then of those with both errors at least the floor: for "
        "sampled Gaussian noise the former is what it is without sampling, "
        "since tests of ever smaller errors find the runs in which a record "
        "was always sampled. Last the mu of the central limit theorem, an "
        "approximation, with the band of Berry and Esseen where there is "
        "one.",
        "gdp 'poisson(256/60000, gaussian(1.3)) * 14062'\n"
        "gdp 'pure(0.1) * 100' --floor 1e-9"},
    [COMMAND_RISK] = {"risk", "risk PLAN [--prior P]", 1, 1, "PLAN", cli_risk,
        "what an attacker who tells neighbours apart gains at best",
        "The attacker knows every other record and asks whether one is in "
        "the data; a positive test says it is. Advantage is the largest "
        "difference of true and false positive rates, accuracy the share of "
        "right guesses, posterior the probability that the record is there "
        "after a positive test. Upper ends are safe to report.",
        "risk 'poisson(256/60000, gaussian(1.3)) * 14062' --prior 0.01"},
    [COMMAND_COMPARE] = {"compare",
        "compare PLAN --delta D ...\n"
        "compare PLAN --log-delta X ...\n"
        "compare PLAN --epsilon E ...\n"
        "compare PLAN --alpha A ...",
        1, 1, "PLAN", cli_compare,
        "what every route says of a plan, best first",
        "Each route is asked alone: its interval, how wide that is relative "
        "to its larger end, how long it took, and the theorem behind it. "
        "Routes that bound nothing come last, with the reason. All "
        "intervals contain the exact value; the first line is what they say "
        "together.",
        "compare 'poisson(0.01, gaussian(1.1)) * 10000' --delta 1e-5\n"
        "compare 'laplace(10) * 3 + gaussian(4)' --epsilon 1 --csv"},
    [COMMAND_CALIBRATE] = {"calibrate",
        "calibrate PLAN --epsilon E --delta D ...\n"
        "calibrate PLAN --alpha A --beta B ...\n"
        "calibrate PLAN --mu M [--floor F] ...\n"
        "calibrate PLAN --rho R [--xi X] ...\n"
        "calibrate PLAN --renyi R --order A ...\n"
        "calibrate PLAN --advantage V",
        1, 1, "PLAN", cli_calibrate,
        "the number for the hole \"?\" of a plan that meets targets",
        "Any one number of the plan may be the hole: noise, a rate, a count, "
        "a budget. The answer is the least safe number whose certified "
        "answer is within every target, to the last digit of a double, or "
        "the largest or smallest integer; with it come the number beside it, "
        "which is not safe, and one of few digits on the safe side. Targets "
        "may be mixed and repeated; the i-th --epsilon goes with the i-th "
        "--delta.",
        "calibrate 'poisson(0.004, gaussian(?)) * 20000' --epsilon 1 "
        "--delta 1e-6\n"
        "calibrate 'poisson(?, gaussian(1)) * 20000' --epsilon 3 "
        "--delta 1e-6\n"
        "calibrate 'poisson(0.01, gaussian(1)) * ?' --epsilon 3 "
        "--delta 1e-6"},
    [COMMAND_SGD] = {"sgd",
        "sgd --examples N --batch B --epochs E --noise Z --delta D ...\n"
        "sgd --examples N --batch B --steps T --noise-std S --clip C "
        "--delta D ...\n"
        "sgd --examples N --batch B --epochs E --epsilon E --delta D",
        0, 0, "", cli_training,
        "epsilon of training by noisy gradients, or the noise for an epsilon",
        "From whole numbers: the rate is batch x accumulate / examples, the "
        "steps are epochs x examples / (batch x accumulate), rounded up, and "
        "the plan that follows is printed. Without --sampler the batches are "
        "taken for Poisson samples, and the answer for a shuffled loader, "
        "for which no amplification is implemented, is given beside. The "
        "flags of TF Privacy's commands are understood: --N, --batch_size, "
        "--noise_multiplier, --max_examples_per_user, --used_microbatching, "
        "--accountant_type.",
        "sgd --examples 60000 --batch 256 --epochs 60 --noise 1.1 "
        "--delta 1e-5\n"
        "sgd --examples 10000 --batch 16 --accumulate 4 --epochs 5 "
        "--epsilon 2 --delta 1e-6 --sampler poisson\n"
        "sgd --examples 10000 --batch 64 --epochs 5 --noise-std 0.02 "
        "--clip 0.5 --added-to mean --delta 1e-6 --max-per-user 3"},
    [COMMAND_FEDERATED] = {"federated",
        "federated --clients N --per-round B --rounds T --noise Z "
        "--delta D ...\n"
        "federated --clients N --per-round B --rounds T --epsilon E --delta D",
        0, 0, "", cli_training,
        "epsilon of federated training, or the noise for an epsilon",
        "The unit is a client with all its data. A round is one noisy sum of "
        "clipped updates, however many local steps a client takes; the rate "
        "is per-round / clients, and delta is that of the whole training.",
        "federated --clients 100000 --per-round 500 --rounds 2000 "
        "--noise 1.0 --delta 1e-7"},
    [COMMAND_TRAIN] = {"train",
        "train FILE --label C --categories C:a,b,... --bounds LO..HI "
        "--model MODEL --examples N --batch B --steps T --clip C "
        "--learning-rate R --epsilon E --delta D -o MODEL\n"
        "train FILE ... --noise Z --delta D -o MODEL\n"
        "train FILE ... --checkpoint FILE --resume -o MODEL",
        1, 1, "FILE", cli_train,
        "a model trained on a CSV file by NoisySGD or NoisyAdam",
        "Batches are drawn by exact coins, each record's gradient is clipped "
        "to an integer grid, sums are exact and the noise has exactly the "
        "law of the plan. Bounds, categories and the number of examples are "
        "declared, never taken from the data: features are mapped by their "
        "bounds to [0, 1], those with categories to one input each. A record "
        "with a missing feature or an undeclared label counts for nothing. "
        "While it runs only steps are shown. FILE is CSV, or - for standard "
        "input; the model is JSON for predict. A checkpoint that is "
        "continued never draws the noise of more than the planned steps.",
        "train digits.csv --label digit "
        "--categories digit:0,1,2,3,4,5,6,7,8,9 --bounds 0..16 "
        "--model softmax --examples 1437 --batch 256 --steps 150 --clip 1 "
        "--learning-rate 2 --epsilon 3 --delta 1e-5 -o model.json"},
    [COMMAND_PREDICT] = {"predict", "predict MODEL FILE [--proba]", 2, 2,
        "MODEL and FILE", cli_predict,
        "what a model of train says of the rows of a CSV file",
        "One line for every line behind the header, as CSV: the class or "
        "value, with --proba the probability of every class; empty where a "
        "feature is missing. Nothing of FILE is protected: release does "
        "that.",
        "predict model.json new.csv --proba"},
    [COMMAND_EXPLAIN] = {"explain",
        "explain PLAN --delta D [--people N] [--markdown | --json]", 1, 1,
        "PLAN", cli_explain, "what a plan guarantees, in plain language",
        "What is guaranteed and to whom, in odds and in what an attacker "
        "gains, what delta means for so many people, which route and theorem "
        "say so, and what was assumed and not checked.",
        "explain 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 "
        "--people 60000"},
    [COMMAND_PLOT] = {"plot",
        "plot PLAN [PLAN ...] [--kind KIND] [-o FILE]\n"
        "plot PLAN [PLAN ...] [--kind KIND] --csv | --json",
        1, 6, "PLAN", cli_plot,
        "curves of a plan or several, as SVG or as numbers",
        "The kinds: profile, delta over epsilon; tradeoff, the smallest type "
        "II error over the type I error; roc, the largest true positive rate "
        "over the false positive rate; renyi, the divergence over the "
        "order; steps, epsilon over the count of the plan, or over runs of a "
        "plan without one; noise, epsilon over the noise, all of which is "
        "varied together, or over the number that is a \"?\". These two need "
        "--delta; profile and renyi mark it. Lines are the "
        "safe ends and bands the intervals; several routes have lines alone. "
        "The picture follows the light or dark scheme of its reader, and the "
        "same plans give the same bytes. FILE ends in .svg, or in .csv with "
        "--csv, if it has a suffix; it is there whole or not at all.",
        "plot 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 "
        "-o curve.svg\n"
        "plot 'gaussian(1)' 'laplace(1)' --kind tradeoff -o curve.svg\n"
        "plot 'poisson(0.01, gaussian(?)) * 1000' --kind noise --delta 1e-5 "
        "--from 0.5 --to 4 --csv"},
    [COMMAND_REPORT] = {"report", "report PLAN --delta D [-o FILE]", 1, 1,
        "PLAN", cli_report,
        "all that is known of a plan, as one HTML page",
        "The statement in plain words, the numbers, the curves, what every "
        "route says, the assumptions, the plan, and the command that makes "
        "the page again. One file that needs no network and no scripts, for "
        "light and dark screens and for paper; the same plan gives the same "
        "bytes. A time limit is shared by all sections; curves that it leaves "
        "wide are left out. FILE ends in .html, if it has a suffix; it is "
        "there whole or not at all.",
        "report 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 "
        "-o report.html"},
    [COMMAND_RELEASE] = {"release",
        "release FILE STATISTIC ... --epsilon E [--delta D]\n"
        "release FILE STATISTIC ... --plan PLAN [--delta D]\n"
        "release STATISTIC ... --epsilon E --plan-only\n"
        "release check FILE STATISTIC ... --not-private\n"
        "release --sql DIALECT --table NAME STATISTIC ... --epsilon E\n"
        "release --tally FILE --statement FILE\n"
        "release --self-test-sql DIALECT [--tally FILE]",
        0, 2, "FILE", cli_release,
        "statistics of a table with exact noise, and the plan they cost",
        "FILE is CSV, - standard input; one line is one record. Columns, "
        "bounds and cells are public and given beforehand; C is a column, in "
        "quotes if its name has a colon, a comma or a quote. All integers "
        "are exact, the noise has exactly the law of the plan, and "
        "dosimeter epsilon answers for it. No message or exit status "
        "depends on a record. Without --user every row is a person; with it "
        "limits say what one person counts for. check tells the owner of "
        "the file what is wrong with it, exactly: that is not private. "
        "--sql and --tally do the same where the data are: the statement "
        "gives integers only, and the noise is added here.",
        "release --count --sum income:0..200000 --epsilon 1 --plan-only\n"
        "release --median age:0..120 --mean income:0..200000 --by sex "
        "--categories sex:f,m --epsilon 1 --plan-only\n"
        "release --histogram town --categories town:a,b --user id --max-rows "
        "3 --order date --epsilon 0.5 --plan-only"},
    [COMMAND_LOSS] = {"loss",
        "loss PLAN --side upper|lower [--points N] [--tail D] [--json]", 1,
        1, "PLAN", cli_loss,
        "the whole plan as one loss law by points, to keep or to compose",
        "The law is a plan of kind loss, in text or JSON, and accepted "
        "wherever a plan is. From above it loses at least as much privacy "
        "as the plan at every epsilon and in every composition, from below "
        "at most as much: the upper ends of the one and the lower ends of "
        "the other are true of the plan.",
        "loss 'laplace(1)' --side upper --points 9 --json"},
    [COMMAND_SAMPLER] = {"sampler",
        "sampler TABLE PLAN --epsilon E ... [--neighbours RELATION]", 2, 2,
        "TABLE and PLAN", cli_sampler,
        "delta of a plan that is run on a sample of one's own sampler",
        "TABLE is JSON, as @FILE, as it is or from standard input as \"-\": "
        "an object with first and second, the probabilities of each sample "
        "under two neighbouring data sets, and samples, lists of records, or "
        "distance, rows of whole numbers or null. PLAN is what is run on the "
        "sample, under the given relation. The bound is that of maximal "
        "coupling, advanced joint convexity and optimal transport, the worse "
        "of both orders; beside it stands the one by transport alone.",
        "sampler '{\"first\":[0.5,0.5],\"second\":[1,0],"
        "\"samples\":[[],[\"a\"]]}' 'laplace(1)' --epsilon 0.5"},
    [COMMAND_PLAN] = {"plan", "plan PLAN [--json | --events]", 1, 1, "PLAN",
        cli_plan, "the normal form of a plan and its hash",
        "Plans that mean the same have the same normal form and hash. "
        "--json prints the tree as JSON, --events as an event tree of "
        "Google's dp_accounting; both are accepted wherever a plan is.",
        "plan 'gaussian(2) + gaussian(sigma=2) * 3'\n"
        "plan 'poisson(256/60000, gaussian(1.1)) * 14063' --events"},
    [COMMAND_KINDS] = {"kinds", "kinds", 0, 0, "", cli_kinds,
        "the mechanisms that plans are made of", NULL, "kinds"},
    [COMMAND_FORMULA] = {"formula",
        "formula list [--all]\n"
        "formula show ID\n"
        "formula eval ID K=V ...\n"
        "formula eval --batch [--check]",
        1, 64, "list, show or eval", cli_formula,
        "the statements of the literature, one by one",
        "A list is written a|b|c. --batch reads lines id,params[,value] from "
        "standard input, params as k=v;k=v, and prints "
        "id,params,lower,upper or id,params,error,STATUS: message; --check "
        "compares with the value and ends with \"N passed, M failed\".",
        "formula list\n"
        "formula show T000-08.delta\n"
        "formula eval T000-08.delta eps=1 sigma=1 sens=1"},
    [COMMAND_BATCH] = {"batch", "batch", 0, 0, "", cli_batch,
        "one JSON question a line, one JSON answer a line",
        "Reads standard input. A question is an object such as "
        "{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":1e-5}. "
        "query and its argument are epsilon with delta or log_delta, delta "
        "with epsilon, tradeoff with alpha, renyi with order, zcdp with xi, "
        "gdp with floor, risk with prior, or calibrate with targets; plan is "
        "a text or a tree; neighbours (or neighbors), route, width, "
        "max_bytes, time_limit (seconds) and id are optional. Order is kept, "
        "and blank lines are skipped. A line that fails is answered with an "
        "error object; the exit status is then 2 for a bad line, or 3 if "
        "some line could not be certified.",
        NULL},
    [COMMAND_VERSION] = {"version", "version", 0, 0, "", cli_version,
        "the version of the program", NULL, "version"},
    [COMMAND_HELP] = {"help",
        "help [COMMAND]\n"
        "help --man | --completion | --markdown",
        0, 1, "", cli_help, "this text, or that of one command",
        "The manual page, the bash completion and docs/commands.md come "
        "from here, too.",
        "help epsilon"},
};

const struct cli_option cli_options[OPTION_COUNT] = {
    [OPTION_DELTA] = {ON(TRAIN) | ON(EPSILON) | ON(COMPARE) | ON(CALIBRATE) |
                         ON(EXPLAIN) | TRAINING |
                         DRAWN,
        true, "--delta", "D", NULL,
        "at this delta, 0 < D < 1"},
    [OPTION_LOG_DELTA] = {ON(EPSILON) | ON(COMPARE) | ON(CALIBRATE), true,
        "--log-delta", "X", NULL,
        "at delta = exp(X), which may be below 1e-308"},
    [OPTION_EPSILON] = {ON(DELTA) | ON(COMPARE) | ON(SAMPLER), true,
        "--epsilon", "E", NULL,
        "at this epsilon, E >= 0"},
    [OPTION_ALPHA] = {ON(TRADEOFF) | ON(COMPARE) | ON(CALIBRATE), true,
        "--alpha", "A", NULL,
        "at this type I error, 0 <= A <= 1"},
    [OPTION_POINTS] = {ON(TRADEOFF) | ON(PLOT), false, "--points", "N", NULL,
        "the whole curve, at N points; default of plot: 101"},
    [OPTION_ORDER] = {ON(RENYI) | ON(CALIBRATE), true, "--order", "A", NULL,
        "at this order, A > 1"},
    [OPTION_XI] = {ON(ZCDP) | ON(CALIBRATE), true, "--xi", "X", NULL,
        "at this intercept; default: 0"},
    [OPTION_FLOOR] = {ON(GDP) | ON(CALIBRATE), true, "--floor", "F", NULL,
        "of tests with both errors at least F, 0 <= F < 1/2; default: 1e-6, of "
        "calibrate 0"},
    [OPTION_PRIOR] = {ON(RISK) | ON(EXPLAIN) | ON(REPORT), false, "--prior",
        "P", NULL,
        "probability that the record is there, 0 < P < 1; default: 1/2"},
    [OPTION_MOST_EPSILON] = {ON(CALIBRATE), true, "--epsilon", "E", NULL,
        "epsilon at most E, at its --delta or --log-delta"},
    [OPTION_BETA] = {ON(CALIBRATE), true, "--beta", "B", NULL,
        "type II error at least B, at its --alpha"},
    [OPTION_MOST_RENYI] = {ON(CALIBRATE), true, "--renyi", "R", NULL,
        "Renyi divergence at most R, at its --order"},
    [OPTION_RHO] = {ON(CALIBRATE), true, "--rho", "R", NULL,
        "rho of zCDP at most R, at its --xi"},
    [OPTION_MU] = {ON(CALIBRATE), true, "--mu", "M", NULL,
        "mu of GDP at most M, at its --floor"},
    [OPTION_ADVANTAGE] = {ON(CALIBRATE), true, "--advantage", "V", NULL,
        "advantage of a membership test at most V"},
    [OPTION_EXAMPLES] = {ON(TRAIN) | ON(SGD), false, "--examples", "N", NULL,
        "examples in the data"},
    [OPTION_BATCH_SIZE] = {ON(TRAIN) | ON(SGD), false, "--batch", "B", NULL,
        "examples in a batch, on average"},
    [OPTION_ACCUMULATE] = {ON(SGD), false, "--accumulate", "A", NULL,
        "batches summed up before noise is added once; default: 1"},
    [OPTION_EPOCHS] = {ON(TRAIN) | ON(SGD), false, "--epochs", "E", NULL,
        "passes over the data, also a fraction such as 1.5"},
    [OPTION_STEPS] = {ON(TRAIN) | ON(SGD), false, "--steps", "T", NULL,
        "noisy steps, instead of --epochs"},
    [OPTION_CLIENTS] = {ON(FEDERATED), false, "--clients", "N", NULL,
        "clients that may be chosen"},
    [OPTION_PER_ROUND] = {ON(FEDERATED), false, "--per-round", "B", NULL,
        "clients in a round, on average"},
    [OPTION_ROUNDS] = {ON(FEDERATED), false, "--rounds", "T", NULL,
        "rounds of training"},
    [OPTION_NOISE] = {ON(TRAIN) | TRAINING, false, "--noise", "Z", NULL,
        "noise multiplier: deviation of the noise on the sum / clip"},
    [OPTION_NOISE_STD] = {TRAINING, false, "--noise-std", "S", NULL,
        "standard deviation of the noise, with --clip"},
    [OPTION_CLIP] = {ON(TRAIN) | TRAINING, false, "--clip", "C", NULL,
        "norm that each contribution is clipped to"},
    [OPTION_ADDED_TO] = {TRAINING, false, "--added-to", "WHAT", "sum mean",
        "what --noise-std is added to: sum (default) or mean of the batch"},
    [OPTION_TARGET] = {ON(TRAIN) | TRAINING, false, "--epsilon", "E", NULL,
        "solve for the least noise with at most this epsilon"},
    [OPTION_SAMPLER] = {ON(TRAIN) | TRAINING, false, "--sampler", "NAME",
        "poisson without_replacement with_replacement shuffle",
        "how batches were drawn: poisson, without_replacement, "
        "with_replacement or shuffle"},
    [OPTION_MICROBATCHING] = {ON(SGD), false, "--microbatching", NULL, NULL,
        "several examples are averaged before they are clipped"},
    [OPTION_PER_USER] = {ON(SGD), false, "--max-per-user", "K", NULL,
        "protect users with at most so many examples, too"},
    [OPTION_TRAIN_LABEL] = {ON(TRAIN), false, "--label",
        "C", NULL,
        "the column to predict; of a number C:LO..HI"},
    [OPTION_TRAIN_CATEGORIES] = {ON(TRAIN), true, "--categories",
        "C:a,b", NULL,
        "the values of a column, or C:@FILE with one a line"},
    [OPTION_TRAIN_BOUNDS] = {ON(TRAIN), false, "--bounds",
        "LO..HI", NULL,
        "public bounds of all features that have no others"},
    [OPTION_TRAIN_FEATURE] = {ON(TRAIN), true, "--feature",
        "C:LO..HI", NULL,
        "public bounds of one feature"},
    [OPTION_TRAIN_MISSING] = {ON(TRAIN), true, "--missing",
        "C:NUMBER", NULL,
        "what a missing number counts as; default: the record counts for "
        "nothing"},
    [OPTION_TRAIN_MODEL] = {ON(TRAIN), false, "--model",
        "MODEL", NULL,
        "linear, logistic, softmax or mlp:H[,H2]"},
    [OPTION_TRAIN_GRID_BITS] = {ON(TRAIN), false, "--grid-bits",
        "A", NULL,
        "gradients are rounded to clip / 2^A, 12 to 30; default: 24"},
    [OPTION_TRAIN_OPTIMIZER] = {ON(TRAIN), false, "--optimizer",
        "NAME", "sgd adam",
        "sgd (default) or adam"},
    [OPTION_TRAIN_LEARNING_RATE] = {ON(TRAIN), false, "--learning-rate",
        "R", NULL,
        "of the mean gradient, the sum divided by --batch"},
    [OPTION_TRAIN_SCHEDULE] = {ON(TRAIN), false, "--schedule",
        "NAME", "constant linear sqrt",
        "of the learning rate: constant (default), linear (to 0) or sqrt "
        "(1/sqrt(t))"},
    [OPTION_TRAIN_MOMENTUM] = {ON(TRAIN), false, "--momentum",
        "M", NULL,
        "of sgd, from 0 to below 1; default: 0"},
    [OPTION_TRAIN_WEIGHT_DECAY] = {ON(TRAIN), false, "--weight-decay",
        "W", NULL,
        "times rate and weights, taken off in each step; default: 0"},
    [OPTION_TRAIN_BETA1] = {ON(TRAIN), false, "--beta1",
        "B", NULL,
        "of adam; default: 0.9"},
    [OPTION_TRAIN_BETA2] = {ON(TRAIN), false, "--beta2",
        "B", NULL,
        "of adam; default: 0.999"},
    [OPTION_TRAIN_INIT_SEED] = {ON(TRAIN), false, "--init-seed",
        "N", NULL,
        "of the initial weights, which are public; default: 0"},
    [OPTION_TRAIN_USER] = {ON(TRAIN), false, "--user",
        "C", NULL,
        "the column that tells people apart; default: one line, one person"},
    [OPTION_TRAIN_MAX_ROWS] = {ON(TRAIN), false, "--max-rows",
        "K", NULL,
        "at most so many rows of a user count"},
    [OPTION_TRAIN_ORDER] = {ON(TRAIN), false, "--order",
        "C[,C2]", NULL,
        "which rows of a user come first, by bytes"},
    [OPTION_TRAIN_FILE_ORDER] = {ON(TRAIN), false, "--file-order",
        NULL, NULL,
        "rows of a user come in the order of the file"},
    [OPTION_TRAIN_UNIT] = {ON(TRAIN), false, "--unit",
        "UNIT", "row user",
        "user: all rows of a user are sampled and clipped as one"},
    [OPTION_TRAIN_CHECKPOINT] = {ON(TRAIN), false, "--checkpoint",
        "FILE", NULL,
        "keep the state there, and how many steps are used"},
    [OPTION_TRAIN_CHECKPOINT_EVERY] = {ON(TRAIN), false, "--checkpoint-every",
        "K", NULL,
        "write the state after every K steps; default: a tenth of them"},
    [OPTION_TRAIN_RESUME] = {ON(TRAIN), false, "--resume",
        NULL, NULL,
        "continue the checkpoint; only learning rates may change"},
    [OPTION_TRAIN_TEST] = {ON(TRAIN), false, "--test",
        "FILE", NULL,
        "print the accuracy on other people, who are not protected"},
    [OPTION_TRAIN_PLAN_ONLY] = {ON(TRAIN), false, "--plan-only",
        NULL, NULL,
        "print plan and cost, and read no data"},
    [OPTION_TRAIN_DELIMITER] = {ON(TRAIN) | ON(PREDICT), false, "--delimiter",
        "C", NULL,
        "between fields, one byte or tab; default: a comma"},
    [OPTION_TRAIN_DECIMAL] = {ON(TRAIN) | ON(PREDICT), false, "--decimal",
        "C", NULL,
        "sign in numbers; default: a point"},
    [OPTION_TRAIN_NO_HEADER] = {ON(TRAIN) | ON(PREDICT), false, "--no-header",
        NULL, NULL,
        "there is no header: columns are 1, 2, ..., with --columns"},
    [OPTION_TRAIN_COLUMNS] = {ON(TRAIN) | ON(PREDICT), false, "--columns",
        "N", NULL,
        "how many columns there are, with --no-header"},
    [OPTION_PROBA] = {ON(PREDICT), false, "--proba", NULL, NULL,
        "print the probability of every class, too"},
    [OPTION_PEOPLE] = {ON(EXPLAIN) | ON(REPORT), false, "--people", "N", NULL,
        "how many people are in the data, to judge delta by"},
    [OPTION_KIND] = {ON(PLOT), false, "--kind", "KIND",
        "profile tradeoff roc renyi steps noise",
        "profile (default), tradeoff, roc, renyi, steps or noise"},
    [OPTION_FROM] = {ON(PLOT), false, "--from", "X", NULL,
        "where the curve starts; default: what shows it well"},
    [OPTION_TO] = {ON(PLOT), false, "--to", "X", NULL,
        "where the curve ends; default: what shows it well"},
    [OPTION_SCALE] = {ON(PLOT), false, "--scale", "SCALE", "linear log",
        "of both axes, linear or log; default: what suits the kind"},
    [OPTION_TITLE] = {DRAWN, false, "--title", "TEXT", NULL,
        "of the picture or page"},
    [OPTION_OUTPUT] = {ON(TRAIN) | DRAWN, false, "--output", "FILE", NULL,
        "write it there, also as -o FILE; default: standard output"},
    [OPTION_COUNT_ROWS] = {ON(RELEASE), false, "--count", NULL, NULL,
        "rows"},
    [OPTION_USERS] = {ON(RELEASE), false, "--users", NULL, NULL,
        "people, with --user"},
    [OPTION_SUM] = {ON(RELEASE), true, "--sum", "C:LO..HI", NULL,
        "the sum of a column, its values cut to the bounds"},
    [OPTION_MEAN] = {ON(RELEASE), true, "--mean", "C:LO..HI", NULL,
        "the mean of a column"},
    [OPTION_VARIANCE] = {ON(RELEASE), true, "--variance", "C:LO..HI", NULL,
        "variance and standard deviation of a column"},
    [OPTION_HISTOGRAM] = {ON(RELEASE), true, "--histogram", "C[,C2]", NULL,
        "rows in each cell of a column or of two"},
    [OPTION_MEDIAN] = {ON(RELEASE), true, "--median", "C:LO..HI", NULL,
        "the median of a column, a point of its grid"},
    [OPTION_QUANTILE] = {ON(RELEASE), true, "--quantile", "C:LO..HI:A/B", NULL,
        "the value with a share A/B of the rows below"},
    [OPTION_MODE] = {ON(RELEASE), true, "--mode", "C", NULL,
        "the fullest public cell of a column"},
    [OPTION_COUNT_BAD] = {ON(RELEASE), false, "--count-bad", NULL, NULL,
        "bad records, with --user people who have one"},
    [OPTION_BY] = {ON(RELEASE), false, "--by", "C[,C2]",
        NULL,
        "every count, sum, mean and variance for each cell of these"},
    [OPTION_CATEGORIES] = {ON(RELEASE), true, "--categories", "C:a,b,c",
        NULL,
        "the cells of a column, also C:@FILE, a name a line"},
    [OPTION_BINS] = {ON(RELEASE), true, "--bins", "C:LO..HI:W",
        NULL,
        "cells of width W, the outer ones open"},
    [OPTION_UNKNOWN_CELLS] = {ON(RELEASE), true, "--unknown-cells", "C",
        NULL,
        "cells by what occurs, printed above a threshold; needs --delta"},
    [OPTION_GRID] = {ON(RELEASE), true, "--grid", "C:G",
        NULL,
        "numbers are rounded to multiples of G; default: the last place of "
        "the bounds"},
    [OPTION_MISSING] = {ON(RELEASE), true, "--missing", "C:NUMBER",
        NULL,
        "what a missing number counts as; default: nothing"},
    [OPTION_TYPE] = {ON(RELEASE), true, "--type", "C:TYPE",
        NULL,
        "int64, double, decimal(p,s), text or binary"},
    [OPTION_WHERE] = {ON(RELEASE), true, "--where", "'C OP VALUE'",
        NULL,
        "rows that are counted: = != < <= > >= with a number or 'text'; all "
        "must hold"},
    [OPTION_DELIMITER] = {ON(RELEASE), false, "--delimiter", "CHAR",
        NULL,
        "between fields, also tab; default: a comma"},
    [OPTION_DECIMAL] = {ON(RELEASE), false, "--decimal", "CHAR",
        ". ,",
        "the decimal sign, . (default) or ,"},
    [OPTION_NO_HEADER] = {ON(RELEASE), false, "--no-header", NULL,
        NULL,
        "the first line is a record; columns are 1, 2, ..."},
    [OPTION_USER] = {ON(RELEASE), false, "--user", "C",
        NULL,
        "the column that tells people apart; default: every row is a person"},
    [OPTION_MAX_ROWS] = {ON(RELEASE), false, "--max-rows", "K",
        NULL,
        "the most rows of a person that count"},
    [OPTION_ROW_ORDER] = {ON(RELEASE), false, "--order", "C[,C2]",
        NULL,
        "the first rows of a person in this order count"},
    [OPTION_FILE_ORDER] = {ON(RELEASE), false, "--file-order", NULL,
        NULL,
        "the first rows of a person in the file count"},
    [OPTION_MAX_CELLS] = {ON(RELEASE), true, "--max-cells", "[C:]L",
        NULL,
        "the most cells of a person that count"},
    [OPTION_MAX_PER_CELL] = {ON(RELEASE), true, "--max-per-cell", "[C:]M",
        NULL,
        "the most rows of a person that count in a cell"},
    [OPTION_MIN_COUNT] = {ON(RELEASE), true, "--min-count", "[C:]N",
        NULL,
        "unknown cells with fewer rows do not leave the engine; the threshold "
        "rises by N - 1; default: 1"},
    [OPTION_USER_BOUNDS] = {ON(RELEASE), true, "--user-bounds", "C:A..B",
        NULL,
        "a person's sum over all rows is cut to these; no order is needed"},
    [OPTION_BUDGET] = {ON(RELEASE), false, "--epsilon", "E",
        NULL,
        "the epsilon of all statistics together"},
    [OPTION_BUDGET_DELTA] = {ON(RELEASE), false, "--delta", "D",
        NULL,
        "their delta; default: 0"},
    [OPTION_GIVEN_PLAN] = {ON(RELEASE), false, "--plan", "PLAN",
        NULL,
        "in place of --epsilon, one of the form that --plan-only prints"},
    [OPTION_WEIGHT] = {ON(RELEASE), true, "--weight", "NAME:W",
        NULL,
        "the share of a statistic, sum.income:2; default: 1, of count-bad "
        "0.1"},
    [OPTION_LAW] = {ON(RELEASE), false, "--noise", "LAW",
        "laplace gaussian",
        "laplace (default) or gaussian, which needs --delta"},
    [OPTION_LEVEL] = {ON(RELEASE), false, "--level", "L",
        NULL,
        "of the intervals; default: 0.95"},
    [OPTION_NONNEGATIVE] = {ON(RELEASE), false, "--nonnegative", NULL,
        NULL,
        "print negative counts as 0"},
    [OPTION_PERMUTE_AND_FLIP] = {ON(RELEASE), false, "--permute-and-flip", NULL,
        NULL,
        "in place of the exponential mechanism"},
    [OPTION_NOT_PRIVATE] = {ON(RELEASE), false, "--not-private", NULL,
        NULL,
        "of check: yes, print exact counts"},
    [OPTION_PLAN_ONLY] = {ON(RELEASE), false, "--plan-only", NULL,
        NULL,
        "print plan, cost and width of every interval; no data are opened"},
    [OPTION_SQL] = {ON(RELEASE), false, "--sql", "DIALECT",
        "duckdb postgres spark generic",
        "print the statement that adds the integers up in a database"},
    [OPTION_TABLE] = {ON(RELEASE), false, "--table", "NAME", NULL,
        "of --sql: the table, for postgres with its schema"},
    [OPTION_TALLY] = {ON(RELEASE), false, "--tally", "FILE", NULL,
        "the answer of the database as CSV, - standard input; it is data"},
    [OPTION_STATEMENT] = {ON(RELEASE), false, "--statement", "FILE", NULL,
        "of --tally: the statement that --sql printed"},
    [OPTION_SELF_TEST_SQL] = {ON(RELEASE), false, "--self-test-sql",
        "DIALECT", "duckdb postgres spark generic",
        "print a statement that tests an engine, with --tally compare its "
        "answer"},
    [OPTION_SIDE] = {ON(LOSS), false, "--side", "SIDE", "upper lower",
        "upper: it dominates the plan; lower: the plan dominates it"},
    [OPTION_LOSS_POINTS] = {ON(LOSS), false, "--points", "N", NULL,
        "about so many points, 2 to 100000; default: 1000"},
    [OPTION_TAIL] = {ON(LOSS), false, "--tail", "D", NULL,
        "reach as far as delta is above D; default: 1e-15"},
    [OPTION_LOWER] = {ON(RENYI), false, "--lower", NULL, NULL,
        "print the lower end; with --upper, or neither, both"},
    [OPTION_UPPER] = {ON(RENYI), false, "--upper", NULL, NULL,
        "print the upper end"},
    [OPTION_NEIGHBOURS] = {ON(RELEASE) | ON(TRAIN) | ON(LOSS) | ON(SAMPLER) |
                              QUESTIONS | ON(COMPARE) | ON(CALIBRATE) | DRAWN,
        false,
        "--neighbours", "RELATION", "add_remove replace",
        "who counts as a neighbour: add_remove or replace; default: replace "
        "with without_replacement, else add_remove"},
    [OPTION_ROUTE] = {ON(LOSS) | QUESTIONS | ON(CALIBRATE) | ON(PLOT), false,
        "--route", "NAME", NULL,
        "use this route alone, not the best of all; of plot also a list "
        "a,b,c, a curve each"},
    [OPTION_WIDTH] = {LIMITED, false, "--width", "W", NULL,
        "reach this relative width or fail; default: try 1e-6"},
    [OPTION_MAX_MEMORY] = {ON(TRAIN) | ON(LOSS) | ON(SAMPLER) | LIMITED |
                              ON(CALIBRATE) | DRAWN,
        false,
        "--max-memory", "BYTES", NULL,
        "working memory, in bytes or as 64MB; default: 256MB"},
    [OPTION_TIME_LIMIT] = {ON(TRAIN) | ON(LOSS) | ON(SAMPLER) | LIMITED |
                              ON(CALIBRATE) | DRAWN,
        false,
        "--time-limit", "SECONDS", NULL,
        "stop each answer, a whole curve or a whole report after so long, at "
        "the intervals found; default: an answer stops after about a second "
        "of work, which is counted, not timed"},
    [OPTION_DIGITS] = {ON(SAMPLER) | QUESTIONS | ON(COMPARE) | ON(CALIBRATE) |
                          ON(FORMULA),
        false, "--digits", "N", NULL,
        "significant digits shown, 1 to 17; default: what the width needs"},
    [OPTION_CSV] = {ON(RELEASE) | ON(PREDICT) | ON(TRADEOFF) | ON(COMPARE) |
                       ON(PLOT),
        false, "--csv",
        NULL, NULL,
        "print a table of comma-separated values"},
    [OPTION_EVENTS] = {ON(PLAN), false, "--events", NULL, NULL,
        "print an event tree of dp_accounting"},
    [OPTION_ALL] = {ON(FORMULA), false, "--all", NULL, NULL,
        "list also the steps of proofs and sanity checks"},
    [OPTION_BATCH] = {ON(FORMULA), false, "--batch", NULL, NULL,
        "evaluate every line of standard input"},
    [OPTION_CHECK] = {ON(FORMULA), false, "--check", NULL, NULL,
        "compare with the third field; status 1 when one is outside"},
    [OPTION_VERBOSE] = {ON(FORMULA), false, "--verbose", NULL, NULL,
        "with --check, tell the relative width of each line on stderr"},
    [OPTION_MAN] = {ON(HELP), false, "--man", NULL, NULL,
        "print the manual page"},
    [OPTION_COMPLETION] = {ON(HELP), false, "--completion", NULL, NULL,
        "print the completion for bash"},
    [OPTION_MARKDOWN] = {ON(HELP) | ON(EXPLAIN), false, "--markdown", NULL,
        NULL, "print Markdown"},
    [OPTION_JSON] = {EVERYWHERE, false, "--json", NULL, NULL,
        "print JSON, numbers reading back exactly"},
    [OPTION_HELP] = {EVERYWHERE, false, "--help", NULL, NULL,
        "print the help of the command"},
};

/* What people type where a command belongs. */
static const char *command_alias(const char *name)
{
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return "help";
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
        return "version";
    return name;
}

static int run(int argc, char **argv)
{
    struct cli_arguments args;
    enum cli_command_id command;

    if (argc < 2) {
        cli_say("no command; see \"dosimeter help\"");
        return CLI_USAGE;
    }
    if (!cli_command_find(&command, command_alias(argv[1]))) {
        cli_say("unknown command \"%s\"; see \"dosimeter help\"", argv[1]);
        return CLI_USAGE;
    }
    int status = cli_arguments_read(&args, command, argc, argv);
    if (status == CLI_YES)
        status = cli_has(&args, OPTION_HELP) ? cli_help(&args)
                                             : cli_commands[command].run(&args);
    cli_arguments_free(&args);
    return status;
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    if (cli_interrupted()) {
        cli_say("interrupted");
        status = CLI_INTERRUPTED;
    }
    cli_progress_clear();
    int written = cli_flush();
    return written == CLI_YES ? status : written;
}
