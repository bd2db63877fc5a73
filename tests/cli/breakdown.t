# What each part costs alone, the plan without it, and its share.
$ dosimeter breakdown 'laplace(10) * 3 + gaussian(4) + poisson(0.01, gaussian(1)) * 500' --delta 1e-6
epsilon <= 2.0189 at delta 1e-6   (exact value 2.01889369394...)
  neighbours add_remove
    share                        alone        without      part
   56.7 %  ####################  1.58034      1.24933      poisson(0.01, gaussian(1)) * 500
   33.0 %  ############          1.06071      1.70933      gaussian(4)
   10.3 %  ####                  0.299993     1.89285      laplace(10) * 3
  alone and without are upper ends, safe to report; a share is the mean of what
  the part adds first and last, of all such means

# Each number is that of the command epsilon; the shares are as they are
# defined and add up to 1, whatever order the parts are in.
$ dosimeter breakdown 'gaussian(4) + poisson(0.01, gaussian(1)) * 500 + laplace(10) * 3' --delta 1e-6 --json > parts.json
> dosimeter breakdown 'laplace(10) * 3 + (gaussian(4) + poisson(0.01, gaussian(1)) * 500)' --delta 1e-6 --json --jobs 1 | cmp - parts.json
> python3 - <<'END'
> import json, subprocess
> said = json.load(open("parts.json"))
> def upper(plan):
>     out = subprocess.run(["dosimeter", "epsilon", plan, "--delta", "1e-6", "--json"], capture_output=True).stdout
>     return json.loads(out)["upper"]
> names = [p["part"] for p in said["parts"]]
> assert said["upper"] == upper(" + ".join(names))
> means = []
> for part in said["parts"]:
>     rest = " + ".join(n for n in names if n != part["part"])
>     assert part["alone"]["upper"] == upper(part["part"]), part
>     assert abs(part["without"]["upper"] / upper(rest) - 1) < 1e-12, part
>     means.append((part["alone"]["upper"] + said["upper"] - part["without"]["upper"]) / 2)
> for part, mean in zip(said["parts"], means):
>     assert abs(part["share"] - mean / sum(means)) < 1e-12, part
> print(len(names), abs(sum(p["share"] for p in said["parts"]) - 1) < 1e-12)
> print(sorted(said))
> END
3 True
['assumptions', 'citation', 'delta', 'lower', 'lower_meaning', 'neighbours', 'parts', 'query', 'route', 'theorem', 'upper']

# Of two parts that is the Shapley value: both orders, and no more to divide.
$ dosimeter breakdown 'pure(1) + gaussian(1)' --epsilon 2 --csv
part,alone_lower,alone_upper,without_lower,without_upper,share,label
"gaussian(1)",0.020923635821113728,0.020923635821113733,0,0,0.612237,
"pure(1)",0,0,0.020923635821113728,0.020923635821113733,0.387763,

# Equal parts are one, with their count; one part has all of it.
$ dosimeter breakdown '(gaussian(4) + gaussian(4)) * 8' --delta 1e-6 | sed -n 3,4p
    share                        alone        without      part
  100.0 %  ####################  4.88656      0            gaussian(4) * 16

# Without a bound, or without a cost, there is nothing to divide.
$ dosimeter breakdown 'approx(0.1, 1e-3) + gaussian(4)' --delta 1e-6 | head -n 6
epsilon = inf at delta 1e-6   (the stated guarantees allow no better)
  neighbours add_remove
    share                        alone        without      part
        -                        inf          1.06071      approx(0.1, 0.001)
        -                        1.06071      inf          gaussian(4)
  reason     delta is below the probability that the plan leaks everything

$ dosimeter breakdown 'pure(0)' --delta 1e-6 --csv
part,alone_lower,alone_upper,without_lower,without_upper,share,label
"pure(0)",0,0,0,0,,

$ dosimeter breakdown 'pure(0)' --delta 1e-6 --json | grep -c '"share":null'
1

$ dosimeter breakdown 'pure(0)' --delta 1e-6 -o none.svg; echo $?; ls none.svg 2>&1 | wc -l
3
1
! dosimeter: there is no picture where the plan or a part of it costs nothing or without bound

# The relation is that of the whole plan, for its parts as well.
$ dosimeter breakdown 'without_replacement(10, 1000, gaussian(1)) * 10 + poisson(0.01, gaussian(1)) * 100' --delta 1e-6 | sed -n '1p;4p'
> dosimeter epsilon 'poisson(0.01, gaussian(1)) * 100' --delta 1e-6 --neighbours replace | head -n 1
epsilon <= 1.13672 at delta 1e-6   (between 1.13201 and 1.13672)
   72.6 %  ####################  1.11043      0.596588     poisson(0.01, gaussian(1)) * 100
epsilon <= 1.1105 at delta 1e-6   (exact value 1.11042841069...)

# A picture: well-formed, one bar a part, the same bytes each time.
$ dosimeter breakdown 'laplace(10) * 3 + gaussian(4)' --delta 1e-6 -o a.svg --title 'A & B' && dosimeter breakdown 'gaussian(4) + laplace(10) * 3' --delta 1e-6 -o b.svg --title 'A & B' --jobs 2 && cmp a.svg b.svg
> python3 -c '
> import xml.dom.minidom as m
> d = m.parse("a.svg")
> print(len(d.getElementsByTagName("rect")), [t.firstChild.data for t in d.getElementsByTagName("text")])'
3 ['A & B', 'shares of epsilon <= 1.24933 at delta 1e-6, neighbours add_remove', 'gaussian(4)', '80.4 %, alone 1.061', 'laplace(10) * 3', '19.6 %, alone 0.3']

# Fifty parts: forty bars, the last one for eleven parts.
$ python3 -c 'print(" + ".join("gaussian(%d)" % (10 + i) for i in range(50)))' > fifty; dosimeter breakdown @fifty --delta 1e-6 -o fifty.svg && grep -c '<rect class="a' fifty.svg && grep -o '[0-9]* others' fifty.svg
40
11 others

$ dosimeter breakdown @fifty --delta 1e-6 --csv | awk -F, 'NR > 1 { sum += $6; n++ } END { printf "%d %.3f\n", n, sum }'
50 1.000

# explain has a short form.
$ dosimeter explain 'laplace(10) * 3 + gaussian(4)' --delta 1e-6 | sed -n '/What the parts/,/^$/p' | grep .
What the parts cost
- gaussian(4): 80.4 % of it. Alone it has epsilon 1.06071, and the plan
  without it 0.299993.
- laplace(10) * 3: 19.6 % of it. Alone it has epsilon 0.299993, and the plan
  without it 1.06071.

$ dosimeter explain @fifty --delta 1e-6 | sed -n '/What the parts/,/^$/p' | grep .
What the parts cost
- The plan has 50 parts; "dosimeter breakdown" tells what each of them costs.

$ dosimeter report 'laplace(10) * 3 + gaussian(4)' --delta 1e-6 | tr -d '\n' | grep -c 'gaussian(4)<svg[^>]*>.\{0,160\}80.4 %'
1

$ dosimeter breakdown 'gaussian(1)'; dosimeter breakdown 'gaussian(1)' --delta 1e-5 --epsilon 1; dosimeter breakdown 'gaussian(1)' --delta 2; dosimeter breakdown 'gaussian(1)' --delta 1e-5 -o a.png; dosimeter breakdown 'gaussian(1)' --delta 1e-5 --jobs 0
! dosimeter: breakdown: missing --delta or --log-delta or --epsilon; see "dosimeter help breakdown"
! dosimeter: breakdown: one question at a time: one of --delta, --log-delta and --epsilon; see "dosimeter help breakdown"
! dosimeter: delta must be at least 0 and less than 1, got 2
! dosimeter: breakdown: --output is a .svg file, got "a.png"; see "dosimeter help breakdown"
! dosimeter: breakdown: --jobs needs a whole number from 1 to 256, got "0"; see "dosimeter help breakdown"
= 2
