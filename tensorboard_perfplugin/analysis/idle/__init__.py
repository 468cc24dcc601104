"""When GPUs and their streams stood still, and why."""

from .causes import CAUSES, MAX_STREAMS, OTHER, SHORT, TITLES, WHOLE, Idle, causes_of, gaps_of, idle_causes, stood_still
from .pauses import PAUSE_PS, Pauses, pauses, seldom
from .silent import silent_waits, waiting_calls

__all__ = [
    "CAUSES",
    "MAX_STREAMS",
    "OTHER",
    "PAUSE_PS",
    "SHORT",
    "TITLES",
    "WHOLE",
    "Idle",
    "Pauses",
    "causes_of",
    "gaps_of",
    "idle_causes",
    "pauses",
    "seldom",
    "silent_waits",
    "stood_still",
    "waiting_calls",
]
