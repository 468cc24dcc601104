"""The memory page of PyTorch's memory snapshots: categories, failed allocations, segments, call stacks, advice."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.declaration import Result
from tensorboard_perfplugin.tools.memory_profile import MEMORY_PROFILE
from tests.snapshots import (
    ATTENTION,
    BACKWARD,
    FORWARD,
    INPUT,
    LOSS,
    MIB,
    OPTIMIZER,
    PARAMETERS,
    Device,
    Frames,
    pickled,
    snapshot,
    train,
)

GIB = 1 << 30


def answered(*files: bytes, **options: Any) -> Result:
    given = {option.name: option.default for option in MEMORY_PROFILE.options} | options
    parts = [
        MEMORY_PROFILE.per_host(Timeline(decode.read_bytes(data, f"{i}.pickle"), str(i)), given)
        for i, data in enumerate(files)
    ]
    return MEMORY_PROFILE.combine(parts, given)


def codes(result: Result) -> list[str]:
    return [finding.code for finding in result.findings]


def rows(result: Result, table: str, *columns: str) -> list[tuple[Any, ...]]:
    return list(zip(*(result.tables[table][name] for name in columns), strict=True))


def levels_of(result: Result) -> dict[str, list[int]]:
    """By category."""
    table: dict[str, Any] = dict(result.tables["categories"])
    return {name.removesuffix("_bytes"): list(cells) for name, cells in table.items() if name.endswith("_bytes")}


def totals_of(result: Result) -> list[int]:
    return [sum(cells) for cells in zip(*levels_of(result).values(), strict=True)]


def peak_of(result: Result) -> dict[str, int]:
    """By category, when most is in use."""
    totals = totals_of(result)
    at = totals.index(max(totals))
    return {name: cells[at] for name, cells in levels_of(result).items() if cells[at]}


def test_what_memory_is_for() -> None:
    """Scratch memory of the forward pass is freed before the backward pass begins; gradients outlive that."""
    device = Device()
    device.alloc(MIB, PARAMETERS)
    device.alloc(2 * MIB, INPUT)
    saved = device.alloc(3 * MIB, FORWARD)
    scratch = device.alloc(4 * MIB, FORWARD)
    device.free(scratch)
    short = device.alloc(5 * MIB, BACKWARD)
    device.free(short)
    gradient = device.alloc(6 * MIB, BACKWARD)
    device.alloc(7 * MIB, OPTIMIZER)
    device.alloc(8 * MIB, LOSS)
    device.alloc(9 * MIB, FORWARD)
    result = answered(pickled([device]))
    assert peak_of(result) == {
        "parameter": MIB,
        "input": 2 * MIB,
        "activation": 12 * MIB,
        "gradient": 6 * MIB,
        "optimizer": 7 * MIB,
        "other": 8 * MIB,
    }
    assert max(levels_of(result)["temporary"]) == 5 * MIB
    assert saved != gradient


def test_gradients_that_are_freed_before_the_next_pass() -> None:
    """SGD allocates nothing, and zero_grad frees them after its step."""
    device = Device()
    for _ in range(3):
        saved = device.alloc(2 * MIB, FORWARD)
        gradients = [device.alloc(3 * MIB, BACKWARD) for _ in range(2)]
        device.free(saved)
        for gradient in gradients:
            device.free(gradient)
    assert peak_of(answered(pickled([device]))) == {"activation": 2 * MIB, "gradient": 6 * MIB}


def test_what_the_program_says_goes_before_the_stack() -> None:
    device = Device(metadata="gradient")
    device.alloc(MIB, FORWARD)
    assert peak_of(answered(pickled([device]))) == {"gradient": MIB}


def test_categories_add_up_to_what_is_in_use() -> None:
    device = Device(history=80)
    result = answered(pickled([device], train(device, 6)))
    assert max(totals_of(result)) == result.summary["peak_bytes"]
    assert all(size >= 0 for cells in levels_of(result).values() for size in cells)


def fragmented(expandable: bool = False, wanted: int = 60) -> dict[str, Any]:
    """Every second of many blocks is free, and none of the free ones is large."""
    device = Device(capacity=400 * MIB)
    kept = [device.alloc(9 * MIB, FORWARD) for _ in range(38)]
    for address in kept[::2]:
        device.free(address)
    assert device.alloc(wanted * MIB, ATTENTION) == -1
    made = snapshot([device])
    made["allocator_settings"]["expandable_segments"] = expandable
    return made


def test_a_failed_allocation_that_was_free_in_pieces() -> None:
    result = answered(pickle.dumps(fragmented()))
    assert codes(result)[0] == "snapshot_failed.pieces"
    (row,) = rows(result, "failures", "op", "asked_bytes", "used_bytes", "free_bytes", "largest_free_bytes", "pieces")
    used = 19 * 9 * MIB
    assert row == ("attention (/home/me/model.py:51)", 60 * MIB, used, 380 * MIB - used, 9 * MIB, 38)
    assert result.findings[0].params["free"] == 380 * MIB - used
    assert codes(answered(pickle.dumps(fragmented(expandable=True))))[0] == "snapshot_failed.expandable"


def test_what_is_in_the_way() -> None:
    """The cheapest place for 12 MiB in a segment of 20: between its begin and the second block."""
    device = Device(capacity=20 * MIB)
    first, second, third = device.alloc(4 * MIB, FORWARD), device.alloc(3 * MIB, LOSS), device.alloc(9 * MIB, FORWARD)
    device.free(first)
    device.free(third)
    assert device.alloc(14 * MIB, ATTENTION) == -1
    result = answered(pickled([device]))
    columns = ("asked_bytes", "free_bytes", "largest_free_bytes", "in_way_bytes", "in_way_blocks", "in_way_op")
    assert rows(result, "failures", *columns) == [
        (14 * MIB, 17 * MIB, 13 * MIB, 3 * MIB, 1, "log_loss (/home/me/train.py:70)")
    ]
    assert second > first


@pytest.mark.parametrize(("wanted", "code"), [(14, "snapshot_failed.pieces"), (18, "snapshot_failed.full")])
def test_whether_it_would_have_fitted(wanted: int, code: str) -> None:
    device = Device(capacity=20 * MIB)
    first, _, third = device.alloc(4 * MIB, FORWARD), device.alloc(3 * MIB, LOSS), device.alloc(9 * MIB, FORWARD)
    device.free(first)
    device.free(third)
    assert device.alloc(wanted * MIB, ATTENTION) == -1
    assert codes(answered(pickled([device])))[0] == code


def test_state_at_the_failure_is_not_that_of_the_end() -> None:
    """What was freed while the error went up was in use when it was raised."""
    device = Device(capacity=20 * MIB)
    first = device.alloc(12 * MIB, FORWARD)
    assert device.alloc(10 * MIB, ATTENTION) == -1
    device.free(first)
    device.empty_cache()
    result = answered(pickled([device]))
    assert rows(result, "failures", "reserved_bytes", "used_bytes", "free_bytes", "pieces") == [
        (12 * MIB, 12 * MIB, 0, 0)
    ]


HELD: Sequence[tuple[str, Frames, Frames]] = (
    ("activation", FORWARD, BACKWARD),
    ("optimizer", OPTIMIZER, FORWARD),
    ("parameter", PARAMETERS, FORWARD),
    ("gradient", BACKWARD, OPTIMIZER),
)


@pytest.mark.parametrize(("name", "stack", "after"), HELD)
@pytest.mark.parametrize(("share", "said"), [(0.39, False), (0.4, True)])
@pytest.mark.parametrize("fails", [False, True])
def test_a_category_that_fills_the_peak(
    name: str, stack: Frames, after: Frames, share: float, said: bool, fails: bool
) -> None:
    """From 40 % on; with what to do about it where an allocation failed."""
    device = Device(capacity=1000 * MIB)
    held = round(1000 * share)
    for size, frames in ((held, stack), (999 - held, LOSS), (1, after)):
        device.alloc(size * 512, frames)
    if fails:
        device.alloc(GIB, LOSS)
    found = [code for code in codes(answered(pickled([device]))) if code.startswith("snapshot_category")]
    assert found == ([f"snapshot_category.{name if fails else 'any'}"] if said else [])


def test_no_advice_of_what_is_done_already() -> None:
    device = Device(capacity=20 * MIB)
    checkpoint = ("/venv/lib/python3.11/site-packages/torch/utils/checkpoint.py", 480, "checkpoint")
    device.alloc(8 * MIB, (FORWARD[0], checkpoint, *FORWARD[1:]))
    device.alloc(GIB, LOSS)
    assert "snapshot_category.any" in codes(answered(pickled([device])))


@pytest.mark.parametrize(("size", "said"), [(29, False), (30, True)])
def test_one_allocation_that_makes_the_peak(size: int, said: bool) -> None:
    device = Device()
    device.alloc(size * MIB, LOSS)
    for _ in range(10):
        device.alloc((100 - size) * MIB // 10, ATTENTION)
    assert ("snapshot_one_allocation" in codes(answered(pickled([device])))) == said


def test_parameters_are_not_to_be_split() -> None:
    device = Device()
    device.alloc(50 * MIB, PARAMETERS)
    assert "snapshot_one_allocation" not in codes(answered(pickled([device])))


@pytest.mark.parametrize(("old", "said"), [(9, False), (10, True)])
def test_what_is_older_than_the_record(old: int, said: bool) -> None:
    device = Device(history=2 * (100 - old))
    for _ in range(old):
        device.alloc(2 * MIB, PARAMETERS)
    for _ in range(100 - old):
        device.alloc(2 * MIB, FORWARD)
    device.actions = [each for each in device.actions if each["action"] == "alloc"]
    device.history = 100 - old
    assert ("snapshot_recorded_late" in codes(answered(pickled([device])))) == said


@pytest.mark.parametrize(("most", "said"), [(320, True), (340, False)])
def test_what_is_free_in_pieces_at_the_peak(most: int, said: bool) -> None:
    """A quarter and more of what is reserved; the largest piece is less than half of it, or more."""
    device = Device(capacity=8 * GIB)
    kept = [device.alloc(9 * MIB, FORWARD) for _ in range(60)]
    large = device.alloc(most * MIB, LOSS)
    for address in (*kept[::2], large):
        device.free(address)
    device.alloc(900 * MIB, LOSS)
    found = codes(answered(pickled([device])))
    assert ("snapshot_pieces" in found, "reserved_memory.unused" in found) == (said, not said)


def test_without_a_record_segments_and_stacks_are_shown() -> None:
    device = Device(history=0)
    device.alloc(3 * MIB, PARAMETERS)
    device.alloc(2 * MIB, OPTIMIZER)
    result = answered(pickled([device]))
    assert codes(result) == ["snapshot_not_recorded", "memory_in_use"]
    assert rows(result, "segments", "segment_bytes", "used_bytes", "free_bytes", "blocks") == [
        (20 * MIB, 5 * MIB, 15 * MIB, 3)
    ]
    named = dict(rows(result, "stacks", "name", "bytes"))
    assert (named["parameter"], named["optimizer"]) == (3 * MIB, 2 * MIB)
    assert result.summary["reserved_bytes"] == 20 * MIB
    assert "_record_memory_history" in result.unknown["peak_bytes"]


def test_without_stacks() -> None:
    device = Device()
    device.alloc(MIB)
    assert "snapshot_without_stacks" in codes(answered(pickled([device])))
    device.alloc(MIB, LOSS)
    assert "snapshot_without_stacks" not in codes(answered(pickled([device])))


def test_a_leak_by_step_names_what_is_kept_in_each() -> None:
    """Not the optimizer's state, which is made in the first step and kept, too."""
    device = Device()
    result = answered(pickled([device], train(device, 10, leak=2 * MIB)))
    (leak,) = (finding for finding in result.findings if finding.code == "memory_grows")
    assert (leak.params["op"], leak.params["growth"]) == ("log_loss (/home/me/train.py:70)", 2 * MIB)


def test_periods_stand_in_for_steps() -> None:
    device = Device()
    train(device, 10, leak=2 * MIB)
    result = answered(pickled([device]))
    assert result.tables["steps"]["step"] == [f"period {i + 1}" for i in range(10)]
    (leak,) = (finding for finding in result.findings if finding.code == "memory_grows")
    assert leak.params["op"] == "log_loss (/home/me/train.py:70)"


def test_operators_of_a_tensor_are_no_backward_pass() -> None:
    """`1 - x` runs a frame of torch/_tensor.py."""
    device = Device()
    for _ in range(12):
        device.alloc(2 * MIB, (("/venv/torch/_tensor.py", 30, "__rsub__"), *FORWARD))
        device.alloc(2 * MIB, FORWARD)
    result = answered(pickled([device]))
    assert not result.tables["steps"]["step"]
    assert "memory_grows" not in codes(result)


def test_a_clean_program_gets_no_advice() -> None:
    device = Device()
    result = answered(pickled([device], train(device, 8)))
    assert {finding.severity for finding in result.findings} == {"info"}


def test_call_stacks_at_a_moment() -> None:
    device = Device(capacity=40 * MIB)
    first = device.alloc(9 * MIB, FORWARD)
    device.alloc(8 * MIB, ATTENTION)
    device.alloc(GIB, LOSS)
    device.free(first)

    def total(**options: str) -> Any:
        return answered(pickled([device]), **options).tables["stacks"]["bytes"][0]

    assert (total(), total(moment="oom"), total(moment="end")) == (17 * MIB, 17 * MIB, 8 * MIB)


def test_ranks_are_hosts() -> None:
    first, second = Device(), Device()
    train(first, 2)
    train(second, 2, layer=5 * MIB)
    result = answered(pickled([first]), pickled([second]))
    assert result.tables["systems"]["memory"] == ["1/GPU_0_pytorch", "0/GPU_0_pytorch"]
    assert result.summary["memory"] == "1/GPU_0_pytorch"


def entry(action: str, address: int, size: int, time: int, **more: Any) -> dict[str, Any]:
    return {"action": action, "addr": address, "size": size, "stream": 0, "time_us": time, "frames": [], **more}


def segment(address: int, *blocks: tuple[int, str], **more: Any) -> dict[str, Any]:
    """Of blocks of a size and a state."""
    size = sum(size for size, _ in blocks)
    made = [{"size": s, "requested_size": s, "state": state, "frames": []} for s, state in blocks]
    kind = {"segment_type": "large", "stream": 0, "device": 0, "allocated_size": 0, "active_size": 0}
    return {"address": address, "total_size": size, "blocks": made, **kind, **more}


def test_expandable_segments_at_a_failure() -> None:
    """Mapped in two pieces, unmapped in part later: at the failure 6 MiB lay side by side, 4 of them free."""
    base = 0x7000000000
    actions = [
        entry("segment_map", base, 2 * MIB, 1),
        entry("alloc", base, 2 * MIB, 2),
        entry("segment_map", base + 2 * MIB, 4 * MIB, 3),
        {"action": "oom", "device_free": MIB, "size": 5 * MIB, "stream": 0, "time_us": 4, "frames": []},
        entry("segment_unmap", base + 4 * MIB, 2 * MIB, 5),
    ]
    state = segment(base, (2 * MIB, "active_allocated"), (2 * MIB, "inactive"), is_expandable=True)
    result = answered(pickle.dumps({"segments": [state], "device_traces": [actions]}))
    columns = ("reserved_bytes", "used_bytes", "free_bytes", "pieces", "largest_free_bytes", "in_way_bytes")
    assert rows(result, "failures", *columns) == [(6 * MIB, 2 * MIB, 4 * MIB, 1, 4 * MIB, 2 * MIB)]
    assert rows(result, "segments", "segment_kind", "layout") == [("large, expandable", "█" * 12 + "·" * 12)]


def test_private_pools() -> None:
    own = segment(1 << 30, (2 * MIB, "inactive"), segment_pool_id=(0, 0))
    of_graph = segment(1 << 31, (2 * MIB, "active_allocated"), segment_pool_id=(0, 7))
    result = answered(pickle.dumps({"segments": [own, of_graph], "device_traces": [[]]}))
    assert rows(result, "segments", "pool", "free_bytes") == [("", 2 * MIB), ("0, 7", 0)]
    assert (result.summary["pool_bytes"], result.summary["cached_bytes"]) == (2 * MIB, 2 * MIB)


def test_categories_that_the_file_gives() -> None:
    """As `torch.cuda._memory_viz.profile_plot` has them of PyTorch's profiler."""
    actions = [
        entry("alloc", 512, MIB, 1, category="optimizer_state"),
        entry("alloc", 5 << 20, 2 * MIB, 2, category="autograd_detail"),
    ]
    state = segment(512, (MIB, "active_allocated"), (2 * MIB, "active_allocated"))
    result = answered(pickle.dumps({"segments": [state], "device_traces": [actions]}))
    assert peak_of(result) == {"optimizer": MIB, "temporary": 2 * MIB}


def test_an_allocation_takes_512_bytes_at_least() -> None:
    device = Device(capacity=2 * MIB)
    device.alloc(100, FORWARD)
    assert device.alloc(64 * MIB, ATTENTION) == -1
    assert rows(answered(pickled([device])), "failures", "used_bytes") == [(512,)]
