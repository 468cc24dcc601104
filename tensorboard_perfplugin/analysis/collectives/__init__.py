"""Calls of collectives: kind, group, size, arrival; the negotiations of Horovod."""

from .async_names import begun_by, named
from .buckets import Unbucketed, unbucketed
from .calls import Calls, What, calls
from .exchanges import negotiation_sums
from .lateness import CYCLE, All, all_negotiations, late_rank
from .links import Linked, SlowLink, linked, slow_links, with_expected
from .names import ALL_END_AT_ONCE, bus_factor
from .negotiations import NO_NEGOTIATIONS, Arrivals, Negotiations, negotiated, negotiations
from .parties import alike
from .small import SmallCalls, small_calls
from .sums import Arrival, CollectiveSums
from .together import MAX_ROWS, Together, collective_sums, overlapped_ps, together, waiting_ps
from .waited import WaitedFor, waited_for
from .wide import WideSums, wide_sums

__all__ = [
    "ALL_END_AT_ONCE",
    "CYCLE",
    "MAX_ROWS",
    "NO_NEGOTIATIONS",
    "All",
    "Arrival",
    "Arrivals",
    "Calls",
    "CollectiveSums",
    "Linked",
    "Negotiations",
    "SlowLink",
    "SmallCalls",
    "Together",
    "Unbucketed",
    "WaitedFor",
    "What",
    "WideSums",
    "alike",
    "all_negotiations",
    "begun_by",
    "bus_factor",
    "calls",
    "collective_sums",
    "late_rank",
    "linked",
    "named",
    "negotiated",
    "negotiation_sums",
    "negotiations",
    "overlapped_ps",
    "slow_links",
    "small_calls",
    "together",
    "unbucketed",
    "waited_for",
    "waiting_ps",
    "wide_sums",
    "with_expected",
]
