"""Sessions of pyinstrument as JSON: what `-r json` and `session.save` write.

Saved are samples in the order of time (`frame_records`: a stack and how long it lasted), or the tree that they make;
`-r json` has the tree alone, in which a function's calls are one: inner frames stand one after another at its begin.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from ...errors import UnreadableError
from ..common.source import Source
from ..speedscope.reader import MAX_SLICES
from ..speedscope.stacks import MAX_DEPTH
from .laid import MOST_PS, Laid, Sample

#: Bytes that each of them takes as an object of Python; of all there may be 8 times the file, and some.
_HELD = {b"[": 60, b"{": 240, b",": 8}
_ROOM = 128 << 20
_PS = 10**12
_OWN = "[self]"


def read(source: Source, laid: Laid) -> None:
    data = bytes(source.data)
    if sum(data.count(mark) * size for mark, size in _HELD.items()) > 8 * len(data) + _ROOM:
        raise UnreadableError(f"{source.path or 'The data'} has more lists and objects than a session holds.")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise source.unreadable() from None
    if not isinstance(content, dict):
        return
    session = content.get("session")
    facts = session if isinstance(session, dict) else content
    started = facts.get("start_time")
    if isinstance(started, float) and 0 < started < 1 << 33:
        laid.start_ns = round(started * 10**9)
    records = content.get("frame_records", facts.get("frame_records"))
    if isinstance(records, list):
        laid.thread("session", list(_samples(records, laid)))
    else:
        laid.slices("session", _tree(content.get("root_frame", content.get("frame_tree")), laid))


def _samples(records: list[Any], laid: Laid) -> Iterator[Sample]:
    at = 0
    for record in records:
        stack, time = record if isinstance(record, list) and len(record) == 2 else (None, None)
        length = _length(time)
        if not isinstance(stack, list) or not all(isinstance(frame, str) for frame in stack) or length is None:
            laid.dropped["unknown_stack"] += 1
            continue
        known = laid.stack(laid.frame(_named(frame)) for frame in stack)
        if known is None:
            laid.dropped["beyond_slices"] += 1
        else:
            yield Sample(known, at, length)
            at += length


def _tree(root: Any, laid: Laid) -> list[tuple[int, int, int]]:
    """Slices of a tree, outer ones first. Inner frames may be longer together than theirs, by what rounding adds."""
    made: list[tuple[int, int, int]] = []
    left: list[tuple[Any, int, int, int]] = [(root, 0, MOST_PS, 0)]
    while left:
        node, begin, most, depth = left.pop()
        length = _length(node.get("time")) if isinstance(node, dict) else None
        if length is None:
            laid.dropped["unknown_stack"] += 1
            continue
        if len(made) >= MAX_SLICES or depth >= MAX_DEPTH:
            laid.dropped["beyond_slices" if depth < MAX_DEPTH else "deeper_frame"] += 1
            continue
        end = min(begin + length, most)
        made.append((laid.frame(_name(node)), begin, end))
        at = begin
        inner = node.get("children")
        for child in inner if isinstance(inner, list) else []:
            if isinstance(child, dict) and _name(child) == _OWN:
                continue
            left.append((child, at, end, depth + 1))
            at = min(at + (_length(child.get("time")) or 0 if isinstance(child, dict) else 0), end)
    return made


def _length(time: Any) -> int | None:
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < MOST_PS // _PS:
        return None
    return round(time * _PS) if math.isfinite(time) else None


def _name(node: dict[str, Any]) -> str:
    identifier = node.get("identifier")
    if isinstance(identifier, str):
        return _named(identifier)
    function, file, line = (node.get(key) for key in ("function", "file_path", "line_no"))
    return _called(_sound(function), _sound(file), line)


def _named(identifier: str) -> str:
    """Of `function`, file and line parted by zeros; what follows a one are other facts."""
    parts = _sound(identifier.partition("\x01")[0]).split("\0")
    line = int(parts[2]) if len(parts) > 2 and parts[2].isascii() and parts[2].isdigit() and len(parts[2]) < 10 else 0
    return _called(parts[0], parts[1] if len(parts) > 1 else "", line)


def _called(function: str, file: str, line: Any) -> str:
    name = function or "(unnamed)"
    where = file.replace("\\", "/").rpartition("/")[2]
    at = f"{where}:{line}" if where and isinstance(line, int) and line else where
    return f"{name} ({at})" if at else name


def _sound(text: Any) -> str:
    """Halves of characters, as JSON may hold them, are none."""
    return text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""
