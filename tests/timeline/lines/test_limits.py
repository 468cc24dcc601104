"""How many names, levels and events of derived lines there are at most, just within and just beyond."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin.timeline.lines.merge import Room
from tensorboard_perfplugin.timeline.lines.paths import distinct_of, parts_of
from tests.timeline.lines.drawn import drawn, gpu_and_host, kernel
from tests.timeline.lines.test_torch import of
from tests.timeline.timelines import timeline
from tests.tools.kineto import launched, on_host


@pytest.mark.parametrize("taken", [True, False])
def test_a_million_events_and_one_for_each_of_the_capture(taken: bool) -> None:
    """Of ten events; the outermost level is there whatever it takes."""
    space, stream, _ = gpu_and_host()
    for i in range(10):
        kernel(stream, "a/x:X", 100 * i, 10)
    most = (1 << 20) + 10
    assert Room(timeline(space)).takes(1, most if taken else most + 1) is taken
    assert Room(timeline(space)).takes(0, most + 1)


@pytest.mark.parametrize(("before", "parts"), [(3998, ["/y"]), (3999, [])])
def test_4000_characters_of_a_path_are_taken_apart(before: int, parts: list[str]) -> None:
    assert parts_of("x" * before + "/yz") == ["x" * before, *(part.strip("/") for part in parts)]


@pytest.mark.parametrize(("names", "last"), [(200_000, 199_999), (200_001, -1)])
def test_200_000_names_are_taken_apart(names: int, last: int) -> None:
    numbers, place = distinct_of(np.arange(names))
    assert (len(numbers), int(place[-1])) == (200_000, last)


@pytest.mark.parametrize(("others", "scopes"), [(19_999, ["a"]), (20_000, ["a", "b", "a"])])
def test_the_kind_of_20_000_kernels_is_looked_at(others: int, scopes: list[str]) -> None:
    """A stream that only exchanges stays out, unless the name that says so comes after as many others."""
    space, stream, _ = gpu_and_host()
    for i in range(others):
        stream.event(f"gemm_{i}", 100 * i, 10, {"tf_op": "a/x:X"})
    side = space.planes[0].line(9, "Stream #9")
    side.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 5, 100 * others, {"tf_op": "b/NcclAllReduce:NcclAllReduce"})
    assert [name for *_, name in drawn(timeline(space))["scopes"]] == scopes


@pytest.mark.parametrize(("before", "phases"), [(192, ["backward"]), (193, [])])
def test_200_characters_of_a_call_say_what_it_is(tmp_path: Path, before: int, phases: list[str]) -> None:
    """Where all is forward, phases are not shown."""
    call = on_host("x" * before + "Backward<>", 330, 60)
    found = of(tmp_path, call, on_host("aten::mm", 340, 30), *launched("gemm", 350, 1100, 60, 1))
    assert [name for *_, name in found.get("phases", [])] == phases


@pytest.mark.parametrize("length", [4000, 4001])
def test_4000_characters_of_a_source_are_shown(length: int) -> None:
    space, stream, _ = gpu_and_host()
    kernel(stream, "a/x:X", 0, 10, source="x" * length)
    [(*_, name)] = drawn(timeline(space))["sources"]
    assert name == "x" * 4000
