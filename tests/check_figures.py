#!/usr/bin/env python3
"""Draws some figures and compares their headline numbers.

usage: check_figures.py PROGRAM OUTDIR PICTURES

PICTURES holds what was committed of the whole set.
"""
import csv
import math
import os
import statistics
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

# k: basic, advanced, cdp, optimal, gaussian
COMPOSITION = {
    1: "0.1 0.530652176976 0.429941468837 0.0999980951608 0.274014315933",
    2: "0.2 0.75338443777 0.62169265456 0.199996371588 0.396857377644",
    5: "0.5 1.20039400024 1.01407425473 0.499974921878 0.648105099494",
    10: "1.0 1.71225813627 1.47159475053 0.999370905722 0.940515526531",
    20: "2.0 2.45078800048 2.14193892839 1.78860911742 1.36757147508",
    30: "3.0 3.02911554731 2.67293585692 2.34588769301 1.70461803462",
    50: "5.0 3.96692218885 3.54229130048 3.17290273402 2.25408465022",
    75: "7.5 4.92728138816 4.44067242401 4.04233684832 2.81894226836",
    100: "10.0 5.75652176976 5.22153444453 4.77456758811 3.30760072261",
    200: "20.0 8.4338443777 7.76621662531 7.18559445767 4.88655411746",
    1000: "100.0 21.6225813627 20.551948814 19.344671448 12.5952467355",
}
# alpha: unamplified, exact, analytic, limit, lower
SAMPLING = {
    2: "1.0 0.00428650437 0.0138016441 0.06384224 -4.991464547",
    3: "1.5 0.007261243253 0.02682551974 0.1236331693 -2.99359841",
    4: "2.0 0.01141626887 0.0807983333 0.2139848738 -1.994309698",
    5: "2.5 0.01858923541 0.5249714813 0.3465213862 -1.244665342",
    6: "3.0 0.03940135966 1.336741038 0.5329494873 -0.5948787283",
    7: "3.5 0.1663876145 2.095365781 0.7816902629 0.004979014187",
    8: "4.0 0.601268914 2.800203287 1.094547673 0.5763059731",
    10: "5.0 1.674060564 4.112769226 1.88419196 1.671408585",
    20: "10.0 6.846597719 9.946007059 6.84809358 6.846597607",
    50: "25.0 21.94313033 25.91437554 21.94313033 21.94313033",
}
# Gaussian of sigma 5 on a sample
ORDERS = [
    ("3a", "T9", 32, 2.9755200907902478e-6),
    ("3a", "P20", 32, 6.5378320899264220e-7),
    ("3a", "E21", 64, 1.3088210664482977e-6),
    ("3a", "E22", 64, 6.4032016011204003e-7),
    ("3a", "P20", 64, 1.3093022e-6),
    ("5a", "T9", 32, 0.000646998866078),
    ("5a", "P20", 32, 6.611248366948e-5),
    ("6a", "T9", 32, 0.1137521732512),
    ("6a", "P20", 32, 0.007381268913878),
    ("7a", "T9", 32, 0.5421109784727),
    ("7a", "P20", 32, 0.2293931405608),
]
ALONG_K = [
    ("T9", 1, 0.05362534),
    ("T9", 10, 0.05431696),
    ("T9", 100, 0.06123320),
    ("T9", 1000, 0.11913181),
    ("T9", 10000, 0.30451756),
    ("T9", 100000, 0.85587901),
    ("E21", 600000, 0.9626424),
    ("E22", 600000, 0.6710725),
]
# At k = 600000
RUNS = {
    "4a": {"T9": 2.027007641742188, "P20": 0.96282506526150127,
           "naive": 1901.8099154766918},
    "4b": {"T9": 3.531237671099025, "P20": 2.282717181,
           "naive": 389.1065652, "strong": 2.721211731},
    "4c": {"T9": 2.631974506713392, "P20": 1.970498611,
           "naive": 299.9250250, "strong": 2.058194625398189},
    "4d": {"T9": 12.69629407733124, "P20": 6.728417910,
           "naive": 636897.4985, "E21": 6.2241750700003579},
    "4e": {"T9": 18.02952381138277, "P20": 10.53330682,
           "naive": 3821.239560, "strong": 39.18670428},
    "4f": {"T9": 23.85372372577537, "P20": 14.71391283,
           "naive": 4780.901790, "strong": 52.97481029},
    "8a": {"T9": 24.5783236, "P20": 10.73430387022616615},
    "9a": {"T9": 997.080681, "P20": 263.235374},
    "10a": {"T9": 24018.4207, "P20": 6109.01912},
    "10f": {"T9": 972311.070, "naive": 965662.747460460},
}
# Optimal composition at nearly the best split of delta (shares 0.6 and 0.997
# for the rounds): the best is not higher, and hardly lower.
SPLIT = {"4a": 17.046161805, "4d": 314346.49383}

# Profiles, of groups and of samples
PROFILES = [
    ("11", "laplace", 0, 0.393469340287), ("11", "gauss", 0, 0.382924922548),
    ("11", "rr", 0, 0.462117157260), ("11", "laplace", 0.5, 0.221199216929),
    ("11", "gauss", 0.5, 0.238421708135), ("11", "rr", 0.5, 0.287649136645),
    ("11", "gauss", 1, 0.126936737507), ("11", "laplace", 1, 0),
    ("12a", "white4", 1, 0.39346934029), ("12a", "black4", 1, 0.71086397630),
    ("12b", "white4", 1, 0.12693673751), ("12b", "black4", 1, 0.14208121244),
    ("13b", "base", 0.1, 0.159260507),
    ("13b", "poisson_or_wor", 0.1, 0.00236420971),
    ("13b", "wr_white", 0.1, 0.00279358570),
    ("13b", "wr_black", 0.1, 0.00286164328),
    ("13b", "poisson_sub_sharp", 0.1, 0.00241064888),
    ("13a", "wr_white", 0.2, 0.00156685609),
    ("13a", "poisson_sub_sharp", 0.2, 1.5564350501e-6),
]

# Trade-off curves: guarantees, rounded down
TRADEOFFS = [
    ("14a", "gdp", 0.05, 0.740488977158556),
    ("16b", "mu_1", 0.05, 0.740488977158556),
    ("18a", "sampled", 0.1, 0.69072545007), ("18a", "sampled", 0.5,
                                          0.278842087742732),
    ("18b", "sampled", 0.4, 0.417073314343924),
]
# panel: mu of the limit, (eps, delta) that are exact of the sampled steps
TRAINING = {
    "19a": (0.284483, 1.06603451922389, 1e-5),
    "19b": (0.736811, 3.065786, 1e-5),
    "19c": (1.552385, 7.201772, 1e-5),
}

FAILURES = []


def check(is_true, text):
    if not is_true:
        FAILURES.append(text)


def compare(data, figure, curve, x, expected):
    """To the digits given, from 8 (fewer are exact decimals) to 11."""
    wanted = float(expected)
    value = data.get((figure, curve, float(x)))
    if value is None:
        check(False, f"{figure} {curve} at {x}: no value")
        return
    mantissa = str(expected).lower().split("e")[0]
    n_digits = len(mantissa.lstrip("-0.").replace(".", ""))
    limit = abs(wanted) * 10.0 ** (1 - min(max(n_digits, 8), 11))
    check(abs(value - wanted) <= limit,
          f"{figure} {curve} at {x}: {value}, expected {expected}")


def draw(program, folder, names):
    os.makedirs(folder, exist_ok=True)
    subprocess.run([program, folder, *names], check=True)
    data = {}
    for name in names:
        path = os.path.join(folder, f"figure-{name}.csv")
        with open(path, newline="", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                key = row["figure"], row["curve"], float(row["x"])
                data[key] = float(row["value"])
    return data


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as stream:
        return stream.read()


def check_numbers(data):
    tables = [
        ("1", COMPOSITION, "basic advanced cdp optimal gaussian"),
        ("2", SAMPLING, "unamplified exact analytic limit lower"),
    ]
    for figure, table, curves in tables:
        for x, values in table.items():
            for curve, value in zip(curves.split(), values.split()):
                compare(data, figure, curve, x, value)
    for figure, curve, x, value in ORDERS:
        compare(data, figure, curve, x, value)
    for curve, x, value in ALONG_K:
        compare(data, "4a", curve, x, value)
    for figure, values in RUNS.items():
        for curve, value in values.items():
            compare(data, figure, curve, 600000, value)
    for figure, curve, x, value in PROFILES:
        compare(data, figure, curve, x, value)
    for figure, value in SPLIT.items():
        strong = data[figure, "strong", 600000.0]
        check(0.999 * value < strong <= value, f"{figure} strong: {strong}")
    # Advanced composition beats basic from k = 31.
    check(data["1", "advanced", 30.0] > 3, "advanced below basic at 30")
    check(data["1", "advanced", 32.0] < 3.2, "advanced above basic at 32")


def curve_of(data, figure, curve):
    return {x: value for (f, c, x), value in data.items()
            if f == figure and c == curve}


def gaussian(mu, alpha):
    normal = statistics.NormalDist()
    return normal.cdf(-normal.inv_cdf(alpha) - mu)


def check_tradeoffs(data):
    for figure, curve, x, value in TRADEOFFS:
        compare(data, figure, curve, x, value)
    # one pair is the tangent of the exact curve: nowhere above, once near
    exact = curve_of(data, "14a", "exact")
    gaps = [1 - 0.001 - math.exp(2.889673) * x - beta
            for x, beta in exact.items()]
    check(-2e-3 < max(gaps) < 1e-6, f"14a: {max(gaps)} from its tangent")
    check(abs(curve_of(data, "14a", "pair")[0.01] -
              (0.999 - math.exp(2.889673) * 0.01)) < 1e-6, "14a: the pair")
    # the greatest distance is 0.0122882, at a corner
    gap = curve_of(data, "17b", "n10")
    check(0.0115 < max(gap.values()) < 0.0122883, "17b: above the limit")
    check(min(gap.values()) < -0.004, "17b: below the limit")
    for name, (mu, eps, delta) in TRAINING.items():
        limit = curve_of(data, name, "limit")
        check(all(abs(limit[x] - gaussian(mu, x)) < 1e-5
                  for x in (0.01, 0.1, 0.5, 0.9)), f"{name}: the limit")
        gains = [1 - math.exp(eps) * x - beta
                 for x, beta in curve_of(data, name, "certified").items()]
        # no test gains more than delta, and it is no bound of another law
        check(max(gains) <= delta * (1 + 1e-3), f"{name}: {max(gains)}")
        check(all(abs(beta - gaussian(mu, x)) < 0.04
                  for x, beta in curve_of(data, name, "certified").items()
                  if 0 < x < 1), f"{name}: far from its limit")
        for curve in ("tight", "renyi"):
            check(all(beta <= data[name, "certified", x] + 1e-12
                      for x, beta in curve_of(data, name, curve).items()
                      if (name, "certified", x) in data),
                  f"{name}: {curve} above the certified curve")


def check_svg(text, name, least_paths):
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        check(False, f"{name}: {error}")
        return
    space = "{http://www.w3.org/2000/svg}"
    check(root.tag == space + "svg", f"{name}: root {root.tag}")
    drawn = [p for p in root.iter(space + "path")
             if p.get("class", "").startswith("s s") and
             "L" in p.get("d", "")]
    check(len(drawn) >= least_paths, f"{name}: {len(drawn)} curves")
    check(b"nan" not in text and b"inf" not in text,
          f"{name}: a coordinate is not finite")
    check(len(text) < 150 * 1024, f"{name}: {len(text)} bytes")


def main():
    program, folder, pictures = sys.argv[1:]
    names = {"1": 5, "2": 5, "3a": 4, "5a": 4, "6a": 4, "7a": 4, "4": 28,
             "8a": 6, "9a": 6, "10a": 6, "10f": 4, "11": 3, "12": 12,
             "13": 10, "14": 6, "15": 5, "16": 6, "17": 8, "18": 7,
             "19": 12}
    data = draw(program, folder, list(names))
    check_numbers(data)
    check_tradeoffs(data)
    for name, n_curves in names.items():
        file = f"figure-{name}.svg"
        check_svg(read(folder, file), file, n_curves)
    again = os.path.join(folder, "again")
    draw(program, again, ["1", "2"])
    for file in ["figure-1.svg", "figure-2.svg"]:
        first = read(folder, file)
        check(first == read(again, file), f"{file}: two runs differ")
    for file in ["figure-1.svg", "figure-2.svg", "figure-4.svg",
                 *(f"figure-{number}.svg" for number in range(11, 20))]:
        check(read(folder, file) == read(pictures, file),
              f"{file}: not what was committed")
    for number in range(1, 11):
        file = f"figure-{number}.svg"
        check_svg(read(pictures, file), file, 5 if number < 3 else 16)
    print("\n".join(FAILURES) or "all figures agree")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
