# What people type by habit, and what they are told: kinds,
$ for kind in 'normal(1)' 'gauss(1)' 'Gaussian(1)' 'lap(1)' 'geometric(1)' 'randomized_response(1)' 'dp(1)' 'eps_delta(1, 1e-5)' 'rdp(8, 1)' 'mu(1)' 'subsampled(0.1, gaussian(1))' 'dpsgd(0.1, 1, 100)' 'shuffle(gaussian(1))' 'compose(gaussian(1), gaussian(2))' 'gausian(1)' 'frobnicate(1)'; do dosimeter plan "$kind" 2>&1 | head -n 1; done
dosimeter: unknown kind 'normal'; did you mean 'gaussian'?
dosimeter: unknown kind 'gauss'; did you mean 'gaussian'?
dosimeter: unknown kind 'Gaussian'; did you mean 'gaussian'?
dosimeter: unknown kind 'lap'; did you mean 'laplace'?
dosimeter: unknown kind 'geometric'; did you mean 'discrete_laplace'?
dosimeter: unknown kind 'randomized_response'; did you mean 'rr'?
dosimeter: unknown kind 'dp'; did you mean 'pure'?
dosimeter: unknown kind 'eps_delta'; did you mean 'approx'?
dosimeter: unknown kind 'rdp'; did you mean 'renyi'?
dosimeter: unknown kind 'mu'; did you mean 'gdp'?
dosimeter: unknown kind 'subsampled'; did you mean 'poisson'?
dosimeter: unknown kind 'dpsgd'; write poisson(rate, gaussian(sigma)) * steps, or use the command sgd
dosimeter: 'shuffle': no amplification theorem for shuffled batches is implemented here; gaussian(1) bounds it without amplification, if a removed record leaves its slot empty
dosimeter: 'compose' is written A + B
dosimeter: unknown kind 'gausian'; did you mean 'gaussian'?
dosimeter: unknown kind 'frobnicate'

# arguments,
$ for call in 'poisson(q=0.01, gaussian(1))' 'poisson(sampling_rate=0.01, gaussian(1))' 'poisson(batch=256, gaussian(1))' 'laplace(b=1)' 'laplace(eps=1)' 'laplace(std=1)' 'gaussian(std=100)' 'gaussian(stddev=1)' 'gaussian(noise=1)' 'gaussian(epsilon=1)' 'gaussian(sigma=100, sensitivity=50)' 'gaussian(1, steps=3)' 'discrete_gaussian(1, sensitivity=2)' 'renyi(alpha=8, 1)' 'approx(eps=1, delta=0)' 'without_replacement(batch_size=10, n=100, gaussian(1))' 'gdp(sigma=1)' 'group(k=2, gaussian(1))'; do dosimeter plan "$call" 2>&1 | head -n 1; done
dosimeter: poisson: unknown argument 'q'; did you mean 'rate'?
dosimeter: poisson: unknown argument 'sampling_rate'; did you mean 'rate'?
dosimeter: poisson: unknown argument 'batch'; write rate=batch/population
dosimeter: laplace: unknown argument 'b'; did you mean 'scale'?
dosimeter: laplace: unknown argument 'eps'; did you mean 'epsilon'?
dosimeter: laplace: unknown argument 'std'; write scale, which is std / sqrt(2) of Laplace noise
dosimeter: gaussian: std needs a sensitivity, as in gaussian(std=100, sensitivity=50)
dosimeter: gaussian: unknown argument 'stddev'; write gaussian(std=S, sensitivity=D)
dosimeter: gaussian: unknown argument 'noise'; did you mean 'sigma'?
dosimeter: gaussian: unknown argument 'epsilon'; write (?), and let calibrate find sigma
dosimeter: gaussian: sigma is std / sensitivity already; write std in its place
dosimeter: gaussian: unknown argument 'steps'; repetition is written M * count
dosimeter: discrete_gaussian: unknown argument 'sensitivity'; write group(sensitivity, M)
dosimeter: renyi: unknown argument 'alpha'; did you mean 'order'?
dosimeter: approx: unknown argument 'eps'; did you mean 'epsilon'?
dosimeter: without_replacement: unknown argument 'batch_size'; did you mean 'batch'?
dosimeter: gdp: unknown argument 'sigma'; write gaussian(sigma)
dosimeter: group: unknown argument 'k'; did you mean 'size'?

# numbers and signs,
$ for plan in 'gaussian(0,5)' 'poisson(0,01, gaussian(1))' 'poisson(1%, gaussian(1))' 'approx(1, "1e-5")' 'approx(1, 10^-5)' 'gaussian(1_000)' 'gaussian(1) * 60,000' 'gaussian(1) x 3' 'gaussian(1) x3' 'gaussian(1) × 3' 'approx(1, 1e−5)' 'pure(ε=1)' 'gaussian(sigma: 1)' 'gaussian{1}' 'gaussian(1), laplace(2)' 'gaussian(1); laplace(2)' 'gaussian(1) and laplace(2)' 'gaussian(1) / 2' 'county: gaussian(1)' '“county”: gaussian(1)' "'county': gaussian(1)"; do dosimeter plan "$plan" 2>&1 | head -n 1; done
dosimeter: gaussian: takes at most 1 argument; the decimal sign is a point
dosimeter: expected a mechanism, found a number without '*'; the decimal sign is a point
dosimeter: unexpected character '%'; write a percentage as a ratio, 1/100
dosimeter: approx: delta must be a number, found a text in quotes; numbers have no quotes
dosimeter: unexpected character '^'; write 1e-5 for a power of ten, M * 3 for repetition
dosimeter: '1_000' is not a number; digits are not grouped
dosimeter: expected '+', '*' or the end of the text, found ','; digits are not grouped, and the decimal sign is a point
dosimeter: expected '+', '*' or the end of the text, found 'x'; repetition is written *
dosimeter: expected '+', '*' or the end of the text, found 'x3'; repetition is written *
dosimeter: unexpected character U+00D7; write *
dosimeter: '1e' is not a number; write - for the sign behind it
dosimeter: unexpected character U+03B5; write epsilon
dosimeter: gaussian: the name of an argument is followed by '=', not by ':'
dosimeter: unexpected character '{'; write (
dosimeter: expected '+', '*' or the end of the text, found ','; parts are joined by +
dosimeter: unexpected character ';'; write + between parts, a comma between arguments
dosimeter: expected '+', '*' or the end of the text, found 'and'; parts are joined by +
dosimeter: expected '+', '*' or the end of the text, found '/'; a plan cannot be divided
dosimeter: a label, which ':' follows, must be in double quotes
dosimeter: unexpected character U+201C; write "
dosimeter: unexpected character "'"; write "

# the same with a caret,
$ dosimeter plan 'laplace(1) + poisson(q=0.01, gaussian(1))'; dosimeter plan 'gaussian(1) × 3'
! dosimeter: poisson: unknown argument 'q'; did you mean 'rate'?
!   laplace(1) + poisson(q=0.01, gaussian(1))
!                        ^
! dosimeter: unexpected character U+00D7; write *
!   gaussian(1) × 3
!               ^
= 2

# commands,
$ for command in eps EPSILON epsilom rdp cdp mu roc attack solve verify cost scan opacus fedavg graph describe hash mechanisms pld frobnicate 'gaussian(1)'; do dosimeter "$command" 'gaussian(1)' 2>&1; done
dosimeter: unknown command "eps"; did you mean "epsilon"? See "dosimeter help"
dosimeter: unknown command "EPSILON"; did you mean "epsilon"? See "dosimeter help"
dosimeter: unknown command "epsilom"; did you mean "epsilon"? See "dosimeter help"
dosimeter: unknown command "rdp"; did you mean "renyi"? See "dosimeter help"
dosimeter: unknown command "cdp"; did you mean "zcdp"? See "dosimeter help"
dosimeter: unknown command "mu"; did you mean "gdp"? See "dosimeter help"
dosimeter: unknown command "roc"; did you mean "tradeoff"? See "dosimeter help"
dosimeter: unknown command "attack"; did you mean "risk"? See "dosimeter help"
dosimeter: unknown command "solve"; did you mean "calibrate"? See "dosimeter help"
dosimeter: unknown command "verify"; did you mean "check"? See "dosimeter help"
dosimeter: unknown command "cost"; did you mean "breakdown"? See "dosimeter help"
dosimeter: unknown command "scan"; did you mean "sweep"? See "dosimeter help"
dosimeter: unknown command "opacus"; did you mean "sgd"? See "dosimeter help"
dosimeter: unknown command "fedavg"; did you mean "federated"? See "dosimeter help"
dosimeter: unknown command "graph"; did you mean "plot"? See "dosimeter help"
dosimeter: unknown command "describe"; did you mean "explain"? See "dosimeter help"
dosimeter: unknown command "hash"; did you mean "plan"? See "dosimeter help"
dosimeter: unknown command "mechanisms"; did you mean "kinds"? See "dosimeter help"
dosimeter: unknown command "pld"; did you mean "loss"? See "dosimeter help"
dosimeter: unknown command "frobnicate"; see "dosimeter help"
dosimeter: unknown command "gaussian(1)"; a plan stands behind a command, as in: dosimeter epsilon PLAN --delta 1e-6; see "dosimeter help"
= 2

# options of a plan's question,
$ for option in --eps --epsilon --sigma --noise-multiplier --batch-size --batch --q --sample-rate --epochs --steps --max-grad-norm --accountant --adjacency --seed --precision --timeout --tol -delta --dleta --plan --xyz; do dosimeter epsilon 'gaussian(1)' $option 1 2>&1; done
dosimeter: epsilon: unknown option "--eps"; dosimeter delta answers at an epsilon, and calibrate meets one; see "dosimeter help epsilon"
dosimeter: epsilon: --epsilon does not apply here; dosimeter delta answers at an epsilon, and calibrate meets one; see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--sigma"; the noise stands in the plan, as in poisson(256/60000, gaussian(1.1)) * 14063; see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--noise-multiplier"; the noise stands in the plan, as in poisson(256/60000, gaussian(1.1)) * 14063; see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--batch-size"; the rate stands in the plan, as in poisson(256/60000, gaussian(1.1)) * 14063; see "dosimeter help epsilon"
dosimeter: epsilon: --batch does not apply here; the rate stands in the plan, as in poisson(256/60000, gaussian(1.1)) * 14063; see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--q"; the rate stands in the plan, or is --batch of --examples; see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--sample-rate"; the rate stands in the plan, or is --batch of --examples; see "dosimeter help epsilon"
dosimeter: epsilon: --epochs does not apply here; the count stands in the plan, as in poisson(256/60000, gaussian(1.1)) * 14063; see "dosimeter help epsilon"
dosimeter: epsilon: --steps does not apply here; the count stands in the plan, as in poisson(256/60000, gaussian(1.1)) * 14063; see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--max-grad-norm"; noise is relative to the sensitivity: gaussian(std=S, sensitivity=D); see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--accountant"; did you mean --route? See "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--adjacency"; did you mean --neighbours? See "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--seed"; noise has no seed: nobody may be able to draw it again; see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--precision"; did you mean --digits? See "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--timeout"; did you mean --time-limit? See "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--tol"; did you mean --width? See "dosimeter help epsilon"
dosimeter: epsilon: unknown option "-delta"; did you mean --delta? See "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--dleta"; did you mean --delta? See "dosimeter help epsilon"
dosimeter: epsilon: --plan does not apply here; the plan is an argument, not an option; see "dosimeter help epsilon"
dosimeter: epsilon: unknown option "--xyz"; see "dosimeter help epsilon"
= 2

# and of training,
$ for option in --batch-size --sigma --noise-multiplier --eps --dataset-size --max-grad-norm --q --iterations --num-epochs; do dosimeter sgd $option 1 2>&1; done; dosimeter federated --num-clients 100; dosimeter delta 'gaussian(1)' --delta 1e-5; dosimeter delta 'gaussian(1)' --eps 1
dosimeter: sgd: unknown option "--batch-size"; did you mean --batch? See "dosimeter help sgd"
dosimeter: sgd: unknown option "--sigma"; did you mean --noise? See "dosimeter help sgd"
dosimeter: sgd: unknown option "--noise-multiplier"; did you mean --noise? See "dosimeter help sgd"
dosimeter: sgd: unknown option "--eps"; did you mean --epsilon? See "dosimeter help sgd"
dosimeter: sgd: unknown option "--dataset-size"; did you mean --examples? See "dosimeter help sgd"
dosimeter: sgd: unknown option "--max-grad-norm"; did you mean --clip? See "dosimeter help sgd"
dosimeter: sgd: unknown option "--q"; the rate stands in the plan, or is --batch of --examples; see "dosimeter help sgd"
dosimeter: sgd: unknown option "--iterations"; did you mean --steps? See "dosimeter help sgd"
dosimeter: sgd: unknown option "--num-epochs"; did you mean --epochs? See "dosimeter help sgd"
! dosimeter: federated: unknown option "--num-clients"; did you mean --clients? See "dosimeter help federated"
! dosimeter: delta: --delta does not apply here; dosimeter epsilon answers at a delta, and calibrate meets one; see "dosimeter help delta"
! dosimeter: delta: unknown option "--eps"; did you mean --epsilon? See "dosimeter help delta"
= 2

# and what stands behind them.
$ for delta in 1% 0,01 0,5 0,1e-5 10^-5 1e−5 '"1e-5"' 1_0 '?'; do dosimeter epsilon 'gaussian(1)' --delta $delta 2>&1; done; for relation in unbounded bounded add-remove swap both; do dosimeter epsilon 'gaussian(1)' --delta 1e-5 --neighbours $relation 2>&1; done; dosimeter epsilon 'gaussian(1)' —delta 1e-5; dosimeter epsilon gaussian1 '*' 3 --delta 1e-5
dosimeter: epsilon: --delta needs a number, got "1%"; write a percentage as a ratio, 1/100; see "dosimeter help epsilon"
dosimeter: epsilon: --delta needs numbers, got "0,01"; the decimal sign is a point, and a comma is between numbers; see "dosimeter help epsilon"
dosimeter: epsilon: --delta needs numbers, got "0,5"; the decimal sign is a point, and a comma is between numbers; see "dosimeter help epsilon"
dosimeter: epsilon: --delta needs numbers, got "0,1e-5"; the decimal sign is a point, and a comma is between numbers; see "dosimeter help epsilon"
dosimeter: epsilon: --delta needs a number, got "10^-5"; write a power of ten as 1e-5; see "dosimeter help epsilon"
dosimeter: epsilon: --delta needs a number, got "1e−5"; write - for the sign; see "dosimeter help epsilon"
dosimeter: epsilon: --delta needs a number, got ""1e-5""; numbers have no quotes; see "dosimeter help epsilon"
dosimeter: epsilon: --delta needs a number, got "1_0"; digits are not grouped; see "dosimeter help epsilon"
dosimeter: epsilon: --delta needs a number, got "?"; only a number of the plan may be the hole; see "dosimeter help epsilon"
dosimeter: epsilon: --neighbours is add_remove or replace, got "unbounded"; did you mean add_remove? See "dosimeter help epsilon"
dosimeter: epsilon: --neighbours is add_remove or replace, got "bounded"; did you mean replace? See "dosimeter help epsilon"
epsilon <= 4.3772 at delta 1e-5   (exact value 4.37717809568...)
  neighbours add_remove
  theorem    [Ste22] Cor 8 (T000-08), Cor 10 (T000-10)
  assumed    1 more; -v lists them
dosimeter: epsilon: --neighbours is add_remove or replace, got "swap"; did you mean replace? See "dosimeter help epsilon"
dosimeter: epsilon: --neighbours is add_remove or replace, got "both"; see "dosimeter help epsilon"
! dosimeter: epsilon: unexpected argument "—delta"; an option starts with two hyphens, --; see "dosimeter help epsilon"
! dosimeter: epsilon: unexpected argument "*"; a plan stands in quotes, '...'; see "dosimeter help epsilon"
= 2

# Other units mean what they say; where the quotient is no double it is
# rounded down, and the plan says what came out.
$ dosimeter plan 'gaussian(std=100, sensitivity=50) + laplace(scale=100, sensitivity=50) + laplace(epsilon=0.1) + discrete_laplace(epsilon=0.25)' | head -n 1; dosimeter epsilon 'laplace(epsilon=0.1)' --delta 1e-300 | head -n 1; dosimeter epsilon 'gaussian(std=1, sensitivity=3)' --delta 1e-5 --digits 17 | head -n 1; dosimeter epsilon 'gaussian(1/3)' --delta 1e-5 --digits 17 | head -n 1
gaussian(2) + laplace(2) + laplace(9.999999999999998) + discrete_laplace(4)
epsilon <= 0.10001 at delta 1e-300   (exact value 0.100000000000...)
epsilon <= 16.675494402828168 at delta 1e-5   (exact value 16.67549440282816...)
epsilon <= 16.675494402828168 at delta 1e-5   (exact value 16.67549440282816...)
