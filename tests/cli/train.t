# Training on data: what is refused before data are read, and what is shown.

# The plan of 105, 6.4 with its calibrated noise; no file is opened.
$ dosimeter train nowhere.csv --label y --categories y:a,b --bounds 0..1 --model logistic --examples 455 --batch 256 --steps 150 --clip 1 --learning-rate 4 --epsilon 8 --delta 1e-5 --plan-only | grep -v assumed
epsilon <= 8 at delta 1e-5   (exact value 7.99999999999...)
  neighbours add_remove
  unit       one row
  steps      150
  noise      multiplier 4.21579...
  plan       poisson(0.5626373626373626, gaussian(4.21579...

$ for how in -v -q '-q --json'; do dosimeter train nowhere.csv --label y --categories y:a,b --bounds 0..1 --model logistic --examples 455 --batch 256 --steps 150 --clip 1 --learning-rate 4 --noise 2 --delta 1e-5 --plan-only $how | cut -c 1-60 | head -n 2; done
epsilon <= 21.214 at delta 1e-5   (exact value 21.2136373643
  interval   21.2136373643 .. 21.2136373644
21.213637364328772
{"plan":"poisson(0.5626373626373626, gaussian(2)) * 150","de

$ dosimeter train nowhere.csv --label y --categories y:a,b --bounds 0..1 --model logistic --examples 455 --batch 256 --steps 150 --clip 1 --learning-rate 4 --noise 2 --delta 1e-5 -o model.json
! dosimeter: cannot open nowhere.csv: No such file or directory
= 2

# Bad usage, before anything is read.
$ dosimeter train nowhere.csv --label y --categories y:a,b --bounds 0..1 --model logistic --examples 455 --batch 256 --steps 150 --clip 1 --learning-rate 4 --noise 2 --delta 1e-5
! dosimeter: train: missing --output, the file of the model; see "dosimeter help train"
= 2

$ dosimeter train nowhere.csv --label y --bounds 0..1 --model logistic --examples 455 --batch 256 --steps 150 --clip 1 --learning-rate 4 --noise 2 --delta 1e-5 -o model.json
! dosimeter: missing categories of the label: declare two or more; a list taken from the data depends on everybody's records
= 2

$ dosimeter train nowhere.csv --label y --categories y:a,b --bounds 1..0 --model logistic --examples 455 --batch 256 --steps 150 --clip 1 --learning-rate 4 --noise 2 --delta 1e-5 -o model.json
! dosimeter: bounds needs LO..HI with LO < HI, got "1..0"
= 2

$ dosimeter train nowhere.csv --label y --categories y:a,b --bounds 0..1 --model logistic --examples auto --batch 256 --steps 150 --clip 1 --learning-rate 4 --noise 2 --delta 1e-5 -o model.json
! dosimeter: examples auto would reveal the number of rows, which add_remove protects; declare a number, or use sampler without_replacement
= 3

$ dosimeter train nowhere.csv --label y --categories y:a,b --bounds 0..1 --model logistic --examples 100 --batch 256 --steps 150 --clip 1 --learning-rate 4 --noise 2 --delta 1e-5 -o model.json
! dosimeter: batch 256 exceeds the 100 examples
= 2

$ dosimeter train nowhere.csv --label y --categories y:a,b --bounds 0..1 --model logistic --examples 455 --batch 256 --steps 150 --clip 1 --learning-rate 4 --epsilon 1 -o model.json
! dosimeter: missing delta
= 2

# A column that is not there: the header is never shown.
$ printf 'secret,v,label\n1,2,a\n' > t.csv; dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model logistic --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 4 --noise 2 --delta 1e-5 -o model.json; ls
! dosimeter: there is no column "y"
t.csv
= 0

# A run: the model is whole, steps are not shown where there is no terminal.
$ printf 'u,v,y\n1,0,a\n0,1,b\n1,1,b\n' > t.csv; printf 'u,v,y\n1,0,a\n0,1,b\n' > other.csv
> dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --test other.csv | sed 's/accuracy [0-9.]*/accuracy A/'; ls; grep -c . model.json
epsilon ...
  neighbours add_remove
  unit       one row
  model      model.json, 17 parameters
  steps      3
  noise      multiplier 2 = standard deviation on the sum / clip
  plan       poisson(0.5, gaussian(2)) * 3
  test       accuracy A on 2 rows of other.csv
             whose people are not protected by this plan
  assumed    one line is one person
  assumed    bounds, categories and the number of examples were not taken from these data
  assumed    hyperparameters were not tuned on these data: every run is a separate plan, and their costs add up
  assumed    nobody observes the running time or the memory of the run
model.json
other.csv
t.csv
20

$ dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --test ./t.csv
! dosimeter: train: --test is the training file: accuracy on it is not covered by the plan; see "dosimeter help train"
= 2

# No file that is read is lost.
$ for o in '-o ./t.csv' '-o other.csv --test other.csv' '-o new --checkpoint new'; do dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 $o; echo $?; done; head -qn1 t.csv other.csv
2
2
2
u,v,y
u,v,y
! dosimeter: train: --output is an input file: the model would overwrite it; see "dosimeter help train"
! dosimeter: train: --output is an input file: the model would overwrite it; see "dosimeter help train"
! dosimeter: train: --output is an input file: the model would overwrite it; see "dosimeter help train"

# Predictions have a line for every line; what cannot be said is empty.
$ printf 'v,u\n1,0\nbroken\n,1\n' | dosimeter predict model.json - | sed 's/^[ab]$/class/; s/^$/nothing/'
y
class
nothing
nothing

$ printf 'v,u\n1,0\n' | dosimeter predict model.json - --proba --json | tr -d '0-9.e-'
[{"prdiction":"...

$ printf 'v\n1\n' | dosimeter predict model.json -
! dosimeter: there is no column "u"
= 2

$ echo '{"format":"dosimeter model 1"}' | dosimeter predict - t.csv
! dosimeter: model file: model, label and features must be there
= 2

# A disk that is full, and a folder that is not there.
$ dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o /dev/full
! dosimeter: cannot write /dev/full: No space left on device
= 4

$ dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o no/where.json
! dosimeter: cannot write no/where.json: No such file or directory
= 4

# Checkpoints: what is finished gives its model again, and no noise.
$ for i in 1 2 3; do dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --checkpoint state $(test $i = 3 && echo --resume) | grep -c '^epsilon'; done; ls
1
0
1
! dosimeter: the checkpoint state exists already; resume continues it
model.json
other.csv
state
state.lock
t.csv

# A copy is continued if it is said to be the only one; damage is refused.
$ cp state copy; dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --checkpoint copy --resume
! dosimeter: the checkpoint copy is a copy of the file that was written; a copy is continued only with moved, which states that no other copy ever is
= 2

$ dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --checkpoint copy --resume --moved | grep -c '^epsilon'; sed -i 's/00003 /00002 /' state
1

$ dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --checkpoint state --resume
! dosimeter: the checkpoint state is damaged
= 2

$ dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --checkpoint t.csv --resume
! dosimeter: the file t.csv is not a checkpoint, or is damaged
= 2

$ dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --checkpoint state --moved
! dosimeter: moved needs resume
= 2

# The test is read once, also from a pipe.
$ printf 'u,v,y\n1,0,a\n0,1,b\n' | dosimeter train t.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json --test - | grep -c ' on 2 rows of -'
1

# Records that are bad in every way change nothing but numbers.
$ printf 'u,v,y\n1,0,a\n0,1,b\n1,1,b\n' > good.csv; printf 'u,v,y\n"\n\n,,,,,\nnan,1e999,z\n\001\377,"x"y,b\n' > bad.csv; for f in good bad; do dosimeter train $f.csv --label y --categories y:a,b --bounds 0..1 --model mlp:3 --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o $f.json > $f.out 2> $f.err; echo $?; sed 's/0x[0-9a-f.p+-]*/X/g; s/-X/X/g' $f.json > $f.txt; sed -i s/$f/F/ $f.out; done; cmp good.out bad.out && cmp good.err bad.err && cmp good.txt bad.txt && wc -c < bad.err
0
0
0

# Names from a file, one a line.
$ printf 'a\nb,c\n' > names; printf 'u,y\n1,a\n0,"b,c"\n' > t.csv; dosimeter train t.csv --label y --categories y:@names --bounds 0..1 --model logistic --examples 4 --batch 2 --steps 3 --clip 1 --learning-rate 0.1 --noise 2 --delta 1e-5 -o model.json > /dev/null; grep classes model.json
"classes":["a","b,c"],
