# Sampled plans under every relation. Values: the sums of the theorems by
# mpmath at 60 digits.

# T004-10 from above, 6.8063698177939e-9; X004-11.gauss, 1.17089017872727e-13
$ dosimeter delta 'with_replacement(256, 60000, gaussian(2))' --epsilon 0.1 --neighbours replace --json |
> python3 -c 'import json, sys
> row = json.load(sys.stdin)
> print("%.13e" % row["upper"], row["lower"] < row["upper"], row["theorem"])'
6.8063698177939e-09 True T004-10

$ dosimeter delta 'with_replacement(256, 60000, gaussian(2))' --epsilon 0.1 --neighbours add_remove --digits 12 | head -n 1
delta <= 1.17089017873e-13 at epsilon 0.1   (exact value 1.17089017872...e-13)

# Two runs and more are composed; what the lower end is of is said.
$ dosimeter epsilon 'with_replacement(256, 60000, gaussian(1)) * 10000' --delta 1e-5 --neighbours replace --json |
> python3 -c 'import json, sys
> row = json.load(sys.stdin)
> print(2.3 < row["lower"] < row["upper"] < 4.44, row["lower_meaning"])'
True the mechanism

# Poisson sampling of Gaussian noise under replace is exact in one run:
# (1-q) N(0) + q N(1) against (1-q) N(0) + q N(-1) by quadrature at 40 digits
$ dosimeter epsilon 'poisson(0.01, gaussian(1))' --delta 1e-6 --neighbours replace -v | sed -n '1p; /neighbours r/p; /route/p'
> dosimeter epsilon 'poisson(0.01, gaussian(1))' --delta 1e-6 --neighbours replace | grep -c 'although one is replaced'
epsilon <= 0.37393 at delta 1e-6   (exact value 0.373929986039...)
  neighbours replace
  route      closed form
1

# The largest batch for (0.5, 1e-6): 816 without and 384 with replacement.
$ dosimeter calibrate 'without_replacement(?, 60000, gaussian(1))' --neighbours replace --epsilon 0.5 --delta 1e-6 | head -n 1
batch 816   epsilon <= 0.5 at delta 1e-6

$ dosimeter calibrate 'with_replacement(?, 60000, gaussian(1))' --neighbours replace --epsilon 0.5 --delta 1e-6 | head -n 1
batch 384   epsilon <= 0.5 at delta 1e-6

# A sampler by its table: one record, in the sample with probability 1/4, is
# Poisson sampling; (1 - e^((log(4 e^0.1 - 3) - 1)/2))/4
$ dosimeter sampler '{"first":[[3,4],[1,4]],"second":[1,0],"samples":[[],["v"]]}' 'laplace(1)' --epsilon 0.1
delta <= 0.069266 at epsilon 0.1
  neighbours          add_remove
  by transport alone  delta <= 0.0905929620946
  total variation     0.25 .. 0.25
  base epsilon        0.351138215116 .. 0.351138215117
  nearest partners    with the shared part yes, with the other yes
  theorem             [BBG18] §2, Eq. 3 (T004-E3.pipeline), Eq. 5 (T004-5c)

# With replacement, two draws of two, is T004-10 again.
$ cat > wr.json <<'END'
> {"samples": [["a","a"], ["a","v"], ["v","v"], ["a","w"], ["w","w"]],
>  "first": [0.25, 0.5, 0.25, 0, 0], "second": [0.25, 0, 0, 0.5, 0.25]}
> END
> dosimeter sampler @wr.json 'gaussian(2)' --epsilon 0.3 --neighbours replace --json > a
> dosimeter delta 'with_replacement(2, 2, gaussian(2))' --epsilon 0.3 --neighbours replace --json |
> python3 -c 'import json, sys
> a = json.load(open("a"))["delta_upper"]
> print(abs(json.load(sys.stdin)["upper"] - a) < 1e-14)'
True

# What is no table is said.
$ dosimeter sampler '{' 'gaussian(1)' --epsilon 1 2>&1 | head -n 1
dosimeter: not JSON: the text ends too early

$ dosimeter sampler '{"first":[1],"second":[0.5],"distance":[[0]]}' 'gaussian(1)' --epsilon 1
! dosimeter: sampler: second must sum to 1, got 0.5
= 2

$ dosimeter sampler '{"first":[1,0],"second":[0,1],"distance":[[0,1],[2,0]]}' 'gaussian(1)' --epsilon 1
! dosimeter: sampler: distances must be symmetric, and 0 from a sample to itself, not so for 0 and 1
= 2

$ dosimeter sampler '{"first":[1],"second":[1],"samples":[["a"]],"eta":1}' 'gaussian(1)' --epsilon 1
! dosimeter: a sampler has no member "eta"; it has first, second, and samples or distance
= 2

$ dosimeter sampler '{"first":[1],"second":[1],"samples":[["a"]]}' 'gaussian(1)'
! dosimeter: sampler: missing --epsilon; see "dosimeter help sampler"
= 2
