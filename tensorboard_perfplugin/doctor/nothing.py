"""Takes a path where no capture is found, reports why: misspelt, empty, not finished, another level, another format."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
from collections.abc import Mapping, Sequence

from .. import decode
from ..errors import PerfpluginError
from ..formats import HEAD_BYTES, REPORTS, report_of
from ..logdir import Record, Run, is_temporary, problem_of, record_in, record_of
from ..messages import Param
from ..patterns import regex
from .survey import Diagnosis, Near, Survey, age, age_s, looked_at, near, quoted, refused, size_of, survey

# Takes sessions that perfplugin captured itself, reports what `capture.json` has: missing hosts, files that are gone.

#: Workers named one by one; with more the addresses are not repeated in the command, either.
MAX_WORKERS_NAMED = 8
MAX_TEXT = 300


def incomplete(run: Run) -> Diagnosis | None:
    """Some workers gave nothing when the run was captured."""
    record = record_of(run)
    if record is None or not record.missing:
        return None
    missing = record.missing
    params = {
        "missing": len(missing),
        "workers": len(record.workers),
        "message": _cut(missing[0].message or missing[0].kind),
        **_session_names([f"{_cut(worker.address)} ({_cut(worker.kind)})" for worker in missing]),
    }
    return _diagnosis("worker_missing", os.path.dirname(run.files[0].path), record, params)


def emptied(sessions: Sequence[str]) -> Diagnosis | None:
    """The first of some sessions without captures that was one of perfplugin's."""
    for folder in sessions:
        record = record_in(folder)
        if record is not None:
            return _emptied(folder, record)
    return None


def _emptied(folder: str, record: Record) -> Diagnosis:
    written = [worker for worker in record.workers if worker.file]
    workers: dict[str, Param] = {"workers": len(record.workers)}
    if not written:
        return _diagnosis("session_without_files", folder, record, workers)
    size = sum(worker.size_bytes for worker in written)
    names = _session_names([_cut(worker.file) for worker in written])
    return _diagnosis("emptied_session", folder, record, {**workers, "files": len(written), "size": size, **names})


def _diagnosis(code: str, folder: str, record: Record, params: Mapping[str, Param]) -> Diagnosis:
    """With what the command that captures the same workers once more is made of."""
    addresses = ",".join(worker.address for worker in record.workers)
    few = len(record.workers) <= MAX_WORKERS_NAMED and len(addresses) <= MAX_TEXT
    profile = os.path.dirname(folder)
    laid_out = profile.endswith(os.path.join(os.sep, "plugins", "profile"))
    logdir = os.path.dirname(os.path.dirname(profile)) if laid_out else folder
    command = {"addresses": quoted(addresses) if few else "ADDRESSES", "logdir": quoted(logdir)}
    return Diagnosis(code, folder, {**params, **command})


def _session_names(names: Sequence[str]) -> dict[str, Param]:
    """The first few, and how many others there are."""
    return {
        "names": ", ".join(names[:MAX_WORKERS_NAMED]),
        "others": len(names) - MAX_WORKERS_NAMED if names[MAX_WORKERS_NAMED:] else None,
    }


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"


#: How many names like a missing one, and files of unknown format, are named.
MAX_ALIKE = 3
MAX_LOOKS = 3
#: Paths of what other profilers, and other versions, wrote: no reason to send anyone to another folder.
_PROFILE_LIKE = regex(r"trace|xplane|\.nsys-rep|\.qd(?:rep|strm)|\.ncu-rep|\.nvvp|plugins.profile.")
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
    where: dict[str, Param] = {"there": quoted(there), "gone": quoted(gone)}
    if alike:
        instead = quoted(os.path.join(there, alike[0]))
        return Diagnosis(
            "missing_like_another", root, {**where, "alike": ", ".join(map(quoted, alike)), "logdir": instead}
        )
    close = near(os.path.join(there, gone), Survey())
    if close:
        return Diagnosis("missing_near_captures", root, {**where, "names": len(names), "logdir": quoted(close.logdir)})
    return Diagnosis("missing_folder", root, {**where, "names": len(names)})


def why_none(root: str) -> list[Diagnosis]:
    """A folder without captures."""
    below = survey(root)
    if below.refused:
        return [refused(folder) for folder in below.refused[:MAX_LOOKS]]
    if below.temporary:
        newest = min(below.temporary, key=age_s)
        return [_temporary(newest)]
    gone = emptied(below.sessions)
    if gone:
        return [gone]
    foreign = [path for path in below.others if _PROFILE_LIKE.search(path)]
    renamed = _under_other_names(below)
    if renamed:
        return [renamed]
    reports: dict[str, str] = {}
    for path in sorted(foreign) or sorted(below.others)[:MAX_ALIKE]:
        if report := _report(path):
            reports.setdefault(*report)
    if reports:
        contents = _contents(below)
        return [
            Diagnosis("report_in_folder", root, {**contents, "looks": looks, "advice": advice})
            for looks, advice in reports.items()
        ]
    close = None if foreign else near(root, below)
    if close:
        return [_captures_elsewhere(root, below, close)]
    if below.others:
        return [Diagnosis("unknown_files", root, {**_contents(below), "looks": _looks(foreign or below.others)})]
    return [Diagnosis("never_profiled", root, _contents(below)) if below.event_files else _empty_folder(root, below)]


def _empty_folder(root: str, below: Survey) -> Diagnosis:
    folders = below.folders - 1 or None
    if below.sessions:
        return Diagnosis("empty_sessions", root, {"folders": folders, "sessions": len(below.sessions)})
    return Diagnosis("empty_folders", root, {"folders": folders}) if folders else Diagnosis("empty_folder", root)


def _captures_elsewhere(root: str, below: Survey, close: Near) -> Diagnosis:
    contents = _contents(below)
    if any(contents.values()):
        return _captures_at("captures_elsewhere", root, close, contents)
    return _captures_at("empty_folder_captures_elsewhere", root, close, {})


def _captures_at(code: str, path: str, close: Near, params: Mapping[str, Param]) -> Diagnosis:
    return Diagnosis(code, path, {**params, "captures": close.captures, "logdir": quoted(close.logdir)})


def _temporary(path: str) -> Diagnosis:
    return Diagnosis("temporary_name", path, {"size": size_of(path), **age(path)})


def reports_beside(below: Survey) -> list[Diagnosis]:
    """Reports of NVIDIA's profilers that lie beside captures, without the database that they export."""
    databases = {path.removesuffix(".gz").rpartition(".")[0] for path in below.captures if ".sqlite" in path}
    found = [(path, _report(path)) for path in sorted(below.others) if path.endswith(tuple(REPORTS))]
    return [
        Diagnosis("report_file", path, {"size": size_of(path), "looks": report[0], "advice": report[1]})
        for path, report in found
        if report and path.rpartition(".")[0] not in databases
    ]


def why_no_capture(path: str) -> Diagnosis:
    """A file that is not named like a capture."""
    name, size = os.path.basename(path), {"size": size_of(path)}
    if is_temporary(name):
        return _temporary(path)
    if "tfevents" in name:
        return _event_file(path)
    if report := _report(path):
        return Diagnosis("report_file", path, {**size, "looks": report[0], "advice": report[1]})
    if suffix := _suffix_of(path):
        return _misnamed("misnamed_file", path, suffix, size)
    try:
        return Diagnosis("unknown_file", path, {**size, "looks": _sniffed(path)})
    except PermissionError:
        return refused(path)
    except OSError as error:
        return Diagnosis("unknown_file_unread", path, {**size, "error": str(error.strerror)})


def _event_file(path: str) -> Diagnosis:
    params = {"size": size_of(path), "problem": problem_of(path) or None}
    close = near(path, survey(os.path.dirname(path)))
    if close:
        return _captures_at("event_file_captures_elsewhere", path, close, params)
    return Diagnosis("event_file_never_profiled", path, params)


def _misnamed(code: str, path: str, suffix: str, params: Mapping[str, Param]) -> Diagnosis:
    packed = ".gz" if path.endswith(".gz") else ""
    wanted = re.sub(r"\.(pb|prof|json|trace)$", "", path.removesuffix(".gz")) + suffix + packed
    return Diagnosis(code, path, {**params, "suffix": suffix, "file": quoted(path), "wanted": quoted(wanted)})


def _under_other_names(below: Survey) -> Diagnosis | None:
    """Traces that somebody named `rank0.json`; only the first few files are opened."""
    paths = sorted(path for path in below.others if path.removesuffix(".gz").endswith(".json"))
    code = "misnamed_several_in_folder" if len(paths) > 1 else "misnamed_in_folder"
    for path in paths[:MAX_LOOKS]:
        if suffix := _suffix_of(path):
            return _misnamed(code, path, suffix, _contents(below))
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
    planes = capture.strings.texts(capture.planes.name)
    is_sure = bool(capture.format.declaration.call_it) or not capture.capabilities.has_timeline
    if is_sure or any(name.startswith(("/host:", "/device:")) for name in planes):
        return capture.format.call_it
    return ""


def _contents(below: Survey) -> dict[str, Param]:
    """How many of each kind there are, None of a kind that is absent."""
    counts = {"event_files": len(below.event_files), "others": len(below.others), "folders": below.folders - 1}
    return {name: number if number > 0 else None for name, number in counts.items()}


def _looks(paths: Sequence[str]) -> str:
    """The first few files, each with what its bytes look like."""
    looks = []
    for path in sorted(paths)[:MAX_LOOKS]:
        try:
            looks.append(f"{os.path.basename(path)} ({_sniffed(path)})")
        except OSError as error:
            looks.append(f"{os.path.basename(path)} ({error.strerror})")
    return ", ".join(looks)


def _report(path: str) -> tuple[str, str] | None:
    """What a file of a tool whose format is not read is, and what to do with it."""
    try:
        with open(path, "rb") if os.path.isfile(path) else contextlib.nullcontext() as file:
            return report_of(file.read(HEAD_BYTES), path) if file else None
    except OSError:
        return None


def _sniffed(path: str) -> str:
    # A pipe would be waited for.
    if not os.path.isfile(path):
        return "no regular file"
    with open(path, "rb") as file:
        return decode.sniff(file.read(HEAD_BYTES), path)


def _names(folder: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError:
        return []
