"""Takes sessions that perfplugin captured itself, says what `capture.json` tells: who is missing, what has gone."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ..logdir import RECORD, Record, Run, Worker, record_in, record_of
from .diagnosis import Diagnosis, counted, quoted, sized

#: Workers told one by one; with more the addresses are not repeated in the command, either.
MAX_TOLD = 8
MAX_TEXT = 300


def incomplete(run: Run) -> Diagnosis | None:
    """Some workers gave nothing when the run was captured."""
    record = record_of(run)
    if record is None or not record.missing:
        return None
    folder = os.path.dirname(run.files[0].path)
    missing = record.missing
    found = f"{RECORD}: {len(missing)} of {counted(len(record.workers), 'worker')} gave nothing: {_named(missing)}"
    return Diagnosis(
        "worker_missing", folder, found, _cut(missing[0].message or missing[0].kind), _again(record, folder)
    )


def emptied(sessions: Sequence[str]) -> Diagnosis | None:
    """The first of some sessions without captures that was one of perfplugin's."""
    for folder in sessions:
        record = record_in(folder)
        if record is not None:
            return _emptied(folder, record)
    return None


def _emptied(folder: str, record: Record) -> Diagnosis:
    files = [worker for worker in record.workers if worker.file]
    wrote = ", ".join(f"{_cut(worker.file)} of {sized(worker.size_bytes)}" for worker in files[:MAX_TOLD]) or "no file"
    asked = counted(len(record.workers), "worker")
    return Diagnosis(
        "empty_session",
        folder,
        f"{RECORD}: {asked} asked, {wrote} written, of which nothing is there",
        "the captures were moved away or deleted after they had been written",
        _again(record, folder),
    )


def _again(record: Record, folder: str) -> str:
    """The command that captures the same workers once more."""
    addresses = ",".join(worker.address for worker in record.workers)
    few = len(record.workers) <= MAX_TOLD and len(addresses) <= MAX_TEXT
    profile = os.path.dirname(folder)
    laid_out = profile.endswith(os.path.join(os.sep, "plugins", "profile"))
    logdir = os.path.dirname(os.path.dirname(profile)) if laid_out else folder
    return f"perfplugin capture {quoted(addresses) if few else 'ADDRESSES'} --logdir {quoted(logdir)}"


def _named(workers: Sequence[Worker]) -> str:
    told = ", ".join(f"{_cut(worker.address)} ({_cut(worker.kind)})" for worker in workers[:MAX_TOLD])
    return told + (f" and {len(workers) - MAX_TOLD} more" if len(workers) > MAX_TOLD else "")


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…"
