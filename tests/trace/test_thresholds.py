"""Both sides of each number that decides why an event started only then, or why a gap is one."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.trace.area.gaps import MOST_OF_A_GAP
from tests.build_capture import Space
from tests.trace.test_viewer import ask, opened, rows

US = 1_000_000


def why(wait_us: int, left_us: float) -> str:
    """Of a kernel that waited so long for another stream's, which ended so long before."""
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 0, 10 * US, stats={"correlation_id": 1})
    plane, start = space.plane("/device:GPU:0"), (10 + wait_us) * US
    other = int(start - left_us * US)
    plane.line(7, "Stream #7").event("k", start, 5 * US, stats={"correlation_id": 1})
    plane.line(8, "Stream #8").event("gemm", 11 * US, other - 11 * US)
    [finding] = ask(opened(space), event=1).result.findings
    return finding.code


@pytest.mark.parametrize(("left_us", "code"), [(24, "why.other_stream"), (26, "why.stream_idle")])
def test_right_after(left_us: float, code: str) -> None:
    """In the last quarter of a wait of 100 µs."""
    assert why(100, left_us) == code


@pytest.mark.parametrize(("left_us", "code"), [(3, "why.other_stream"), (3.1, "why.stream_idle")])
def test_shortly(left_us: float, code: str) -> None:
    """More than a quarter of its wait of 8 µs."""
    assert why(8, left_us) == code


def test_what_ended_as_long_before_as_it_waited_is_not_shortly() -> None:
    assert why(4, 2.9) == "why.other_stream"
    assert why(3, 1.9) == "why.stream_idle"


@pytest.mark.parametrize(("share", "cause"), [(0.49, "launch latency"), (0.51, "launched late")])
def test_a_launch_in_a_gap(share: float, cause: str) -> None:
    assert share != MOST_OF_A_GAP.value
    space = Space()
    cpu = space.plane("/host:CPU").line(5, "python")
    cpu.event("cuLaunchKernel", 0, US, stats={"correlation_id": 1})
    cpu.event("cuLaunchKernel", int((10 + 100 * share) * US), US, stats={"correlation_id": 2})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    stream.event("a", 5 * US, 5 * US, stats={"correlation_id": 1})
    stream.event("b", 110 * US, 5 * US, stats={"correlation_id": 2})
    answer = ask(opened(space), area=True, start_ps=5 * US, end_ps=115 * US, tracks="1")
    assert rows(answer, "area_gaps", "cause") == [(cause,)]


@pytest.mark.parametrize(
    ("busy_us", "events", "code"),
    [
        (51, 1, "gap.other_stream"),
        (51, 3, "gap.other_stream.many"),
        (49, 1, "gap.launch_latency"),
    ],
)
def test_another_stream_in_a_gap(busy_us: int, events: int, code: str) -> None:
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 0, US, stats={"correlation_id": 2})
    plane = space.plane("/device:GPU:0")
    stream = plane.line(7, "Stream #7").event("a", 5 * US, 5 * US)
    stream.event("b", 110 * US, 5 * US, stats={"correlation_id": 2})
    other, each = plane.line(8, "Stream #8"), busy_us // events
    for i in range(events):
        other.event("gemm", (20 + i * (each + 1)) * US, each * US)
    answer = ask(opened(space), area=True, start_ps=5 * US, end_ps=115 * US, tracks="1").result
    [text] = answer.tables["area_gaps"]["text"]
    assert getattr(text, "code", "") == code
