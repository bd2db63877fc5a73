#!/usr/bin/env python3
"""Looks at plots and reports in a real browser.

usage: check_browser.py PROGRAM

Chromium without a window lays out what the program writes, on wide and on
narrow pages, light, dark and on paper. Headings and curves are there, no text
leaves its picture or covers another one's ticks, nothing is wider than the
page, and the pictures are not blank. Status 77 when there is no browser.
"""
import html
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

RUN = "poisson(256/60000, gaussian(1.1)) * 14063"
LONG = " + ".join(f"poisson(0.{i}, gaussian({i}.25)) * {i}"
                  for i in range(1, 9))
# name, curves, what plot is asked for
PLOTS = [
    ("profile", 1, [RUN, "--delta", "1e-5"]),
    ("six", 6, ["gaussian(1)", "laplace(1)", "rr(1)", "pure(1)",
                "approx(0.5, 1e-4)", "gaussian(3) * 9"]),
    ("tests", 3, ["gaussian(1)", "laplace(1)", "rr(1)", "--kind", "tradeoff"]),
    ("roc", 2, [RUN, "gaussian(0.5)", "--kind", "roc"]),
    ("renyi", 1, [RUN, "--kind", "renyi", "--delta", "1e-5"]),
    ("steps", 2, [RUN, "gaussian(100) * 20000", "--kind", "steps",
                  "--delta", "1e-5"]),
    ("noise", 1, [RUN, "--kind", "noise", "--delta", "1e-7"]),
    ("hole", 1, ["poisson(?, gaussian(2)) * 100", "--kind", "noise",
                 "--delta", "1e-5", "--from", "0.001", "--to", "1"]),
    ("band", 1, ["laplace(3) * 3 + gaussian(4)", "--route", "renyi"]),
    ("escaped", 2, [LONG, "gaussian(1)", "--title", "<b>\"A&B\"</b>"]),
]
HEADINGS = ["Statement", "Numbers", "Curves", "Every route", "Plan",
            "Make it again"]

# Runs in the browser; its result is the text of the page.
MEASURE = """
const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 &&
    a.top < b.bottom - 1 && b.top < a.bottom - 1;
function picture(svg) {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent);
  const outside = texts.filter(t => {
    const r = t.getBoundingClientRect();
    return r.left < frame.left - 1 || r.right > frame.right + 1 ||
        r.top < frame.top - 1 || r.bottom > frame.bottom + 1;
  }).map(t => t.textContent);
  const ticks = texts.filter(t => t.getAttribute('class') === 'k');
  const crowded = [];
  texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
    if (a.getAttribute('class') === 'h' || b.getAttribute('class') === 'h')
      return;
    if (meet(a.getBoundingClientRect(), b.getBoundingClientRect()))
      crowded.push(a.textContent + ' / ' + b.textContent);
  }));
  const lines = [...svg.querySelectorAll('g path.s:not(.s6)')];
  return {title: svg.querySelector('title').textContent,
    outside, crowded, ticks: ticks.length,
    curves: lines.filter(l => l.getTotalLength() > 100).length,
    bands: svg.querySelectorAll('path.a').length,
    drawn: texts.every(t => t.getBoundingClientRect().width > 0)};
}
function page(frame) {
  const doc = frame.contentDocument;
  const root = doc.documentElement;
  return {name: frame.name, width: root.clientWidth, needs: root.scrollWidth,
    scripts: doc.scripts.length, images: doc.images.length,
    headings: [...doc.querySelectorAll('h2')].map(h => h.textContent),
    rows: doc.querySelectorAll('tbody tr').length,
    pictures: [...doc.querySelectorAll('svg')].map(picture)};
}
onload = () => {
  const pages = [...document.querySelectorAll('iframe')].map(page);
  document.body.textContent = JSON.stringify(pages);
};
"""

problems = []


def check(good, message):
    if not good:
        problems.append(message)


def make(program, *words):
    done = subprocess.run([program, *words], capture_output=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{words}: {done.stderr.decode()}")
    return done.stdout.decode()


def browse(browser, folder, page, *flags):
    """What the browser prints of a page."""
    env = dict(os.environ, HOME=str(folder))
    done = subprocess.run(
        [browser, "--headless=new", "--no-sandbox", "--disable-gpu",
         "--disable-dev-shm-usage", "--disable-extensions", "--no-first-run",
         "--hide-scrollbars", f"--user-data-dir={folder / 'profile'}", *flags,
         page.as_uri()],
        capture_output=True, text=True, check=False, env=env, timeout=240)
    if done.returncode != 0:
        raise SystemExit(f"{browser} {page.name}: {done.stderr}")
    return done.stdout


def pixels(path):
    """Rows of (r, g, b) of a PNG with 8 bits a channel."""
    data = path.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(
                ">IIBB", data[at + 8:at + 18])
        elif kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += size + 12
    n = {2: 3, 6: 4}[colour]
    assert depth == 8
    raw = zlib.decompress(packed)
    rows, above = [], bytearray(width * n)
    for y in range(height):
        start = y * (width * n + 1)
        filtering = raw[start]
        row = bytearray(raw[start + 1:start + 1 + width * n])
        unfilter(row, above, filtering, n)
        rows.append([tuple(row[i:i + 3]) for i in range(0, width * n, n)])
        above = row
    return rows


def unfilter(row, above, filtering, n):
    for i in range(len(row) if filtering else 0):
        left = row[i - n] if i >= n else 0
        corner = above[i - n] if i >= n else 0
        if filtering == 1:
            guess = left
        elif filtering == 2:
            guess = above[i]
        elif filtering == 3:
            guess = (left + above[i]) // 2
        else:
            base = left + above[i] - corner
            guess = min((left, above[i], corner),
                        key=lambda v: abs(base - v))
        row[i] = (row[i] + guess) & 255


def look(browser, folder, page, name, is_dark):
    """A picture of the page: its paper, its ink, and the first curve."""
    shot = folder / f"{name}.png"
    browse(browser, folder, page, f"--screenshot={shot}",
           "--window-size=700,520",
           f"--blink-settings=preferredColorScheme={0 if is_dark else 1}")
    seen = {}
    for row in pixels(shot):
        for colour in row:
            seen[colour] = seen.get(colour, 0) + 1
    paper = max(seen, key=seen.get)
    check(sum(paper) < 120 if is_dark else sum(paper) > 700,
          f"{name}: the paper is {paper}")
    ink = [c for c in seen if abs(sum(c) - sum(paper)) > 350]
    check(sum(seen[c] for c in ink) > 300, f"{name}: hardly any ink")
    curve = (108, 182, 255) if is_dark else (11, 95, 165)
    near = sum(n for c, n in seen.items()
               if max(abs(a - b) for a, b in zip(c, curve)) < 40)
    check(near > 200, f"{name}: {near} points in the colour of the curve")


def check_picture(where, picture, n_curves):
    check(picture["curves"] == n_curves,
          f"{where}: {picture['curves']} curves")
    check(not picture["outside"], f"{where}: outside: {picture['outside']}")
    check(not picture["crowded"], f"{where}: crowded: {picture['crowded']}")
    check(4 <= picture["ticks"] <= 30, f"{where}: {picture['ticks']} ticks")
    check(picture["drawn"], f"{where}: a text has no width")


def check_report(page, n_rows, n_plots):
    where = page["name"]
    check(page["needs"] <= page["width"],
          f"{where}: {page['needs']} wide on {page['width']}")
    check(page["headings"] == HEADINGS, f"{where}: {page['headings']}")
    check(page["scripts"] == 0 and page["images"] == 0,
          f"{where}: scripts or images")
    check(page["rows"] >= n_rows, f"{where}: {page['rows']} rows")
    check(len(page["pictures"]) == n_plots,
          f"{where}: {len(page['pictures'])} plots")
    for picture in page["pictures"]:
        check_picture(f"{where}, {picture['title']}", picture, 1)


def main(program):
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or \
        shutil.which("google-chrome")
    if not browser:
        print("skipped: no Chromium")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        svgs = {p[0]: make(program, "plot", *p[2]) for p in PLOTS}
        report = make(program, "report", RUN, "--delta", "1e-5", "--people",
                      "60000")
        check("http" not in report.replace("http://www.w3.org/2000/svg", ""),
              "report: an address")
        bare = make(program, "report", "nonprivate()", "--delta", "1e-5")
        stated = make(program, "report", "zcdp(0.1)", "--delta", "1e-5")
        frames = [("wide", 1100, report), ("narrow", 380, report),
                  ("bare", 380, bare), ("stated", 380, stated)]
        frames += [(k, 700, v) for k, v in svgs.items()]
        wrapper = folder / "wrapper.html"
        wrapper.write_text(
            "<!DOCTYPE html><meta charset=utf-8>" + "".join(
                f"<iframe name={k} width={w} height=900 "
                f"srcdoc=\"{html.escape(v)}\"></iframe>"
                for k, w, v in frames) + f"<script>{MEASURE}</script>",
            encoding="utf-8")
        dom = browse(browser, folder, wrapper, "--dump-dom",
                     "--window-size=1400,1000")
        body = re.search(r"<body>(.*)</body>", dom, re.S).group(1)
        if not body.startswith("["):
            raise SystemExit("a page is not what it should be: " + body[:500])
        pages = {p["name"]: p for p in json.loads(html.unescape(body))}
        check_report(pages["wide"], 15, 6)
        check_report(pages["narrow"], 15, 6)
        check_report(pages["bare"], 15, 3)
        check_report(pages["stated"], 15, 4)
        for key, n_curves, _ in PLOTS:
            check(len(pages[key]["pictures"]) == 1, f"{key}: no picture")
            for picture in pages[key]["pictures"]:
                check_picture(key, picture, n_curves)
        check(pages["band"]["pictures"][0]["bands"] == 1, "band: no band")
        check(pages["escaped"]["pictures"][0]["title"] == "<b>\"A&B\"</b>",
              "escaped: the title")
        (folder / "profile.svg").write_text(svgs["profile"], encoding="utf-8")
        (folder / "report.html").write_text(report, encoding="utf-8")
        for is_dark in (False, True):
            look(browser, folder, folder / "profile.svg",
                 "dark plot" if is_dark else "light plot", is_dark)
        paper = folder / "report.pdf"
        browse(browser, folder, folder / "report.html",
               f"--print-to-pdf={paper}")
        n_pages = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
        check(2 <= n_pages <= 8, f"paper: {n_pages} pages")
    for problem in problems:
        print(problem)
    print(f"{len(PLOTS)} plots and three reports, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
