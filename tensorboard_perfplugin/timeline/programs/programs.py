"""The XLA programs that a capture holds, by module and number."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import numpy as np

from ...tables import Capture, among
from ...wire import Budget
from ..timeline import Timeline, derived
from .program import Program

METADATA_PLANE = "/host:metadata"
_PROTOS = ("Hlo Proto", "HLO Proto", "hlo_proto")
_64_BITS = (1 << 64) - 1
#: Fields and numbers that are read of a capture's programs, the first ones: of some 200,000 instructions.
_MAX_FIELDS = 2_500_000


class Programs:
    """The programs of a capture."""

    def __init__(self, capture: Capture, budget: int = _MAX_FIELDS) -> None:
        self._capture = capture
        self._budget = Budget(budget)
        self._read: dict[str, Program] = {}

    @cached_property
    def blobs(self) -> dict[str, bytes]:
        """`module(program id)` → message."""
        capture, messages = self._capture, {}
        planes = np.flatnonzero(capture.planes.name == capture.strings.find(METADATA_PLANE))
        for kind in np.flatnonzero(among(capture.kinds.plane, planes)).tolist():
            facts = capture.values(int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind]))
            message = next((value for key, value in facts if key in _PROTOS and isinstance(value, bytes)), None)
            if message is not None:
                messages[capture.strings[int(capture.kinds.name[kind])]] = message
        return messages

    @cached_property
    def _by_id(self) -> dict[int, str]:
        return {number: key for key in self.blobs for number in [_number(key)] if number is not None}

    @cached_property
    def _by_module(self) -> dict[str, str]:
        """Modules of which there is one only."""
        names = [key.rpartition("(")[0] for key in self.blobs]
        count = Counter(names)
        return {name: key for key, name in zip(self.blobs, names, strict=True) if count[name] == 1}

    def program(self, module: str, number: int | None) -> Program | None:
        """By name and id; where an event gives one of these only, by that, as far as it is clear."""
        return self.read(self._key(module, number))

    def read(self, key: str) -> Program | None:
        """By its key in `blobs`."""
        if key not in self.blobs:
            return None
        if key not in self._read:
            self._read[key] = Program(self.blobs[key], self._budget)
        return self._read[key]

    def called(self, module: str, number: int | None) -> str:
        """Its key in `blobs`, or one alike for a program that the capture names and does not hold."""
        key = self._key(module, number)
        if key or number is None:
            return key or module
        return f"{module}({number & _64_BITS})"

    def _key(self, module: str, number: int | None) -> str:
        if number is None:
            return self._by_module.get(module, "")
        key = f"{module}({number & _64_BITS})"
        return key if key in self.blobs else self._by_id.get(number & _64_BITS, "")


@derived
def programs_of(timeline: Timeline) -> Programs:
    """The XLA programs that the capture holds."""
    return Programs(timeline.capture)


def _number(key: str) -> int | None:
    number = key.rpartition("(")[2]
    return int(number[:-1]) & _64_BITS if number[-1:] == ")" and number[:-1].isdecimal() and len(number) < 25 else None
