"""pod_viewer: whole answers on hosts that train together, the straggler and why it is one, windows of long runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from msgspec.structs import replace

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.hosts.workers import pod, straggler
from tensorboard_perfplugin.analysis.steps.means import HostSteps
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX, Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER, _bottlenecks
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.answered import combined
from tests.tools.host_steps import host, steps
from tests.tools.sync_training import MS, Device, captures

LAGS = "Compared by step time excluding exposed communication: what a worker needs until it meets the others."
FAST = Device([MS] * 6, [20 * MS] * 6)


def ask(parts: Sequence[HostSteps], **options: str) -> Answer:
    return combined(POD_VIEWER, parts, [p.host for p in parts], options)


def trained(hosts: Mapping[str, Sequence[Device]], clock_ms: Mapping[str, int] = {}) -> Answer:
    spaces = zip(hosts, captures(hosts, clock_ms, first=5), strict=True)
    return ask([of_host(timeline(space, name)) for name, space in spaces])


def of_host(of: Timeline) -> HostSteps:
    part: HostSteps = POD_VIEWER.per_host(of, POD_VIEWER.parse({}))
    part.split.check()
    return part


def shown(answer: Answer, table: str, *columns: str) -> list[tuple[object, ...]]:
    cells = answer.to_dict()["tables"][table]["columns"]
    return list(zip(*(cells[c] for c in columns), strict=True))


def codes(answer: Answer) -> list[str]:
    return [f.code for f in answer.result.findings]


def titles(answer: Answer) -> list[str]:
    return [f.title for f in answer.result.findings]


def first(answer: Answer, *params: str) -> tuple[object, ...]:
    """Code and some parameters of the page's answer."""
    found = answer.result.findings[0]
    return found.code, *(found.params[name] for name in params)


def test_the_straggler_behind_an_all_reduce_waits_for_its_input() -> None:
    """All take 28 ms a step, since all wait in the all-reduce; only w2 needs 26 ms, the others 22 ms."""
    answer = trained({"w0": [FAST], "w1": [FAST], "w2": [Device([5 * MS] * 6, [20 * MS] * 6)]}, {"w1": 37})
    assert answer.result.summary == {
        "hosts_with_steps": 3,
        "device_worker_count": 3,
        "worker_count": 3,
        "step_count": 6,
        "common_step_count": 6,
        "step_time_ms": 28.0,
        "step_time_typical_ms": 28.0,
        "slow_step_count": 0,
        "step_rule": "markers",
        "step_rule_title": "the program's own step markers",
        "step_confidence": "certain",
        "step_evidence": "6 `train` events mark a step to the profiler",
        "skew_ms": 4.0,
        "skew_share": pytest.approx(4 / 28),
        "straggler": "w2/GPU:0",
        "straggler_share": 1.0,
        "lost_ms": pytest.approx(8 / 3),
        "compared_by": LAGS[12:-1],
        "aligned": "by the program's step numbers; 6 of 6 are on all hosts",
        "clock_offset_ms": 37.0,
        "clock_error_ms": 0.0,
        "clocks": "the clocks of w0 and w1 differ by 37 ms ± 0 ns, estimated from 6 ends of collectives",
        "shown_count": 6,
        "shown_first": 0,
    }
    columns = ("worker", "mean_ms", "work_ms", "lag_ms", "times_slowest", "clock_offset_ms", "bottleneck")
    assert shown(answer, "workers", *columns) == [
        ("w0/GPU:0", 28.0, 22.0, 0.0, 0, 0.0, "Compute 16-bit"),
        ("w1/GPU:0", 28.0, 22.0, 0.0, 0, 37.0, "Compute 16-bit"),
        ("w2/GPU:0", 28.0, 26.0, 4.0, 5, 0.0, "Compute 16-bit"),
    ]
    parts = ("compute_16bit_ms", "collective_ms", "input_wait_ms", "python_ms")
    assert shown(answer, "workers", *parts) == [(20, 6, 1, 1), (20, 6, 1, 1), (20, 2, 5, 1)]
    assert titles(answer) == [
        (
            "w2/GPU:0 is the straggler: 26 ms per step excluding exposed communication, 18 % more than the others' "
            "median, slowest in 5 of 5 steps; the others wait 4 ms per step for it"
        ),
        "Input wait makes w2/GPU:0 late: 4 ms per step more than the others' median, 100 % of its lag",
        "The clocks of w0 and w1 differ by 37 ms ± 0 ns, estimated from 6 ends of collectives",
    ]
    late, why, _ = answer.result.findings
    assert (late.tool, late.detail, len(late.evidence)) == ("trace_viewer", LAGS, 5)
    assert late.evidence[0].host == "w2"
    assert (late.evidence[0].start_ps, late.evidence[0].end_ps) == (1 * MS, 29 * MS)
    assert why.tool == "input_pipeline"


def test_the_steps_of_the_workers_are_as_the_trace_has_them() -> None:
    answer = trained({"w0": [FAST], "w1": [FAST]}, {"w1": 37})
    assert shown(answer, "steps", "step", "name", "worker", "start_ms", "duration_ms", "cut", "work_ms")[:3] == [
        (5, "train 5", "w0/GPU:0", 1.0, 24.0, "", 22.0),
        (5, "train 5", "w1/GPU:0", 38.0, 24.0, "", 22.0),
        (6, "train 6", "w0/GPU:0", 25.0, 24.0, "", 22.0),
    ]
    assert shown(answer, "steps", "host_start_ms")[:3] == [(1.0,), (1.0,), (25.0,)]
    parts = np.array(shown(answer, "steps", *(f"{c.key}_ms" for c in CATEGORIES)))
    assert parts.sum(axis=1).tolist() == [24.0] * 10 + [23.0] * 2


def test_one_slow_device_of_a_host_is_named() -> None:
    answer = trained({"w0": [FAST, FAST], "w1": [FAST, Device([MS] * 6, [22 * MS] * 6)]})
    assert first(answer, "worker", "devices", "work", "wait") == (
        "straggler.collectives",
        "w1/GPU:1",
        None,
        24 * MS,
        2 * MS,
    )
    why = answer.result.findings[1]
    assert (why.code, why.params["category"], why.params["more"]) == ("straggler_cause", "compute", 2 * MS)


def test_a_host_whose_devices_are_all_late_is_named_as_a_host() -> None:
    """Which of its devices is the slowest changes from step to step: none of them is to blame."""
    slow = [Device([6 * MS] * 6, [(20 + (i + d) % 2) * MS for i in range(6)]) for d in range(2)]
    answer = trained({"w0": [FAST, FAST], "w1": [FAST, FAST], "w2": slow})
    assert answer.result.summary["straggler"] == "w2"
    assert first(answer, "worker", "devices", "work") == ("straggler.collectives", "w2", 2, 28 * MS)
    assert titles(answer)[0].startswith("w2, with all its 2 devices, is the straggler: 28 ms per step excluding")
    [why] = (found for found in answer.result.findings if found.code == "straggler_cause")
    assert (why.params["category"], why.params["more"]) == ("input_wait", 5 * MS)


def test_one_host_with_a_slow_device() -> None:
    answer = trained({"w0": [FAST, FAST, Device([MS] * 6, [30 * MS] * 6)]})
    assert answer.result.summary["straggler"] == "w0/GPU:2"
    assert answer.result.unknown["clock_offset_ms"] == "the steps are of one host"


def test_devices_without_collectives_are_compared_by_what_they_do() -> None:
    """What the host does while a device idles is no work of the device."""
    parts = {"GPU:0": {"compute_16bit": [2.0] * 3, "runtime": [8.0] * 3}, "GPU:1": {"compute_16bit": [3.0] * 3}}
    answer = ask([host("a", steps([0, 10, 20], 30), parts_ms=parts)])
    assert shown(answer, "workers", "worker", "work_ms", "times_slowest") == [("a/GPU:0", 2.0, 0), ("a/GPU:1", 3.0, 2)]
    assert titles(answer)[0] == (
        "a/GPU:1 is the straggler: 3 ms of compute and copies per step, 50 % more than the other's, slowest in 2 of 2 "
        "steps; slowest and fastest are 1 ms per step apart"
    )


@pytest.mark.parametrize(
    ("slow_ms", "more"), [(4.99, {"more": pytest.approx(3.99)}), (5, {"times": 5}), (9, {"times": 9})]
)
def test_a_straggler_of_five_times_the_others_is_counted_in_times(slow_ms: float, more: dict[str, object]) -> None:
    answer = ask([host("a", steps([0, 1, 2], 3)), host("b", steps([0, slow_ms, 2 * slow_ms], 3 * slow_ms))])
    found = answer.result.findings[0]
    assert found.code == "straggler.hosts"
    assert {name: found.params[name] for name in ("times", "more") if name in found.params} == more


@pytest.mark.parametrize(("more_ms", "code"), [(0.98, "no_straggler"), (1.02, "slowest_worker_changes")])
def test_steps_that_differ_by_a_twentieth_are_uneven(more_ms: float, code: str) -> None:
    """By turns one of two hosts takes longer for a step of about 20 ms."""
    begins = [[0.0], [0.0]]
    for i in range(8):
        for host_, begin in enumerate(begins):
            begin.append(begin[-1] + 20 - more_ms / 2 + more_ms * ((i + host_) % 2))
    answer = ask([host(name, steps(begin[:-1], begin[-1])) for name, begin in zip("ab", begins, strict=True)])
    assert codes(answer)[0] == code


def test_stragglers_that_change_are_another_sentence() -> None:
    """Each step another worker has more to compute: data that differ, no worker that is slow."""
    uneven = [Device([MS] * 6, [(20 + 4 * (i % 3 == d)) * MS for i in range(6)]) for d in range(3)]
    answer = trained({f"w{d}": [device] for d, device in enumerate(uneven)})
    assert answer.result.unknown["straggler"] == "no worker stands out from step to step"
    assert first(answer, "skew", "worker", "times", "steps") == (
        "slowest_worker_changes",
        4 * MS,
        "w0/GPU:0",
        2,
        5,
    )


def test_workers_that_keep_pace() -> None:
    answer = trained({"w0": [FAST], "w1": [FAST]}, {"w1": 37})
    assert first(answer, "workers", "skew", "share") == ("no_straggler", 2, 0, 0)


def test_hosts_of_500_and_800_us_without_collectives_are_compared_by_their_steps() -> None:
    """Others lost all steps of such hosts."""
    answer = ask([host("a", steps([0, 0.5, 1], 1.5)), host("b", steps([0, 0.8, 1.6], 2.4))])
    assert shown(answer, "workers", "worker", "device", "mean_ms", "work_ms", "times_slowest") == [
        ("a", "", 0.5, 0.5, 0),
        ("b", "", 0.8, 0.8, 2),
    ]
    assert first(answer, "worker", "work", "skew") == ("straggler.hosts", "b", 0.8 * MS, 0.3 * MS)
    assert answer.result.findings[0].params["more"] == pytest.approx(0.6)
    assert shown(answer, "steps", "step", "worker", "start_ms", "duration_ms")[:4] == [
        (0, "a", 0.0, 0.5),
        (0, "b", 0.0, 0.8),
        (1, "a", 0.5, 0.5),
        (1, "b", 0.8, 0.8),
    ]


def test_a_share_is_of_a_step_at_most() -> None:
    """Of steps of 1, 1 and 100 ms the mean is 34 ms: the straggler is late by nearly three of them."""
    answer = ask([host(name, steps([0, ms, 2 * ms], 3 * ms)) for name, ms in (("a", 1), ("b", 1), ("c", 100))])
    assert first(answer, "worker", "work") == ("straggler.hosts", "c", 100 * MS)
    assert answer.result.findings[0].share == 1


def test_a_coordinator_without_steps_is_named() -> None:
    answer = ask([host("coordinator", steps([], 0)), host("a", steps([0, 1, 2], 3)), host("b", steps([0, 1, 2], 3))])
    assert answer.result.summary["hosts_with_steps"] == 2
    assert [f.params["names"] for f in answer.result.findings if f.code == "hosts_without_steps"] == [("coordinator",)]


def test_a_single_worker_has_its_bar() -> None:
    answer = ask([host("vm", steps([0, 2, 4], 6))])
    assert [(f.code, f.params) for f in answer.result.findings] == [
        ("single_worker", {"worker": "vm", "step_time": 2 * MS})
    ]
    assert shown(answer, "workers", "worker", "mean_ms", "lag_ms", "python_ms") == [("vm", 2.0, None, 2.0)]


@pytest.mark.parametrize("hosts", [[], ["a"], ["a", "b"]])
def test_no_steps(hosts: list[str]) -> None:
    answer = ask([host(name, steps([], 0)) for name in hosts])
    reason = "the capture holds no step" if hosts else "the run has no hosts"
    assert codes(answer) == ["no_steps_to_compare"]
    assert answer.result.findings[0].detail == f"{reason}."
    assert shown(answer, "workers", "worker") == shown(answer, "steps", "worker") == []


def test_hosts_with_different_steps_are_all_shown() -> None:
    answer = ask([host(h, steps([0, 1, 2], 3, range(i, i + 3)), i) for i, h in enumerate("abc")])
    assert [step for step, *_ in shown(answer, "steps", "step", "worker")] == [0, 1, 1, 2, 2, 2, 3, 3, 4]


def test_no_step_in_common_cannot_be_compared() -> None:
    answer = ask([host("a", steps([0, 1], 2, [0, 1])), host("b", steps([0], 1, [1])), host("c", steps([0], 1, [9]))])
    [found] = (found for found in answer.result.findings if found.code == "no_common_step")
    assert (found.severity, found.params["workers"]) == ("info", 3)


def test_of_hosts_that_are_slowest_together_none_is_the_straggler() -> None:
    """The first shares no step with another; the other two take equally long."""
    far = host("a", steps([0, 1, 2], 3, range(3)))
    near = [host(name, steps([9, 10, 11], 12, range(7, 10)), i) for i, name in enumerate("bc")]
    answer = ask([far, *near])
    assert answer.result.summary["straggler"] is None
    assert codes(answer)[0] == "no_straggler"


def test_a_host_that_shares_no_step_is_left_out_of_who_is_late() -> None:
    far = host("a", steps([0, 10, 20], 30, range(3)))
    begins = {"b": [90, 104, 114, 124], "c": [90, 100, 114, 124], "d": [90, 100, 110, 124]}
    near = [host(name, steps(begin, 134, range(7, 11))) for name, begin in begins.items()]
    assert codes(ask([far, *near]))[0] == "slowest_worker_changes"


def test_one_capture_under_two_names_is_said() -> None:
    part = host("a", steps([0, 1, 2], 3))
    answer = ask([part, host("b", part.split.steps)])
    same = [f.params for f in answer.result.findings if f.code == "workers_of_one_capture"]
    assert same == [{"one": "a", "other": "b", "more": None}]


def test_many_copies_are_one_sentence_and_ranks_are_no_copies() -> None:
    part = host("h0", steps([0, 1, 2], 3))
    several = [replace(part, host=f"h{i}") for i in range(64)]
    same = [f.params for f in ask(several).result.findings if f.code == "workers_of_one_capture"]
    assert same == [{"one": "h0", "other": "h1", "more": 62}]
    ranks = [replace(one, rank=i) for i, one in enumerate(several)]
    assert "workers_of_one_capture" not in codes(ask(ranks))


def test_sentences_name_ranks_as_the_rows_do() -> None:
    a, b, c = host("a", steps([0, 10, 20], 30)), host("b", steps([0, 10, 20], 30), start_ms=5), host("c", steps([], 0))
    answer = ask([replace(one, rank=7 - i) for i, one in enumerate((a, b, c))])
    clocks = "the clocks of rank 7 and rank 6 differ by 5 ms ± 0 ns, estimated from 3 begins of steps"
    assert answer.result.summary["clocks"] == clocks
    assert [f.params["names"] for f in answer.result.findings if f.code == "hosts_without_steps"] == [("rank 5",)]
    assert str(answer.result.summary["aligned"]).endswith("without steps, and left out: rank 5")


def test_devices_of_one_name_stay_apart() -> None:
    part = host("a", steps([0, 1, 2], 3), parts_ms={"GPU:0": {}, "GPU:1": {}})
    twice = part.split.units[0]._replace(name="/device:GPU:1")
    structs.force_setattr(part.split, "units", (twice, part.split.units[1]))
    assert shown(ask([part]), "workers", "worker") == [("a/GPU:1",), ("a/GPU:1 (2)",)]


@pytest.mark.parametrize(
    ("hosts", "options", "first", "count"),
    [
        ("a", {}, 100, 17),
        ("ab", {}, 100, 8),
        ("ab", {"step": "150", "step_count": "2"}, 150, 2),
        ("ab", {"step": "250"}, 299, 1),
        ("ab", {"step": "300"}, None, 0),
    ],
)
def test_windows_of_a_long_run(
    monkeypatch: pytest.MonkeyPatch, hosts: str, options: dict[str, str], first: int | None, count: int
) -> None:
    """Numbers 100 to 199, and 299: 17 steps of one worker, or eight of two, fit into 17 rows."""
    monkeypatch.setattr("tensorboard_perfplugin.tools.pod_viewer.ROWS", 17)
    numbers = [*range(100, 200), 299]
    answer = ask([host(h, steps(range(101), 101, numbers)) for h in hosts], **options)
    got = list(dict.fromkeys(step for step, _ in shown(answer, "steps", "step", "worker")))
    assert got[:1] == ([] if first is None else [first])
    assert answer.result.summary["shown_count"] == len(got) == count
    last = answer.result.findings[-1]
    assert (last.code, last.params) == ("worker_steps_cut", {"shown": count, "steps": 101})


def test_several_slow_workers_are_named_together() -> None:
    n = 10
    slow = [5.0] * n
    parts = {f"GPU:{i}": {"compute_16bit": slow, "collective": [2.0 - (i == 3)] * n} for i in range(4)}
    made = [host(h, steps(range(0, 10 * n, 10), 10 * n, range(n)), parts_ms=parts) for h in "ab"]
    answer = ask(made)
    assert first(answer, "slow", "workers", "names", "skew") == (
        "several_slow_workers",
        2,
        8,
        ("a/GPU:3", "b/GPU:3"),
        MS,
    )
    assert len(shown(answer, "steps", "worker")) == 80


def test_a_straggler_among_a_thousand_hosts() -> None:
    many = [
        host(f"w{i}", steps([0, 10, 20], 30), parts_ms={"GPU:0": {"collective": [1.0 if i == 700 else 2.0] * 3}})
        for i in range(1000)
    ]
    found = straggler(pod(many))
    assert found is not None
    assert (found.name, found.late_ps, found.last, found.steps) == ("w700/GPU:0", MS, 2, 2)


def test_real_captures_give_whole_pages(shared_captures: Path) -> None:
    for run in ("remote_multi", "tfprofiler-demo-gpu-multi-worker", "xprof-tpu-inference-2", "mirrored"):
        files = sorted((shared_captures / "xplane" / run).rglob("*.xplane.pb"))
        parts = [of_host(Timeline(decode.read(str(f)), f.name)) for f in files]
        answer = ask(parts)
        assert answer.result.summary["step_count"], run


def test_the_clocks_of_the_sample_of_two_hosts() -> None:
    """Its kernels take random times on each host, so that the ends of its three all-reduces differ by up to 0.1 ms."""
    files = sorted((Path(__file__).parents[2] / "samples" / "two_hosts").rglob("*.xplane.pb"))
    answer = ask([of_host(Timeline(decode.read(str(f)), f.name)) for f in files])
    assert answer.result.summary["clock_offset_ms"] == pytest.approx(37, abs=0.1)
    assert answer.result.summary["clock_error_ms"] == pytest.approx(0.084, abs=0.001)


def test_steps_are_chosen() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for i in range(4):
        line.event("mine", i * 2 * MS, MS)
    chosen = POD_VIEWER.parse({"steps_from": "mine"})
    answer = ask([POD_VIEWER.per_host(timeline(space), chosen)])
    assert answer.result.summary["step_count"] == 4


def test_a_capture_and_its_copy_are_not_compared() -> None:
    """It said of one capture under two names that slowest and fastest are 0 ns apart."""
    parts = {"GPU:0": {"compute_16bit": [2.0, 2.0]}, "GPU:1": {"compute_16bit": [3.0, 3.0]}}
    part = host("a", replace(steps([0, 10], 20), lane=np.array([0, 1], np.int32)), parts_ms=parts)
    of_each = replace(part.split, lanes=(0, 1))
    copies = ask([replace(part, split=of_each), replace(part, host="b", split=of_each)])
    assert codes(copies)[0] == "workers_of_one_capture"
    assert copies.result.summary["skew_ms"] is None
    assert copies.result.unknown["skew_ms"] == "no step is of two workers whose captures differ"


def test_what_takes_most_of_a_step_counts_all_precisions_of_compute() -> None:
    of = {"compute_16bit": 3.0, "compute_32bit": 4.0, "idle": 5.0}
    row = np.array([[of.get(category.key, 0.0) for category in CATEGORIES]])
    assert [title.code for title in _bottlenecks(row)] == ["category.compute_32bit"]
    row[0, INDEX["idle"]] = 7.5
    assert [title.code for title in _bottlenecks(row)] == ["category.idle"]
