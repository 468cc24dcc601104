"""Critical paths of small captures of PyTorch, by hand: what is on them, that they divide the steps, what is named."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.path import path as of_timeline
from tensorboard_perfplugin.analysis.path import walk
from tensorboard_perfplugin.analysis.path.costs import CostTree, Levels, Part, part_of
from tensorboard_perfplugin.analysis.path.path import Path as CriticalPath
from tensorboard_perfplugin.analysis.path.path import Side, path_of
from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, Timeline
from tests.tools.kineto import Event, launched, on_host, saved, step

US = 10**6


def interpreted() -> ModuleType:
    """The walk as Python runs it where it is not compiled."""
    source = Path(of_timeline.__file__).with_name("walk.py")
    loader = SourceFileLoader("interpreted_walk", str(source))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture(params=["compiled", "interpreted"], autouse=True)
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_timeline, "walk", walk if request.param == "compiled" else interpreted())


def opened(folder: Path, *events: Event) -> Timeline:
    return Timeline(decode.read(str(saved(folder, *events))), "h")


def stretches(timeline: Timeline) -> list[tuple[float, float, str, str]]:
    """Begin and end in µs, event and category."""
    path = path_of(timeline, "auto")
    assert path is not None
    capture = timeline.capture
    names = [capture.strings[int(capture.events.name[row])] if row >= 0 else "" for row in path.row.tolist()]
    keys = [CATEGORIES[i].key for i in path.category.tolist()]
    first = int(split_of(timeline).steps.begin_ps[0])
    times = ((path.begin - first) / US).tolist(), ((path.end - first) / US).tolist()
    return list(zip(*times, names, keys, strict=True))


def tree(timeline: Timeline) -> CostTree:
    steps, path = split_of(timeline).steps, path_of(timeline, "auto")
    assert path is not None
    return Levels(timeline, steps, path.row[path.row >= 0]).costs(path, intervals.union(steps.begin_ps, steps.until_ps))


def named(timeline: Timeline) -> Part:
    part = part_of(tree(timeline))
    assert part is not None
    return part


def frame(name: str, begin: float, length: float, thread: int = 100) -> Event:
    return on_host(name, begin, length, "python_function") | {"tid": thread}


def test_a_device_that_is_behind_is_on_the_path_from_its_first_kernel(tmp_path: Path) -> None:
    """Three kernels of 30 µs are launched in 12; the host waits for the last of them."""
    events = [step(0, 0, 100)]
    for i in range(3):
        events += launched("gemm", 4 * i, 5 + 30 * i, 30, i + 1)
    events.append(on_host("cudaDeviceSynchronize", 15, 82, "cuda_runtime"))
    found = stretches(opened(tmp_path, *events))
    assert found == [
        (0, 1, "cudaLaunchKernel", "launch"),
        (1, 5, "gemm", "launch"),
        (5, 35, "gemm", "compute_other"),
        (35, 65, "gemm", "compute_other"),
        (65, 95, "gemm", "compute_other"),
        (95, 97, "cudaDeviceSynchronize", "waiting"),
        (97, 100, "ProfilerStep#0", "python"),
    ]


def test_a_host_that_is_late_is_on_the_path_and_its_kernels_are_not(tmp_path: Path) -> None:
    """Kernels of 1 µs, 20 µs apart, of which each begins 2 µs after its launch."""
    events = [step(0, 0, 100)]
    for i in range(4):
        events += [on_host("aten::mm", 20 * i, 18), *launched("gemm", 20 * i + 10, 20 * i + 14, 1, i + 1)]
    events.append(on_host("cudaDeviceSynchronize", 80, 15, "cuda_runtime"))
    by_name: dict[str, float] = {}
    for begin, end, name, _ in stretches(opened(tmp_path, *events)):
        by_name[name] = by_name.get(name, 0) + end - begin
    assert by_name.pop("aten::mm") > 50
    assert by_name.get("gemm", 0) <= 1


@pytest.mark.parametrize("frames", [False, True])
def test_a_thread_that_shows_nothing_may_wait_for_others(tmp_path: Path, frames: bool) -> None:
    """Another thread computes for 80 of 100 µs, in which the program's own shows nothing, or that Python runs."""
    events = [step(0, 0, 100), step(1, 100, 100)]
    for begin in (0, 100):
        events.append(on_host("aten::mm", begin + 10, 80) | {"tid": 9})
        events += [frame("app/train.py(3): load", begin + 1, 98, thread=100)] if frames else []
    found = stretches(opened(tmp_path, *events))
    on_other = sum(end - begin for begin, end, name, what in found if name == "aten::mm" and what != "runtime")
    assert on_other == (0 if frames else 160)


def test_a_call_waits_for_its_copy_alone(tmp_path: Path) -> None:
    """A copy from 60 to 62 µs, behind a kernel on its stream, holds up the call that started it at 10. Nothing waits
    for the stream that is at work until 90, and a wait that the host queues is none of its own."""
    other = launched("other", 1, 3, 87, 1, stream=20)
    copied = launched("Memcpy DtoH (Device -> Pageable)", 10, 60, 2, 3, category="gpu_memcpy")
    copied[0] |= {"name": "cudaMemcpyAsync", "dur": 54}
    wait = on_host("cudaStreamWaitEvent", 65, 5, "cuda_runtime")
    synchronize = on_host("cudaStreamSynchronize", 70, 3, "cuda_runtime")
    events = [step(0, 0, 100), *other, *launched("gemm", 4, 6, 52, 2), *copied, wait, synchronize]
    found = stretches(opened(tmp_path, *events))
    assert [each for each in found if each[1] - each[0] > 1 and each[2] != "ProfilerStep#0"] == [
        (6, 58, "gemm", "compute_other"),
        (58, 60, "cudaMemcpyAsync", "launch"),
        (60, 62, "Memcpy DtoH (Device -> Pageable)", "copy_out"),
        (62, 64, "cudaMemcpyAsync", "launch"),
        (65, 70, "cudaStreamWaitEvent", "runtime"),
        (70, 73, "cudaStreamSynchronize", "waiting"),
    ]


def test_a_step_does_not_end_with_the_next_one_s_host(tmp_path: Path) -> None:
    """Two steps of 50 µs on a device that is behind: the host waits in the second for what runs there of the first."""
    events = [step(0, 0, 20), step(1, 20, 90)]
    for i in range(2):
        events += launched("gemm", 2 + 20 * i, 5 + 50 * i, 50, i + 1)
    events.append(on_host("aten::backward", 24, 80))
    timeline = opened(tmp_path, *events)
    steps, path = split_of(timeline).steps, path_of(timeline, "ProfilerStep#0")
    assert path is not None
    assert int(path.end[-1]) - int(steps.begin_ps[0]) == 55 * US
    assert path.length_ps[path.side == Side.DEVICE].sum() >= 50 * US


def test_edges_are_inferred_that_only_the_order_in_time_shows(tmp_path: Path) -> None:
    """A launch and a wait for the device show theirs; who a pool's batch is for, nothing shows."""
    shown = [step(0, 0, 100), *launched("gemm", 2, 10, 60, 1), on_host("cudaDeviceSynchronize", 15, 60, "cuda_runtime")]
    of_device = path_of(opened(tmp_path, *shown), "auto")
    of_pool = path_of(opened(tmp_path, *pool(0), *pool(1)), "auto")
    assert of_device is not None
    assert of_pool is not None
    assert not of_device.inferred.any()
    assert of_pool.inferred.any()
    whole = intervals.union(of_pool.begin, of_pool.end)
    assert 0 < of_pool.inferred_ps(whole) == int(of_pool.length_ps[of_pool.follows].sum()) < whole.total


def pool(number: int) -> list[Event]:
    """A batch is made on another thread in 60 of 100 µs, and waited for."""
    at = 100 * number
    return [
        step(number, at, 100),
        on_host("<built-in method acquire of _thread.lock object at 0x7f>", at + 5, 65, "python_function"),
        on_host("aten::mm", at + 72, 20),
        frame("app/data.py(7): prepare", at + 8, 60, thread=9),
        frame("<built-in function sorted>", at + 10, 55, thread=9),
    ]


def test_a_wait_is_what_another_thread_did_meanwhile(tmp_path: Path) -> None:
    timeline = opened(tmp_path, *(event for number in range(3) for event in pool(number)))
    part = named(timeline)
    assert (part.name, part.inside) == ("`prepare` (data.py:7)", "`builtins.sorted`")
    assert part.ps == pytest.approx(180 * US, abs=10 * US)
    path = path_of(timeline, "auto")
    assert path is not None
    assert_divides(path, 300 * US)


def assert_divides(path: CriticalPath, whole_ps: int) -> None:
    assert (path.begin[1:] == path.end[:-1]).all()
    assert path.length_ps.sum() == whole_ps


def test_the_function_is_named_that_holds_most_and_not_the_step(tmp_path: Path) -> None:
    """`step` calls `clip` for 70 of 100 µs, which calls 20 functions alike; `train` has the rest."""
    events: list[Event] = []
    for number in range(3):
        at = 100 * number
        events += [
            step(number, at, 100),
            frame("app/train.py(1): step", at, 99),
            frame("app/train.py(9): clip", at, 70),
        ]
        events += [frame(f"lib/other.py({i}): norm{i}", at + 3.5 * i, 3.4) for i in range(20)]
        events.append(frame("app/train.py(5): train", at + 70, 29))
    part = named(opened(tmp_path, *events))
    assert (part.name, part.inside, part.most) == ("`clip` (train.py:9)", "", True)
    assert part.ps == 3 * 70 * US


def test_where_none_holds_most_the_largest_is_named_and_said_to_be_that(tmp_path: Path) -> None:
    events: list[Event] = []
    for number in range(3):
        at = 100 * number
        events += [step(number, at, 100), frame("app/train.py(1): step", at, 99)]
        events += [frame(f"app/train.py({i}): part{i}", at + 33 * i, 32 + (i == 1)) for i in range(3)]
    part = named(opened(tmp_path, *events))
    assert (part.name, part.most) == ("`part1` (train.py:1)", False)


def test_two_hosts_are_added_up_by_name(tmp_path: Path) -> None:
    one = tree(opened(tmp_path, *(event for number in range(3) for event in pool(number))))
    both = one.plus(one)
    assert (both.steps_ps, both.label) == (2 * one.steps_ps, one.label)
    np.testing.assert_array_equal(both.whole(both.ps), 2 * one.whole(one.ps))
