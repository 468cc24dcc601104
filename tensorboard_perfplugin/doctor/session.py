"""Takes sessions that perfplugin captured itself, reports what `capture.json` has: who is missing, what has gone."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ..logdir import Record, Run, record_in, record_of
from ..messages import Param
from .diagnosis import Diagnosis, quoted

#: Workers named one by one; with more the addresses are not repeated in the command, either.
MAX_NAMED = 8
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
        **_names([f"{_cut(worker.address)} ({_cut(worker.kind)})" for worker in missing]),
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
    names = _names([_cut(worker.file) for worker in written])
    return _diagnosis("emptied_session", folder, record, {**workers, "files": len(written), "size": size, **names})


def _diagnosis(code: str, folder: str, record: Record, params: Mapping[str, Param]) -> Diagnosis:
    """With what the command that captures the same workers once more is made of."""
    addresses = ",".join(worker.address for worker in record.workers)
    few = len(record.workers) <= MAX_NAMED and len(addresses) <= MAX_TEXT
    profile = os.path.dirname(folder)
    laid_out = profile.endswith(os.path.join(os.sep, "plugins", "profile"))
    logdir = os.path.dirname(os.path.dirname(profile)) if laid_out else folder
    command = {"addresses": quoted(addresses) if few else "ADDRESSES", "logdir": quoted(logdir)}
    return Diagnosis(code, folder, {**params, **command})


def _names(names: Sequence[str]) -> dict[str, Param]:
    """The first few, and how many others there are."""
    return {"names": ", ".join(names[:MAX_NAMED]), "others": len(names) - MAX_NAMED if names[MAX_NAMED:] else None}


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"
