"""What `tests.programs.torch_loop` wrote beside its trace, against what is read from the trace."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.tools import Answer

#: Sums of times that the trace rounds to ns.
ROUNDED_US = 0.05


def answer(folder: Path, tool: str, **options: Any) -> Answer:
    found = tensorboard_perfplugin.open(str(folder)).tool(tool, **options)
    found.check()
    return found


def host_ops(folder: Path, by: str) -> dict[str, tuple[int, float, float]]:
    """Name → executions, total and self time in µs, on the host."""
    t = answer(folder, "op_stats", by=by, side="host", limit=0).result.tables["ops"]
    return dict(zip(t["name"], zip(t["occurrences"], t["total_us"], t["self_us"], strict=True), strict=True))


def check_key_averages(folder: Path, by: str) -> None:
    """Every row of `key_averages()` and no other, counts exactly, times within 0.1 %. by: op or shape."""
    theirs = json.loads((folder / "key_averages.json").read_text())[by]
    ours = host_ops(folder, by)
    keys = {f"{one['key']} {one['shapes']}" if one["shapes"] else one["key"]: one for one in theirs}
    assert set(ours) == set(keys) - {"[memory]"}
    assert len(ours) > (40 if by == "op" else 80)
    for name, (count, total_us, self_us) in ours.items():
        assert count == keys[name]["count"], name
        assert total_us == pytest.approx(keys[name]["total_us"], rel=0.001, abs=ROUNDED_US), name
        assert self_us == pytest.approx(keys[name]["self_us"], rel=0.001, abs=ROUNDED_US), name


def check_memory(folder: Path, by: str) -> None:
    """What every row of `key_averages()` allocated less what it freed, to the byte; much of it in what it called."""
    theirs = json.loads((folder / "key_averages.json").read_text())[by]
    found = answer(folder, "op_stats", by=by, side="host", limit=0).result
    t = found.tables["ops"]
    ours = dict(zip(t["name"], zip(t["cpu_memory_bytes"], t["self_cpu_memory_bytes"], strict=True), strict=True))
    keys = {f"{one['key']} {one['shapes']}" if one["shapes"] else one["key"]: one for one in theirs}
    assert ours == {name: (one["cpu_bytes"], one["self_cpu_bytes"]) for name, one in keys.items() if name != "[memory]"}
    assert len({row for row in ours.values() if row[0] != row[1]}) > 5
    assert set(t["device_memory_bytes"]) == {0}


def check_steps(folder: Path) -> None:
    steps = answer(folder, "overview").result.tables["steps"]
    watch = json.loads((folder / "stopwatch.json").read_text())["steps"]
    assert list(steps["step"]) == [one["step"] for one in watch]
    lengths = [(one["end_ns"] - one["begin_ns"]) / 1e6 for one in watch]
    apart = [abs(ours - length) for ours, length in zip(steps["duration_ms"], lengths, strict=True)]
    # The profiler's own work lies between what the two time, some 20 µs; on a busy machine most of it is interrupted.
    assert min(apart) <= max(0.02 * statistics.median(lengths), 0.05)


def scopes(folder: Path) -> dict[str, int]:
    """Scope → executions in it, on the host."""
    found = answer(folder, "op_stats", limit=0).result.tables["scopes"]
    return dict(zip(found["scope"], found["occurrences"], strict=True))
