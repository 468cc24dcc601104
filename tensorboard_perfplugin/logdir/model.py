"""What a logdir holds: roots, runs, capture files, and the snapshot of a scan. Immutable."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from ..errors import NotFoundError, suggestion
from ..formats import Format
from .event_files import checksum
from .names import now_of, real, shown

#: Characters of a pattern of hosts.
MAX_PATTERN = 500


class Root(msgspec.Struct, frozen=True):
    """A place to look in. Several roots have names, which their runs' names begin with."""

    name: str
    path: str


class CaptureFile(msgspec.Struct, frozen=True):
    """One host's capture on disk, as the last scan saw it.

    others: files of the same host that contain less, the richest first: what there is where this one cannot be read.
    tag, at: of one run metadata in an event file its name there, and the byte where its record begins; else None.
    `size_bytes` and `modified_ns` are then the record's.
    aside: files of the same host of other kinds, which have names of their own; of: of these the host's.
    is_chosen: it was asked for by its name, so that it goes before others of its host. is_copy: of `others` one that
    holds the same recording.
    """

    host: str
    path: str
    format: Format
    size_bytes: int
    modified_ns: int
    others: tuple[CaptureFile, ...] = ()
    tag: str | None = None
    at: int | None = None
    aside: tuple[CaptureFile, ...] = ()
    of: str = ""
    is_chosen: bool = False
    is_copy: bool = False

    @property
    def label(self) -> str:
        """What answers call it: a file without a timeline has no place in the trace that its own name would open."""
        return self.of if self.of and not self.format.capabilities.has_timeline else self.host

    @property
    def name(self) -> str:
        """The file's, for showing."""
        return shown(os.path.basename(self.path))

    @property
    def every(self) -> tuple[CaptureFile, ...]:
        """All files of its host that hold something of their own."""
        return (self, *self.aside)

    @property
    def identity(self) -> tuple[str | int, ...]:
        """Real path, size, mtime in ns, inode, and ctime in ns, which no user can set, as they are now.

        Raises NotFoundError when the file is gone.
        A record stays what it is while its file grows: it has its place, size and checksum instead.
        """
        try:
            now = now_of(self.path)
            if self.at is not None:
                check = checksum(self.path, self.at, self.size_bytes)
                return f"{real(self.path)}@{self.at}", self.size_bytes, check, now.st_ino
        except OSError as error:
            raise NotFoundError(f"{self.path}: present at the last scan, now: {error.strerror}; reload") from error
        return real(self.path), now.st_size, now.st_mtime_ns, now.st_ino, now.st_ctime_ns

    @property
    def known_identity(self) -> tuple[str | int, ...] | None:
        """As `identity`, None when the file is gone."""
        try:
            return self.identity
        except NotFoundError:
            return None


class Beside(msgspec.Struct, frozen=True):
    """A run that lies beside another: its name, and what its files hold."""

    run: str
    format: Format


class Run(msgspec.Struct, frozen=True):
    """The captures that belong together: one session, by host. Of a host each kind of file is there once, the first
    of them in `files`, the others `aside` of it.

    name: the identifier that clients use, only ever looked up. modified_ns: newest of the files' times.
    captured_ns: the time in the session's name where it has one, else `modified_ns`. Both since the epoch.
    left_out: files beside them that describe the same hosts, and contain less. beside: runs of the same folder that
    hold what this one does not: memory, Python functions. sessions: names of the runs that it was put together from,
    by which it is known, too.
    """

    name: str
    files: tuple[CaptureFile, ...]
    modified_ns: int
    captured_ns: int
    left_out: tuple[CaptureFile, ...] = ()
    beside: tuple[Beside, ...] = ()
    sessions: tuple[str, ...] = ()

    def is_called(self, name: str) -> bool:
        return name == self.name or name in self.sessions

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(file.host for file in self.files)

    @property
    def every_file(self) -> tuple[CaptureFile, ...]:
        """Of all hosts all files that hold something of their own."""
        return tuple(each for file in self.files for each in file.every)

    @property
    def size_bytes(self) -> int:
        return sum(file.size_bytes for file in self.every_file)

    def file(self, host: str) -> CaptureFile:
        """The capture of a host; of a file's own name that file, with the others of its host aside.

        Raises NotFoundError that names the hosts there are.
        """
        for file in self.files:
            if file.host == host:
                return file
        for file in self.files:
            for each in file.every:
                if host == own_name(each):
                    return _first(each, file)
        alike = suggestion(host, self.hosts)
        raise NotFoundError(f"run {self.name} has no host {host[:80]!r}: its hosts are {first_few(self.hosts)}{alike}")

    def files_of(self, host: str) -> tuple[CaptureFile, ...]:
        """As `file`, of all hosts whose names match, where none is called so and it is a pattern with *, ? or [].

        Where no host's name matches, all files whose own names do.
        """
        try:
            return (self.file(host),)
        except NotFoundError:
            if not any(sign in host for sign in "*?["):
                raise
            matches = _pattern(host)
            own = ((each, file) for file in self.files for each in file.every if matches(own_name(each)))
            found = tuple(file for file in self.files if matches(file.host)) or tuple(_first(*each) for each in own)
            if not found:
                raise
            return found


def _pattern(text: str) -> Callable[[str], object]:
    """Whether a name matches, as a shell does it; none matches what is no pattern."""
    import fnmatch
    import re

    try:
        return re.compile(fnmatch.translate(text[:MAX_PATTERN])).match
    except re.error:
        # A range from a later to an earlier character, in Python 3.10.
        return lambda name: None


def _first(chosen: CaptureFile, file: CaptureFile) -> CaptureFile:
    """One of a host's files, before the others."""
    others = tuple(replace(other, aside=()) for other in file.every if other.path != chosen.path)
    return replace(chosen, aside=others, is_chosen=True)


class Snapshot(msgspec.Struct, frozen=True):
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


#: What a file is called beside others of its host, by what it holds.
MEMORY, FUNCTIONS, DATABASE, TRACE = "memory", "Python functions", "database", "trace"


def kind_of(file: CaptureFile) -> str:
    """In a word or two, what a file holds beside what others hold."""
    capabilities = file.format.capabilities
    if capabilities.functions_only:
        return FUNCTIONS
    if capabilities.is_moment or capabilities.is_aside:
        return MEMORY
    return DATABASE if file.format == Format.NSYS else TRACE


def own_name(file: CaptureFile) -> str:
    """The name by which one of several files of a host is chosen."""
    return file.host if file.of else f"{file.host} ({kind_of(file)})"


def first_few(names: tuple[str, ...], most: int = 8) -> str:
    """The first few of many names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) or "none") + more
