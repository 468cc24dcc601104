"""The input of a run: what takes most of a step beside it."""

from __future__ import annotations

from tensorboard_perfplugin.analysis.input.whole import _largest
from tensorboard_perfplugin.timeline import CATEGORIES


def test_computing_is_one_part_of_a_step_in_whatever_precision() -> None:
    """Seen: `most is compute (39 %)` where the overview told that steps compute for 86 %."""
    shares = {c.key: 0.0 for c in CATEGORIES} | {"compute_16bit": 0.3, "compute_other": 0.3, "idle": 0.35}
    assert _largest(shares) == ("compute", 0.6)
