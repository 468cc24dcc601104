"""Buffers of XLA programs: what is live at the peak of each memory, for how long, and what would make it less."""

from .host import PADDING, HostBuffers, OpUse, Point, Row, Saving, Shown, host_buffers
from .memory import CONSTANT, DONATE, KINDS, OUTPUT, PARAMETER, RECOMPUTE, TEMPORARY, THREAD_LOCAL, Held, Space

__all__ = [
    "CONSTANT",
    "DONATE",
    "KINDS",
    "OUTPUT",
    "PADDING",
    "PARAMETER",
    "RECOMPUTE",
    "TEMPORARY",
    "THREAD_LOCAL",
    "Held",
    "HostBuffers",
    "OpUse",
    "Point",
    "Row",
    "Saving",
    "Shown",
    "Space",
    "host_buffers",
]
