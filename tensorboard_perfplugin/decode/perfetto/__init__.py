"""Perfetto's binary traces → `Capture`."""

from __future__ import annotations

from ...messages import message
from ...tables import Capture
from ..common.source import Source
from ..trace_events import of_document

# Perfetto's traces (`Trace` of perfetto_trace.proto), as PyTorch, Kineto, rocprof-sys, Chrome and Android write them.
#
# Read are track events of all forms with their annotations, flows and counters, descriptions of tracks, interned
# data,
# clock snapshots, what ran on GPUs and their counters, the threads that ran on each CPU, and profiles of the heap.
# Not
# read are call stacks, logs, other events of the kernel, and packets of other sources.


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where no packet can be read."""
    # Here, since XPlane is read where msgspec is not installed, too.
    from .document import document
    from .packets import packets_of

    packets = packets_of(source.data)
    some = (packets.events["kind"], packets.ends["track"], packets.others, packets.tracks["uuid"])
    if not any(len(each) for each in some):
        raise source.unreadable()
    made = document(packets)
    if not len(made.events):
        made.warnings.append(message("packets_without_events"))
    return of_document(made, list(source.warnings))
