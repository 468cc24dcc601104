"""Calls of collectives: kind, group, size, arrival; the negotiations of Horovod."""

from .async_names import begun_by, named
from .calls import Calls, What, calls
from .lateness import CYCLE_PS, All, all_negotiations, late_rank
from .names import ALL_END_AT_ONCE, bus_factor
from .negotiations import NO_NEGOTIATIONS, Arrivals, Negotiations, negotiated, negotiations
from .parties import alike

__all__ = [
    "ALL_END_AT_ONCE",
    "CYCLE_PS",
    "NO_NEGOTIATIONS",
    "All",
    "Arrivals",
    "Calls",
    "Negotiations",
    "What",
    "alike",
    "all_negotiations",
    "begun_by",
    "bus_factor",
    "calls",
    "late_rank",
    "named",
    "negotiated",
    "negotiations",
]
