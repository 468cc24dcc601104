"""Rows of a capture's launches → launch configurations."""

from __future__ import annotations

import numpy as np

from tensorboard_perfplugin.analysis.kernels import LaunchConfiguration, configurations
from tensorboard_perfplugin.decode.common import Launch, launches_of
from tensorboard_perfplugin.tables import Launches


def test_what_is_not_told_is_none() -> None:
    """Occupancy is no part: the same launch may be reported with several."""
    launches = launches_of(
        [
            Launch(32, 0, 1024, 1024, (8, 2, 1), (128, 1, 1), occupancy_percent=50.0),
            Launch(block=(64, 1, 1)),
            Launch(32, 0, 1024, 1024, (8, 2, 1), (128, 1, 1), occupancy_percent=51.0),
        ]
    )
    full = LaunchConfiguration(32, 0, 1024, 1024, (8, 2, 1), (128, 1, 1))
    some = [LaunchConfiguration(), LaunchConfiguration(block=(64, 1, 1)), full, full]
    assert configurations(launches, np.array([-1, 1, 0, 2])) == some


def test_of_a_file_without_launches() -> None:
    assert configurations(Launches.empty(), np.array([-1])) == [LaunchConfiguration()]
