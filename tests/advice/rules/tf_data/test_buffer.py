"""tf_data: what is said of a buffer that is empty whenever the program asks."""

from __future__ import annotations

import pytest

from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.pipelines import call, host, span, steps
from tests.tools.tf_data_answers import ask

SLOWER = (
    "The buffer of `PrefetchDataset:1` held 0.0 of 4 elements when the program asked: the pipeline is slower than the "
    "steps"
)


@pytest.mark.parametrize(("wait_ms", "told"), [(1.0, False), (60.0, True)])
def test_an_empty_buffer_is_told_only_where_steps_wait(wait_ms: float, told: bool) -> None:
    """Seen: `waits only 1 % of each step`, and `the pipeline is slower than the steps`."""
    space = Space()
    python = host(space)[0]
    steps(python, [0, 100, 200, 300], 400)
    for begin in (0, 100, 200, 300):
        stats: dict[str, int | str] = {"id": 2, "buffer_limit": 4, "buffered_elements": 0, "name": "PrefetchDataset:1"}
        call(python, "Prefetch", begin + 1, begin + 1 + wait_ms, **stats)
        span(python, "a:MatMul", begin + 1 + wait_ms, begin + 99)
    titles = [f.title for f in ask(timeline(space)).result.findings]
    assert (SLOWER in titles) is told
