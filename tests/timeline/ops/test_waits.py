"""Which ops only wait."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import Op, device_waits_of
from tensorboard_perfplugin.timeline.ops.waits import host_waits
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline


def test_who_asks_for_input_waits_only_where_no_iterator_is_seen_to() -> None:
    """What an `IteratorGetNext` does beside its iterators is to call them."""
    get, prefetch = Op("a", "IteratorGetNext"), Op("b", "Dataset::Prefetch")
    assert host_waits((get,)).tolist() == [True]
    assert host_waits((get, prefetch)).tolist() == [False, True]


@pytest.mark.parametrize(
    ("type", "waits"),
    [
        ("Dataset::Prefetch", True),
        ("Dataset::ParallelMapV2", True),
        ("Dataset::MapAndBatch", True),
        ("Dataset::ParallelInterleaveV4", True),
        ("Dataset::ParseExample", True),
        ("Dataset::Map", False),
        ("Dataset::BatchV2", False),
        ("Dataset::Root", False),
        ("CollectiveReduceV2", False),
        ("MatMul", False),
    ],
)
def test_iterators_that_hand_over_what_others_prepare_wait(type: str, waits: bool) -> None:
    assert host_waits((Op("a", type),)).tolist() == [waits]


def test_tensorflow_s_generator_fetches_and_a_user_s_works() -> None:
    """Seen: `Iterator::Prefetch::Generator`, which asks a host's pipeline for elements, as the op that works most."""
    names = (
        "Iterator::Prefetch::Generator",
        "Iterator::Root::FlatMap[0]::Generator",
        "Iterator::Root::FlatMapV2::Generator",
    )
    assert host_waits(tuple(Op(name, "Dataset::Generator") for name in names)).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("name", "stats", "waits"),
    [
        ("%copy-done.4 = f32[8]{0} copy-done(%x)", {}, True),
        ("all-gather-done", {}, True),
        ("%ppermute = f32[8]{0} fusion()", {"hlo_category": "collective-permute-done"}, True),
        ("%infeed = f32[8]{0} infeed()", {"hlo_category": "infeed"}, True),
        ("%copy-start.4 = (f32[8]{0}) copy-start(%x)", {"hlo_category": "copy-start"}, False),
        ("%all-reduce = f32[8]{0} all-reduce(%x)", {"hlo_category": "all-reduce"}, False),
        ("%fusion = f32[8]{0} fusion(%copy-done.4)", {}, False),
        # An annotated op is told by its category, not by the annotation.
        ("%x-done = f32[8]{0}", {"tf_op": "jit(f)/ppermute:", "hlo_category": "async-done"}, True),
    ],
)
def test_a_core_waits_in_the_ends_of_copies_and_collectives(
    name: str, stats: dict[str, StatValue], waits: bool
) -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    tpu.kind(name, stats=stats, key=1)
    tpu.line(3, "XLA Ops").event(1, 0, 10)
    assert [column.tolist() for column in device_waits_of(timeline(space))] == [[waits], [True]]


def test_what_a_kernel_waits_for_is_unknown() -> None:
    space = Space()
    space.plane("/device:GPU:0").line(7, "Stream #7(Compute)").event("ncclAllReduce", 0, 10)
    assert [column.tolist() for column in device_waits_of(timeline(space))] == [[False], [False]]
