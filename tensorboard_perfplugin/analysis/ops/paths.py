"""Names of ops → the scopes that they lie in."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MARKS = re.compile(r"[/()\[\]]")

#: A name has no more parts than this; what follows is one.
_MAX_PARTS = 64
#: Only so much of a name is looked at for separators.
_MAX_LENGTH = 4000
_ITERATOR = re.compile(r"Iterator::")


def lies_in(name: str) -> Iterator[str]:
    """The paths of all scopes that an op of that name lies in, its own last."""
    return (name[:end] for end in ends(name))


def ends(name: str) -> Iterator[int]:
    """Where the parts of a name end; the last one is the name's length."""
    head = name[:_MAX_LENGTH]
    if _ITERATOR.match(name):
        places = [match.start() for match in re.finditer("::", head)]
        width = 2
    else:
        places, width = _slashes(head), 1
    last = 0
    for place in places[: _MAX_PARTS - 1]:
        if last < place < len(name) - width:
            yield place
            last = place + width
    yield len(name)


def _slashes(name: str) -> list[int]:
    """Those outside of parentheses and brackets; all where these do not match."""
    inside, outside = 0, []
    for match in _MARKS.finditer(name):
        mark = match[0]
        if mark == "/":
            if inside == 0:
                outside.append(match.start())
        else:
            inside += 1 if mark in "([" else -1
            if inside < 0:
                break
    return outside if inside == 0 else [match.start() for match in re.finditer("/", name)]
