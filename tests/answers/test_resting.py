"""What is let go when nothing is asked for."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.answers.many import IdleTimer
from tensorboard_perfplugin.answers.memo import Memo
from tensorboard_perfplugin.timeline.nesting import nesting_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space

QUIET_S = 0.2


def test_rest_begins_when_nothing_was_asked_for_a_while_and_each_time_anew() -> None:
    rested = threading.Semaphore(0)
    resting = IdleTimer(lambda: rested.release(), QUIET_S)
    for _ in range(2):
        with resting.asked():
            pass
        assert rested.acquire(timeout=20)
    assert not rested.acquire(timeout=2 * QUIET_S)


def test_nothing_is_let_go_while_something_is_computed() -> None:
    rested = threading.Event()
    resting = IdleTimer(rested.set, QUIET_S)
    with resting.asked():
        with resting.asked():
            pass
        assert not rested.wait(3 * QUIET_S)
    began = time.monotonic()
    assert rested.wait(20)
    assert time.monotonic() - began >= QUIET_S / 2


def test_values_are_made_smaller_before_the_oldest_go_and_the_newest_stays() -> None:
    memo: Memo[list[int]] = Memo(1000, len)
    for key in range(3):
        memo.get(key, lambda: ([0] * 100, True))
    memo.shrink(300, lambda value: value.clear())
    assert [len(memo.peek(key) or ()) for key in range(3)] == [100, 100, 100]
    memo.shrink(299, lambda value: value.__delitem__(slice(50)))
    assert [len(memo.peek(key) or ()) for key in range(3)] == [50, 50, 50]
    memo.shrink(10, lambda value: None)
    assert [memo.peek(key) is not None for key in range(3)] == [False, False, True]
    assert memo.get(3, lambda: ([0] * 960, True))
    assert memo.peek(2) is None


def test_what_a_timeline_forgets_it_derives_again() -> None:
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "line")
    line.event("work", start_ps=0, duration_ps=500)
    timeline = Timeline(decode.read_bytes(space.bytes()), "h")
    before = nesting_of(timeline)
    assert nesting_of(timeline) is before
    assert timeline.stat("none") is timeline.stat("none")
    timeline.forget()
    assert timeline.derived_bytes == 0
    again = nesting_of(timeline)
    assert again is not before
    assert np.array_equal(again.self_ps, before.self_ps)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of glibc")
@pytest.mark.parametrize("how", ["keep_freed", "return_large"])
def test_memory_goes_back_to_the_system(how: str) -> None:
    """Of a process of its own; 40 arrays of 4 MB on the way, 3 of 40 MB in the end."""
    program = f"""
import numpy as np
from pathlib import Path
from tensorboard_perfplugin import heap
heap.{how}()
held = [np.ones(500_000) for _ in range(40)] + [np.ones(5_000_000) for _ in range(3)]
del held
heap.give_back()
print(int(Path("/proc/self/statm").read_text().split()[1]) * 4096)
"""
    folder = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 120_000_000
