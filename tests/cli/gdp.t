# sqrt(5)/2 = 1.11803398874989484820; the class of 1-DP needs
# -2 Phi^-1(1/(1+e)) = 1.2320353853449
$ dosimeter gdp 'gaussian(2) * 5' | grep '^mu'
mu <= 1.1181   (exact value 1.11803398874...)
mu <= 1.1181 for tests with both errors at least 1e-6   (exact value 1.11803398874...)

$ dosimeter gdp 'pure(1)' | head -n 1
mu <= 1.2321   (worst case under the stated guarantees: 1.23203538534...)

# Sampling does not help in the far tail, sqrt(100)/2 = 5, but above a floor.
# The limit is 0.01 sqrt(100 (e^(1/4) - 1)) = 0.0532940
$ dosimeter gdp 'poisson(0.01, gaussian(2)) * 100' --floor 1e-4 -v | grep -v 'assumed\|1e-4\|interval'
mu <= 5   (exact)
  neighbours add_remove
  route      closed form
  theorem    [DRS22] Cor 2 (T001-C2), Eq. 4, Eq. 5 (T001-X3)
  lower end  of the mechanism
mu <= 0.059239 for tests with both errors at least 0.0001   (exact value 0.05923803...)
  neighbours add_remove
  route      contour
  theorem    [DRS22] Prop 5 (T001-P5), Cor 1 (T001-C1)
  lower end  of the mechanism
limit mu about 0.053294: an approximation, not a bound
  theorem    [DRS22] Thm 11 (T001-T11)
  reason     the loss of a Poisson sample is not symmetric: the limit has no error bound

# mu = 1.0004167, gamma = 0.0562100
$ dosimeter gdp 'pure(0.1) * 100' | tail -n 4
limit mu about 1.00042: an approximation, not a bound
  band       beta is that of mu 1.00041 .. 1.00042 at alpha shifted by at most 0.05621,
             give or take 0.05621
  theorem    [DRS22] Thm 5 (T001-T5)

$ dosimeter gdp 'approx(1, 1e-6)' --floor 0 | grep '^mu\|reason' | sort -u
  reason     the moments of a part's loss are not known
  reason     the plan leaks everything with a probability above 0: no mu is enough
mu = inf   (the stated guarantees allow no better)

$ dosimeter gdp 'gaussian(1)' --floor 0.5 > /dev/null
! dosimeter: floor must be at least 0 and less than 1/2, got 0.5
= 2

$ dosimeter gdp 'zcdp(0.1)' --json | cut -c 1-9
{"floor":
{"floor":
{"limit":

# 2 Phi(1/2) - 1 = 0.382924922548026; Phi(Phi^-1(0.01) + 1) = 0.0923622480737,
# whose odds from 1 % are 0.0923622480737/0.99
$ dosimeter risk 'gaussian(1)' --prior 0.01 | head -n 7
advantage                          <= 0.38293   (exact value 0.382924922548...)
accuracy                           <= 0.69147   (exact value 0.691462461274...)
accuracy from prior 0.01           <= 0.99001   (exact value 0.990000038457...)
true positives at 0.1 % false      <= 0.018299   (exact value 0.0182984684056...)
  posterior from prior 0.01        <= 0.156   (exact value 0.155999210001...)
true positives at 1 % false        <= 0.092363   (exact value 0.0923622480736...)
  posterior from prior 0.01        <= 0.085334   (exact value 0.0853339519537...)

# A prior is said as it was given.
$ dosimeter risk 'gaussian(1)' --prior 0.9999999999999999 | grep -c 'from prior 0.9999999999999999 '
4

# The prior is that of the record being there: max(0.01 p, 0.99 q), summed.
$ dosimeter risk 'pmf([0,1],[0.5,0.5])' --prior 0.01 --digits 3 | sed -n 3,5p
accuracy from prior 0.01           <= 0.991   (between 0.989 and 0.991)
true positives at 0.1 % false      <= 0.00201   (between 0.00199 and 0.00201)
  posterior from prior 0.01        <= 0.0199   (exact value 0.0198...)

$ dosimeter risk 'gaussian(1)' --json | cut -c 1-38
{"advantage":{"lower":0.38292492254802

# In JSON it is the object of a batch, with the reason and the assumptions.
$ dosimeter risk 'zcdp(0.1)' --json > alone
> echo '{"query":"risk","plan":"zcdp(0.1)","prior":0.5}' | dosimeter batch | sed 's/,"elapsed_us":[0-9.e]*//' | cmp - alone && grep -o '"reason":"stated\|"assumptions":.*' alone
"reason":"stated
"assumptions":["the stated zCDP guarantee holds"]}

$ dosimeter risk 'gaussian(1)' --prior 1
! dosimeter: prior must be greater than 0 and less than 1, got 1
= 2

# The same questions in a batch. The prior of a risk has no default there.
$ cat > questions <<'END'
> {"query":"gdp","plan":"gaussian(2) * 5","floor":0,"id":1}
> {"query":"gdp","plan":"gaussian(2) * 5","floor":1e-6}
> {"query":"risk","plan":"gaussian(1)","prior":0.01}
> {"query":"risk","plan":"gaussian(1)"}
> {"query":"gdp","plan":"gaussian(1)","floor":0.5}
> END
> dosimeter batch < questions | python3 -c '
> import json, sys
> a, b, c, d, e = map(json.loads, sys.stdin)
> print(a["id"], a["lower"] <= 5 ** 0.5 / 2 <= a["upper"], b["lower"] > 1.118)
> t = c["tests"][1]
> print(c["advantage"]["lower"] <= 0.3829249225480262 <= c["advantage"]["upper"])
> print(t["false_positive"], round(t["true_positive"]["upper"], 10))
> print(d["error"]["message"])
> print(e["error"]["message"])'
1 True True
True
0.01 0.0923622481
the query "risk" needs prior
floor must be at least 0 and less than 1/2, got 0.5
