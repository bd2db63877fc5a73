# One page with everything, the same bytes each time, and the command on it
# makes it again.
$ dosimeter report 'poisson(256/60000, gaussian(1.1)) * 14063' --delta 1e-5 --people 60000 -o page.html
> cat > again.py <<'END_OF_FILE'
> import html, re, subprocess, sys
> page = open(sys.argv[1], encoding="utf-8").read()
> command = html.unescape(re.search(r"<pre>(dosimeter report .*?)</pre>", page, re.S).group(1))
> print(command)
> drop = lambda text: re.sub(r" \\\n +--output \S+\.html", "", text)
> again = subprocess.run(["sh", "-c", drop(command)], capture_output=True, text=True).stdout
> page = drop(page)
> print(page == again, page.count("<figure>"), re.findall("<h2>(.*?)</h2>", page), re.findall("<h3>(.*?)</h3>", page)[-4:])
> END_OF_FILE
> python3 again.py page.html
dosimeter report 'poisson(256/60000, gaussian(1.1)) * 14063' \
    --delta 1e-5 \
    --people 60000 \
    --output page.html
True 3 ['What it means for a person', 'Only with this sampler', 'What was run', 'Curves', 'Who is protected', 'What delta means', 'Appendix'] ['Other quantities', 'How it is known', 'Assumed, not checked', 'Make it again']

# First the sentence: epsilon rounded up, e^2.3817 = 10.83 rounded up, delta
# as one in so many. Before the first picture there are few list items.
$ cat > top.py <<'END_OF_FILE'
> import html, re, sys
> page = html.unescape(sys.stdin.read())
> print(re.search(r'class="headline">(.*?)</p>', page).group(1))
> print(re.findall(r'class="figure"><span>(.*?)</span> (.*?)</p>', page), page[:page.index("<figure>")].count("<li>") < 10)
> END_OF_FILE
> python3 top.py < page.html
With ε = 2.39, the presence of one record in the data makes no result more than 11 times as likely or as unlikely, except with a probability of at most 1 in 100,000 (δ = 1e-5).
[('at most', '61.3 %'), ('at most', '14.3 %'), ('at most', '74.1 %')] True

# Gaussian noise, mu = 1: accuracy Phi(1/2) = 0.69146; true positives
# Phi(1 - 1.644854) = 0.259511; of a belief of 1 % then
# 0.01 x 0.259511 / (0.01 x 0.259511 + 0.99 x 0.05) = 0.049815.
$ dosimeter report 'gaussian(1)' --delta 3e-6 --prior 0.01 --unit patient --data-set 'admissions 2025' | python3 top.py
With ε = 4.66, the presence of one patient in admissions 2025 makes no result more than 110 times as likely or as unlikely, except with a probability of at most 1 in 333,000 (δ = 3e-6).
[('at most', '69.2 %'), ('at most', '26 %'), ('at most', '4.99 %')] True

# Other relations, groups, an epsilon that says little, one that is 0.
$ dosimeter report 'gaussian(9)' --delta 1e-9 --neighbours replace | python3 top.py
> dosimeter report 'group(3, gaussian(1))' --delta 1e-12 --unit person | python3 top.py
> dosimeter report 'approx(0, 1e-7)' --delta 1e-6 --neighbours replace --unit person | python3 top.py
> dosimeter report 'gaussian(0.05)' --delta 0.2 | python3 top.py
With ε = 0.598, the content of one record in the data makes no result more than 1.82 times as likely or as unlikely, except with a probability of at most 1 in a billion (δ = 1e-9).
[('at most', '52.3 %'), ('at most', '6.26 %'), ('at most', '55.6 %')] True
With ε = 25.1 and δ = 1e-12, this guarantee alone hardly protects the presence of one person with up to 3 records in the data: a result may become up to 79 billion times as likely or as unlikely.
[('at most', '93.4 %'), ('at most', '91.3 %'), ('at most', '94.9 %')] True
With ε = 0, the data of one person in the data changes the probability of no result, except with a probability of at most 1 in a million (δ = 1e-6).
[('at most', '50.1 %'), ('at most', '5.01 %'), ('at most', '50.1 %')] True
With ε = 216 and δ = 0.2, this guarantee alone hardly protects the presence of one record in the data: a result may become up to 10^94 times as likely or as unlikely.
[('up to', '100 %'), ('up to', '100 %'), ('at most', '95.3 %')] True

# A unit is taken on trust.
$ dosimeter report 'group(3, gaussian(9))' --delta 1e-5 --unit person | grep -o '^<li>That one.*'; dosimeter report 'gaussian(9)' --delta 1e-5 | grep -c 'That one'
<li>That one person has at most 3 records in the data.</li>
0
= 1

# The quantities are those of the other commands; the upper ends are shown
# rounded up. Mu 107.8 and rho 5811 beside epsilon 2.38 are left out, with the
# reason; those of plain noise are not.
$ cat > numbers.py <<'END_OF_FILE'
> import html, json, re, subprocess, sys
> page = html.unescape(open("page.html", encoding="utf-8").read())
> plan = "poisson(256/60000, gaussian(1.1)) * 14063"
> def ask(*words):
>     return json.loads(subprocess.run(["dosimeter", *words, "--json"], capture_output=True, text=True).stdout.splitlines()[words[0] == "gdp"])
> rows = {name.replace("\xa0", " "): (float(low), float(high)) for name, low, high in re.findall(
>     r'<tr><th scope="row">([^<]*?)<br>.*?</th><td class="n"><span>(\S*) ..</span> <span>(\S*)</span></td></tr>', page)}
> epsilon = ask("epsilon", plan, "--delta", "1e-5")
> mu = ask("gdp", plan, "--floor", "1e-6")
> risk = ask("risk", plan)
> for name, want in (("epsilon at delta 1e-5", epsilon), ("mu, among tests with both errors at least 1e-6", mu),
>     ("accuracy", risk["accuracy"]), ("advantage", risk["advantage"]),
>     ("true positive rate at a false positive rate of 1 %", risk["tests"][1]["true_positive"])):
>     low, high = rows[name]
>     assert low <= want["lower"] and high >= want["upper"], (name, want)
>     assert low > 0.99999 * want["lower"] and high < 1.00001 * want["upper"], (name, want)
> print(len(rows), [n for n in ("S000-7.tight", "60000 people", "Assumed, not checked") if n not in page])
> END_OF_FILE
> python3 numbers.py; grep -o '^<p class="soft">[mr][a-z]* of[^:]*: left out' page.html
> dosimeter report 'gaussian(1)' --delta 1e-5 | grep -c 'left out\|^<tr><th scope="row">mu of\|^<tr><th scope="row">rho of'
10 []
<p class="soft">mu of Gaussian differential privacy: left out
<p class="soft">rho of zero-concentrated differential privacy: left out
2

# What is typed never becomes markup.
$ cat > hostile.sh <<'END_OF_FILE'
> dosimeter report '{"kind":"gaussian","sigma":1}' --delta 1e-5 --data-set '<script>alert(1)</script>' --unit '"><svg onload=1>' \
>     --owner '<!--' --purpose ']]> & &amp; `x` [y](javascript:z) *b* \' --contact '</main></style>' --date 2024-02-29 \
>     --title '<script>alert("x & y")</script> it'"'"'s a title' "$@"
> END_OF_FILE
> sh hostile.sh -o title.html
> grep -c '<script\|<svg onload\|<!--\|javascript:z)</a' title.html; grep -o '<h1>.*</h1>' title.html; grep -c '</main>' title.html; python3 again.py title.html | tail -n 2
0
<h1>&lt;script&gt;alert(&quot;x &amp; y&quot;)&lt;/script&gt; it's a title</h1>
1
    --output title.html
True 2 ['What it means for a person', 'What was run', 'Curves', 'Who is protected', 'What delta means', 'Appendix'] ['Other quantities', 'How it is known', 'Assumed, not checked', 'Make it again']

# In Markdown nothing does either.
$ sh hostile.sh --checklist | grep -v '^- \[[ x]\] \|^## \|^$\|^The topics'
> sh hostile.sh --checklist | grep '^- .x. Purpose'
# \<script\>alert("x \& y")\</script\> it's a title
With ε = 4.38, the presence of one "\>\<svg onload=1\> in \<script\>alert(1)\</script\> makes no result more than 80 times as likely or as unlikely, except with a probability of at most 1 in 100,000 (δ = 1e-5).
- [x] Purpose: \]\]\> \& \&amp; \`x\` \[y\](javascript:z) \*b\* \\

# The checklist: what is stated is ticked, what is open is a question; without
# sampling nobody asks for the sampler.
$ dosimeter report 'poisson(0.1, gaussian(2)) * 10' --delta 1e-6 > /dev/null --checklist -o list.md; sed -n '1,9p' list.md | grep .; grep -c '^## ' list.md; grep '^- .x. [UN][a-z]* \|^- .[x ]. Sampler' list.md
> dosimeter report 'gaussian(2)' --delta 1e-6 --checklist | grep -c Sampler
> dosimeter report 'gaussian(2)' --delta 1e-6 --checklist --unit person --people 100 --data-set A --purpose B --owner C --contact D | grep '^- .x. Wh\|^- .x. Delta\|stated' | cut -c1-70
# Privacy report
With ε = 0.962, the presence of one record in the data makes no result more than 2.62 times as likely or as unlikely, except with a probability of at most 1 in a million (δ = 1e-6).
The topics are those of NIST SP 800-226. Of 26 items 5 are stated by the plan or its report; the others are open. A tick says that something is stated, not that it is good.
## Privacy parameters
- [x] Epsilon and delta: (epsilon, delta)-differential privacy with epsilon 0.961422 and delta 1e-6. The exact epsilon lies in 0.961421 .. 0.961422; the upper end is the one to report. Any later processing of the output keeps the guarantee.
8
- [x] Neighbouring data sets: Unbounded: neighbouring data sets differ in whether one record is there.
- [ ] Sampler: Does the code draw the records as the plan states, or does it shuffle them?
0
The topics are those of NIST SP 800-226. Of 25 items 10 are stated by 
- [x] Delta against the number of people: Delta 1e-6 bounds the probab
- [x] What one record is about: person
- [x] Who is responsible: C; D

$ dosimeter report 'gaussian(1)' --delta 1e-6 --json -o page.html
{"output":"page.html","delta":1e-6,"epsilon":{"lower":4.88655411746...

# Parts with bars: shares add up, the rest of many is one row.
$ python3 -c 'print(" + ".join(f"laplace({i})" for i in range(11, 41)))' > thirty
> dosimeter report @thirty --delta 1e-6 > parts.html; python3 -c '
> import re
> page = open("parts.html", encoding="utf-8").read()
> shares = [float(x) for x in re.findall(r"</th><td class=.n.>([0-9.]*) %</td>", page)]
> print(len(shares), abs(sum(shares) - 100) < 0.5, shares[0] == max(shares[:-1]), "18 smaller parts" in page)'
13 True True True

# Labels name their parts, and are text.
$ dosimeter report '"counts <by> county": gaussian(20) * 3 + laplace(2)' --delta 1e-6 | grep -o '^<tr><th scope="row">[^0-9]*([0-9]*) [^<]*\|^<tr><th scope="row">laplace(2)'
<tr><th scope="row">laplace(2)
<tr><th scope="row">counts &lt;by&gt; county<br><span class="soft">gaussian(20) * 3

# No protection: still a page, none of whose sentences comforts, and what has
# no finite bound is named.
$ dosimeter report 'nonprivate()' --delta 1e-6 --people 10 > open.html
> python3 top.py < open.html
> grep -c 'itself is protected\|content is protected\|well below\|becomes at most\|Everyone' open.html
> grep -o 'Nobody[^<]*\|Nothing here[^<]*\|rho of[^:]*: left out, as it has no finite bound' open.html
Nothing is guaranteed: with a probability above δ = 1e-6, the results disclose the presence of one record in the data.
[('up to', '100 %'), ('up to', '100 %'), ('up to', '100 %')] True
0
Nobody: without an epsilon no one is protected.
Nothing here: the output discloses a record with a probability above delta 1e-6.
rho of zero-concentrated differential privacy: left out, as it has no finite bound

# Out of time: one answer serves all sections. What the headline says is the
# first row of the table and every mark; wide curves are left out and named.
$ cat > agree.py <<'END_OF_FILE'
> import html, re, sys
> page = html.unescape(open(sys.argv[1], encoding="utf-8").read())
> head = re.search(r'class="headline">With ε = ([0-9.e+-]+)', page).group(1)
> marks = re.findall(r">ε ≤ (\S+) at", page)
> row = re.search(r'class="n best"><span>.*?</span> <span>([^<]*)</span>', page).group(1)
> number = re.search(r'epsilon at delta.*? ..</span> <span>([^<]*)</span>', page).group(1)
> near = lambda x: 0.98 * float(head) < float(x) <= float(head)
> print(len(set(marks)) <= 1, all(map(near, marks)), near(number), near(row))
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
> grep -o 'Privacy profile: [^<]*' limited.html; grep -q 'stopped by the time limit' limited.html && echo and it is said
Privacy profile: left out, as the time limit was reached.
and it is said

# A hundred mixed parts within 5 s of processor time, and an everyday plan
# within 1 s; sanitizers take longer.
$ cat > hundred.py <<'END_OF_FILE'
> import os, random, subprocess, sys
> random.seed(1)
> x = random.uniform
> kinds = (lambda: f"gaussian({x(20, 60):.4f})", lambda: f"laplace({x(20, 60):.4f})", lambda: f"rr({x(0.01, 0.05):.4f})",
>     lambda: f"poisson({x(0.001, 0.05):.5f}, gaussian({x(1, 3):.3f})) * {random.randint(2, 200)}", lambda: f"exponential({x(0.01, 0.05):.4f})")
> plan = " + ".join(kinds[i % 5]() for i in range(100))
> def seconds(plan):
>     before = os.times()
>     subprocess.run(["dosimeter", "report", plan, "--delta", "1e-6", "-o", "h.html"], check=True)
>     return sum(os.times()[2:4]) - sum(before[2:4])
> strings = open(subprocess.run(["which", "dosimeter"], capture_output=True, text=True).stdout.strip(), "rb").read()
> factor = 20 if b"__asan_init" in strings else 1
> print(seconds(plan) < 5 * factor, seconds("poisson(256/60000, gaussian(1.1)) * 14063") < factor)
> END_OF_FILE
> python3 hundred.py
True True

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

$ dosimeter report 'gaussian(1)' --delta 1e-6 --date 2025-02-29
! dosimeter: report: --date is a day of the calendar as YYYY-MM-DD, got "2025-02-29"; see "dosimeter help report"
= 2

$ dosimeter report 'gaussian(1)' --delta 1e-6 --unit "$(printf '%061d' 0)"
! dosimeter: report: --unit has at most 60 letters, got 61; see "dosimeter help report"
= 2

$ dosimeter report 'gaussian(1)' --delta 1e-6 --owner '  '
! dosimeter: report: --owner is empty; see "dosimeter help report"
= 2

$ dosimeter report 'gaussian(1)' --delta 1e-6 --purpose "$(printf 'a\033b')"
! dosimeter: report: --purpose needs UTF-8 text without control characters, got "a?b"; see "dosimeter help report"
= 2

$ dosimeter report 'gaussian(1)' --delta 1e-6 --registry --checklist
! dosimeter: report: one form at a time: --registry or --checklist; see "dosimeter help report"
= 2

$ dosimeter report 'gaussian(1)' --delta 1e-6 --registry -o page.html
! dosimeter: report: --output is a .yaml file with --registry, got "page.html"; see "dosimeter help report"
= 2

$ dosimeter report 'gaussian(1)' --delta 1e-6 --checklist -o page.html
! dosimeter: report: --output is a .md file with --checklist, got "page.html"; see "dosimeter help report"
= 2
