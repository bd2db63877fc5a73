# One page with everything, the same bytes each time, and the command on it
# makes it again.
$ dosimeter report 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 --people 60000 -o page.html
> cat > again.py <<'END_OF_FILE'
> import html, re, subprocess, sys
> page = open(sys.argv[1], encoding="utf-8").read()
> command = html.unescape(re.search(r"<pre>(dosimeter report .*?)</pre>", page, re.S).group(1))
> print(command)
> command = re.sub(r" --output \S+", "", command)
> again = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
> again = re.sub(r"( 1e-5| title)</pre>", r"\1 --output " + sys.argv[1] + "</pre>", again.stdout)
> page, again = (re.sub(r" --output \S+\.html", "", text) for text in (page, again))
> print(page == again, page.count("<svg"), re.findall("<h2>(.*?)</h2>", page))
> END_OF_FILE
> python3 again.py page.html
dosimeter report 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 --people 60000 --output page.html
True 6 ['Statement', 'Numbers', 'Curves', 'Every route', 'Plan', 'Make it again']

# The numbers are those of the other commands; the upper ends are shown
# rounded up.
$ python3 -c '
> import html, json, re, subprocess
> page = html.unescape(open("page.html", encoding="utf-8").read())
> plan = "poisson(256/60000, gaussian(1.1)) * 14063"
> def ask(*words):
>     return json.loads(subprocess.run(["dosimeter", *words, "--json"], capture_output=True, text=True).stdout.split("\n")[0])
> rows = {name: (float(low), float(high)) for name, low, high in re.findall(
>     r"<tr><td>([^<]*?)(?:<br>.*?)?</td><td class=\"n\">(\S*)</td><td class=\"n\">(\S*)</td></tr>", page)}
> epsilon = ask("epsilon", plan, "--delta", "1e-5")
> rho = ask("zcdp", plan)
> mu = ask("gdp", plan)
> risk = ask("risk", plan)
> for name, want in (("epsilon at delta 1e-5", epsilon), ("rho of zero-concentrated differential privacy", rho),
>     ("mu of Gaussian differential privacy", mu), ("accuracy of the best attacker; a coin flip has 0.5", risk["accuracy"]),
>     ("true positive rate at a false positive rate of 1 %", risk["tests"][1]["true_positive"])):
>     low, high = rows[name]
>     assert low <= want["lower"] and high >= want["upper"], (name, want)
>     assert low > 0.99999 * want["lower"] and high < 1.00001 * want["upper"], (name, want)
> print(len(rows), [n for n in ("S000-7.tight", "60000 people", "Assumed, not checked") if n not in page])'
12 []

# What is typed never becomes markup.
$ dosimeter report '{"kind":"gaussian","sigma":1}' --delta 1e-5 --title '<script>alert("x & y")</script> it'"'"'s a title' -o title.html
> grep -c '<script' title.html; grep -o '<h1>.*</h1>' title.html; python3 again.py title.html
0
<h1>&lt;script&gt;alert(&quot;x &amp; y&quot;)&lt;/script&gt; it's a title</h1>
dosimeter report 'gaussian(1)' --delta 1e-5 --title '<script>alert("x & y")</script> it'\''s a title' --output title.html
True 5 ['Statement', 'Numbers', 'Curves', 'Every route', 'Plan', 'Make it again']

$ dosimeter report 'gaussian(1)' --delta 1e-6 --json -o page.html
{"output":"page.html","delta":1e-6,"epsilon":{"lower":4.88655411746...

# No protection: still a page, none of whose sentences comforts, and the curve
# that has no finite point is named.
$ dosimeter report 'nonprivate()' --delta 1e-6 --people 10 > open.html
> grep -o 'class="headline">[^<]*' open.html
> grep -c 'itself is protected\|content is protected\|well below\|becomes at most\|Everyone' open.html
> grep -o 'Nobody[^<]*\|Nothing here[^<]*\|R..nyi divergence: [^<]*' open.html
class="headline">no finite ε at δ = 1e-6
0
Nobody: without an epsilon no one is protected.
Nothing here: the output discloses a record with a probability above delta 1e-6.
Rényi divergence: left out, as no point of it has a finite bound.

# A stated order is no noise that could be varied.
$ dosimeter report 'renyi(2, 1)' --delta 1e-6 | grep -c '<figure>'
4

# Out of time: one answer serves all sections. What the headline says is the
# first row of the table and every mark; wide curves are left out and named.
$ cat > agree.py <<'END_OF_FILE'
> import html, re, sys
> page = html.unescape(open(sys.argv[1], encoding="utf-8").read())
> head = re.search(r'class="headline">ε ≤ (\S+) at', page).group(1)
> marks = re.findall(r">ε ≤ (\S+) at", page)
> row = re.search(r'<tr class="best"><td>.*?<td class="n">\S+ \.\. ([^<]*)</td>', page).group(1)
> number = re.search(r'<td>epsilon at delta.*?<td class="n">([^<]*)</td></tr>', page).group(1)
> print(set(marks) == {head}, float(number) <= float(head), float(row) <= float(head),
>       float(row) > 0.999 * float(head) and float(number) > 0.999 * float(head))
> END_OF_FILE
> plan='poisson(0.01, laplace(1)) * 1000 + poisson(0.02, gaussian(1.5)) * 500'
> for limit in 1e-9 0.1 2; do
>     dosimeter report "$plan" --delta 1e-6 --time-limit $limit > limited.html
>     python3 agree.py limited.html
> done
True True True True
True True True True
True True True True

$ dosimeter report 'laplace(3) * 3 + gaussian(4)' --delta 1e-6 --time-limit 1e-9 > limited.html
> grep -o 'Epsilon over noise: [^<]*' limited.html; grep -q 'stopped by the time limit' limited.html && echo and it is said
Epsilon over noise: left out, as the time limit was reached.
and it is said

# What it cannot do.
$ dosimeter report 'gaussian(1)' --delta 1e-6 -o page.pdf
! dosimeter: report: --output is a .html file, got "page.pdf"; see "dosimeter help report"
= 2

$ dosimeter report 'gaussian(1)'
! dosimeter: report: missing --delta; see "dosimeter help report"
= 2

$ dosimeter report 'gaussian(?)' --delta 1e-6
! dosimeter: ...
= 2

$ dosimeter report 'gaussian(1)' --delta 1e-6 --json
! dosimeter: report: --json describes a file; --output is missing; see "dosimeter help report"
{"error":{"status":"EINVAL","message":"--json describes a file; --output is missing","offset":null}}
= 2

$ dosimeter report 'gaussian(1)' --delta 1e-6 --delta 1e-5
! dosimeter: report: --delta is given twice; see "dosimeter help report"
= 2
