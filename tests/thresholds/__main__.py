"""Doubles and halves every number that decides, runs the nearest tests, and prints the changes that none notices.

    python -m tests.thresholds [tensorboard_perfplugin/timeline …] [--jobs 2]     paths, or parts of dotted names

Exits with 1 where a change survives. Tests of the module's own folder that state the number are tried first, and with
`--stated` alone; then those in files near it, and with `--near` no others: what survives may be noticed by what was not
tried. What is known is kept in .cache/thresholds: which tests come to which
lines, and what became of each change; what has not changed since is not run again.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.thresholds.run import Settings, run

ROOT = Path(__file__).parents[2]


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.thresholds", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("only", nargs="*", help="paths below the checkout, or parts of dotted names; all by default")
    parser.add_argument("--jobs", type=int, default=1, help="changes tried side by side")
    parser.add_argument("--fresh", action="store_true", help="believe nothing that earlier runs have kept")
    parser.add_argument("--near", action="store_true", help="try only tests in files near the changed modules")
    parser.add_argument("--stated", action="store_true", help="try only near tests that state the number; trace none")
    parser.add_argument("--anew", action="store_true", help="import the package anew for every change")
    parser.add_argument("--budget", type=float, default=15.0, help="seconds of tests for one change, at most")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout")
    parser.add_argument("--package", default="tensorboard_perfplugin")
    parser.add_argument("--tests", default="tests", help="the folder of tests")
    parser.add_argument("--not-deciding", type=Path, default=Path(__file__).with_name("not_deciding.txt"))
    given = parser.parse_args(words)
    return run(Settings(**{**vars(given), "root": given.root.resolve()}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
