/*
 * The table of commands. Help, manual page, shell completion and
 * docs/commands.md are printed from its rows.
 */
#include "cli.h"

const struct cli_command cli_commands[COMMAND_COUNT] = {
    [COMMAND_EPSILON] = {"epsilon",
        "epsilon PLAN --delta D ...\n"
        "epsilon PLAN --log-delta X ...",
        1, 1, "PLAN", cli_ask,
        "the smallest epsilon for which the plan is (epsilon, delta)-DP",
        "The first line has the number that is safe to report, rounded up, and "
        "in brackets what is known of the exact value.",
        "epsilon 'gaussian(50) * 10000' --delta 1e-5\n"
        "epsilon 'gaussian(1)' --delta 1e-6 --delta 1e-30\n"
        "epsilon 'gaussian(1)' --log-delta -2000"},
    [COMMAND_DELTA] = {"delta", "delta PLAN --epsilon E ...", 1, 1, "PLAN",
        cli_ask,
        "the smallest delta for which the plan is (epsilon, delta)-DP",
        "The first line has the number that is safe to report, rounded up, and "
        "in brackets what is known of the exact value.",
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
        "That is, its Renyi divergence is at most xi + rho * order at every "
        "order above 1. The default of xi is 0; the upper end is safe to "
        "report.",
        "zcdp 'gaussian(5) * 20 + pure(0.1) * 3'\n"
        "zcdp 'pure(2)' --xi 0.5"},
    [COMMAND_GDP] = {"gdp", "gdp PLAN [--floor F ...]", 1, 1, "PLAN", cli_ask,
        "the smallest mu for which the plan is mu-GDP",
        "That is, no test between neighbours does better than one between N(0, "
        "1) and N(mu, 1); the upper end is safe to report. The first answer is "
        "over all tests, the next one over tests with both errors at least the "
        "floor: for sampled Gaussian noise the first is the mu without "
        "sampling, since tests with ever smaller errors single out the runs in "
        "which a record was always sampled. The last is the mu of the central "
        "limit theorem, an approximation, with its Berry-Esseen band if there "
        "is one.",
        "gdp 'poisson(256/60000, gaussian(1.3)) * 14062'\n"
        "gdp 'pure(0.1) * 100' --floor 1e-9"},
    [COMMAND_RISK] = {"risk", "risk PLAN [--prior P]", 1, 1, "PLAN", cli_risk,
        "the best-case gain of an attacker who tells neighbours apart",
        "The attacker knows every other record and tests whether one is in the "
        "data; a positive test says it is. Advantage is the largest difference "
        "between true and false positive rate, accuracy the probability of a "
        "correct guess, posterior the probability that the record is there "
        "after a positive test. Upper ends are safe to report.",
        "risk 'poisson(256/60000, gaussian(1.3)) * 14062' --prior 0.01"},
    [COMMAND_COMPARE] = {"compare",
        "compare PLAN --delta D ...\n"
        "compare PLAN --log-delta X ...\n"
        "compare PLAN --epsilon E ...\n"
        "compare PLAN --alpha A ...",
        1, 1, "PLAN", cli_compare,
        "the interval of every route for a plan, best first",
        "Each route is asked alone: its interval, the width relative to the "
        "larger end, the time it took, and the theorem behind it. Routes "
        "without a bound come last, with the reason. All intervals contain the "
        "exact value; the first line is their intersection.",
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
        "the value for the hole \"?\" of a plan that meets targets",
        "Any one number of the plan may be the hole: noise, a rate, a count, a "
        "budget. The answer is the cheapest value whose certified bounds meet "
        "every target, to the last digit of a double, or the largest or "
        "smallest integer; it comes with the adjacent value, which is not "
        "safe, and with a value of few digits on the safe side. Targets may be "
        "mixed and repeated; the i-th --epsilon goes with the i-th --delta.",
        "calibrate 'poisson(0.004, gaussian(?)) * 20000' --epsilon 1 "
        "--delta 1e-6\n"
        "calibrate 'poisson(?, gaussian(1)) * 20000' --epsilon 3 "
        "--delta 1e-6\n"
        "calibrate 'poisson(0.01, gaussian(1)) * ?' --epsilon 3 "
        "--delta 1e-6"},
    [COMMAND_CHECK] = {"check",
        "check PLAN --epsilon E --delta D ...\n"
        "check PLAN --alpha A --beta B ...\n"
        "check PLAN --mu M [--floor F] ...\n"
        "check PLAN --rho R [--xi X] ...\n"
        "check PLAN --renyi R --order A ...\n"
        "check PLAN --advantage V\n"
        "check --claims FILE",
        0, 1, "PLAN", cli_check,
        "whether a claim about a plan holds, is refuted, or neither",
        "A claim holds if the certified safe end of the answer is within it, "
        "and is refuted if the other end, attained by the mechanism itself, "
        "is beyond it; both are decided on the exact doubles. Where only a "
        "class of mechanisms is known (stated guarantees), a claim beyond "
        "what they imply is undecided, and the sentence says what fails, "
        "unless the other parts of the plan refute the claim alone. A "
        "claim inside the interval is asked again at a width of 1e-12. The "
        "delta of a claim may be 0. --claims reads a list of JSON objects "
        "such as {\"label\":\"run 7\",\"plan\":\"gaussian(1)\","
        "\"epsilon\":4.9,\"delta\":1e-6} or a CSV file whose header has "
        "these names; neighbours is optional there, and so is label. The "
        "exit status is 0 if all claims hold, 1 if one is refuted, else 3 if "
        "one is undecided.",
        "check 'gaussian(50) * 10000' --epsilon 10 --delta 1e-5\n"
        "check 'laplace(2) * 3' --epsilon 1.5 --delta 0 --epsilon 1.495 "
        "--delta 1e-3"},
    [COMMAND_BREAKDOWN] = {"breakdown",
        "breakdown PLAN --delta D [-o FILE]\n"
        "breakdown PLAN --log-delta X [-o FILE]\n"
        "breakdown PLAN --epsilon E [-o FILE]",
        1, 1, "PLAN", cli_breakdown,
        "what each part of a plan costs, and its share",
        "The parts are those of the normal form, equal mechanisms with their "
        "count; all that has one label is one part. Of each are shown what it "
        "costs alone and what the plan "
        "costs without it, both as upper ends, which are safe to report, and "
        "its share: the mean of what it adds as the first part and as the "
        "last one, divided by the sum of these means. Of two parts that is "
        "the Shapley value. Shares add up to 100 %, and are no bounds. -o "
        "draws the shares as bars into FILE, which ends in .svg if it has a "
        "suffix.",
        "breakdown 'gaussian(4) + poisson(0.01, gaussian(1)) * 500' "
        "--delta 1e-6\n"
        "breakdown 'gaussian(3) + laplace(5)' --epsilon 1 --csv"},
    [COMMAND_SWEEP] = {"sweep",
        "sweep PLAN --vary NAME=VALUES ... --delta D ... [--format FORMAT]\n"
        "sweep PLAN --vary NAME=VALUES ... --epsilon E ... "
        "[--format FORMAT]",
        1, 1, "PLAN", cli_sweep,
        "a table of answers over values of a plan's numbers",
        "NAME is that of a parameter: sigma, rate, count (or steps); with its "
        "kind, gaussian.sigma, and the rank of the part among those of its "
        "kind, gaussian[2].sigma, where there are several; or ? for the hole. "
        "VALUES are numbers, ratios and ranges: 0.8,1,1.2 or 0.5..4:20, which "
        "is 20 equally spaced points with both ends, or 0.5..4:20:log, of "
        "equal ratios; those of an integer are rounded. Every combination is "
        "a row, and every question a column: --delta, --log-delta, "
        "--epsilon, --alpha, --order, --xi and --floor may be mixed and "
        "repeated. The table for people and md have the ends that are safe "
        "to report, csv and json both.",
        "sweep 'poisson(0.01, gaussian(1)) * 1000' --vary sigma=0.8,1,1.2 "
        "--vary steps=500,1000 --delta 1e-5\n"
        "sweep 'poisson(0.01, gaussian(?)) * 1000' --vary '?=0.5..4:8:log' "
        "--delta 1e-5 --alpha 0.05 --format csv"},
    [COMMAND_SGD] = {"sgd",
        "sgd --examples N --batch B --epochs E --noise Z --delta D ...\n"
        "sgd --examples N --batch B --steps T --noise-std S --clip C "
        "--delta D ...\n"
        "sgd --examples N --batch B --epochs E --epsilon E --delta D",
        0, 0, "", cli_training,
        "epsilon of DP-SGD training, or the noise for an epsilon",
        "From whole numbers: the rate is batch x accumulate / examples, the "
        "steps are epochs x examples / (batch x accumulate), rounded up, and "
        "the resulting plan is printed. Without --sampler the batches are "
        "assumed to be Poisson samples, and the answer for a shuffled loader, "
        "for which no amplification is implemented, is printed as well. The "
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
        "Batches are drawn with exactly the stated probabilities, each "
        "record's gradient is clipped to an integer grid, sums are exact and "
        "the noise has exactly the law of the plan. Bounds, categories and the "
        "number of examples are declared, never taken from the data: features "
        "are mapped by their bounds to [0, 1], those with categories to one "
        "input per category. A record with a missing feature or an undeclared "
        "label contributes nothing. During the run only the step count is "
        "shown. FILE is CSV, or - for standard input; the model is JSON for "
        "predict. A checkpoint that is continued never draws the noise of more "
        "than the planned steps; damaged checkpoints and copies are refused.",
        "train digits.csv --label digit "
        "--categories digit:0,1,2,3,4,5,6,7,8,9 --bounds 0..16 "
        "--model softmax --examples 1437 --batch 256 --steps 150 --clip 1 "
        "--learning-rate 2 --epsilon 3 --delta 1e-5 -o model.json"},
    [COMMAND_PREDICT] = {"predict", "predict MODEL FILE [--proba]", 2, 2,
        "MODEL and FILE", cli_predict,
        "the predictions of a trained model for the rows of a CSV file",
        "One line for every line after the header, as CSV: the class or value, "
        "with --proba the probability of every class; empty if a feature is "
        "missing. Nothing in FILE is protected.",
        "predict model.json new.csv --proba"},
    [COMMAND_EXPLAIN] = {"explain",
        "explain PLAN --delta D [--people N] [--markdown | --json]", 1, 1,
        "PLAN", cli_explain, "what a plan guarantees, in plain language",
        "What is guaranteed and to whom, in odds and as an attacker's gain, "
        "what delta means for this many people, which route and theorem prove "
        "it, and what was assumed and not checked.",
        "explain 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 "
        "--people 60000"},
    [COMMAND_PLOT] = {"plot",
        "plot PLAN [PLAN ...] [--kind KIND] [-o FILE]\n"
        "plot PLAN [PLAN ...] [--kind KIND] --csv | --json",
        1, 6, "PLAN", cli_plot,
        "curves of a plan or several, as SVG or as numbers",
        "The kinds: profile, delta over epsilon; tradeoff, the smallest type "
        "II error over the type I error; roc, the largest true positive rate "
        "over the false positive rate; renyi, the divergence over the order; "
        "steps, epsilon over the count of the plan, or over repetitions of a "
        "plan without one; noise, epsilon over the noise, all of which is "
        "varied together, or over the number that is a \"?\". The last two "
        "need --delta; profile and renyi mark it. Lines are the safe ends and "
        "bands the intervals; several routes have lines only. The picture "
        "follows the light or dark scheme of its viewer, and the same plans "
        "give the same bytes. FILE ends in .svg, or in .csv with --csv, if it "
        "has a suffix; it is written completely or not at all.",
        "plot 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 "
        "-o curve.svg\n"
        "plot 'gaussian(1)' 'laplace(1)' --kind tradeoff -o curve.svg\n"
        "plot 'poisson(0.01, gaussian(?)) * 1000' --kind noise --delta 1e-5 "
        "--from 0.5 --to 4 --csv"},
    [COMMAND_REPORT] = {"report", "report PLAN --delta D [-o FILE]\n"
        "report PLAN --delta D --registry [-o FILE]\n"
        "report PLAN --delta D --checklist [-o FILE]", 1, 1,
        "PLAN", cli_report,
        "what a plan guarantees, as one HTML page to show to people",
        "First one sentence with epsilon and delta, then what they mean for a "
        "person, what must be true of the sampler, the share of every part "
        "and two or three curves. The appendix has the other quantities with "
        "an explanation each, the theorems, the assumptions that no "
        "accountant checks, the plan, and the command that makes the page "
        "again. One file that needs no network and no scripts, for phones, "
        "light and dark screens and paper; the same command gives the same "
        "bytes. A time limit is shared by all sections; curves that it leaves "
        "wide are left out. --registry writes the entry for "
        "opendp/deployments-registry-data, and --checklist the topics of NIST "
        "SP 800-226: what the plan and the options state is filled in, and "
        "the rest is listed as open. FILE ends in .html, .yaml or .md, if it "
        "has a suffix; it is written completely or not at all.",
        "report 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 "
        "-o report.html\n"
        "report 'gaussian(20) * 3' --delta 1e-6 --data-set 'admissions 2025' "
        "--unit patient --owner 'City Hospital' --people 41000 -o report.html\n"
        "report 'gaussian(20) * 3' --delta 1e-6 --title Admissions --registry "
        "-o admissions.yaml"},
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
        "FILE is CSV, or - for standard input; one line is one record. "
        "Columns, bounds and cells are public and given in advance; C is a "
        "column, in quotes if its name has a colon, a comma or a quote. All "
        "integers are exact, the noise has exactly the law of the plan, and "
        "dosimeter epsilon accounts for it. No message or exit status depends "
        "on a record. Without --user every row is a person; with it, limits "
        "bound what one person contributes. check shows the owner of the file "
        "exact counts of what is wrong with it, which is not private. --sql "
        "and --tally do the same inside a database: the statement returns "
        "integers only, and the noise is added here.",
        "release --count --sum income:0..200000 --epsilon 1 --plan-only\n"
        "release --median age:0..120 --mean income:0..200000 --by sex "
        "--categories sex:f,m --epsilon 1 --plan-only\n"
        "release --histogram town --categories town:a,b --user id --max-rows "
        "3 --order date --epsilon 0.5 --plan-only"},
    [COMMAND_LOSS] = {"loss",
        "loss PLAN --side upper|lower [--points N] [--tail D] [--json]", 1,
        1, "PLAN", cli_loss,
        "the whole plan as one loss law given by points, to store or to "
        "compose",
        "The law is a plan of kind loss, in text or JSON, and accepted "
        "wherever a plan is. The upper law dominates the plan: it loses at "
        "least as much privacy at every epsilon and in every composition, and "
        "its upper ends are valid for the plan. The lower law is dominated by "
        "the plan, and its lower ends are valid for the plan.",
        "loss 'laplace(1)' --side upper --points 9 --json"},
    [COMMAND_SAMPLER] = {"sampler",
        "sampler TABLE PLAN --epsilon E ... [--neighbours RELATION]", 2, 2,
        "TABLE and PLAN", cli_sampler,
        "delta of a plan that is run on the sample of a custom sampler",
        "TABLE is JSON, given as text, as @FILE, or as \"-\" for standard "
        "input: an object with first and second, the probabilities of each "
        "sample under two neighbouring data sets, and samples, lists of "
        "records, or distance, rows of whole numbers or null. PLAN is the "
        "mechanism that is run on the sample, under the given relation. The "
        "bound is that of maximal coupling, advanced joint convexity and "
        "optimal transport, the worse of both orders; the bound by transport "
        "alone is printed as well.",
        "sampler '{\"first\":[0.5,0.5],\"second\":[1,0],"
        "\"samples\":[[],[\"a\"]]}' 'laplace(1)' --epsilon 0.5"},
    [COMMAND_PLAN] = {"plan", "plan PLAN [--json | --events]", 1, 1, "PLAN",
        cli_plan, "the normal form of a plan and its hash",
        "Equivalent plans have the same normal form and hash. --json prints "
        "the tree as JSON, --events as an event tree of Google's "
        "dp_accounting; both are accepted wherever a plan is. Labels of parts "
        "are kept, and do not change the hash.",
        "plan 'gaussian(2) + gaussian(sigma=2) * 3'\n"
        "plan 'poisson(256/60000, gaussian(1.1)) * 14063' --events\n"
        "plan '\"by county\": gaussian(std=100, sensitivity=50) * 3'"},
    [COMMAND_KINDS] = {"kinds", "kinds", 0, 0, "", cli_kinds,
        "the mechanisms that plans are made of", NULL, "kinds"},
    [COMMAND_FORMULA] = {"formula",
        "formula list [--all]\n"
        "formula show ID\n"
        "formula eval ID K=V ...\n"
        "formula eval --batch [--check]",
        1, 64, "list, show or eval", cli_formula,
        "statements from the literature, evaluated one by one",
        "show explains a formula by its id or name, a statement by its id or "
        "as it is cited, and a work by its key: its formulas, what it says "
        "and where. A list is written a|b|c. --batch reads lines "
        "id,params[,value] from "
        "standard input, params as k=v;k=v, and prints "
        "id,params,lower,upper or id,params,error,STATUS: message; --check "
        "compares with the value and ends with \"N passed, M failed\".",
        "formula list\n"
        "formula show T000-08.delta\n"
        "formula show '[Ste22] Cor 8'\n"
        "formula eval T000-08.delta eps=1 sigma=1 sens=1"},
    [COMMAND_BATCH] = {"batch", "batch [--jobs N]", 0, 0, "", cli_batch,
        "answers to JSON questions, one per line",
        "Reads standard input. A question is an object such as "
        "{\"query\":\"epsilon\",\"plan\":\"gaussian(1)\",\"delta\":1e-5}. "
        "query and its argument are epsilon with delta or log_delta, delta "
        "with epsilon, tradeoff with alpha, renyi with order, zcdp with xi, "
        "gdp with floor, risk with prior, or calibrate with targets; plan is a "
        "text or a tree; neighbours (or neighbors), route, width, max_bytes, "
        "time_limit (seconds) and id are optional. Answers come in the order "
        "of the questions, with --jobs too; blank lines are skipped. A line "
        "that fails is "
        "answered with an error object; the exit status is then 2 for a bad "
        "line, or 3 if some line could not be certified.",
        NULL},
    [COMMAND_VERSION] = {"version", "version", 0, 0, "", cli_version,
        "the version of the program", NULL, "version"},
    [COMMAND_HELP] = {"help",
        "help [COMMAND]\n"
        "help --man | --markdown\n"
        "help --completion [bash | zsh | fish]",
        0, 1, "", cli_help, "this text, or the help of one command",
        "The manual page, the completion for shells and docs/commands.md are "
        "generated from it.",
        "help epsilon"},
};
