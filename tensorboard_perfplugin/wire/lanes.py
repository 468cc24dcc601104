"""CRC-32C of many bytes at once.

A checksum is linear: that of two pieces is that of the first, moved past as many zeros as the second has bytes, plus
that of the second. So lanes of equal length are gone through side by side, two bytes at a time, and then put together.
A gigabyte takes about 3 s; in plain Python it would be minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint32]
#: Fewer lanes are slower where there is much; more do not fit into the cache.
MOST_LANES = 1 << 14
_ALL = 0xFFFFFFFF


def side_by_side(data: memoryview, table: Sequence[int]) -> tuple[int, int]:
    """The state after most of the bytes, and after how many. table: what one byte does to a state."""
    lanes = min(MOST_LANES, 1 << (len(data) >> 9).bit_length())
    length = len(data) // (2 * lanes) * 2
    return (
        _state(data[: lanes * length], lanes, length, np.array(table, np.uint32)) if length else _ALL
    ), lanes * length


def _state(data: memoryview, lanes: int, length: int, one: Words) -> int:
    """The state after lanes (a power of 2) of some even length each."""
    two = _of_two(one)
    columns = np.ascontiguousarray(np.frombuffer(data, "<u2").reshape(lanes, -1).T)
    states = np.zeros(lanes, np.uint32)
    states[0] = _ALL
    for column in columns:
        states = two[(states ^ column) & 0xFFFF] ^ (states >> 16)
    moved = _past(length, one)
    while len(states) > 1:
        states = _applied(moved, states[0::2]) ^ states[1::2]
        moved = _applied(moved, moved)
    return int(states[0])


def _past(zeros: int, one: Words) -> Words:
    """What becomes of each bit of a state after so many zero bytes."""
    bits = np.left_shift(np.uint32(1), np.arange(32, dtype=np.uint32))
    power, moved = one[bits & 255] ^ (bits >> 8), bits
    while zeros:
        if zeros & 1:
            moved = _applied(power, moved)
        power = _applied(power, power)
        zeros >>= 1
    return moved


def _applied(to_bits: Words, states: npt.NDArray[Any]) -> Words:
    changed = np.zeros(len(states), np.uint32)
    for bit, image in enumerate(to_bits):
        changed ^= (states >> np.uint32(bit) & np.uint32(1)) * image
    return changed


def _of_two(one: Words) -> Words:
    """What two bytes do to a state."""
    both = np.arange(1 << 16, dtype=np.uint32)
    first = one[both & 255] ^ (both >> 8)
    two: Words = one[first & 255] ^ (first >> 8)
    return two
