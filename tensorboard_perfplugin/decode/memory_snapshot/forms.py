"""The ways in which a memory snapshot is kept → the bytes of its pickle.

As `torch.cuda.memory._dump_snapshot` writes it; within the HTML of `torch/cuda/_memory_viz.py`, in base64; as JSON of
the same dictionary, which is pickled here.
"""

from __future__ import annotations

import base64
import binascii
import json
import pickle
import re
from typing import Any

from ...errors import UnreadableError
from ..common.source import Source

#: What `_memory_viz.py` writes around the pickle, and how far from the begin.
_EMBEDDED = re.compile(rb'"base64"\s*:\s*"')
_EMBEDDED_WITHIN = 1 << 16
#: Python reads JSON into objects, of which an entry takes four times its text.
MAX_JSON = 1 << 30
_FRAME = {"filename", "name", "line"}


def pickled(source: Source) -> memoryview:
    """The pickle. Raises UnreadableError where there is none."""
    head = source.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if head[:1] == b"<":
        return _of_html(source)
    if head[:1] in (b"{", b"["):
        return _of_json(source)
    return source.data


def _of_html(source: Source) -> memoryview:
    match = _EMBEDDED.search(bytes(source.data[:_EMBEDDED_WITHIN]))
    if not match:
        raise source.unreadable()
    data = bytes(source.data[match.end() :])
    end = data.find(b'"')
    try:
        return memoryview(base64.b64decode(data if end < 0 else data[:end], validate=False))
    except (binascii.Error, ValueError):
        # What was cut ends within four letters.
        whole = data[: len(data) // 4 * 4] if end < 0 else data[: end // 4 * 4]
        try:
            return memoryview(base64.b64decode(whole))
        except (binascii.Error, ValueError):
            raise source.unreadable() from None


def _of_json(source: Source) -> memoryview:
    if len(source.data) > MAX_JSON:
        raise UnreadableError(
            f"{source.path or 'The data'} is a memory snapshot as JSON of more than {MAX_JSON >> 20} MiB. Give "
            "the pickle that torch.cuda.memory._dump_snapshot writes."
        )
    frames: dict[tuple[Any, ...], dict[str, Any]] = {}

    def shared(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) <= len(_FRAME) + 1 and made.keys() >= _FRAME:
            try:
                return frames.setdefault(tuple(pairs), made)
            except TypeError:
                return made
        return made

    try:
        return memoryview(pickle.dumps(json.loads(bytes(source.data), object_pairs_hook=shared), 4))
    except (ValueError, RecursionError, OverflowError):
        raise source.unreadable() from None
