"""How many of a kind a finding names, or leads to, before it counts the rest or leaves them to a table."""

from __future__ import annotations

#: Hosts, or devices, by name alone.
NAMES = 16
#: Beside the first of its kind: ops, pipelines, parts of a step; and slow workers.
OTHERS = 3
#: Captures that several hosts hold, of which each has its sentence.
COPIES = 3
#: Parts that have a number each: kinds of memory, events that repeat.
PARTS = 8
#: Heavy kernels, of which each has its sentence.
KERNELS = 3
#: Steps in the trace, and stretches or steps of one host.
STEPS, PLACES = 3, 5
