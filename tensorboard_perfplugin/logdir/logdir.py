"""Takes TensorBoard's flags, gives snapshots of what is there, at once: a thread in the background does the walk."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from ..errors import NotFoundError
from ..stores import absolute, is_url
from .model import CaptureFile, Root, Run, Snapshot, first_few
from .names import shown
from .runs import CYCLE, runs_of
from .walk import MAX_FOLDERS, MAX_NOTES, Visit, Walk

#: A snapshot this old starts a new scan when it is asked for. Large trees are not walked all the time: that age is at
#: least SCAN_REST times what the scan took; and a new capture is seen within 10 s: it is at most MAX_TTL_S.
TTL_S = 2.0
SCAN_REST = 4.0
MAX_TTL_S = 6.0
#: The same where requests to a store cost money: a thousand folders are looked at for some cents a day.
REMOTE_TTL_S = 60.0
#: After so many folders the scan rests for a moment, so that it takes no more than half of a core from other requests.
FOLDERS_PER_REST = 50
REST_S = 0.001
#: Of a scan, for event files that were not read to their end before.
EVENTS_S = 0.5
#: Time to the first interim result; each later one comes after twice the time, so that building them stays cheap.
FIRST_INTERIM_S = 0.1
#: How long a request for a run that is not known yet waits for the scan to find it.
FIND_WAIT_S = 5.0


class _Place(msgspec.Struct):
    """What is known of one root: its capture files by folder."""

    root: Root
    files: dict[str, tuple[CaptureFile, ...]] = msgspec.field(default_factory=dict)


class Logdir:
    """Everything under some roots, kept up to date while someone asks. Constructing it does no I/O."""

    def __init__(self, roots: tuple[Root, ...], follows_links: bool = True) -> None:
        """follows_links: whether links to other folders are followed."""
        self.roots, self._follows_links = roots, follows_links
        self._places = [_Place(root) for root in roots]
        self._changed = threading.Condition()
        self._snapshot = Snapshot(roots=roots)
        self._due_s = 0.0
        self._most_ttl_s = REMOTE_TTL_S if any(is_url(root.path) for root in roots) else MAX_TTL_S

    @classmethod
    def from_flags(cls, logdir: str, logdir_spec: str = "", follows_links: bool = True) -> Logdir:
        """From `--logdir` (one path, commas are part of it) and `--logdir_spec` (`name:path,name:path`)."""
        if logdir:
            return cls((Root("", _absolute(logdir)),), follows_links)
        return cls(tuple(_parse_spec(logdir_spec)), follows_links)

    @classmethod
    def of_runs(cls, runs: tuple[Run, ...]) -> Logdir:
        """One that holds these runs, and is not looked through."""
        made = cls(())
        made._snapshot, made._due_s = Snapshot(runs, scanned=True), math.inf
        return made

    def snapshot(self, wait_s: float = 0.0) -> Snapshot:
        """What is known now, at once; starts a scan when that is older than some seconds.

        With `wait_s` it waits for a running scan to end, for so long at most.
        """
        with self._changed:
            if not self._snapshot.scanning and time.monotonic() >= self._due_s:
                threading.Thread(target=self._scan, name="perfplugin-logdir", daemon=True).start()
                self._snapshot = replace(self._snapshot, scanning=True)
            if wait_s > 0:
                self._changed.wait_for(lambda: not self._snapshot.scanning, wait_s)
            return self._snapshot

    def run(self, name: str) -> Run:
        """The run of that name. Waits for a running scan when it is not known yet, FIND_WAIT_S at most.

        Raises NotFoundError that names the newest runs there are.
        """
        run = _named(self.snapshot(), name)
        if run is None:
            run = self._find(name)
        if run is None:
            raise NotFoundError(self._no_run(name))
        return run

    def _find(self, name: str) -> Run | None:
        with self._changed:
            self._changed.wait_for(lambda: _named(self._snapshot, name) or not self._snapshot.scanning, FIND_WAIT_S)
            return _named(self._snapshot, name)

    def run_at(self, folder: str) -> Run | None:
        """The run of a folder that was just written: scans anew, at once. None where that does not find it."""
        with self._changed:
            # A scan that runs may have passed the place before.
            self._changed.wait_for(lambda: not self._snapshot.scanning, FIND_WAIT_S)
            self._due_s = 0.0
        self.snapshot()
        with self._changed:
            self._changed.wait_for(lambda: _of(self._snapshot, folder) or not self._snapshot.scanning, FIND_WAIT_S)
            return _of(self._snapshot, folder)

    def _no_run(self, name: str) -> str:
        paths = first_few(tuple(shown(root.path) for root in self.roots))
        names = first_few(tuple(run.name for run in self._snapshot.runs))
        return f"no run {name[:200]!r} in {paths}: the runs are {names}"

    def _scan(self) -> None:
        began_s = time.monotonic()
        try:
            self._publish(*self._walk_all())
        finally:
            ended_s = time.monotonic()
            with self._changed:
                self._due_s = ended_s + min(self._most_ttl_s, max(TTL_S, SCAN_REST * (ended_s - began_s)))
                self._snapshot = replace(self._snapshot, scanning=False, scanned=True)
                self._changed.notify_all()

    def _walk_all(self) -> tuple[int, list[str]]:
        began_s, interim_s = time.monotonic(), FIRST_INTERIM_S
        folders, notes = 0, list[str]()
        for place in self._places:
            walk = Walk(place.root.path, MAX_FOLDERS - folders, EVENTS_S, follows_links=self._follows_links)
            for visit in _renew(place, walk):
                folders += visit.listing is not None
                if folders % FOLDERS_PER_REST == 0:
                    time.sleep(REST_S)
                if time.monotonic() - began_s > interim_s:
                    interim_s *= 2
                    self._publish(folders, notes + walk.notes)
            notes += walk.notes
        return folders, notes

    def _publish(self, folders: int, notes: list[str]) -> None:
        runs = runs_of((place.root, place.files) for place in self._places)
        shown_notes = tuple(map(shown, notes[:MAX_NOTES]))
        with self._changed:
            self._snapshot = Snapshot(runs, True, folders, self.roots, self._snapshot.scanned, shown_notes)
            self._changed.notify_all()


def _renew(place: _Place, walk: Walk) -> Iterator[Visit]:
    """Walks a place. What is found replaces what was known; what is not passed again is forgotten at the end."""
    passed: set[str] = set()
    for visit in walk:
        passed.add(visit.path)
        if visit.files:
            place.files[visit.path] = visit.files
        else:
            place.files.pop(visit.path, None)
        yield visit
    place.files = {path: files for path, files in place.files.items() if path in passed or _is_in(path, walk.failed)}


def _is_in(path: str, folders: set[str]) -> bool:
    """Whether a path is one of some folders, or below one."""
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def _named(snapshot: Snapshot, name: str) -> Run | None:
    """The run of a name; the first profile of a worker was called without a number before there was a second."""
    names = (name, name + CYCLE.format(1))
    return next((run for wanted in names for run in snapshot.runs if run.is_called(wanted)), None)


def _of(snapshot: Snapshot, folder: str) -> Run | None:
    """The run whose files lie in a folder."""
    return next((r for r in snapshot.runs if any(os.path.dirname(f.path) == folder for f in r.files)), None)


def _absolute(path: str) -> str:
    """A path that does not move with the working directory. Where that was deleted, the path as it is."""
    try:
        return absolute(path)
    except OSError:
        return path


def _parse_spec(spec: str) -> Iterator[Root]:
    """The roots of `--logdir_spec`, read as TensorBoard does: the colon of a URL, a drive or a path from `/` is none.

    Roots without a name get their folder's where there are several.
    """
    items = [item for item in spec.split(",") if item]
    taken: set[str] = set()
    for item in items:
        name, colon, path = item.partition(":")
        if not colon or is_url(item) or item.startswith("/") or os.path.splitdrive(item)[0]:
            name, path = "", item
        path = _absolute(path)
        wanted = name or (os.path.basename(path) if len(items) > 1 else "")
        label, number = wanted, 1
        while label and label in taken:
            number += 1
            label = f"{wanted} ({number})"
        taken.add(label)
        yield Root(label, path)
