"""How often ops ran, of kernels whose launches are unknown."""

from __future__ import annotations

import random
from collections import Counter
from unittest.mock import patch

from tensorboard_perfplugin.analysis.ops import executions as op_executions
from tensorboard_perfplugin.analysis.ops import op_table
from tests.build_capture import Space
from tests.timeline.timelines import timeline


def test_the_most_frequent_kernel_of_each_op_and_program() -> None:
    """Sixty kernels of three ops, in two programs and of four names each."""
    drawn = random.Random(1)
    ran = [(drawn.randrange(3), drawn.randrange(2), drawn.randrange(4)) for _ in range(60)]
    space = Space()
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, (op, program, name) in enumerate(ran):
        line.event(f"kernel {name}", 10 * i, 5, {"tf_op": f"op{op}:Mul", "program_id": program + 1})
    counts = Counter(ran)
    expected = {
        f"op{op}": sum(max(n for (o, p, _), n in counts.items() if (o, p) == (op, program)) for program in (0, 1))
        for op in range(3)
    }
    for limit in (0, 1 << 20):
        with patch.object(op_executions, "_MAX_CELLS", limit):
            table = op_table(timeline(space)).rows
        assert {op.name: row.occurrences for (_, op), row in table.items()} == expected
