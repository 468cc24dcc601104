"""Memory, against sums that TensorFlow's own reader and plain Python make of the same file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.commands import output
from tests.conftest import ROOT, SAMPLES
from tests.integration._memory import Told, cells, with_events
from tests.integration._programs import frameworks_python


def recounted(files: list[Path]) -> dict[str, Any]:
    script = ROOT / "tests" / "parity" / "recount_memory.py"
    command = [str(frameworks_python()), str(script), *(str(file) for file in files)]
    found: dict[str, Any] = json.loads(output(command))
    return found


def check_system(told: Told, system: str, counted: dict[str, Any]) -> None:
    answer = told.answer(system)
    summary = answer.result.summary
    assert [summary[name] for name in ("allocations", "deallocations", "peak_bytes")] == [
        counted[name] for name in ("allocations", "deallocations", "peak")
    ]
    live = [row for row in cells(answer, "peak") if row["kind"] == "op"]
    sizes = Counter({(row["allocation_bytes"]): 0 for row in live})
    for row in live:
        sizes[row["allocation_bytes"]] += row["count"]
    assert sizes == Counter(size for _, size in counted["live"])
    recorded = Counter(op for op, _ in counted["live"] if op and op != "(null)")
    ours: Counter[str] = Counter()
    for row in live:
        if row["op_from"] == "recorded":
            ours[row["op"]] += row["count"]
    assert ours == recorded
    ops = cells(answer, "ops")
    assert sum(row["live_bytes"] for row in ops) == sum(counted["never_freed"].values())
    steps = [row for row in cells(answer, "steps") if row["whole"] and row["step"] in counted["by_step"]]
    for row in steps:
        assert row["allocated_bytes"] == counted["by_step"][row["step"]], (system, row["step"])


def check_files(files: list[Path]) -> None:
    found = recounted(files)
    for file in files:
        told = Told(file)
        assert sorted(told.systems) == sorted(found[str(file)])
        for system, counted in found[str(file)].items():
            check_system(told, system, counted)


def test_the_sample_of_tensorflow() -> None:
    """What its allocator on the CPU gave out in ten steps."""
    check_files(sorted((SAMPLES / "keras_fit").rglob("*.xplane.pb")))


@pytest.mark.slow
def test_shared_captures(shared_captures: Path) -> None:
    check_files(with_events())
