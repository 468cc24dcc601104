"""The trace that benchmarks.kineto makes, and its table where the other tool is missing."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from benchmarks import kineto
from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.devices import devices_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline


def test_the_made_trace_has_operators_launches_and_kernels(tmp_path: Path) -> None:
    """2,000 events: 500 operators with an inner one, a launch and a kernel each, and one step around them."""
    kineto.write(tmp_path / "t.pt.trace.json", 2_000)
    timeline = Timeline(decode.read(str(tmp_path / "t.pt.trace.json")), "h")
    assert len(timeline.capture.events) == 4 * 500 + 1
    assert len(ops_of(timeline).host.rows) == 2 * 500
    assert [(device.events, device.busy_ps) for device in devices_of(timeline)] == [(500, 500 * 40_000_000)]
    assert (launches_of(timeline).rows[ops_of(timeline).device.rows] >= 0).all()


def test_without_hta_only_ours_is_measured_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kineto, "CACHE", tmp_path)
    monkeypatch.delenv("PERFPLUGIN_HTA", raising=False)
    with tempfile.TemporaryFile() as errors:
        lines = list(kineto.kineto_table(400, 1, kineto.found_hta(), errors))
    assert lines[0].startswith("rank0.1700000000000.pt.trace.json: 400 events")
    assert lines[1] == "HolisticTraceAnalysis is left out: PERFPLUGIN_HTA names no environment with it"
    assert [line.split(" | ")[0].strip("| ") for line in lines[4:]] == ["ours: `perfplugin op_stats`"]
