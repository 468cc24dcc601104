"""When GPUs and their streams stood still, and why."""

from .causes import CAUSES, MAX_STREAMS, OTHER, SHORT, TITLES, WHOLE, Idle, causes_of, gaps_of, idle_causes, stood_still
from .silent import silent_waits, waiting_calls

__all__ = [
    "CAUSES",
    "MAX_STREAMS",
    "OTHER",
    "SHORT",
    "TITLES",
    "WHOLE",
    "Idle",
    "causes_of",
    "gaps_of",
    "idle_causes",
    "silent_waits",
    "stood_still",
    "waiting_calls",
]
