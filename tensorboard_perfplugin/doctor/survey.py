"""Takes a folder, gives what lies below it, by what it is for; and captures near it."""

from __future__ import annotations

import os
import re
import shlex
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

from ..advice.text.catalogue import sentence
from ..advice.text.doctor import DIAGNOSES, MORE
from ..advice.text.template import render
from ..logdir import RECORD, UNFINISHED, is_capture, is_temporary, parse_name
from ..messages import Param
from ..stores import is_url, status

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


# What the doctor says of a path, and what its questions share.

#: A file that changed so recently may still be growing.
FRESH_S = 30.0

_AGES = (("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1))


@dataclass(frozen=True)
class Diagnosis:
    """One thing that keeps captures from showing, or, with `ok`, that nothing does.

    code: what it is, exactly; path: what was looked at; params: the numbers and names in its words, of which paths are
    quoted for a shell, and `more` counts those like it that are left out.
    case: a fixed word for the kind of trouble. found: what is there. cause: why it does not show. fix: one command or
    action.
    """

    code: str
    path: str
    params: Mapping[str, Param] = field(default_factory=dict)
    case: str = field(init=False)
    found: str = field(init=False)
    cause: str = field(init=False)
    fix: str = field(init=False)
    ok: bool = field(init=False)

    def __post_init__(self) -> None:
        text = DIAGNOSES[self.code]
        params = {"more": None, **self.params}
        words = {"found": text.found + MORE, "cause": text.cause, "fix": text.fix}
        for name, value in {"case": text.case, "ok": text.ok}.items():
            object.__setattr__(self, name, value)
        for name, template in words.items():
            object.__setattr__(self, name, render(template, params, sentence))


def refused(path: str) -> Diagnosis:
    """For what this process may not read; names the nearest thing above that it may look at."""
    at = path
    while (now := looked_at(at)) is None and at != os.path.dirname(at):
        at = os.path.dirname(at)
    user = getattr(os, "geteuid", lambda: -1)()
    mode, owner = (stat.filemode(now.st_mode), now.st_uid) if now else ("?", -1)
    code = "no_permission" if owner == user else "no_permission_of_another_user"
    return Diagnosis(code, path, {"at": quoted(at), "mode": mode, "owner": owner, "user": user})


def looked_at(path: str) -> os.stat_result | None:
    try:
        return status(path) if is_url(path) else os.stat(path)
    except (OSError, ValueError):
        return None


def size_of(path: str) -> int | None:
    now = looked_at(path)
    return now.st_size if now else None


def age_s(path: str) -> float:
    """Seconds since the file changed; infinite when it is gone."""
    now = looked_at(path)
    return max(0.0, time.time() - now.st_mtime) if now else float("inf")


def age(path: str) -> dict[str, Param]:
    """How long ago the file changed, as the one parameter of `days`, `hours`, `minutes`, `seconds` that suits."""
    seconds = age_s(path)
    unit, length_s = next(each for each in _AGES if seconds >= 2 * each[1] or each[1] == 1)
    given: dict[str, Param] = {name: None for name, _ in _AGES}
    return given if seconds == float("inf") else {**given, unit: round(seconds / length_s)}


def is_fresh(path: str) -> bool:
    return age_s(path) < FRESH_S


def quoted(path: str) -> str:
    return shlex.quote(path)
