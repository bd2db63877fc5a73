# A row for every combination, the last number fastest, a column a question.
$ dosimeter sweep 'poisson(0.01, gaussian(1)) * 1000' --vary sigma=0.8,1,1.2 --vary steps=500,1000 --delta 1e-5 --alpha 0.05
neighbours add_remove; beta is a lower end, the others are upper ends
  sigma         steps         epsilon(delta=1e-5)  beta(alpha=0.05)
  0.8           500           2.39944              0.8835
  0.8           1000          3.14102              0.846838
  1             500           1.32605              0.909837
  1             1000          1.82824              0.888998
  1.2           500           0.91927              0.921252
  1.2           1000          1.29856              0.906913

$ dosimeter sweep 'gaussian(1)' --vary sigma=2,4 --delta 1e-5 --epsilon 1 --order 2 --xi 0 --floor 0 --log-delta -30 --digits 3 --format md
| sigma        | epsilon(delta=1e-5) | delta(epsilon=1) | renyi(order=2) | rho(xi=0)    | mu(floor=0)  | epsilon(log_delta=-30) |
| --- | --- | --- | --- | --- | --- | --- |
| 2            | 2                   | 0.00683          | 0.25           | 0.126        | 0.5          | 3.62                   |
| 4            | 0.927               | 2.93e-6          | 0.0625         | 0.0313       | 0.25         | 1.76                   |

# Each cell is what the question says of that plan, to the last digit, on one
# thread and on several.
$ dosimeter sweep 'poisson(0.01, gaussian(1)) * 1000' --vary sigma=0.5..4:4:log --vary rate=1/100,0.02 --vary count=100..1000:3 --delta 1e-5 --format csv --jobs 1 > one.csv
> dosimeter sweep 'poisson(0.01, gaussian(1)) * 1000' --vary sigma=0.5..4:4:log --vary rate=1/100,0.02 --vary count=100..1000:3 --delta 1e-5 --format csv --jobs 3 | cmp - one.csv && head -n 1 one.csv
> python3 - <<'END'
> import csv, json, subprocess
> rows = list(csv.DictReader(open("one.csv")))
> for row in rows:
>     plan = "poisson(%(rate)s, gaussian(%(sigma)s)) * %(count)s" % row
>     said = json.loads(subprocess.run(["dosimeter", "epsilon", plan, "--delta", "1e-5", "--json"], capture_output=True).stdout)
>     for end in "lower", "upper":
>         assert abs(float(row["epsilon_%s(delta=1e-5)" % end]) / said[end] - 1) < 5e-16, plan
> print(len(rows), sorted({float(r["sigma"]) for r in rows}), sorted({float(r["count"]) for r in rows}))
> END
sigma,rate,count,epsilon_lower(delta=1e-5),epsilon_upper(delta=1e-5)
24 [0.5, 1.0, 2.0, 4.0] [100.0, 550.0, 1000.0]

$ dosimeter sweep 'gaussian(1) * 3' --vary count=2,3 --epsilon 1 --epsilon 2 --json > cells.json
> python3 -c '
> import json
> cells = json.load(open("cells.json"))
> print([c["count"] for c in cells], sorted(cells[0]), sorted(cells[0]["answers"][0]))
> print([a["epsilon"] for a in cells[1]["answers"]], cells[1]["answers"][0]["upper"] > cells[1]["answers"][1]["upper"])'
> dosimeter sweep 'gaussian(1) * 3' --vary count=2,3 --epsilon 1 --epsilon 2 --format json | cmp - cells.json
[2, 3] ['answers', 'count', 'neighbours'] ['epsilon', 'lower', 'query', 'upper']
[1, 2] True

# Points of an integer are rounded, each once; a list may hold ranges.
$ dosimeter sweep 'gaussian(9) * 3' --vary count=1..4:10,10,20..30:2 --vary sigma=1..1.2:3 --delta 1e-5 --format csv > range.csv; cut -d , -f 1 range.csv | uniq | tr '\n' ' '; sed -n 2,4p range.csv | cut -d , -f 2 | tr '\n' ' '; echo .
count 1 2 3 4 10 20 30 1 1.1 1.2 .

# Names: of the parameter, with its kind, with the rank of the part, and other
# words for it; the hole.
$ dosimeter sweep 'gaussian(1) + gaussian(2)' --vary sigma=1,2 --delta 1e-5
! dosimeter: sweep: --vary sigma is one of gaussian[1].sigma, gaussian[2].sigma; see "dosimeter help sweep"
= 2

$ dosimeter sweep 'gaussian(1) + gaussian(2)' --vary 'gaussian[2].sigma=1,2' --delta 1e-5 | tail -n 2; dosimeter epsilon 'gaussian(1) + gaussian(1)' --delta 1e-5 | head -n 1
  1                  6.57298
  2                  4.98331
epsilon <= 6.573 at delta 1e-5   (exact value 6.57297006703...)

$ dosimeter sweep 'gaussian(1) + laplace(2) + discrete_gaussian(3)' --vary 'gaussian.sigma=1' --vary scale=1,2 --delta 1e-5 | tail -n 2 | cut -c 1-19
  1               1
  1               2

$ dosimeter sweep 'gaussian(1) * 3' --vary sigmo=1 --delta 1e-5; dosimeter sweep 'gaussian(1) * 3' --vary 'gaussian[2].sigma=1' --delta 1e-5; dosimeter sweep 'gaussian(1) * 3' --vary 'gaussian[x].sigma=1' --delta 1e-5; dosimeter sweep 'nonprivate()' --vary 'sigma=1' --delta 1e-5
! dosimeter: sweep: --vary sigmo is no number of the plan, which has repeat.count, gaussian.sigma; see "dosimeter help sweep"
! dosimeter: sweep: --vary gaussian[2].sigma is no number of the plan, which has repeat.count, gaussian.sigma; see "dosimeter help sweep"
! dosimeter: sweep: --vary gaussian[x].sigma is no number of the plan, which has repeat.count, gaussian.sigma; see "dosimeter help sweep"
! dosimeter: sweep: --vary sigma is no number of the plan, which has none; see "dosimeter help sweep"
= 2

$ dosimeter sweep 'poisson(0.01, gaussian(?)) * 100' --vary '?=1,2' --vary sample_rate=0.1 --delta 1e-5 | tail -n 2
  1             0.1           7.04661
  2             0.1           2.3374

$ dosimeter sweep 'poisson(0.01, gaussian(?)) * 100' --vary rate=0.1 --delta 1e-5
! dosimeter: sweep: --vary rate: ...
= 2

$ dosimeter sweep 'gaussian(1) * 3' --vary steps=1 --vary count=2 --delta 1e-5
! dosimeter: sweep: --vary steps and count are one number; see "dosimeter help sweep"
= 2

# Values that are none, and those that the plan refuses.
$ for values in '' x 1,x 2..1:3 1..2:1 0..2:5:log 1..2 1..2:3:lin 1..inf:3 1e-400; do dosimeter sweep 'gaussian(1)' --vary "sigma=$values" --delta 1e-5; done 2>&1 | sed 's/.*, got/got/'
got ""; see "dosimeter help sweep"
got "x"; see "dosimeter help sweep"
got "x"; see "dosimeter help sweep"
got "2..1:3"; see "dosimeter help sweep"
got "1..2:1"; see "dosimeter help sweep"
got "0..2:5:log"; see "dosimeter help sweep"
got "1..2"; see "dosimeter help sweep"
got "1..2:3:lin"; see "dosimeter help sweep"
got "1..inf:3"; see "dosimeter help sweep"
got "1e-400"; see "dosimeter help sweep"

$ dosimeter sweep 'gaussian(1)' --vary sigma=1,-1 --delta 1e-5; dosimeter sweep 'gaussian(1) * 2' --vary count=1.5 --delta 1e-5; dosimeter sweep 'gaussian(1)' --vary sigma --delta 1e-5; dosimeter sweep 'gaussian(1)' --delta 1e-5; dosimeter sweep 'gaussian(1)' --vary sigma=1; dosimeter sweep 'gaussian(1)' --vary sigma=1 --delta 2; dosimeter sweep 'gaussian(1)' --vary sigma=1 --delta 1e-5 --format xml; dosimeter sweep 'gaussian(1) * 2' --vary sigma=1..2:2000 --vary count=1..2000:2000 --delta 1e-5
! dosimeter: sweep: --vary sigma: gaussian: sigma must be positive and finite, got -1; see "dosimeter help sweep"
! dosimeter: sweep: --vary count: repeat: count must be an integer from 1 to 2^53, got 1.5; see "dosimeter help sweep"
! dosimeter: sweep: --vary needs NAME=VALUES, as sigma=0.8,1, got "sigma"; see "dosimeter help sweep"
! dosimeter: sweep: missing --vary, as sigma=0.8,1,1.2; see "dosimeter help sweep"
! dosimeter: sweep: missing --delta or --log-delta or --epsilon or --alpha or --order or --xi or --floor; see "dosimeter help sweep"
! dosimeter: delta must be at least 0 and less than 1, got 2
! dosimeter: sweep: --format is table, csv, md or json, got "xml"; see "dosimeter help sweep"
! dosimeter: sweep: the table has more than 1000000 cells; see "dosimeter help sweep"
= 2

# A cell without an answer is one, not the end of the table.
$ dosimeter sweep 'approx(0.1, 0.5) + gaussian(1)' --vary approx.delta=1e-9,0.5 --delta 1e-6 | tail -n 2
  1e-9          4.91351
  0.5           inf

$ dosimeter sweep 'without_replacement(10, 100, gaussian(1))' --vary population=5,100 --delta 1e-6 --neighbours replace --format csv
! dosimeter: sweep: --vary population: ...
= 2

$ dosimeter sweep 'poisson(0.5, without_replacement(10, 100, gaussian(1)))' --vary sigma=1,2 --delta 1e-6 --neighbours add_remove --format csv > failed.csv; echo $?; cat failed.csv
3
sigma,epsilon_lower(delta=1e-6),epsilon_upper(delta=1e-6)
1,,
2,,
! dosimeter: a cell has no answer: ...
