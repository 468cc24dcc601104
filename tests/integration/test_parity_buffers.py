"""xprof's memory viewer on every XLA program of the shared captures, in every memory space: the same to the byte.

It differs from ours in two things, in which ours is right, and `docs/memory_viewer.md` says so. It leaves out temporary
buffers where XLA gives no simulation of them (64 bytes of `jit__multi_slice`). And what it calls the unpadded size of a
scalar on a TPU is the 512 bytes that the scalar takes, of which 4 are its value.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.memory_viewer import MEMORY_VIEWER
from tests.parity._peer import peer_buffers
from tests.tools.answered import answered, rows_of

MIB = 1 << 20
#: Asked in one process of the peer, which keeps what it read.
AT_ONCE = 40
CAPTURES = ("jax_cpu", "jax_python", "xprof-tpu-inference-2", "jax-rocm-mi300-tracelens")
SCALARS = {"jit_broadcast_in_dim(11287434908481120160)": 508, "jit_convert_element_type(2433868464432466958)": 1016}


def answers(file: Path) -> dict[str, Answer]:
    """Ours by `FILE=PROGRAM@SPACE`."""
    timeline = Timeline(decode.read(str(file)), "h")
    found = {}
    for (program,) in rows_of(answered(MEMORY_VIEWER, timeline), "programs", "program"):
        for (space,) in rows_of(answered(MEMORY_VIEWER, timeline, program=program), "spaces", "space"):
            found[f"{file}={program}@{space}"] = answered(MEMORY_VIEWER, timeline, program=program, space=str(space))
    return found


@pytest.mark.parametrize("name", CAPTURES)
def test_every_program_of_a_shared_capture(shared_captures: Path, name: str) -> None:
    ours: dict[str, Answer] = {}
    for file in sorted((shared_captures / "xplane" / name).rglob("*.xplane.pb")):
        ours |= answers(file)
    assert ours
    asked = list(ours)
    for i in range(0, len(asked), AT_ONCE):
        for key, theirs in peer_buffers(asked[i : i + AT_ONCE]).items():
            check(ours[key], theirs)


def bytes_of(theirs: dict[str, Any], name: str) -> int:
    """Zeros are left out."""
    return round(float(theirs.get(name, 0)) * MIB)


def check(answer: Answer, theirs: dict[str, Any]) -> None:
    summary, program = answer.result.summary, str(answer.result.summary["program"])
    columns = ("space", "simulated", "temporary_bytes", "unshared_bytes")
    spaces = {row[0]: row[1:] for row in rows_of(answer, "spaces", *columns)}
    is_simulated, temporary, unshared = spaces[summary["space"]]
    more, scalars = 0 if is_simulated else temporary, SCALARS.get(program, 0) if summary["space"] == 0 else 0
    told = {
        "program_peak_bytes": bytes_of(theirs, "peakHeapMib") + more,
        "logical_bytes": bytes_of(theirs, "peakUnpaddedHeapMib") + more - scalars,
        "held_bytes": bytes_of(theirs, "indefiniteBufferAllocationMib") + more,
        "allocated_bytes": bytes_of(theirs, "totalBufferAllocationMib"),
        "parameter_bytes": bytes_of(theirs, "entryComputationParametersMib"),
    }
    assert {name: summary[name] for name in told} == told
    [unshared] = [
        size for space, size in rows_of(answer, "spaces", "space", "unshared_bytes") if space == summary["space"]
    ]
    assert unshared == bytes_of(theirs, "nonReusableMib")
    curve = rows_of(answer, "curve", "instruction", "live_bytes")
    if curve:
        assert [live for _, live in curve] == [round(size * MIB) for size in theirs["heapSizes"]]
        assert [name for name, _ in curve[1:]] == theirs["hloInstructionNames"][:-1]
        assert summary["peak_event"] == theirs.get("peakHeapSizePosition", 0)
    check_buffers(answer, theirs)


def check_buffers(answer: Answer, theirs: dict[str, Any]) -> None:
    """What it lists at the peak, of 16 KiB or more, we list with the same shape, size and kind.

    But the memory of an output is called by the output, where it takes the first of the largest buffers that have it.
    """
    rows = rows_of(answer, "buffers", "shape", "kind", "bytes", "at_peak")
    ours = {("" if kind == "output" else shape, kind, size) for shape, kind, size, at_peak in rows if at_peak}
    for one in theirs.get("maxHeap", []):
        kind = str(one.get("groupName", "")).lower()
        if one.get("instructionName"):
            shape = "" if kind == "output" else one["shapeString"]
            assert (shape, kind, round(one["logicalBufferSizeMib"] * MIB)) in ours, one["instructionName"]
