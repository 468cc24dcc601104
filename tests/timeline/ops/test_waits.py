"""Which ops only wait, and which end a collective."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.ops import executions
from tensorboard_perfplugin.timeline.ops.executions import collective_ends
from tensorboard_perfplugin.timeline.ops.ops import device_waits_of, host_waits
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline


def test_who_asks_for_input_waits_only_where_no_iterator_is_seen_to() -> None:
    """What an `IteratorGetNext` does beside its iterators is to call them."""
    get, prefetch = Op("a", "IteratorGetNext"), Op("b", "Dataset::Prefetch")
    assert host_waits((get,)).tolist() == [True]
    assert host_waits((get, prefetch)).tolist() == [False, True]


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


def test_of_several_devices_the_first_with_any_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    space.plane("/device:GPU:0", id=1).line(7, "Stream").event("gemm", 0, 5)
    two = space.plane("/device:GPU:1", id=2)
    two.line(7, "Stream #7").event("nccl_AllReduce", 30, 5)
    two.line(8, "Stream #8").event("nccl_AllReduce", 10, 5).event("nccl_AllReduce", 50, 5)
    space.plane("/device:GPU:2", id=3).line(7, "Stream").event("nccl_AllReduce", 70, 5)
    assert collective_ends(timeline(space)).tolist() == [15, 35, 55]
    monkeypatch.setattr(executions, "MAX_ENDS", 2)
    assert collective_ends(timeline(space)).tolist() == [15, 35]


def test_iterators_that_hand_over_what_others_prepare_wait() -> None:
    wait = ["Dataset::Prefetch", "Dataset::ParallelMapV2", "Dataset::MapAndBatch", "Dataset::ParallelInterleaveV4"]
    wait.append("Dataset::ParseExample")
    work = ["Dataset::Map", "Dataset::BatchV2", "Dataset::Root", "CollectiveReduceV2", "MatMul"]
    assert [type for type in wait + work if host_waits((Op("a", type),)).tolist() == [True]] == wait


def ends(plane: str, line: str, *names: str) -> list[str]:
    """Those of which the end is one of a collective."""
    found = []
    for name in names:
        space = Space()
        space.plane(plane).line(7, line).event(name, 10, 5)
        if collective_ends(timeline(space)).tolist() == [15]:
            found.append(name)
    return found


def test_kernels_and_instructions_that_end_a_collective() -> None:
    collectives = [
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long)",
        "ncclKernel_ReduceScatter_RING_LL_Sum_half",
        "void vllm::cross_device_reduce_1stage<float, 2>(vllm::RankData*)",
        "%all-reduce.3 = f32[8]{0} all-reduce(%fusion.1), channel_id=1",
        "all-gather-done.2",
    ]
    others = [
        "%all-reduce-start.3 = f32[8]{0} all-reduce-start(%fusion.1)",  # its `-done` ends it
        "%fusion.3 = f32[8]{0} fusion(%all-reduce.3), kind=kLoop",  # only reads what one made
        "ncclDevKernel_SendRecv(ncclDevComm*)",  # sender and receiver end apart
        "sm80_xmma_gemm_f16f16",
    ]
    assert ends("/device:GPU:0", "Stream", *collectives, *others) == collectives


def test_ops_of_a_host_without_devices_that_end_a_collective() -> None:
    collectives = ["sgd/CollectiveReduceV2:CollectiveReduceV2", "sgd/CollectiveGatherV2:CollectiveGatherV2"]
    collectives += ["grad/NcclAllReduce:NcclAllReduce", "grad/HorovodAllreduce_w:HorovodAllreduce"]
    others = ["all_reduce/Mul:Mul", "sgd/CollectiveBcastSendV2:CollectiveBcastSendV2"]
    assert ends("/host:CPU", "collective_ops", *collectives, *others) == collectives
