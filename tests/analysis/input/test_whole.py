"""The input of a run: what takes most of a step beside it."""

from __future__ import annotations

import numpy as np

from tensorboard_perfplugin.analysis.input.whole import _largest
from tensorboard_perfplugin.timeline import CATEGORIES, INDEX


def test_computing_is_one_part_of_a_step_in_whatever_precision() -> None:
    """Seen: `most is compute (39 %)` where the overview told that steps compute for 86 %."""
    shares = np.zeros(len(CATEGORIES))
    for key, share in {"compute_16bit": 0.3, "compute_other": 0.3, "idle": 0.35, "input_wait": 0.05}.items():
        shares[INDEX[key]] = share
    assert _largest(shares, ("input_wait",)) == ("compute", 0.6)
