# Plans, which are deterministic. Equal shares of epsilon 1: b = 3 of each.
$ dosimeter release --count --sum income:0..200000 --histogram county \
>     --categories county:a,b --epsilon 1 --plan-only
epsilon <= 1 at delta 0   (between 0.999999999999 and 1)
unit one row; a person with several rows is protected only for each row separately
  neighbours add_remove
  plan       discrete_laplace(3) + laplace(3) + discrete_laplace(3)
  hash       1dd869e835b3c4a0
  level      0.95
  noise      count: discrete Laplace noise, scale 3; within 9
  noise      sum.income: Laplace noise, rounded, scale 600000; within 1797439
  noise      histogram.county: discrete Laplace noise, scale 3; within 9
  bounds     income 0..200000, grid 1
  assumed    statistics, bounds, grids, cells and limits were chosen without looking at these data
  assumed    nobody observes reading time, caches, memory, power or effects on other users of the machine

# A median and the parts of a mean, 1 : 3; nothing is opened.
$ dosimeter release nowhere.csv --median age:0..120 --mean income:0..200000 \
>     --by sex --categories sex:f,m --epsilon 1 --plan-only | grep plan
  plan       exponential(0.5) + discrete_laplace(8) + laplace(2.666666666666667)

# Under replace a histogram has two copies of its leaf, sums in cells twice
# the distance: 3 rows of at most 10, by cells 2 * 3 * 10.
$ dosimeter release --sum x:0..10 --count --by s --categories s:f,m --user u \
>     --max-rows 3 --order t --epsilon 1 --neighbours replace --plan-only |
>     grep '^  [pnl]' | grep -v level
  neighbours replace
  plan       laplace(2) + group(3, discrete_laplace(12)) * 2
  noise      sum.x: Laplace noise, rounded, scale 120; within 359
  noise      count: discrete Laplace noise, scale 12; within 36
  limits     sum.x: 3 rows per person
  limits     count: 3 rows per person

# Unknown cells: half of delta is for the threshold.
$ dosimeter release --histogram town --unknown-cells town --user id \
>     --max-cells 3 --max-per-cell 1 --order date --epsilon 1 --delta 1e-6 \
>     --plan-only | grep 'epsilon\|plan \|noise '
epsilon <= 1 at delta 1e-6   (between 0.999999999999 and 1)
  plan       (discrete_laplace(2.9999...
  noise      histogram.town: discrete Laplace noise, scale 2.9999...

# Cells with fewer rows than 20 are left out, and the threshold rises by 19.
$ for least in 1 20; do
>     dosimeter release --histogram town --unknown-cells town --user id \
>         --max-cells 3 --max-per-cell 1 --min-count $least --order date \
>         --epsilon 1 --delta 1e-6 --plan-only | sed -n 's/.*; cells/cells/p'
> done
cells are printed from 47
cells are printed from 66, if they have at least 20

$ printf 't\nb\nb\nb\na\na\na\na\na\na\n' > t.csv
> dosimeter release t.csv --histogram t --unknown-cells t --delta 1e-6 \
>     --plan 'discrete_laplace(1/64) + approx(0, 1e-6)' --min-count 3 --csv
name,cell,value,lower,upper
histogram.t,a,6,,

$ dosimeter release --sql postgres --table public.v --histogram t \
>     --unknown-cells t --min-count 3 --epsilon 1 --delta 1e-6 |
>     grep -o ' AS k.*'
 AS k WHERE (part <> 'rows.0' OR m >= CAST(3 AS BIGINT))

$ dosimeter release - --histogram s --categories s:a --min-count 3 --epsilon 1
! dosimeter: min-count: no statistic is limited by it
= 2

# The plan it prints is a plan it takes, with other numbers.
$ dosimeter release --count --mean x:0..10 --plan \
>     'discrete_laplace(2) + discrete_laplace(4) + laplace(1/2)' --plan-only |
>     grep 'epsilon\|plan'
epsilon <= 2.7501 at delta 0   (between 2.74999999999 and 2.75000000001)
  plan       discrete_laplace(2) + discrete_laplace(4) + laplace(0.5)

$ dosimeter release --count --mean x:0..10 --plan \
>     'discrete_laplace(2) + laplace(4) + laplace(1/2)' --plan-only
! dosimeter: plan: term 2 must be of the form discrete_laplace(1), got laplace(4)
= 2

$ dosimeter release --count --plan 'discrete_laplace(2' --plan-only
! dosimeter: ...
!   discrete_laplace(2
!                     ^
= 2

# With noise that is 0 but for probability e^-64 the integers are seen.
$ printf 'x,s\n1,f\n2,m\n,f\n9,f\n3,q\n"\n' > t.csv
> dosimeter release t.csv --count --histogram s --categories s:f,m \
>     --sum x:0..5 --plan 'discrete_laplace(1/64) + discrete_laplace(1/64) +
>     laplace(1/320)' --csv
name,cell,value,lower,upper
count,,5,5,5
histogram.s,f,3,3,3
histogram.s,m,1,1,1
sum.x,,11,11,11

$ printf 'f\nm, n\n' > names.txt
> printf 's\nf\n"m, n"\n' > t.csv
> dosimeter release t.csv --histogram s --categories s:@names.txt \
>     --plan 'discrete_laplace(1/64)' --csv
name,cell,value,lower,upper
histogram.s,f,1,1,1
histogram.s,"m, n",1,1,1

# Unknown cells are printed from m + 1 = 2 on, by bytes, and escaped; a cell
# of one person alone is not.
$ printf 't\nb\nb\na\\b\na\\b\na\\b\nlone\nB\nB\n\n' > t.csv
> dosimeter release t.csv --histogram t --unknown-cells t --delta 1e-6 \
>     --plan 'discrete_laplace(1/64) + approx(0, 1e-6)' --csv
name,cell,value,lower,upper
histogram.t,B,2,,
histogram.t,a\x5cb,3,,
histogram.t,b,2,,

$ printf 'u,o,t\n1,1,a\n1,2,a\n1,3,b\n2,1,a\n2,1,a\n3,9,b\n' > t.csv
> dosimeter release t.csv --histogram t --unknown-cells t --delta 1e-6 \
>     --user u --max-cells 1 --max-per-cell 2 --order o \
>     --plan 'group(2, discrete_laplace(1/64)) + approx(0, 1e-6)' --csv
name,cell,value,lower,upper
histogram.t,a,4,,

# Negative counts are noise; --nonnegative prints 0.
$ printf 'x\n' | dosimeter release - --count --plan 'discrete_laplace(1/64)' \
>     --nonnegative --csv
name,cell,value,lower,upper
count,,0,0,0

# For the owner of a file.
$ printf 'x\n1\n2\n\nfoo\n900\n' > t.csv
> dosimeter release check t.csv --sum x:0..10 --not-private --json
{"private":false,"lines":5,"empty":1,"long":0,"quotes":0,"fields":0,"no_user":0,"rows":4,"bad_rows":1,"people":0,"over_rows":0,"over_cells":0,"values":[{"column":"x","missing":1,"below":0,"above":1}]}

$ dosimeter release check t.csv --sum x:0..10
! dosimeter: release: check prints exact counts, for the owner of the file alone; say so with --not-private; see "dosimeter help release"
= 2

# Bad usage: one line, before anything is read.
$ dosimeter release - --epsilon 1
! dosimeter: no statistic is asked for, such as count
= 2

$ dosimeter release --count --epsilon 1
! dosimeter: release: missing FILE; see "dosimeter help release"
= 2

$ dosimeter release - --count
! dosimeter: epsilon: is missing; give epsilon E or plan
= 2

$ dosimeter release - --sum x --epsilon 1
! dosimeter: sum.x: must be followed by bounds, as in x:LO..HI
= 2

$ dosimeter release - --sum x:5..1 --epsilon 1
! dosimeter: sum.x: must be bounds LO..HI with LO < HI, got "5..1"
= 2

$ dosimeter release - --sum x:0..nan --epsilon 1
! dosimeter: sum.x: must be bounds LO..HI of two decimal numbers, got "0..nan"
= 2

$ dosimeter release - --sum x:0..0.5 --grid x:1 --epsilon 1
! dosimeter: sum.x: bounds must be multiples of the grid 1, at most 2^62 of them
= 2

$ dosimeter release - --sum x:0..1e19 --epsilon 1
! dosimeter: sum.x: bounds must be multiples of the grid 1, at most 2^62 of them
= 2

$ dosimeter release - --sum x:0..1 --grid x:0.3 --epsilon 1
! dosimeter: grid: must be a positive whole number or 1 divided by one, with at most 18 decimal places, got "0.3"
= 2

$ dosimeter release - --count --max-rows 3 --epsilon 1
! dosimeter: max-rows: needs user C; without it every row is a person
= 2

$ dosimeter release - --count --user id --epsilon 1
! dosimeter: count: user id needs max-rows K, the largest number of rows of a person
= 2

$ dosimeter release - --sum x:0..1 --user id --max-rows 2 --epsilon 1
! dosimeter: sum.x: order C or file-order must say which rows of a person count
= 2

$ dosimeter release - --users --epsilon 1
! dosimeter: users: needs user C; without it every row is a person, and count counts them
= 2

$ dosimeter release - --histogram s --epsilon 1
! dosimeter: histogram.s: the cells of s must be public: give one of categories, bins or unknown-cells, got none
= 2

$ dosimeter release - --histogram s --categories s:a,b,a --epsilon 1
! dosimeter: categories s: "a" is given twice
= 2

$ dosimeter release - --histogram x --bins x:0..10:3 --epsilon 1
! dosimeter: bins x: the width must be a multiple of the grid and divide the range
= 2

$ dosimeter release - --histogram s --unknown-cells s --epsilon 1
! dosimeter: histogram.s: unknown cells need delta D
= 2

$ dosimeter release - --histogram s --unknown-cells s --user u --max-rows 2 --order t --epsilon 1 --delta 1e-6
! dosimeter: histogram.s: unknown cells need max-cells and max-per-cell
= 2

$ dosimeter release - --mode s --unknown-cells s --epsilon 1 --delta 1e-6
! dosimeter: mode.s: cells must be declared by categories or bins, not unknown
= 2

$ dosimeter release - --histogram s --categories s:a --user u --max-cells 2 --order t --epsilon 1
! dosimeter: histogram.s: max-cells and max-per-cell go together, got only max-cells
= 2

$ dosimeter release - --count --noise gaussian --epsilon 1
! dosimeter: noise: gaussian noise needs delta D
= 2

$ dosimeter release - --count --epsilon 1 --plan 'discrete_laplace(1)'
! dosimeter: plan: replaces epsilon, got both
= 2

$ dosimeter release - --count --epsilon 100
! dosimeter: count: noise must have a scale from 2^-6 to 2^40 units, got 0.01; use a finer grid or another budget
= 2

$ dosimeter release - --sum x:0..1 --epsilon 100
! dosimeter: sum.x: noise must have a scale from 2^-6 to 2^50 units, got 0.01; use a finer grid
= 2

$ dosimeter release - --count --count --epsilon 1
! dosimeter: release: --count is given twice; see "dosimeter help release"
= 2

$ dosimeter release - --sum x:0..1 --sum x:0..2 --epsilon 1
! dosimeter: sum.x is given twice
= 2

$ dosimeter release - --count --weight sum.x:2 --epsilon 1
! dosimeter: weight: there is no statistic "sum.x"
= 2

$ dosimeter release - --count --grid x:1 --epsilon 1
! dosimeter: grid x: no statistic reads its numbers
= 2

$ dosimeter release - --count --where 'age ~ 3' --epsilon 1
! dosimeter: where: must be C OP VALUE with = != < <= > or >= and a number or 'text', got "age ~ 3"
= 2

$ dosimeter release - --count --level 1 --epsilon 1
! dosimeter: level: must be a decimal number between 0 and 1 with at most 15 places, got "1"
= 2

$ dosimeter release - --quantile x:0..9:3/2 --epsilon 1
! dosimeter: quantile.x: must be C:LO..HI:A/B with whole numbers 0 < A < B <= 1000000, got "x:0..9:3/2"
= 2

$ dosimeter release - --median x:0..99999999 --epsilon 1
! dosimeter: median.x: must have at most 2^24 cells or grid points, got 100000000
= 2

$ dosimeter release - --variance x:0..5000000000 --epsilon 1
! dosimeter: variance.x: the bounds must be less than 2^32 units of the grid apart
= 2

$ dosimeter release - --sum x:0..1 --no-header --epsilon 1
! dosimeter: no-header: columns are 1, 2, ..., got "x"
= 2

$ dosimeter release - --sum x:0..1 --user u --user-bounds x:0..3 --by s --categories s:a --epsilon 1
! dosimeter: sum.x: by and user-bounds do not go together; use max-rows
= 2

# A missing column shows nothing of the file.
$ printf 'secret,y\n1,2\n' | dosimeter release - --sum x:0..1 --epsilon 1
! dosimeter: ...
= 2

# Nothing at all has no header.
$ dosimeter release - --sum x:0..1 --epsilon 1 < /dev/null
! dosimeter: column x is not in the header
= 2

$ dosimeter release nowhere.csv --count --epsilon 1
! dosimeter: cannot open nowhere.csv: No such file or directory
= 2

$ dosimeter release . --count --epsilon 1
! dosimeter: cannot read .: Is a directory
= 4

# Through a database: the statement, and what does not go together.
$ dosimeter release --sql duckdb --table v --count --epsilon 1 | head -n 1
-- dosimeter 1 {"statistics":["count"],"settings":["epsilon 1"],"dialect":"duckdb","table":"v"}

$ dosimeter release --sql oracle --table v --count --epsilon 1
! dosimeter: release: --sql must be duckdb, postgres, spark or generic, got "oracle"; see "dosimeter help release"
= 2

$ dosimeter release --sql duckdb --count --epsilon 1
! dosimeter: release: --sql needs --table NAME; see "dosimeter help release"
= 2

$ dosimeter release --tally - --count --epsilon 1
! dosimeter: release: --tally and --statement go together; see "dosimeter help release"
= 2

$ dosimeter release --sql duckdb --table v --count --epsilon 1 > q.sql
> dosimeter release --tally - --statement q.sql --epsilon 2
! dosimeter: release: the statement contains the query; leave out --epsilon; see "dosimeter help release"
= 2

$ echo 1,2 | dosimeter release --tally - --statement q.sql
! dosimeter: tally: ...
= 2

$ dosimeter release --self-test-sql duckdb | head -n 1
-- dosimeter 1 self-test
