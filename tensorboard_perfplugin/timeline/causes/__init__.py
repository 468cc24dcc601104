"""What caused each event: launches, contexts, regions of thread pools, runs of programs."""

from .flows import flows_of, inherited
from .launches import Launches, launches_of

__all__ = ["Launches", "flows_of", "inherited", "launches_of"]
