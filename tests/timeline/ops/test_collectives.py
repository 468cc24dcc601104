"""Ends of collectives: which names count, of which device, in order, and how many."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import collective_ends
from tensorboard_perfplugin.timeline.ops import collectives
from tests.build_capture import Space
from tests.timeline.timelines import timeline


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long)", True),
        ("ncclKernel_ReduceScatter_RING_LL_Sum_half", True),
        ("void vllm::cross_device_reduce_1stage<float, 2>(vllm::RankData*)", True),
        ("%all-reduce.3 = f32[8]{0} all-reduce(%fusion.1), channel_id=1", True),
        ("all-gather-done.2", True),
        ("%all-reduce-start.3 = f32[8]{0} all-reduce-start(%fusion.1)", False),  # its `-done` ends it
        ("%fusion.3 = f32[8]{0} fusion(%all-reduce.3), kind=kLoop", False),  # only reads what one made
        ("ncclDevKernel_SendRecv(ncclDevComm*)", False),  # sender and receiver end apart
        ("sm80_xmma_gemm_f16f16", False),
    ],
)
def test_kernels_and_instructions(name: str, counts: bool) -> None:
    space = Space()
    space.plane("/device:GPU:0").line(7, "Stream").event(name, 10, 5)
    assert collective_ends(timeline(space)).tolist() == [15] * counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("sgd/CollectiveReduceV2:CollectiveReduceV2", True),
        ("sgd/CollectiveGatherV2:CollectiveGatherV2", True),
        ("grad/NcclAllReduce:NcclAllReduce", True),
        ("grad/HorovodAllreduce_w:HorovodAllreduce", True),
        ("all_reduce/Mul:Mul", False),
        ("sgd/CollectiveBcastSendV2:CollectiveBcastSendV2", False),
    ],
)
def test_ops_of_a_host_without_devices(name: str, counts: bool) -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "collective_ops").event(name, 10, 5)
    assert collective_ends(timeline(space)).tolist() == [15] * counts


def test_of_several_devices_the_first_with_any_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    space.plane("/device:GPU:0", id=1).line(7, "Stream").event("gemm", 0, 5)
    two = space.plane("/device:GPU:1", id=2)
    two.line(7, "Stream #7").event("nccl_AllReduce", 30, 5)
    two.line(8, "Stream #8").event("nccl_AllReduce", 10, 5).event("nccl_AllReduce", 50, 5)
    space.plane("/device:GPU:2", id=3).line(7, "Stream").event("nccl_AllReduce", 70, 5)
    assert collective_ends(timeline(space)).tolist() == [15, 35, 55]
    monkeypatch.setattr(collectives, "MAX_ENDS", 2)
    assert collective_ends(timeline(space)).tolist() == [15, 35]
