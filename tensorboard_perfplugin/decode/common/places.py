"""What captures are laid out from: texts by id, planes, tracks."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TypeAlias

from ...tables import PlaneKind, TrackKind

Value: TypeAlias = int | float | str


class Pool:
    """Texts by id, each once."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {"": 0}

    def add(self, text: str) -> int:
        return self._ids.setdefault(text, len(self._ids))

    @property
    def texts(self) -> list[str]:
        return list(self._ids)


@dataclasses.dataclass
class Plane:
    """order: where planes are found in another order than they are shown in."""

    name: str
    kind: PlaneKind
    ordinal: int = -1
    vendor: str = ""
    order: tuple[int, str] = (0, "")
    stats: Mapping[str, Value] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Track:
    plane: int
    id: int
    name: str
    kind: TrackKind
    order: int = 0
