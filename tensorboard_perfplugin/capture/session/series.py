"""Takes a logdir and a series, which captures that are repeated have in common; takes away its oldest sessions.

Nothing else is ever touched: a session is of the series if its own `capture.json` says so, holds the name of its
folder, and names every other file in it. One that was renamed or added to belongs to somebody by now, and stays.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator

from ...logdir import RECORD, UNFINISHED, Record, record_in


def prune(logdir: str, series: str, keep: int) -> tuple[str, ...]:
    """Remove all but the newest `keep` sessions of a series, at least one; the removed ones' names, oldest first."""
    plugins = os.path.join(os.path.abspath(os.path.expanduser(logdir)), "plugins")
    there = sorted(_sessions(os.path.join(plugins, "profile"), series))
    return tuple(name for _, name in there[: -max(1, keep)] if _remove(plugins, name))


def _sessions(profile: str, series: str) -> Iterator[tuple[int, str]]:
    """When each session of the series began, and its name."""
    with contextlib.suppress(OSError), os.scandir(profile) as entries:
        for entry in entries:
            if series and entry.is_dir(follow_symlinks=False):
                record = record_in(entry.path)
                if record and record.series == series and record.session == entry.name and _whole(entry.path, record):
                    yield record.started_ns, entry.name


def _whole(folder: str, record: Record) -> bool:
    """Whether the folder holds the capture's own files and nothing else."""
    expected = {RECORD, *(worker.file for worker in record.workers)}
    try:
        with os.scandir(folder) as entries:
            return all(
                each.name in expected and stat.S_ISREG(each.stat(follow_symlinks=False).st_mode) for each in entries
            )
    except OSError:
        return False


def _remove(plugins: str, name: str) -> bool:
    """Whether the session is gone. It vanishes at once, under a hidden name, and is never seen half."""
    hidden = os.path.join(plugins, UNFINISHED + secrets.token_hex(8))
    try:
        os.rename(os.path.join(plugins, "profile", name), hidden)
    except OSError:
        return False
    shutil.rmtree(hidden, ignore_errors=True)
    return True
