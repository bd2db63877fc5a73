# What a plan guarantees, in plain language.

# Gaussian noise, mu = 1: accuracy Phi(1/2) = 0.69146; true positives
# Phi(1 + Phi^-1(0.01)) = 0.092357 and Phi(1 + Phi^-1(0.001)) = 0.018291;
# posterior 0.092357/(0.092357 + 0.01) = 0.90230; epsilon 4.37717809568
$ dosimeter explain 'gaussian(1)' --delta 1e-5 --people 60000 | grep .
What is guaranteed
- (epsilon, delta)-differential privacy with epsilon 4.37718 and delta 1e-5.
- The exact epsilon lies in 4.37717 .. 4.37718; the upper end is the one to
  report.
- Any later processing of the output keeps the guarantee.
Who is protected
- Everyone with one record in the data. People with several records are
  protected less: group(k, PLAN) tells how much.
- Neighbouring data sets differ in whether one record is there (relation
  add_remove): participation itself is protected, and so is the content of the
  record.
In odds
- Suppose somebody concludes from the output that you took part, by the best
  possible test.
- If you do not take part, the conclusion is drawn wrongly in, say, 1 out of
  100 cases.
- If you do, it is drawn in at most 9.24 out of 100.
- No conclusion becomes more than about 79.6 times as likely, except with
  probability delta.
What an attacker gains
- The attacker knows everything else, and decides between two neighbouring
  data sets.
- Guesses are right at most 69.2 out of 100 times; a coin is right 50 out of
  100 times.
- At a false positive rate of 1 % the true positive rate is at most 9.24 %.
- At a false positive rate of 0.1 % the true positive rate is at most 1.83 %.
- A belief of 50 % becomes at most 90.3 % after a positive test of a false
  positive rate of 1 %.
What delta means
- Delta 1e-5 bounds the probability of outcomes for which the epsilon
  guarantee may fail; in the worst case a record is disclosed with that
  probability.
- For 60000 people that adds up to about 0.6 of them.
- That is barely below one person. Below 1.67e-06 would be better.
What was run
- Once gaussian(1)
- gaussian: Gaussian noise; sigma = standard deviation / L2 distance of
  neighbours' answers.
How it is known
- Route closed form: one mechanism, all Gaussian, or equal steps: a closed
  form.
- Theorems: [Ste22] Cor 8 (T000-08), Cor 10 (T000-10).
- The lower end refers to the mechanism: from this plan alone no method can
  report an epsilon below 4.37717.
Assumed, not checked
- That Gaussian noise is exact, and sigma is relative to the true L2 distance
  of neighbours' answers.
- That the plan covers everything that was learned from the data: every run,
  including discarded ones.
- That the noise has exactly the stated law: floating-point samplers leak in
  ways no accountant sees.

# What must be true of the sampler comes second.
$ dosimeter explain 'poisson(0.01, gaussian(1)) * 9 + without_replacement(5, 500, laplace(1))' --delta 1e-5 --neighbours replace | sed -n '/^Only/,/^$/p' | grep .
Only with this sampler
- All of this holds only if every record was sampled independently with the
  stated rate, anew in each step.
- All of this holds only if the mechanism that poisson samples is stated for
  one record added or removed, although one is replaced.
- All of this holds only if every batch was drawn uniformly without
  replacement, anew in each step.
- Many data loaders shuffle the records and cut them into batches instead.
  Then this epsilon is too small, and "dosimeter sgd --sampler shuffle" gives
  the one to report.

# Markdown and JSON hold the same sentences.
$ dosimeter explain 'laplace(2) * 3' --delta 1e-6 --markdown > a; head -n 1 a
> grep -c '^## ' a
> dosimeter explain 'laplace(2) * 3' --delta 1e-6 --json | python3 -c 'import json, re, sys
> row = json.load(sys.stdin)
> page = " ".join(open("a").read().split())
> said = [s for part in row["statement"] for s in [part["title"]] + part["text"]]
> print(all(" ".join(s.split()) in page for s in said), len(said) > 20)
> print(row["epsilon"]["upper"] >= row["epsilon"]["lower"] > 1.4, row["tests"][1]["false_positive"])'
# Privacy of `laplace(2) * 3`
8
True True
True 0.01

# Groups, the other relation, a prior: mu = 1/2, and Phi(1/2 + Phi^-1(0.01)) =
# 0.033899 makes 0.01 x 0.033899 out of that and 0.99 x 0.01.
$ dosimeter explain 'group(4, gaussian(8))' --delta 1e-6 --prior 0.01 --neighbours replace | sed -n '/^Who is protected/,/^$/p; /belief/,/^$/p' | grep .
Who is protected
- Everyone with at most 4 records.
- Neighbouring data sets differ in what such a group says (relation replace):
  the content is protected, the number of records is public.
- A belief of 1 % becomes at most 3.32 % after a positive test of a false
  positive rate of 1 %.

# Delta against people: 1, 0.5, 0.01 of them.
$ for n in 1000000 500000 10000; do dosimeter explain 'gaussian(5)' --delta 1e-6 --people $n | grep '^- That is [a-z]* '; done
- That is too large: publishing the record of one person, picked at random,
- That is barely below one person. Below 2e-07 would be better.
- That is well below one person.

# Infinite, certainly; infinite, as far as is known.
$ dosimeter explain 'nonprivate()' --delta 1e-5 | sed -n '2,4p'
- Nothing: no finite epsilon is certified at delta 1e-5.
- No other method can find one either: epsilon is certainly infinite.
- Why: delta is below the probability that the plan leaks everything.

$ dosimeter explain 'group(2, renyi(2, 1))' --delta 1e-5 > a; echo $?; sed -n '2,3p' a
3
- Nothing: no finite epsilon is certified at delta 1e-5.
- That does not prove that there is none: epsilon lies between ...

# Where nothing is guaranteed nobody is told that he is protected, and delta is
# not weighed: half of the outputs of this pair of laws give the record away.
$ dosimeter explain 'pmf([0, 1], [0.5, 0.5])' --delta 1e-5 --people 1000 > a
> grep -c 'itself is protected\|content is protected\|well below\|becomes at most\|Everyone' a
> sed -n '/^Who is protected/,/^$/p; /^What delta/,/^$/p; /leaves no doubt/,/^$/p' a | grep .
0
Who is protected
- Nobody: without an epsilon no one is protected.
- Neighbouring data sets differ in whether one record is there (relation
  add_remove).
- With a probability above delta the output leaves no doubt: a belief of 50 %
  becomes 100 %.
What delta means
- Nothing here: the output discloses a record with a probability above delta
  1e-5.

# A stated guarantee may be worse than the mechanism.
$ dosimeter explain 'approx(1, 0.2)' --delta 1e-5 | sed -n '3,4p'
- From the stated guarantees alone no other method can find one either: some
  mechanism with these guarantees has an infinite epsilon.

# What does not depend on the data has epsilon 0 at every delta, and no
# attacker gains; what does in a few cases may have more at a smaller delta.
$ dosimeter explain 'pure(0)' --delta 1e-5 | grep '^- Epsilon 0\|^- No \|larger'
> dosimeter explain 'approx(0, 1e-9)' --delta 1e-5 | grep '^- Epsilon 0\|^- No attacker\|larger'
- Epsilon 0 is not a mistake: the output does not depend on one record, at any
- No conclusion becomes more likely.
- No attacker does better than one who does not see the output.
- Epsilon 0 is not a mistake: with probability at least 1 - delta, the output
  for more and may have a larger epsilon.

# Groups count as far as all parts have them.
$ dosimeter explain 'group(3, gaussian(9)) + gaussian(9)' --delta 1e-5 | grep '^- Everyone'
- Everyone with one record in the data. People with several records are

# A prior is said as it was given.
$ for prior in 0.07 0.9999999999999999; do dosimeter explain 'gaussian(1)' --delta 1e-5 --prior $prior | grep -o 'belief of [^ ]* %'; done
belief of 7 %
belief of 99.99999999999999 %

# No sentence is left out for want of room: 13 parts of 13 kinds.
$ dosimeter explain 'gaussian(9) + laplace(9) + discrete_gaussian(9) + discrete_laplace(9) + rr(0.1) + exponential(0.1) + pure(0.1) + approx(0.1, 1e-9) + zcdp(0.1) + renyi(20, 0.1) + gdp(0.1) + poisson(0.1, gaussian(9)) + pmf([1, 2], [2, 1])' --delta 1e-5 --time-limit 0.1 | sed -n '/^What was run/,/^$/p' | grep -c '^- [a-z_]*: '
13

# Very large.
$ dosimeter explain 'gaussian(0.1)' --delta 1e-5 | grep -c 'protects very little'
1

$ dosimeter explain 'gaussian(1)'
! dosimeter: explain: missing --delta; see "dosimeter help explain"
= 2

$ dosimeter explain 'gaussian(1)' --delta 1e-5 --delta 1e-6
! dosimeter: explain: --delta is given twice; see "dosimeter help explain"
= 2

$ dosimeter explain 'gaussian(1)' --delta 1e-5 --people 0
! dosimeter: explain: --people needs a whole number from 1 to 9007199254740992, got "0"; see "dosimeter help explain"
= 2
