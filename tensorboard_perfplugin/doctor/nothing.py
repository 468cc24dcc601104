"""Takes a path where no capture is found, says why: misspelt, empty, not finished, another level, another format."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Sequence
from dataclasses import replace

from .. import decode
from ..errors import PerfpluginError
from ..logdir import FORMATS, is_temporary, problem_of
from .diagnosis import (
    PROFILE,
    Diagnosis,
    age_s,
    ago,
    being_written,
    counted,
    looked_at,
    quoted,
    refused,
    sized,
    unknown_format,
)
from .elsewhere import opened_elsewhere
from .session import emptied
from .survey import Near, Survey, near, survey

#: How many names like a missing one, and files of unknown format, are told.
MAX_ALIKE = 3
MAX_LOOKS = 3
#: Paths of what other profilers, and other versions, wrote: no reason to send anyone to another folder.
_PROFILE_LIKE = re.compile(r"trace|xplane|nsys-rep|nvvp|plugins.profile.")
#: What a trace of events turns out to be → how its name ends.
_DIALECTS = {"kineto": ".pt.trace.json", "tf1_timeline": ".trace.json", "trace_events": ".trace.json"}
#: A file without a capture's name is read whole only up to this size.
MAX_GUESS_BYTES = 1 << 28


def missing(root: str) -> Diagnosis:
    """The path is not there: what is there instead."""
    there, gone = os.path.split(root)
    while not os.path.isdir(there) and there != os.path.dirname(there):
        there, gone = os.path.split(there)
    names = _names(there)
    # Only names like it: this folder is outside of what the operator chose to show.
    alike = difflib.get_close_matches(gone, names, MAX_ALIKE)
    holds = ", ".join(map(quoted, alike)) if alike else counted(len(names), "other name") if names else "nothing"
    return Diagnosis(
        "missing_folder",
        root,
        f"{quoted(there)} has no {quoted(gone)}, it holds {holds}",
        "the path is misspelt, or of another machine, or the program has not written anything yet",
        _instead(there, gone, alike),
    )


def _instead(there: str, gone: str, alike: Sequence[str]) -> str:
    if alike:
        return f"tensorboard --logdir {quoted(os.path.join(there, alike[0]))}"
    close = near(os.path.join(there, gone), Survey())
    if close:
        return f"tensorboard --logdir {quoted(close.logdir)}"
    return "give the folder that the training program was given as its log folder"


def why_none(root: str) -> list[Diagnosis]:
    """A folder without captures."""
    below = survey(root)
    if below.refused:
        return [refused(folder) for folder in below.refused[:MAX_LOOKS]]
    if below.temporary:
        newest = min(below.temporary, key=age_s)
        return [being_written(newest, f"{_size(newest)} under a temporary name, modified {ago(newest)}")]
    gone = emptied(below.sessions)
    if gone:
        return [gone]
    known = opened_elsewhere(root, below.others, _contents(below))
    if known:
        return [known]
    foreign = [path for path in below.others if _PROFILE_LIKE.search(path)]
    renamed = _under_other_names(below)
    if renamed:
        return [renamed]
    close = None if foreign else near(root, below)
    if close:
        return [_wrong_level(root, _contents(below), close)]
    if below.others:
        return [unknown_format(root, f"{_contents(below)}: {_looks(foreign or below.others)}")]
    return [_never_profiled(root, below) if below.event_files else _empty_folder(root, below)]


def _empty_folder(root: str, below: Survey) -> Diagnosis:
    found = f"{counted(below.folders - 1, 'folder')} in it, no file" if below.folders > 1 else "an empty folder"
    if below.sessions:
        found += f", {counted(len(below.sessions), 'empty session')} in plugins/profile"
        again = "record again, and let the profiler stop (jax.profiler.stop_trace()) before the program ends"
        return Diagnosis("empty_folder", root, found, "a profile was started, and its end never written", again)
    return Diagnosis("empty_folder", root, found, "nothing was recorded yet, or it went to another folder", PROFILE)


def _never_profiled(root: str, below: Survey) -> Diagnosis:
    found = f"{_contents(below)}, no capture"
    return Diagnosis("wrong_level", root, found, "these are the scalars of a run that was not profiled", PROFILE)


def _wrong_level(root: str, found: str, close: Near) -> Diagnosis:
    return Diagnosis(
        "wrong_level",
        root,
        f"{found}; {counted(close.captures, 'capture')} in {quoted(close.logdir)}",
        "the captures are in another folder than the one that was given",
        f"tensorboard --logdir {quoted(close.logdir)}",
    )


def why_no_capture(path: str) -> Diagnosis:
    """A file that is not named like a capture."""
    name, size = os.path.basename(path), f"a file of {_size(path)}"
    if is_temporary(name):
        return being_written(path, f"{size} under a temporary name, modified {ago(path)}")
    if "tfevents" in name:
        end = f"; {problem}" if (problem := problem_of(path)) else ""
        return _event_file(path, f"{size}, a TensorBoard event file, which holds no profile{end}")
    if (known := opened_elsewhere(path, [path], size)) and os.path.isfile(path):
        return known
    if suffix := _suffix_of(path):
        return _misnamed(path, size, suffix)
    try:
        return unknown_format(path, f"{size} that looks like {_sniffed(path)}")
    except PermissionError:
        return refused(path)
    except OSError as error:
        return unknown_format(path, f"{size}; {error.strerror}")


def _event_file(path: str, found: str) -> Diagnosis:
    close = near(path, survey(os.path.dirname(path)))
    if close:
        return _wrong_level(path, found, close)
    return Diagnosis("wrong_level", path, found, "these are the scalars of a run that was not profiled", PROFILE)


def _misnamed(path: str, found: str, suffix: str) -> Diagnosis:
    packed = ".gz" if path.endswith(".gz") else ""
    wanted = re.sub(r"\.(pb|prof|json|trace)$", "", path.removesuffix(".gz")) + suffix + packed
    cause = f"its content is a capture, but captures are told by their names, *{suffix} or *{suffix}.gz"
    return Diagnosis("unknown_format", path, found, cause, f"mv {quoted(path)} {quoted(wanted)}")


def _under_other_names(below: Survey) -> Diagnosis | None:
    """Traces that somebody named `rank0.json`; only the first few files are opened."""
    paths = sorted(path for path in below.others if path.removesuffix(".gz").endswith(".json"))
    for path in paths[:MAX_LOOKS]:
        if suffix := _suffix_of(path):
            found = _misnamed(path, _contents(below), suffix)
            return replace(found, fix=found.fix + "; others like it in the same way") if len(paths) > 1 else found
    return None


def _suffix_of(path: str) -> str:
    """How the name of a file of any name should end; empty where it is no capture.

    A capture holds planes with the names that planes have, protobuf alone accepts too much; or is a memory profile.
    """
    now = looked_at(path)
    if now is None or not 0 < now.st_size < MAX_GUESS_BYTES:
        return ""
    try:
        capture = decode.read(path)
    except (PerfpluginError, OSError):
        return ""
    if capture.format in _DIALECTS:
        return _DIALECTS[capture.format]
    planes = capture.strings.of(capture.planes.name)
    if capture.format == "pprof" or any(name.startswith(("/host:", "/device:")) for name in planes):
        return next((kind.suffix for kind in FORMATS if kind.name == capture.format), "")
    return ""


def _contents(below: Survey) -> str:
    parts = [
        (len(below.event_files), "TensorBoard event file"),
        (len(below.others), "other file"),
        (below.folders - 1, "folder"),
    ]
    return ", ".join(counted(number, what) for number, what in parts if number > 0) or "an empty folder"


def _looks(paths: Sequence[str]) -> str:
    """The first few files, each with what its bytes look like."""
    told = []
    for path in sorted(paths)[:MAX_LOOKS]:
        try:
            told.append(f"{os.path.basename(path)} ({_sniffed(path)})")
        except OSError as error:
            told.append(f"{os.path.basename(path)} ({error.strerror})")
    return ", ".join(told)


def _sniffed(path: str) -> str:
    # A pipe would be waited for.
    if not os.path.isfile(path):
        return "no regular file"
    with open(path, "rb") as file:
        return decode.sniff(file.read(4096), path)


def _size(path: str) -> str:
    now = looked_at(path)
    return sized(now.st_size) if now else "unknown size"


def _names(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError:
        return []
