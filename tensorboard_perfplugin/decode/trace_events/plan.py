"""Slices, and what each of them stands for: planes, tracks, names, stats. A dialect fills the plan."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...formats import Format
from ...messages import Message
from ...tables import I64, StatKind
from ..common.args import first_of_key
from ..common.launches import Launch
from ..common.places import Plane, Track
from ..json.columns import Events, Ints
from ..json.reader import Document
from .slices import Slices

_NONE: I64 = np.empty(0, np.int64)


class Texts:
    """The texts of the events, and those that a dialect adds."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.ids = {text: i for i, text in enumerate(texts)}
        self.texts = list(texts)

    def add(self, text: str) -> int:
        index = self.ids.get(text)
        if index is None:
            index = self.ids[text] = len(self.texts)
            self.texts.append(text)
        return index


@dataclasses.dataclass
class Added:
    """Stats that a dialect gives to some slices: key, StatKind and value by slice."""

    slices: I64
    key: str
    kind: StatKind
    values: I64


@dataclasses.dataclass
class Plan:
    """By slice: its track and its name (an id of a text); the planes and tracks; renamed and added stats.

    category: kind-level text of each slice, an id; 0 without. dropped: slices that stand for nothing.
    launched: slices that are kernels, and of each the place in `launches` of how it was launched.
    """

    document: Document
    slices: Slices
    texts: Texts
    track: Ints
    name: Ints
    category: Ints
    planes: list[Plane] = dataclasses.field(default_factory=list)
    tracks: list[Track] = dataclasses.field(default_factory=list)
    renamed: dict[str, str] = dataclasses.field(default_factory=dict)
    added: list[Added] = dataclasses.field(default_factory=list)
    notes: list[Message] = dataclasses.field(default_factory=list)
    hostname: str = ""
    start_ns: int | None = None
    format: Format = Format.TRACE_EVENTS
    launches: list[Launch] = dataclasses.field(default_factory=list)
    launched: tuple[I64, I64] = (_NONE, _NONE)

    @property
    def events(self) -> Events:
        return self.document.events

    def used_up(self) -> None:
        """Forget the events and slices, but for the args of events."""
        empty, s = np.empty(0, np.int64), self.slices
        self.slices = dataclasses.replace(
            s, row=empty, end=empty, start_ps=empty, length_ps=empty, arrows=empty, names=empty
        )
        self.document.events = dataclasses.replace(self.document.events, columns={}, rare={})
        self.added = []

    def arg(self, key: str, slices: I64) -> tuple[I64, NDArray[np.uint8]]:
        """Value and StatKind of an arg of some slices, 0 and 0 where they have none."""
        id = self.texts.ids.get(key, -1)
        if id < 0:
            return np.zeros(len(slices), np.int64), np.zeros(len(slices), np.uint8)
        return first_of_key(self.events.args, self.slices.row[slices], id)
