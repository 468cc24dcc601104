"""What comes before what in a pipeline, from its events."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.input import Stage
from tensorboard_perfplugin.analysis.tf_data import HostTfData, cores, mapped_singly, sharded_late, shuffled
from tensorboard_perfplugin.analysis.tf_data.order import element_bytes
from tensorboard_perfplugin.analysis.tf_data.partial import host_tf_data
from tensorboard_perfplugin.analysis.tf_data.run import whole
from tensorboard_perfplugin.tools.tf_data import TF_DATA
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools import host_steps
from tests.tools.pipelines import call, host


def look(space: Space) -> HostTfData:
    return host_tf_data(timeline(space), TF_DATA.parse({}))


def test_settings_are_those_of_events() -> None:
    """A shard of four behind a map; a shuffle of 300 images, of which 200 are there."""
    space = Space()
    python = host(space)[0]
    image = {"shapes": "[28,28] []", "types": "float int64"}
    call(python, "Root", 0, 20, cpu_budget=16, **image)
    call(python, "Root::Shuffle", 1, 19, buffer_size=300, buffered_elements=200, **image)
    call(python, "Root::Shuffle::Shard", 2, 18, num_shards=4, index=1, **image)
    call(python, "Root::Shuffle::Shard::Map", 3, 17, shapes="[28,28] []", types="float int64")
    call(python, "Root::Shuffle::Shard::Map::TFRecord", 4, 10, shapes="<unknown>", types="string")
    [one] = look(space).pipelines
    assert cores(one.stages) == 16
    [late] = sharded_late(one.stages)
    assert (late.shards, late.made.type, late.made_ps) == (4, "Map", 14e9)
    [found] = shuffled(one.stages)
    each = 28 * 28 * 4 + 8
    assert (found.element_bytes, found.before_bytes, found.held, found.held_bytes) == (each, 0, 200, 200 * each)
    assert (found.batch, found.made and found.made.type, found.repeats) == (None, "Map", False)
    assert mapped_singly(one.stages) == []


@pytest.mark.parametrize(("parts", "known"), [(80, True), (81, False)])
def test_a_text_of_settings_that_is_cut_is_read_as_none(parts: int, known: bool) -> None:
    """80 types are written in 399 letters."""
    space = Space()
    python = host(space)[0]
    call(python, "Root", 0, 10, id=1, shapes=" ".join(["[]"] * parts), types=" ".join(["bool"] * parts))
    [stage] = look(space).pipelines[0].stages
    assert (element_bytes(stage) == parts) is known


@pytest.mark.parametrize(
    ("shapes", "types", "size"),
    [
        ("[2,3]", "float", 24),
        ("[] [4]", "half complex128", 66),
        ("[]", "string", None),
        ("[?,3]", "float", None),
        ("<unknown>", "float", None),
        ("[2", "float", None),
        ("[2] [3]", "float", None),
        ("[2]", "variant", None),
        ("[1234567890]", "uint8", None),
        ("", "", None),
    ],
)
def test_sizes_of_elements(shapes: str, types: str, size: int | None) -> None:
    stage = Stage("Iterator::Root::Map", "Map", "preprocessing", settings={"shapes": shapes, "types": types})
    assert element_bytes(stage) == size


def test_the_nearest_batch_is_the_one_that_is_shuffled() -> None:
    names = ("Shuffle", "Shuffle::BatchV2", "Shuffle::BatchV2::Map::Batch", "Shuffle::BatchV2::Map")
    [found] = shuffled([Stage(f"Iterator::Root::{name}", name, "preprocessing", count=1) for name in names])
    assert found.batch is not None
    assert found.batch.type == "Shuffle::BatchV2"


def test_five_slow_steps_are_shown() -> None:
    """Of 31 whole steps six take 30 ms, of which 25 wait; the others 10. The last has no end."""
    walls = [10.0] * 25 + [30.0] * 7
    begin = [sum(walls[:i]) for i in range(len(walls) + 1)]
    waits = [25.0 if wall > 10 else 1.0 for wall in walls]
    of = host_steps.host("h", host_steps.steps(begin[:-1], begin[-1]), parts_ms={"": {"input_wait": waits}})
    slow = whole([HostTfData("h", round(begin[-1] * 10**9), of, (), None)], {}).slow
    assert slow is not None
    assert (slow.steps, slow.of, len(slow.places)) == (6, 31, 5)
