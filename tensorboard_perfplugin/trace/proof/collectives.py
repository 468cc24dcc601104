"""The rows of `pod_viewer.collectives` → the calls that each sums up."""

from __future__ import annotations

import numpy as np

from ...analysis.collectives.calls import calls
from ...analysis.collectives.negotiations import negotiated
from ...tables import RowKey
from ...timeline.timeline import Timeline, remembered
from .proof import Marked, of_durations


def collective(timeline: Timeline, key: RowKey) -> Marked:
    """Of one kind and process group, on all devices; of one tensor of a Horovod timeline."""
    if "tensor" in key.values:
        return _of_tensor(timeline, key)
    found = remembered(timeline, calls)
    wanted = [
        key.holds("kind", kind)
        and key.holds("group", group.name or None)
        and key.holds("ranks", group.ranks or None)
        and key.holds("group_size", group.size or None)
        for kind, group in found.whats
    ]
    return of_durations(timeline, np.sort(found.row[np.array(wanted, bool)[found.what]]))


def _of_tensor(timeline: Timeline, key: RowKey) -> Marked:
    found = remembered(timeline, negotiated)
    wanted = [key.holds("kind", kind) and key.holds("tensor", tensor) for kind, tensor in found.whats]
    return of_durations(timeline, found.calls[np.array(wanted, bool)[found.call_what]])
