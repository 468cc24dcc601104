"""What calls of one kind and process group, or negotiations of one tensor, add up to."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Arrival:
    """When workers, or ranks, came to the same collectives. count: of these. wait_ps: of all before the last one came,
    None where ranks are not named. last: who comes last to most, None for nobody; share: of those that it takes part
    in; late_ps: how much later than the others' median, mean.
    """

    count: int
    skew_ps: float
    max_skew_ps: int
    wait_ps: float | None
    last: str | None = None
    share: float | None = None
    late_ps: float | None = None


@dataclasses.dataclass(frozen=True)
class CollectiveSums:
    """total_ps, mean_ps: time of the calls. expected_ps: what their bytes take at the speed of their devices' links,
    None where these are not known. overlapped_share: part in which devices compute. unavailable: why what is
    None is None, as codes.
    """

    kind: str
    tensor: str | None = None
    group: str | None = None
    ranks: str | None = None
    group_size: int | None = None
    workers: int | None = None
    count: int = 0
    bytes: int | None = None
    mean_ps: float | None = None
    total_ps: float | None = None
    expected_ps: float | None = None
    algorithm_gb_s: float | None = None
    bus_gb_s: float | None = None
    overlapped_share: float | None = None
    arrival: Arrival | None = None
    unavailable: tuple[str, ...] = ()
