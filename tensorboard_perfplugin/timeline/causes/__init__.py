"""What caused each event: launches, contexts, regions of thread pools, runs of programs."""

from .flows import Flows, flows_of, inherited
from .graphs import graph_nodes, uses_graphs
from .launches import Launches, launches_of

__all__ = ["Flows", "Launches", "flows_of", "graph_nodes", "inherited", "launches_of", "uses_graphs"]
