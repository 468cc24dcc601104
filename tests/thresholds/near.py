"""Which files of tests are near a module, as their paths and words tell, without running any."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.thresholds.constants import Constant
from tests.thresholds.uses import Uses

#: Of a room that more others use than these, their tests are not near; a word of so many files tells nothing.
MOST_USERS, MOST_FILES = 6, 24


@functools.cache
def _words(path: Path) -> frozenset[str]:
    """Names, dotted ones whole."""
    return frozenset(re.findall(r"[A-Za-z_][\w.]*", path.read_text()))


def near_files(files: Iterable[Path], constants: Iterable[Constant], tests: Path, uses: Uses) -> list[Path]:
    """Those that name a constant, or import its module or room; those in the folders that mirror its room and the rooms
    that use this, where these are few.
    """
    users = _users(uses)
    rooms, names = set(), set()
    for constant in constants:
        room = _room(constant.module)
        rooms |= {room} | (users.get(room, set()) if len(users.get(room, ())) <= MOST_USERS else set())
        names |= {constant.module, constant.top} | ({room} if "." in room else set())
    files = list(files)
    held = Counter(word for path in files for word in _words(path) & names)
    names = {name for name in names if held[name] <= MOST_FILES}
    folders = {tests.joinpath(*room.split(".")[1:]) for room in rooms}
    return [path for path in files if path.parent in folders or not names.isdisjoint(_words(path))]


def _room(module: str) -> str:
    return module.rpartition(".")[0] or module


def _users(uses: Uses) -> dict[str, set[str]]:
    """Of each room those that import something of it."""
    users: dict[str, set[str]] = {}
    for source in uses.sources.values():
        own = _room(source.name)
        for module, name in source.imports.values():
            home = _room(uses.home(module, name)[0])
            if home != own:
                users.setdefault(home, set()).add(own)
    return users
