# mu = 2, delta = 1e-5: 9.9972561464343003591
$ first_question
epsilon <= 9.9972561464343013

# The largest k with Phi(mu/2 - 1/mu) - e Phi(-mu/2 - 1/mu) <= 1e-6,
# mu = sqrt(k)/sigma, by mpmath
$ runs_in_budget
gaussian(10) * ?: 5 runs within epsilon 1, delta 1e-6; with 6 epsilon may be 1.0376
gaussian(50) * ?: 140 runs within epsilon 1, delta 1e-6; with 141 epsilon may be 1.0036
gaussian(200) * ?: 2241 runs within epsilon 1, delta 1e-6; with 2242 epsilon may be 1.0002

# mu = 1: 0.382924922548, 0.307711045114, 0.238421708135, 0.177633101709,
# 0.126936737507; 0.372397463219, 0.158655253931, 0.0470171935761
$ curve
epsilon,delta_upper
0,0.382925
0.25,0.307712
0.5,0.238422
0.75,0.177634
1,0.126937
alpha,beta_lower
0,1
0.25,0.372397
0.5,0.158655
0.75,0.0470171
1,0

# eta 256/60000 and 1 - (1 - 1/60000)^256 = 0.00425761278059830891; delta by
# mpmath: 1.56593957728581529e-11 times 256/60000, and 6.80636981779390e-9
$ sampling_table
theorem,sampler,base,whole,eta,delta
T004-8,Poisson,remove/add,remove/add,0.00426667,6.68135e-14
T004-9,without replacement,substitute,substitute,0.00426667,6.68135e-14
T004-10,with replacement,substitute,substitute,0.00425762,6.80637e-9
T004-11,with replacement,substitute,remove/add,0.00425762,6.80637e-9

# 4.7745675881079864475
$ from_cpp
epsilon <= 4.774568
{"lower":0,"upper":0,
