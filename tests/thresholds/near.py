"""Which files of tests are near a module, as their paths and words tell, without running any."""

from __future__ import annotations

import ast
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


def own_files(files: Iterable[Path], constants: Iterable[Constant], tests: Path, uses: Uses) -> list[Path]:
    """Those in the folders that mirror the rooms of constants, with the folders therein; where none does, those of the
    folder above that are named like the room or the module, or name them or the constant.
    """
    distinct, files = _distinct(uses), list(files)
    held: dict[Path, tuple[set[str], set[str]]] = {}
    for constant in constants:
        folder, parts = tests, constant.module.split(".")[1:]
        while parts and (folder / parts[0]).is_dir():
            folder /= parts.pop(0)
        stems, names = held.setdefault(folder, (set(), set()))
        if len(parts) > 1 or folder == tests:
            stems.update(parts)
            names |= {constant.module, _room(constant.module)} | ({constant.top} & distinct)
        else:
            stems.add("")
    return [path for path in files if any(_is_own(path, *one) for one in held.items())]


def _is_own(path: Path, folder: Path, named: tuple[set[str], set[str]]) -> bool:
    stems, names = named
    if "" in stems and folder in path.parents:
        return True
    return path.parent == folder and (any(stem in path.stem for stem in stems) or not names.isdisjoint(_words(path)))


def near_files(files: Iterable[Path], constants: Iterable[Constant], tests: Path, uses: Uses) -> list[Path]:
    """Those that name a constant, or import its module or room; those in the folders that mirror its room and the rooms
    that use this, where these are few.
    """
    users, constants = _users(uses), list(constants)
    distinct = {constant.module for constant in constants} | _distinct(uses)
    rooms, names = set(), set()
    for constant in constants:
        room = _room(constant.module)
        rooms |= {room} | (users.get(room, set()) if len(users.get(room, ())) <= MOST_USERS else set())
        names |= {constant.module, constant.top} & distinct | ({room} if "." in room else set())
    files = list(files)
    held = Counter(word for path in files for word in _words(path) & names)
    names = {name for name in names if held[name] <= MOST_FILES}
    folders = {_folder(tests, room) for room in rooms}
    return [path for path in files if path.parent in folders or not names.isdisjoint(_words(path))]


def _folder(tests: Path, room: str) -> Path:
    return tests.joinpath(*room.split(".")[1:])


def _distinct(uses: Uses) -> set[str]:
    """Names that one module alone declares: another's `MOST` tells nothing."""
    declared = Counter(name for source in uses.sources.values() for name in _declared(source.tree))
    return {name for name, times in declared.items() if times == 1}


def _declared(tree: ast.Module) -> set[str]:
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    targets += [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    return classes | {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


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
