"""One profiler server over the network: is it there and free, what it recorded, and when by its own clock."""

from .client import Client
from .clock import began_ns
from .pod import capture_pod, monitor
from .probe import Checked, check, checked, unused_id
from .reach import Reached

__all__ = [
    "Checked",
    "Client",
    "Reached",
    "began_ns",
    "capture_pod",
    "check",
    "checked",
    "monitor",
    "unused_id",
]
