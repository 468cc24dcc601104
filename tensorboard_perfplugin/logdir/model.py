"""What a logdir holds: roots, runs, capture files, and the snapshot of a scan. Immutable."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..errors import NotFoundError
from ..formats import Format
from .event_files import checksum


@dataclass(frozen=True)
class Root:
    """A place to look in. Several roots have names, which their runs' names begin with."""

    name: str
    path: str


@dataclass(frozen=True)
class CaptureFile:
    """One host's capture on disk, as the last scan saw it.

    others: files of the same host that contain less, the richest first: what there is where this one cannot be read.
    tag, at: of one run metadata in an event file its name there, and the byte where its record begins; else None.
    `size_bytes` and `modified_ns` are then the record's.
    """

    host: str
    path: str
    format: Format
    size_bytes: int
    modified_ns: int
    others: tuple[CaptureFile, ...] = ()
    tag: str | None = None
    at: int | None = None

    @property
    def identity(self) -> tuple[str, int, int, int]:
        """Real path, size, mtime in ns and inode as they are now. Raises NotFoundError when the file is gone.

        A record stays what it is while its file grows: it has its place, size and checksum instead.
        """
        try:
            now = os.stat(self.path)
            if self.at is not None:
                check = checksum(self.path, self.at, self.size_bytes)
                return f"{os.path.realpath(self.path)}@{self.at}", self.size_bytes, check, now.st_ino
        except OSError as error:
            raise NotFoundError(f"{self.path}: present at the last scan, now: {error.strerror}; reload") from error
        return os.path.realpath(self.path), now.st_size, now.st_mtime_ns, now.st_ino


@dataclass(frozen=True)
class Beside:
    """A run that lies beside another: its name, and what its files hold."""

    run: str
    format: Format


@dataclass(frozen=True)
class Run:
    """The captures that belong together: one session, one file a host, by host.

    name: the identifier that clients use, only ever looked up. modified_ns: newest of the files' times.
    captured_ns: the time in the session's name where it has one, else `modified_ns`. Both since the epoch.
    left_out: files beside them that describe the same hosts, and contain less. beside: runs of the same folder that
    hold what this one does not: memory, Python functions.
    """

    name: str
    files: tuple[CaptureFile, ...]
    modified_ns: int
    captured_ns: int
    left_out: tuple[CaptureFile, ...] = ()
    beside: tuple[Beside, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(file.host for file in self.files)

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)

    def file(self, host: str) -> CaptureFile:
        """The capture of a host. Raises NotFoundError that names the hosts there are."""
        for file in self.files:
            if file.host == host:
                return file
        raise NotFoundError(f"run {self.name} has no host {host[:80]!r}: its hosts are {some(self.hosts)}")


@dataclass(frozen=True)
class Snapshot:
    """What is known of a logdir now.

    runs: newest first. scanning: more may follow. scanned: at least one scan has ended. folders: how many were looked
    at. notes: folders that could not be read, limits that were hit, files that were left out; at most 20.
    """

    runs: tuple[Run, ...] = ()
    scanning: bool = False
    folders: int = 0
    roots: tuple[Root, ...] = ()
    scanned: bool = False
    notes: tuple[str, ...] = ()


def some(names: tuple[str, ...], most: int = 8) -> str:
    """The first few of many names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) or "none") + more
