"""The text of a file of trace events, piece by piece → `Capture`, by the first dialect that knows it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from ...errors import UnreadableError
from ...messages import Message
from ...tables import Capture, DecoderKind
from ..json import COMPILED, Reader
from .arrows import arrows
from .ascend import ascend, is_ascend
from .assemble import capture_of
from .counter_series import one_series_each
from .generic import generic
from .kineto import is_kineto, kineto
from .one_id import one_id_each
from .sampled import with_samples
from .slices import shown, slices_of
from .stacks import call_stacks
from .tf1_timeline import is_tf1, tf1
from .tsl import is_tsl, tsl

#: The first that knows a document reads it.
DIALECTS = ((is_tsl, tsl), (is_ascend, ascend), (is_kineto, kineto), (is_tf1, tf1), (lambda _: True, generic))


def capture(pieces: Iterable[bytes | memoryview], path: str, warnings: list[Message]) -> Capture:
    """Decode. warnings: of unpacking, complete once the pieces are. Raises UnreadableError without a list of events."""
    document = Reader(pieces).read()
    if not document.has_events:
        keys = ", ".join(list(document.members)[:8])
        raise UnreadableError(
            f"{path or 'The data'} is JSON without a list `traceEvents`"
            f"{f': its members are {keys}' if keys else ''}. Give a trace, such as a .pt.trace.json."
        )
    document.events = one_id_each(document.events)
    document.events = one_series_each(with_samples(document))
    dialect = next(dialect for knows, dialect in DIALECTS if knows(document))
    plan = dialect(document, shown(slices_of(document.events), document.events))
    call_stacks(plan)
    arrows(plan, with_launches="correlation" not in document.events.texts)
    found = capture_of(plan, DecoderKind.COMPILED if COMPILED else DecoderKind.PLAIN)
    if warnings:
        quality = dataclasses.replace(found.quality, warnings=(*warnings, *found.quality.warnings))
        found = dataclasses.replace(found, quality=quality)
    return found
