#!/usr/bin/env python3
"""Progress on a terminal, Ctrl-C, and files that are whole or not there.

usage: check_terminal.py PROGRAM
"""
import os
import pathlib
import pty
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
RUN = "poisson(256/60000, gaussian(1.1)) * 14063"
WIDE = [RUN, "--vary", "sigma=0.6..4:90000", "--delta", "1e-5"]
PARTS = " + ".join(f"laplace({i}.5)" for i in range(9, 99))
SLOW = [PROGRAM, "plot", PARTS, "--points", "10000"]  # seconds
# A search for noise that takes seconds: shares that have no common factor.
SEARCH = ["release", "--plan-only", "--epsilon", "1", "--delta", "1e-9"]
for i in range(1, 30):
    SEARCH += ["--sum", f"x{i}:0..{i}", "--mean", f"y{i}:0..10",
               "--weight", f"sum.x{i}:0.{i}"]
problems = []


def check(good, message):
    if not good:
        problems.append(message)


class OnTerminal:
    """A command whose stderr is a terminal."""

    def __init__(self, command, folder, **more):
        self.master, slave = pty.openpty()
        env = dict(os.environ, TERM="xterm")
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=slave, env=env, **more)
        os.close(slave)
        self.said = b""

    def read_until(self, wanted):
        """Reads until the text is seen, or the command is gone."""
        end = time.monotonic() + 120
        while wanted not in self.said and time.monotonic() < end:
            if not select.select([self.master], [], [], 1)[0]:
                continue
            try:
                part = os.read(self.master, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            self.said += part
        return wanted in self.said

    def end(self):
        out = self.process.communicate(timeout=120)[0]
        self.read_until(b"\0never")
        os.close(self.master)
        return out


def check_progress(folder):
    command = [PROGRAM, "tradeoff", RUN, "--points", "20000", "--csv"]
    run = OnTerminal(command, folder)
    out = run.end()
    said = run.said
    check(run.process.returncode == 0, f"progress: {run.process.returncode}")
    check(b"point " in said and b" of 20000, " in said, f"progress: {said}")
    check(said.endswith(b"\r\x1b[K"), f"progress stays: {said[-40:]}")
    piped = subprocess.run(command, cwd=folder, capture_output=True,
                           check=False)
    check(piped.stderr == b"", f"piped: {piped.stderr[:80]}")
    check(piped.stdout == out, "piped: another output")
    quick = OnTerminal([PROGRAM, "version"], folder)
    quick.end()
    check(quick.said == b"", f"quick: {quick.said}")


def check_interrupted(folder, number, old):
    target = pathlib.Path(folder) / "curve.svg"
    if old is not None:
        target.write_bytes(old)
    run = OnTerminal([*SLOW, "-o", "curve.svg"], folder)
    check(run.read_until(b" of 10000, "), f"{number}: no progress")
    run.process.send_signal(number)
    out = run.end()
    check(run.process.returncode == 130, f"{number}: {run.process.returncode}")
    check(out == b"", f"{number}: {out[:80]}")
    check(run.said.endswith(b"\r\x1b[Kdosimeter: interrupted\r\n"),
          f"{number}: {run.said[-80:]}")
    left = os.listdir(folder)
    check(left == ([] if old is None else ["curve.svg"]), f"{number}: {left}")
    check(old is None or target.read_bytes() == old, f"{number}: overwritten")
    if old is not None:
        target.unlink()


def check_commands(folder):
    """Every command that asks a plan ends when it is told to."""
    for words in (["compare", RUN, "--delta", "1e-5"],
                  ["report", PARTS, "--delta", "1e-5"],
                  ["tradeoff", RUN, "--points", "20000", "--csv"],
                  ["sweep", *WIDE, "--jobs", "1"],
                  ["sweep", *WIDE, "--jobs", "2"],
                  ["breakdown", PARTS, "--delta", "1e-5", "--jobs", "2"],
                  SEARCH):
        run = OnTerminal([PROGRAM, *words], folder)
        check(run.read_until(b" s"), f"{words[0]}: no progress")
        run.process.send_signal(signal.SIGINT)
        run.end()
        check(run.process.returncode == 130,
              f"{words[0]}: {run.process.returncode}")
        check(b"dosimeter: interrupted\r\n" in run.said,
              f"{words[0]}: {run.said[-80:]}")


def check_second(folder):
    """A second signal ends the program at once, as if nobody caught it."""
    for words in (["plot", PARTS, "--points", "10000", "-o", "curve.svg"],
                  SEARCH):
        run = OnTerminal([PROGRAM, *words], folder)
        check(run.read_until(b" s"), f"second, {words[0]}: no progress")
        # Both are there before the program goes on: no race with its answer
        # to the first. Two of one kind would be one.
        run.process.send_signal(signal.SIGSTOP)
        run.process.send_signal(signal.SIGINT)
        run.process.send_signal(signal.SIGTERM)
        run.process.send_signal(signal.SIGCONT)
        out = run.end()
        check(run.process.returncode in (-signal.SIGINT, -signal.SIGTERM),
              f"second, {words[0]}: {run.process.returncode}")
        check(out == b"" and b"interrupted" not in run.said,
              f"second, {words[0]}: {out[:80]} {run.said[-80:]}")
        check(os.listdir(folder) == [], f"second: {os.listdir(folder)}")


def check_waiting(folder):
    """A plan that never comes."""
    process = subprocess.Popen(
        [PROGRAM, "epsilon", "-", "--delta", "1e-6"], cwd=folder,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    state = pathlib.Path(f"/proc/{process.pid}/stat")
    for _ in range(1000):  # until it sleeps, that is, reads
        if state.read_text().rsplit(")", 1)[1].split()[0] == "S":
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 130 and out == b"" and
          err == b"dosimeter: interrupted\n",
          f"waiting: {process.returncode} {out} {err}")


def check_ignored(folder):
    """What was told to ignore Ctrl-C goes on."""
    command = [PROGRAM, "plot", PARTS, "--points", "1000", "-o", "curve.svg"]
    run = OnTerminal(command, folder, preexec_fn=lambda: signal.signal(
        signal.SIGINT, signal.SIG_IGN))
    run.read_until(b" of 1000, ")
    run.process.send_signal(signal.SIGINT)
    run.end()
    check(run.process.returncode == 0, f"ignored: {run.process.returncode}")
    check(os.listdir(folder) == ["curve.svg"], "ignored: no file")
    os.unlink(os.path.join(folder, "curve.svg"))


def plot_to(folder, path):
    done = subprocess.run(
        [PROGRAM, "plot", "gaussian(1)", "-o", path], cwd=folder,
        capture_output=True, text=True, check=False, umask=0o027)
    return done.returncode, done.stderr


def check_files(folder):
    root = pathlib.Path(folder)
    check(plot_to(folder, "a.svg") == (0, ""), "file: not written")
    whole = (root / "a.svg").read_bytes()
    check(whole.endswith(b"</svg>\n"), "file: not whole")
    check(stat.S_IMODE((root / "a.svg").stat().st_mode) == 0o640,
          "file: other rights than a new file")
    os.symlink("a.svg", root / "link.svg")
    (root / "a.svg").write_bytes(b"old")
    check(plot_to(folder, "link.svg") == (0, ""), "link: not written")
    check((root / "link.svg").is_symlink() and
          (root / "a.svg").read_bytes() == whole, "link: replaced")
    check(plot_to(folder, "/dev/null") == (0, ""), "device: not written")
    code, err = plot_to(folder, "/dev/full")
    check(code == 4 and err.startswith("dosimeter: cannot write /dev/full: "),
          f"full: {code} {err}")
    code, err = plot_to(folder, "no/such/a.svg")
    check(code == 4 and "cannot write no/such/a.svg: " in err,
          f"folder: {code} {err}")
    (root / "d").mkdir()
    code, err = plot_to(folder, "d")
    check(code == 4 and "cannot write d: " in err, f"directory: {code} {err}")
    check(sorted(os.listdir(folder)) == ["a.svg", "d", "link.svg"],
          f"files: {os.listdir(folder)}")
    check(os.listdir(root / "d") == [], "directory: something in it")


def main():
    tests = [check_progress, check_commands, check_second, check_waiting,
             check_ignored, check_files]
    for number in (signal.SIGINT, signal.SIGTERM):
        for old in (None, b"old"):
            tests.append(lambda f, n=number, o=old: check_interrupted(f, n, o))
    for test in tests:
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
    for problem in problems:
        print(problem)
    print(f"{len(tests)} tests, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
