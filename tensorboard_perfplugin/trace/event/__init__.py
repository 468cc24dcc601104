"""One event of the trace: facts, neighbours, why it started only then, peers."""

from .event import Fact, Row, details, text
from .links import LINKS_MAX, Frame, Link, Related, apart, links_to, related
from .near import Near
from .peers import Collectives, Party, came_last, collectives, peers
from .why import Why

__all__ = [
    "LINKS_MAX",
    "Collectives",
    "Fact",
    "Frame",
    "Link",
    "Near",
    "Party",
    "Related",
    "Row",
    "Why",
    "apart",
    "came_last",
    "collectives",
    "details",
    "links_to",
    "peers",
    "related",
    "text",
]
