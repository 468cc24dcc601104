"""What the doctor says of a path, and what its questions share."""

from __future__ import annotations

import os
import shlex
import stat
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..advice.text import DIAGNOSES, MORE, render, sentence
from ..messages import Param
from ..stores import is_url, status

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
