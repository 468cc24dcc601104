"""The runs of a logdir → their rows, made one after another in the background, for as long as somebody looks."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..logdir import Run
from ..tables import Scalar
from .disk import Disk
from .table_of_runs import RUNS, Row, add_row, change_cells, failed_row, row_of, runs_before

log = logging.getLogger("tensorboard.perfplugin")

#: Runs that are read together. More take longer each: most of the work is Python's, of which one runs at a time.
AT_A_TIME = 1
#: A page asks every second or sooner; when it was closed, or another tab is shown, nothing more is begun.
LOOKED_S = 5.0
#: While others' questions are answered they come first, for so long at most between two runs.
YIELD_S = 0.5
_YIELD_STEP_S = 0.01
#: Changes that are kept: of 1,000 runs against the one before, and against a few baselines.
_MOST_CHANGES = 20_000


class _Made(NamedTuple):
    """A row, of which run as it was then, and its number among all that were made."""

    run: Run
    row: Row
    number: int


class Seen(NamedTuple):
    """What there is of the rows now.

    serial: to ask for what came after it. columns: of RUNS, of those that came. read: runs that have a row; failed:
    those of them that cannot be read. working: whether more come by themselves.
    """

    serial: int
    columns: dict[str, list[Scalar]]
    runs: int
    read: int
    failed: int
    working: bool


class RunRows:
    """Rows by run, thread-safe. Constructing it does nothing; `look` starts what is needed.

    make: a run's row. busy: whether others wait for answers of theirs.
    """

    def __init__(
        self,
        disk: Disk | None = None,
        make: Callable[[Run, Disk | None], Row] = row_of,
        busy: Callable[[], bool] = lambda: False,
        at_a_time: int = AT_A_TIME,
    ) -> None:
        self._disk, self._make, self._busy, self._at_a_time = disk, make, busy, at_a_time
        self._lock = threading.Lock()
        self._runs: Sequence[Run] = ()
        self._named: Mapping[str, Run] = {}
        self._before: Mapping[str, str] = {}
        self._after: Mapping[str, str] = {}
        self._made: dict[str, _Made] = {}
        #: Serial of what a run's row shows, changes included. It begins with the time, so that whoever asked another
        #: server before gets all.
        self._serials: dict[str, int] = {}
        self._serial = time.time_ns() // 1000
        self._pending: dict[str, Run] = {}
        self._doing: set[str] = set()
        self._first: tuple[str, ...] = ()
        self._baseline = ""
        #: By prefix of the columns, base and new row: see `_pair`.
        self._changes: OrderedDict[tuple[str, int, int], dict[str, Scalar]] = OrderedDict()
        self._changing: dict[str, None] = {}
        self._looked = float("-inf")
        self._workers = 0

    def look(self, runs: Sequence[Run], first: Iterable[str] = (), baseline: str = "", after: int = 0) -> Seen:
        """What came after a serial; and go on, with some runs first. At once.

        runs: newest first. first: names of those that are seen. baseline: a run's name; one that is none is no
        baseline.
        """
        with self._lock:
            self._looked = time.monotonic()
            self._first = tuple(dict.fromkeys((baseline, *first)))
            if runs is not self._runs:
                self._renew(runs)
            if baseline != self._baseline:
                self._baseline = baseline
                self._changing |= dict.fromkeys(self._made)
            while self._workers < min(self._at_a_time, len(self._pending) + bool(self._changing)):
                self._workers += 1
                threading.Thread(target=self._work, name="runs", daemon=True).start()
            return self._seen(baseline, 0 if after > self._serial else after)

    def _seen(self, baseline: str, after: int) -> Seen:
        columns: dict[str, list[Scalar]] = {column.name: [] for column in RUNS.columns}
        for run in self._runs:
            made = self._made.get(run.name)
            if made and self._serials[run.name] > after:
                add_row(
                    columns,
                    made.row,
                    self._known("", self._before.get(run.name, ""), made) | self._known("baseline_", baseline, made),
                )
        failed = sum(bool(made.row.cells["failed"]) for made in self._made.values())
        working = bool(self._pending or self._changing or self._workers)
        return Seen(self._serial, columns, len(self._runs), len(self._made), failed, working)

    def _known(self, prefix: str, base: str, new: _Made) -> dict[str, Scalar]:
        there = self._made.get(base)
        return self._changes.get((prefix, there.number, new.number), {}) if there else {}

    def _renew(self, runs: Sequence[Run]) -> None:
        """Other runs than before: rows of those that are gone are dropped, those that changed are made again."""
        before, named = runs_before(runs), {run.name: run for run in runs}
        self._made = {name: made for name, made in self._made.items() if name in named}
        self._serials = {name: serial for name, serial in self._serials.items() if name in named}
        moved = {name: None for name in self._made if before.get(name) != self._before.get(name)}
        self._runs, self._named = runs, named
        self._before, self._after = before, {old: new for new, old in before.items()}
        self._changing = {name: None for name in self._changing if name in named} | moved
        for name in moved:
            self._tell(name)
        known = {name: made.run for name, made in self._made.items()}
        self._pending = {r.name: r for r in runs if known.get(r.name) != r and r.name not in self._doing}

    def _tell(self, name: str) -> None:
        """A row shows something else."""
        self._serial += 1
        self._serials[name] = self._serial

    def _work(self) -> None:
        while True:
            self._yield()
            with self._lock:
                run, name = self._next()
                if not run and not name:
                    self._workers -= 1
                    return
            names: tuple[str, ...] = (name,)
            if run:
                row = self._row(run)
                with self._lock:
                    names = self._keep(run, row)
            for each in names:
                self._compare(each)

    def _yield(self) -> None:
        until = time.monotonic() + YIELD_S
        while self._busy() and time.monotonic() < until:
            time.sleep(_YIELD_STEP_S)

    def _next(self) -> tuple[Run | None, str]:
        """The run to read now, or the name of the one to compare; neither when nobody looks, or all is done.

        First what is seen, then rows that are there, then the newest run.
        """
        if time.monotonic() - self._looked > LOOKED_S:
            return None, ""
        for name in (*self._first, *itertools.islice(self._changing, 1), *itertools.islice(self._pending, 1)):
            if name in self._pending:
                self._doing.add(name)
                return self._pending.pop(name), ""
            if name in self._changing:
                self._changing.pop(name)
                return None, name
        return None, ""

    def _row(self, run: Run) -> Row:
        try:
            return self._make(run, self._disk)
        except Exception as error:
            log.exception("the row of run %r failed", run.name)
            return failed_row(run, f"{type(error).__name__} while reading it: details are in TensorBoard's log")

    def _keep(self, run: Run, row: Row) -> tuple[str, ...]:
        """Names of the runs to compare now: itself, and the one after it; none where it has gone meanwhile."""
        self._doing.discard(run.name)
        now = self._named.get(run.name)
        if now is None:
            return ()
        if now != run:
            self._pending[run.name] = now
        self._tell(run.name)
        self._made[run.name] = _Made(run, row, self._serial)
        if run.name == self._baseline:
            self._changing |= dict.fromkeys(self._made)
        return run.name, self._after.get(run.name, "")

    def _compare(self, name: str) -> None:
        """A row with the one before it, and with the baseline."""
        for prefix in ("", "baseline_"):
            with self._lock:
                new = self._made.get(name)
                base = self._made.get(self._baseline if prefix else self._before.get(name, ""))
                key = (prefix, base.number, new.number) if base and new else None
            if not base or not new or not key or key in self._changes:
                continue
            try:
                cells = change_cells(prefix, base.row, new.row)
            except Exception:
                log.exception("run %r cannot be compared with %r", name, base.run.name)
                cells = {}
            with self._lock:
                self._changes[key] = cells
                while len(self._changes) > _MOST_CHANGES:
                    self._changes.popitem(last=False)
                if name in self._made:
                    self._tell(name)
