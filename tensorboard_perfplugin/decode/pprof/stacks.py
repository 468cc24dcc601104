"""Locations of a pprof profile's samples → frames as texts, outermost first; an inlined function has its own."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ...messages import Message, message
from ..common.memory import check_room
from ..common.places import Pool
from .profile import Profile, varints

I64 = NDArray[np.int64]
#: Ids below are looked up in a table.
_FEW = 1 << 22
#: So many locations that a profile does not hold are told apart.
_NAMED = 1000


@dataclasses.dataclass(frozen=True)
class Frames:
    """texts: ids of all samples' frames, outermost first. ends: where each sample's end among them, 0 first.

    innermost: id of the name of each sample's innermost function.
    """

    texts: I64
    ends: I64
    innermost: I64


class Places:
    """Location id → ids of its frames, outermost first. unknown, outside: what is pointed to and not there."""

    def __init__(self, profile: Profile, pool: Pool) -> None:
        self.profile, self.pool = profile, pool
        self.unknown_functions, self.unknown_locations, self.outside = 0, 0, 0

    def text(self, place: int) -> str:
        strings = self.profile.strings
        if 0 <= place < len(strings):
            return strings[place].replace("\t", " ")
        self.outside += 1
        return ""

    def frames(self, id: int) -> list[tuple[str, str]]:
        """Name and whole text of each frame of a location."""
        location = self.profile.locations.get(id)
        if location is None:
            self.unknown_locations += 1
            return [self.frame(f"(unknown location {id})", "", 0)]
        address, mapping, lines = location
        if lines:
            return [self.function(function, line) for function, line in reversed(lines)]
        file = self.text(self.profile.mappings.get(mapping, 0))
        return [self.frame(f"0x{address:x}" if address else f"(location {id})", file, 0)]

    def function(self, id: int, line: int) -> tuple[str, str]:
        entry = self.profile.functions.get(id)
        if entry is None:
            self.unknown_functions += 1
            return self.frame(f"(unknown function {id})", "", line)
        name, system, file = entry
        return self.frame(self.text(name) or self.text(system) or f"(unnamed function {id})", self.text(file), line)

    def frame(self, name: str, file: str, line: int) -> tuple[str, str]:
        return name, f"{name}\t{file}\t{max(line, 0)}"

    def warnings(self) -> list[Message]:
        """What the profile refers to and does not hold."""
        counts = {
            "pprof_unknown_locations": self.unknown_locations,
            "pprof_unknown_functions": self.unknown_functions,
            "pprof_outside_strings": self.outside,
        }
        return [message(code, n=number) for code, number in counts.items() if number]


def frames_of(profile: Profile, rows: I64, pool: Pool, warnings: list[Message]) -> Frames:
    """The frames of the samples of these rows. Raises UnreadableError where they take more memory than there is."""
    ids, ends = varints([profile.samples.locations[row] for row in rows.tolist()])
    known, place = few_unknown(*distinct(ids), profile)
    places = Places(profile, pool)
    frames = [places.frames(id & (1 << 64) - 1) for id in known.tolist()]
    warnings += places.warnings()
    size = np.array([len(each) for each in frames], np.int64)
    begin = np.cumsum(size) - size
    flat = np.array([pool.add(text) for each in frames for _, text in each], np.int64)
    last = np.array([pool.add(each[-1][0]) for each in frames], np.int64)
    # A sample's locations are innermost first: each is taken from the other end.
    counts = np.diff(ends)
    turned = np.repeat(ends[:-1] + ends[1:] - 1, counts) - np.arange(len(ids))
    place = place[turned]
    sizes = size[place]
    check_room(0, len(rows), 3 * len(rows) + int(sizes.sum()))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    taken = np.repeat(begin[place] - offsets[:-1], sizes) + np.arange(offsets[-1])
    has = counts > 0
    innermost = np.full(len(rows), pool.add("(no stack)"), np.int64)
    innermost[has] = last[place[ends[1:][has] - 1]]
    return Frames(flat[taken], offsets[ends], innermost)


def few_unknown(known: I64, place: I64, profile: Profile) -> tuple[I64, I64]:
    """The ids, of those that the profile does not hold only the first: they may be as many as the file has bytes."""
    held = np.array(list(profile.locations), np.uint64).view(np.int64)
    unknown = np.flatnonzero(~np.isin(known, held))
    if len(unknown) <= _NAMED:
        return known, place
    kept = np.ones(len(known), bool)
    kept[unknown[_NAMED:]] = False
    moved = np.cumsum(kept) - 1
    moved[~kept] = moved[unknown[_NAMED - 1]]
    return known[kept], moved[place]


def distinct(ids: I64) -> tuple[I64, I64]:
    """The different ids, ascending, and the place of each id among them."""
    if len(ids) and ids.min() >= 0 and ids.max() < _FEW:
        # Writers count locations from 1.
        used = np.zeros(int(ids.max()) + 1, bool)
        used[ids] = True
        return np.flatnonzero(used), (np.cumsum(used) - 1)[ids]
    known, place = np.unique(ids, return_inverse=True)
    return known, place.reshape(-1)
