"""Two built programs → by what a change of their step is named: what works, not what waits for it or is around it."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.compare.sides import US, compared


def parts(answer: Answer) -> list[tuple[str, object]]:
    found = answer.result.findings[0].params["parts"]
    assert isinstance(found, tuple)
    return [(each.code.rpartition(".")[2], each.params.get("name")) for each in found if isinstance(each, Message)]


def title(answer: Answer) -> str:
    return answer.result.findings[0].title


def fed(waited_us: int, function: str = "", mapped_us: int | None = None) -> Timeline:
    """Each step waits for a prefetched element, for which the function of a map works ahead on another thread, as long
    unless `mapped_us`. function: of Python, that the wait shows."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, maker = plane.line(1, "python"), plane.line(2, "tf_data_iterator_get_next/1")
    step_us = waited_us + 20
    for number in range(13):
        at = number * step_us * US
        python.event("train", at, (step_us - 5) * US, {"step_num": number, "_r": 1})
        python.event("TFE_Py_FastPathExecute_C", at, (waited_us + 4) * US)
        python.event("Iterator::Root::Prefetch", at + US, waited_us * US)
        if function:
            python.event(function, at + 2 * US, (waited_us - 2) * US)
        maker.event("Iterator::Root::Prefetch::Map", at, (mapped_us or waited_us) * US)
        python.event("dense/MatMul:MatMul", at + (waited_us + 5) * US, 5 * US)
    return timeline(space, "h")


def test_the_stage_that_works_is_named_not_those_that_wait_for_it() -> None:
    """As of a map that takes 13 ms longer: `Iterator::Root::Prefetch`, and calls of Python around it, were named."""
    answer = compared([fed(10)], [fed(60)])
    assert rows_of(answer, "ops", "name")[0] == ("Iterator::Root::Prefetch",)
    assert parts(answer) == [("stage", "Iterator::Root::Prefetch::Map")]
    # Of 13 steps each has one element.
    assert "input wait 50 µs more, for which `Iterator::Root::Prefetch::Map` works 50 µs more" in title(answer)


@pytest.mark.parametrize(
    ("mapped_us", "name"), [(35, "Iterator::Root::Prefetch::Map"), (34, "Iterator::Root::Prefetch")]
)
def test_a_stage_accounts_for_half_of_the_wait_or_more(mapped_us: int, name: str) -> None:
    """The wait takes 50 µs more, the map's function 25 or 24."""
    assert [named for _, named in parts(compared([fed(10)], [fed(60, mapped_us=mapped_us)]))][:1] == [name]


def test_what_works_within_the_wait_is_named() -> None:
    function = "$pictures.py:12 decode"
    assert parts(compared([fed(10, function)], [fed(60, function)])) == [("op", function)]


def executed(ops: int, between_us: int, around: str = "ExecutorState::Process") -> Timeline:
    """Ops of 10 µs one after another on a thread, and between them so long of what runs them."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_Compute/1")
    step_us = ops * (10 + between_us) + 10
    for number in range(13):
        at = number * step_us * US
        python.event("train", at, (step_us - 5) * US, {"step_num": number, "_r": 1})
        pool.event(around, at, (step_us - 10) * US)
        for i in range(ops):
            pool.event("while/MatMul:MatMul", at + i * (10 + between_us) * US, 10 * US)
    return timeline(space, "h")


def test_what_runs_ops_is_named_only_where_these_account_for_less() -> None:
    """Ten times the ops, 90 µs: what runs them takes 45 µs more, too. Of the same ops it alone takes longer."""
    assert parts(compared([executed(1, 5)], [executed(10, 5)])) == [("op", "while/MatMul")]
    assert parts(compared([executed(5, 5)], [executed(5, 20)])) == [("op", "ExecutorState::Process")]


def split(us: int, op: str = "Svd:Svd", within: str = "ParallelFor") -> Timeline:
    """An op, and what runs it, on one thread."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_Compute/1")
    for number in range(13):
        at = number * (us + 20) * US
        python.event("train", at, (us + 15) * US, {"step_num": number, "_r": 1})
        pool.event(op, at, (us + 10) * US).event(within, at + US, us * US)
    return timeline(space, "h")


@pytest.mark.parametrize(
    ("op", "within"), [("Svd:Svd", "ParallelFor"), ("EagerLocalExecute: Svd", "KernelAndDeviceFunc::Run")]
)
def test_what_a_runtime_does_within_an_op_is_the_op(op: str, within: str) -> None:
    answer = compared([split(10, op, within)], [split(60, op, within)])
    assert parts(answer) == [("op", "Svd")]
    [row] = [row for row in rows_of(answer, "ops", "name", "change_ms", "new_times", digits=6) if row[0]]
    assert row == ("Svd", 0.05, 1)
