"""Tries damaged captures for some minutes; what goes wrong is kept as a file, to be read again.

python -m tests.fuzz MINUTES [--seed 1] [--kind xplane] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import ROOT
from tests.fuzz.mutants import KINDS, tried

#: So many are kept and shown, then it ends.
MOST = 20


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("minutes", type=float)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**9, help="the first; the next is one more")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="only of this; may be repeated")
    parser.add_argument("--out", type=Path, default=ROOT / ".cache" / "fuzz", help="where what goes wrong is kept")
    given = parser.parse_args(words)
    counts, failed = run(given.minutes * 60, given.seed, given.kind or list(KINDS), given.out)
    sys.stdout.write(
        f"seeds from {given.seed}: " + ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items())) + "\n"
    )
    return 1 if failed else 0


def run(seconds: float, seed: int, kinds: Sequence[str], out: Path) -> tuple[Counter[str], int]:
    """How many of each kind were tried, and could be read; and how many went wrong."""
    until, counts, failed = time.monotonic() + seconds, Counter[str](), 0
    while time.monotonic() < until and failed < MOST:
        rng = random.Random(seed)
        kind = rng.choice(list(kinds))
        made = KINDS[kind](rng)
        counts[kind] += 1
        try:
            counts[f"{kind} read"] += tried(made)
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            failed += 1
            out.mkdir(parents=True, exist_ok=True)
            (out / f"{kind}.{seed}").write_bytes(made.data)
            kept = out / f"{kind}.{seed}"
            sys.stdout.write(f"{kind}, seed {seed}, kept as {kept}:\n{traceback.format_exc(limit=-4)}\n")
            sys.stdout.flush()
        seed += 1
    return counts, failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
