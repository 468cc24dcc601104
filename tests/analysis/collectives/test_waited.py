"""For whom others wait in collectives, counted from arrivals."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.collectives.waited import WaitedFor
from tensorboard_perfplugin.tools import pod_viewer
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.build_capture import Space, Uint
from tests.timeline.timelines import timeline

US = 10**6


def rank(number: int, begins_us: int) -> Space:
    """One step that ends after 100 µs, of which 20 compute; its collective ends when all others' do, at 95 µs."""
    space = Space(hostnames=[f"w{number}"])
    line = space.plane("/host:CPU").line(1, "python")
    line.event("train", begins_us * US, (100 - begins_us) * US, stats={"step_num": 1, "_r": 1})
    stream = space.plane("/device:GPU:0", id=1).line(7, "Stream #7(Compute)")
    stream.event("gemm", (begins_us + 5) * US, 20 * US)
    stream.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", (begins_us + 25) * US, (70 - begins_us) * US)
    space.plane("Task Environment", stats={"profile_start_time": Uint(1_800_000_000_000_000_000)})
    return space


@pytest.mark.parametrize(("late_us", "said"), [(16, True), (9, False)])
def test_a_worker_that_begins_late_is_told_although_it_works_no_longer(late_us: int, said: bool) -> None:
    """The others waited five milliseconds for a rank that began late, and another was called the straggler."""
    options = POD_VIEWER.parse({})
    parts = [POD_VIEWER.per_host(timeline(rank(i, late_us * (i == 2)), f"w{i}"), options) for i in range(3)]
    findings = POD_VIEWER.combine(parts, options).findings
    assert [f.params["worker"] for f in findings if f.code == "last_comer"] == (["w2/GPU:0"] if said else [])
    if said:
        assert findings[0].code == "last_comer"
        assert findings[0].params["wait_ps"] == late_us * US


@pytest.mark.parametrize(("last", "said"), [(50, True), (49, False)])
def test_who_comes_last_to_half_of_the_collectives_is_told(
    last: int, said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pod_viewer, "waited_for", lambda together: WaitedFor(2, last, 100, 100 * US))
    options = POD_VIEWER.parse({})
    parts = [POD_VIEWER.per_host(timeline(rank(i, 0), f"w{i}"), options) for i in range(3)]
    findings = POD_VIEWER.combine(parts, options).findings
    assert [f.params["last"] for f in findings if f.code == "last_comer"] == ([last] if said else [])
