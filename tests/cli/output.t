# The first line answers; what is known of the exact value stands in brackets.
$ dosimeter epsilon 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5
epsilon <= 2.3817 at delta 1e-5   (exact value 2.38168972614...)
  assumed    every record was sampled independently with the stated rate, anew in each step
  neighbours add_remove
  theorem    docs/theory/contour.md, after [ZDW22] (S000-7.tight)
  assumed    2 more; -v lists them

# A class, a wide interval, and ends that say nothing.
$ dosimeter epsilon 'pure(1)' --delta 1e-5 | head -n 1
> dosimeter epsilon 'zcdp(1)' --delta 1e-5 | head -n 1
> dosimeter epsilon 'without_replacement(10, 1000, gaussian(1)) * 10' --delta 1e-6 | head -n 1
> dosimeter epsilon 'gaussian(1) * 3' --delta 1e-5 --route renyi | head -n 1
> dosimeter epsilon 'laplace(1) * 2' --delta 1e-5 --route closed | head -n 1
> dosimeter epsilon 'laplace(1) * 2 + zcdp(1)' --delta 1e-5 --route approx | head -n 1
epsilon <= 0.99999 at delta 1e-5   (worst case under the stated guarantees: 0.999986321112...)
epsilon <= 7.0772 at delta 1e-5   (worst case under the stated guarantees between 6.5729 and 7.0772)
epsilon <= 0.596588 at delta 1e-6   (between 0.592349 and 0.596588)
epsilon <= 9.0099 at delta 1e-5
epsilon <= inf at delta 1e-5   (no bound was certified; it is at least 0.99997)
epsilon <= inf at delta 1e-5   (no bound was certified)

# Zero, infinity, and values that are doubles of few digits.
$ dosimeter epsilon 'pure(1)' --delta 0.99 | head -n 1
> dosimeter epsilon 'gaussian(100)' --delta 0.5 | head -n 1
> dosimeter epsilon 'nonprivate()' --delta 0.5 | head -n 1
> dosimeter epsilon 'approx(1, 0.1)' --delta 0.01 | head -n 1
> dosimeter delta 'nonprivate()' --epsilon 1 | head -n 1
> dosimeter delta 'pure(0.1)' --epsilon 0.1 | head -n 1
> dosimeter renyi 'zcdp(0.1)' --order 3 | head -n 1
> dosimeter gdp 'gaussian(0.1)' | head -n 2
> dosimeter zcdp 'gaussian(1) * 3' | head -n 1
> dosimeter zcdp 'laplace(1)' --xi 0.1 | head -n 1
epsilon <= 0 at delta 0.99   (worst case under the stated guarantees)
epsilon <= 0 at delta 0.5   (exact)
epsilon = inf at delta 0.5   (no finite bound holds)
epsilon = inf at delta 0.01   (the stated guarantees allow no better)
delta <= 1 at epsilon 1   (no bound below 1 holds)
delta <= 0 at epsilon 0.1   (worst case under the stated guarantees)
renyi <= 0.30001 at order 3   (worst case under the stated guarantees between 0.299999999999 and 0.300000000001)
mu <= 10   (between 9.99999999999 and 10)
  neighbours add_remove
rho <= 1.5001   (between 1.49999999999 and 1.50000000001)
rho <= 0.27674 at xi 0.1   (exact value 0.276737513216...)

# beta is safe to report rounded down.
$ dosimeter tradeoff 'gaussian(1)' --alpha 0.05,0,1 | grep '^beta'
> dosimeter tradeoff 'zcdp(1)' --alpha 0.1 | head -n 1
> dosimeter tradeoff 'nonprivate()' --alpha 0.1 | head -n 1
beta >= 0.74048 at alpha 0.05   (exact value 0.740488977158...)
beta >= 1 at alpha 0   (exact)
beta >= 0 at alpha 1   (no bound above 0 holds)
beta >= 0.23488 at alpha 0.1   (worst case under the stated guarantees between 0.2348 and 0.4473)
beta >= 0 at alpha 0.1   (no bound was certified; it is at most 4.9407e-324)

# Every first line is on the safe side of the interval and says of the exact
# value what both ends of it say.
$ cat > sides.py <<'END'
> import json, re, subprocess
> from decimal import Decimal as D
> PLANS = ["gaussian(1)", "laplace(0.3) * 7", "zcdp(1)", "pure(0.1) * 3", "rr(1) + gaussian(3)",
>     "poisson(0.01, gaussian(0.7)) * 900", "gdp(1e-6)", "approx(2, 1e-9)", "gaussian(1e4)", "gaussian(0.001)",
>     "exponential(0.1) * 20", "without_replacement(10, 1000, gaussian(1)) * 10", "laplace(1) + zcdp(0.1)"]
> ASKED = [["epsilon", "--delta", d] for d in ("1e-5", "1e-30", "0.01")] + [["delta", "--epsilon", e] for e in ("0", "1", "40")] + [
>     ["tradeoff", "--alpha", "0.01"], ["tradeoff", "--alpha", "0.3"], ["renyi", "--order", "2.5"], ["zcdp"]]
> seen = {"exact value": 0, "worst case": 0, "between": 0}
> def run(words, *more):
>     return subprocess.run(["dosimeter", *words, *more], capture_output=True, text=True).stdout
> for plan in PLANS:
>     for asked in ASKED:
>         words = [asked[0], plan, *asked[1:]]
>         answer = json.loads(run(words, "--json"))
>         low, high = (D(x) for x in (answer["lower"], answer["upper"]))
>         lines = run(words).split("\n")
>         for key in seen:
>             seen[key] += key in lines[0]
>         sign, end = re.match(r"\w+ (<=|>=|=) (\S+)", lines[0]).groups()
>         safe = low if asked[0] == "tradeoff" else high
>         assert sign == ("=" if low == high == D("inf") else ">=" if asked[0] == "tradeoff" else "<="), lines
>         assert float(end) >= safe if safe == high else float(end) <= safe, lines
>         assert safe < D("1e-300") or safe == D("inf") or abs(D(end) / safe - 1) < D("2e-4"), lines
>         digits = re.search(r"(-?[0-9.]+?)\.\.\.(e-?\d+)?", lines[0])
>         if digits:
>             first = D(digits[1] + (digits[2] or ""))
>             unit = D(1).scaleb(first.as_tuple().exponent)
>             assert first <= low <= high <= first + unit, (lines, answer)
>         both = re.search(r"between (\S+) and ([^) ]+)", lines[0])
>         if both:
>             assert D(both[1]) <= low and high <= D(both[2]), (lines, answer)
>         quiet = run(words, "-q").strip()
>         assert D(quiet) >= safe if safe == high else D(quiet) <= safe, (quiet, answer)
>         assert abs(float(quiet) - float(safe)) <= 2**-52 * float(safe) or float(quiet) == safe, (quiet, answer)
> print({key: n > 5 for key, n in seen.items()})
> END
> python3 sides.py
{'exact value': True, 'worst case': True, 'between': True}

# All of it, and just the number; one a line where several are asked.
$ dosimeter epsilon 'poisson(0.01, gaussian(1.1)) * 1000' --delta 1e-5 -v
epsilon <= 1.5154 at delta 1e-5   (exact value 1.51536191666...)
  interval   1.51536191666 .. 1.51536191667
  assumed    every record was sampled independently with the stated rate, anew in each step
  neighbours add_remove
  route      contour
  theorem    docs/theory/contour.md, after [ZDW22] (S000-7.tight)
  lower end  of the mechanism
  assumed    the plan was fixed in advance; within it, later steps may depend on earlier answers
  assumed    Gaussian noise is exact, and sigma is relative to the true L2 distance of neighbours' answers

$ dosimeter epsilon 'poisson(0.01, gaussian(1.1)) * 1000' --delta 1e-5 --route rdp --verbose | grep 'route\|order'
  route      renyi
  order      9.56811
  reason     the ends come from different bounds; no route knows the exact law

$ dosimeter epsilon 'zcdp(1)' --delta 1e-5,1e-6 --quiet
> dosimeter tradeoff 'gaussian(1)' --alpha 0.05 -q
> dosimeter gdp 'gaussian(2)' --floor 0.1 -q
> dosimeter renyi 'laplace(2)' --order 8 --lower -q
> dosimeter calibrate 'gaussian(?) * 4' --mu 0.5 -q
> dosimeter sgd --examples 60000 --batch 256 --noise 1.1 --epochs 60 --delta 1e-5 -q | cut -c 1-12
> dosimeter sgd --examples 60000 --batch 256 --epsilon 2 --epochs 60 --delta 1e-5 -q | cut -c 1-10
> dosimeter check 'gaussian(1)' --epsilon 4 --delta 1e-5 -q; echo $?
> dosimeter epsilon 'nonprivate()' --delta 1e-5 -q
7.0771966958063404
7.7662166253117216
0.74048897715855588
0.5
0.5
0.4102678817622915
4
2.3816897261
1.22417555
1
inf

# JSON stays JSON.
$ dosimeter delta 'pure(0.1)' --epsilon 0.1 --json -q | cut -c 1-22
{"lower":0,"upper":0,"

# Colors on request, on a terminal, and never where they are refused.
$ dosimeter delta 'poisson(0.5, pure(0))' --epsilon 0.5 --color=always | head -n 2 | tr '\033' '^'
> dosimeter delta 'pure(0)' --epsilon 0.5 --color auto | grep -c "$(printf '\033')"
> NO_COLOR=1 dosimeter check 'pure(1)' --epsilon 2 --delta 0.1 --colour always | head -n 1 | tr '\033' '^'
> cat > terminal.py <<'END'
> import os, pty, subprocess, sys
> def colored(words, **more):
>     master, slave = pty.openpty()
>     env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
>     subprocess.run(["dosimeter", "delta", "pure(0)", "--epsilon", "0.5", *words], stdout=slave, env={**env, "TERM": "xterm", **more})
>     os.close(slave)
>     said = os.read(master, 4096)
>     return b"\033[" in said
> print(colored([]), colored([], NO_COLOR=""), colored([], NO_COLOR="1"), colored([], TERM="dumb"), colored(["--color", "never"]))
> END
> python3 terminal.py
delta ^[1m<= 0^[0m at epsilon 0.5   ^[2m(worst case under the stated guarantees)^[0m
  neighbours add_remove
0
^[32mholds^[0m   epsilon <= 2 at delta 0.1
True True False False False

$ dosimeter delta 'pure(0)' --epsilon 0.5 --color sometimes
! dosimeter: delta: --color is auto, always or never, got "sometimes"; see "dosimeter help delta"
= 2

$ dosimeter formula list -q
! dosimeter: formula: --quiet does not apply here; see "dosimeter help formula"
= 2
