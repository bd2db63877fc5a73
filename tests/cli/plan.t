# Plans that mean the same have the same normal form and hash.
$ dosimeter plan 'gaussian(2) + gaussian(sigma=2) * 3 + laplace(1)' > a
> dosimeter plan '(laplace(scale=1) + gaussian(2/1) * 4)' > b
> cmp a b && head -n 1 a && grep -c '^hash [0-9a-f]\{16\}$' a
gaussian(2) * 4 + laplace(1)
1

$ dosimeter plan 'poisson(1/4, gaussian(1.5)) * 8' --json
{"kind":"repeat","count":8,"of":{"kind":"poisson","rate":0.25,"of":{"kind":"gaussian","sigma":1.5}}}

$ dosimeter plan 'poisson(1/4, gaussian(1.5)) * 8' --events
{"class_name":"SelfComposedDpEvent","count":8,"event":{"class_name":"PoissonSampledDpEvent","sampling_probability":0.25,"event":{"class_name":"GaussianDpEvent","noise_multiplier":1.5}}}

# Every form is read wherever a plan is, from an argument, a file, a stream.
$ dosimeter plan 'poisson(1/4, gaussian(1.5)) * 8' > text
> dosimeter plan 'poisson(1/4, gaussian(1.5)) * 8' --json > json
> dosimeter plan 'poisson(1/4, gaussian(1.5)) * 8' --events > events
> dosimeter plan @json | cmp - text
> dosimeter plan @events | cmp - text
> dosimeter plan - < events | cmp - text
> dosimeter plan "$(cat json)" | cmp - text
> head -n 1 text > normal
> dosimeter plan @normal | cmp - text

# An event tree has no word for some kinds.
$ dosimeter plan 'gdp(1)' --events
! dosimeter: ...
= 3

# A hole is kept.
$ dosimeter plan 'gaussian(?) * 3' | head -n 1
gaussian(?) * 3

$ dosimeter kinds | grep -c '^[a-zA-Z]'
20

$ dosimeter kinds | head -n 4
gaussian(sigma)
    Gaussian noise; sigma = standard deviation / L2 distance of neighbours' answers
    sigma: positive and finite
    or std, sensitivity: positive and finite

# Arguments in other units, and words that JSON has for kinds by habit.
$ dosimeter kinds | grep '^    or '; dosimeter kinds --json | grep -c '"units":\[\]'
    or std, sensitivity: positive and finite
    or sensitivity, epsilon: positive and finite
    or epsilon: positive and finite
17

$ for kind in gausian normal shuffle sgd frobnicate 'a b' 1x _ ''; do dosimeter plan "{\"kind\":\"$kind\"}"; done
! dosimeter: unknown kind 'gausian'; did you mean 'gaussian'?
! dosimeter: unknown kind 'normal'; did you mean 'gaussian'?
! dosimeter: 'shuffle': no amplification theorem for shuffled batches is implemented here; the base mechanism bounds it without amplification, if a removed record leaves its slot empty
! dosimeter: unknown kind 'sgd'; write poisson(rate, gaussian(sigma)) * steps, or use the command sgd
! dosimeter: unknown kind 'frobnicate'
! dosimeter: unknown kind 'a b'
! dosimeter: unknown kind '1x'
! dosimeter: unknown kind '_'
! dosimeter: unknown kind ''
= 2
