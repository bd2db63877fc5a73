#!/usr/bin/env python3
"""Holds entries for the registry of deployments against its schema.

usage: check_registry.py PROGRAM

The schema is that of opendp/deployments-registry-data in 2026: its fields with
their types, what is required, and the words allowed. An entry has no other
field; what is required is there or open; and with all open lines filled in it
is complete. Texts come back as they were given. The reader of this file takes
the part of YAML that entries are written in; PyYAML reads them, too, where it
is installed, and must find the same.
"""
import json
import re
import subprocess
import sys

try:
    import yaml
except ImportError:
    yaml = None

TEXT, NUMBER, WHOLE, DATE = "text", "number", "whole", "date"
# Fields by block: the type, or the words allowed. "!" is required.
SCHEMA = {
    "!url_slug": TEXT,
    "!deployment": {
        "!basic": {
            "!name": TEXT,
            "!data_curators": [{
                "!data_curator_name": TEXT,
                "!data_curator_type": ["Government", "Industry", "Nonprofit"],
            }],
            "!description": TEXT,
            "!intended_use": TEXT,
            "!data_product_type": [
                "Summary statistics", "Machine learning model", "Dataset",
                "Synthetic data", "Interactive API", "SQL queries"],
            "!data_product_region": TEXT,
            "data_product_sector": [
                "Technology", "Healthcare", "Education", "Government",
                "Energy", "Finance"],
            "!publication_date": DATE,
        },
        "dp_variant": {
            "variant_name": ["Pure DP", "Approximate DP",
                             "Zero-concentrated DP", "Renyi DP", "Custom"],
            "data_domain": TEXT,
            "unprotected_quantities": TEXT,
        },
        "privacy_loss": {
            "privacy_unit": TEXT,
            "privacy_unit_details": TEXT,
            "number_of_privacy_units": WHOLE,
            "privacy_parameters": {
                "epsilon": NUMBER, "delta": NUMBER, "rho": NUMBER},
            "privacy_parameters_details": TEXT,
        },
        "deployment_model": {
            "model_name": ["Central", "Local", "Shuffle", "Federated",
                           "Varies"],
            "model_name_details": TEXT,
            "trust_assumptions": TEXT,
            "actors": TEXT,
            "release_type": ["One release", "Many releases"],
            "release_type_details": TEXT,
            "data_source_type": ["Static", "Dynamic"],
            "data_source_type_details": TEXT,
            "access_type": ["Interactive", "Non-interactive"],
            "access_type_details": TEXT,
        },
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": TEXT,
            "mechanisms": TEXT,
            "composition": TEXT,
            "post_processing": TEXT,
            "justification": TEXT,
            "utility": TEXT,
            "additional_information": TEXT,
        },
        "!administrative": {
            "evidence_sources": {},
            "!status": ["Draft"],
            "!registry_authors": [TEXT],
            "!tier": WHOLE,
        },
    },
}

problems = []


def check(good, message):
    if not good:
        problems.append(message)


def value_of(text):
    """A quoted text, which JSON reads alike, or a number of YAML 1.1."""
    if text.startswith('"'):
        value, end = json.JSONDecoder().raw_decode(text)
        assert re.fullmatch(r"(  # .*)?", text[end:]), text
        return value
    if re.fullmatch(r"[0-9]+", text):
        return int(text)
    assert re.fullmatch(r"[0-9]+\.[0-9]*([eE][-+][0-9]+)?", text), text
    return float(text)


def read(text):
    """Blocks, fields, and lists of either; by indentation."""
    lines = [line for line in text.split("\n")
             if line.strip() and not line.startswith("#")]
    top = {}
    stack = [(-1, top)]
    for i, line in enumerate(lines):
        indent = len(line) - len(line.lstrip(" "))
        rest = line[indent:]
        while stack[-1][0] >= indent:
            stack.pop()
        if rest.startswith("- "):
            where = stack[-1][1]
            rest = rest[2:]
            if rest.startswith('"'):
                where.append(value_of(rest))
                continue
            where.append({})
            stack.append((indent, where[-1]))
        key, value = re.fullmatch(r"(\w+):(?: (.*))?", rest).groups()
        if value is None:
            below = lines[i + 1].lstrip(" ")
            new = [] if below.startswith("- ") else {}
            stack[-1][1][key] = new
            stack.append((indent, new))
        else:
            stack[-1][1][key] = value_of(value)
    return top


def is_of(value, kind):
    if kind == DATE:
        return isinstance(value, str) and \
            re.fullmatch(r"\d{4}-\d\d-\d\d", value)
    if kind == TEXT:
        return isinstance(value, str)
    if kind == WHOLE:
        return isinstance(value, int)
    return isinstance(value, (int, float))


def hold(entry, schema, where, open_keys):
    """Whether the entry has what the schema wants and nothing else."""
    if isinstance(schema, dict):
        names = {k.lstrip("!") for k in schema}
        check(set(entry) <= names, f"{where}: {set(entry) - names}")
        for key, below in schema.items():
            name = key.lstrip("!")
            if name in entry:
                hold(entry[name], below, f"{where}/{name}", open_keys)
            elif key.startswith("!"):
                check(name in open_keys, f"{where}: {name} is missing")
    elif isinstance(schema, list) and len(schema) == 1 and \
            not isinstance(entry, str):
        check(isinstance(entry, list) and entry, f"{where}: an empty list")
        for one in entry:
            hold(one, schema[0], where + "[]", open_keys)
    elif isinstance(schema, list):
        check(entry in schema, f"{where}: {entry!r}")
    else:
        check(is_of(entry, schema), f"{where}: {entry!r}")


def fill(text):
    """The open lines as they become part of the entry."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("#") and not line.startswith("##"):
            hint = re.search(r'""  # open: (.*)', line)
            word = hint.group(1) if hint else ""
            word = re.split(r", (?=[A-Z])| or (?=[A-Z])|;", word)[0]
            if "--date" in word:
                word = "2026-11-18"
            line = line[1:]
            if "number_of_privacy_units" in line or "epsilon:" in line or \
                    "delta:" in line:
                line = re.sub(r'"".*', "1", line)
            line = re.sub(r'"".*', lambda _: json.dumps(word), line)
        lines.append(line)
    return "\n".join(lines)


def entry_of(program, *words):
    done = subprocess.run([program, "report", *words, "--registry"],
                          capture_output=True, check=False)
    text = done.stdout.decode()
    check(done.returncode in (0, 3) and not done.stderr,
          f"{words}: {done.returncode} {done.stderr}")
    entry = read(text)
    open_keys = set(re.findall(r"^#[ -]*(\w+):", text, re.M))
    where = " ".join(words)
    hold(entry, SCHEMA, where, open_keys)
    filled = fill(text)
    hold(read(filled), SCHEMA, where + ", filled in", set())
    if yaml:
        check(yaml.safe_load(text) == entry, f"{where}: YAML")
        check(yaml.safe_load(filled) == read(filled), f"{where}: filled YAML")
    return entry["deployment"], entry.get("url_slug"), open_keys


def main(program):
    nasty = "x: \"y\" \\ # 'z' - [a] {b} & * ! | > % @ ` é \ufffe \U0001f600"
    given = ["--title", nasty, "--owner", nasty, "--purpose", nasty,
             "--data-set", nasty, "--unit", "person", "--people", "60000",
             "--date", "2026-11-18"]
    entry, slug, open_keys = entry_of(
        program, "poisson(0.01, gaussian(1)) * 1000", "--delta", "1e-5",
        *given)
    basic = entry["basic"]
    check(basic["name"] == basic["intended_use"] == nasty ==
          basic["data_curators"][0]["data_curator_name"] ==
          entry["dp_variant"]["data_domain"], f"texts: {entry}")
    check(slug == "x-y-z-a-b", f"slug: {slug}")
    check(basic["publication_date"] == "2026-11-18", "the date")
    loss = entry["privacy_loss"]
    check(loss["privacy_parameters"]["delta"] == 1e-5, "delta")
    ends = json.loads(subprocess.run(
        [program, "epsilon", "poisson(0.01, gaussian(1)) * 1000", "--delta",
         "1e-5", "--json"], capture_output=True, check=True).stdout)
    epsilon = loss["privacy_parameters"]["epsilon"]
    check(ends["upper"] <= epsilon < 1.0001 * ends["upper"], "epsilon")
    check(loss["number_of_privacy_units"] == 60000, "the number of units")
    check({"data_product_region", "registry_authors", "model_name"} <=
          open_keys, f"open: {open_keys}")
    for plan, delta in (("gaussian(0.00001)", "1e-300"), ("pure(0)", "0.5"),
                        ("laplace(3) * 3 + gaussian(4)", "1e-6"),
                        ("rr(1)", "0.1234567890123456")):
        entry, _, _ = entry_of(program, plan, "--delta", delta)
        check(entry["privacy_loss"]["privacy_parameters"]["delta"] ==
              float(delta), f"{plan}: delta")
    entry, _, open_keys = entry_of(program, "nonprivate()", "--delta", "1e-6")
    check("privacy_parameters" not in entry["privacy_loss"] and
          "epsilon" in open_keys, "an epsilon of no protection")
    for problem in problems:
        print(problem)
    print(f"6 entries, {len(problems)} problems, "
          f"{'with' if yaml else 'without'} PyYAML")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
