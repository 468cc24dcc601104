"""Frames of sampled stacks, each with the frame that called it: those of a file and those of its CPU profiles.

`stackFrames` (Chrome, Hermes) is an object of frames by id; a profile of V8 has a list of nodes, whole or in chunks.
A frame in the table stands for all of its stack, since it has one caller.
"""

from __future__ import annotations

import contextlib
from typing import Any

import msgspec
import numpy as np

from ...tables import I64

#: A deeper stack is cut there: no page could show it.
MAX_DEPTH = 4096
#: What V8 calls the time when no code runs, and the frame around all.
_NO_CODE, _ROOT, GARBAGE = "(idle)", "(root)", "(garbage collector)"
_MAX_CHARS = 1000
#: More frames than any program has places; each takes some 300 bytes.
MOST_FRAMES = 1 << 21


class Frames:
    """names, categories, sources: texts by frame. parent: the frame that called it, -1 of the outermost."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.categories: list[str] = []
        self.sources: list[str] = []
        self.parents: list[int] = []
        #: Those of V8's garbage collector, which says nothing of who called it.
        self.collectors: list[int] = []
        self.is_full = False

    def add(self, name: str, parent: int, category: str = "", source: str = "") -> int:
        """The new frame; -1, as where no code runs, once there are too many."""
        if len(self.names) >= MOST_FRAMES:
            self.is_full = True
            return -1
        self.names.append(name[:_MAX_CHARS] or "(anonymous)")
        self.categories.append(category[:_MAX_CHARS])
        self.sources.append(source[:_MAX_CHARS])
        self.parents.append(parent)
        return len(self.names) - 1

    def depths(self) -> tuple[I64, I64, I64, bool]:
        """By frame: its caller, how many are around it, and which frame stands for it; whether some were cut.

        Callers that come to no end are none. What is too deep is stood for by its caller at the deepest place.
        """
        parent = np.array(self.parents, np.int64)
        above, depth, jumps = parent.copy(), (parent >= 0).astype(np.int64), [parent]
        for _ in range(len(parent).bit_length()):
            has = above >= 0
            depth[has] += depth[above[has]]
            above = np.where(has, above[above], -1)
            jumps.append(above)
        endless = above >= 0
        parent = np.where(endless, -1, parent)
        depth[endless] = 0
        leaf, over = np.arange(len(parent)), np.maximum(depth - (MAX_DEPTH - 1), 0)
        for k, jump in enumerate(jumps[:-1]):
            leaf = np.where(over >> k & 1 == 1, jump[leaf], leaf)
        return parent, np.minimum(depth, MAX_DEPTH - 1), leaf, bool(endless.any() or over.any())


def of_file(listed: Any, frames: Frames) -> dict[str, int]:
    """The frame of each id in `stackFrames`."""
    if not isinstance(listed, dict):
        return {}
    rows: dict[str, int] = {}
    for key, frame in listed.items():
        if isinstance(frame, dict):
            rows[str(key)] = frames.add(_text(frame, "name"), -1, _text(frame, "category"))
    for key, row in rows.items():
        if row < 0:
            break
        frames.parents[row] = rows.get(str(listed[key].get("parent")), -1)
    return rows


class Profile:
    """A CPU profile of V8 that comes in one piece or several: its samples' frames and times, as far as it was read."""

    def __init__(self, frames: Frames, category: str) -> None:
        self.frames, self.category = frames, category
        self.rows: dict[Any, int] = {}
        #: Frames that samples name and no node is.
        self.unknown: set[int] = set()
        self.samples: list[int] = []
        self.deltas: list[float] = []
        self.start_us: float | None = None
        self.end_us: float | None = None

    def add(self, data: dict[str, Any]) -> None:
        """data: of a `Profile`, a `ProfileChunk` or a `CpuProfile`."""
        inner = data.get("cpuProfile")
        profile = inner if isinstance(inner, dict) else {}
        for key in ("startTime", "endTime"):
            value = profile.get(key, data.get(key))
            if _is_number(value):
                setattr(self, "start_us" if key == "startTime" else "end_us", value)
        self._nodes(_list(profile, "nodes"))
        samples = [self._frame(each) for each in _list(profile, "samples")]
        deltas = _list(data, "timeDeltas") or _list(profile, "timeDeltas")
        n = min(len(samples), len(deltas))
        self.samples += samples[:n]
        self.deltas += [each if _is_number(each) else 0 for each in deltas[:n]]

    def _frame(self, node: Any) -> int:
        if not isinstance(node, int):
            return -1
        if node not in self.rows:
            self.rows[node] = self.frames.add(f"(frame {node})", -1, self.category)
            self.unknown.add(self.rows[node])
        return self.rows[node]

    def _nodes(self, nodes: list[Any]) -> None:
        named = [node for node in nodes if isinstance(node, dict) and isinstance(node.get("id"), int)]
        for node in named:
            call = node.get("callFrame")
            frame = call if isinstance(call, dict) else {}
            name = _text(frame, "functionName")
            if name in (_ROOT, _NO_CODE) and not frame.get("url"):
                self.rows[node["id"]] = -1
                continue
            row = self.rows[node["id"]] = self.frames.add(name, -1, self.category, _source(frame))
            if name == GARBAGE and row >= 0 and not frame.get("url"):
                self.frames.collectors.append(row)
        for node in named:
            self._call(node.get("parent"), node["id"])
            for child in _list(node, "children"):
                self._call(node["id"], child)

    def _call(self, caller: Any, called: Any) -> None:
        if isinstance(caller, int) and isinstance(called, int) and self.rows.get(called, -1) >= 0:
            self.frames.parents[self.rows[called]] = self.rows.get(caller, -1)


def data_of(text: str) -> dict[str, Any]:
    """An arg that is an object, as it stands in a text; empty where it is none."""
    with contextlib.suppress(msgspec.MsgspecError, RecursionError):
        data = msgspec.json.decode(text)
        if isinstance(data, dict):
            return data
    return {}


def _source(frame: dict[str, Any]) -> str:
    """`file:line`, of which V8 counts from 0."""
    url, line = _text(frame, "url"), frame.get("lineNumber")
    return f"{url}:{line + 1}" if url and isinstance(line, int) and 0 <= line < 1 << 31 else url


def _text(of: dict[str, Any], key: str) -> str:
    value = of.get(key)
    return value if isinstance(value, str) else ""


def _list(of: dict[str, Any], key: str) -> list[Any]:
    value = of.get(key)
    return value if isinstance(value, list) else []


def _is_number(value: Any) -> bool:
    """A time in microseconds that can be one."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e18
