"""Tries damaged captures for some minutes; what goes wrong is kept as a file, to be read again.

python -m tests.fuzz MINUTES [--seed 1] [--kind xplane] [--out FOLDER] [--reading]

Each is tried in a process of its own, with bounds of time and memory (`bounds.py`).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.conftest import ROOT
from tests.fuzz.bounds import Given, Watched
from tests.fuzz.mutants import KINDS, Mutant, opens, tried

#: So many are kept and shown, then it ends.
MOST = 20
#: Seconds of work for a file: to read it, and to read it by all readers and answer every page.
READS, ANSWERS = 5.0, 30.0


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9, help="the first; the next is one more")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="only of this; may be repeated")
    parser.add_argument("--out", type=Path, default=ROOT / ".cache" / "fuzz", help="where what goes wrong is kept")
    parser.add_argument("--reading", action="store_true", help="only read, by the reader that is used")
    given = parser.parse_args(words)
    counts, failed = run(given.minutes * 60, given.seed, given.kind or list(KINDS), given.out, given.reading)
    sys.stdout.write(
        f"seeds from {given.seed}: " + ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items())) + "\n"
    )
    return 1 if failed else 0


def run(seconds: float, seed: int, kinds: Sequence[str], out: Path, reading: bool = False) -> tuple[Counter[str], int]:
    """How many of each kind were tried, and could be read; and how many went wrong."""
    until, counts, failed = time.monotonic() + seconds, Counter[str](), 0
    watched = Watched(partial(_given, kinds, reading), READS if reading else ANSWERS)
    try:
        while time.monotonic() < until and failed < MOST:
            kind = random.Random(seed).choice(list(kinds))
            result = watched.tried(seed)
            counts[kind] += 1
            counts[f"{kind} read"] += result.is_read
            if result.problem:
                failed += 1
                _kept(kind, seed, kinds, result.problem, out)
            seed += 1
    finally:
        watched.close()
    return counts, failed


def _made(kinds: Sequence[str], seed: int) -> Mutant:
    rng = random.Random(seed)
    return KINDS[rng.choice(list(kinds))](rng)


def _given(kinds: Sequence[str], reading: bool, seed: int) -> Given:
    made = _made(kinds, seed)
    return Given(len(made.data), partial(opens if reading else tried, made))


def _kept(kind: str, seed: int, kinds: Sequence[str], problem: str, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    kept = out / f"{kind}.{seed}"
    kept.write_bytes(_made(kinds, seed).data)
    sys.stdout.write(f"{kind}, seed {seed}, kept as {kept}:\n{problem}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
