"""The calls of a stage → how it was set up, as its events say."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind, among
from ..input import ITERATOR, small_number
from .host import Host
from .tree import Tree

#: What an event says of the iterator and of its elements, not of how it was set up.
_NO_SETTING = frozenset(
    ("id", "parent_id", "name", "shapes", "types", "_r", "_p", "_pt", "_c", "_ct", "group_id", "flow", "step_name")
)
_TEXT_MAX, _MOST = 60, 30


@dataclasses.dataclass(frozen=True)
class Settings:
    """dataset: its name. given: all parameters, in the order of the last call's. buffered: elements in its buffer when
    it was called, mean over the calls that record it, None where none does.
    """

    dataset: str = ""
    given: dict[str, str] = dataclasses.field(default_factory=dict)
    buffered: float | None = None

    @property
    def buffer_limit(self) -> int | None:
        return small_number(self.given.get("buffer_limit", ""))


def settings(host: Host, shape: Tree, node: I64) -> list[Settings]:
    """By node, from all of its calls in the capture."""
    calls = np.flatnonzero((host.frames.kind == ITERATOR) & (node >= 0))
    calls = calls[np.argsort(host.start[calls], kind="stable")]
    last = np.full(len(shape), -1, np.int64)
    last[node[calls]] = host.frames.rows[calls]
    value, is_known = _held(host, calls)
    count = np.bincount(node[calls[is_known]], minlength=len(shape))
    held = np.bincount(node[calls[is_known]], value[is_known].astype(np.float64), len(shape))
    mean = [float(h) / n if n else None for h, n in zip(held.tolist(), count.tolist(), strict=True)]
    return [_settings_of(host, row, buffered) for row, buffered in zip(last.tolist(), mean, strict=True)]


def _held(host: Host, calls: I64) -> tuple[I64, NDArray[np.bool_]]:
    """Elements in the buffer at the begin of each call, and whether that is recorded.

    A call that found a prefetch's buffer empty has the buffer's limit and no count.
    """
    (value, kind), (_, limit) = (
        host.timeline.stat_of(key, host.frames.rows[calls]) for key in ("buffered_elements", "buffer_limit")
    )
    is_known = among(kind, (StatKind.INT, StatKind.UINT)) & (value >= 0)
    empty = (kind == StatKind.NONE) & among(limit, (StatKind.INT, StatKind.UINT))
    return np.where(is_known, value, 0), is_known | empty


def _settings_of(host: Host, row: int, buffered: float | None) -> Settings:
    if row < 0:
        return Settings()
    values = {key: str(value)[:_TEXT_MAX] for key, value in host.timeline.capture.event_values(row)}
    given = {key[:_TEXT_MAX]: value for key, value in values.items() if key not in _NO_SETTING}
    return Settings(values.get("name", ""), dict(list(given.items())[:_MOST]), buffered)
