"""Rules on a capture as a whole: codes and parameters, and each threshold on both of its sides."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.finding import Finding, by_severity
from tensorboard_perfplugin.advice.rules.overview import (
    COPIED,
    EAGER_OPS,
    GAPS,
    HOST_OP,
    NO_DEVICE_EVENTS,
    OP_WAITS,
    losses,
    with_straggler,
    without_steps,
)
from tensorboard_perfplugin.advice.rules.steps.case import case
from tensorboard_perfplugin.advice.rules.steps.verdict import verdict
from tensorboard_perfplugin.analysis.hosts.environment import DriverStart, Edge, Edges, Loss
from tensorboard_perfplugin.analysis.overview import DeviceUse, host, side_ops
from tensorboard_perfplugin.analysis.steps.means import step_means
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tensorboard_perfplugin.messages import Message
from tests.advice.rules.overview.hosts import MS, facts, idle, one, op, row
from tests.timeline.timelines import timeline
from tests.tools import sync_training
from tests.tools.sync_training import Device, captures

LARGEST = Message("largest_op", {"op": "dot", "share": 1.0, "side": "device", "ps": 10 * MS})
DOT = op("dot", "device", row(10))


@pytest.mark.parametrize(
    ("idle_ms", "code", "params"),
    [
        (31, "device_idle", {"share": 0.31, "idle_ps": 31 * MS, "of_ps": 100 * MS, "several": False}),
        (29, "device_busy", {"share": 0.71, "waits": None}),
    ],
)
def test_from_30_percent_on_devices_are_idle(idle_ms: int, code: str, params: dict[str, Any]) -> None:
    ran = one(ops={"devices": 1, "busy_ps": (100 - idle_ms) * MS, "idle_ps": idle_ms * MS})
    answer = next(without_steps(facts([ran], DOT)))
    # The host names no device, so one of none ran.
    devices = Message("devices_are.some", {"ran": 1, "devices": 0, "one": True})
    assert (answer.code, answer.params) == (
        code,
        {"devices": devices, "damaged": False, "largest": LARGEST, **params},
    )


@pytest.mark.parametrize(
    ("wait_ms", "code", "waits"),
    [
        (31, "device_busy.waits", 0.31),
        (29, "device_busy", 0.29),
        (11, "device_busy", 0.11),
        (9, "device_busy", None),
    ],
)
def test_what_of_a_busy_device_only_waits(wait_ms: int, code: str, waits: float | None) -> None:
    """A word from 10 % on; from 30 % on it is what to look at."""
    rows = op("copy-done", "device", row(wait_ms, wait_ms=wait_ms)) | op("dot", "device", row(100 - wait_ms))
    answer = next(without_steps(facts([one(ops={"devices": 1, "busy_ps": 9, "idle_ps": 1})], rows)))
    assert (answer.code, answer.params["waits"]) == (code, waits)


@pytest.mark.parametrize(
    ("wait_ms", "code", "waits"),
    [
        (31, "host_op_time.waits", 0.31),
        (29, "host_op_time", 0.29),
        (11, "host_op_time", 0.11),
        (9, "host_op_time", None),
    ],
)
def test_what_of_ops_on_hosts_only_waits(wait_ms: int, code: str, waits: float | None) -> None:
    rows = op("Prefetch", "host", row(wait_ms, wait_ms=wait_ms)) | op("dot", "host", row(100 - wait_ms))
    answer = next(without_steps(facts([one(ops={"host_op_ps": 50 * MS})], rows)))
    assert (answer.code, answer.params["waits"], answer.share) == (code, waits, 0.5)


@pytest.mark.parametrize(("wait_ms", "codes"), [(11, ["op_waits.for_input"]), (9, [])])
def test_from_10_percent_on_ops_that_wait_have_a_line(wait_ms: int, codes: list[str]) -> None:
    rows = op("Prefetch", "host", row(wait_ms, wait_ms=wait_ms)) | op("dot", "host", row(100 - wait_ms))
    assert [f.code for f in OP_WAITS.findings(facts([one()], rows))] == codes


@pytest.mark.parametrize(
    ("name", "side", "code"),
    [
        ("cudaDeviceSynchronize", "host", "op_waits.for_device"),
        ("copy-done.4", "device", "op_waits.device"),
        ("Iterator::Root::Prefetch", "host", "op_waits.for_input"),
    ],
)
def test_what_an_op_waits_for(name: str, side: str, code: str) -> None:
    [wait] = OP_WAITS.findings(facts([one()], op(name, side, row(4, wait_ms=2))))
    assert (wait.code, wait.params) == (code, {"share": 0.5, "op": name, "ps": 2 * MS})


@pytest.mark.parametrize(("copy_ms", "params"), [(11, [{"share": 0.11, "ps": 11 * MS}]), (9, [])])
def test_from_10_percent_on_memory_copies_have_a_line(copy_ms: int, params: list[dict[str, float]]) -> None:
    rows = op("copy", "device", row(copy_ms), "MemcpyH2D") | op("dot", "device", row(100 - copy_ms))
    assert [f.params for f in COPIED.findings(facts([one()], rows))] == params


@pytest.mark.parametrize(("streams", "said"), [([1, 1], True), ([1, 2], None)])
def test_copies_of_devices_with_one_stream_overlap_nothing(streams: list[int], said: bool | None) -> None:
    gpus = [DeviceUse(f"gpu{i}", "GPU", UNKNOWN, n, 5, 0, 0, (), "") for i, n in enumerate(streams)]
    [copies] = COPIED.findings(facts([one(devices=gpus)], op("copy", "device", row(9), "MemcpyH2D")))
    assert copies.params.get("one_stream") is said


UNKNOWN: Any = None
EAGER = {"share": 0.31, "side": "host", "in_steps": False}


@pytest.mark.parametrize(("eager_ms", "params"), [(31, [EAGER]), (29, [])])
def test_from_30_percent_on_a_program_is_eager(eager_ms: int, params: list[dict[str, Any]]) -> None:
    """Asking for input, which is always eager, does not count."""
    rows = op("Add", "host", row(100, eager_ms=eager_ms, known_ms=80))
    rows |= op("next", "host", row(20, eager_ms=20, known_ms=20), "IteratorGetNext")
    of = facts([one()], rows)
    assert [f.params for f in EAGER_OPS.findings(of)] == params
    assert list(EAGER_OPS.findings(structs.replace(of, eager_steps=True))) == []


@pytest.mark.parametrize(("times", "codes"), [(9, ["largest_host_op"]), (11, [])])
def test_a_largest_op_on_hosts_has_a_tenth_of_their_time(times: int, codes: list[str]) -> None:
    rows = {key: value for i in range(times) for key, value in op(f"op{i}", "host", row(1)).items()}
    assert [f.code for f in HOST_OP.findings(facts([one(ops={"devices": 1})], rows))] == codes
    assert list(HOST_OP.findings(facts([one()], rows))) == []


@pytest.mark.parametrize(
    ("lost", "code", "params"),
    [
        (11, "no_device_events.damaged", {"launches": 3, "lost": 11, "in_file": 100}),
        (9, "no_device_events", {"launches": 3}),
    ],
)
def test_where_a_tenth_of_a_file_is_lost_its_devices_may_be(lost: int, code: str, params: dict[str, int]) -> None:
    some = one(launches=3, events_in_file=100)
    some = structs.replace(some, loss=some.loss._replace(dropped={"no such track": lost}))
    [finding] = NO_DEVICE_EVENTS.findings(facts([some]))
    assert (finding.code, finding.params) == (code, params)


@pytest.mark.parametrize(("vendor", "code"), [("nvidia", ""), ("intel", ".intel"), ("ascend", ".ascend"), ("", "")])
def test_advice_on_tracing_is_that_of_the_vendor(vendor: str, code: str) -> None:
    some = structs.replace(one(launches=3), launch_vendor=vendor)
    assert [f.code for f in NO_DEVICE_EVENTS.findings(facts([some]))] == [f"no_device_events{code}"]


def test_cuptis_counters_are_why_there_are_no_times() -> None:
    some = one(launches=3, events_in_file=100)
    warning = Message("cupti_counter_kernels", {"n": 3})
    some = structs.replace(some, loss=some.loss._replace(warnings=(warning,)))
    [finding] = NO_DEVICE_EVENTS.findings(facts([some]))
    assert finding.params == {"launches": 3, "warning": warning}


@pytest.mark.parametrize(
    ("unmatched", "codes"),
    [(100, ["launches_unmatched.all"]), (6, ["launches_unmatched"]), (5, [])],
)
def test_from_5_percent_on_launches_without_a_kernel_have_a_line(unmatched: int, codes: list[str]) -> None:
    some = one(ops={"devices": 1}, launches=100, unmatched_launches=unmatched)
    assert [f.code for f in losses(facts([some]))] == codes


@pytest.mark.parametrize(("dropped", "severity"), [(10, "warning"), (9, "note")])
def test_from_a_hundredth_of_the_events_on_losses_are_a_warning(dropped: int, severity: str) -> None:
    damaged = one(loss=Loss("h", 1000, {"no_time": dropped}, (), ()))
    assert [(f.code, f.severity) for f in losses(facts([damaged]))] == [("events_not_shown", severity)]


def test_copies_of_a_capture_are_named_up_to_three() -> None:
    same = [one(f"{group}{i}", start_ns=group) for group in range(4) for i in range(3 if group == 0 else 2)]
    assert [(f.code, f.params) for f in losses(facts(same))] == [
        ("same_capture", {"first": "00", "second": "01", "more": 1, "times": 3}),
        ("same_capture", {"first": "10", "second": "11"}),
        ("same_capture", {"first": "20", "second": "21"}),
        ("same_capture.more", {"hosts": 2}),
    ]


@pytest.mark.parametrize(
    ("by_cause", "code", "causes"),
    [
        ({"host_wait": 150, "kernel_wait": 51}, "gpu_idle.host_wait", [("host_wait", 0.15), ("kernel_wait", 0.051)]),
        ({"host_wait": 148, "kernel_wait": 51}, None, []),
        (
            {"unattributed": 180, "kernel_wait": 21},
            "gpu_idle.unattributed",
            [("unattributed", 0.18), ("kernel_wait", 0.021)],
        ),
        ({"unattributed": 190, "kernel_wait": 19}, "gpu_idle.unattributed", [("unattributed", 0.19)]),
        ({"kernel_wait": 300}, "gpu_idle.kernel_wait", [("kernel_wait", 0.3)]),
    ],
)
def test_why_gpus_stand_still(by_cause: dict[str, float], code: str | None, causes: list[tuple[str, float]]) -> None:
    """From 20 % of the time on; a cause is named from 2 % on."""
    found = list(GAPS.findings(facts([one(idle=(idle(by_cause),))])))
    assert [f.code for f in found] == ([code] if code else [])
    for finding in found:
        named = [finding.params[place] for place in ("first", "second", "third") if place in finding.params]
        assert [m.code for m in named if isinstance(m, Message)] == [f"gpu_gaps.{name}" for name, _ in causes]
        assert [m.params["share"] for m in named if isinstance(m, Message)] == [
            pytest.approx(share) for _, share in causes
        ]


@pytest.mark.parametrize(("late_ms", "place"), [(13, 0), (10, 1)])
def test_a_worker_that_all_others_wait_for_is_the_answer_from_10_percent_of_a_step_on(late_ms: int, place: int) -> None:
    """Each step takes 100 ms and more, of which one worker computes for longer than the other by so much."""
    fast, slow = Device([MS] * 6, [100 * MS] * 6), Device([MS] * 6, [(100 + late_ms) * MS] * 6)
    spaces = zip(("fast", "slow"), captures({"fast": [fast], "slow": [slow]}), strict=True)
    hosts = [host(timeline(space, name), {"steps_from": "auto"}) for name, space in spaces]
    judged = case(step_means([h.steps for h in hosts]), [StepSummary(steps=5)])
    assert judged is not None
    found = with_straggler(list(verdict(judged)), facts(hosts), judged)
    assert ["straggler" in f.title for f in found[:2]] == [place == 0, place == 1]
    assert found[place].severity == ("note" if place else "warning")


@pytest.mark.parametrize(("reduce_ms", "place"), [(8.8, 0), (9.2, 1)])
def test_a_worker_for_which_others_wait_little_of_their_collectives_is_not_the_answer(
    monkeypatch: pytest.MonkeyPatch, reduce_ms: float, place: int
) -> None:
    """One waits 6 ms for the other; on average, collectives take them 3 ms and what the all-reduce takes."""
    monkeypatch.setattr(sync_training, "REDUCE_PS", round(reduce_ms * MS))
    fast, slow = Device([MS] * 6, [20 * MS] * 6), Device([MS] * 6, [26 * MS] * 6)
    spaces = zip(("fast", "slow"), captures({"fast": [fast], "slow": [slow]}), strict=True)
    hosts = [host(timeline(space, name), {"steps_from": "auto"}) for name, space in spaces]
    judged = case(step_means([h.steps for h in hosts]), [StepSummary(steps=5)])
    assert judged is not None
    codes = [f.code for f in with_straggler(list(verdict(judged)), facts(hosts), judged)]
    assert codes.index("straggler.collectives") == place


def test_what_the_ops_of_a_side_take() -> None:
    rows = op("wait", "host", row(8, wait_ms=8)) | op("add", "host", row(2, eager_ms=1, known_ms=2)) | DOT
    ops = side_ops(rows, "host")
    assert (ops.self_ps, ops.wait_share, ops.eager_share, ops.copies_share) == (10 * MS, 0.8, 0.5, 0.0)
    assert ops.hardest is not None
    assert ops.waits is not None
    assert (ops.hardest[0].name, ops.waits[0].name) == ("add", "wait")
    assert side_ops({}, "device").hardest is None


def test_severity_comes_before_share() -> None:
    """Of equal severity and share the earlier comes first."""
    a = Finding(code="steps_on_device", severity="info", share=0.9)
    b, c = Finding(code=a.code, severity="note", share=0.1), Finding(code=a.code, severity="note")
    d, e = Finding(code=a.code, severity="warning"), Finding(code=a.code, severity="warning", share=0.0)
    assert by_severity([a, c, b, e, d]) == (e, d, b, c, a)


@pytest.mark.parametrize(
    ("ms", "said"), [(300, [("driver_starts", "warning"), ("host_op_time", "note")]), (299, [("host_op_time", "note")])]
)
def test_from_30_percent_of_the_capture_on_it_is_the_answer(ms: int, said: list[tuple[str, str]]) -> None:
    start = DriverStart(ms * MS, 1000 * MS, "cudaFree", 200 * MS, 2, (100 * MS, 300 * MS, 0))
    host = one(driver_start=start, ops={"host_op_ps": 900 * MS, "window_ps": 1000 * MS})
    found = list(without_steps(facts([host], op("dot", "host", row(900)))))
    assert [(f.code, f.severity) for f in found if f.code != "no_steps"] == said
    if ms == 300:
        assert found[0].params == {
            "share": 0.3,
            "ps": 300 * MS,
            "of_ps": 1000 * MS,
            "call": "cudaFree",
            "call_ps": 200 * MS,
        }
        assert [(e.start_ps, e.end_ps, e.track) for e in found[0].evidence] == [(100 * MS, 300 * MS, 0)]


@pytest.mark.parametrize(
    ("after_ms", "codes"),
    [
        (99, ["device_idle"]),
        (100, ["device_idle", "work_after"]),
        (499, ["device_busy", "work_after"]),
        (500, ["work_after", "device_busy"]),
    ],
)
def test_what_comes_after_all_work_is_no_idle_time(after_ms: int, codes: list[str]) -> None:
    """From a tenth of the capture on it is named, and comes first from half of it on."""
    edges = Edges(1000 * MS, Edge(5 * MS), Edge(after_ms * MS, "cuModuleUnload", 50 * MS, 60, (900 * MS, 950 * MS)))
    ran = one(edges=edges, ops={"devices": 1, "busy_ps": 400 * MS, "idle_ps": 600 * MS})
    found = [f for f in without_steps(facts([ran], DOT)) if f.code != "no_steps"]
    assert [f.code for f in found] == codes
    if after_ms == 500:
        assert found[0].params == {
            "share": 0.5,
            "ps": 500 * MS,
            "of_ps": 1000 * MS,
            "call": "cuModuleUnload",
            "call_ps": 50 * MS,
            "calls": 60,
            "driver": True,
        }
        assert found[1].params["share"] == pytest.approx(400 / 495)


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("aten::cudnn_convolution", ["pytorch_device_not_recorded"]),
        ("aten::_cudnn_rnn", ["pytorch_device_not_recorded"]),
        ("aten::convolution", []),
        ("aten::cudnn_is_acceptable", []),
    ],
)
def test_operators_of_a_gpu_without_its_activity(name: str, codes: list[str]) -> None:
    some = one(ops={"rows": op(name, "host", row(1))})
    assert [f.code for f in NO_DEVICE_EVENTS.findings(facts([some]))] == codes
