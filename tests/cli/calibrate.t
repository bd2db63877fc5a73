# The noise, the rate and the number of steps of private training. The exact
# sigma is 2.50337937739...; a digit more or less of the route's width shows
# in the last places only.
$ dosimeter calibrate 'poisson(0.004, gaussian(?)) * 20000' --epsilon 1 --delta 1e-6 -v
sigma 2.50337937739...
  sigma                  epsilon
  2.5034                 0.99999033006...
  2.50337937739...
  2.50337937739...
  plan       poisson(0.004, gaussian(2.50337937739...
  assumed    every record was sampled independently with the stated rate, anew in each step
  neighbours add_remove
  route      contour
  theorem    docs/theory/contour.md, after [ZDW22] (S000-7.tight)
  lower end  of the mechanism
  assumed    ...
  assumed    ...

$ dosimeter calibrate 'poisson(?, gaussian(1)) * 20000' --epsilon 3 --delta 1e-6 | head -n 4
rate 0.00340099519577...
  rate                   epsilon
  0.0034009              2.9999071831...
  0.00340099519577...

$ dosimeter calibrate 'poisson(0.01, gaussian(1)) * ?' --epsilon 3 --delta 1e-6 | head -n 5
count 2061   epsilon <= 3 at delta 1e-6
  count                  epsilon
  2061                   2.9995848020...
  2062                   3.0003071702...
  plan       poisson(0.01, gaussian(1)) * 2061

# What is printed is safe when it is pasted: value and rounded, not beyond.
$ dosimeter calibrate 'poisson(0.004, gaussian(?)) * 20000' --epsilon 1 --delta 1e-6 --json > found
> python3 - <<'END'
> import json, subprocess
> found = json.load(open("found"))
> for key in "value", "rounded", "beyond":
>     plan = "poisson(0.004, gaussian(%r)) * 20000" % found[key]
>     answer = json.loads(subprocess.run(["dosimeter", "epsilon", plan,
>         "--delta", "1e-6", "--json"], capture_output=True).stdout)
>     print(key, answer["upper"] <= 1)
> print(found["kind"], found["parameter"], found["binding"],
>     found["answer"]["upper"] <= 1 < found["beyond_answer"]["upper"],
>     found["plan"] == "poisson(0.004, gaussian(%r)) * 20000" % found["value"])
> END
value True
rounded True
beyond False
gaussian sigma 0 True True

# mu = sqrt(4)/sigma
$ dosimeter calibrate 'gaussian(?) * 4' --mu 0.5 --verbose
sigma 4   mu <= 0.5 at floor 0
  sigma                  mu
  4                      0.5 .. 0.5                      the smallest safe value
  3.9999999999999996     0.5 .. 0.500000000001           the next value, not safe
  plan       gaussian(4) * 4
  neighbours add_remove
  route      closed form
  theorem    [DRS22] Cor 2 (T001-C2), Eq. 4, Eq. 5 (T001-X3)
  lower end  of the mechanism
  assumed    ...
  assumed    ...

# Several targets, of several kinds; the i-th epsilon has the i-th delta.
$ dosimeter calibrate 'gaussian(?)' --epsilon 1 --epsilon 2 --delta 1e-6 --log-delta -30 --advantage 0.05 --rho 1 --alpha 0.05 --beta 0.5 --renyi 3 --order 4 | grep 'target\|^sigma'
sigma 7.97361970109182...
  target     epsilon <= 1 at delta 1e-6
  target     epsilon <= 2 at log_delta -30
  target     advantage <= 0.05, binding
  target     rho <= 1 at xi 0
  target     beta >= 0.5 at alpha 0.05
  target     renyi <= 3 at order 4

# Every number is safe; none is.
$ dosimeter calibrate 'poisson(0.5, pure(1)) * 3 + poisson(?, pure(0))' --epsilon 3 --delta 1e-6 | head -n 5
rate 1   epsilon <= 3 at delta 1e-6
  rate                   epsilon
  1                      ...
  ends       every value up to the end of the range meets the targets
  plan       poisson(0.5, pure(1)) * 3 + poisson(1, pure(0))

$ dosimeter calibrate 'gaussian(3) + gaussian(?)' --epsilon 1 --delta 1e-6
! dosimeter: no sigma of gaussian meets the target epsilon <= 1 at delta 1e-6: even with 1.8e308, epsilon is at least 1.44798
= 2

$ dosimeter calibrate 'approx(0.1, 1e-5) + gaussian(?)' --epsilon 1 --delta 1e-6 --json
{"error":{"status":"EDOMAIN","message":"no sigma of gaussian meets...
! dosimeter: no sigma of gaussian meets the target epsilon <= 1 at delta 1e-6: even with 1.8e308, epsilon is inf: delta is below the probability that the plan leaks everything
= 2

# As many digits as show that it is missed: epsilon of pure(1) at delta 1e-9 is
# log(e - 1e-9 (1 + e)) = 1 - 1e-9 (1 + 1/e) = 0.99999999863...
$ dosimeter calibrate 'pure(1) + gaussian(?)' --epsilon 0.999999998 --delta 1e-9 2>&1 | sed 's/even with .*, //'
dosimeter: no sigma of gaussian meets the target epsilon <= 0.999999998 at delta 1e-9: epsilon is at least 0.9999999986

# Of a type II error the upper end misses: 1 - 0.05 e = 0.864085908577...
$ dosimeter calibrate 'pure(1) + gaussian(?)' --alpha 0.05 --beta 0.9
! dosimeter: no sigma of gaussian meets the target beta >= 0.9 at alpha 0.05: even with 1.8e308, beta is at most 0.864086
= 2

# Where the target is between the ends, no more than that is known.
$ dosimeter calibrate 'zcdp(0.1, 0, ?)' --epsilon 1.8 --delta 1e-5
! dosimeter: no delta of zcdp is certain to meet the target epsilon <= 1.8 at delta 1e-5: even with 0, epsilon is between 1.76005 and 1.91424: ...
= 2

# What is printed shows that the target is met, and missed beside it.
$ cat > met.py <<'END'
> import re, subprocess
> from decimal import Decimal
> for plan, words, target, lower in (
>         ("gaussian(?) * 10", "--epsilon 1.1 --delta 1e-5", "1.1", 0),
>         ("gaussian(?)", "--mu 0.1", "0.1", 0), ("gaussian(?)", "--rho 0.01", "0.01", 0),
>         ("gaussian(?)", "--renyi 0.1 --order 3", "0.1", 0), ("laplace(?)", "--advantage 0.1", "0.1", 0),
>         ("pure(?)", "--epsilon 1.1 --delta 1e-5", "1.1", 0), ("gdp(?)", "--epsilon 0.7 --delta 1e-5", "0.7", 0),
>         ("zcdp(?)", "--epsilon 1.1 --delta 1e-5", "1.1", 0), ("gaussian(?)", "--alpha 0.05 --beta 0.3", "0.3", 1),
>         ("laplace(?)", "--alpha 0.05 --beta 0.9", "0.9", 1)):
>     out = subprocess.run(["dosimeter", "calibrate", plan, *words.split()], capture_output=True, text=True).stdout
>     for low, high, safe in re.findall(r"  (\S+) \.\. (\S+) +(rounded|the least|the greatest|the next)", out):
>         end, target = Decimal(low if lower else high), Decimal(target)
>         met = end >= target if lower else end <= target
>         assert met == (safe != "the next"), (plan, words, low, high, safe)
> print("done")
> END
> python3 met.py
> dosimeter calibrate 'gaussian(?) * 10' --epsilon 1.1 --delta 1e-5 | sed -n '4p'
> dosimeter sgd --examples 60000 --batch 256 --epochs 6 --epsilon 1.1 --delta 1e-5 --sampler poisson | sed -n 's/^epsilon <= \([^ ]*\) .*/\1/p'
done
  10.817311706824535     1.09999999999 .. 1.1            the smallest safe value
1.1

# The relation and the route.
$ dosimeter calibrate 'without_replacement(5, ?, rr(1.3862943611198906))' --advantage 0.26 | sed -n '1,4p; /neighbours/p'
population 12   advantage <= 0.26
  population             advantage
  12                     ...
  11                     ...
  neighbours replace

$ dosimeter calibrate 'gaussian(?)' --epsilon 1 --delta 1e-6 --route renyi -v | grep 'route  '
  route      renyi

$ dosimeter calibrate 'without_replacement(5, ?, gaussian(1))' --epsilon 1 --delta 1e-6 --neighbours add_remove
! dosimeter: without_replacement has no theorem under add_remove...
= 3

# Bad usage.
$ dosimeter calibrate 'gaussian(1)' --epsilon 1 --delta 1e-6
! dosimeter: calibration needs a plan with a hole "?"; this one has none
= 2

$ dosimeter calibrate 'gaussian(?)'
! dosimeter: calibrate: missing a target, as --epsilon with --delta; see "dosimeter help calibrate"
= 2

$ dosimeter calibrate 'gaussian(?)' --epsilon 1 --epsilon 2 --delta 1e-6
! dosimeter: calibrate: each --epsilon needs a --delta of its own; see "dosimeter help calibrate"
= 2

$ dosimeter calibrate 'gaussian(?)' --alpha 0.1
! dosimeter: calibrate: each --alpha needs a --beta of its own; see "dosimeter help calibrate"
= 2

$ dosimeter calibrate 'gaussian(?)' --mu 1 --mu 2 --floor 0.1
! dosimeter: calibrate: each --mu needs a --floor of its own; see "dosimeter help calibrate"
= 2

$ dosimeter calibrate 'gaussian(?)' --epsilon -1 --delta 1e-6
! dosimeter: the target epsilon must be non-negative and finite, got -1
= 2

$ dosimeter calibrate 'gaussian(?)' --epsilon 1 --delta 2
! dosimeter: delta must be at least 0 and less than 1, got 2
= 2

$ dosimeter epsilon 'gaussian(?)' --delta 1e-6
! dosimeter: the plan holds a hole "?"; only calibration fills it
= 2

# Out of time: what was found so far is told.
$ dosimeter calibrate 'laplace(?) * 20' --epsilon 1 --delta 1e-6 --time-limit 0.001
! dosimeter: calibration was stopped before it was done: ...
= 3

# In a batch.
$ cat > questions <<'END'
> {"query":"calibrate","plan":"gaussian(?) * 4","targets":[{"mu":0.5}],"id":1}
> {"query":"calibrate","plan":"gaussian(?)","targets":[{"epsilon":1,"delta":1e-6},{"advantage":0.05}]}
> {"query":"calibrate","plan":"gaussian(?)","targets":[{"epsilon":1}]}
> {"query":"calibrate","plan":"gaussian(?)"}
> END
> dosimeter batch < questions
{"id":1,"kind":"gaussian","parameter":"sigma","value":4,"beyond":3.9999999999999996,"rounded":4,"binding":0,"answer":{"lower":0.5,"upper":0.5,"route":"closed",...
{"kind":"gaussian","parameter":"sigma","value":7.97361970109182...
{"error":{"status":"EINVAL","message":"a target must be an object with epsilon and delta or log_delta, ...
{"error":{"status":"EINVAL","message":"the query \"calibrate\" needs targets, a list of objects","offset":null}}
= 2

# Pure DP, where the plan can have it.
$ dosimeter calibrate 'laplace(?)' --epsilon 1 --delta 0
scale 1   epsilon <= 1 at delta 0
  scale                  epsilon
  1                      0.999999999999 .. 1             the smallest safe value
  0.9999999999999999     1 .. 1.00000000001              the next value, not safe
  plan       laplace(1)
  neighbours add_remove
  theorem    [Ste22] Thm 1 (T000-01)
  assumed    1 more; -v lists them

$ dosimeter calibrate 'poisson(0.01, laplace(?)) * 1000' --epsilon 1 --delta 0 | head -n 4
scale 10.487055733256   epsilon <= 1 at delta 0
  scale                  epsilon
  10.488                 0.99990565373 .. 0.999905653731 rounded up
  10.487055733256        0.999999999999 .. 1             the smallest safe value

$ dosimeter calibrate 'poisson(0.01, laplace(1)) * ?' --epsilon 10 --delta 0 | head -n 4
count 586   epsilon <= 10 at delta 0
  count                  epsilon
  586                    9.98360185639 .. 9.9836018564   the largest safe value
  587                    10.0006387196 .. 10.0006387197  the next value, not safe

$ dosimeter calibrate 'gaussian(?)' --epsilon 1 --delta 0
! dosimeter: no sigma of gaussian meets the target epsilon <= 1 at delta 0: even with 1.8e308, epsilon is inf: the privacy loss of Gaussian noise is unbounded; ask for a delta above 0
= 2

$ dosimeter calibrate 'gaussian(1) + laplace(?)' --epsilon 1 --delta 0
! dosimeter: no scale of laplace meets the target epsilon <= 1 at delta 0: even with 1.8e308, epsilon is inf: the privacy loss of Gaussian noise is unbounded; ask for a delta above 0
= 2
