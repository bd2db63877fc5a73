# A file has comments, labels and one part a line; labels do not change the
# hash, and equal parts are one in the normal form.
$ cat > census.plan <<'END_OF_PLAN'
> # released in 2024
> "population by county": gaussian(20) * 3
> "age":                  gaussian(20) * 2   # the same noise
>
> "income, clipped at 50": gaussian(std=100, sensitivity=50)
> END_OF_PLAN
> dosimeter plan @census.plan
> dosimeter plan 'gaussian(2) + gaussian(20) * 5' | tail -n 1
"income, clipped at 50": gaussian(2) + "age, population by county": gaussian(20) * 5
hash c089b0d0850a9135
hash c089b0d0850a9135

# Labels are for the command line as well; a line break joins parts, and in
# parentheses it does not.
$ dosimeter plan '"a \"b\"": gaussian(1) * 3 + "ü": laplace(2)' | head -n 1; dosimeter plan 'gaussian(1)
> laplace(2)' | head -n 1; dosimeter plan '(gaussian(1)
> laplace(2))'
"a \"b\"": gaussian(1) * 3 + "ü": laplace(2)
gaussian(1) + laplace(2)
! dosimeter: expected '+', '*' or ')', found 'laplace'
!   laplace(2))
!   ^
= 2

# Marks of byte order and line ends of other systems.
$ printf '\357\273\277"a": gaussian(1)\r\n"b": laplace(2)\r\n' > other.plan; dosimeter plan @other.plan | head -n 1; printf '\357\273\277{"kind":"gaussian","sigma":1}' | dosimeter plan - | head -n 1; printf '\357\273\277kind,parameters\r\ngaussian,1\r\n' | dosimeter plan - | head -n 1
"a": gaussian(1) + "b": laplace(2)
gaussian(1)
gaussian(1)

# Files include files, which are looked for beside them; a text of the command
# line includes, too.
$ mkdir -p years; echo '"2023": @"2023 final.plan"' > years/all.plan; echo 'rr(0.5) * 2' > 'years/2023 final.plan'; dosimeter plan '@years/all.plan + "new": laplace(2)' | head -n 1; dosimeter plan '@years/all.plan*2' | head -n 1; dosimeter plan '@"years/2023 final.plan"' | head -n 1; dosimeter plan '@years/2023 final.plan' | head -n 1; echo '@years/all.plan' | dosimeter plan - | head -n 1; dosimeter epsilon '@years/all.plan + laplace(2)' --delta 0.001 | head -n 1
"new": laplace(2) + "2023": rr(0.5) * 2
"2023": rr(0.5) * 4
rr(0.5) * 2
rr(0.5) * 2
"2023": rr(0.5) * 2
epsilon <= 1.4949 at delta 0.001   (exact value 1.4948314...)

# Every command that takes a plan takes it so.
$ printf '"a": gaussian(4)\n"b": gaussian(4) # again\n' > two.plan; dosimeter check '@two.plan * 2' --epsilon 3 --delta 1e-6 | head -n 1; dosimeter sweep '@two.plan + gaussian(2)' --vary 'gaussian[3].sigma=1,2' --delta 1e-6 --format csv | cut -d, -f1-3; dosimeter calibrate '@two.plan + "c": laplace(?)' --epsilon 3 --delta 1e-6 | head -n 1; printf 'plan,epsilon,delta\n"@two.plan",5,1e-6\n' > claims.csv; dosimeter check --claims claims.csv | head -n 1; printf '%s\n' '{"query":"epsilon","plan":"\"a\": gaussian(4) # all\n\"b\": gaussian(4)","delta":1e-6}' | dosimeter batch | cut -d, -f1-2
holds   epsilon <= 3 at delta 1e-6
gaussian[3].sigma,epsilon_lower(delta=1e-6),epsilon_upper(delta=1e-6)
1,5.2259882386480249,5.2259882386480259
2,2.8189422683604781,2.8189422683604786
scale 0.6632629247492696   epsilon <= 3 at delta 1e-6
holds      epsilon <= 5 at delta 1e-6        epsilon   1.54363045175 .. 1.54363045176  "a": gaussian(4) + "b": gaussian(4)
{"lower":1.5436304517574526,"upper":1.5436304517574528

# Nobody else's questions open files here.
$ echo '{"query":"epsilon","plan":"@two.plan","delta":1e-6}' | dosimeter batch
{"error":{"status":"EINVAL","message":"no file can be included here","offset":0}}
= 2

# Parts with one label are one part of the breakdown, and equal ones with
# different labels are two.
$ dosimeter breakdown @census.plan --delta 1e-6; dosimeter breakdown '"past": @census.plan + "new": gaussian(20) + gaussian(20)' --delta 1e-6 --csv; dosimeter breakdown @two.plan --delta 1e-6 --json | tail -n 2
epsilon <= 2.3154 at delta 1e-6   (exact value 2.31534279625...)
  neighbours add_remove
    share                        alone        without      part
   85.9 %  ####################  2.25409      0.447153     "income, clipped at 50": gaussian(2)
    7.9 %  ##                    0.340296     2.27875      "population by county": gaussian(20) * 3
    6.2 %  #                     0.274015     2.291        "age": gaussian(20) * 2
  alone and without are upper ends, safe to report; a share is the mean of what
  the part adds first and last, of all such means
part,alone_lower,alone_upper,without_lower,without_upper,share,label
"gaussian(2) + gaussian(20) * 5",2.3153427962501393,2.3153427962501399,0.27401431593339065,0.27401431593339071,0.915848,"past"
"gaussian(20)",0.18921317272644957,0.18921317272644961,2.3274420886341071,2.3274420886341077,0.042076,"new"
"gaussian(20)",0.18921317272644957,0.18921317272644961,2.3274420886341071,2.3274420886341077,0.042076,
{"part":"gaussian(4)","label":"a","alone":{"lower":1.0607018623282736,"upper":1.0607018623282738},"without":{"lower":1.0607018623282736,"upper":1.0607018623282738},"share":0.5},
{"part":"gaussian(4)","label":"b","alone":{"lower":1.0607018623282736,"upper":1.0607018623282738},"without":{"lower":1.0607018623282736,"upper":1.0607018623282738},"share":0.5}]}

# The same rows come out of the parts alone, whatever their labels.
$ dosimeter breakdown '"x": gaussian(3) + "y": laplace(2) + "x": laplace(5)' --delta 1e-6 --json > labelled; python3 - <<'END_OF_SCRIPT'
> import json, subprocess
> def upper(plan):
>     out = subprocess.run(["dosimeter", "epsilon", plan, "--delta", "1e-6", "--json"], capture_output=True).stdout
>     return json.loads(out)["upper"]
> parts = json.load(open("labelled"))["parts"]
> for part in parts:
>     rest = "laplace(2)" if part["label"] == "x" else "gaussian(3) + laplace(5)"
>     assert part["alone"]["upper"] == upper(part["part"]), part
>     assert abs(part["without"]["upper"] / upper(rest) - 1) < 1e-12, part
> print([(p["label"], p["part"]) for p in parts], round(sum(p["share"] for p in parts), 12))
> END_OF_SCRIPT
[('x', 'gaussian(3) + laplace(5)'), ('y', 'laplace(2)')] 1.0

$ dosimeter explain @census.plan --delta 1e-6 | sed -n '/What was run/,/^$/p;/What the parts/,/^$/p' | grep .; dosimeter report '"a <b>": laplace(10) + gaussian(4)' --delta 1e-6 | grep -c 'a &lt;b&gt;'
What was run
- income, clipped at 50: once gaussian(2)
- age, population by county: 5 times gaussian(20)
- gaussian: Gaussian noise; sigma = standard deviation / L2 distance of
  neighbours' answers.
What the parts cost
- "income, clipped at 50": gaussian(2): 85.9 % of it. Alone it has epsilon
  2.25409, and the plan without it 0.447153.
- "population by county": gaussian(20) * 3: 7.9 % of it. Alone it has epsilon
  0.340296, and the plan without it 2.27875.
- "age": gaussian(20) * 2: 6.2 % of it. Alone it has epsilon 0.274015, and the
  plan without it 2.291.
3

# Tables, and JSON with labels.
$ cat > parts.csv <<'END_OF_PLAN'
> # what ran
> kind,parameters,count,label
> gaussian,20,3,population by county
> # and
> poisson,"0.01, gaussian(1)",500,"training, ""v1"""
> laplace,10
> END_OF_PLAN
> dosimeter plan @parts.csv; dosimeter plan @parts.csv --json > parts.json; cat parts.json; dosimeter plan @parts.json; dosimeter plan '@parts.csv + "j": @parts.json' | head -n 1
"population by county": gaussian(20) * 3 + laplace(10) + "training, \"v1\"": poisson(0.01, gaussian(1)) * 500
hash 45baf279bb3a135d
{"kind":"compose","parts":[{"kind":"repeat","label":"population by county","count":3,"of":{"kind":"gaussian","sigma":20}},{"kind":"laplace","scale":10},{"kind":"repeat","label":"training, \"v1\"","count":500,"of":{"kind":"poisson","rate":0.01,"of":{"kind":"gaussian","sigma":1}}}]}
"population by county": gaussian(20) * 3 + laplace(10) + "training, \"v1\"": poisson(0.01, gaussian(1)) * 500
hash 45baf279bb3a135d
"j, population by county": gaussian(20) * 6 + "j, unlabelled": laplace(10) * 2 + "j, training, \"v1\"": poisson(0.01, gaussian(1)) * 1000

# Events have no labels.
$ dosimeter plan '"a": gaussian(1)' --events
{"class_name":"GaussianDpEvent","noise_multiplier":1}

# Errors have file, line and column, where they are.
$ printf 'gaussian(1)\n  "é": normal(2) * 3\n\nlaplace(1)\n' > bad.plan; echo '@bad.plan' > outer.plan; dosimeter plan @outer.plan --json
{"error":{"status":"EINVAL","message":"unknown kind 'normal'; did you mean 'gaussian'?","offset":20,"file":"bad.plan","line":2,"column":8}}
! dosimeter: bad.plan:2:8: unknown kind 'normal'; did you mean 'gaussian'?
!     "é": normal(2) * 3
!          ^
= 2

$ printf 'gaussian(1) +\n\n' > end.plan; dosimeter plan @end.plan; dosimeter plan @census.plan + 1; dosimeter plan '@none.plan'; dosimeter plan 'gaussian(1) + @none.plan'; dosimeter plan '@.'; dosimeter plan 'gaussian(1) + @/dev/zero'; dosimeter plan 'gaussian(?) + "b": @half.plan'; echo 'laplace(?)' > half.plan; dosimeter plan 'gaussian(?) + "b": @half.plan'
! dosimeter: end.plan:1:14: expected a mechanism, found the end of the text
!   gaussian(1) +
!                ^
! dosimeter: plan: unexpected argument "+"; a plan stands in quotes, '...'; see "dosimeter help plan"
! dosimeter: cannot open none.plan: No such file or directory
! dosimeter: cannot open none.plan: No such file or directory
!   gaussian(1) + @none.plan
!                 ^
! dosimeter: cannot read .: Is a directory
! dosimeter: the plan in /dev/zero exceeds 67108864 bytes
!   gaussian(1) + @/dev/zero
!                 ^
! dosimeter: cannot open half.plan: No such file or directory
!   gaussian(?) + "b": @half.plan
!                      ^
! dosimeter: a plan must have at most one hole, and this file has another
!   gaussian(?) + "b": @half.plan
!                      ^
= 2

# No cycle, and not too deep or too many.
$ mkdir -p loop; echo '@loop/b.plan' > a.plan; echo '@../a.plan' > loop/b.plan; dosimeter plan @a.plan; for i in $(seq 1 17); do echo "@deep$((i + 1)).plan" > deep$i.plan; done; echo 'pure(1)' > deep18.plan; dosimeter plan @deep3.plan | head -n 1; dosimeter plan @deep1.plan 2>&1 | cut -c 1-75; for i in $(seq 1 12); do echo "@many$((i + 1)).plan + @many$((i + 1)).plan" > many$i.plan; done; echo 'pure(1)' > many13.plan; dosimeter plan @many1.plan
pure(1)
dosimeter: deep16.plan:1:1: files must include each other at most 16 levels
  @deep17.plan
  ^
! dosimeter: loop/b.plan:1:1: a file must not include itself: a.plan > loop/b.plan > loop/../a.plan
!   @../a.plan
!   ^
! dosimeter: many11.plan:1:16: a plan must have at most 1000 files
!   @many12.plan + @many12.plan
!                  ^
= 2

# Errors in tables.
$ table() { printf "$1" | dosimeter plan -; }; table 'kind,parameters\nnormal,1\n'; table 'kind,parameters\ngaussian,20 + 1\n'; table 'kind,parameters\npoisson,"0.1, gausian(1)"\n'; table 'kind,parameters\ngaussian,1) + laplace(2\n'; table 'kind,parameters,count\ngaussian,1,2.5\n'; table 'kind,parameters,count\ngaussian,1,2 + pure(1)\n'; table 'kind;parameters\ngaussian;1\n'; table 'kind,sigma\ngaussian,1\n'; table 'kind,parameters\nrr,1,2\n'; table 'kind,kind\nrr,1\n'; table 'kind,parameters\n'; table 'parameters,kind\n1,"@a"\n'; table 'kind,parameters,label\nrr,1,a\001\n'
! dosimeter: standard input:2:1: unknown kind 'normal'; did you mean 'gaussian'?
!   normal,1
!   ^
! dosimeter: standard input:2:13: expected ',' or ')', found '+'
!   gaussian,20 + 1
!               ^
! dosimeter: standard input:2:15: unknown kind 'gausian'; did you mean 'gaussian'?
!   poisson,"0.1, gausian(1)"
!                 ^
! dosimeter: standard input:2:10: the parameters must be those of gaussian alone
!   gaussian,1) + laplace(2
!            ^
! dosimeter: standard input:2:12: repeat: count must be an integer from 1 to 2^53, got 2.5
!   gaussian,1,2.5
!              ^
! dosimeter: standard input:2:12: count must be one number
!   gaussian,1,2 + pure(1)
!              ^
! dosimeter: standard input:1:1: columns must be separated by commas
!   kind;parameters
!   ^
! dosimeter: standard input:1:6: the columns of a plan are kind, parameters, count and label
!   kind,sigma
!        ^
! dosimeter: standard input:2:6: 3 fields under 2 columns; one with a comma needs quotes
!   rr,1,2
!        ^
! dosimeter: standard input:1:6: the column kind is there twice
!   kind,kind
!        ^
! dosimeter: standard input: the table has no line below its header
! dosimeter: standard input:2:1: kind must be the name of a kind
!   1,"@a"
!   ^
! dosimeter: standard input:2:6: a label must be UTF-8 without control characters, got byte 0x01
!   rr,1,a?
!        ^
= 2

$ dosimeter plan '{"kind":"gaussian","sigma":1,"label":3}'; dosimeter plan '{"kind":"gaussian","sigma":1,"label":""}'; dosimeter plan '{"kind":"repeat","count":2,"of":{"kind":"rr","epsilon":1},"lable":"a"}'
! dosimeter: gaussian: label must be a text
! dosimeter: a label must have 1 to 200 bytes, got 0
! dosimeter: repeat: takes kind, label, count and of alone
= 2

# A release reads its plan from such files.
$ printf 'n,x\n1,2\n' > data.csv; printf '# for the board\n"rows": discrete_laplace(epsilon=0.5)\n' > board.plan; dosimeter release --count --epsilon 1 --plan-only | grep 'epsilon\|plan'; dosimeter release --count --plan @board.plan --plan-only | grep 'epsilon\|plan'
epsilon <= 1 at delta 0   (between 0.999999999999 and 1)
  plan       discrete_laplace(1)
epsilon <= 0.50001 at delta 0   (between 0.499999999999 and 0.500000000001)
  plan       discrete_laplace(2)
