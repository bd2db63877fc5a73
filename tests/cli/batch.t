# One answer a question, in order; ids are echoed; a bad line is answered.
$ cat > questions <<'END'
> {"query":"epsilon","plan":"pure(1)","delta":1e-9,"id":"first"}
>
> {"query":"epsilon","plan":"gaussian(1","delta":1e-5,"id":2}
> {"query":"epsilon","plan":"nonprivate()","delta":1e-5,"id":3}
> {"query":"tradeoff","plan":"pure(0)","alpha":0.25}
> not JSON
> {"query":"delta","plan":{"kind":"pure","epsilon":0},"epsilon":0,"id":[4]}
> END
> dosimeter batch < questions | cut -c 1-50
{"id":"first","lower":0.999999...
{"id":2,"error":{"status":"ESYNTAX","message":"exp
{"id":3,"lower":"inf","upper":"inf",...
{"lower":0.75,"upper":0.75,...
{"error":{"status":"ESYNTAX","message":"not JSON: ...
{"id":[4],"lower":0,"upper":0,...

# Every answer is JSON with the promised keys.
$ dosimeter batch < questions | python3 -c '
> import json, sys
> for line in sys.stdin:
>     answer = json.loads(line)
>     keys = {"lower", "upper", "route", "theorem", "neighbours", "elapsed_us"}
>     print("error" if set(answer.get("error", {})) == {"status", "message",
>         "offset"} else keys <= set(answer))'
True
error
True
True
error
True

# An answer comes before the next question, and a last line needs no newline.
$ python3 -c '
> import subprocess
> p = subprocess.Popen(["dosimeter", "batch"], stdin=subprocess.PIPE,
>     stdout=subprocess.PIPE)
> q = b"{\"query\":\"delta\",\"plan\":\"pure(0)\",\"epsilon\":0}"
> p.stdin.write(q + b"\r\n"); p.stdin.flush()
> print(p.stdout.readline()[:22].decode())
> p.stdin.write(q); p.stdin.close()
> print(p.stdout.read()[:22].decode(), p.wait())'
{"lower":0,"upper":0,"
{"lower":0,"upper":0," 0

$ dosimeter batch < /dev/null

# A NUL, escaped or as a byte, never cuts a plan short: it is refused.
$ printf '{"query":"delta","epsilon":1,"plan":"gaussian(1)\\u0000*2"}\n' |
> dosimeter batch
{"error":{"status":"ESYNTAX","message":"a string must not hold a NUL: \\u0000","offset":48}}
= 2

$ printf '{"query":"delta","epsilon":1,"plan":"gaussian(1)\000*2"}\n' |
> dosimeter batch
{"error":{"status":"ESYNTAX","message":"not JSON: a NUL byte","offset":48}}
= 2

# The exit status is the greatest of the lines: 2 for a bad one, 3 where
# nothing could be certified; answers come all the same.
$ dosimeter batch < questions > /dev/null
= 2

$ printf '%s\n' '{"query":"delta","plan":"pure(0)","epsilon":0}' \
> '{"query":"epsilon","plan":"gaussian(1)","delta":1e-5,"width":1e-300}' \
> '{"query":"epsilon","plan":"gaussian(1"}' | dosimeter batch | cut -c 1-29 > out
> cat out
{"lower":0,"upper":0,"log_low
{"error":{"status":"EUNABLE",
{"error":{"status":"EINVAL","

$ printf '%s\n' '{"query":"delta","plan":"pure(0)","epsilon":0}' \
> '{"query":"epsilon","plan":"gaussian(1)","delta":1e-5,"width":1e-300}' \
> '{"query":"epsilon","plan":"gaussian(1"}' | dosimeter batch > /dev/null
= 3

# What would be ignored is refused: two arguments, or that of another query.
$ cat > both <<'END'
> {"query":"epsilon","plan":"gaussian(1)","delta":1e-5,"log_delta":-20}
> {"query":"epsilon","plan":"gaussian(1)","delta":1e-5,"alpha":0.5}
> {"query":"delta","plan":"gaussian(1)","epsilon":1,"targets":[]}
> {"query":"calibrate","plan":"gaussian(?)","targets":[{"mu":1}],"delta":1}
> {"query":"delta","plan":"gaussian(1)","epsilon":1,"neighbors":"replace","neighbours":"replace"}
> END
> dosimeter batch < both
{"error":{"status":"EINVAL","message":"the query \"epsilon\" takes delta or log_delta, not both","offset":null}}
{"error":{"status":"EINVAL","message":"the query \"epsilon\" takes no alpha","offset":null}}
{"error":{"status":"EINVAL","message":"the query \"delta\" takes no targets","offset":null}}
{"error":{"status":"EINVAL","message":"the query \"calibrate\" takes no delta","offset":null}}
{"error":{"status":"EINVAL","message":"a question has neighbours or neighbors, not both","offset":null}}
= 2

# Both spellings.
$ echo '{"query":"delta","plan":"pure(0)","epsilon":0,"neighbors":"replace"}' |
> dosimeter batch
{"lower":0,"upper":0,"log_lower":"-inf","log_upper":"-inf","route":"closed","theorem":"T000-24, S000-7.kov","citation":"[Ste22] Cor 24 (T000-24), [KOV15], by [Ste22] §7 (S000-7.kov)","neighbours":"replace",...

# The help names every query and every key.
$ for word in epsilon delta log_delta tradeoff alpha renyi order zcdp xi gdp \
> floor risk prior calibrate targets neighbours neighbors route width \
> max_bytes time_limit id; do
> dosimeter help batch | grep -qw "$word" || echo "$word is missing"; done

# On several threads the order is kept, slow and quick lines mixed, and the
# answers are those of one thread.
$ python3 - <<'END' > many
> for i in range(60):
>     print('{"query":"epsilon","plan":"%s","delta":1e-5,"id":%d}' %
>           ("laplace(3) * 40 + rr(0.1) * 7" if i % 7 == 0 else "gaussian(%d)" % (i + 1), i))
>     if i % 10 == 3:
>         print("")
> print('{"query":"epsilon","plan":"gaussian(0)","delta":1e-5,"id":60}')
> END
> dosimeter batch --jobs 4 < many | sed 's/,"elapsed_us.*//' > four; dosimeter batch < many | sed 's/,"elapsed_us.*//' | cmp - four && grep -o '"id":[0-9]*' four | cut -d : -f 2 | sort -nc && grep -c . four
61

$ dosimeter batch --jobs 4 < many > /dev/null
= 2

# A conversation goes on with several threads: each answer comes before the
# next question is asked.
$ python3 - <<'END'
> import json, subprocess
> with subprocess.Popen(["dosimeter", "batch", "--jobs", "3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as b:
>     for i in range(5):
>         print('{"query":"epsilon","plan":"gaussian(1)","delta":1e-5,"id":%d}' % i, file=b.stdin, flush=True)
>         print(json.loads(b.stdout.readline())["id"], end=" ")
>     b.stdin.close()
>     print(b.wait())
> END
0 1 2 3 4 0

$ dosimeter batch --jobs 2 < many > /dev/full
! dosimeter: cannot write to standard output: No space left on device
= 4

$ dosimeter batch --jobs x < many
! dosimeter: batch: --jobs needs a whole number from 1 to 256, got "x"; see "dosimeter help batch"
= 2
