#!/usr/bin/env python3
"""Looks at plots and reports in a real browser.

usage: check_browser.py PROGRAM

Chromium without a window lays out what the program writes, on wide and on
narrow pages, light, dark and on paper. Headings and curves are there, no text
leaves its picture or covers another one's ticks, nothing is wider than the
page, and the pictures are not blank. Every text of a report has a contrast of
4.5 with what is behind it, headings go down by one level at a time, tables have
headers, pictures have names, and the appendix starts on a sheet of paper of its
own. Status 77 when there is no browser.
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
MANY = " + ".join(f"poisson(0.0{i}, gaussian({i}.25)) * {i * i * i}"
                  for i in range(10, 40))
FIELDS = ["--title", "Digits on forms", "--data-set", "<i>scans</i> of 2025",
          "--unit", "person", "--owner", "City Hospital", "--contact",
          "averylongaddresswithoutanyplacetobreakit@hospital.example",
          "--purpose", "W" * 300, "--date", "2026-11-18"]
# What a report asks of, its frame's width, the headings that come and go, and
# the number of curves.
SAMPLER = "Only with this sampler"
COSTS = "What was run, and what each part costs"
REPORTS = {
    "wide": (1280, [RUN, "--people", "60000", *FIELDS], [SAMPLER], 3),
    "narrow": (390, [RUN, "--people", "60000", *FIELDS], [SAMPLER], 3),
    "bare": (390, ["nonprivate()"], [], 2),
    "stated": (390, ["zcdp(0.1)"], [], 2),
    "many": (390, [MANY], [SAMPLER, COSTS], 2),
    "paper": (390, ["gaussian(20) * 3 + laplace(2)"], [COSTS], 2),
}


def headings_of(some):
    return ["What it means for a person", *[h for h in some if h == SAMPLER],
            COSTS if COSTS in some else "What was run", "Curves",
            "Who is protected", "What delta means", "Appendix"]


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
const light = c => {
  const [r, g, b] = c.match(/[0-9.]+/g).slice(0, 3).map(v => v / 255).map(
      v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
function behind(e, view) {
  const svg = e.closest('svg');
  if (svg)
    return view.getComputedStyle(svg.querySelector('.b')).fill;
  for (; e; e = e.parentElement) {
    const c = view.getComputedStyle(e).backgroundColor;
    if (!c.startsWith('rgba(0, 0, 0, 0'))
      return c;
  }
  return 'rgb(255, 255, 255)';
}
function faint(doc) {
  const view = doc.defaultView;
  return [...doc.body.querySelectorAll('*')].filter(e => {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) ||
        ['title', 'STYLE'].includes(e.nodeName))
      return false;
    const style = view.getComputedStyle(e);
    const a = light(e.closest('svg') ? style.fill : style.color);
    const b = light(behind(e, view));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
  }).map(e => e.nodeName + ': ' + e.textContent.slice(0, 40));
}
function wide(doc) {
  return [...doc.body.querySelectorAll('*')].filter(e => !e.closest('svg') &&
      e.getBoundingClientRect().right > doc.documentElement.clientWidth + 1)
      .map(e => e.nodeName);
}
function page(frame) {
  const doc = frame.contentDocument;
  const root = doc.documentElement;
  return {name: frame.name, width: root.clientWidth, needs: root.scrollWidth,
    scripts: doc.scripts.length, images: doc.images.length,
    headings: [...doc.querySelectorAll('h2')].map(h => h.textContent),
    levels: [...doc.querySelectorAll('h1, h2, h3, h4')].map(
        h => +h.nodeName[1]),
    rows: doc.querySelectorAll('tbody tr').length,
    headless: [...doc.querySelectorAll('table')].filter(t =>
        !t.querySelector('thead th[scope=col]') ||
        t.querySelector('tbody tr > :first-child:not(th[scope=row])')).length,
    nameless: [...doc.querySelectorAll('svg')].filter(s =>
        s.getAttribute('aria-hidden') !== 'true' &&
        !(s.getAttribute('role') === 'img' &&
          s.querySelector('title').textContent)).length,
    italics: doc.querySelectorAll('i, b, script').length,
    first: doc.body.textContent.trim().slice(0, 2000),
    faint: faint(doc), wide: wide(doc),
    pictures: [...doc.querySelectorAll('svg:not(.bar)')].map(picture)};
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


def check_report(page, scheme):
    where = f"{page['name']}, {scheme}"
    _, _, some, n_plots = REPORTS[page["name"]]
    check(page["needs"] <= page["width"] and not page["wide"],
          f"{where}: {page['needs']} wide on {page['width']}: {page['wide']}")
    check(page["headings"] == headings_of(some),
          f"{where}: {page['headings']}")
    levels = page["levels"]
    check(levels[0] == 1 and levels.count(1) == 1 and
          all(b <= a + 1 for a, b in zip(levels, levels[1:])),
          f"{where}: headings {levels}")
    check(page["scripts"] == 0 and page["images"] == 0 and
          page["italics"] == 0, f"{where}: scripts, images or typed markup")
    check(page["headless"] == 0, f"{where}: {page['headless']} tables without "
          "headers")
    check(page["nameless"] == 0, f"{where}: {page['nameless']} pictures "
          "without a name")
    check(not page["faint"], f"{where}: hardly seen: {page['faint']}")
    check(page["rows"] >= 13, f"{where}: {page['rows']} rows")
    check(len(page["pictures"]) == n_plots,
          f"{where}: {len(page['pictures'])} plots")
    for picture in page["pictures"]:
        check_picture(f"{where}, {picture['title']}", picture, 1)


def measure(browser, folder, frames, is_dark):
    """What the browser finds on each page, by name."""
    wrapper = folder / "wrapper.html"
    wrapper.write_text(
        "<!DOCTYPE html><meta charset=utf-8>" + "".join(
            f"<iframe name={k} width={w} height=900 frameborder=0 "
            f"srcdoc=\"{html.escape(v)}\"></iframe>"
            for k, w, v in frames) + f"<script>{MEASURE}</script>",
        encoding="utf-8")
    dom = browse(browser, folder, wrapper, "--dump-dom",
                 "--window-size=1400,1000",
                 f"--blink-settings=preferredColorScheme={int(not is_dark)}")
    body = re.search(r"<body>(.*)</body>", dom, re.S).group(1)
    if not body.startswith("["):
        raise SystemExit("a page is not what it should be: " + body[:500])
    return {p["name"]: p for p in json.loads(html.unescape(body))}


def check_paper(browser, folder, report):
    """Sheets of A4, the appendix on top of one of its own."""
    source, paper = folder / "report.html", folder / "report.pdf"
    source.write_text(report, encoding="utf-8")
    browse(browser, folder, source, f"--print-to-pdf={paper}")
    data = paper.read_bytes()
    n_pages = len(re.findall(rb"/Type\s*/Page\b", data))
    check(3 <= n_pages <= 7, f"paper: {n_pages} pages")
    sizes = set(re.findall(rb"/MediaBox\s*\[([^\]]*)\]", data))
    check(len(sizes) == 1 and all(
        abs(float(w) - 595) < 2 and abs(float(h) - 842) < 2
        for _, _, w, h in (s.split() for s in sizes)), f"paper: {sizes}")
    reader = shutil.which("pdftotext")
    if reader:
        text = subprocess.run([reader, "-layout", str(paper), "-"],
                              capture_output=True, check=True).stdout.decode()
        sheets = [[line.strip() for line in sheet.split("\n") if line.strip()]
                  for sheet in text.split("\f")]
        top = [i for i, s in enumerate(sheets) if "Appendix" in s[:3]]
        check(len(top) == 1 and top[0] >= 1, f"paper: the appendix is on {top}")
        check(SAMPLER in sheets[0], "paper: the sampler is not on the first "
              "sheet")


def main(program):
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or \
        shutil.which("google-chrome")
    if not browser:
        print("skipped: no Chromium")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        svgs = {p[0]: make(program, "plot", *p[2]) for p in PLOTS}
        reports = {k: make(program, "report", *words, "--delta", "1e-5")
                   for k, (_, words, _, _) in REPORTS.items()}
        for key, text in reports.items():
            check("http" not in text.replace("http://www.w3.org/2000/svg", ""),
                  f"{key}: an address")
        frames = [(k, REPORTS[k][0], v) for k, v in reports.items()]
        dark = measure(browser, folder, frames, True)
        for page in dark.values():
            check_report(page, "dark")
        frames += [(k, 700, v) for k, v in svgs.items()]
        pages = measure(browser, folder, frames, False)
        for key in REPORTS:
            check_report(pages[key], "light")
        check("<i>scans</i> of 2025" in pages["wide"]["first"],
              "wide: the data set")
        for key, n_curves, _ in PLOTS:
            check(len(pages[key]["pictures"]) == 1, f"{key}: no picture")
            for picture in pages[key]["pictures"]:
                check_picture(key, picture, n_curves)
        check(pages["band"]["pictures"][0]["bands"] == 1, "band: no band")
        check(pages["escaped"]["pictures"][0]["title"] == "<b>\"A&B\"</b>",
              "escaped: the title")
        (folder / "profile.svg").write_text(svgs["profile"], encoding="utf-8")
        for is_dark in (False, True):
            look(browser, folder, folder / "profile.svg",
                 "dark plot" if is_dark else "light plot", is_dark)
        check_paper(browser, folder, reports["wide"])
    for problem in problems:
        print(problem)
    print(f"{len(PLOTS)} plots and {len(REPORTS)} reports, {len(problems)} "
          "problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
