"""What is said of time that is in no step."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.steps.verdict import divided, time_outside
from tensorboard_perfplugin.analysis.steps.means import HostSteps, OutOfSteps
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.tables import Evidence
from tensorboard_perfplugin.timeline.split.split import Split, Unit
from tensorboard_perfplugin.timeline.steps.model import none
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX
from tests.advice.rules.steps.cases import MS, means


def outside(**parts_ms: float) -> OutOfSteps:
    by_category = np.zeros(len(CATEGORIES))
    for key, ms in parts_ms.items():
        by_category[INDEX[key]] = ms * MS
    whole = round(by_category.sum())
    return OutOfSteps(whole, whole, by_category, ((5 * MS, 9 * MS),))


@pytest.mark.parametrize(("launch", "named"), [(10, True), (9, False)])
def test_parts_of_one_percent_are_named(launch: float, named: bool) -> None:
    [part] = means([[{"op_compute": 10}] * 3]).parts
    [found] = time_outside([structs.replace(part, out_of_steps=outside(idle=1000 - launch, launch=launch))])
    keys = [message.params["category"] for message in found.params["parts"]]  # type: ignore[union-attr]
    assert keys == [Message("time_in.idle"), *[Message("time_in.launch")] * named]
    assert (found.code, found.severity, found.share) == ("time_in_no_step", "note", 1.0)
    assert found.evidence == (Evidence("h", 5 * MS, 9 * MS),)


def test_five_parts_are_named() -> None:
    [part] = means([[{"op_compute": 10}] * 3]).parts
    parts = outside(idle=60, launch=50, python=40, op_compute=30, copy_in=20, copy_out=10)
    [found] = time_outside([structs.replace(part, out_of_steps=parts)])
    keys = [message.params["category"] for message in found.params["parts"]]  # type: ignore[union-attr]
    assert keys == [Message(f"time_in.{key}") for key in ("idle", "launch", "python", "op_compute", "copy_in")]


def test_it_is_a_warning_where_no_step_is_whole() -> None:
    [part] = means([[{"op_compute": 10}]]).parts
    [found] = time_outside([structs.replace(part, out_of_steps=outside(idle=1000))])
    assert found.severity == "warning"


def test_little_time_beside_steps_is_not_told() -> None:
    assert not list(time_outside(means([[{"op_compute": 10}]]).parts))


def test_without_steps_it_is_said_what_all_of_it_goes_to() -> None:
    part = HostSteps("h", None, no_steps(), out_of_steps=outside(idle=30, launch=10))
    found = divided([part], Finding(code="no_steps", params={"reasons": ()}))
    assert (found.params["span_ps"], found.evidence) == (40 * MS, (Evidence("h", 5 * MS, 9 * MS),))
    shares = [message.params["share"] for message in found.params["parts"]]  # type: ignore[union-attr]
    assert shares == [0.75, 0.25]
    without = Finding(code="no_steps", params={"reasons": ()})
    assert divided([HostSteps("h", None, no_steps())], without) == without


def no_steps() -> Split:
    nothing = np.zeros((1, 0, len(CATEGORIES)), np.int64)
    return Split(none(Message("no_steps.no_events")), (Unit(-1, "h", "cpu"),), nothing, nothing)
