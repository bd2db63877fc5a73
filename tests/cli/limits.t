# A width is met, or refused with the one that can be met: between two
# doubles lies no narrower interval. What is printed shows it.
$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --width 1e-12 | head -n 1
epsilon <= 4.8866 at delta 1e-6   (exact value 4.8865541174622...)

$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --width 1e-17
! dosimeter: unable to reach the relative width 1e-17; attainable is 1.9e-16: ...
= 3

$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --width 1.9e-16 | head -n 1
epsilon <= 4.8866 at delta 1e-6   (exact value 4.88655411746221...)

$ dosimeter delta 'gaussian(1)' --epsilon 1 --width 1e-18 --json 2> /dev/null
{"error":{"status":"EUNABLE","message":"unable to reach the relative width 1e-18; attainable is ...
= 3

# The other values are still answered.
$ dosimeter tradeoff 'gaussian(1)' --alpha 0.05 --alpha 1 --width 1e-17 | head -n 1
beta >= 0 at alpha 1   (no bound above 0 holds)
! dosimeter: unable to reach the relative width 1e-17; attainable is 1.5e-16: ...

# Out of time: what is quick is answered, and the reason is said. Every
# interval contains the one that took its time.
$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --time-limit 1e-9 | sed 2q
epsilon <= 4.8866 at delta 1e-6   (exact value 4.88655411746...)
  neighbours add_remove

$ dosimeter epsilon 'laplace(3) * 3 + gaussian(4)' --delta 1e-6 --time-limit 1e-9 | sed -n 's/^  reason *//p'
stopped by the time limit

$ for plan in 'laplace(3) * 3 + gaussian(4)' 'poisson(0.3, laplace(2)) * 4' \
>     'pure(0.1) * 20 + pure(0.23) * 20 + pure(0.37) * 20' \
>     'poisson(0.01, gaussian(1.1)) * 10000'
> do
>     dosimeter epsilon "$plan" --delta 1e-6 --json
>     for limit in 1e-9 0.001; do
>         dosimeter epsilon "$plan" --delta 1e-6 --time-limit $limit --json
>     done
>     for limit in 1 64kB 1MB; do
>         dosimeter epsilon "$plan" --delta 1e-6 --max-memory $limit --json
>     done
> done > answers
> python3 -c '
> import json
> rows = [json.loads(line) for line in open("answers")]
> for i in range(0, len(rows), 6):
>     best = rows[i]
>     for row in rows[i + 1:i + 6]:
>         assert row["lower"] <= best["upper"] and best["lower"] <= row["upper"]
>         assert float(row["upper"]) < 1e6, row
> print(len(rows))'
24

# A batch has the same limits, question by question.
$ cat > questions <<'END'
> {"query":"epsilon","plan":"gaussian(1)","delta":1e-6,"width":1e-17}
> {"query":"epsilon","plan":"laplace(3)*3+gaussian(4)","delta":1e-6,"time_limit":1e-9}
> {"query":"epsilon","plan":"gaussian(1)","delta":1e-6,"max_bytes":1,"width":1e-9}
> {"query":"epsilon","plan":"gaussian(1)","delta":1e-6,"width":-1}
> {"query":"epsilon","plan":"gaussian(1)","delta":1e-6,"time_limit":"1"}
> END
> dosimeter batch < questions | sed 's/.*"reason":/reason /; s/,"assum.*//' | cut -c 1-65
{"error":{"status":"EUNABLE","message":"unable to reach the relat
reason "stopped by the time limit"
{"lower":4.88655411746...
{"error":{"status":"EINVAL","message":"width must be a positive n
{"error":{"status":"EINVAL","message":"time_limit must be a posit

# Bad limits.
$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --width 0
! dosimeter: epsilon: --width must be positive and finite, got "0"; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --width nan
! dosimeter: epsilon: --width must be positive and finite, got "nan"; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --time-limit -1
! dosimeter: epsilon: --time-limit must be positive and finite, got "-1"; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --max-memory 64XB
! dosimeter: epsilon: --max-memory needs bytes, or a number with kB, MB or GB, got "64XB"; see "dosimeter help epsilon"
= 2

$ for m in 0 -1 inf nan 1e30 MB ''; do dosimeter epsilon 'gaussian(1)' --delta 1e-6 --max-memory "$m" 2> /dev/null; echo $?; done | uniq -c | tr -s ' '
 7 2

$ for m in 1 64MB 1.5GB 2k 100kb 1e6; do dosimeter epsilon 'gaussian(1)' --delta 1e-6 --max-memory $m > /dev/null; echo $?; done | uniq -c | tr -s ' '
 6 0

$ dosimeter renyi 'gaussian(1)' --order 2 --width 1e-6
! dosimeter: renyi: --width does not apply here; see "dosimeter help renyi"
= 2

# Losses below the rounding of their sums: the contour route knows nothing,
# and others answer.
$ dosimeter epsilon 'group(6, poisson(0.0134, gaussian(1e100)))' --delta 1e-6 | head -n 1
epsilon <= 0 at delta 1e-6   (exact)

$ dosimeter epsilon 'group(6, poisson(0.0134, gaussian(1e100)))' --delta 1e-6 \
>     --route contour | head -n 1
epsilon <= inf at delta 1e-6   (no bound was certified)
