# Training runs told in whole numbers.

# 60 x 60000 / 256 = 14062.5; epsilon as of the plan by itself, the shuffled
# answer by mpmath at mu = sqrt(60)/1.1: 54.0458180767294
$ dosimeter sgd --examples 60000 --batch 256 --epochs 60 --noise 1.1 --delta 1e-5 --digits 9 -v | grep .
epsilon <= 2.38168973 at delta 1e-5, sampler poisson (assumed)   (exact value 2.38168972...)
  interval   2.38168972 .. 2.38168973
  assumed    every record was sampled independently with the stated rate, anew in each step
  neighbours add_remove
  route      contour
  theorem    docs/theory/contour.md, after [ZDW22] (S000-7.tight)
  lower end  of the mechanism
  assumed    the plan was fixed in advance; within it, later steps may depend on earlier answers
  assumed    Gaussian noise is exact, and sigma is relative to the true L2 distance of neighbours' answers
  unit       one example; all checkpoints are covered
  sampler    poisson: each record is in each batch independently with probability q
             assumed, since --sampler is not given
  rate       256/60000 = 0.004266666666666667
  steps      14063 = 60 epochs x 60000 / 256, rounded up
  noise      multiplier 1.1 = standard deviation on the sum / clip
  distance   1 clip between neighbours' sums
  plan       poisson(256/60000, gaussian(1.1)) * 14063
  assumed    each example's gradient is clipped separately, and noise is added once per step
  assumed    nothing else was learned from the data: no other runs, tuning, statistics or checks
Most data loaders shuffle instead. No amplification theorem for shuffled batches is implemented here, so:
epsilon <= 54.0458181 at delta 1e-5, sampler shuffle   (54.0458180... of a known order; one that is kept secret may lose less)
  interval   54.045818 .. 54.0458181
  used       at most 60 times, once per pass
  plan       gaussian(1.1) * 60
  neighbours add_remove
  route      closed form

# The plan that is printed has the same answer.
$ dosimeter epsilon 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 --digits 9 | head -n 1
epsilon <= 2.38168973 at delta 1e-5   (exact value 2.38168972...)

# A sampler that is said is not assumed, and stands alone.
$ dosimeter sgd --examples 60000 --batch 256 --epochs 60 --noise 1.1 --delta 1e-5 --sampler poisson | grep -c 'since --sampler\|(assumed)\|shuffle'
0
= 1

# A client is the unit; rounds are steps, whatever clients do at home.
$ dosimeter federated --clients 100000 --per-round 500 --rounds 2000 --noise 1.0 --delta 1e-7 -v | grep . | grep -v assumed
  interval   1.59496347415 .. 1.59496347416
  neighbours add_remove
  route      contour
  theorem    docs/theory/contour.md, after [ZDW22] (S000-7.tight)
  lower end  of the mechanism
  unit       one client; all checkpoints are covered
  sampler    poisson: each record is in each batch independently with probability q
  rate       500/100000 = 0.005
  rounds     2000
  noise      multiplier 1 = standard deviation on the sum / clip
  distance   1 clip between neighbours' sums
  plan       poisson(500/100000, gaussian(1)) * 2000
If clients take turns instead, for which no amplification theorem is implemented here:
epsilon <= 20.853 at delta 1e-7, sampler shuffle   (20.8524134288... of a known order; one that is kept secret may lose less)
  interval   20.8524134288 .. 20.8524134289
  used       at most 10 times, once per pass
  plan       gaussian(1) * 10
  neighbours add_remove
  route      closed form

# Accumulated batches are one batch, in the rate and in the steps.
$ for batch in '--batch 64' '--batch 16 --accumulate 4' '--batch 1 --accumulate 64'; do
> dosimeter sgd --examples 10000 $batch --epochs 5 --noise 1 --delta 1e-6 --sampler poisson --digits 8 | grep '^epsilon\|rate  \|steps  '
> done
epsilon <= 1.1986423 at delta 1e-6, sampler poisson   (exact value 1.1986422...)
  rate       64/10000 = 0.0064
  steps      782 = 5 epochs x 10000 / 64, rounded up
epsilon <= 1.1986423 at delta 1e-6, sampler poisson   (exact value 1.1986422...)
  rate       64/10000 = 0.0064, batches of 16 x 4
  steps      782 = 5 epochs x 10000 / 64, rounded up
epsilon <= 1.1986423 at delta 1e-6, sampler poisson   (exact value 1.1986422...)
  rate       64/10000 = 0.0064, batches of 1 x 64
  steps      782 = 5 epochs x 10000 / 64, rounded up

# Noise in the code's own terms: 0.02 on the mean of 64 is 1.28 on the sum,
# over a clip of 0.5 it is 2.56; on the sum itself it is 0.04.
$ dosimeter sgd --examples 10000 --batch 64 --epochs 5 --noise-std 0.02 --clip 0.5 --added-to mean --delta 1e-6 --sampler poisson | grep 'multiplier\|deviation\|plan  \|mean is'
> dosimeter sgd --examples 10000 --batch 64 --epochs 5 --noise-std 0.02 --clip 0.5 --delta 1e-6 --sampler poisson | grep 'plan  '
  noise      multiplier 2.56 = standard deviation on the sum / clip
             standard deviation 0.02 on the mean, clip 0.5
  plan       poisson(64/10000, gaussian(2.56)) * 782
  assumed    the mean is the sum divided by the stated size of the batch, not by the number drawn
  plan       poisson(64/10000, gaussian(0.04)) * 782

# Neither 1/3 nor 1/10 is a double. The nearest to the one is below it, so the
# next is taken; the nearest to the other is above.
$ dosimeter sgd --examples 30 --batch 10 --epochs 1 --noise 1 --delta 1e-6 --sampler poisson | grep 'rate  \|plan  '
> dosimeter sgd --examples 10 --batch 1 --steps 1 --noise 1 --delta 1e-6 --sampler poisson | grep 'rate  \|plan  '
  rate       10/30 = 0.33333333333333337
  plan       poisson(0.33333333333333337, gaussian(1)) * 3
  rate       1/10 = 0.1
  plan       poisson(1/10, gaussian(1))

# A batch of fixed size protects what a record says, and a clipped sum then
# moves by twice the clip.
$ dosimeter sgd --examples 10000 --batch 64 --epochs 5 --noise 2 --delta 1e-6 --sampler without_replacement --json |
> python3 -c 'import json, sys
> run = json.load(sys.stdin)
> (row,) = run["answers"]
> print(row["neighbours"], row["distance"], row["plan"])
> print(0 < row["lower"] <= row["upper"] < 1.4)'
replace 2 without_replacement(64, 10000, gaussian(1)) * 782
True

$ dosimeter sgd --examples 10000 --batch 64 --epochs 5 --noise 2 --delta 1e-6 --sampler with_replacement | grep 'plan  '
  plan       with_replacement(64, 10000, gaussian(1)) * 782

# A shuffled loader is not a Poisson sample. Under replace the sums are two
# clips apart; mpmath at mu = sqrt(5): 12.5952467355
$ dosimeter sgd --examples 10000 --batch 64 --epochs 5 --noise 2 --delta 1e-6 --sampler shuffle --neighbours replace -v | grep 'neighbours replace\|^epsilon\|lower end\|used \|compar\|distance  \|plan  '
epsilon <= 12.596 at delta 1e-6, sampler shuffle   (12.5952467355... of a known order; one that is kept secret may lose less)
  neighbours replace
  lower end  of a known order; one that is kept secret may lose less
  distance   2 clips between neighbours' sums
  used       at most 5 times, once per pass
  plan       gaussian(1) * 5
For comparison, not a guarantee for this run: if the batches had been Poisson samples,
epsilon <= 0.39372 at delta 1e-6, sampler poisson   (exact value 0.393715327152...)
  distance   1 clip between neighbours' sums
  plan       poisson(64/10000, gaussian(2)) * 782

# Of 1.2 epochs an example may be in two; of 157 steps, 156 a pass at least,
# too.
$ dosimeter sgd --examples 10000 --batch 64 --epochs 1.2 --noise 2 --delta 1e-6 --sampler shuffle | grep 'used  \|steps  '
> dosimeter sgd --examples 10000 --batch 64 --steps 157 --noise 2 --delta 1e-6 --sampler shuffle | grep 'used  '
> dosimeter sgd --examples 10000 --batch 64 --steps 156 --noise 2 --delta 1e-6 --sampler shuffle | grep 'used  '
  steps      188 = 1.2 epochs x 10000 / 64, rounded up
  used       at most 2 times, once per pass
  used       at most 2 times, once per pass
  used       at most 1 time, once per pass

# The tests of TF Privacy (compute_dp_sgd_privacy_test.py), PLD accounting:
# never above theirs, and no further below than their last digits.
$ check() { theirs=$1; shift; which=$1; shift
>   dosimeter sgd "$@" --json | python3 -c 'import json, sys
> theirs, which = sys.argv[1:]
> row = [a for a in json.load(sys.stdin)["answers"] if a["sampler"] == which][0]
> digits = len(theirs.split(".")[1])
> print(row["upper"] <= float(theirs) + 0.5 * 10**-digits and
>       row["lower"] > float(theirs) - 1e-3)' $theirs $which; }
> check 12.595 shuffle --N 10000 --batch_size 64 --epochs 5.0 --noise_multiplier 2.0 --delta 1e-6 --used_microbatching
> check 1.199 poisson --N=10000 --batch_size=64 --epochs=5.0 --noise_multiplier=2.0 --delta=1e-6 --used_microbatching=true --accountant_type PLD
> check 10.1224946 shuffle --N 100 --batch_size 1 --epochs 1.2 --noise_multiplier 0.7 --delta 1e-5 --noused_microbatching
> check 24.7160779 shuffle --N 100 --batch_size 1 --epochs 1.2 --noise_multiplier 0.7 --delta 1e-5 --used_microbatching
> check 2.4612381 poisson --N 100 --batch_size 1 --epochs 1.2 --noise_multiplier 0.7 --delta 1e-5 --used_microbatching=false
> check 18.6977407 poisson --N 100 --batch_size 1 --epochs 1.2 --noise_multiplier 0.7 --delta 1e-5 --used_microbatching
True
True
True
True
True
True

# The same with RDP accounting: 13.376 and 1.616 over their grid of orders;
# real orders do no worse.
$ dosimeter sgd --N 10000 --batch_size 64 --epochs 5.0 --noise_multiplier 2.0 --delta 1e-6 --used_microbatching --accountant_type RDP --json |
> python3 -c 'import json, sys
> poisson, shuffle = json.load(sys.stdin)["answers"]
> print(poisson["route"], 1.60 < poisson["upper"] < 1.6165)
> print(shuffle["route"], 13.3 < shuffle["upper"] < 13.3765)'
renyi True
renyi True

# Users of 3 and 10 examples: TF Privacy's bounds are 6.425 and inf for
# Poisson samples, 56.224 and 366.374 for each example once an epoch.
$ for k in 3 10; do
> dosimeter sgd --N 10000 --batch_size 64 --epochs 5 --noise_multiplier 2 --delta 1e-6 --used_microbatching --max_examples_per_user $k --json |
> python3 -c 'import json, sys
> users = [a for a in json.load(sys.stdin)["answers"] if a["unit"] == "user"]
> print([a["upper"] < bound for a, bound in
>        zip(users, {"3": (6.425, 56.224), "10": (20, 366.374)}[sys.argv[1]])])
> print(users[0]["plan"])' $k
> done
[True, True]
group(3, poisson(64/10000, gaussian(1)) * 782)
[True, True]
group(10, poisson(64/10000, gaussian(1)) * 782)

# The examples of JAX Privacy: 3.77 at sigma 3, q 0.1, T 512, delta 1e-6;
# 9.66 for epsilon 1; 155 steps within epsilon 2.
$ dosimeter sgd --examples 5120 --batch 512 --steps 512 --noise 3 --delta 1e-6 --sampler poisson --json |
> python3 -c 'import json, sys; print(round(json.load(sys.stdin)["answers"][0]["upper"], 2))'
> dosimeter sgd --examples 5120 --batch 512 --steps 512 --epsilon 1 --delta 1e-6 --sampler poisson --json |
> python3 -c 'import json, sys
> run = json.load(sys.stdin)
> print(round(run["noise_multiplier"], 2), run["noise_solved"])
> print(1 - 1e-9 < run["answers"][0]["upper"] <= 1)'
> for steps in 155 156; do
> dosimeter sgd --examples 5120 --batch 512 --steps $steps --noise 3 --delta 1e-6 --sampler poisson --json |
> python3 -c 'import json, sys; print(json.load(sys.stdin)["answers"][0]["upper"] <= 2)'; done
3.77
9.66 True
True
True
False

# Solved for users, the target holds for users; the deviation follows. Five
# passes of a group of 3: the multiplier is 3 times that of one example.
$ dosimeter sgd --examples 10000 --batch 64 --epochs 5 --epsilon 4 --delta 1e-6 --max-per-user 3 --clip 0.5 --added-to mean --sampler shuffle > a
> dosimeter sgd --examples 10000 --batch 64 --epochs 5 --epsilon 4 --delta 1e-6 --sampler shuffle > b
> sed -n '/^For users/{n;s/^epsilon <= \([^ ]*\) .*/\1/p;q}' a
> grep -c 'solved for\|deviation .* on the mean, clip 0.5' a
> cat a b | sed -n 's/.*multiplier \([^ ]*\) .*/\1/p' | python3 -c 'import sys
> users, one = map(float, sys.stdin)
> print(abs(users / one - 3) < 1e-12)'
4
2
True

# Several deltas, one noise for all.
$ dosimeter sgd --examples 10000 --batch 64 --epochs 5 --epsilon 2 --delta 1e-6 --delta 1e-8 --sampler poisson | sed -n '1,2s/^epsilon <= \([^ ]*\) .*/\1/p' | tail -n 1
2

# What is wrong is said with its numbers.
$ dosimeter sgd --examples 100 --batch 200
! dosimeter: sgd: --batch 200 exceeds the 100 examples; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --accumulate 6
! dosimeter: sgd: --batch 20 with --accumulate 6 exceeds the 100 examples; see "dosimeter help sgd"
= 2

$ dosimeter federated --clients 100 --per-round 200 --rounds 5 --noise 1 --delta 1e-5
! dosimeter: federated: --per-round 200 exceeds the 100 clients; see "dosimeter help federated"
= 2

$ dosimeter sgd --examples 100 --batch 20
! dosimeter: sgd: missing --epochs or --steps; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --steps 3
! dosimeter: sgd: either --epochs or --steps; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs -1
! dosimeter: sgd: --epochs needs a positive decimal such as 60 or 1.5, got "-1"; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 999999999999999999 --noise 1 --delta 1e-5
! dosimeter: sgd: --epochs 999999999999999999 makes more than 2^53 steps, or has too many digits; use --steps; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --delta 1e-5
! dosimeter: sgd: needs one of --noise, --noise-std with --clip, or --epsilon to solve for it; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise 1 --epsilon 1 --delta 1e-5
! dosimeter: sgd: needs one of --noise, --noise-std with --clip, or --epsilon to solve for it; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise 0 --delta 1e-5
! dosimeter: sgd: --noise must be positive and finite, got "0"; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise-std 1 --delta 1e-5
! dosimeter: sgd: --noise-std needs --clip: what counts is the noise relative to the clipping norm; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise 1 --added-to mean --delta 1e-5
! dosimeter: sgd: --noise is relative to the clipping norm of the sum; give --noise-std and --clip for noise on the mean; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise 1
! dosimeter: sgd: missing --delta; it should be well below 1/100, one over the number of examples; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise 1 --delta 1e-5 --sampler random
! dosimeter: sgd: --sampler is poisson, without_replacement, with_replacement or shuffle, got "random"; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100.5 --batch 20
! dosimeter: sgd: --examples needs a whole number from 1 to 9007199254740992, got "100.5"; see "dosimeter help sgd"
= 2

$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise 1 --delta 1e-5 --max-per-user 101
! dosimeter: sgd: --max-per-user 101 exceeds the 100 examples; see "dosimeter help sgd"
= 2

$ dosimeter sgd --clients 100
! dosimeter: sgd: --clients does not apply here; see "dosimeter help sgd"
= 2

# A Poisson sample under replace: what is sampled still moves by one clip.
$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise 1 --delta 1e-5 --sampler poisson --neighbours replace --json |
> python3 -c 'import json, sys
> row = json.load(sys.stdin)["answers"][0]
> print(row["neighbours"], row["distance"], row["plan"])'
replace 1 poisson(20/100, gaussian(1)) * 25

# Nothing is printed before a refusal, and JSON stays one object.
$ dosimeter sgd --examples 100 --batch 20 --epochs 5 --noise 1 --delta 1e-5 --sampler without_replacement --neighbours add_remove --json 2> b | cut -c 1-40
> wc -l < b
{"error":{"status":"EUNSUPPORTED","messa
1

# The other flags of TF Privacy belong to sgd alone.
$ dosimeter epsilon 'gaussian(1)' --delta 1e-5 --noused_microbatching
! dosimeter: epsilon: unknown option "--noused_microbatching"; see "dosimeter help epsilon"
= 2
