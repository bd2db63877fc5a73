# The relation is the one that the sampler is made for, unless it is given;
# the answer says which it was.
$ dosimeter renyi 'without_replacement(600, 60000, laplace(2))' --order 32 --lower --upper -v | head -n 6
renyi <= 0.00088876 at order 32   (between 0.0003623 and 0.0008888)
  interval   0.0003623 .. 0.0008888
  assumed    every batch was drawn uniformly without replacement, anew in each step
  neighbours replace
  route      renyi
  theorem    [WBK19] Thm 9 (T002-9), Thm 19 (T002-19), Cor 10 (C002-10), [Ste22] Lemma 33.2 (T000-33.2)

$ dosimeter renyi 'poisson(0.01, laplace(2))' --order 32 | grep -o 'neighbours [ar].*'
neighbours add_remove

$ dosimeter compare 'without_replacement(60, 60000, rr(1))' --delta 1e-6 --json | grep -o '"neighbours":"[a-z_]*"'
"neighbours":"replace"

$ dosimeter epsilon 'pure(1) + without_replacement(60, 60000, rr(1)) * 3' --delta 1e-6 --neighbours add_remove
! dosimeter: without_replacement has no theorem under add_remove, where the population's size is private; ask under replace, or use poisson(batch/population, M)
= 3

$ echo '{"query":"epsilon","plan":"without_replacement(60, 60000, rr(1))","delta":1e-6}' | dosimeter batch | grep -o '"neighbours":"[a-z_]*"'
"neighbours":"replace"
