"""How often ops ran, of kernels whose launches are unknown."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.analysis.ops import executions as op_executions


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 3)), min_size=1, max_size=20))
def test_the_most_frequent_kernel_of_each_op_and_program(triples: list[tuple[int, int, int]]) -> None:
    counts = Counter(triples)
    expected = [
        sum(max((n for (o, p, _), n in counts.items() if (o, p) == (op, program)), default=0) for program in (0, 1))
        for op in range(3)
    ]
    op, program, name = (np.array(column) for column in zip(*triples, strict=True))
    for limit in (0, 1 << 20):
        with patch.object(op_executions, "_MAX_CELLS", limit):
            assert (
                op_executions._largest_count(op.astype(np.int32), program, name.astype(np.int32), 3).tolist()
                == expected
            )
