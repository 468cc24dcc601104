"""One host's part of the overview, and what the ops of all hosts took."""

from .activity import ACTIVITY, columns
from .host import DeviceUse, Host, host
from .ops import SideOps, side_ops

__all__ = [
    "ACTIVITY",
    "DeviceUse",
    "Host",
    "SideOps",
    "columns",
    "host",
    "side_ops",
]
