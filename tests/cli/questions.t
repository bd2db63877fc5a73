# Values: mpmath at 40 digits from the closed forms; the printed ends are
# those of the 12th digit below and above.

# Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu) = delta at mu = 1:
# 4.8865541174622120059, 11.743883025231736247
$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --delta 1e-30 | head -n 2
epsilon <= 4.8866 at delta 1e-6   (exact value 4.88655411746...)
epsilon <= 11.744 at delta 1e-30   (exact value 11.7438830252...)

# The provenance follows once when all answers share it.
$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --delta 1e-30 | grep -c '^  theorem'
1

# mu = sqrt(10000)/50 = 2: 9.9972561464343003591
$ dosimeter epsilon 'gaussian(50) * 10000' --delta 1e-5 | head -n 1
epsilon <= 9.9973 at delta 1e-5   (exact value 9.99725614643...)

# delta = exp(-2000), no double: 63.599527257495313042
$ dosimeter epsilon 'gaussian(1)' --log-delta -2000 | head -n 1
epsilon <= 63.6 at log delta -2000   (exact value 63.5995272574...)

# Optimal composition of 100 pure mechanisms: 4.7745675881079864475
$ dosimeter epsilon 'pure(0.1) * 100' --delta 1e-6 | head -n 1
epsilon <= 4.7746 at delta 1e-6   (worst case under the stated guarantees: 4.77456758810...)

# A ratio is a number; the other relation is said, in any of its spellings.
$ dosimeter epsilon 'gaussian(1)' --delta 1/1000000 --digits=3 | head -n 1
epsilon <= 4.89 at delta 1e-6   (exact value 4.88...)

$ dosimeter epsilon 'pure(1)' --delta 1e-9 --neighbors REPLACE_ONE > a
> dosimeter epsilon 'pure(1)' --delta 1e-9 --neighbours replace | cmp - a
> grep -c 'neighbours replace$' a
1

# No protection is an answer.
$ dosimeter epsilon 'nonprivate()' --delta 1e-6 | head -n 1
epsilon = inf at delta 1e-6   (no finite bound holds)

# Randomized response over 4 categories: p - exp(e) r with
# p = exp(1)/(exp(1) + 3), r = 1/(exp(1) + 3): 0.3004891818915622548,
# 0.18704229519361426866
$ dosimeter delta 'rr(1, categories=4)' --epsilon 0 --epsilon 0.5 | head -n 2
delta <= 0.30049 at epsilon 0   (exact value 0.300489181891...)
delta <= 0.18705 at epsilon 0.5   (exact value 0.187042295193...)

# A mixed plan: 4.2605e-5 to its last digit, the Gaussian's profile summed
# over a fine discretisation of the three Laplace losses.
$ dosimeter delta 'laplace(10) * 3 + gaussian(4)' --epsilon 1 --json |
> python3 -c 'import json, sys
> row = json.load(sys.stdin)
> print(row["lower"] <= 4.26055e-5 and 4.26045e-5 <= row["upper"] < 5e-5)'
True

# Shuffled, truncated and sampled plans are refused where there is no theorem.
$ dosimeter epsilon 'shuffled(256, 60000, gaussian(1)) * 100' --delta 1e-6
! dosimeter: 'shuffled': no amplification theorem for shuffled batches is implemented here; gaussian(1) bounds it without amplification, if a removed record leaves its slot empty
!   shuffled(256, 60000, gaussian(1)) * 100
!   ^
= 3

$ dosimeter epsilon 'truncated_poisson(0.01, 300, laplace(2) + rr(1)) * 100' --delta 1e-6
! dosimeter: 'truncated_poisson': no amplification theorem for truncated batches is implemented here; laplace(2) + rr(1) bounds it without amplification, if it is also stated for a record replaced
!   truncated_poisson(0.01, 300, laplace(2) + rr(1)) * 100
!   ^
= 3

$ dosimeter epsilon 'shuffled(' --delta 1e-6 2>&1 | head -n 1
dosimeter: 'shuffled': no amplification theorem for shuffled batches is implemented here; the base mechanism bounds it without amplification, if a removed record leaves its slot empty

$ dosimeter epsilon 'without_replacement(9, 99, gaussian(1))' --delta 1e-6 --neighbours add_remove
! dosimeter: without_replacement has no theorem under add_remove, where the population's size is private; ask under replace, or use poisson(batch/population, M)
= 3

$ dosimeter epsilon 'poisson(0.1, with_replacement(9, 99, gaussian(1)))' --delta 1e-6
! dosimeter: with_replacement inside poisson has no theorem, since the relation of the sampled data changes; leave out one of the two samplers
= 3

$ dosimeter epsilon 'with_replacement(3, 1, gaussian(1))' --delta 1e-6 --neighbours add_remove
! dosimeter: with_replacement has no theorem under add_remove for a population of 1, whose neighbour is empty; ask under replace
= 3

# No guarantee at all: an honest infinity, its reason, status 3.
$ dosimeter epsilon 'group(2, with_replacement(9, 99, gaussian(1))) + gaussian(1)' --delta 1e-6 > a; echo $?
> sed -n 's/^epsilon <= \(inf\) .*/\1/p; s/^  \(reason\) .*/\1/p' a
3
inf
reason

# A delta below the doubles is told by its logarithm.
$ dosimeter delta 'gaussian(1)' --epsilon 63.599527257495313 | sed -n 2p
  log delta  <= -1999.9   (between -2000 and -1999.99999999)

# Phi(Phi^-1(0.95) - 1) = 0.74048897715855592063
$ dosimeter tradeoff 'gaussian(1)' --alpha 0.05 | head -n 1
beta >= 0.74048 at alpha 0.05   (exact value 0.740488977158...)

# Laplace: 1 - alpha e at alpha <= 1/(2e), 1/(4 alpha e) up to 1/2,
# (1 - alpha)/e beyond
$ dosimeter tradeoff 'laplace(1)' --alpha 0.25,0.5 --alpha 0.75 --csv | cut -c 1-12
alpha,lower,
0.25,0.36787
0.5,0.183939
0.75,0.09196

$ dosimeter tradeoff 'laplace(1)' --points 5 --csv | cut -c 1-13
alpha,lower,u
0,1,1
1e-6,0.999997
0.5,0.1839397
0.999999,3.67
1,0,0

# log(8/15 exp(7/2) + 7/15 exp(-8/2))/7 = 0.41026788176229153657
$ dosimeter renyi 'laplace(2)' --order 8 | head -n 1
renyi <= 0.41027 at order 8   (exact value 0.410267881762...)

# One end alone, rounded outward.
$ dosimeter renyi 'laplace(2)' --order 8 --lower --digits 4 | head -n 1
> dosimeter renyi 'laplace(2)' --order 8 --upper --digits 4 | head -n 1
> dosimeter renyi 'laplace(2)' --order 8 --upper --lower --digits 4 | head -n 1
> dosimeter renyi 'laplace(2)' --order 8 --upper --json | cut -c 1-16
renyi >= 0.4102 at order 8
renyi <= 0.4103 at order 8
renyi <= 0.4103 at order 8   (exact value 0.4102...)
{"upper":0.41026

# 20/50 + 0.3 tanh(0.05) = 0.41498751248736399166; 2 tanh(1) + 1/4
$ dosimeter zcdp 'gaussian(5)*20 + pure(0.1)*3' -v | head -n 4
> dosimeter zcdp 'pure(2)' --xi -0.25 --digits 6 | head -n 1
> dosimeter zcdp 'approx(1, 1e-9)' -v | grep -v assumed
rho <= 0.41499   (worst case under the stated guarantees: 0.414987512487...)
  interval   0.414987512487 .. 0.414987512488
  neighbours add_remove
  route      zcdp
rho <= 1.77319 at xi -0.25   (worst case under the stated guarantees: 1.77318...)
rho = inf   (the stated guarantees allow no better)
  interval   inf .. inf
  neighbours add_remove
  route      zcdp
  theorem    [Ste22] Thm 13 (T000-13), docs/theory/concentrated.md, after [BS16] Prop 3.3 (D003-3.3-tightrho)
  lower end  of the class
  reason     the plan leaks with a probability above 0: it is only approximately zCDP

# The least of T000-33.8 over real orders is 5.6318096670205192634, at 4.67145
$ dosimeter epsilon 'poisson(0.01, gaussian(1.1)) * 10000' --delta 1e-5 --route renyi --digits 10 -v | head -n 7
epsilon <= 5.631809668 at delta 1e-5
  interval   0 .. 5.631809668
  assumed    every record was sampled independently with the stated rate, anew in each step
  neighbours add_remove
  route      renyi
  theorem    [Ste22] Thm 34 (T000-34), Thm 35 (T000-35), Lemma 33.2 (T000-33.2), Lemma 33.8 (T000-33.8)
  order      4.67145

# T002-9 alone gives 23.6236
$ dosimeter epsilon 'without_replacement(600, 60000, gaussian(5)) * 600000' --delta 1e-8 --neighbours replace --route renyi --digits 3 -v | head -n 6
epsilon <= 23 at delta 1e-8
  interval   0 .. 23
  assumed    every batch was drawn uniformly without replacement, anew in each step
  neighbours replace
  route      renyi
  theorem    [WBK19] Thm 9 (T002-9), Thm 19 (T002-19), Cor 10 (C002-10), [Ste22] Lemma 33.2 (T000-33.2), Lemma 33.8 (T000-33.8)

# JSON is the object of a batch; several values carry the one they answer.
$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --json > a
> echo '{"query":"epsilon","plan":"gaussian(1)","delta":1e-6}' |
> dosimeter batch > b
> dosimeter delta 'laplace(3)' --epsilon 0.25 --neighbours replace --json >> a
> echo '{"query":"delta","plan":"laplace(3)","epsilon":0.25,"neighbours":"replace"}' |
> dosimeter batch >> b
> dosimeter tradeoff 'rr(1)' --alpha 0.25 --json >> a
> echo '{"query":"tradeoff","plan":"rr(1)","alpha":0.25}' |
> dosimeter batch >> b
> dosimeter renyi 'laplace(2)' --order 8 --json >> a
> echo '{"query":"renyi","plan":{"kind":"laplace","scale":2},"order":8}' |
> dosimeter batch >> b
> dosimeter zcdp 'pure(2)' --xi 0.5 --json >> a
> echo '{"query":"zcdp","plan":"pure(2)","xi":0.5}' | dosimeter batch >> b
> sed 's/,"elapsed_us.*//' a > a.short; sed 's/,"elapsed_us.*//' b | cmp - a.short
> wc -l < a.short
5

$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --delta 1e-7 --json | cut -c 1-25
{"delta":1e-6,"lower":4.8
{"delta":1e-7,"lower":5.3

# Ten kinds and the composition assume eleven things, and every output says so.
$ cat > eleven <<'END'
> rr(0.01) + pure(0.02) + gdp(0.01) + gaussian(50) + laplace(50) +
> zcdp(1e-4) + approx(0.01, 1e-9) + exponential(0.01) +
> discrete_laplace(50) + poisson(0.01, gaussian(50))
> END
> dosimeter delta @eleven --epsilon 1 --route approx -v | grep -c assumed
> dosimeter risk @eleven --route approx -v | grep -c assumed
> dosimeter explain @eleven --delta 0.01 --route approx | tr '\n' ' ' |
> grep -o 'That [^.]*sampled independently'
> for command in 'delta --epsilon 1' risk 'tradeoff --alpha 0.1' \
>     'renyi --order 2' zcdp 'gdp'; do
>     set -- $command; name=$1; shift
>     dosimeter $name @eleven "$@" --json | head -n 1 |
>     python3 -c 'import json, sys
> print(len(json.load(sys.stdin)["assumptions"]))'
> done
> printf '{"query":"delta","epsilon":1,"plan":"%s"}\n' "$(tr '\n' ' ' < eleven)" |
> dosimeter batch | python3 -c 'import json, sys
> print(len(json.load(sys.stdin)["assumptions"]))'
11
11
That every record was sampled independently
11
11
11
11
11
11
11

# Pure DP: 3/2 + 1; a sample at rate 0.01 of 1-DP is log(1 + (e - 1)/100)-DP,
# 0.0170368632361. An infinite epsilon has its reason, and status 3.
$ dosimeter epsilon 'laplace(2) * 3 + rr(1)' --delta 0
epsilon <= 2.5 at delta 0   (between 2.49999999999 and 2.5)
  neighbours add_remove
  theorem    [Ste22] Thm 1 (T000-01)
  assumed    3 more; -v lists them

$ dosimeter epsilon 'poisson(0.01, pure(1))' --delta 0 | head -n 1
epsilon <= 0.017037 at delta 0   (worst case under the stated guarantees: 0.0170368632361...)

$ dosimeter epsilon 'laplace(2) + gaussian(1)' --delta 0 --quiet
inf
= 3

$ dosimeter epsilon 'laplace(2) + gaussian(1)' --delta 0
epsilon = inf at delta 0   (no finite bound holds)
  neighbours add_remove
  reason     the privacy loss of Gaussian noise is unbounded; ask for a delta above 0
  assumed    3 more; -v lists them
= 3

$ dosimeter epsilon 'laplace(2) * 3' --delta 0 --route lists | grep 'epsilon\|reason'
epsilon <= inf at delta 0   (no bound was certified; it is at least 1.4999)
  reason     at delta 0 the route approx alone bounds epsilon from above

$ dosimeter epsilon 'laplace(2)' --delta -0.1
! dosimeter: delta must be at least 0 and less than 1, got -0.1
= 2

$ dosimeter explain 'laplace(2) * 3' --delta 0 | sed -n '/What is guar/,/^$/p;/No conclusion/p;/What delta/,/^$/p' | grep .; dosimeter explain 'laplace(2)' --delta 0 | grep 'except'
What is guaranteed
- Pure differential privacy with epsilon 1.5.
- The exact epsilon lies in 1.49999 .. 1.5; the upper end is the one to
  report.
- Any later processing of the output keeps the guarantee.
- No conclusion becomes more than about 4.48 times as likely.
What delta means
- Delta is 0: the guarantee holds for every outcome, without exception.
- Delta is 0: the guarantee holds for every outcome, without exception.

$ dosimeter explain 'laplace(2) + gaussian(1)' --delta 0
! dosimeter: no finite epsilon is certified at delta 0: the privacy loss of Gaussian noise is unbounded; ask for a delta above 0
= 3

$ dosimeter report 'laplace(2)' --delta 0
! dosimeter: report: --delta must be greater than 0 and less than 1, got 0; epsilon at delta 0 is what "dosimeter epsilon" tells; see "dosimeter help report"
= 2
