"""What ends last before an instant, against looking at every event."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.analysis.idle import _last


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), max_size=12),
    st.lists(st.integers(-1, 14), max_size=6).map(sorted),
)
def test_the_last_up_to_an_instant_is_the_longest_then_the_last_of_several(
    events: list[tuple[int, int]], instants: list[int]
) -> None:
    at, length = np.array(events, np.int64).reshape(-1, 2).T
    expected = [
        max((i for i in range(len(events)) if events[i][0] <= instant), key=lambda i: (*events[i], i), default=-1)
        for instant in instants
    ]
    assert _last(at, length, np.array(instants, np.int64)).tolist() == expected
