# Without a command the help is what was meant; the status is not one to go
# on with.
$ dosimeter > a; echo $?; dosimeter help | cmp - a
2

$ dosimeter espilon
! dosimeter: unknown command "espilon"; did you mean "epsilon"? See "dosimeter help"
= 2

$ dosimeter epsilon
! dosimeter: epsilon: missing PLAN; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)'
! dosimeter: epsilon: missing --delta or --log-delta; see "dosimeter help epsilon"
= 2

$ dosimeter delta 'gaussian(1)'
! dosimeter: delta: missing --epsilon; see "dosimeter help delta"
= 2

$ dosimeter tradeoff 'gaussian(1)'
! dosimeter: tradeoff: missing --alpha or --points; see "dosimeter help tradeoff"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta
! dosimeter: epsilon: --delta needs a value, D; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' 'gaussian(2)' --delta 0.1
! dosimeter: epsilon: unexpected argument "gaussian(2)"; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --order 2
! dosimeter: epsilon: --order does not apply here; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --dleta 0.1
! dosimeter: epsilon: unknown option "--dleta"; did you mean --delta? See "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 0.1 --json=yes
! dosimeter: epsilon: --json takes no value; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 0.1 --digits 3 --digits 4
! dosimeter: epsilon: --digits is given twice; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 0.1 --digits 18
! dosimeter: epsilon: --digits needs a whole number from 1 to 17, got "18"; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 0.1 --neighbours both
! dosimeter: epsilon: --neighbours is add_remove or replace, got "both"; see "dosimeter help epsilon"
= 2

$ dosimeter tradeoff 'gaussian(1)' --points 3 --alpha 0.5
! dosimeter: tradeoff: either --alpha or --points; see "dosimeter help tradeoff"
= 2

$ dosimeter tradeoff 'gaussian(1)' --points 1
! dosimeter: tradeoff: --points needs a whole number from 2 to 1000000, got "1"; see "dosimeter help tradeoff"
= 2

$ dosimeter formula
! dosimeter: formula: missing list, show or eval; see "dosimeter help formula"
= 2

$ dosimeter formula sing
! dosimeter: formula: needs list, show or eval, got "sing"; see "dosimeter help formula"
= 2

$ dosimeter formula list --check
! dosimeter: formula: --check does not apply to list; see "dosimeter help formula"
= 2

$ dosimeter formula eval
! dosimeter: formula: eval needs either an ID or --batch; see "dosimeter help formula"
= 2

$ dosimeter help zebra
! dosimeter: help: unknown command "zebra"; see "dosimeter help help"
= 2

# Files and streams.
$ dosimeter plan @missing
! dosimeter: cannot open missing: No such file or directory
= 2

$ dosimeter plan @.
! dosimeter: cannot read .: Is a directory
= 4

$ dosimeter batch < .
! dosimeter: cannot read standard input: Is a directory
= 4

$ dosimeter formula eval --batch < .
! dosimeter: cannot read standard input: Is a directory
= 4

$ dosimeter kinds > /dev/full
! dosimeter: cannot write to standard output: No space left on device
= 4

$ dosimeter formula list > /dev/full
! dosimeter: cannot write to standard output...
= 4

$ yes '{"query":"delta","plan":"pure(0)","epsilon":0}' | dosimeter batch > /dev/full
! dosimeter: cannot write to standard output: No space left on device
= 4

$ dosimeter version
dosimeter 0.2.0

$ dosimeter --version --json
{"version":"0.2.0"}

$ dosimeter help version | grep -v '^$'
dosimeter version: the version of the program
Usage:
  dosimeter version
Options:
  --json                 print JSON; numbers read back exactly
  --color WHEN           auto (default: on a terminal, unless NO_COLOR is set), always or never
  --help                 print the help of the command
Examples:
  dosimeter version

$ dosimeter version --help | cmp - $(dosimeter help version > a; echo a)
