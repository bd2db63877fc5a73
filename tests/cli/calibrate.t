# The noise, the rate and the number of steps of private training. The exact
# sigma is 2.50337937739...; a digit more or less of the route's width shows
# in the last places only.
$ dosimeter calibrate 'poisson(0.004, gaussian(?)) * 20000' --epsilon 1 --delta 1e-6
sigma 2.50337937739...
  sigma                  epsilon
  2.5034                 0.99999033006...
  2.50337937739...
  2.50337937739...
  plan       poisson(0.004, gaussian(2.50337937739...
  route      spectral
  theorem    S000-7.tight
  lower end  of the mechanism
  assumed    ...
  assumed    ...
  assumed    ...

$ dosimeter calibrate 'poisson(?, gaussian(1)) * 20000' --epsilon 3 --delta 1e-6 | head -n 4
rate 0.00340099519577...
  rate                   epsilon
  0.0034009              2.9999071831...
  0.00340099519577...

$ dosimeter calibrate 'poisson(0.01, gaussian(1)) * ?' --epsilon 3 --delta 1e-6 | head -n 5
count 2061   epsilon <= 3 at delta 1e-6, neighbours add_remove
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
$ dosimeter calibrate 'gaussian(?) * 4' --mu 0.5
sigma 4   mu <= 0.5 at floor 0, neighbours add_remove
  sigma                  mu
  4                      0.5 .. 0.5                      the least that is safe
  3.9999999999999996     0.5 .. 0.500000000001           the next, no longer safe
  plan       gaussian(4) * 4
  route      closed
  theorem    T001-C2, T001-X3
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
rate 1   epsilon <= 3 at delta 1e-6, neighbours add_remove
  rate                   epsilon
  1                      ...
  ends       every number up to the end of the range meets the targets
  plan       poisson(0.5, pure(1)) * 3 + poisson(1, pure(0))

$ dosimeter calibrate 'gaussian(3) + gaussian(?)' --epsilon 1 --delta 1e-6
! dosimeter: no sigma of gaussian meets the target epsilon <= 1 at delta 1e-6: even with 1.8e308, epsilon is at most 1.44799
= 2

$ dosimeter calibrate 'approx(0.1, 1e-5) + gaussian(?)' --epsilon 1 --delta 1e-6 --json
{"error":{"status":"EDOMAIN","message":"no sigma of gaussian meets...
! dosimeter: no sigma of gaussian meets the target epsilon <= 1 at delta 1e-6: even with 1.8e308, epsilon is inf: delta is below the probability that the plan leaks everything
= 2

# The relation and the route.
$ dosimeter calibrate 'without_replacement(5, ?, rr(1.3862943611198906))' --advantage 0.26 | head -n 4
population 12   advantage <= 0.26, neighbours replace
  population             advantage
  12                     ...
  11                     ...

$ dosimeter calibrate 'gaussian(?)' --epsilon 1 --delta 1e-6 --route renyi | grep 'route  '
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
! dosimeter: delta must be greater than 0 and less than 1, got 2
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
