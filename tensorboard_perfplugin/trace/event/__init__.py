"""One event of the trace: facts, neighbours, why it began only then, peers."""

from .event import Row, details
from .links import Related, related
from .near import Near
from .peers import Collectives, came_last, collectives, links, peers

__all__ = [
    "Collectives",
    "Near",
    "Related",
    "Row",
    "came_last",
    "collectives",
    "details",
    "links",
    "peers",
    "related",
]
