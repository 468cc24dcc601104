"""Memory snapshots of PyTorch: pickles, and the HTML and JSON made of them → `Capture`."""

from __future__ import annotations

import base64
import binascii
import json
import mmap
import pickle
from typing import Any

from ...errors import UnreadableError
from ...messages import message
from ...patterns import regex
from ...tables import Capture
from ..common.source import Source
from . import words
from .assemble import assembled, pairs
from .machine import Machine

# The ways in which a memory snapshot is kept → the bytes of its pickle.
#
# As `torch.cuda.memory._dump_snapshot` writes it; within the HTML of `torch/cuda/_memory_viz.py`, in base64; as JSON
# of
# the same dictionary, which is pickled here.

#: What `_memory_viz.py` writes around the pickle, and how far from the begin.
_EMBEDDED = regex(rb'"base64"\s*:\s*"')
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


# A memory snapshot of PyTorch (`torch.cuda.memory._dump_snapshot`) → `Capture`.
#
# Read are `segments` with their blocks, `device_traces`, `allocator_settings` and `external_annotations`, with the
# fields
# of PyTorch 1.13 to 2.13; ignored are `registration_counter` and what later ones add. The pickle is not unpickled:
# `machine` reads plain data only, and what names a Python object is refused.

#: Read at a time, and then given back.
_PIECE = 32 << 20
_ASK = 'A memory snapshot is written by `torch.cuda.memory._dump_snapshot("snapshot.pickle")`.'


def read(source: Source, decoder: str | None = None) -> Capture:
    """Raises UnreadableError for pickles of anything else, and for those that would have to be run."""
    data = pickled(source)
    machine, end = Machine(data), 0
    while machine.status == words.RUNS:
        begin, end = end, min(end + _PIECE, len(data))
        if machine.run(end) == words.RUNS:
            _given_back(data, begin, end)
    if machine.status == words.REFUSED:
        raise UnreadableError(_refusal(source, machine))
    warnings = list(source.warnings)
    if machine.status != words.DONE:
        machine.unwind()
        code = "snapshot_cut" if machine.status == words.CUT else "snapshot_damaged"
        warnings.append(message(code, at=machine.at))
    root = _root(machine)
    if root is None:
        raise UnreadableError(_not_a_snapshot(source, machine), is_damaged=machine.status != words.DONE)
    return assembled(machine, root, tuple(warnings))


def _given_back(data: memoryview, begin: int, end: int) -> None:
    """The memory of what was read: its texts are copied."""
    memory, page = data.obj, mmap.PAGESIZE
    end = end // page * page
    if isinstance(memory, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED") and begin < end:
        memory.madvise(mmap.MADV_DONTNEED, begin, end - begin)


def _root(machine: Machine) -> dict[str, Any] | None:
    """The snapshot's members, as `Machine.plain` has them. `memory_snapshot()` gives only a list of segments."""
    value = machine.root()
    if not isinstance(value, tuple):
        return None
    if value[0] == words.SEGMENT_LIST:
        return {"segments": value}
    members = pairs(machine, value)
    return members if {"segments", "device_traces"} & members.keys() else None


def _refusal(source: Source, machine: Machine) -> str:
    opcode, module, name = machine.detail
    what = f"names the Python object {'.'.join(filter(None, (module, name)))}" if module else "builds Python objects"
    return (
        f"{source.path or 'The data'} is a pickle that {what[:300]} (opcode {opcode} at byte {machine.at:,}). "
        f"Of pickles only plain data is read: nothing was imported and nothing was run. {_ASK}"
    )


def _not_a_snapshot(source: Source, machine: Machine) -> str:
    name = source.path or "The data"
    if machine.status != words.DONE:
        return f"{name} holds no memory snapshot before byte {machine.at:,}, where its pickle is damaged. {_ASK}"
    return f"{name} is a Python pickle of something else than a memory snapshot. {_ASK}"
