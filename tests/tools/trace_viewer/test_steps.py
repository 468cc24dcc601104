"""trace_viewer: the list of steps of several hosts."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.tools.trace_viewer import TRACE_VIEWER, window
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

MS = 10**9


@pytest.mark.parametrize(
    ("hosts", "listed"), [("a", [("a", i) for i in range(5)]), ("ab", [("a", 0), ("a", 1), ("b", 0), ("b", 1)])]
)
def test_hosts_share_the_rows_of_a_list(
    monkeypatch: pytest.MonkeyPatch, hosts: str, listed: list[tuple[str, int]]
) -> None:
    """Five rows of six steps of each."""
    monkeypatch.setattr(window, "STEPS_MAX", 5)
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for i in range(6):
        line.event("train", 10 * i * MS, 8 * MS, stats={"step_num": i, "_r": 1})
    answer = answered(TRACE_VIEWER, *(timeline(space, host) for host in hosts), list_steps="true")
    assert rows_of(answer, "steps", "host", "number") == listed
    assert answer.result.summary["steps_rows"] == 6 * len(hosts)
