$ dosimeter formula list | grep '^T000-08.delta ' | cut -d ' ' -f 1
T000-08.delta

$ dosimeter formula show T000-08.delta | cut -d ' ' -f 1
id
name
parameters
direction
validity
meaning

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

# Mistakes.
$ dosimeter formula show T000-99
! dosimeter: ...
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
