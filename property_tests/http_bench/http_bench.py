#!/usr/bin/env python3
"""What Counterfoil costs the order service over HTTP, beside the same server without it.

    http_bench.py FOLDER PROGRAM [full|off ...]
    http_bench.py --list

Two servers stand on loopback, one with --without-counterfoil, each on a database of its own under
FOLDER. wrk calls them in turns of two seconds; what is told are medians, and the median of the
ratios of the same round. Prints Markdown. Exit code 1 where a server or wrk failed, or where an
answer was another than the one that is measured.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 9
SECONDS = 2
CONNECTIONS = 8
TOKEN = "bench-0123456789abcdef"
DURABILITIES = {"full": "FULL", "off": "OFF"}


class Failed(Exception):
    pass


class Server:
    """A program that is called, and ends with the block."""

    def __init__(self, program, folder, durability, *flags):
        folder.mkdir()
        tokens = folder / "tokens"
        tokens.touch(mode=0o600)
        tokens.write_text(f"{TOKEN} bench\n")
        self.process = subprocess.Popen(
            [program, "--db", folder / "orders.db", "--tokens", tokens, "--listen", "127.0.0.1:0",
             "--durability", durability, "--access-log", "none", *flags],
            stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().rpartition(" ")[2].strip()
        if not self.address:
            raise Failed(f"{program} does not listen")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.process.stdout.close()

    def call(self, mode, tag, seconds=SECONDS):
        """Runs wrk, and gives what orders.lua printed."""
        run = subprocess.run(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s",
             Path(__file__).with_name("orders.lua"), f"http://{self.address}", "--", mode, tag, TOKEN],
            capture_output=True, text=True, check=False)
        lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
        if run.returncode != 0 or len(lines) != 1:
            raise Failed(f"wrk: {run.stdout}{run.stderr}")
        told = json.loads(lines[0])
        refused = told["requests"] if mode == "conflict" else 0
        if told["requests"] == 0 or told["failed"] != 0 or told["refused"] != refused:
            raise Failed(f"{mode}: {lines[0]}")
        told["rate"] = told["requests"] * 1e6 / told["us"]
        return told


def measure(folder, program, durability):
    """A list of rounds, each a dict from variant to what was told of it."""
    rounds = []
    with Server(program, folder / "with", durability) as ours, \
            Server(program, folder / "without", durability, "--without-counterfoil") as bare:
        ours.call("replay", "hot", 1)  # makes the orders that are asked for again
        bare.call("create", "warm", 1)
        for number in range(ROUNDS):
            turns = [("without", bare, "create", f"b{number}"), ("create", ours, "create", f"c{number}"),
                     ("replay", ours, "replay", "hot"), ("conflict", ours, "conflict", "hot")]
            if number % 2 == 1:
                turns.reverse()
            rounds.append({name: server.call(mode, tag) for name, server, mode, tag in turns})
    return rounds


def table(durability, rounds):
    def median(name, figure):
        return statistics.median(one[name][figure] for one in rounds)

    def ratio(name, to):
        return statistics.median(one[name]["rate"] / one[to]["rate"] for one in rounds)

    print(f"\n### HTTP, synchronous {DURABILITIES[durability]}\n")
    print("| request | a second | p50 | p99 | rate to the server without | rate to create |")
    print("|---|---|---|---|---|---|")
    labels = {"without": "create, without Counterfoil", "create": "create", "replay": "replay",
              "conflict": "conflict"}
    for name, label in labels.items():
        print(f"| {label} | {median(name, 'rate'):.0f} | {median(name, 'p50_us') / 1000:.2f} ms "
              f"| {median(name, 'p99_us') / 1000:.2f} ms | {ratio(name, 'without'):.2f} "
              f"| {ratio(name, 'create'):.2f} |")


def main(words):
    if words == ["--list"]:
        print(*DURABILITIES, sep="\n")
        return 0
    if len(words) < 2 or any(word not in DURABILITIES for word in words[2:]):
        print(__doc__, file=sys.stderr)
        return 2
    print(f"\n## The order service over HTTP\n\nwrk with one thread and {CONNECTIONS} connections on "
          f"loopback, on the cores that the server has too; {ROUNDS} rounds, in which the variants "
          f"take turns of {SECONDS} seconds.")
    try:
        for durability in words[2:] or DURABILITIES:
            with tempfile.TemporaryDirectory(dir=words[0], prefix="http_bench.") as folder:
                table(durability, measure(Path(folder), words[1], durability))
    except (Failed, OSError, subprocess.SubprocessError) as error:
        print(f"http_bench: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
