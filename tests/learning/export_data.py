#!/usr/bin/env python3
"""Writes the data sets of 105, 6.4 from scikit-learn's files into a folder:
NAME.train.csv and NAME.test.csv, test being the rows with index % 5 == 0.

usage: export_data.py FOLDER"""
import pathlib
import sys

from sklearn import datasets


def write(folder, name, header, rows):
    for part in ("train", "test"):
        with open(folder / f"{name}.{part}.csv", "w") as out:
            out.write(",".join(header) + "\n")
            for i, row in enumerate(rows):
                if (i % 5 == 0) == (part == "test"):
                    out.write(",".join(repr(x) for x in row) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    digits = datasets.load_digits()
    write(folder, "digits", [f"p{j}" for j in range(64)] + ["digit"],
          [[int(v) for v in x] + [int(y)]
           for x, y in zip(digits.data, digits.target)])
    cancer = datasets.load_breast_cancer()
    write(folder, "breast_cancer", [f"f{j}" for j in range(30)] + ["benign"],
          [[float(v) for v in x] + [int(y)]
           for x, y in zip(cancer.data, cancer.target)])
    diabetes = datasets.load_diabetes(scaled=False)
    write(folder, "diabetes", [f"f{j}" for j in range(10)] + ["progress"],
          [[float(v) for v in x] + [float(y)]
           for x, y in zip(diabetes.data, diabetes.target)])


if __name__ == "__main__":
    main()
