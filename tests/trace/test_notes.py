"""What the trace says of itself: that its file is damaged, and that its steps are a guess."""

from __future__ import annotations

from pathlib import Path

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline import Timeline
from tests.build_capture import Space
from tests.trace.test_viewer import ask, opened

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
