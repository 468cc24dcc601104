"""The trace that TensorFlow and JAX write beside, or before there was, XPlane (`<host>.trace.json.gz`).

Planes, lines and names of events are XPlane's; every stat became a text, so those that are numbers are made so again.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np

from ...formats import Format
from ...tables import StatKind
from ..json.columns import Events
from ..json.reader import Document
from .generic import generic
from .plan import Plan
from .slices import Slices

_WHOLE, _REAL = re.compile(r"-?\d{1,18}"), re.compile(r"-?\d{1,15}\.\d{1,15}(e[+-]?\d{1,3})?")
_HOST = "/host:CPU"
#: Ids of derived lines, as XPlane has them: 32 bits with a sign.
_UNSIGNED = range(1 << 31, 1 << 32)


def is_tsl(document: Document) -> bool:
    """By its own mark; what JAX writes for Perfetto is the same without that, and its host has XPlane's name.

    Chrome's metadata holds that mark, too, among much else.
    """
    metadata = document.members.get("metadata")
    marked = isinstance(metadata, dict) and len(metadata) == 1 and bool(metadata.get("highres-ticks"))
    return marked or _HOST in document.events.texts


def tsl(document: Document, slices: Slices) -> Plan:
    plan = generic(dataclasses.replace(document, events=with_numbers(document.events)), slices)
    plan.format = Format.TSL_TRACE
    for track in plan.tracks:
        if track.id in _UNSIGNED:
            track.id -= 1 << 32
    return plan


def with_numbers(events: Events) -> Events:
    """Events whose args that read as numbers are numbers."""
    kinds, values = events.kinds.copy(), events.values.copy()
    texts = kinds == StatKind.TEXT
    used = np.unique(values[texts])
    kind, value = np.full(len(events.texts), StatKind.TEXT, np.uint8), np.arange(len(events.texts), dtype=np.int64)
    for i in used.tolist():
        text = events.texts[i]
        if _WHOLE.fullmatch(text):
            kind[i], value[i] = StatKind.INT, int(text)
        elif _REAL.fullmatch(text):
            kind[i], value[i] = StatKind.DOUBLE, np.float64(text).view(np.int64)
    at = values[texts]
    kinds[texts], values[texts] = kind[at], value[at]
    return dataclasses.replace(events, kinds=kinds, values=values)
