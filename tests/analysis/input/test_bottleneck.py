"""What limits a pipeline and what is not seen of it, just below and just above each number that decides."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.input.bottleneck import Stage, input_bottleneck
from tensorboard_perfplugin.analysis.input.frames import BLOCKING, EXECUTOR, Frames, largest
from tensorboard_perfplugin.analysis.input.other import with_held_up
from tensorboard_perfplugin.analysis.input.run import HostInput, for_devices_ps, whole_input
from tensorboard_perfplugin.analysis.input.stages import input_stages, with_unseen
from tensorboard_perfplugin.analysis.steps.means import host_steps, slow_spans
from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.input_answers import no_input, split_of_file
from tests.tools.kineto import H100, Event, launched, on_host, step
from tests.tools.pipelines import asked, call, host

ROOT = "Iterator::Root"


@pytest.mark.parametrize(("fill_ps", "fills"), [(51, True), (49, False)])
def test_a_buffer_that_takes_half_of_the_work_to_fill_is_the_limit(fill_ps: float, fills: bool) -> None:
    shuffle = Stage(f"{ROOT}::Shuffle", "Shuffle", "preprocessing", fill_ps=fill_ps, fills=1)
    limit = input_bottleneck([shuffle, Stage(f"{ROOT}::Shuffle::Map", "Map", "preprocessing", self_ps=100)])
    assert limit is not None
    assert (limit.fills, limit.stage.type) == (fills, "Shuffle" if fills else "Map")


@pytest.mark.parametrize(("seen_ps", "unseen"), [(49, True), (51, False)])
def test_work_that_explains_less_than_half_of_the_waiting_was_not_seen(seen_ps: float, unseen: bool) -> None:
    waits = Stage(f"{ROOT}::ParallelMap", "ParallelMap", "preprocessing", wait_ps=100)
    feeds = Stage(f"{ROOT}::ParallelMap::Range", "Range", "preprocessing", self_ps=seen_ps)
    assert [stage.unseen for stage in with_unseen([waits, feeds])] == [unseen, False]


@pytest.mark.parametrize(("elements", "fills"), [(15, 0), (16, 1)])
def test_a_shuffle_that_reads_16_elements_before_it_gives_one_fills_its_buffer(elements: int, fills: int) -> None:
    space = Space()
    python = host(space)[0]
    asked(python, "Shuffle", 0, 100)
    for i in range(elements):
        call(python, "Root::Shuffle::Range", i, i + 1)
    found = {stage.type: stage.fills for stage in input_stages(timeline(space)).stages}
    assert (found["Shuffle"], found["Range"]) == (fills, 0)


def test_of_a_step_computing_is_one_part_in_whatever_precision_and_most_input_proves_it() -> None:
    """Seen: `most is compute (39 %)` where the overview told that steps compute for 86 %."""
    waits, computes = [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]], [[30.0] * 7]
    split = split_of_file([100] * 7, input_wait=waits, compute_16bit=computes, compute_other=computes)
    found = whole_input([HostInput(split, no_input())])
    assert found.largest[0] == "compute"
    assert found.largest[1] == pytest.approx(0.6)
    assert [place.start_ps // 10**11 for place in found.longest_waits()] == [6, 5, 4, 3, 2]


def test_the_longest_waits_and_functions_come_first() -> None:
    space = Space()
    python = host(space)[0]
    for i in range(7):
        asked(python, "Prefetch", 10 * i, 10 * i + 1 + i)
    found = input_stages(timeline(space)).longest
    assert [(begin // 10**9, end // 10**9) for begin, end, _ in found] == [
        (10 * i, 10 * i + 1 + i) for i in (6, 5, 4, 3, 2)
    ]
    keys = np.arange(7, dtype=np.int32)
    assert largest(np.zeros(7, np.int32), keys, keys.astype(np.float64), str) == {
        0: (("6", 6.0), ("5", 5.0), ("4", 4.0), ("3", 3.0), ("2", 2.0))
    }


MS = 10**9


NAME = "Iterator::Root::MapAndBatch::FlatMap::Generator"


def held_up_ms(waited: int, alone_ms: float, beside_ms: float, ran: str = "PyFunc", kind: int = BLOCKING) -> float:
    """Of so many calls while the program waits, and twelve that begin beside Python of its own."""
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "tf_data")
    took = [alone_ms] * waited + [beside_ms] * 12
    for i, ms in enumerate(took):
        line.event("InstantiatedCapturedFunction::RunWithBorrowedArgs", round(20 * MS * i), round(ms * MS))
    timeline = Timeline(decode.read_bytes(space.bytes()), "h")
    n = len(took)
    zeros = np.zeros(n, np.int64)
    self_ps = timeline.capture.events.duration_ps
    found = Frames(
        (NAME,), np.arange(n), np.full(n, kind, np.uint8), zeros.astype(np.int32), self_ps, zeros - 1, zeros - 1
    )
    waits = intervals.union(np.array([0]), np.array([20 * MS * waited]))
    stage = Stage(NAME, "Generator", "on-demand read", count=n, calls=n, ran=((ran, 1.0),))
    [stage] = with_held_up(timeline, found, [stage], waits)
    return stage.held_up_ps / MS


@pytest.mark.parametrize("kind", [BLOCKING, EXECUTOR])
def test_calls_take_as_long_as_while_the_program_waits(kind: int) -> None:
    assert held_up_ms(8, 1, 11, kind=kind) == 120


def test_fewer_calls_do_not_tell() -> None:
    assert held_up_ms(7, 1, 11) == 0


@pytest.mark.parametrize(("beside_ms", "expected"), [(1.44, 12 * 0.44), (1.4, 0)])
def test_calls_that_take_about_as_long_are_not_held_up(beside_ms: float, expected: float) -> None:
    """0.8 of all: 20 calls take 25 ms, of which twelve beside Python 17."""
    assert held_up_ms(8, 1, beside_ms) == pytest.approx(expected)


def test_ops_that_are_no_python_are_not_held_up() -> None:
    assert held_up_ms(8, 1, 11, ran="Sort") == 0


US = 10**6


def waits(*of_a_step: Event) -> list[int] | None:
    """Of two steps of 100 µs in which a device runs from 10 to 20."""
    events = []
    for number in range(2):
        events += [
            step(number, 100 * number, 100),
            *launched("gemm", 100 * number + 5, 100 * number + 10, 10, number + 1),
        ]
        events += [{**event, "ts": event["ts"] + 100 * number} for event in of_a_step]
    data = {"schemaVersion": 1, "deviceProperties": [H100], "traceEvents": events}
    timeline = Timeline(decode.read_bytes(json.dumps(data).encode(), "h.pt.trace.json"), "h")
    found = for_devices_ps(timeline, split_of(timeline))
    return None if found is None else found[0].tolist()


def test_a_call_of_the_driver_waits_while_the_device_is_idle() -> None:
    assert waits(on_host("cudaDeviceSynchronize", 15, 35, "cuda_runtime")) == [30 * US, 30 * US]


def test_other_waits_are_for_something_else() -> None:
    call = on_host("cudaDeviceSynchronize", 15, 25, "cuda_runtime")
    assert waits(call, on_host("cudaStreamWaitEvent", 50, 30, "cuda_runtime")) == [20 * US, 20 * US]
    assert waits(on_host("cudaStreamWaitEvent", 50, 30, "cuda_runtime")) is None


@pytest.mark.parametrize(("until", "looked_up"), [(24, False), (25, True)])
def test_less_than_a_twentieth_of_waiting_is_not_looked_up(until: float, looked_up: bool) -> None:
    assert (waits(on_host("cudaDeviceSynchronize", 15, until - 15, "cuda_runtime")) is not None) is looked_up


def stage(name: str, *steps_ms: tuple[float, float]) -> Stage:
    """The loader's stage of steps that take so long, with so long a call each."""
    events: list[Event] = []
    at = 0.0
    for number, (step_ms, call_ms) in enumerate(steps_ms):
        events += [
            step(number, at, step_ms * 1000),
            on_host(f"enumerate(DataLoader)#{name}.__next__", at, call_ms * 1000),
        ]
        at += step_ms * 1000
    data = json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}).encode()
    timeline = Timeline(decode.read_bytes(data, "h.pt.trace.json"), "h")
    [found] = input_stages(timeline, slow_spans(host_steps(timeline, {"steps_from": "auto"}).split.steps)).stages
    return found


@pytest.mark.parametrize(("workers", "name"), [(True, "_MultiProcessingDataLoaderIter"), (False, "_SingleProcess")])
def test_the_first_call_starts_workers(workers: bool, name: str) -> None:
    """A real capture's: 82 ms in a step of 5.2 s, then 1 to 2 ms."""
    found = stage(name, (5000, 82), *[(110, 2)] * 5)
    mean_ps = found.mean_wait_ps if workers else found.mean_work_ps
    assert (found.count, found.total_ps, mean_ps) == (6, 92 * MS, 2 * MS)


def test_calls_of_steps_that_are_alike_all_count() -> None:
    assert stage("_MultiProcessingDataLoaderIter", *[(100, 4), (150, 54)] * 3).mean_wait_ps == 29 * MS
