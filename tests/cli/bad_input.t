# What is not a plan: one line that names the culprit, a caret, status 2.
$ dosimeter epsilon 'gausian(1)' --delta 1e-6
! dosimeter: unknown kind 'gausian'; did you mean 'gaussian'?
!   gausian(1)
!   ^
= 2

$ dosimeter epsilon 'gaussian()' --delta 1e-6
! dosimeter: gaussian: sigma is missing
!   gaussian()
!            ^
= 2

$ dosimeter epsilon 'gaussian(1, 2)' --delta 1e-6
! dosimeter: gaussian: takes at most 1 argument
!   gaussian(1, 2)
!               ^
= 2

$ dosimeter epsilon 'gaussian(nan)' --delta 1e-6
! dosimeter: gaussian: sigma must be positive and finite, got nan
!   gaussian(nan)
!            ^
= 2

$ dosimeter epsilon 'gaussian(inf)' --delta 1e-6
! dosimeter: gaussian: sigma must be positive and finite, got inf
!   gaussian(inf)
!            ^
= 2

$ dosimeter epsilon 'gaussian(1) + gaussian(-1)' --delta 1e-6
! dosimeter: gaussian: sigma must be positive and finite, got -1
!   gaussian(1) + gaussian(-1)
!                          ^
= 2

$ dosimeter epsilon 'poisson(1.5, gaussian(1))' --delta 1e-6
! dosimeter: poisson: rate must be between 0 and 1, got 1.5
!   poisson(1.5, gaussian(1))
!           ^
= 2

$ dosimeter epsilon 'gaussian(1) * 9007199254740994' --delta 1e-6
! dosimeter: repeat: count must be an integer from 1 to 2^53, got 9007199254740994
!   gaussian(1) * 9007199254740994
!                 ^
= 2

$ dosimeter epsilon 'gaussian(1) +' --delta 1e-6
! dosimeter: expected a mechanism, found the end of the text
!   gaussian(1) +
!                ^
= 2

$ dosimeter epsilon '' --delta 1e-6
! dosimeter: expected a mechanism, found the end of the text
= 2

# A hole is for calibration only.
$ dosimeter epsilon 'gaussian(?)' --delta 1e-6
! dosimeter: ...
= 2

# Bytes that are not UTF-8, a zero byte, an escape sequence: never echoed.
$ printf 'gaussian(1\377)' | dosimeter epsilon - --delta 1e-6
! dosimeter: ...
!   gaussian(1?)
!             ^
= 2

$ printf 'gaussian(1)\000+' | dosimeter epsilon - --delta 1e-6
! dosimeter: ...
!   gaussian(1)?+
!              ^
= 2

$ printf 'laplace(1) +\n\tgaussian(\033[31m1)' | dosimeter epsilon - --delta 1e-6
! dosimeter: ...
!    gaussian(?[31m1)
!             ^
= 2

# One column a character, not a byte.
$ dosimeter epsilon 'gaussian(σ=1)' --delta 1e-6
! dosimeter: ...
!   gaussian(σ=1)
!            ^
= 2

# A long text is shown in part.
$ dosimeter epsilon 'gaussian(1) + gaussian(1) + gaussian(1) + gaussian(1) + gaussian(1) + gaussian(x) + gaussian(1) + gaussian(1) + gaussian(1)' --delta 1e-6
! dosimeter: gaussian: sigma must be a number, found 'x'
!   ...aussian(1) + gaussian(1) + gaussian(x) + gaussian(1) + gaussian(1) + gau...
!                                          ^
= 2

# A megabyte of parentheses.
$ head -c 1000000 /dev/zero | tr '\000' '(' | dosimeter epsilon - --delta 1e-6
! dosimeter: standard input:1:401: plan: at most 400 parentheses may be open at once
!   ...((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((...
!                                          ^
= 2

$ head -c 1000000 /dev/zero | tr '\000' '[' | dosimeter batch
{"error":{"status":"ESYNTAX","message":"not JSON: ...
= 2

# Truncated JSON, JSON that is not a plan, an event without a kind.
$ dosimeter epsilon '{"kind":"gaussian"' --delta 1e-6
! dosimeter: not JSON: the text ends too early
!   {"kind":"gaussian"
!                     ^
= 2

$ dosimeter epsilon '{"kind":"gaussian"}' --delta 1e-6
! dosimeter: gaussian: sigma is missing
= 2

$ dosimeter epsilon '{"class_name":"PermuteAndFlipDpEvent","epsilon":1}' --delta 1e-6
! dosimeter: no kind for the event PermuteAndFlipDpEvent
= 3

# Values of options.
$ dosimeter epsilon 'gaussian(1)' --delta 1
! dosimeter: ...
= 2

$ dosimeter epsilon 'gaussian(1)' --delta nan
! dosimeter: ...
= 2

$ dosimeter epsilon 'gaussian(1)' --delta inf
! dosimeter: ...
= 2

$ dosimeter epsilon 'gaussian(1)' --log-delta 0
! dosimeter: ...
= 2

$ dosimeter delta 'gaussian(1)' --epsilon -1
! dosimeter: ...
= 2

$ dosimeter delta 'gaussian(1)' --epsilon nan
! dosimeter: ...
= 2

$ dosimeter tradeoff 'gaussian(1)' --alpha 1.5
! dosimeter: ...
= 2

$ dosimeter renyi 'gaussian(1)' --order 1
! dosimeter: ...
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 1e-400
! dosimeter: epsilon: --delta 1e-400 is smaller than any double; use --log-delta; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 1e-6x
! dosimeter: epsilon: --delta needs a number, got "1e-6x"; see "dosimeter help epsilon"
= 2

$ dosimeter epsilon 'gaussian(1)' --delta 1e-6 --route zebra
! dosimeter: ...
= 2

# As an object as well when JSON is wanted.
$ dosimeter epsilon 'gaussian(0)' --delta 1e-6 --json
{"error":{"status":"EINVAL","message":"gaussian: sigma must be positive and finite, got 0","offset":9}}
! dosimeter: gaussian: sigma must be positive and finite, got 0
!   gaussian(0)
!            ^
= 2

$ dosimeter epsilon 'gaussian(1)' --json
{"error":{"status":"EINVAL","message":"missing --delta or --log-delta","offset":null}}
! dosimeter: epsilon: missing --delta or --log-delta; see "dosimeter help epsilon"
= 2

# A NUL ends neither a plan nor a tree nor a sampler.
$ printf 'gaussian(1)\000*2' > plan; dosimeter epsilon @plan --delta 1e-5
! dosimeter: plan:1:12: unexpected byte 0x00: plans are written in ASCII, except labels and comments
!   gaussian(1)?*2
!              ^
= 2

$ printf '{"kind":"gaussian\000","sigma":1}' |
> dosimeter epsilon - --delta 1e-5 2>&1 | head -n 1
dosimeter: standard input:1:18: not JSON: a NUL byte

$ printf 'gaussian(1)\303' > plan; dosimeter epsilon @plan --delta 1e-5 2>&1 | head -n 1
dosimeter: plan:1:12: unexpected byte 0xc3: plans are written in ASCII, except labels and comments
