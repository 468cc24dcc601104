"""Two built programs, some of whose steps are slow → what their users pay for a step, by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, Condition, judged, quantities
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.compare.sides import compared

MS = 10**9
#: As a program of PyTorch was recorded: 26 ms a step; without a sleep 12 ms, and 307 ms where it collects garbage.
EVEN, EVERY_FOURTH = (26, 27, 26, 25) * 5, (12, 12, 12, 307) * 5


def collecting(*steps_ms: float, usual_ms: float = 40.0) -> Timeline:
    """Steps one after another, in each an op of 10 ms and 1 ms of Python less; what is beyond `usual_ms` is in an event
    of the program. A last step is cut."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_Compute/1")
    at = 0
    for number, ms in enumerate((*steps_ms, 10)):
        python.event("train", at, round((ms - 0.5) * MS), {"step_num": number, "_r": 1})
        pool.event("dense/MatMul:MatMul", at, 5 * MS)
        if ms > usual_ms:
            python.event("collect", at + 20 * MS, round((ms - 30) * MS))
        at += round(ms * MS)
    return timeline(space, "h")


def verdict(answer: Answer) -> tuple[object, object]:
    return answer.result.summary["verdict"], answer.result.summary["typical_verdict"]


def message(finding: Finding, name: str) -> Message:
    found = finding.params[name]
    assert isinstance(found, Message)
    return found


def messages(of: Message | Finding, name: str) -> Sequence[Message]:
    found = of.params[name]
    assert isinstance(found, tuple)
    return [each for each in found if isinstance(each, Message)]


def state(answer: Answer, condition: str) -> str:
    return judged(Condition.parse(condition), quantities(answer), ()).state


def test_what_every_fourth_step_takes_is_paid() -> None:
    """85.75 ms a step instead of 26, though three of four take 12: it was called 54 % faster."""
    answer = compared([collecting(*EVEN)], [collecting(*EVERY_FOURTH)])
    summary = answer.result.summary
    assert summary["step_time_base_ms"] == pytest.approx(26)
    assert summary["step_time_new_ms"] == pytest.approx((3 * 12 + 307) / 4)
    assert summary["typical_step_new_ms"] == pytest.approx(12)
    assert summary["typical_step_change_ms"] == pytest.approx(-14)
    assert (summary["steps_new"], summary["slow_new"], summary["left_out_new"]) == (20, 5, 1)
    assert verdict(answer) == ("slower", "faster")
    first = answer.result.findings[0]
    assert first.code == "compare.slower"
    typical = message(first, "uneven")
    [slow] = messages(typical, "slow")
    assert (typical.code, slow.code) == ("compare.typical.faster", "compare.slow.every")
    assert (slow.params["side"], slow.params["every"], slow.params["ps"]) == ("B", 4, 307 * MS)
    assert message_code(slow, "category") == "time_in.python"
    assert [part.params["name"] for part in messages(first, "parts")] == ["collect"]
    assert "of B one step in 4 takes 307 ms" in first.title
    conditions = ("step_time > +3 %", "typical_step > +3 %", "typical_step < -3 %", "step_time < -3 %")
    assert [state(answer, each) for each in conditions] == ["failed", "passed", "failed", "passed"]


def message_code(of: Message, name: str) -> str:
    found = of.params[name]
    assert isinstance(found, Message)
    return found.code


def test_slow_steps_that_are_gone_are_no_longer_paid() -> None:
    answer = compared([collecting(*EVERY_FOURTH)], [collecting(*EVEN)])
    assert verdict(answer) == ("faster", "slower")
    assert message(answer.result.findings[0], "uneven").code == "compare.typical.slower"


def test_typical_steps_that_are_as_fast_hide_no_slow_ones() -> None:
    """Typical steps of 12 ms on both sides: that was no change."""
    answer = compared([collecting(*(12,) * 20)], [collecting(*EVERY_FOURTH)])
    assert verdict(answer) == ("slower", "noise")
    assert message(answer.result.findings[0], "uneven").code == "compare.typical.same"
    assert state(answer, "typical_step > +0 %") == "passed"


def test_rows_add_up_to_the_mean_step() -> None:
    answer = compared([collecting(*EVEN)], [collecting(*EVERY_FOURTH)])
    for table in ("categories", "ops"):
        whole = sum(ms for (ms,) in rows_of(answer, table, "new_ms"))
        assert whole == pytest.approx(answer.result.summary["step_time_new_ms"])
    steps = [row for row in rows_of(answer, "steps", "side", "duration_ms", "slow") if row[0] == "new"]
    assert [(ms, slow) for _, ms, slow in steps[:4]] == [(12, False), (12, False), (12, False), (307, True)]


def test_even_steps_have_one_mean() -> None:
    answer = compared([collecting(*EVEN)], [collecting(*(ms + 9 for ms in EVEN))])
    summary = answer.result.summary
    assert summary["step_time_change_ms"] == summary["typical_step_change_ms"] == pytest.approx(9)
    assert "uneven" not in answer.result.findings[0].params


@pytest.mark.parametrize(
    ("first", "later", "left_out"),
    [((2000,), 12, 1), ((2000, 500), 12, 2), ((300,), 300, 0), ((300,), 157, 0), ((300,), 155, 1)],
)
def test_first_steps_are_left_out_unless_they_come_again(first: tuple[int, ...], later: int, left_out: int) -> None:
    """Of 288 ms more than the usual 12 half is 144."""
    answer = compared([collecting(*(12,) * 20)], [collecting(*first, *(12,) * 10, later, *(12,) * 9)])
    summary = answer.result.summary
    assert summary["warm_up_new"] == left_out
    assert summary["left_out_new"] == left_out + 1
    paid = [*first, *(12,) * 10, later, *(12,) * 9][left_out:]
    assert summary["step_time_new_ms"] == pytest.approx(sum(paid) / len(paid))
    sides = [each for each in answer.result.findings if each.code == "compare.warm_up"]
    assert len(sides) == bool(left_out)
    for finding in sides:
        [side] = messages(finding, "sides")
        mean_ps = sum(first) / len(first) * MS
        assert side.params == {"side": "B", "steps": left_out, "ps": pytest.approx(mean_ps)}


def test_a_lone_slow_step_hides_no_change_of_the_others() -> None:
    """One of twenty a side takes 200 ms: the means may be the same, typical steps are not."""
    answer = compared([collecting(*(12,) * 10, 200, *(12,) * 9)], [collecting(*(16,) * 10, 200, *(16,) * 9)])
    summary = answer.result.summary
    assert summary["change_low_ms"] < 0 < summary["change_high_ms"]  # type: ignore[operator]
    assert verdict(answer) == ("slower", "slower")
    first = answer.result.findings[0]
    assert message(first, "uneven").code == "compare.typical.slower"
    assert "low_ps" not in first.params
    assert state(answer, "step_time > +3 %") == "failed"


def test_a_lone_slow_step_is_no_change() -> None:
    answer = compared([collecting(*(12,) * 20)], [collecting(*(12,) * 10, 200, *(12,) * 9)])
    assert verdict(answer) == ("noise", "noise")
    [slow] = messages(message(answer.result.findings[0], "uneven"), "slow")
    assert (slow.code, slow.params["steps"], slow.params["of"]) == ("compare.slow.some", 1, 20)
