"""Pipelines of tf.data just below and just above each number that decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.input import frames
from tensorboard_perfplugin.analysis.tf_data import HostTfData
from tensorboard_perfplugin.analysis.tf_data.blame import Given, blame
from tensorboard_perfplugin.analysis.tf_data.iterators import iterators
from tensorboard_perfplugin.analysis.tf_data.partial import host_tf_data
from tensorboard_perfplugin.analysis.tf_data.run import whole
from tensorboard_perfplugin.analysis.tf_data.segments import Segments
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tools.tf_data import TF_DATA
from tests.build_capture import Line, Space
from tests.timeline.timelines import timeline
from tests.tools import host_steps
from tests.tools.pipelines import MS, call, host
from tests.tools.tf_data_answers import ask


def look(space: Space) -> HostTfData:
    return host_tf_data(timeline(space), TF_DATA.parse({}))


def pipelines(count: int, name: str = "p{}") -> Space:
    """Of each a call of 1 ms."""
    space = Space()
    python = host(space)[0]
    for i in range(count):
        call(python, "Root", 10 * i, 10 * i + 1, id=i + 1, name=name.format(i))
    return space


def test_64_pipelines_of_a_host_are_looked_into() -> None:
    found = look(pipelines(66))
    assert (len(found.pipelines), found.looked_into) == (66, 64)


def test_the_first_100_letters_of_a_name_are_shown() -> None:
    assert look(pipelines(1, "x" * 150)).pipelines[0].name == "x" * 100


def test_the_five_longest_calls_are_kept() -> None:
    space = Space()
    python = host(space)[0]
    for i in range(7):
        call(python, "Root", 10 * i, 10 * i + 1 + i, id=1)
    assert [place.start_ps // 10**10 for place in look(space).pipelines[0].longest] == [6, 5, 4, 3, 2]


def test_twenty_pipelines_are_named_to_choose_from() -> None:
    of = timeline(pipelines(21))
    with pytest.raises(ArgumentError, match=r"use one of p0, .*, p19 and 1 more$"):
        ask(of, pipeline="none of these")


@pytest.mark.parametrize(("at_once", "count"), [(16, 16), (17, 18)])
def test_of_16_pipelines_of_one_name_at_once_an_epoch_goes_on_with_the_one_that_ended(at_once: int, count: int) -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    for i in range(at_once):
        thread: Line = plane.line(i + 1, f"thread {i}")
        call(thread, "Root", i, 30 if i == 0 else 90, id=i + 1, name="p")
    call(plane.lines[0], "Root", 40, 50, id=99, name="p")
    assert len(look(space).pipelines) == count


def test_thirty_settings_of_60_letters_are_given() -> None:
    space = Space()
    given = {f"setting_{i:02}".ljust(70, "_"): "v" * 70 for i in range(32)}
    call(host(space)[0], "Root", 0, 1, id=1, **given)
    chosen = look(space).chosen
    assert chosen is not None
    settings = chosen.graph[0].settings.given
    assert list(settings.items()) == [(key[:60], "v" * 60) for key in list(given)[:30]]


@pytest.mark.parametrize(("stages", "iterators_"), [(33, 66), (34, 67)])
def test_32_stages_above_its_own_tell_an_iterator_from_another_of_its_number(stages: int, iterators_: int) -> None:
    """A second dataset's iterators are made where the first one's were."""
    space = Space()
    python = host(space)[0]
    for at in (0, 100):
        for i in range(stages):
            stats: dict[str, int | str] = {"parent_id": i} if i else {"name": f"at {at}"}
            call(python, "Root" + "::Map" * i, at + i / 8, at + 20 - i / 8, id=i + 1, **stats)
    of = timeline(space)
    tf_frames = frames(of)
    assert tf_frames is not None
    assert len(iterators(of, tf_frames).id) == iterators_


def segments(rows: Sequence[tuple[int, int, int]], works: bool) -> Segments:
    """Each a frame, its begin and end, which works or waits."""
    frame, begin, end = np.array(rows, np.int64).reshape(-1, 3).T
    return Segments(frame, begin, end, np.full(len(frame), not works), np.full(len(frame), works))


def blamed(asking: Segments, others: Segments, stage: Sequence[int], last: Sequence[int]) -> dict[int, float]:
    """Time by frame, of one call. stage: of each frame. last: by node; a node is as deep as its number."""
    depth, n = np.arange(len(last)), len(asking.frame)
    given = Given(asking, np.zeros(n, np.int64), others, np.array(stage), np.ones(len(last)), np.array(last), depth)
    found = blame(given)
    sums = np.bincount(found.frame, found.ps)
    return {frame: ps for frame, ps in enumerate(sums.tolist()) if ps}


def test_waits_of_sixteen_stages_are_given_to_what_works_for_them() -> None:
    """The shortest of seventeen, each of which a worker makes, is its own."""
    waits = [(i, 0, 100 - i) for i in range(17)]
    found = blamed(
        segments(waits, False), segments([(17 + i, 0, 100) for i in range(17)], True), [*range(17)] * 2, range(1, 18)
    )
    assert found == {16: 84.0} | {17 + i: 100.0 - i for i in range(16)}


def test_waits_go_to_the_deepest_24_levels_that_wait() -> None:
    """Each of 26 levels waits for 10 ps of 270; the first two are left to the stage itself."""
    waits = segments([(i, 10 * i, 10 * i + 10) for i in range(1, 27)], False)
    found = blamed(segments([(0, 0, 270)], False), waits, range(27), [27] * 27)
    assert found == {0: 30.0} | dict.fromkeys(range(3, 27), 10.0)


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "waits"), [(2048, 4096), (2049, 2048)])
def test_eight_million_overlaps_are_held_at_once(workers: int, waits: int) -> None:
    """Of more those of the longest half of 4,096 waits."""
    asking = segments([(0, 0, 1000)] * 4096, False)
    found = blamed(asking, segments([(1, 0, 1000)] * workers, True), [0, 0], [1])
    assert found[1] == pytest.approx(waits * 1000)


def test_the_waiting_of_64_stages_is_told_from_their_work() -> None:
    """Of 66 buffers, each of which waits for a map on another thread."""
    space = Space()
    python, maker, *_ = host(space)
    call(python, "Root", 0, 700, id=1)
    for i in range(66):
        below = f"Root::Zip[{i}]::Prefetch"
        call(python, below, 10 * i, 10 * i + 9, id=100 + i, parent_id=1)
        call(maker, f"{below}::Map", 10 * i, 10 * i + 8, id=200 + i, parent_id=100 + i)
    chosen = look(space).chosen
    assert chosen is not None
    waits = [node.wait_ps for node in chosen.graph if node.name == "Prefetch"]
    assert sorted(waits) == [0.0] * 2 + [8.0 * MS] * 64


def test_five_slow_steps_are_shown() -> None:
    """Of 31 whole steps six take 30 ms, of which 25 wait; the others 10. The last has no end."""
    walls = [10.0] * 25 + [30.0] * 7
    begin = [sum(walls[:i]) for i in range(len(walls) + 1)]
    waits = [25.0 if wall > 10 else 1.0 for wall in walls]
    of = host_steps.host("h", host_steps.steps(begin[:-1], begin[-1]), parts_ms={"": {"input_wait": waits}})
    slow = whole([HostTfData("h", round(begin[-1] * 10**9), of, (), None)], {}).slow
    assert slow is not None
    assert (slow.steps, slow.of, len(slow.places)) == (6, 31, 5)
