"""JSON of trace events → columns: by compiled loops where they are, else by msgspec."""

from .columns import ENDS_AROUND, FLOW_IN, FLOW_OUT, GLOBAL, HAS_LENGTH, HAS_START, LOCAL, Events, Growing, Ints
from .reader import COMPILED, Document, Reader

__all__ = [
    "COMPILED",
    "ENDS_AROUND",
    "FLOW_IN",
    "FLOW_OUT",
    "GLOBAL",
    "HAS_LENGTH",
    "HAS_START",
    "LOCAL",
    "Document",
    "Events",
    "Growing",
    "Ints",
    "Reader",
]
