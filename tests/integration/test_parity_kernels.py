"""On captures of GPUs, xprof's kernels are ours: occurrences and times. docs/kernel_stats.md tells what differs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.conftest import SHARED_CAPTURES
from tests.integration.conftest import SAMPLES
from tests.parity._peer import peer_kernels
from tests.tools.kernels import ask, rows

#: xprof cuts each duration to whole ns.
NS = 1e-3
SHARED = ("synth_gpu_small", "tfprofiler-demo-gpu-multi-worker", "jax-rocm-mi300-tracelens")
COLUMNS = ("name", "grid", "block", "occurrences", "total_us", "min_us", "max_us")


def summed(found: Iterable[tuple[Any, ...]]) -> dict[tuple[str, str, str], list[float]]:
    """By name, grid and block: what tells rows apart beside these is not the same for both."""
    sums: dict[tuple[str, str, str], list[float]] = {}
    for name, grid, block, occurrences, total, shortest, longest in found:
        row = sums.setdefault((name.removesuffix(".kd"), grid, block), [0, 0.0, float("inf"), 0.0])
        row[0] += occurrences
        row[1] += total
        row[2], row[3] = min(row[2], shortest), max(row[3], longest)
    return sums


def check(files: list[Path]) -> None:
    assert files
    for file, table in peer_kernels(files).items():
        assert len(table) < 1000, f"{file}: xprof stops there"
        theirs = summed(table)
        found = rows(ask(Timeline(decode.read(str(file)), "h")), "kernels", *COLUMNS)
        # Without details it is no kernel to xprof.
        ours = summed(row for row in found if row[1] is not None)
        assert set(ours) == set(theirs), file
        for key, (count, total, shortest, longest) in theirs.items():
            assert ours[key][0] == count, (file, key)
            assert ours[key][1] == pytest.approx(total, abs=count * NS + 1e-6, rel=1e-9), (file, key)
            assert ours[key][2:] == pytest.approx([shortest, longest], abs=NS), (file, key)


def test_shared_captures(shared_captures: Path) -> None:
    check(sorted(f for folder in SHARED for f in (SHARED_CAPTURES / "xplane" / folder).rglob("*.xplane.pb")))


def test_samples() -> None:
    check([f for name in ("gpu_streams", "two_hosts") for f in sorted((SAMPLES / name).rglob("*.xplane.pb"))])
