"""Which tracks of a capture show threads and devices at work, and the rows of their events."""

from .functions import records_python
from .tracks import device_planes, device_tracks, host_tracks, rows_of, sparse_cores, threads_of
from .work import at_work, device_names, device_rows, device_rows_named, graphs_of_nodes

__all__ = [
    "at_work",
    "device_names",
    "device_planes",
    "device_rows",
    "device_rows_named",
    "device_tracks",
    "graphs_of_nodes",
    "host_tracks",
    "records_python",
    "rows_of",
    "sparse_cores",
    "threads_of",
]
