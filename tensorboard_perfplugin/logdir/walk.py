"""Takes a root, gives its folders one by one with the captures in them, nearest first.

Directory links are followed after everything else, and each real folder (device, inode) is visited once a root: cycles
end, and a folder keeps the name without the link. Hidden folders are not entered. Every walk lists every folder, since
mounted buckets and drives do not change a folder's mtime when a file comes.
"""

from __future__ import annotations

import itertools
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

import msgspec

from ..formats import Format
from ..stores import StoreError, entries, is_url, list_ahead, seen
from .event_files import Looked, event_host, look
from .model import CaptureFile
from .names import identify_capture, is_by_bytes, is_temporary, now_of, parse_given, parse_name

#: Levels below a root. Layouts in use have up to about ten.
MAX_DEPTH = 32
#: Folders a scan looks at; 10,000 take 0.3 s on a local disk.
MAX_FOLDERS = 100_000
#: The same in a store, where a folder is a request: some 2 minutes at 8 requests of 50 ms at a time.
MAX_REMOTE_FOLDERS = 20_000
MAX_NOTES = 20
#: Folders of a store that are listed before their turn.
AHEAD = 16
#: How long event files are read, of which there may be many gigabytes; where they are new, 250 MB of scalars a second.
EVENTS_S = 20.0


class Listing(msgspec.Struct, frozen=True):
    """What a folder holds, by name, each sorted."""

    folders: tuple[str, ...]
    links: tuple[str, ...]
    captures: tuple[str, ...]
    event_files: tuple[str, ...] = ()


class Visit(msgspec.Struct, frozen=True):
    """One folder, or file given as root, that was looked at."""

    path: str
    files: tuple[CaptureFile, ...]
    listing: Listing | None


class Walk(msgspec.Struct):
    """A walk over one root. notes: what could not be looked at, or was not because of a limit.

    events_s: for so long it reads event files; the next walk goes on where that ends. unread: of how many that is.
    failed: folders of a store that could not be listed this time, though they may be as they were. follows_links:
    whether links are followed that lead to other folders.
    """

    root: str
    max_folders: int = MAX_FOLDERS
    events_s: float = EVENTS_S
    notes: list[str] = msgspec.field(default_factory=list)
    unread: int = 0
    failed: set[str] = msgspec.field(default_factory=set)
    follows_links: bool = True
    _seen: set[tuple[int, int]] = msgspec.field(default_factory=set)
    _queue: deque[tuple[str, int]] = msgspec.field(default_factory=deque)
    _links: deque[tuple[str, int]] = msgspec.field(default_factory=deque)

    def __iter__(self) -> Iterator[Visit]:
        self._queue.append((self.root, 0))
        while self._queue or self._links:
            path, depth = self._queue.popleft() if self._queue else self._links.popleft()
            most = min(self.max_folders, MAX_REMOTE_FOLDERS) if is_url(path) else self.max_folders
            if len(self._seen) >= most:
                self._note(f"{self.root}: only the first {most:,} folders were scanned")
                return
            visit = self._visit(path)
            if visit:
                self._enter(visit, depth)
                yield visit

    def _visit(self, path: str) -> Visit | None:
        try:
            now = seen(path) if is_url(path) and path != self.root else now_of(path)
            if stat.S_ISREG(now.st_mode) and path == self.root:
                return Visit(path, capture_files([path], parse_given) or self._recorded([path]), None)
            if not stat.S_ISDIR(now.st_mode) or (now.st_dev, now.st_ino) in self._seen:
                return None
            self._seen.add((now.st_dev, now.st_ino))
            listing = list_folder(path)
        except (OSError, ValueError) as error:
            self._failed(path, error)
            return None
        files = capture_files(self._followed(path, listing.captures))
        recorded = self._recorded(self._followed(path, listing.event_files))
        return Visit(path, files + recorded, listing)

    def _followed(self, folder: str, names: Iterable[str]) -> list[str]:
        paths = [os.path.join(folder, name) for name in names]
        return [path for path in paths if self.follows_links or not leads_elsewhere(path)]

    def _recorded(self, paths: list[str]) -> tuple[CaptureFile, ...]:
        """The run metadata in event files, as far as there is time to look at them."""
        files: list[CaptureFile] = []
        for path in paths:
            began_s = time.monotonic()
            try:
                recorded_files, looked = recorded(path, began_s + self.events_s)
            except OSError as error:
                self._failed(path, error)
                continue
            files += recorded_files
            self.unread += not looked.is_done
            # Where there are scalars alone TensorBoard itself reports that they are damaged.
            if recorded_files and looked.problem:
                self._note(f"{path}: {looked.problem}")
            self.events_s -= time.monotonic() - began_s
        return tuple(files)

    def _enter(self, visit: Visit, depth: int) -> None:
        if visit.listing is None:
            return
        if depth >= MAX_DEPTH and (visit.listing.folders or visit.listing.links):
            self._note(f"{visit.path}: folders deeper than {MAX_DEPTH} levels are not scanned")
            return
        self._queue.extend((os.path.join(visit.path, name), depth + 1) for name in visit.listing.folders)
        if is_url(visit.path):
            list_ahead(path for path, _ in itertools.islice(self._queue, AHEAD))
        if not self.follows_links:
            return
        self._links.extend((os.path.join(visit.path, name), depth + 1) for name in visit.listing.links)

    def _failed(self, path: str, error: OSError | ValueError) -> None:
        if isinstance(error, StoreError) and error.passes:
            self.failed.add(path)
        # A folder may vanish between listing and visit, and a link may lead nowhere: no news, unless it is the root.
        if path == self.root or not isinstance(error, FileNotFoundError):
            self._note(f"{path}: {getattr(error, 'strerror', None) or error}")

    def _note(self, text: str) -> None:
        if len(self.notes) < MAX_NOTES:
            self.notes.append(text)


def list_folder(path: str) -> Listing:
    """Raises OSError."""
    if is_url(path):
        return _list_remote(path)
    folders, links, captures, event_files = [], [], [], []
    with os.scandir(path) as entries:
        for entry in entries:
            if parse_name(entry.name):
                captures.append(entry.name)
            elif is_temporary(entry.name):
                continue
            elif event_host(entry.name) and not entry.is_dir():
                event_files.append(entry.name)
            elif entry.is_symlink():
                links.append(entry.name)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
    return Listing(*(tuple(sorted(names)) for names in (folders, links, captures, event_files)))


def _list_remote(url: str) -> Listing:
    """Lists a folder of a store, which has no links. Event files, most of which are scalars, are not opened."""
    found = [entry for entry in entries(url) if not is_temporary(entry.name)]
    captures = tuple(entry.name for entry in found if parse_name(entry.name) and not entry.is_folder)
    return Listing(tuple(entry.name for entry in found if entry.is_folder), (), captures)


def capture_files(
    paths: list[str], parse: Callable[[str], tuple[str, Format] | None] = parse_name
) -> tuple[CaptureFile, ...]:
    """The capture files among paths, recognised by name or first bytes; what is gone or no regular file is left out.

    What a link to another folder leads to is one by its first bytes alone: its name is the link's.
    """
    files = []
    for path in paths:
        try:
            now = now_of(path)
        except OSError:
            continue
        parsed = identify_capture(path, now.st_mtime_ns, now.st_size, parse) if stat.S_ISREG(now.st_mode) else None
        if parsed and leads_elsewhere(path) and not is_by_bytes(path, parsed[1], now.st_mtime_ns, now.st_size):
            continue
        if parsed:
            files.append(CaptureFile(parsed[0], path, parsed[1], now.st_size, now.st_mtime_ns))
    return tuple(files)


def leads_elsewhere(path: str) -> bool:
    """Whether a path is a link to what lies in another folder."""
    if is_url(path) or not os.path.islink(path):
        return False
    return os.path.dirname(os.path.realpath(path)) != os.path.realpath(os.path.dirname(path))


def recorded(path: str, until_s: float) -> tuple[list[CaptureFile], Looked]:
    """The run metadata in an event file, seen until a moment of the monotonic clock, and what is known of the file.

    Raises OSError.
    """
    now = now_of(path)
    host = event_host(os.path.basename(path))
    if host is None or not stat.S_ISREG(now.st_mode):
        return [], Looked(now.st_ino, is_done=True)
    looked = look(path, now, until_s)
    return [
        CaptureFile(
            host,
            path,
            Format.RUN_METADATA,
            each.size_bytes,
            each.written_ns or now.st_mtime_ns,
            tag=each.tag,
            at=each.at,
        )
        for each in looked.records
    ], looked
