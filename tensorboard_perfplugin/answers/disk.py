"""Answers as JSON files in the user's cache directory, never in the logdir, and the folder of files by key that hosts'
parts lie in as well: written by atomic rename; beyond a size the least recently used go.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Callable
from typing import Any, TypeVar

from .._version import __version__
from ..advice.text.catalogue import quality_from
from ..tools import Answer, FileUse, Finding, Result, Tool
from .encode import to_json

MAX_BYTES = 256 << 20
#: Larger answers are not worth their place.
MAX_ENTRY_BYTES = 16 << 20
#: The folder is looked through when a process has stored such a part of what fits, and at its first entry: with many
#: small entries each look would take longer than what is stored.
TRIMMED = 64
#: Where a system has these: a link is not followed, a pipe not waited at; Windows would translate line ends.
_NO_LINK = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))

#: A checksum in hexadecimal, and the end of its line.
SEAL_BYTES = 33

T = TypeVar("T")


def user_folder() -> str | None:
    """`perfplugin` in the user's cache directory, or None where there is no such directory."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "perfplugin") if os.path.isabs(base) else None


class Entries:
    """A bounded folder of files, one a key, named by the digest of the key and of the code that makes entries. A file
    begins with a checksum of the rest: what was edited or damaged is no entry.

    folder: where it is, or None where there is none; made when something is written. One that others may write to is
    left alone. What cannot be read or written costs time and nothing else.
    """

    def __init__(self, folder: Callable[[], str | None], ending: str, max_bytes: int) -> None:
        self._folder, self._ending, self._max_bytes = folder, ending, max_bytes

    def read(self, key: tuple[Any, ...]) -> bytes | None:
        """The entry of a key, which is used now; None where there is none, or a link or a pipe is in its place."""
        folder = self._folder()
        data = used(self._path(folder, key)) if folder and is_ours(folder) else None
        if data is None:
            return None
        body = data[SEAL_BYTES:]
        if sealed(body) == data:
            return body
        self.remove(key)
        return None

    def write(self, key: tuple[Any, ...], body: bytes) -> bool:
        """Whether the entry was written."""
        folder = self._folder()
        if folder is None or len(body) > MAX_ENTRY_BYTES:
            return False
        with contextlib.suppress(OSError):
            os.makedirs(folder, mode=0o700, exist_ok=True)
            if is_ours(folder):
                put(self._path(folder, key), sealed(body))
                return True
        return False

    def remove(self, key: tuple[Any, ...]) -> None:
        folder = self._folder()
        if folder:
            remove(self._path(folder, key))

    def trim(self) -> None:
        """Remove the entries that were used least recently, until the others fit."""
        folder = self._folder()
        if folder and is_ours(folder):
            trim(folder, self._max_bytes)

    def _path(self, folder: str, key: tuple[Any, ...]) -> str:
        digest = hashlib.sha256(repr((__version__, _code(), key)).encode("utf-8", "surrogatepass")).hexdigest()
        return os.path.join(folder, digest + self._ending)


def sealed(body: bytes) -> bytes:
    """The body behind its checksum."""
    return b"%s\n%s" % (hashlib.blake2b(body, digest_size=16).hexdigest().encode(), body)


class Disk:
    """Answers, and what else JSON can hold. `folder` defaults to the user's."""

    def __init__(self, folder: Callable[[], str | None] = user_folder, max_bytes: int = MAX_BYTES) -> None:
        self._entries = Entries(folder, ".json", max_bytes)
        self._max_bytes = self._grown = max_bytes

    def load(self, key: tuple[Any, ...], tool: Tool) -> Answer | None:
        """The answer that was stored under the key, or None. An entry that is not what it should be is removed."""
        return self.read(key, functools.partial(revived, tool))

    def read(self, key: tuple[Any, ...], revive: Callable[[Any], T]) -> T | None:
        """As `load`, of what `write` stored. revive: raises as `revived` does where data is not what it should be."""
        body = self._entries.read(key)
        if body is None:
            return None
        try:
            return revive(json.loads(body))
        except (AssertionError, AttributeError, KeyError, RecursionError, TypeError, ValueError):
            self._entries.remove(key)
            return None

    def store(self, key: tuple[Any, ...], answer: Answer) -> None:
        self.write(key, answer.to_dict())

    def write(self, key: tuple[Any, ...], data: Any) -> None:
        """Store what JSON can say under the key."""
        body = to_json(data).encode()
        if not self._entries.write(key, body):
            return
        self._grown += SEAL_BYTES + len(body)
        if self._grown > self._max_bytes // TRIMMED:
            self._grown = 0
            self._entries.trim()


def used(path: str) -> bytes | None:
    """The bytes of an entry, which is used now; None where there is none, or a link or a pipe is in its place."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_LINK)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            body = file.read(SEAL_BYTES + MAX_ENTRY_BYTES + 1)
        os.utime(path)
    except OSError:
        return None
    return body


def trim(folder: str, most: int) -> None:
    """Remove the entries that were used least recently, until the others have no more than so many bytes."""
    entries = []
    for found in os.scandir(folder):
        with contextlib.suppress(OSError):
            now = found.stat(follow_symlinks=False)
            entries.append((now.st_mtime_ns, now.st_size, found.path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= most:
            return
        remove(path)
        total -= size


def is_ours(folder: str) -> bool:
    """Whether only this user can have put anything there: another could plant answers, or a pipe to wait at."""
    try:
        now = os.lstat(folder)
    except OSError:
        return False
    if not hasattr(os, "geteuid"):
        return stat.S_ISDIR(now.st_mode)
    return stat.S_ISDIR(now.st_mode) and now.st_uid == os.geteuid() and not now.st_mode & 0o022


def put(path: str, body: bytes) -> None:
    """Write an entry, for this user alone, which appears when it is complete. Raises OSError."""
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), suffix=".tmp")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
        os.replace(temporary, path)
    except OSError:
        remove(temporary)
        raise


def remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.remove(path)


@functools.cache
def _code() -> str:
    return code_digest(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def code_digest(package: str) -> str:
    """A digest of the names, sizes and times of the package's files: after an edit of a tool its new numbers are
    wanted.

    What browsers get and what Python compiles by itself are left out: no answer depends on them. A tree of 600 files
    takes 5 ms.
    """
    seen: list[tuple[str, int, int]] = []
    for folder, folders, names in os.walk(package):
        folders[:] = [name for name in folders if name not in ("__pycache__", "static")]
        for path in (os.path.join(folder, name) for name in names):
            with contextlib.suppress(OSError):
                now = os.stat(path)
                seen.append((os.path.relpath(path, package), now.st_size, now.st_mtime_ns))
    return hashlib.sha256(repr(sorted(seen)).encode("utf-8", "surrogatepass")).hexdigest()


def revived(tool: Tool, data: Any) -> Answer:
    """`Answer.to_dict()`, back from JSON. Raises what reading wrong data raises, and AssertionError."""
    quality = data["quality"]
    assert (data["schema"], data["tool"]) == (Answer.SCHEMA, tool.name), "another tool's, or another schema"
    result = Result(
        summary=data["summary"],
        tables={name: table["columns"] for name, table in data["tables"].items()},
        unknown=data["unknown"],
        findings=tuple(Finding.from_dict(finding) for finding in data["findings"]),
        titles=data["titles"],
    )
    files = tuple(FileUse(**each) for each in quality["files"])
    answer = Answer(tool, data["run"], tuple(data["hosts"]), result, quality_from(quality), quality["decoder"], files)
    answer.check()
    return answer
