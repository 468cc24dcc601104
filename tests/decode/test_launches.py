"""How kernels were launched, as each format tells it → the same columns."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.common.launches import Launch, launch_in
from tensorboard_perfplugin.tables import Capture, Launched
from tests.build_capture import Space
from tests.decode.both import read_both
from tests.decode.test_tool_sums import two_kernels

DETAILS = "regs:32 static_shared:1024 dynamic_shared:2048 grid:16,4,2 block:256,1,1 occ_pct:37.5"
#: registers, shared memory: static, dynamic, both; grid, block; occupancy: theoretical, achieved.
ALL = [32, 1024, 2048, 3072, 16, 4, 2, 256, 1, 1, 37.5, None]
NONE = [-1] * 10 + [None, None]
HUGE = (1 << 63) - 1
Cells = list[float | None]


def launches(capture: Capture, launched: Launched, rows: int) -> list[Cells | None]:
    """By row of a table what the file tells of its launch."""
    columns = [column.tolist() for column in capture.kernel_launches.launches.columns().values()]
    told = [[None if cell != cell else cell for cell in cells] for cells in zip(*columns, strict=True)]
    return [told[i] if i >= 0 else None for i in launched.launch_of(np.arange(rows)).tolist()]


def of_events(capture: Capture) -> list[Cells | None]:
    capture.check()
    return launches(capture, capture.kernel_launches.events, len(capture.events))


def test_xplane() -> None:
    """Of several stats the first counts; of an event without one its kind's; what is no text tells nothing."""
    plane = Space().plane("/device:GPU:0")
    line = plane.line(1, "Stream #1")
    plane.kind("by kind", stats={"kernel_details": "grid:1,1,1 block:64,1,1"})
    line.event("by kind", 0, 1)
    line.event("by kind", 10, 1, {"kernel_details": DETAILS})
    line.event("twice", 20, 1, [("x", 1), ("kernel_details", DETAILS), ("kernel_details", "regs:9")])
    line.event("number", 30, 1, {"kernel_details": 7})
    line.event("none", 40, 1)
    line.event("says nothing", 50, 1, {"kernel_details": "?"})
    space = Space()
    space.planes.append(plane)
    by_kind = [-1, -1, -1, -1, 1, 1, 1, 64, 1, 1, None, None]
    assert of_events(read_both(space)) == [by_kind, ALL, ALL, None, None, NONE]


@pytest.mark.parametrize("place", [0, 2])
def test_kernels_that_have_it_at_the_same_place(place: int) -> None:
    """What lies between them has fewer stats, or none, and the stat after those is the next kernel's."""
    space, aside = Space(), [("x", 1), ("y", 2)]
    line = space.plane("/device:GPU:0").line(1, "Stream #1")
    for i, text in enumerate((DETAILS, None, "grid:1,1,1 block:64,1,1", None)):
        line.event("e", 10 * i, 1, [] if text is None else [*aside[:place], ("kernel_details", text), ("z", 3)])
    line.event("short", 40, 1, [("x", 1)])
    other = [-1, -1, -1, -1, 1, 1, 1, 64, 1, 1, None, None]
    assert of_events(read_both(space)) == [ALL, None, other, None, None]


def test_a_capture_without_kernels_has_none() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("a", 0, 1)
    capture = read_both(space)
    assert (of_events(capture), len(capture.kernel_launches.launches)) == ([None], 0)


def kernel(ts: int, **args: Any) -> dict[str, Any]:
    return {"ph": "X", "cat": "kernel", "name": f"k{ts}", "pid": 0, "tid": 7, "ts": ts, "dur": 1, "args": args}


def test_kineto() -> None:
    """As numbers, which no text comes between. Events are by time, not as they are written."""
    full = {"registers per thread": 40, "shared memory": 512, "grid": [8, 2, 1], "block": [128, 1, 1]}
    events = [
        kernel(9, **full, **{"est. achieved occupancy %": 25, "warps per SM": 30.0, "device": 0}),
        kernel(5, **{"registers per thread": 0, "grid": [0, 1, 1], "block": [32, 1, 1]}),
        kernel(7, stream=7),
    ]
    data = json.dumps({"schemaVersion": 1, "traceEvents": events}).encode()
    assert of_events(decode.read_bytes(data, "h.pt.trace.json")) == [
        [-1, -1, -1, -1, -1, -1, -1, 32, 1, 1, None, None],
        None,
        [40, -1, -1, 512, 8, 2, 1, 128, 1, 1, 25.0, 25.0],
    ]


def test_an_occupancy_that_was_rounded_to_0() -> None:
    """0.3 warps of 32 threads fill 0.47 % of 2048, which is written as 0; 0.4 would fill 0.63 %."""
    for warps, achieved in ((0.3, 0.0), (0.4, None)):
        told = {"est. achieved occupancy %": 0, "warps per SM": warps, "grid": [1, 1, 1], "device": 0}
        data = json.dumps({"schemaVersion": 1, "traceEvents": [kernel(5, **told)]}).encode()
        [cells] = of_events(decode.read_bytes(data, "h.pt.trace.json"))
        assert cells is not None
        assert cells[-1] == achieved


def test_tool_files() -> None:
    """Kernels that are sums; of the second nothing is told, but that it is a kernel."""
    capture = decode.read_bytes(two_kernels(), "h.kernel_stats.pb")
    capture.check()
    assert launches(capture, capture.kernel_launches.aggregates, len(capture.aggregates)) == [ALL, NONE]
    assert of_events(capture) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("regs:38 shm:0\ngrid:1,2,3\nblock:4,5,6", Launch(38, shared=0, grid=(1, 2, 3), block=(4, 5, 6))),
        (" grid:1,1,1 block:64,1,1 group_mem:8704 occ_pct:0", Launch(shared=8704, grid=(1, 1, 1), block=(64, 1, 1))),
        ("regs:32\nstatic_shared:1024\ndynamic_shared:512\nocc_pct:50", Launch(32, 1024, 512, 1536, None, None, 50.0)),
        ("regs:1024 static_shared:1", Launch(1024, static_shared=1, shared=1)),
        ("regs:1025", Launch()),
        ("", Launch()),
        ("regs:32 regs:32", Launch(32)),
        ("regs:-1 static_shared:1e9 grid:1,x,1", Launch()),
        ("regs:" + "9" * 5000, Launch()),
        (f"static_shared:{HUGE} dynamic_shared:{HUGE}", Launch(None, HUGE, HUGE, HUGE)),
        ("static_shared:16", Launch(static_shared=16, shared=16)),
        # Memory that ROCm's collector never set.
        ("regs:2191500840 static_shared:32462 dynamic_shared:0 grid:8,1,1", Launch(grid=(8, 1, 1))),
        ("regs:0 grid:0,1,1 block:1,1", Launch()),
        ("regs:32 regs:33 occ_pct:101 est_pct:nan", Launch()),
        ("est_pct:27 occ_pct:37.5", Launch(occupancy_percent=37.5, achieved_percent=27.0)),
    ],
)
def test_texts_of_collectors(text: str, expected: Launch) -> None:
    assert launch_in(text) == expected


@pytest.mark.parametrize("apart", [1, 1000])
def test_launches_are_looked_up_alike_by_table_and_by_searching(apart: int) -> None:
    launched = Launched.from_columns({"row": [2 * apart, 3 * apart, 5 * apart], "launch": [7, 8, 9]})
    assert launched.launch_of(np.array([0, 1, 2, 3, 4, 5, 6]) * apart).tolist() == [-1, -1, 7, 8, -1, 9, -1]
    assert launched.launch_of(np.empty(0, np.int64)).tolist() == []
