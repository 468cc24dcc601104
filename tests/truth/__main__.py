"""Runs programs with planted costs, asks the pages what they cost, and prints how often that is right.

    python -m tests.truth [--only tf/small/map] [--jobs 1] [--analyse | --pairs]

Captures and rows are kept in .cache/truth; only what changed is run, or analysed, again. Nothing else should want the
machine meanwhile: what is planted is told from the rest by clocks.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.truth import pairs
from tests.truth.cases import chosen
from tests.truth.declared import Case
from tests.truth.report import report
from tests.truth.run import GIVEN, PYTHON, ROOT, analyse, run


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.truth", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", default=[], help="a part of cases' names; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="captures analysed side by side; programs run alone")
    parser.add_argument("--analyse", action="store_true", help="run no program: judge the captures that are there")
    parser.add_argument("--pairs", action="store_true", help="run none: compare clean programs with those with a cost")
    parser.add_argument("--out", type=Path, default=ROOT / ".cache" / "truth", help="where captures and rows are kept")
    given = parser.parse_args(words)
    cases, out = chosen(given.only), given.out.resolve()
    if not cases:
        parser.error(f"no case has {' or '.join(given.only)} in its name")
    if given.pairs:
        return _pairs(cases, out)
    out.mkdir(parents=True, exist_ok=True)
    if not given.analyse and not PYTHON.exists():
        parser.error(f"no {PYTHON}: name a Python that has TensorFlow, JAX and PyTorch in {GIVEN}")
    failed = {} if given.analyse else run(cases, out)
    rows = analyse(cases, out, given.jobs)
    for name, printed in failed.items():
        print(f"{name} failed:\n{printed}")
    print(*report(rows), sep="\n")
    return 1 if failed or not rows else 0


def _pairs(cases: Sequence[Case], out: Path) -> int:
    """Of the captures that are there."""
    there = [case for case in cases if (out / case.folder / "truth.json").exists()]
    rows = [pairs.compared(pair, out) for pair in pairs.pairs(there)]
    print(*pairs.report(rows), sep="\n")
    print(pairs.report_unchanged(pairs.unchanged(there, out)))
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
