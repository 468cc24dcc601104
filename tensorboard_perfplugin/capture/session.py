"""The workers' bytes → a session folder in the logdir, whole or not at all; and the oldest of a series taken away."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType

from ..errors import ArgumentError
from ..logdir import RECORD, UNFINISHED, Record, record_in
from ..patterns import regex
from ..units import size
from .request import Kind, WorkerError

# Takes a logdir and a series, which captures that are repeated have in common; takes away its oldest sessions.
#
# Nothing else is ever touched: a session is of the series if its own `capture.json` says so, holds the name of its
# folder, and names every other file in it. One that was renamed or added to belongs to somebody by now, and stays.


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


# Takes the workers' bytes, gives a session in the logdir that is whole, or nothing at all. Knows only the disk.
#
# Everything is written below `<logdir>/plugins/.perfplugin-<random>/`, which no reader enters, brought to the disk,
# and
# made `<logdir>/plugins/profile/<name>/` by one rename. Whatever goes wrong before that, what was made is taken away
# again, folders above included. Only a process that is killed outright leaves the hidden folder; the next capture
# removes
# those that are older than a day.

HIDDEN = UNFINISHED
SUFFIX = ".xplane.pb"
#: A write may be ended between pieces of so many bytes.
PIECE_BYTES = 16 << 20
#: Left free on the disk after a file: what the record and the file system itself take.
SPARE_BYTES = 1 << 20
#: A hidden folder that nothing was written to for so long is of a process that was killed. The longest capture is of
#: two hours, delay and duration.
STALE_S = 86_400
#: Tries to find a name that is free, and to make folders that another capture removes at the same time.
MAX_NAMES = 10_000
MAX_TRIES = 5

_URL = regex(r"[a-zA-Z][0-9a-zA-Z.+-]*://")
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
#: What file systems say that rename files and no folders.
_NO_RENAME = (errno.EXDEV, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMFILE)


class DiskError(ArgumentError):
    """The logdir cannot take a session. kind: `disk_full` or `read_only`."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind


class Session:
    """A session in the making, of one logdir. A context: what was not finished is gone when it ends, however it ends.

    Files may be written from several threads at once. Making one finds out whether the logdir can be written to, and
    raises DiskError that says why not, or ArgumentError where it is no local folder.
    """

    def __init__(self, logdir: str) -> None:
        if not logdir or _URL.match(logdir) or "\0" in logdir:
            raise ArgumentError(f"logdir {logdir[:200]!r}: must be a local folder")
        self.logdir = os.path.abspath(os.path.expanduser(logdir))
        self._plugins = os.path.join(self.logdir, "plugins")
        self._folder = os.path.join(self._plugins, HIDDEN + secrets.token_hex(8))
        self._made: list[str] = []
        self._taken: set[str] = set()
        self._lock = threading.Lock()
        try:
            self._begin()
        except OSError as error:
            self.discard()
            failure = _failure(error, self.logdir)
            raise DiskError(failure.kind, failure.message) from None
        except BaseException:
            self.discard()
            raise

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.discard()

    def _begin(self) -> None:
        for tried in range(MAX_TRIES):
            try:
                self._make(self._plugins)
                os.mkdir(self._folder)
                break
            except FileNotFoundError:
                # Another capture that failed took away the folders that it had made.
                if tried == MAX_TRIES - 1:
                    raise
        self._write("probe", memoryview(b"\0" * 4096))
        os.remove(os.path.join(self._folder, "probe"))
        _remove_stale(self._plugins)

    def _make(self, folder: str) -> None:
        """A folder and those above it; what was not there is noted."""
        if os.path.isdir(folder):
            return
        if os.path.dirname(folder) != folder:
            self._make(os.path.dirname(folder))
        try:
            os.mkdir(folder)
            self._made.append(folder)
        except FileExistsError:
            if not os.path.isdir(folder):
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), folder) from None

    def write(self, stem: str, data: memoryview, stopped: Callable[[], bool] = lambda: False) -> str:
        """Write one worker's capture, and give the file's name: `<stem>.xplane.pb`, or with `_2` where that is taken.

        Raises WorkerError: disk_full, read_only (also where no name is free), and cancelled as soon as `stopped`.
        Nothing of the file is left then.
        """
        name = self._named(stem)
        try:
            _demand_room(self._folder, data.nbytes)
            self._write(name, data, stopped)
        except (OSError, WorkerError) as error:
            with contextlib.suppress(OSError):
                os.remove(os.path.join(self._folder, name))
            raise (_failure(error, self.logdir, data.nbytes) if isinstance(error, OSError) else error) from None
        return name

    def _named(self, stem: str) -> str:
        with self._lock:
            for name in numbered(stem):
                if name.casefold() not in self._taken:
                    self._taken.add(name.casefold())
                    return name + SUFFIX
        raise WorkerError("read_only", f"{self.logdir}: all names for files of {stem} are taken")

    def _write(self, name: str, data: memoryview, stopped: Callable[[], bool] = lambda: False) -> None:
        with open(os.path.join(self._folder, name), "xb", buffering=0) as file:
            at = 0
            while at < data.nbytes:
                if stopped():
                    raise WorkerError("cancelled", "cancelled while its file was written")
                at += file.write(data[at : at + PIECE_BYTES])
            os.fsync(file.fileno())

    def finish(self, wanted: str, record: Callable[[str], str]) -> str:
        """Make it a session of that name, or with `_2` and so on where that is taken; the folder's path.

        record: the session's name → what `capture.json` is to hold. Raises WorkerError: disk_full, read_only.
        """
        try:
            profile = os.path.join(self._plugins, "profile")
            self._make(profile)
            for name in numbered(wanted):
                target = os.path.join(profile, name)
                if _claim(target) and self._become(target, record(name)):
                    _sync_folder(profile)
                    self._made.clear()
                    return target
        except OSError as error:
            raise _failure(error, self.logdir) from None
        raise WorkerError("read_only", f"{self.logdir}: all names for the session are taken; give another name")

    def _become(self, target: str, record: str) -> bool:
        """Whether the folder took the name, which fails where another put something there since it was claimed."""
        try:
            with contextlib.suppress(FileNotFoundError):
                os.remove(os.path.join(self._folder, RECORD))
            self._write(RECORD, memoryview(record.encode("utf-8", "backslashreplace")))
            _sync_folder(self._folder)
            _rename(self._folder, target)
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.rmdir(target)
            if isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                return False
            raise
        return True

    def discard(self) -> None:
        """Take away what was made and not finished. Does nothing after `finish`."""
        shutil.rmtree(self._folder, ignore_errors=True)
        for folder in reversed(self._made):
            # One that is not empty is in use by another by now.
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        self._made.clear()


def numbered(name: str, between: str = "_") -> Iterator[str]:
    """The name, then `<name>_2` and so on: the first that is free is taken."""
    yield name
    for number in range(2, MAX_NAMES):
        yield f"{name}{between}{number}"


def _claim(target: str) -> bool:
    """Whether the name is ours now: an empty folder of that name is made, which no other process can make then."""
    try:
        os.mkdir(target)
    except FileExistsError:
        return False
    return True


def _rename(folder: str, target: str) -> None:
    """A folder takes the place of an empty one. Raises OSError."""
    if os.name == "nt":
        # There a rename takes no name that is in use.
        os.rmdir(target)
    try:
        os.rename(folder, target)
    except OSError as error:
        if error.errno not in _NO_RENAME:
            raise
        _move_files(folder, target)


def _move_files(folder: str, target: str) -> None:
    """The same where folders cannot be renamed, as in a mounted bucket: each file is whole, not all come at once."""
    os.makedirs(target, exist_ok=True)
    names = sorted(os.listdir(folder))
    try:
        for name in names:
            os.rename(os.path.join(folder, name), os.path.join(target, name))
        os.rmdir(folder)
    except BaseException:
        for name in names:
            with contextlib.suppress(OSError):
                os.remove(os.path.join(target, name))
        raise


def _remove_stale(plugins: str) -> None:
    with contextlib.suppress(OSError), os.scandir(plugins) as entries:
        for entry in entries:
            ours = re.fullmatch(re.escape(HIDDEN) + "[0-9a-f]{16}", entry.name) and entry.is_dir(follow_symlinks=False)
            if ours and time.time() - entry.stat(follow_symlinks=False).st_mtime > STALE_S:
                shutil.rmtree(entry.path, ignore_errors=True)


def _demand_room(folder: str, size_bytes: int) -> None:
    """Raises OSError before a byte is written that would not fit."""
    now = shutil.disk_usage(folder)
    # Some mounted buckets and drives report no size at all.
    if now.total and now.free < size_bytes + SPARE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _sync_folder(folder: str) -> None:
    """Bring a folder's names to the disk, where the file system knows of that."""
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _failure(error: OSError, logdir: str, size_bytes: int = 0) -> WorkerError:
    """The error in words, with what helps."""
    if error.errno in _FULL:
        return WorkerError("disk_full", _full(logdir, size_bytes))
    reason = error.strerror or str(error)
    at = f" at {error.filename}" if error.filename and error.filename != logdir else ""
    remedy = "choose another --logdir, or give this user write permission"
    return WorkerError("read_only", f"{logdir}: captures cannot be written to this logdir ({reason}{at}); {remedy}")


def _full(logdir: str, size_bytes: int) -> str:
    needed = f"{size(size_bytes)} needed" if size_bytes else "nothing could be written"
    there = logdir
    while not os.path.isdir(there) and there != os.path.dirname(there):
        there = os.path.dirname(there)
    try:
        free = f", {size(shutil.disk_usage(there).free)} free"
    except OSError:
        free = ""
    return f"{logdir}: the disk is full: {needed}{free}; free space, or record for less time or at lower levels"
