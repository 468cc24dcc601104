"""What runs eagerly in steps, by op."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.ops import EagerTime, op_table
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.op_answers import NS, host_line


@pytest.mark.parametrize(("eager_us", "known"), [(110, False), (112, True)])
def test_a_tenth_of_the_known_time_is_looked_for_in_steps(eager_us: int, known: bool) -> None:
    """In each of four steps 1,000 µs are compiled; 111 µs more are a tenth of all."""
    space = Space()
    line = host_line(space, 1)
    for step in range(4):
        begin = step * 2000
        line.event(f"train {step}", begin * 1000 * NS, 1_800_000 * NS, stats={"_r": 1, "step_num": step})
        line.event("big:Mul", begin * 1000 * NS, 1_000_000 * NS)
        line.event("EagerExecute", (begin + 1100) * 1000 * NS, 500_000 * NS, stats={"is_func": 0})
        line.event("a:MatMul", (begin + 1200) * 1000 * NS, eager_us * 1000 * NS)
    rows = {op.name: row for (_, op), row in op_table(timeline(space)).rows.items()}
    eager_ps = 4 * eager_us * 1e6
    assert rows["a"].in_steps == (EagerTime(eager_ps, eager_ps) if known else None)
    assert rows["a"].of_steps == EagerTime(eager_ps, eager_ps)
