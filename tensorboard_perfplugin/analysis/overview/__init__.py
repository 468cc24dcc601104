"""One host's part of the overview."""

from .activity import ACTIVITY, columns
from .host import DeviceUse, Host, host

__all__ = [
    "ACTIVITY",
    "DeviceUse",
    "Host",
    "columns",
    "host",
]
