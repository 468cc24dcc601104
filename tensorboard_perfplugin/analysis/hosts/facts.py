"""Workers of a run, side by side → the facts that rules decide by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..steps import HostSteps
from .clusters import Cluster
from .straggler import Straggler
from .workers import Pod


class PodFacts(NamedTuple):
    """parts: of all hosts, those without steps, too. shown: steps in the table of steps. clusters: workers that behave
    alike.
    """

    pod: Pod
    parts: Sequence[HostSteps]
    late: Straggler | None
    shown: int
    clusters: tuple[Cluster, ...] = ()
