"""Takes a folder, gives what lies below it, by what it is for; and captures near it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field

from ..logdir import RECORD, UNFINISHED, is_capture, is_temporary, parse_name

#: Folders looked at below a path.
MAX_FOLDERS = 20_000
#: Folders looked at below each folder above a path, and how far up.
MAX_NEAR_FOLDERS = 2_000
LEVELS_UP = 3

_LAYOUT = os.sep + os.path.join("plugins", "profile") + os.sep


@dataclass
class Survey:
    """Paths below a folder, hidden ones too. sessions: folders for captures, without files. refused: not to be read."""

    _: KW_ONLY
    folders: int = 0
    captures: list[str] = field(default_factory=list)
    temporary: list[str] = field(default_factory=list)
    event_files: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def add(self, path: str) -> None:
        name = os.path.basename(path)
        if name == RECORD:
            return
        if parse_name(name) and f"{os.sep}{UNFINISHED}" in path:
            self.temporary.append(path)
        elif parse_name(name) and is_capture(path):
            self.captures.append(path)
        elif is_temporary(name) and parse_name(finished_name(name)):
            self.temporary.append(path)
        else:
            (self.event_files if "tfevents" in name else self.others).append(path)


@dataclass(frozen=True)
class Near:
    """Captures outside of what was given: how many, and the logdir to give for them."""

    logdir: str
    captures: int


def finished_name(name: str) -> str:
    """What a temporary name becomes when its writer is done."""
    return re.sub(r"\.tmp(\.\d+)?$|\.tmp(?=\.)", "", name.lstrip("."))


def survey(root: str) -> Survey:
    """What lies below a folder. Links are not followed."""
    below = Survey()

    def refuse(error: OSError) -> None:
        if isinstance(error, PermissionError):
            below.refused.append(error.filename)

    for folder, _, names in os.walk(root, onerror=refuse):
        below.folders += 1
        if set(names) <= {RECORD} and os.path.dirname(folder).endswith(_LAYOUT[:-1]):
            below.sessions.append(folder)
        for name in names:
            below.add(os.path.join(folder, name))
        if below.folders >= MAX_FOLDERS:
            break
    return below


def near(root: str, below: Survey) -> Near | None:
    """Captures that were found below, in hidden folders; else those in the nearest folder above that holds some."""
    if below.captures:
        return _given_for(below.captures)
    for folder in _above(root):
        captures = captures_below(folder)
        if captures:
            return _given_for(captures)
    return None


def captures_below(folder: str) -> list[str]:
    captures: list[str] = []
    for count, (where, folders, names) in enumerate(os.walk(folder), 1):
        folders[:] = sorted(name for name in folders if not is_temporary(name))
        paths = (os.path.join(where, name) for name in names if parse_name(name))
        captures += filter(is_capture, paths)
        if count >= MAX_NEAR_FOLDERS:
            break
    return captures


def _above(root: str) -> Iterator[str]:
    """Folders above that may belong to the same work: neither a disk's root nor what all users share."""
    home = os.path.expanduser("~")
    shared = {os.path.dirname(home), tempfile.gettempdir()}
    for _ in range(LEVELS_UP):
        root = os.path.dirname(root)
        if root in shared or os.path.ismount(root):
            return
        yield root


def _given_for(captures: Sequence[str]) -> Near:
    """Captures of one run open from the folder above `plugins/profile`; those of several from what these share."""
    runs = [(os.path.dirname(path) + os.sep).partition(_LAYOUT)[0].rstrip(os.sep) for path in captures]
    return Near(os.path.commonpath(runs), len(captures))
