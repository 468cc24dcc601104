"""One event of the trace: facts, neighbours, why it started only then, peers."""

from .event import Row, details
from .links import Frame, Link, Related, links_to, related
from .near import Near
from .peers import Collectives, Party, came_last, collectives, peers

__all__ = [
    "Collectives",
    "Frame",
    "Link",
    "Near",
    "Party",
    "Related",
    "Row",
    "came_last",
    "collectives",
    "details",
    "links_to",
    "peers",
    "related",
]
