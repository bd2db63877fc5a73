#!/usr/bin/env python3
"""Runs the examples of README.md and of the pages under docs.

usage: check_docs.py [--update] PROGRAM ROOT [PAGE...]

A ```console block holds "$ " lines and what they print; a last line "..."
stands for further lines, elapsed times are not compared, and a command fails
only where the page shows its complaint. All blocks of a page share a folder.
A ```c or ```cpp block must be part of a program in the folder examples, which
another test compiles and runs. Links between pages must lead somewhere. Every
kind needs a page under docs/mechanisms with an example, and a row in README.md.

--update first rewrites what the blocks print, except for lines that still
match, and the pictures.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the sources stay as they are
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "cli"))
import transcript  # noqa: E402

updates = sys.argv[1] == "--update"
if updates:
    del sys.argv[1]
program = sys.argv[1]
root = pathlib.Path(sys.argv[2]).resolve()
problems = []
n_run = 0


def commands(block):
    """The commands of a block with the lines that each prints."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        # A command goes on while its line ends in a backslash.
        command, _, printed = part.partition("\n")
        while command.endswith("\\"):
            more, _, printed = printed.partition("\n")
            command += "\n" + more
        yield command, printed.rstrip("\n").split("\n") if printed else []


def same(printed, out):
    if printed and printed[-1] == "...":
        return transcript.same(printed[:-1], out[:len(printed) - 1])
    return transcript.same(printed, out)


def updated(printed, got):
    """What a page is to print: as much of it as it printed of it."""
    if printed and printed[-1] == "...":
        shown = got[:len(printed) - 1]
        return transcript.updated(printed[:-1], shown) + \
            ["..."] * (len(got) > len(shown))
    return transcript.updated(printed, got)


def run_block(page, line, block, folder):
    """Runs the commands of a block; the block as it should be."""
    global n_run
    for command, printed in commands(block):
        if not re.search(r"\bdosimeter\b", command):
            continue  # make, git: what installs the program
        out, err, status = transcript.run(program, command, folder)
        n_run += 1
        complains = any(p.startswith("dosimeter: ") for p in printed)
        matches = same(printed, out + err)
        if matches and (status == 0 or complains):
            continue
        if updates and not matches:
            block = block.replace(
                "\n".join(["$ " + command] + printed) + "\n",
                "\n".join(["$ " + command] + updated(printed, out + err)) +
                "\n", 1)
        if not updates or (status != 0 and not complains):
            problems.append("\n".join(
                [f"{page}:{line}: $ {command}"] +
                [f"  + {got}" for got in out + err] +
                [f"  + = {status}"]))
    return block


def run_page(page, text):
    """Runs the blocks of a page; the page as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        for table in (root / "docs/figures").glob("*.csv"):
            shutil.copy(table, folder)
        new = re.sub(r"(?<=```console\n).*?(?=```)", lambda block: run_block(
            page, text.count("\n", 0, block.start()), block.group(), folder),
            text, flags=re.S)
        check_pictures(page, text, pathlib.Path(folder))
    return new


def check_pictures(page, text, folder):
    """What a page shows of its own making is what it makes."""
    for name in re.findall(r"figures/(plot-[^)]+|report.html)", text):
        if page.name == "README.md" and f"-o {name}" not in text:
            continue  # docs/plots.md makes it
        made, kept = folder / name, root / "docs/figures" / name
        if updates and made.exists():
            kept.write_bytes(made.read_bytes())
        if not made.exists() or not kept.exists() or \
                made.read_bytes() != kept.read_bytes():
            problems.append(f"{page}: docs/figures/{name} is not what the "
                            "page makes; run its command there")


def check_code(page, text):
    for language in ("c", "cpp"):
        programs = [p.read_text(encoding="utf-8") for p in
                    (root / "examples").glob(f"*.{language}")]
        for block in re.finditer(rf"```{language}\n(.*?)```", text, re.S):
            if not any(block.group(1) in p for p in programs):
                problems.append(f"{page}: a block of {language} is in no "
                                "program of the examples")


def check_links(page, text):
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in link and not (root / page).parent.joinpath(
                link).exists():
            problems.append(f"{page}: {link} is not there")


def check_architecture():
    """Each file, and function of it, that the table of docs/architecture.md
    names is in src."""
    page = (root / "docs/architecture.md").read_text()
    table = page[page.index("## Where things are"):]
    for row in re.findall(r"^\| (.+?) \| (.+) \|$", table, re.M):
        files, folder = [], root / "src"
        for name in re.findall(r"`([^`]+)`", row[1]):
            path = root / "src" / name
            if re.search(r"\.(c|h|def)$", name):
                path = path if "/" in name else folder / name
                files, folder = files + [path], path.parent
            found = path.exists() or any(
                re.search(rf"\b{re.escape(name)}\b", f.read_text())
                for f in files if f.exists())
            if "*" not in name and not found:
                problems.append(f"docs/architecture.md: {name} is not there")


def check_kinds():
    kinds = subprocess.run([program, "kinds"], capture_output=True, text=True,
                           check=True).stdout
    plans = (root / "docs/plans.md").read_text(encoding="utf-8")
    for form in re.findall(r"^\S.*", kinds, re.M):
        # Parameters at the end, such as those with a default, may be missing.
        heads = [form] + [form[:i] + ")" for i in range(len(form))
                          if form.startswith(", ", i)]
        if not any(f"`{head}`" in plans for head in heads):
            problems.append(f"docs/plans.md: the table of kinds lacks `{form}`")
        page = root / "docs/mechanisms" / (form.split("(")[0] + ".md")
        if "(" in form and not (page.exists() and
                                "```console" in page.read_text()):
            problems.append(f"{page.relative_to(root)}: no page, or no "
                            "example on it")


pages = [pathlib.Path(p).resolve().relative_to(root)
         for p in sys.argv[3:]] or \
    [pathlib.Path("README.md")] + \
    sorted(p.relative_to(root) for p in (root / "docs").rglob("*.md"))
for page in pages:
    text = (root / page).read_text(encoding="utf-8")
    new = run_page(page, text)
    if updates and new != text:
        (root / page).write_text(new, encoding="utf-8")
        print(f"{page}: changed")
    check_code(page, text)
    check_links(page, text)
if not sys.argv[3:]:
    check_kinds()
    check_architecture()

for problem in problems:
    print(problem)
print(f"{len(pages)} pages, {n_run} commands run, {len(problems)} problems")
sys.exit(1 if problems or not n_run else 0)
