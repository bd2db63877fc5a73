$ dosimeter formula list | grep '^T000-08.delta ' | cut -d ' ' -f 1
T000-08.delta

$ dosimeter formula show T000-08.delta | cut -d ' ' -f 1
id
name
parameters
direction
validity
meaning
statement
source

# By name as by id.
$ dosimeter formula show "$(dosimeter formula show T000-08.delta |
> sed -n 's/^name *//p')" | head -n 1
id          T000-08.delta

# Phi(1/2 - 1) - e Phi(-1/2 - 1) = 0.12693673750664394580
$ dosimeter formula eval T000-08.delta eps=1 sigma=1 sens=1 | head -n 1
T000-08.delta 0.126936737506 .. 0.126936737507   exact

$ dosimeter formula eval T000-08.delta 'eps=1;sigma=1;sens=1' --digits 3 | head -n 1
T000-08.delta 0.126 .. 0.127   exact

$ dosimeter formula eval T000-08.delta eps=1 sigma=1 sens=1 --json |
> python3 -c 'import json, sys
> row = json.load(sys.stdin)
> print(sorted(row), row["lower"] <= 0.12693673750664395 <= row["upper"])'
['direction', 'id', 'lower', 'upper'] True

$ dosimeter formula list --json | python3 -c 'import json, sys
> rows = json.load(sys.stdin)
> print({k for row in rows for k in row} == {"id", "name", "parameters",
>     "direction", "validity", "meaning"}, any(r["direction"] == "helper"
>     for r in rows), len({r["id"] for r in rows}) == len(rows))'
True False True

# Curves by name, ledgers of unlike steps, laws point by point.
$ dosimeter formula eval T001-T2.dominates 'f=Cgauss:0.1:1' 'g=gauss:1' | head -n 1
T001-T2.dominates 1 .. 1   exact

$ dosimeter formula eval T001-T5.mu 'ledger=50*gauss:0.1|200*pure:0.05|30*laplace:0.1|1000*Cgauss:0.01:1' | head -n 1
T001-T5.mu 1.25320524108 .. 1.25320524109   exact

$ dosimeter formula eval T004-7.compatible 'nu=0:0.5|1:0.5' 'nup=2:0.75|9:0.25' dist=line | head -n 1
T004-7.compatible 0 .. 0   exact

$ dosimeter formula show T001-T2.dominates | grep -c Cgauss:P:MU
1

# Statements by id, also those without a formula, and by id of a part.
$ dosimeter formula show T000-08
id          T000-08
cited as    [Ste22] Cor 8
statement   The exact delta of Gaussian noise at eps: P[Z > eps] - e^eps P[Z' < -eps].
source      [Ste22] T. Steinke. Composition of differential privacy & privacy amplification by subsampling. 2022. arXiv:2210.00597
rows        T000-08.delta: delta at eps of Gaussian noise.
            T000-08.logdelta: log delta at eps of Gaussian noise.
            T000-08.log1mdelta: log(1 - delta) at eps of Gaussian noise.
            T000-08.delta_rho: delta at eps of Gaussian noise, given by rho.
            T000-08.tail_bound: Readable bound of delta of Gaussian noise: the tail of the loss.
            T000-08.mills_bound: Readable bound of delta of Gaussian noise: the tail of the loss by Mills' ratio.
            T000-08.eps: epsilon at delta of Gaussian noise.
            T000-08.sigma: Smallest sigma of Gaussian noise for (eps, delta).

$ dosimeter formula show T000-09 | head -n 3
id          T000-09
cited as    [Ste22] Thm 9
statement   Composition is convolution: the losses of independent mechanisms add up.

$ dosimeter formula show D003-3.3-tightrho | tail -n 2
statement   D003-3.3, docs/theory/concentrated.md, after [BS16] Prop 3.3: eps-DP implies eps tanh(eps/2)-zCDP, the least rho, and the frontier of (xi, rho).
source      [BS16] M. Bun, T. Steinke. Concentrated differential privacy: simplifications, extensions, and lower bounds. Theory of Cryptography (TCC), 2016. arXiv:1605.02065

$ dosimeter formula show S000-6.7.asym | head -n 1
id          S000-6.7

# As they are cited, in any case; the kind may be wrong where the number says
# it, and several statements may have one place.
$ for x in '[Ste22] Cor 8' 'ste22 COROLLARY 8' 'Ste22 Thm 8' '[DRS22] Thm 8' '[DRS22] Prop. 8' '[BS16] Lemma B.2' '[WBK19] Eq. 3.7' '[Ste22] Section 6.6' '[BBG18] §5'; do
> dosimeter formula show "$x" | sed -n 's/^id *//p' | tr '\n' ' '; done; echo
T000-08 T000-08 T000-08 T001-T8 T001-P8 T003-B.2 Q002-3.7 S000-6.6 T004-RR T004-M 

# Works by key.
$ dosimeter formula show '[ZDW22]'
key         [ZDW22]
source      Y. Zhu, J. Dong, Y.-X. Wang. Optimal accounting of differential privacy via characteristic function. AISTATS 2022. arXiv:2106.08567
statements  S000-7.tight, docs/theory/contour.md, after [ZDW22]: The exact delta of a composed loss by a contour integral of its characteristic function.

$ dosimeter formula show T000-34 --json
{"id":"T000-34","citation":"[Ste22] Thm 34","meaning":"The sharp Rényi bound of a Poisson sample at whole orders, a binomial sum of the base's moments.","rows":["T000-34.gauss_rdp","T000-34.gauss_rdp_ceil","T000-34.pure_rdp","T000-34.table_rdp"]}

$ dosimeter formula show T000-01.eps --json
{"id":"T000-01.eps","name":"basic.epsilon","parameters":"eps[]","direction":"upper","validity":"0 <= eps <= inf","meaning":"Basic composition: the sum of the epsilons.","statement":"T000-01","citation":"[Ste22] Thm 1"}

$ dosimeter formula show bf87 --json
{"key":"BF87","work":"J. Bentley, B. Floyd. Programming pearls: a sample of brilliance. Communications of the ACM 30(9), 1987. doi:10.1145/30401.315746"}

# Mistakes.
$ dosimeter formula show T000-99
! dosimeter: there is no formula, statement or source 'T000-99'; nearest: T000-09, T000-19, T000-29
= 2

$ dosimeter formula show gausian.delta
! dosimeter: there is no formula, statement or source 'gausian.delta'; nearest: gaussian.delta, gaussian.delta_k, audit.delta
= 2

$ dosimeter formula eval T000-08 eps=1
! dosimeter: there is no formula 'T000-08', only the statement T000-08, [Ste22] Cor 8
= 2

$ dosimeter formula eval T000-08.delta eps=1 sigma=1
! dosimeter: ...
= 2

# Outside the validity there is no number.
$ dosimeter formula eval T000-08.delta eps=1 sigma=-1 sens=1 2>&1 | cut -d : -f 1
dosimeter

# The batch: a header, an empty line, CRLF, a last line without a newline.
$ printf 'id,params,value\r\nT000-01.eps,eps=1.0|0.5|0.25,1.75\r\n\r\nT000-01.eps,eps=2' |
> dosimeter formula eval --batch
T000-01.eps,eps=1.0|0.5|0.25,1.75,1.75
T000-01.eps,eps=2,2,2

# A bad line is answered in its place.
$ printf 'T000-01.eps\nZ,a=1\nT000-01.eps,eps=x\nT000-08.delta,eps=1;sigma=-1;sens=1\nT000-01.eps,eps=2\n' |
> dosimeter formula eval --batch
T000-01.eps,,error,ESYNTAX: a line is id,params or id,params,value
Z,a=1,error,EINVAL: ...
T000-01.eps,eps=x,error,EINVAL: ...
T000-08.delta,eps=1;sigma=-1;sens=1,error,EDOMAIN: ...
T000-01.eps,eps=2,2,2

$ printf 'T000-01.eps,eps=2\000\n' | dosimeter formula eval --batch | tr '\000' '0'
T000-01.eps,eps=2,,error,ESYNTAX: the line holds a zero byte

# The check is decimal: the double 0.1 is 0.10000000000000000555111512...,
# and a value counts as rounded at its last digit.
$ dosimeter formula eval --batch --check <<'END'
> T000-01.eps,eps=0.5,0.5
> T000-01.eps,eps=0.5,0.500000000000000000000000
> T000-01.eps,eps=0.1,0.1000000000000000055511
> T000-01.eps,eps=0.1,0.1
> T000-01.eps,eps=0.5,5e-1
> T000-01.eps,eps=0.5,.5
> T000-01.eps,eps=0.0,0
> T000-01.eps,eps=0.0,0.0
> END
T000-01.eps,eps=0.5,0.5,0.5
T000-01.eps,eps=0.5,0.5,0.5
T000-01.eps,eps=0.1,0.1,0.10000000000000001
T000-01.eps,eps=0.1,0.1,0.10000000000000001
T000-01.eps,eps=0.5,0.5,0.5
T000-01.eps,eps=0.5,0.5,0.5
T000-01.eps,eps=0.0,0,0
T000-01.eps,eps=0.0,0,0
8 passed, 0 failed

$ dosimeter formula eval --batch --check <<'END' > out
> T000-01.eps,eps=0.5,0.50000000000000000000001
> T000-01.eps,eps=0.1,0.1000000000000000055512
> T000-01.eps,eps=0.5,0.499
> T000-01.eps,eps=0.5,-0.5
> T000-01.eps,eps=0.5,5e-2
> T000-01.eps,eps=0.5,inf
> T000-01.eps,eps=0.5,nan
> T000-01.eps,eps=0.5,0.5.0
> T000-01.eps,eps=0.5
> T000-01.eps,eps=x,0.5
> T000-01.eps,eps=0.5,0.5
> END
! dosimeter: line 1: T000-01.eps: 0.50000000000000000000001: the value is outside
! dosimeter: line 2: T000-01.eps: 0.1000000000000000055512: the value is outside
! dosimeter: line 3: T000-01.eps: 0.499: the value is outside
! dosimeter: line 4: T000-01.eps: -0.5: the value is outside
! dosimeter: line 5: T000-01.eps: 5e-2: the value is outside
! dosimeter: line 6: T000-01.eps: inf: the value is outside
! dosimeter: line 7: T000-01.eps: nan: the value is not a number
! dosimeter: line 8: T000-01.eps: 0.5.0: the value is not a number
! dosimeter: line 9: T000-01.eps: -: no value to compare with
! dosimeter: line 10: T000-01.eps: 0.5: ...
= 1

$ tail -n 1 out
1 passed, 10 failed

$ echo 'T000-01.eps,eps=0.5,0.5' | dosimeter formula eval --batch --check --json
{"id":"T000-01.eps","params":"eps=0.5","lower":0.5,"upper":0.5}
{"passed":1,"failed":0}
