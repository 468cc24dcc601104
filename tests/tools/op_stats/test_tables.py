"""op_stats: idle time as a row, rows by host, limits; whole tables of small captures, invariants on every real one."""

from __future__ import annotations

import math
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.timeline.devices import devices_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.op_stats import OP_STATS
from tests.build_capture import Space
from tests.timeline.timelines import real, timeline
from tests.tools.op_answers import ask, gpu, host_line, rows, two_hosts

SHARES = ("side", "rank", "name", "occurrences", "self_us", "self_share", "cumulative_share")


def two_threads() -> Space:
    space = Space()
    host_line(space, 1, ("a/MatMul:MatMul", 100, 1100), ("b:Add", 200, 500), ("user_thing", 250, 350))
    host_line(space, 2, ("a/MatMul:MatMul", 0, 500))
    return space


def test_no_idle_time_where_a_thread_always_runs_an_op() -> None:
    """Ops cover all of 0 to 1100 ns."""
    expected = [("host", 1, "a/MatMul", 2, 1.2, 0.8, 0.8), ("host", 2, "b", 1, 0.3, 0.2, 1.0)]
    assert rows(ask(timeline(two_threads())), *SHARES) == expected
    with_idle = ask(timeline(two_threads()), idle="true")
    assert rows(with_idle, *SHARES) == [*expected, ("host", 3, "IDLE", 0, 0.0, 0.0, 1.0)]
    assert with_idle.result.summary["ops_rows"] == 3
    assert with_idle.result.summary["host_op_rows"] == 2


def test_idle_is_wall_time_without_an_op_not_thread_seconds() -> None:
    """The reference counts 0.8 µs: the gap between x and x on thread 2, while thread 1 ran an op."""
    space = Space()
    host_line(space, 1, ("w/While:While", 0, 1000), ("w/MatMul:MatMul", 100, 300), ("w/MatMul:MatMul", 400, 600))
    host_line(space, 2, ("x:X", 0, 100), ("x:X", 900, 1000))
    host_line(space, 3, ("something", 0, 2000))
    answer = ask(timeline(space), idle="true")
    assert ask(timeline(space)).result.summary["host_no_op_ms"] == pytest.approx(1e-3)
    assert rows(answer, *SHARES) == [
        ("host", 1, "IDLE", 0, 1.0, 0.454545455, 0.454545455),
        ("host", 2, "w/While", 1, 0.6, 0.272727273, 0.727272727),
        ("host", 3, "w/MatMul", 2, 0.4, 0.181818182, 0.909090909),
        ("host", 4, "x", 2, 0.2, 0.090909091, 1.0),
    ]
    row = {name: cells[0] for name, cells in answer.to_dict()["tables"]["ops"]["columns"].items()}
    assert row == {
        "side": "host",
        "host": "",
        "rank": 1,
        "name": "IDLE",
        "type": "IDLE",
        "module": "",
        "occurrences": 0,
        "kernels": None,
        "total_us": 1.0,
        "average_us": None,
        "self_us": 1.0,
        "self_average_us": None,
        "self_share": pytest.approx(5 / 11),
        "cumulative_share": pytest.approx(5 / 11),
        "gflop_s": None,
        "model_gflop_s": None,
        "bytes": None,
        "gb_s": None,
        "intensity": None,
        "bound_by": "",
        "roof_share": None,
        "tensor_core_share": None,
        "eager_share": None,
        "wait_share": None,
        "device_us": None,
        "self_device_us": None,
        **{f"{whose}_memory_bytes": None for whose in ("cpu", "self_cpu", "device", "self_device")},
        "on_path_ms": None,
        "on_path_share": None,
        "slack_ms": None,
    }
    assert rows(answer, "type", "host_occurrences", "host_self_us", table="types")[0] == ("IDLE", 0, 1.0)
    assert answer.result.findings == ask(timeline(space)).result.findings


def test_device_idle_is_the_span_without_the_union_of_its_streams() -> None:
    """Streams overlap from 200 to 800 ns; the reference adds them up to 1.6 µs."""
    space = Space()
    host_line(space, 1, ("span", 0, 2000))
    gpu(space, 0, [("7", "a:A", 1, 0, 1000), ("8", "b:B", 2, 200, 800)])
    assert rows(ask(timeline(space), idle="true"), *SHARES) == [
        ("device", 1, "IDLE", 0, 1.0, 0.5, 0.5),
        ("device", 2, "a", 1, 0.7, 0.35, 0.85),
        ("device", 3, "b", 1, 0.3, 0.15, 1.0),
    ]


def test_a_device_that_ran_nothing_and_a_host_without_ops_are_not_idle() -> None:
    space = Space()
    host_line(space, 1, ("span", 0, 2000))
    space.plane("/device:GPU:0").line(7, "Stream #7")
    assert rows(ask(timeline(space), idle="true"), "name") == []


def test_the_reference_s_two_hosts_of_two_gpus() -> None:
    """There 8 µs, 50 % each, idle 0: streams that run side by side are added up."""
    hosts = list(two_hosts())
    columns = ("host", "rank", "name", "occurrences", "total_us", "self_us", "self_share", "cumulative_share")
    assert rows(ask(*hosts), *columns) == [
        ("", 1, "A", 4, 8.0, 4.0, 0.5, 0.5),
        ("", 2, "B", 4, 8.0, 4.0, 0.5, 1.0),
    ]
    assert ask(*hosts).hosts == ("h0", "h1")
    assert ask(*hosts).result.summary["device_self_ms"] == pytest.approx(8e-3)
    by_host = ask(*hosts, by="host")
    assert rows(by_host, *columns) == [
        ("h0", 1, "A", 2, 2.0, 1.0, 0.5, 0.5),
        ("h0", 2, "B", 2, 2.0, 1.0, 0.5, 1.0),
        ("h1", 1, "A", 2, 6.0, 3.0, 0.5, 0.5),
        ("h1", 2, "B", 2, 6.0, 3.0, 0.5, 1.0),
    ]
    assert by_host.result.summary["ops_rows"] == 4
    assert by_host.result.findings == ask(*hosts).result.findings
    for table in ("types", "scopes"):
        assert by_host.result.tables[table] == ask(*hosts).result.tables[table]


def test_idle_by_host_is_each_host_s_own() -> None:
    hosts = []
    for name, end in (("h0", 1000), ("h1", 3000)):
        space = Space(hostnames=[name])
        host_line(space, 1, ("a:A", 0, 1000), ("span", 0, end))
        hosts.append(timeline(space, name))
    columns = ("host", "name", "self_us", "self_share")
    assert rows(ask(*hosts, by="host", idle="true"), *columns) == [
        ("h0", "a", 1.0, 1.0),
        ("h0", "IDLE", 0.0, 0.0),
        ("h1", "IDLE", 2.0, 0.666666667),
        ("h1", "a", 1.0, 0.333333333),
    ]
    assert rows(ask(*hosts, idle="true"), *columns) == [("", "IDLE", 2.0, 0.5), ("", "a", 2.0, 0.5)]


def test_a_limit_keeps_the_largest_of_each_side_and_tells_how_many_there_are() -> None:
    space = Space()
    host_line(space, 1, *((f"op{i:03}:T{i % 7}", i * 1000, i * 1000 + i + 1) for i in range(600)))
    gpu(space, 0, [("7", f"k{i}:K", i + 1, 10 * i, 10 * i + 5) for i in range(3)])
    answer = ask(timeline(space), limit="2")
    assert rows(answer, "side", "rank", "name", "cumulative_share") == [
        ("device", 1, "k0", round(1 / 3, 9)),
        ("device", 2, "k1", round(2 / 3, 9)),
        ("host", 1, "op599", round(600 / 180300, 9)),
        ("host", 2, "op598", round(1199 / 180300, 9)),
    ]
    counts = {name: answer.result.summary[name] for name in ("ops_rows", "types_rows", "scopes_rows")}
    assert counts == {"ops_rows": 603, "types_rows": 8, "scopes_rows": 603}
    assert len(rows(answer, "type", table="types")) == 2
    assert len(rows(answer, "scope", table="scopes")) == 4
    assert len(rows(ask(timeline(space), limit="0"), "name")) == 603


def test_recorded_sums_have_no_idle_time() -> None:
    """Of ops without a time it is not known when none ran."""
    space = Space()
    tpu = space.plane("/device:TPU:0")
    tpu.kind("%dot", stats={"hlo_category": "convolution"})
    tpu.line(3, "XLA Ops").event("%dot", duration_ps=900_000, occurrences=9)
    assert rows(ask(timeline(space), idle="true"), "name", "self_us") == [("%dot", 0.9)]


def test_the_reference_s_two_real_hosts(shared_captures: Path) -> None:
    files = sorted((shared_captures / "xplane" / "remote_multi").rglob("*.xplane.pb"))
    answer = ask(*(Timeline(decode.read(str(file)), file.name) for file in files))
    assert ("matmul", 339) in rows(answer, "name", "occurrences")
    by_host = ask(*(Timeline(decode.read(str(file)), file.name) for file in files), by="host")
    assert [count for name, count in rows(by_host, "name", "occurrences") if name == "matmul"] == [171, 168]


def test_shares_add_up_on_every_real_capture(xplane_files: list[Path]) -> None:
    """Per side and host: shares to 1, the last cumulative share is 1, self times descend; types and scopes add up."""
    for file, t in real(xplane_files):
        answer = ask(t, idle="true", by="host", limit="0")
        table = rows(answer, "side", "host", "self_share", "cumulative_share", "self_us", "rank", "occurrences")
        for side, group in groupby(table, key=lambda row: row[0]):
            of_side = list(group)
            assert math.fsum(row[2] for row in of_side) == pytest.approx(1, abs=1e-6), file
            assert of_side[-1][3] == pytest.approx(1), file
            assert [row[5] for row in of_side] == list(range(1, len(of_side) + 1)), file
            assert all(a[4] >= b[4] for a, b in pairwise(of_side)), file
            self_us, count = math.fsum(row[4] for row in of_side), sum(row[6] for row in of_side)
            types = rows(answer, f"{side}_self_us", f"{side}_occurrences", f"{side}_self_share", table="types")
            assert [math.fsum(cells) for cells in zip(*types, strict=True)] == pytest.approx([self_us, count, 1]), file
            roots = [row[1:] for row in rows(answer, "side", "parent", "self_us", "occurrences", table="scopes")]
            roots = [r for r, s in zip(roots, rows(answer, "side", table="scopes"), strict=True) if s == (side,)]
            assert math.fsum(r[1] for r in roots if r[0] == -1) == pytest.approx(self_us), file
            assert sum(r[2] for r in roots if r[0] == -1) == count, file


def test_busy_and_idle_are_the_devices_windows_on_every_real_capture(xplane_files: list[Path]) -> None:
    for file, t in real(xplane_files):
        busy = [d for d in devices_of(t) if d.events]
        whole = sum(d.busy_ps + d.idle_ps for d in busy)
        device = [us for side, us in rows(ask(t, idle="true", limit="0"), "side", "self_us") if side == "device"]
        assert math.fsum(device) * 1e6 == pytest.approx(whole, rel=1e-6), file


def test_an_answer_without_hosts_is_empty() -> None:
    chosen = OP_STATS.parse({})
    Answer(OP_STATS, "run", (), OP_STATS.combine([], chosen), Quality(), "any").check()
