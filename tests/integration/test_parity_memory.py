"""Where xprof is right about memory, ours is the same. Where it differs, docs/memory_profile.md tells why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands import output
from tests.integration._memory import Told, cells, with_events
from tests.parity._peer import PEER, WHERE

SCRIPT = Path(__file__).parents[1] / "parity" / "xprof_memory.py"
#: What it calls what ours is called.
SAME = {
    "peak": "peak_bytes",
    "capacity": "capacity_bytes",
    "stack": "stack_bytes",
    "heap": "heap_bytes",
    "free": "free_bytes",
}
#: Beyond so many events it gives a part of them, and counts that.
SAMPLED = 1000
#: Captures whose steps it sees as they are: one thread that marks them, one replica.
STEPS = ("keras_compute_bound", "keras_input_bound", "remote_capture", "remote_multi")
#: Captures whose lines begin at different times; it takes times as if they began at the same.
MIXED = "jax-rocm-mi300-tracelens"
#: What it writes where nothing is told.
NOTHING = ("", "(null)", "unknown")


def peer_memory(files: list[Path]) -> dict[str, Any]:
    if not PEER.exists():
        pytest.skip(f"no {PEER}: name an environment that has xprof in {WHERE}")
    command = [str(PEER), str(SCRIPT), *(str(file) for file in files)]
    found: dict[str, Any] = json.loads(output(command))
    return found


def check_system(told: Told, system: str, theirs: dict[str, Any]) -> None:
    answer = told.answer(system)
    summary = answer.result.summary
    assert {key: summary[name] for key, name in SAME.items()} == {key: theirs[key] for key in SAME}
    if int(summary["allocations"] or 0) + int(summary["deallocations"] or 0) < SAMPLED:
        assert (summary["allocations"], summary["deallocations"]) == (theirs["allocations"], theirs["deallocations"])
    lifetime = int(summary["lifetime_peak_bytes"] or 0)
    assert lifetime == max(theirs["lifetime_peak"], theirs["peak"]) or lifetime > theirs["lifetime_peak"]
    reached = [row for row in cells(answer, "timeline") if row["events"] and row["max_bytes"] == theirs["peak"]]
    assert min(abs((row["fragmentation_share"] or 0) - theirs["fragmentation"]) for row in reached) < 1e-5, (
        "an event that reaches the peak is the one it means"
    )
    if len(reached) == 1 and told.is_one_start:
        check_live(answer, theirs)


def check_live(answer: Any, theirs: dict[str, Any]) -> None:
    """What it says is live at the peak is live; where it names no op, only sizes can be compared."""
    live = [row for row in cells(answer, "peak") if row["kind"] == "op"]
    for op, region, kind, shape, size, requested, count, special in theirs["active"]:
        if special:
            continue
        told = {"region": region, "data_type": "" if kind == "INVALID" else kind.lower(), "shape": shape}
        told = {key: text for key, text in told.items() if text not in NOTHING}
        told |= {} if op in NOTHING else {"op": op}
        alike = [
            row["count"]
            for row in live
            if (row["allocation_bytes"], row["requested_bytes"] or 0) == (size, requested)
            and all(row[key] == text for key, text in told.items())
        ]
        assert sum(alike) >= count, (op, size)


def test_shared_captures(shared_captures: Path) -> None:
    files = with_events()
    found = peer_memory(files)
    for file in files:
        told = Told(file, MIXED not in file.parts)
        assert sorted(told.systems) == sorted(found[str(file)])
        for system, theirs in found[str(file)].items():
            check_system(told, system, theirs)
        if set(file.parts) & set(STEPS):
            check_steps(told, found[str(file)])


def check_steps(told: Told, found: dict[str, Any]) -> None:
    """Most in use by step, of all but one: it counts an event to the step that caused it, not to the one it is in."""
    for system, theirs in found.items():
        ours = [row["peak_bytes"] for row in cells(told.answer(system), "steps")]
        differ = [1 for mine, (_, most) in zip(ours, theirs["steps"], strict=False) if mine != most]
        assert len(differ) <= 1
