"""Steps as the trace draws them, and several hosts on one axis: whole tables of small captures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.trace_viewer import window as trace_steps
from tests.build_capture import Space, Uint
from tests.trace.test_viewer import NS, ask, opened, rows

MS = 10**9


def training(host: str, wrong_ps: int, start_ns: int = NS, steps: int = 12) -> Timeline:
    """Steps of 10 ms, each with a collective that ends on all hosts at once; `wrong_ps` is what its clock is ahead."""
    space = Space()
    python = space.plane("/host:CPU").line(1, "python", timestamp_ns=start_ns)
    stream = space.plane("/device:GPU:0").line(7, "Stream #7", timestamp_ns=start_ns)
    for i in range(steps):
        at = wrong_ps + (5 + 10 * i) * MS
        python.event("train", at, 9 * MS, stats={"step_num": i + 100, "_r": 1})
        stream.event("ncclDevKernel_AllReduce_Sum_f32", at + 6 * MS, 2 * MS)
    space.plane("Task Environment", stats={"profile_start_time": Uint(start_ns)})
    return opened(space, host)


def test_steps_of_one_host() -> None:
    answer = ask(training("h", 0, steps=2), list_steps="true")
    assert list(answer.result.tables) == ["steps", "hosts"]
    assert rows(answer, "steps", "host", "number", "name", "start_ps", "duration_ps", "track") == [
        ("h", 100, "train 100", 5 * MS, 10 * MS, 0),
        ("h", 101, "train 101", 15 * MS, 9 * MS, 0),
    ]
    assert answer.result.summary["steps_rows"] == 2


def test_many_steps_are_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_steps, "STEPS_MAX", 8)
    answer = ask(training("a", 0), training("b", 0), list_steps="true")
    assert [host for (host,) in rows(answer, "steps", "host")] == ["a"] * 4 + ["b"] * 4
    assert answer.result.summary["steps_rows"] == 24


def test_clocks_that_differ_are_told_and_corrected_where_asked() -> None:
    a, b = training("a", 0), training("b:1", 3 * MS)
    told = ask(a, b, list_steps="true")
    clock = "12 ends of collectives, 95 % within 0 ns"
    first = ("a", 0, str(NS), 0, 0, None, "the clock that the others are compared with")
    assert rows(told, "hosts") == [first, ("b:1", 0, str(NS), 0, 3 * MS, 0, clock)]
    assert told.result.summary["shifts"] == ""
    corrected = ask(a, b, align="collectives")
    assert rows(corrected, "hosts") == [first, ("b:1", -3 * MS, str(NS), -3 * MS, 3 * MS, 0, clock)]
    assert corrected.result.summary["shifts"] == "b%3A1:-3000000000"
    assert [f.title for f in corrected.result.findings] == [
        (
            "Hosts are drawn with corrected clocks: the clocks of a and b:1 differ by 3 ms ± 0 ns, estimated from 12 "
            "ends of collectives"
        )
    ]
    ends = {s + d for t, s, d in rows(corrected, "slices", "track", "start_ps", "duration_ps") if d == 2 * MS}
    assert len(ends) == 12


def test_later_questions_give_the_correction_back() -> None:
    a, b = training("a", 0), training("b", 3 * MS)
    summary = ask(a, b, align="collectives").result.summary
    again = {"origin_ns": summary["origin_ns"], "shifts": summary["shifts"]}
    window = ask(a, b, start_ps=5 * MS, end_ps=6 * MS, tracks="0", **again)
    assert rows(window, "slices", "start_ps") == [(0,), (0,)]
    row = dict(rows(ask(a, b, event="b:0", **again), "event", "key", "value"))
    assert row["start_ps"] == str(5 * MS)
    assert rows(ask(a, b, search="train", **again), "hits", "host", "start_ps")[:2] == [("a", 5 * MS), ("b", 5 * MS)]
    assert rows(ask(a, b, list_steps="true", **again), "steps", "host", "start_ps")[12] == ("b", 5 * MS)
    assert (
        ask(a, b, area="true", start_ps=5 * MS, end_ps=6 * MS, tracks="0", **again).result.summary["area_events"] == 2
    )


def test_a_host_without_steps_keeps_its_clock_and_says_so() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "t", timestamp_ns=NS).event("e", 0, 100)
    space.plane("Task Environment", stats={"profile_start_time": Uint(NS)})
    answer = ask(training("a", 0), opened(space, "b"), align="collectives")
    assert rows(answer, "hosts", "host", "clock_ps", "clock")[1] == ("b", None, "no step was found on it")
    assert [(f.code, f.params) for f in answer.result.findings] == [
        ("clocks_not_corrected", {"hosts": 1, "reason": None})
    ]


@pytest.mark.parametrize(
    "shifts", ["a", "a:", "a:x", ":5", "a:1,,", f"a:{10**19}", f"a:{(1 << 62) - 1}", "x" * 200_000]
)
def test_shifts_that_are_none(shifts: str) -> None:
    with pytest.raises(ArgumentError, match="shifts"):
        ask(training("a", 0), shifts=shifts)


BROKEN = Path(__file__).parents[1] / "samples" / "broken_tail"
US = 1_000_000


def test_damage_is_told_with_the_tracks_and_not_again_with_each_window() -> None:
    [path] = BROKEN.rglob("*.xplane.pb")
    timeline = Timeline(decode.read(str(path)), "trainer")
    first = ask(timeline).result.findings
    assert [(f.severity, f.title) for f in first] == [
        ("warning", "The file of trainer is damaged: how much it lacks cannot be known"),
        ("note", "1 of 1,929 events in the files could not be shown"),
    ]
    assert first[0].detail.startswith("At byte 67338: the data ends")
    assert ask(timeline, tracks="0-3", start_ps=0, end_ps=US).result.findings == ()


def called(times: int) -> Timeline:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for i in range(times):
        line.event("PjitFunction(dot)", i * 100 * US, 18 * US)
    return opened(space)


def test_steps_that_are_a_guess_say_so() -> None:
    answer = ask(called(18), list_steps=True).result
    [note] = answer.findings
    assert note.severity == "note"
    assert note.title.startswith("Steps are a guess, by repeated calls: `PjitFunction(dot)` was called 18 times")
    told = [answer.summary[name] for name in ("step_rule", "step_rule_title", "step_confidence")]
    assert told == ["calls", "repeated calls", "guess"]
    assert note.title.endswith(str(answer.summary["step_evidence"]))


def test_without_steps_the_reason_stands_there() -> None:
    answer = ask(called(1), list_steps=True)
    assert answer.result.summary["step_rule"] is None
    assert answer.result.unknown["step_rule"].startswith("none of these was found: ")
    assert ask(called(1)).result.unknown["step_rule"] == "no list of steps was asked for"
