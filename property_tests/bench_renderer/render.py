#!/usr/bin/env python3
"""Renders the JSON of Google Benchmark as a page of medians and ratios.

    render.py [--fact NAME=VALUE]... FILE.json...

A benchmark is named section/case/subject; its group is everything before the last slash. Where a
group has a subject out of BASELINES, the others are told as a ratio to it. A benchmark that runs
with several numbers of threads is a group of its own: one_thread, 2_threads, ... Only medians are
read, so the program has to run with --benchmark_repetitions. Names of hosts and paths never reach
the page.
"""

import argparse
import json
import re
import sys

# What others are compared with, and how: by time (2.00 takes twice as long), or by throughput (2.00
# does twice the work in the same time).
BASELINES = {"sha256": "time", "map_lookup": "time", "one_thread": "throughput"}

# What Google Benchmark appends to a name.
SUFFIXES = re.compile(r"/((threads|repeats|iterations|min_time|min_warmup_time):[^/]+"
                      r"|real_time|process_time|manual_time)$")
NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
NOT_COUNTERS = {
    "name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions",
    "repetition_index", "threads", "aggregate_name", "aggregate_unit", "iterations", "real_time",
    "cpu_time", "time_unit", "label", "bytes_per_second", "items_per_second"}


class Malformed(Exception):
    """What is wrong with a file, as a sentence for people."""


def field(entry, name, kind):
    value = entry.get(name) if isinstance(entry, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Malformed(f"a benchmark has no usable '{name}': {json.dumps(entry)[:120]}")
    return value


def subject_of(run_name):
    threads = re.search(r"/threads:(\d+)", run_name)
    while SUFFIXES.search(run_name):
        run_name = SUFFIXES.sub("", run_name)
    group, slash, subject = run_name.rpartition("/")
    if not slash or not group or not subject:
        raise Malformed(f"'{run_name}' is not named group/subject")
    if threads and not subject.endswith(("_thread", "_threads")):
        return run_name, "one_thread" if threads[1] == "1" else f"{threads[1]}_threads"
    return group, subject


def medians(text):
    """group -> subject -> its median entry, in the order of the file."""
    try:
        document = json.loads(text)
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from None
    entries = document.get("benchmarks") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise Malformed("no list 'benchmarks': is this the output of Google Benchmark?")

    # Random interleaving writes them in any order; the family is the order of registration.
    def family(entry):
        index = entry.get("family_index") if isinstance(entry, dict) else None
        return index if isinstance(index, int) else 0

    groups, spreads = {}, {}
    for entry in sorted(entries, key=family):
        run_name = field(entry, "run_name", str)
        clock = "real_time" if "/real_time" in run_name else "cpu_time"
        if entry.get("error_occurred"):
            raise Malformed(f"'{run_name}' failed: {entry.get('error_message', 'no reason given')}")
        if entry.get("aggregate_name") == "cv":
            spreads[subject_of(run_name)] = field(entry, clock, (int, float))
        if entry.get("aggregate_name") != "median":
            continue
        group, subject = subject_of(run_name)
        unit = field(entry, "time_unit", str)
        time = field(entry, clock, (int, float)) * NANOSECONDS.get(unit, 0.0)
        if not 0.0 < time < float("inf"):
            raise Malformed(f"'{run_name}' took no time that can be compared: {time} ({unit})")
        if subject in groups.setdefault(group, {}):
            raise Malformed(f"'{run_name}' is there twice")
        counters = {name: value for name, value in entry.items()
                    if name not in NOT_COUNTERS and isinstance(value, (int, float))}
        groups[group][subject] = {"time": time, "rate": entry.get("bytes_per_second"),
                                  "counters": counters}
    if not groups:
        raise Malformed("no medians: run with --benchmark_repetitions of 2 or more")
    for group, subjects in groups.items():
        for subject, measured in subjects.items():
            measured["spread"] = spreads.get((group, subject))
    return groups


def written_time(nanoseconds):
    units = (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1.0))
    unit, size = next((unit for unit in units if nanoseconds >= unit[1]), units[-1])
    number = nanoseconds / size
    return f"{number:.{2 if number < 10 else 1 if number < 100 else 0}f} {unit}"


def written_ratio(subject, measured, subjects):
    baseline = next((name for name in BASELINES if name in subjects), None)
    if baseline is None:
        return ""
    if subject == baseline:
        return "1"
    own, other = measured["time"], subjects[baseline]["time"]
    if BASELINES[baseline] == "time":
        return f"**{own / other:.2f}** × the time of {baseline}"
    return f"**{other / own:.2f}** × the throughput of {baseline}"


def baseline_first(subjects):
    return sorted(subjects.items(), key=lambda item: item[0] not in BASELINES)


def row(subject, measured, subjects):
    spread, rate = measured["spread"], measured["rate"]
    return [
        f"`{subject}`",
        written_time(measured["time"]),
        written_ratio(subject, measured, subjects),
        "" if spread is None else f"{spread * 100:.1f} %",
        "" if not isinstance(rate, (int, float)) else f"{rate / 1e6:,.0f} MB/s",
        ", ".join(f"{name} {value:g}" for name, value in sorted(measured["counters"].items()))]


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    return lines + ["| " + " | ".join(cells) + " |" for cells in rows]


def page(groups, facts):
    lines = ["# Benchmarks", "",
             "Written by `scripts/bench`, never by hand. Times are medians over repetitions, of",
             "processor time, or of wall time where there are several threads. The ratio compares",
             "medians of one process; the spread is the coefficient of variation.",
             ""]
    if facts:
        lines += table(["machine", ""], facts) + [""]
    sections = {}
    for group, subjects in groups.items():
        section, _, case = group.partition("/")
        rows = [row(*item, subjects) for item in baseline_first(subjects)]
        first = [case] + [""] * (len(rows) - 1)
        sections.setdefault(section, []).extend([name, *cells] for name, cells in zip(first, rows))
    for section, rows in sections.items():
        header = ["case", "subject", "median", "ratio", "spread", "throughput", "counters"]
        lines += [f"## {section}", "", *table(header, rows), ""]
    return "\n".join(lines[:-1]) + "\n"


def main(arguments):
    parser = argparse.ArgumentParser(description="Renders the JSON of Google Benchmark.")
    parser.add_argument("--fact", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("files", nargs="+", metavar="FILE.json")
    options = parser.parse_args(arguments)

    groups = {}
    for name in options.files:
        try:
            with open(name, encoding="utf-8") as file:
                for group, subjects in medians(file.read()).items():
                    if group in groups:
                        raise Malformed(f"group '{group}' is in another file as well")
                    groups[group] = subjects
        except (OSError, UnicodeDecodeError, Malformed) as error:
            reason = getattr(error, "strerror", None) or error
            print(f"render.py: {name}: {reason}", file=sys.stderr)
            return 1
    facts = [fact.partition("=")[::2] for fact in options.fact]
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(page(groups, facts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
