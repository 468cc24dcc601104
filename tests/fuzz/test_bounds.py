"""Files that do what they may not, each in a process of its own."""

from __future__ import annotations

import mmap
import os

import pytest

from tests.fuzz.bounds import BYTES, Given, Watched


def _exits() -> bool:
    os._exit(3)


def _works_on() -> bool:
    while True:
        pass


def _takes(size: int) -> bool:
    """Of pages that are new: a heap may have as much that was freed, and that counts from before."""
    with mmap.mmap(-1, size) as pages:
        for at in range(0, size, mmap.PAGESIZE):
            pages[at] = 1
    return True


def _fails() -> bool:
    raise ValueError("no such thing")


FILES = (
    Given(1, _exits),
    Given(1, _works_on),
    Given(1, lambda: _takes(BYTES + (64 << 20))),
    Given(1, _fails),
    Given(64 << 20, lambda: _takes(BYTES + (64 << 20))),
    Given(1, lambda: False),
)


@pytest.mark.parametrize(
    ("number", "seconds", "problem"),
    [
        (0, 60, "ended the process: 3"),
        (1, 0.2, "works for more than 0.2 s"),
        (2, 60, "MB for 1 bytes"),
        (3, 60, "ValueError: no such thing"),
    ],
)
def test_what_a_file_may_not_do_is_told_and_the_next_is_tried(number: int, seconds: float, problem: str) -> None:
    watched = Watched(FILES.__getitem__, seconds)
    try:
        assert problem in watched.tried(number).problem
        assert watched.tried(5) == (False, "")
    finally:
        watched.close()


def test_of_a_large_file_more_is_allowed() -> None:
    watched = Watched(FILES.__getitem__, seconds=60)
    try:
        assert watched.tried(4) == (True, "")
    finally:
        watched.close()
