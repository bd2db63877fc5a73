# A plan as a loss law, in text and JSON; both are plans again.
$ dosimeter loss 'rr(1)' --side upper --points 3 --json > upper.json
> dosimeter loss 'rr(1)' --side lower --points 9 > lower
> dosimeter plan @upper.json | grep -c '^loss(\['
> grep -o '"side":"[a-z]*"' upper.json
> grep -c '^loss(\[' lower
1
"side":"upper"
1

$ dosimeter epsilon @upper.json --delta 1e-5 --digits 4 | head -n 1
epsilon <= 1 at delta 1e-5   (exact value 0.9999...)

$ dosimeter epsilon "$(cat lower)" --delta 1e-5 --digits 4 | head -n 1
epsilon <= 1 at delta 1e-5   (exact value 0.9999...)

# What is no law is refused in one line.
$ dosimeter delta '{"kind":"loss","losses":[0,1],"masses":[0.5,0.6]}' --epsilon 1
! dosimeter: loss: the sum of masses must be at most 1, got 1.10000000001
= 2

$ dosimeter delta 'loss([-1], [0.9])' --epsilon 1
! dosimeter: loss: no law has these losses: the sum of mass * exp(-loss) must be at most 1, got 2.44645364562
!   loss([-1], [0.9])
!              ^
= 2

$ dosimeter loss 'zcdp(1)' --side lower
! dosimeter: loss: no one pair of neighbours is known to attain the lower ends of a stated guarantee, a fixed-size sample or a sampled group
= 3

$ dosimeter loss 'rr(1)'
! dosimeter: loss: missing --side upper or --side lower; see "dosimeter help loss"
= 2

$ dosimeter loss 'rr(1)' --side both
! dosimeter: loss: --side must be upper or lower, got "both"; see "dosimeter help loss"
= 2

# A limit that is long enough changes nothing; one that is not is named.
$ dosimeter loss 'gaussian(1)' --side upper --points 9 > free
> dosimeter loss 'gaussian(1)' --side upper --points 9 --time-limit 100 | cmp - free && echo the same
> dosimeter loss 'laplace(3) * 3 + gaussian(4)' --side upper --time-limit 1e-9
the same
! dosimeter: loss: stopped by the time limit
= 3
