# The closed form, 4.8865541174622120059, is the best; T000-13 says 5.2215.
$ dosimeter compare 'gaussian(1)' --delta 1e-6 --digits 6 | sed -n '1,4p; /^  zcdp/p'
epsilon <= 4.88656 at delta 1e-6   (exact value 4.88655...)
  neighbours add_remove
  route     epsilon                        width        time  theorem
  closed    4.88655 .. 4.88656             1.9e-16     10 us  [Ste22] Cor 8 (T000-08), Cor 10 (T000-10)
  zcdp      0 .. 5.22154                   1           10 us  [Ste22] Thm 13 (T000-13), Prop 14 (T000-14), docs/theory/concentrated.md, after [BS16] Prop 3.3 (D003-3.3-tightrho)

# Every route has its line: those with a bound first, the best of them at the
# top, each containing the exact value (mpmath: a contour integral, and closed
# forms); the others say why not.
$ cat > check.py <<'END'
> import json, sys
> exact = float(sys.argv[1])
> answer = json.load(sys.stdin)
> rows = answer["routes"]
> names = sorted(row["route"] for row in rows)
> assert len(names) == len(set(names)) >= 6, names
> bounds = [row["bounds"] for row in rows]
> assert bounds == sorted(bounds, reverse=True) and bounds[0], bounds
> upper = [float(row["upper"]) for row in rows if row["bounds"]]
> assert upper == sorted(upper), upper
> for row in rows:
>     assert float(row["lower"]) <= exact <= float(row["upper"]), row
>     assert row["theorem"] if row["bounds"] else row["reason"], row
>     assert row["elapsed_us"] >= 0 and float(row["width"]) >= 0, row
> assert answer["lower"] == max(float(row["lower"]) for row in rows)
> assert answer["upper"] == min(upper)
> print("good", [key for key in answer][:2], answer["neighbours"])
> END
> dosimeter compare 'poisson(0.01, gaussian(1.1)) * 10000' --delta 1e-5 --json | python3 check.py 5.1925834458831572
> dosimeter compare 'gaussian(1)' --log-delta -2000 --json | python3 check.py 63.599527257495313042
> dosimeter compare 'rr(1, categories=4)' --epsilon 0.5 --neighbours replace --json | python3 check.py 0.18704229519361426866
good ['query', 'delta'] add_remove
good ['query', 'log_delta'] add_remove
good ['query', 'epsilon'] replace

# The safe end of a trade-off is the lower one: Phi(Phi^-1(15/16) - 1)
$ dosimeter compare 'gaussian(1)' --alpha 1/16 --json | python3 -c '
> import json, sys
> rows = [r for r in json.load(sys.stdin)["routes"] if r["bounds"]]
> lower = [r["lower"] for r in rows]
> print(lower == sorted(lower, reverse=True), len(rows) > 2,
>     all(r["lower"] <= 0.703370931627305133 <= r["upper"] for r in rows))'
True True True

# A route that has nothing to say tells why.
$ dosimeter compare 'gaussian(1)' --delta 1e-6 | grep '^  approx'
  approx    -                              -            2 us  no bound: the route does not apply to this plan

# One table for several values, as CSV that a program can read.
$ dosimeter compare 'pure(1)' --delta 1e-6 --epsilon 0.5 --csv > table
> head -n 1 table
> python3 -c '
> import csv
> rows = list(csv.DictReader(open("table")))
> print(sorted({(r["query"], r["given"], r["at"]) for r in rows}))
> for r in rows:
>     assert float(r["lower"]) <= float(r["upper"]) and float(r["width"]) >= 0
>     assert r["theorem"] or r["reason"]'
query,given,at,route,lower,upper,width,elapsed_us,theorem,reason
[('delta', 'epsilon', '0.5'), ('epsilon', 'delta', '1e-6')]

# No protection, and no bound at all.
$ dosimeter compare 'nonprivate()' --delta 1e-6 | sed -n '1p; 4p'
epsilon = inf at delta 1e-6   (no finite bound holds)
  closed    inf .. inf                     0           12 us  [Ste22] Prop 7 (T000-07)

$ dosimeter compare 'without_replacement(1, 99, gaussian(1))' --delta 1e-6 --neighbours add_remove
! dosimeter: without_replacement has no theorem under add_remove, ...
= 3

# A width is told here, not refused; limits hold for every route.
$ dosimeter compare 'gaussian(1)' --delta 1e-6 --width 1e-17 --time-limit 1e-9 --max-memory 1MB | sed -n '1p; 4p'
epsilon <= 4.8866 at delta 1e-6   (exact value 4.88655411746221...)
  closed    4.88655411746 .. 4.88655411747 1.9e-16     10 us  [Ste22] Cor 8 (T000-08), Cor 10 (T000-10); stopped by the time limit

$ dosimeter compare 'gaussian(1)'
! dosimeter: compare: missing --delta or --log-delta or --epsilon or --alpha; see "dosimeter help compare"
= 2

$ dosimeter compare 'gaussian(1)' --delta 2
! dosimeter: delta must be at least 0 and less than 1, got 2
= 2

$ dosimeter compare 'gaussian(1)' --delta 1e-6 --route closed
! dosimeter: compare: --route does not apply here; see "dosimeter help compare"
= 2
