"""One host's part of the overview, and what the ops of all hosts took."""

from .activity import ACTIVITY, columns
from .host import DeviceUse, Host, host
from .ops import SideOps, side_ops
from .round_trips import RoundTrips, round_trips

__all__ = [
    "ACTIVITY",
    "DeviceUse",
    "Host",
    "RoundTrips",
    "SideOps",
    "columns",
    "host",
    "round_trips",
    "side_ops",
]
