"""TensorFlow 1's run metadata and its own Timeline of it: both open, and say the same as the Timeline's JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.causes import flows_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.commands import output
from tests.integration._programs import frameworks_python
from tests.programs.tf1_session import LATE_SECONDS

#: (begin in µs since the epoch, length in µs, `name:Type`)
Ran = tuple[int, int, str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tf1")
    command = [str(frameworks_python()), "-m", "tests.programs", str(out), "tf1_session:late"]
    output(command)
    return out / "tf1_session_late"


@pytest.fixture(scope="module")
def events(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "timeline.json").read_text())["traceEvents"]
    return found


@pytest.fixture(scope="module")
def theirs(events: list[dict[str, Any]]) -> list[Ran]:
    """What TensorFlow's Timeline shows."""
    ran = (e for e in events if e["ph"] == "X")
    return sorted((e["ts"], e["dur"], f"{e['args']['name']}:{e['args']['op']}") for e in ran)


def ours(capture: Capture) -> list[Ran]:
    """The nodes of a capture: of its events those with such a name, in whole µs as the Timeline tells them."""
    e, found = capture.events, []
    base = (capture.start_ns or 0) * 1000
    for i in range(len(e)):
        if re.fullmatch(r"[^:$]+:\w+", name := capture.event_name(i)):
            found.append(((base + int(e.start_ps[i])) // 10**6, int(e.duration_ps[i]), name))
    return sorted(found)


def test_run_metadata_has_what_the_timeline_shows(folder: Path, theirs: list[Ran]) -> None:
    """The Timeline knows whole µs, rounded up; the metadata ns."""
    capture = decode.read(str(folder / "run_metadata.pb"))
    capture.check()
    mine = ours(capture)
    assert [(at, name) for at, _, name in mine] == [(at, name) for at, _, name in theirs]
    assert len(mine) > 20
    for (_, ps, name), (_, us, _) in zip(mine, theirs, strict=True):
        assert abs(ps / 10**6 - us) <= 1, name


@pytest.mark.parametrize("tool", ["overview", "op_stats", "memory_profile", "trace_viewer"])
def test_the_event_file_says_the_same(folder: Path, tool: str, tmp_path: Path) -> None:
    """As TensorFlow's `FileWriter` wrote it, under the tag `train`, beside the bytes called after the same host."""
    run = tensorboard_perfplugin.open(str(folder / "events"))
    plain = tmp_path / f"{run.hosts[0]}.run_metadata.pb"
    plain.write_bytes((folder / "run_metadata.pb").read_bytes())
    found = run.tool(tool).to_dict()
    assert found.pop("run") == "events/train"
    assert {**found, "run": run.hosts[0]} == told(plain, tool)


def test_the_timeline_s_own_file_has_the_same(folder: Path, theirs: list[Ran], events: list[dict[str, Any]]) -> None:
    capture = decode.read(str(folder / "timeline.json"))
    capture.check()
    assert [(at, ps // 10**6, name) for at, ps, name in ours(capture)] == theirs
    planes = set(capture.strings.texts(capture.planes.name))
    assert any(name.endswith("CPU:1") for name in planes)
    phases = Counter(event["ph"] for event in events)
    took = sum("requested_bytes" in str(event["args"]) for event in events if event["ph"] == "O")
    assert 0 < took <= phases["O"] == phases["N"] == phases["D"]
    assert capture.quality.dropped.get("snapshot", 0) == 3 * (phases["O"] - took)
    # The run's step is no event of the file; of each tensor it tells the begin and the end.
    assert len(capture.events) == phases["X"] + phases["C"] + 2 * took + 1


def test_data_flows_and_memory_of_the_timeline_are_kept(folder: Path, events: list[dict[str, Any]]) -> None:
    capture = decode.read(str(folder / "timeline.json"))
    ends = {(event["pid"], event["tid"], event["ts"]) for event in events if event["ph"] == "t"}
    assert ends
    assert np.count_nonzero(flows_of(Timeline(capture, "host")).producer >= 0) == len(ends)
    counted = [event["args"] for event in events if event["ph"] == "C"]
    (allocator,) = {name for args in counted for name in args}
    rows = np.flatnonzero(capture.events.name == capture.strings.find(allocator))
    begin, end = capture.events.stats_begin, capture.events.stats_end
    mine = [dict(capture.values(int(begin[i]), int(end[i])))[allocator] for i in rows.tolist()]
    assert mine == [args[allocator] for args in counted]


@pytest.mark.parametrize("name", ["run_metadata.pb", "timeline.json"])
def test_the_run_is_one_step(folder: Path, theirs: list[Ran], name: str) -> None:
    steps = steps_of(Timeline(decode.read(str(folder / name)), "host"))
    assert (steps.rule, steps.name, bool(steps.whole.all())) == ("markers", ("Session::Run 0",), True)
    length_us = max(at + us for at, us, _ in theirs) - theirs[0][0]
    assert steps.wall_ps[0] / 10**6 == pytest.approx(length_us, abs=1)


def test_memory_at_its_peak_is_what_the_timeline_counts(folder: Path, events: list[dict[str, Any]]) -> None:
    (summary,) = [told(folder / "timeline.json", "memory_profile")["summary"]]
    assert summary["peak_bytes"] == max(value for e in events if e["ph"] == "C" for value in e["args"].values())


def told(path: Path, tool: str) -> dict[str, Any]:
    answer = tensorboard_perfplugin.open(str(path)).tool(tool)
    answer.check()
    return answer.to_dict()


@pytest.mark.parametrize("name", ["run_metadata.pb", "timeline.json"])
def test_a_dequeue_that_waits_is_no_work(folder: Path, name: str) -> None:
    ops = told(folder / name, "op_stats")["tables"]["ops"]["columns"]
    (row,) = [i for i, name in enumerate(ops["name"]) if name == "input/dequeue"]
    assert ops["wait_share"][row] == 1.0
    assert ops["self_us"][row] >= 0.5e6 * LATE_SECONDS
    assert sum(share > 0 for share in ops["wait_share"] if share is not None) == 1


@pytest.mark.parametrize("name", ["run_metadata.pb", "timeline.json"])
def test_self_times_add_up_to_what_the_timeline_shows(folder: Path, theirs: list[Ran], name: str) -> None:
    """Nodes run side by side, so each one's time is its own. `_SOURCE` and `_Retval` are no ops."""
    ops = told(folder / name, "op_stats")["tables"]["ops"]["columns"]
    shown = [us for _, us, name in theirs if not name.startswith("_")]
    assert sum(ops["occurrences"]) == len(shown)
    assert sum(ops["self_us"]) == pytest.approx(sum(shown), abs=len(shown))


@pytest.mark.parametrize("name", ["run_metadata.pb", "timeline.json"])
def test_the_step_waits_for_its_input(folder: Path, name: str) -> None:
    overview = told(folder / name, "overview")
    assert overview["summary"]["step_count"] == 1
    title = overview["findings"][0]["title"]
    assert "waits for input" in title
    assert "`input/dequeue` is waited for" in title
    assert any("Other threads fill the queue" in str(text) for text in overview["findings"][0].values())
