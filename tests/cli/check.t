# A claim that holds, one that is refuted, and one that neither is.
$ dosimeter check 'gaussian(50) * 10000' --epsilon 10 --delta 1e-5 -v
holds   epsilon <= 10 at delta 1e-5
  The plan is (10, 1e-5)-DP under add_remove: its epsilon at delta 1e-5 is at most 9.99726.
  epsilon    9.99725614643 .. 9.99725614644
  neighbours add_remove
  route      closed form
  theorem    [Ste22] Cor 8 (T000-08), Cor 10 (T000-10)
  lower end  of the mechanism
  assumed    ...
  assumed    ...

$ dosimeter check 'poisson(256/60000, gaussian(1.06)) * 4687' --epsilon 1.34 --delta 1e-5 | head -n 3
refuted   epsilon <= 1.34 at delta 1e-5
  The plan is not (1.34, 1e-5)-DP under add_remove: its epsilon at delta 1e-5 is at least 1.40764.
  epsilon    1.40764719646 .. 1.40764719647

$ dosimeter check 'poisson(256/60000, gaussian(1.06)) * 4687' --epsilon 1.34 --delta 1e-5 > refuted
= 1

$ dosimeter check 'zcdp(0.1) + pure(0.5)' --epsilon 2.5 --delta 1e-6 > undecided; echo $?; head -n 2 undecided
3
undecided   epsilon <= 2.5 at delta 1e-6
  Whether the plan is (2.5, 1e-6)-DP under add_remove is not decided: its epsilon at delta 1e-6 is known to be in 2.4482 .. 2.5971 only.

# The lower end of a class refutes that the stated guarantees imply the claim,
# not that the mechanism meets it.
$ dosimeter check 'pure(1)' --epsilon 0.5 --delta 1e-6 > class; echo $?; head -n 2 class
3
undecided   epsilon <= 0.5 at delta 1e-6
  The guarantees that the plan states do not imply that it is (0.5, 1e-6)-DP under add_remove: a mechanism that meets them has epsilon at delta 1e-6 at least 0.999998; whether the one that was run does is not decided.

# But the parts of a plan whose laws are known may refute it alone, all of them
# together, and none of a plan that is nothing but a class or a mechanism.
$ dosimeter check 'gaussian(1) + pure(0.1)' --epsilon 4.8 --delta 1e-6 > known; echo $?; head -n 4 known
1
refuted   epsilon <= 4.8 at delta 1e-6
  The plan is not (4.8, 1e-6)-DP under add_remove: of its parts with a known law alone, epsilon at delta 1e-6 is at least 4.88655.
  epsilon    4.91329630477 .. 4.91329630478
  known      gaussian(1)

$ dosimeter check 'gaussian(1) + pure(0.1)' --epsilon 4.9 --delta 1e-6 > class
= 3

$ dosimeter check 'gaussian(2) + pure(0.1) + laplace(1) + zcdp(0.001)' --epsilon 2.9 --delta 1e-6 --json > both.json; echo $?; grep -o '"known":"[^"]*"' both.json; dosimeter epsilon 'gaussian(2) + laplace(1)' --delta 1e-6 | head -n 1; dosimeter epsilon 'gaussian(2)' --delta 1e-6 | head -n 1
1
"known":"gaussian(2) + laplace(1)"
epsilon <= 3.184 at delta 1e-6   (exact value 3.18390372465...)
epsilon <= 2.2541 at delta 1e-6   (exact value 2.25408465021...)

$ dosimeter check 'pure(0.5) + zcdp(0.5)' --epsilon 0.1 --delta 1e-6 > class
= 3

$ dosimeter check 'gaussian(2) + pure(0.1)' --alpha 0.05 --beta 0.9 --epsilon 1000 --delta 0
refuted    beta >= 0.9 at alpha 0.05         beta      0.87...
refuted    epsilon <= 1000 at delta 0        delta     0 .. 4.95e-324                  gaussian(2) + pure(0.1)
claims 2: holds 0, refuted 2, undecided 0
= 1

# The doubles decide, not what is printed of them: the interval of this plan
# is two doubles wide, and the claims are its ends and their neighbours.
$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --json > ends
> python3 - <<'END'
> import json, math, subprocess
> ends = json.load(open("ends"))
> def status(claim, plan="gaussian(1)", *words):
>     return subprocess.run(["dosimeter", "check", plan, *(words or ("--epsilon", repr(claim), "--delta", "1e-6"))],
>                           capture_output=True).returncode
> low, high = ends["lower"], ends["upper"]
> print(low < high, status(high), status(math.nextafter(high, 0)), status(low), status(math.nextafter(low, 0)))
> beta = json.loads(subprocess.run(["dosimeter", "tradeoff", "gaussian(1)", "--alpha", "0.05", "--json"], capture_output=True).stdout)
> low, high = beta["lower"], beta["upper"]
> print(low < high, *(status(0, "gaussian(1)", "--beta", repr(b), "--alpha", "0.05")
>       for b in (low, math.nextafter(low, 1), high, math.nextafter(high, 1))))
> END
True 0 3 3 1
True 0 3 3 1

# The first interval of these contains both claims; the second one, where a
# width of 1e-12 is attained and where it is not, does not.
$ dosimeter epsilon 'laplace(2) * 3' --delta 1e-3 | head -n 1; dosimeter check 'laplace(2) * 3' --epsilon 1.492015894 --epsilon 1.492015895 --delta 1e-3 --delta 1e-3
epsilon <= 1.4921 at delta 0.001   (exact value 1.4920158...)
refuted    epsilon <= 1.492015894 at delta 0.001  epsilon   1.49201589411 .. 1.49201589412  laplace(2) * 3
holds      epsilon <= 1.492015895 at delta 0.001  epsilon   1.49201589411 .. 1.49201589412  laplace(2) * 3
claims 2: holds 1, refuted 1, undecided 0
= 1

$ dosimeter epsilon 'exponential(0.1) * 20' --delta 1e-5 | head -n 1; dosimeter check 'exponential(0.1) * 20' --epsilon 0.8182287 --delta 1e-5 | head -n 1
epsilon <= 0.81823 at delta 1e-5   (worst case under the stated guarantees: 0.818228...)
holds   epsilon <= 0.8182287 at delta 1e-5

# Every target of calibrate; the delta of a claim may be 0, also where the
# exact delta is smaller than any double.
$ dosimeter check 'gaussian(2)' --mu 0.5 --rho 0.13 --renyi 1 --order 4 --advantage 0.1 --alpha 0.05 --beta 0.9 --epsilon 4 --epsilon 1000 --log-delta -30 --delta 0
holds      mu <= 0.5 at floor 0              mu        0.5 .. 0.5                      gaussian(2)
holds      rho <= 0.13 at xi 0               rho       0.124999999999 .. 0.125000000001  gaussian(2)
holds      renyi <= 1 at order 4             renyi     0.5 .. 0.5                      gaussian(2)
refuted    advantage <= 0.1                  delta     0.197412651365 .. 0.197412651366  gaussian(2)
refuted    beta >= 0.9 at alpha 0.05         beta      0.873865101806 .. 0.873865101807  gaussian(2)
holds      epsilon <= 4 at log_delta -30     epsilon   3.61626553923 .. 3.61626553924  gaussian(2)
refuted    epsilon <= 1000 at delta 0        delta     0 .. 4.95e-324                  gaussian(2)
claims 7: holds 4, refuted 3, undecided 0
= 1

$ dosimeter check 'laplace(2) * 3' --epsilon 1.5 --delta 0 | head -n 2
holds   epsilon <= 1.5 at delta 0
  The plan is (1.5, 0)-DP under add_remove: its delta at epsilon 1.5 is at most 0.

$ dosimeter check 'gaussian(2)' --epsilon 1000 --delta 0 | sed -n 2p
  The plan is not (1000, 0)-DP under add_remove: its delta at epsilon 1000 is above 0.

$ for words in '--mu 0.4' '--mu 1 --floor 0.01' '--rho 0.2' '--rho 0.3 --xi -0.1' '--renyi 1 --order 2' '--alpha 0.05 --beta 0.5' '--advantage 0.1' '--epsilon 1 --log-delta -2'; do dosimeter check 'gaussian(2)' $words | sed -n 2p; done
  The plan is not 0.4-GDP under add_remove: its mu at floor 0 is at least 0.5.
  The plan is 1-GDP for tests with both errors at least 0.01 under add_remove: its mu at floor 0.01 is at most 0.5.
  The plan is 0.2-zCDP under add_remove: its rho at xi 0 is at most 0.125001.
  The plan is (-0.1, 0.3)-zCDP under add_remove: its rho at xi -0.1 is at most 0.225001.
  The plan is (2, 1)-Renyi DP under add_remove: its renyi at order 2 is at most 0.25.
  The plan is safe from tests with type I error 0.05 and type II error below 0.5 under add_remove: its beta at alpha 0.05 is at least 0.873865.
  The plan is not safe from membership tests with an advantage above 0.1 under add_remove: its advantage is at least 0.197412.
  The plan is (1, exp(-2))-DP under add_remove: its epsilon at log_delta -2 is at most 0.169312.

# An advantage inside the interval of a mechanism is neither.
$ for v in 0.015 0.017 0.019; do dosimeter check 'without_replacement(10, 1000, gaussian(1)) * 10' --advantage $v | head -n 1; done
refuted   advantage <= 0.015
undecided   advantage <= 0.017
holds   advantage <= 0.019

# What no theorem covers is undecided, with the reason.
$ dosimeter check 'without_replacement(10, 100, gaussian(1))' --epsilon 1 --delta 1e-6 --neighbours add_remove
undecided   epsilon <= 1 at delta 1e-6
  Whether the plan is (1, 1e-6)-DP is not decided: ...
= 3

# Claims from a file, as JSON and as CSV. The worst verdict is the status.
$ cat > claims.json <<'END'
> [{"label":"counts","plan":"gaussian(50) * 10000","epsilon":10,"delta":1e-5},
>  {"label":"training","plan":"poisson(256/60000, gaussian(1.06)) * 4687","epsilon":1.34,"delta":1e-5},
>  {"label":"tree","plan":{"kind":"pure","epsilon":1},"epsilon":0.5,"delta":1e-6},
>  {"plan":"gaussian(1)","mu":1,"neighbors":"replace"}]
> END
> cat > claims.csv <<'END'
> label,plan,epsilon,delta,mu,neighbours
> counts,gaussian(50) * 10000,10,1e-5,,
>
> "training, ""figure 4""","poisson(256/60000, gaussian(1.06)) * 4687",1.34,1e-5,,add_remove
> tree,pure(1),1/2,1e-6
> ,gaussian(1),,,1,replace
> END
> dosimeter check --claims claims.json; echo $?; dosimeter check --claims - < claims.csv
holds      epsilon <= 10 at delta 1e-5       epsilon   9.99725614643 .. 9.99725614644  counts
refuted    epsilon <= 1.34 at delta 1e-5     epsilon   1.40764719646 .. 1.40764719647  training
undecided  epsilon <= 0.5 at delta 1e-6      epsilon   0.999998632119 .. 0.99999863212  tree
holds      mu <= 1 at floor 0                mu        1 .. 1                          gaussian(1)
claims 4: holds 2, refuted 1, undecided 1
1
holds      epsilon <= 10 at delta 1e-5       epsilon   9.99725614643 .. 9.99725614644  counts
refuted    epsilon <= 1.34 at delta 1e-5     epsilon   1.40764719646 .. 1.40764719647  training, "figure 4"
undecided  epsilon <= 0.5 at delta 1e-6      epsilon   0.999998632119 .. 0.99999863212  tree
holds      mu <= 1 at floor 0                mu        1 .. 1                          gaussian(1)
claims 4: holds 2, refuted 1, undecided 1
= 1

$ grep -v training claims.csv | dosimeter check --claims - --json > undecided.json; echo $?
> python3 - <<'END'
> import json
> said = json.load(open("undecided.json"))
> print([c["verdict"] for c in said["claims"]], said["holds"], said["refuted"], said["undecided"])
> print(sorted(said["claims"][0]))
> print(said["claims"][0]["sentence"], said["claims"][2]["neighbours"])
> END
3
['holds', 'undecided', 'holds'] 2 0 1
['assumptions', 'citation', 'delta', 'epsilon', 'label', 'lower', 'lower_meaning', 'neighbours', 'plan', 'query', 'route', 'sentence', 'theorem', 'upper', 'verdict']
The plan is (10, 1e-5)-DP under add_remove: its epsilon at delta 1e-5 is at most 9.99726. replace

# Lines that end as on another system, a mark of UTF-8, no last line end.
$ printf '\357\273\277plan,epsilon,delta\r\n"pure(1)",1,0\r\npure(2),2,0' | dosimeter check --claims - | tail -n 1
claims 2: holds 2, refuted 0, undecided 0

# What is wrong is named, with its line or rank.
$ for line in 'pure(1),x,1e-5' 'pure(1),1' 'pure(1,2),1,1e-5' 'pure(0.1) * x,1,1e-5' 'pure(1),-1,1e-5' 'pure(1),1,2' 'pure(1),nan,0.1' '"pure(1)" ,1,1e-5'; do printf 'plan,epsilon,delta\npure(1),1,0\n%s\n' "$line" | dosimeter check --claims - ; done
! dosimeter: check: line 3 of the claims: epsilon needs a number, got "x"; see "dosimeter help check"
! dosimeter: check: line 3 of the claims: one target is needed: epsilon and delta or log_delta, beta and alpha, renyi and order, rho, mu or advantage; see "dosimeter help check"
! dosimeter: check: line 3 of the claims: 4 fields under 3 columns; a plan with a comma needs quotes; see "dosimeter help check"
! dosimeter: check: line 3 of the claims: ...
! dosimeter: check: claim 2: epsilon must be non-negative and finite, got -1; see "dosimeter help check"
! dosimeter: claim 2: delta must be at least 0 and less than 1, got 2
! dosimeter: check: claim 2: epsilon must be non-negative and finite, got nan; see "dosimeter help check"
! dosimeter: check: line 3 of the claims: a quoted field must end in a quote and a comma or line end; see "dosimeter help check"
= 2

$ for text in 'plan,mu\n"' 'plan,mu\n"pure(1)""' 'plan,mu\n"pure(1)""x",1' 'plan,mu\npure(1),1\n\0pure(9),1\n'; do printf "$text" | dosimeter check --claims -; done
! dosimeter: check: line 2 of the claims: a quoted field must end in a quote and a comma or line end; see "dosimeter help check"
! dosimeter: check: line 2 of the claims: a quoted field must end in a quote and a comma or line end; see "dosimeter help check"
! dosimeter: check: line 2 of the claims: ...
! dosimeter: check: the claims have a NUL byte; see "dosimeter help check"
= 2

$ for head in 'plan,eps' 'plan,plan' 'epsilon,delta' ''; do printf '%s\n' "$head" | dosimeter check --claims -; done
! dosimeter: check: line 1 of the claims: no column is called "eps"; they are label, plan, neighbours, and targets as epsilon and delta; see "dosimeter help check"
! dosimeter: check: line 1 of the claims: the column "plan" is there twice; see "dosimeter help check"
! dosimeter: check: line 1 of the claims: the header has no column "plan"; see "dosimeter help check"
! dosimeter: check: line 2 of the claims: the header has no column "plan"; see "dosimeter help check"
= 2

$ echo '[{"plan":"pure(1)","epsilon":1}]' | dosimeter check --claims -
! dosimeter: claim 1: a target must be an object with epsilon and delta or log_delta, beta and alpha, renyi and order, rho, rho and xi, mu, mu and floor, or advantage
= 2

$ dosimeter check --claims nowhere.csv
! dosimeter: cannot open nowhere.csv: No such file or directory
= 2

$ dosimeter check; dosimeter check 'pure(1)'; dosimeter check 'pure(1)' --epsilon 1; dosimeter check 'pure(1)' --claims claims.csv; dosimeter check --claims claims.csv --mu 1; dosimeter check 'pure(?)' --epsilon 1 --delta 0.1
! dosimeter: check: missing PLAN or --claims; see "dosimeter help check"
! dosimeter: check: missing a target, as --epsilon with --delta; see "dosimeter help check"
! dosimeter: check: each --epsilon needs a --delta of its own; see "dosimeter help check"
! dosimeter: check: either PLAN or --claims; see "dosimeter help check"
! dosimeter: check: --mu does not apply with --claims; see "dosimeter help check"
! dosimeter: ...
= 2
