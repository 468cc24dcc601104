"""Threads of pipelines that fill a host's cores while its GPUs wait for launches."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.input.bottleneck import Stage
from tensorboard_perfplugin.analysis.tf_data.graph import cores, element_bytes, mapped_singly, sharded_late, shuffled
from tensorboard_perfplugin.analysis.tf_data.partial import Contention, HostTfData, host_tf_data, run_of_hosts
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.tools.tf_data import TF_DATA
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools import host_steps
from tests.tools.pipelines import MS, call, function, host, span, steps


def capture(
    launch_ms: tuple[float, float], kernel_ms: float = 9, launches: str = "python", cores: int = 2, threads: int = 2
) -> Space:
    """Two steps of 10 ms, and a last one that does not count: a launch, a kernel up to 1 ms before the end, and a map
    on two threads, or on fewer, from 1 to 4 ms.
    """
    space = Space()
    python, makes, *pool = host(space)
    steps(python, [0, 10, 20], 30)
    gpu = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    caller = python if launches == "python" else space.planes[0].line(9, launches)
    for number in range(3):
        at = 10 * number
        call(python, "Root", at, at + 0.01, id=1, **({"cpu_budget": cores} if cores else {}))
        call(python, "Root::Prefetch", at, at + 0.01, id=2, parent_id=1)
        call(makes, "Root::Prefetch::ParallelMapV2", at + 1, at + 4, id=3, parent_id=2, parallelism=2)
        for i, runs in enumerate(pool[:threads]):
            function(makes, runs, 10 * number + i, at + 1, at + 1, at + 4, "decode:Decode")
        begin, end = (at + ms for ms in launch_ms)
        span(caller, "cuLaunchKernel", begin, end, {"correlation_id": number})
        gpu.event("gemm", round(end * MS), round((at + kernel_ms - end) * MS), stats={"correlation_id": number})
    return space


def found(space: Space) -> Contention | None:
    return host_tf_data(timeline(space), TF_DATA.parse({})).contention


def test_a_launch_is_late_while_two_threads_fill_two_cores() -> None:
    """From 2 to 5 ms of each step, of which the cores are full up to 4 ms."""
    one = found(capture((2, 5)))
    assert one is not None
    assert (one.cores, one.threads, one.steps, one.private) == (2, 2, 2, False)
    assert (one.steps_ps, one.full_ps) == (20 * MS, 6 * MS)
    assert (one.late_ps, one.rest_late_ps) == (4 * MS, 2 * MS)
    assert (one.share, one.rest_share) == (0.2, 0.7)
    assert one.times == pytest.approx((4 / 6) / (2 / 14))


@pytest.mark.parametrize(("cores", "threads", "full_ms"), [(0, 2, 6), (3, 3, 0), (1, 1, 6)])
def test_cores_are_full_from_as_many_threads_on_or_from_the_most_that_work(
    cores: int, threads: int, full_ms: int
) -> None:
    one = found(capture((2, 5), cores=cores))
    assert one is not None
    assert (one.cores, one.threads, one.full_ps) == (cores, threads, full_ms * MS)


@pytest.mark.parametrize(("threads", "looked"), [(1, False), (2, True)])
def test_one_thread_fills_no_host_of_which_the_cores_are_unknown(threads: int, looked: bool) -> None:
    assert (found(capture((2, 5), cores=0, threads=threads)) is not None) is looked


@pytest.mark.parametrize(("name", "private"), [("tf_gpu_private_0/12", True), ("tf_Compute/12", False)])
def test_threads_that_only_launch_are_told_by_their_name(name: str, private: bool) -> None:
    one = found(capture((2, 5), launches=name))
    assert one is not None
    assert one.private is private


@pytest.mark.parametrize(("late_ms", "looked"), [(0.05, False), (0.15, True)])
def test_launches_that_are_hardly_late_are_not_looked_at(late_ms: float, looked: bool) -> None:
    """A hundredth of a step of 10 ms."""
    assert (found(capture((0.02, 0.02 + late_ms), kernel_ms=10)) is not None) is looked


@pytest.mark.parametrize(("stage", "full_ms"), [("TFRecord", 6), ("Range", 10)])
def test_a_thread_that_reads_takes_no_core(stage: str, full_ms: int) -> None:
    """For 2 ms of each step something else works on another thread, on a host of one core."""
    space = capture((2, 5), cores=1)
    other = space.planes[0].line(10, "tf_data_iterator_resource/2")
    for number in range(3):
        call(other, f"Root::Prefetch::ParallelMapV2::{stage}", 10 * number + 6, 10 * number + 8, id=4, parent_id=3)
    one = found(space)
    assert one is not None
    assert one.full_ps == full_ms * MS


@pytest.mark.parametrize(("late_ms", "told"), [(4, True), (0.4, False)])
def test_the_overview_tells_it_too(late_ms: float, told: bool) -> None:
    """It is why launches are late, which the overview says first; from 5 % of the steps on it is looked up there."""
    space = capture((1, 1 + late_ms), kernel_ms=10)
    part = OVERVIEW.per_host(timeline(space), OVERVIEW.parse({}))
    findings = OVERVIEW.combine([part], OVERVIEW.parse({})).findings
    assert (part.contention is not None) is told
    assert [f.share for f in findings if f.code == "tf_data_contends"] == ([pytest.approx(0.3)] if told else [])


def test_without_gpus_nothing_is_late() -> None:
    space = Space()
    python = host(space)[0]
    steps(python, [0, 10], 20)
    call(python, "Root", 1, 5, id=1)
    assert found(space) is None


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
    slow = run_of_hosts([HostTfData("h", round(begin[-1] * 10**9), of, (), None)], {}).slow
    assert slow is not None
    assert (slow.steps, slow.of, len(slow.places)) == (6, 31, 5)
