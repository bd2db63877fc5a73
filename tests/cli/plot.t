# The points of every kind against what is known otherwise: closed forms of
# Gaussian noise, and that k steps of sigma s are one of s / sqrt(k).
$ cat > near.py <<'END_OF_FILE'
> import csv, sys
> rows = list(csv.DictReader(sys.stdin))
> name = list(rows[0])[1]
> want = dict(pair.split("=") for pair in sys.argv[1:])
> assert list(rows[0]) == ["plan", name, "lower", "upper"], rows[0]
> for row in rows:
>     low, high = float(row["lower"]), float(row["upper"])
>     assert low <= high
>     exact = want.pop(row[name], None)
>     if exact is not None:
>         assert low <= float(exact) * (1 + 1e-14), row
>         assert high >= float(exact) * (1 - 1e-14), row
>         assert high - low <= 1e-9 * high, row
> assert len(rows) <= 101
> print(name, "missing" if want else "all there")
> END_OF_FILE
> dosimeter plot 'gaussian(1)' --csv --from 1 --to 2 --points 5 | python3 near.py 1=0.12693673750664394580 2=0.0209236358211137314
> dosimeter plot 'gaussian(1)' --kind tradeoff --csv --from 1/16 --to 1/2 --points 2 | python3 near.py 0.0625=0.703370931627305133 0.5=0.15865525393145705
> dosimeter plot 'gaussian(1)' --kind roc --csv --from 1/16 --to 1/2 --points 2 | python3 near.py 0.0625=0.296629068372694867 0.5=0.84134474606854293
> dosimeter plot 'gaussian(2)' --kind renyi --csv --from 2 --to 32 --points 2 | python3 near.py 2=0.25 32=4
> dosimeter plot 'gaussian(10) * 100' --kind steps --delta 1e-6 --csv | python3 near.py 100=4.8865541174622120059
> dosimeter plot 'gaussian(10) * ?' --kind steps --delta 1e-6 --csv --to 100 | python3 near.py 100=4.8865541174622120059
> dosimeter plot 'gaussian(?)' --kind noise --delta 1e-6 --from 0.5 --to 1 --csv | python3 near.py 1=4.8865541174622120059
> dosimeter plot 'gaussian(4)' --kind noise --delta 1e-6 --csv | python3 near.py 1=4.8865541174622120059
epsilon all there
alpha all there
false_positive all there
order all there
steps all there
steps all there
sigma all there
sigma all there

# Different noise is varied by a factor, all of it at once; a count that is
# not there is runs of the whole.
$ dosimeter plot 'gaussian(2) + laplace(3)' --kind noise --delta 1e-5 --from 0.5 --to 2 --points 2 --csv | cut -d , -f 2- > factor
> dosimeter epsilon 'gaussian(4) + laplace(6)' --delta 1e-5 --digits 17 -v | sed -n 's/^  interval *\(.*\) \.\. \(.*\)/2,\1,\2/p' > plain
> sed -n '1p; 3p' factor
> diff plain factor | grep '^<' || echo the same
> dosimeter plot 'gaussian(2) + laplace(3)' --kind steps --delta 1e-5 --to 7 --csv | tail -n 1 | cut -d , -f 2- > seven
> dosimeter epsilon '(gaussian(2) + laplace(3)) * 7' --delta 1e-5 --digits 17 -v | sed -n 's/^  interval *\(.*\) \.\. \(.*\)/7,\1,\2/p' | diff - seven && echo the same
noise_factor,lower,upper
2,...
the same
the same

# A fall is seen where it is: 1-DP noise has no delta from epsilon 1 on.
$ dosimeter plot 'laplace(1)' 'gaussian(1)' --csv | python3 -c '
> import csv, sys
> rows = [r for r in csv.DictReader(sys.stdin) if r["plan"] == "laplace(1)"]
> end = [float(r["epsilon"]) for r in rows if float(r["upper"]) == 0]
> last = [float(r["epsilon"]) for r in rows if float(r["upper"]) > 0]
> print(len(rows) <= 101, 1 <= min(end) < 1.01, 0.99 < max(last) < 1)'
True True True

# Where the work for a curve over steps is spent, its points are bounded by
# brief questions and those beside them: all are there, and both ends rise.
$ dosimeter plot 'poisson(0.01, gaussian(1.2)) * 1000 + laplace(7) + exponential(0.05) + pure(0.04) + gaussian(9) + rr(0.2) + rr(0.1, 5) + discrete_gaussian(12) + discrete_laplace(15) + laplace(19) + laplace(23) + zcdp(0.001)' --kind steps --delta 1e-6 --points 200 --to 1000 --csv | python3 -c '
> import csv, sys
> rows = list(csv.DictReader(sys.stdin))
> low = [float(row["lower"]) for row in rows]
> high = [float(row["upper"]) for row in rows]
> print(len(rows), rows[-1]["steps"], low == sorted(low), high == sorted(high))
> print(all(a <= b < 8 * a for a, b in zip(low, high)))'
157 1000 True True
True
! dosimeter: the work for a curve was spent: some points have wider bounds; a time limit allows more

# So are those over noise, of plans of 60 parts that are drawn anew each time:
# what a question says of such a point agrees with it, and both ends fall unless
# there is discrete Gaussian noise, at which epsilon may rise.
$ cat > spent.py <<'END_OF_FILE'
> import csv, io, json, random, subprocess, sys
> def asked(*words):
>     done = subprocess.run(["dosimeter", *words], capture_output=True, text=True)
>     assert done.returncode == 0, (words, done.stderr)
>     return done.stdout, done.stderr
> noise = [(name, random.uniform(8, 60)) for name in sys.argv[1:] for i in range(6)]
> noise += [("laplace", random.uniform(20, 60)) for i in range(40 - len(noise))]
> fixed = [f"rr({random.uniform(0.02, 0.1):.4g}, {k})" for k in range(2, 12)]
> fixed += [f"exponential({random.uniform(0.02, 0.1):.4g})" for k in range(9)]
> fixed += ["poisson(0.01, gaussian(1.5)) * 1000"]
> def plan(x):
>     return " + ".join([f"{name}({float(f'{v:.4g}') * x!r})" for name, v in noise] +
>         [part.replace("1.5", repr(1.5 * x)) for part in fixed])
> out, said = asked("plot", plan(1), "--kind", "noise", "--delta", "1e-6", "--points", "200", "--csv")
> rows = list(csv.DictReader(io.StringIO(out)))
> low, high = ([float(row[end]) for row in rows] for end in ("lower", "upper"))
> for row in random.sample(rows, 4):
>     x = float(row["noise_factor"])
>     found = json.loads(asked("epsilon", plan(x), "--delta", "1e-6", "--json")[0])
>     assert found["lower"] <= float(row["upper"]), (plan(x), row, found)
>     assert float(row["lower"]) <= found["upper"], (plan(x), row, found)
>     assert float(row["upper"]) <= 1.5 * found["upper"], (plan(x), row, found)
> falls = [ends == sorted(ends, reverse=True) for ends in (low, high)]
> print(len(rows) >= 133, "wider bounds" in said, all(falls) or "discrete_gaussian" in sys.argv)
> print(all(0 <= a <= b for a, b in zip(low, high)), float(rows[-1]["noise_factor"]))
> END_OF_FILE
> python3 spent.py gaussian discrete_laplace
> python3 spent.py gaussian discrete_laplace discrete_gaussian
> rm spent.py
True True True
True 4.0
True True True
True 4.0

# The picture: well-formed, the same bytes each time, one line a plan, what
# the title says and nothing else. A band where the interval is wide.
$ cat > look.py <<'END_OF_FILE'
> import sys
> from xml.etree import ElementTree
> space = "{http://www.w3.org/2000/svg}"
> root = ElementTree.parse(sys.argv[1]).getroot()
> def count(kind):
>     return len([p for p in root.iter(space + "path")
>                 if p.get("class", "").split(" ")[0] == kind and
>                 "L" in p.get("d", "")])
> print(count("s"), "lines,", count("a"), "bands,",
>       len(list(root.iter(space + "circle"))), "dots,",
>       root.find(space + "title").text)
> END_OF_FILE
> dosimeter plot 'gaussian(1)' 'laplace(1) * 2' --delta 1e-5 -o two.svg
> dosimeter plot 'gaussian(1)' 'laplace(1) * 2' --delta 1e-5 | cmp - two.svg && python3 look.py two.svg
> dosimeter plot 'laplace(3) * 3 + gaussian(4)' --route renyi --title '1 < 2 & "3"' -o band.svg
> python3 look.py band.svg
> dosimeter plot @plan --kind tradeoff -o tests.svg; echo 'gaussian(1)' > plan
> dosimeter plot @plan - --kind tradeoff -o tests.svg < plan; python3 look.py tests.svg
> ls
! dosimeter: cannot open plan: No such file or directory
3 lines, 0 bands, 2 dots, Privacy profile
1 lines, 1 bands, 0 dots, 1 < 2 & "3"
3 lines, 0 bands, 0 dots, Trade-off curve
band.svg
factor
look.py
near.py
plain
plan
seven
tests.svg
two.svg

# Several routes of one plan: a line each, the best of them lowest.
$ dosimeter plot 'laplace(10) * 100' --kind steps --delta 1e-5 --route contour,renyi,zcdp -o routes.svg
> python3 look.py routes.svg; rm routes.svg
> dosimeter plot 'laplace(10) * 100' --kind steps --delta 1e-5 --route contour,renyi,zcdp --points 5 --csv | python3 -c '
> import csv, sys
> rows = list(csv.DictReader(sys.stdin))
> last = {r["plan"].split(":")[0]: float(r["upper"]) for r in rows if r["steps"] == "100"}
> print(list(last), last["contour"] < last["renyi"] <= last["zcdp"])'
3 lines, 0 bands, 3 dots, Epsilon over steps
['contour', 'renyi', 'zcdp'] True

$ dosimeter plot 'gaussian(1)' 'gaussian(2)' --route closed,renyi
! dosimeter: plot: several routes take one plan; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(1)' --route closed,curve
! dosimeter: route must be one of ...
= 2

# As JSON, with the relation that the plan is made for.
$ dosimeter plot 'without_replacement(1, 10, pure(1))' 'pure(1)' --kind renyi --points 2 --json | python3 -c '
> import json, sys
> found = json.load(sys.stdin)
> print(found["kind"], found["value"], [c["neighbours"] for c in found["curves"]])
> for point in found["curves"][1]["points"]:
>     assert 0 < point["lower"] <= point["upper"] <= 1, point
>     print(sorted(point))'
renyi divergence ['replace', 'add_remove']
['lower', 'order', 'upper']
['lower', 'order', 'upper']

# Out of time: the whole curve is there, wider, and right.
$ for kind in profile tradeoff roc noise; do
>     for limit in 1000 1e-9; do
>         dosimeter plot 'laplace(3) * 3 + gaussian(4)' --kind $kind --delta 1e-5 --from 0.1 --to 0.9 --points 2 --time-limit $limit --csv > $limit.csv
>     done
>     python3 -c '
> import csv
> best, quick = (list(csv.DictReader(open(f))) for f in ("1000.csv", "1e-9.csv"))
> for b, q in zip(best, quick, strict=True):
>     assert float(q["lower"]) <= float(b["upper"]), (b, q)
>     assert float(b["lower"]) <= float(q["upper"]), (b, q)
> print(sum(float(q["upper"]) - float(q["lower"]) for q in quick) >
>       sum(float(b["upper"]) - float(b["lower"]) for b in best))'
> done
True
True
True
True

# Nothing to draw, and what cannot be.
$ dosimeter plot 'nonprivate()' --kind renyi
! dosimeter: no point of the curve has a finite value
= 3

$ dosimeter plot 'gaussian(1)' --kind curve
! dosimeter: plot: --kind is profile, tradeoff, roc, renyi, steps or noise, got "curve"; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(?)' --kind noise --delta 1e-5
! dosimeter: plot: a plan with a hole needs --from and --to; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(?)'
! dosimeter: the plan has a hole "?"; only the kinds steps and noise take one
= 2

$ dosimeter plot 'gaussian(?) * 10' --kind steps --delta 1e-5
! dosimeter: the curve over steps takes no hole except the count
= 2

$ for kind in steps noise; do dosimeter plot 'gaussian(1)' --kind $kind; done
! dosimeter: plot: --kind steps needs the --delta of its epsilon; see "dosimeter help plot"
! dosimeter: plot: --kind noise needs the --delta of its epsilon; see "dosimeter help plot"
= 2

$ dosimeter plot 'renyi(2, 1)' --kind noise --delta 1e-5
! dosimeter: the plan has no noise to vary; put a "?" for the number to vary
= 2

$ dosimeter plot 'pure(1)' --kind noise --delta 1e-5
! dosimeter: the plan has no noise to vary; put a "?" for the number to vary
= 2

$ dosimeter plot 'gaussian(1)' --from 2 --to 1
! dosimeter: plot: --from must be below --to, got 2 and 1; see "dosimeter help plot"
= 2

$ dosimeter plot a b c d e f g
! dosimeter: plot: unexpected argument "g"; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(1)' --delta 2
! dosimeter: plot: --delta must be greater than 0 and less than 1, got "2"; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(1)' --scale lin
! dosimeter: plot: --scale is linear or log, got "lin"; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(1)' --title "$(printf 'a\033b')"
! dosimeter: plot: --title needs UTF-8 text without control characters, got "a?b"; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(1)' --json -o a.json
! dosimeter: plot: --json is printed; leave out --output; see "dosimeter help plot"
{"error":{"status":"EINVAL","message":"--json is printed; leave out --output","offset":null}}
= 2

# The suffix of a file says what is in it; a name without one says nothing.
$ for name in x.png x.PDF x.csv dir.d/x.svgz x.jpeg; do dosimeter plot 'gaussian(1)' -o $name; done; ls x.* 2> /dev/null
! dosimeter: plot: --output is a .svg file, or a .csv file with --csv, got "x.png"; see "dosimeter help plot"
! dosimeter: plot: --output is a .svg file, or a .csv file with --csv, got "x.PDF"; see "dosimeter help plot"
! dosimeter: plot: --output is a .svg file, or a .csv file with --csv, got "x.csv"; see "dosimeter help plot"
! dosimeter: plot: --output is a .svg file, or a .csv file with --csv, got "dir.d/x.svgz"; see "dosimeter help plot"
! dosimeter: plot: --output is a .svg file, or a .csv file with --csv, got "x.jpeg"; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(1)' --csv -o x.svg
! dosimeter: plot: --output is a .csv file with --csv, got "x.svg"; see "dosimeter help plot"
= 2

$ mkdir -p out.d; for name in curve curve.SVG out.d/curve-1.1 tmp.Ab12Cd .svg; do dosimeter plot 'gaussian(1)' --points 2 -o $name && head -c 4 $name; done; dosimeter plot 'gaussian(1)' --points 2 --csv -o x.csv && head -n 1 x.csv
<svg<svg<svg<svg<svgplan,epsilon,lower,upper

# Curves of others
$ printf 'plan,steps,lower,upper\n"b, c",1,1,1.5\nd,1,0.5,0.5\n"b, c",20,3,4\n' >others.csv; dosimeter plot 'gaussian(4) * 20' --kind steps --delta 1e-5 --overlay others.csv | grep -c -e 'b, c' -e 'others as their makers give them' -e '>d<'
3

$ printf 'plan,count,lower,upper\nd,1,0.5,0.5\n' | dosimeter plot 'gaussian(4) * 20' --kind steps --delta 1e-5 --overlay -
! dosimeter: plot: line 1 of -: the columns must be plan,steps,lower,upper, and "steps" is not there; see "dosimeter help plot"
= 2

$ printf 'plan,steps,lower,upper\nd,2,0.5,0.5\nd,2,0.6,0.6\n' | dosimeter plot 'gaussian(4) * 20' --kind steps --delta 1e-5 --overlay -
! dosimeter: plot: line 3 of -: 2 must be above 2, the point before; see "dosimeter help plot"
= 2

$ printf 'plan,steps,lower,upper\nd,2,0.5,0.4\n' | dosimeter plot 'gaussian(4) * 20' --kind steps --delta 1e-5 --overlay -
! dosimeter: plot: line 2 of -: lower must be at most upper, got 0.5, 0.4; see "dosimeter help plot"
= 2

$ printf 'plan,steps,lower,upper\nd,x,0.5,0.4\n' | dosimeter plot 'gaussian(4) * 20' --kind steps --delta 1e-5 --overlay -
! dosimeter: plot: line 2 of -: steps needs a number, got "x"; see "dosimeter help plot"
= 2

$ printf 'plan,steps,lower,upper\n1,1,1,1\n2,1,1,1\n3,1,1,1\n4,1,1,1\n5,1,1,1\n6,1,1,1\n' | dosimeter plot 'gaussian(4) * 20' --kind steps --delta 1e-5 --overlay -
! dosimeter: plot: line 7 of -: a picture has at most 6 curves; see "dosimeter help plot"
= 2

$ dosimeter plot 'gaussian(4) * 20' --kind steps --delta 1e-5 --overlay none.csv --csv
! dosimeter: plot: --overlay draws into a picture; leave out --csv and --json; see "dosimeter help plot"
= 2
