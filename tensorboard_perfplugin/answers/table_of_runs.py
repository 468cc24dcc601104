"""Runs → a row each: step time, what to do first, and the change against the run before and against one of them."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import NotFoundError, PerfpluginError
from ..logdir import Run, missing_workers
from ..tables import Column, Scalar, TableSpec
from ..tools import Answer, find_tool, largest_peak, step_change, typical_steps
from .disk import Disk
from .library import Library

_VERDICT = "`slower`, `faster`, or `noise` where steps differ no more than they vary; `unknown` with one step."
RUNS = TableSpec(
    "runs",
    "Runs",
    "One row a run, newest first. A change is of the typical step.",
    (
        Column.text("run", "Its name."),
        Column.ms("step_time_ms", "Mean typical step."),
        Column.ms("step_time_sd_ms", "Standard deviation of its steps."),
        Column(
            "change_share", "float64", "share", "Change of the step against the run before it in time in its folder."
        ),
        Column("baseline_change_share", "float64", "share", "The same against the baseline, where one is chosen."),
        Column.text("first_finding", "What the overview says first; of a run that cannot be read, why."),
        Column.share("device_busy_share", "Part of the window in which devices ran something."),
        Column.share("input_wait_share", "Part of a step that waits for input."),
        Column.bytes("peak_memory_bytes", "Largest peak of a device's memory, else of a host's."),
        Column.count("step_count", "Steps in the capture."),
        Column.count("host_count", "Hosts."),
        Column.text("device", "Its devices."),
        Column.text("framework", "Framework and version."),
        Column.text("change_verdict", f"What the change against the run before is: {_VERDICT}"),
        Column.text("baseline_verdict", f"What the change against the baseline is: {_VERDICT}"),
        Column.integer("captured_ms", "When it was captured, since the epoch."),
        Column.text("findings", "Codes and titles of the overview's findings, the most important first."),
        Column.flag("failed", "Whether it cannot be read."),
    ),
)
#: Hosts of one run that stay decoded from one tool to the next.
_HELD_BYTES = 256 << 20


class Row(NamedTuple):
    """What a run says itself. cells: of RUNS, without the changes. steps: times of its typical steps in ms."""

    cells: Mapping[str, Scalar]
    steps: Sequence[float] = ()


def row_of(run: Run, disk: Disk | None, library: Callable[[], Library] = lambda: Library(_HELD_BYTES)) -> Row:
    """The row of a run, from the disk where it was stored; else computed, by a library that is forgotten.

    A run that cannot be read has a row that says why; it is not stored.
    """
    try:
        key = (
            "row of a run",
            run.name,
            tuple(file.identity for file in run.every_file),
            missing_workers(run),
            run.beside,
        )
        stored = disk.read(key, _revived) if disk else None
        if stored:
            return stored
        row = _computed(library(), run)
        if disk and not row.cells["failed"]:
            disk.write(key, [row.cells, row.steps])
    except PerfpluginError as error:
        row = failed_row(run, str(error))
    return row


def failed_row(run: Run, why: str) -> Row:
    return Row({**_known(run), "first_finding": why, "failed": True})


def runs_table(disk: Disk | None, runs: Sequence[Run], baseline: str = "", grep: str = "") -> dict[str, list[Scalar]]:
    """The columns of RUNS. baseline: a run's name; grep: only runs whose name or findings hold the text.

    A change is against the run before it in time, of those in its folder, shown or not. Raises NotFoundError for a
    baseline that is no run.
    """
    if baseline and all(run.name != baseline for run in runs):
        raise NotFoundError(f"no run {baseline[:200]!r} to compare with: the runs are {_some(runs)}")
    rows = {run.name: row_of(run, disk) for run in runs}
    before = runs_before(runs)
    columns: dict[str, list[Scalar]] = {column.name: [] for column in RUNS.columns}
    for run in runs:
        row = rows[run.name]
        words = "\n".join(str(row.cells.get(name) or "") for name in ("run", "first_finding", "findings"))
        if grep.lower() not in words.lower():
            continue
        changes = change_cells("", rows.get(before.get(run.name, "")), row)
        add_row(columns, row, {**changes, **change_cells("baseline_", rows.get(baseline), row)})
    return columns


def add_row(columns: Mapping[str, list[Scalar]], row: Row, changes: Mapping[str, Scalar]) -> None:
    for name, cells in columns.items():
        cells.append(changes[name] if name in changes else row.cells.get(name))


def change_cells(prefix: str, base: Row | None, new: Row) -> dict[str, Scalar]:
    """Of a change against one row: the cells whose columns begin with the prefix; empty where there is none."""
    found = base and step_change(base.steps, new.steps)
    if not found:
        return {}
    verdict = f"{prefix or 'change_'}verdict"
    return {f"{prefix}change_share": found.share, verdict: found.verdict}


def runs_before(runs: Sequence[Run]) -> dict[str, str]:
    """By run's name the one before it in time, of those in the same folder."""
    last: dict[str, str] = {}
    found = {}
    for run in sorted(runs, key=lambda run: run.captured_ns):
        folder = run.name.rpartition("/")[0]
        if folder in last:
            found[run.name] = last[folder]
        last[folder] = run.name
    return found


def _some(runs: Sequence[Run]) -> str:
    more = f" and {len(runs) - 8} more" if len(runs) > 8 else ""
    return ", ".join(run.name for run in runs[:8]) + more


def _known(run: Run) -> dict[str, Scalar]:
    """What is known of a run that was not read."""
    return {"run": run.name, "captured_ms": run.captured_ns // 10**6, "host_count": len(run.files), "failed": False}


def _computed(library: Library, run: Run) -> Row:
    answer = library.answer(find_tool("overview"), run, None, {})
    findings = answer.result.findings
    facts = answer.result.summary
    idle = facts["device_idle_share"]
    cells = _known(run) | {
        "step_time_ms": facts["step_time_typical_ms"],
        "step_time_sd_ms": facts["step_time_sd_ms"],
        "step_count": facts["step_count"],
        "host_count": facts["host_count"],
        "device_busy_share": None if idle is None else 1 - float(idle),
        "first_finding": findings[0].title if findings else "",
        "input_wait_share": _input_wait(answer),
        "peak_memory_bytes": _memory_peak(library, run),
        "device": facts["device_type"],
        "framework": ", ".join(_framework(answer)),
        "findings": "\n".join(f"{each.code}: {each.title}" for each in findings),
    }
    return Row({name: _plain(cell) for name, cell in cells.items()}, typical_steps(answer))


def _plain(cell: Any) -> Scalar:
    """A cell as a plain value: a text of a subclass of `str` as `str`."""
    return str(cell) if isinstance(cell, str) else cell


def _input_wait(answer: Answer) -> float | None:
    split = answer.result.tables["split"]
    shares = dict(zip(split["category"], split["share"], strict=True))
    share = shares.get("input_wait")
    return None if share is None else float(share)


def _memory_peak(library: Library, run: Run) -> int | None:
    """None where the capture has no memory events."""
    try:
        systems = library.answer(find_tool("memory_profile"), run, None, {}).result.tables["systems"]
    except PerfpluginError:
        return None
    peaks = dict(zip(zip(systems["kind"], systems["memory"], strict=True), systems["peak_bytes"], strict=True))
    return largest_peak((kind, int(peak)) for (kind, _), peak in peaks.items() if peak)


def _framework(answer: Answer) -> Iterator[str]:
    """What ran, and its version where the capture says that."""
    framework = answer.result.summary["framework"]
    if framework:
        yield str(framework)
    environment = answer.result.tables["environment"]
    for key, value in zip(environment["key"], environment["value"], strict=True):
        if str(key).endswith("_version") and not str(key).startswith("driver"):
            yield f"{str(key).removesuffix('_version')} {value}"


def _revived(data: Any) -> Row:
    """As it was stored. Raises what reading wrong data raises, and AssertionError."""
    cells, steps = data
    wrong = {name for name, cell in cells.items() if not isinstance(cell, (str, int, float, type(None)))}
    assert not wrong, f"no scalar: {wrong}"
    assert {"run", "captured_ms", "failed"} <= set(cells) <= {column.name for column in RUNS.columns}, "other columns"
    assert all(type(step) is float and step >= 0 for step in steps), "no step times"
    return Row(cells, tuple(steps))


# The runs of a logdir → their rows, made one after another in the background, for as long as somebody looks.

log = logging.getLogger("tensorboard.perfplugin")

#: Runs that are read together. More take longer each: most of the work is Python's, of which one runs at a time.
AT_A_TIME = 1
#: A page asks every second or sooner; when it was closed, or another tab is shown, nothing more is begun.
LOOKED_S = 5.0
#: While others' questions are answered they come first, for so long at most between two runs.
YIELD_S = 0.5
_YIELD_STEP_S = 0.01
#: Changes that are kept: of 1,000 runs against the one before, and against a few baselines.
_MAX_CHANGES = 20_000


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
        #: Serial of what a run's row shows, changes included. It begins with the time, so that a client that asked
        #: another server before gets all.
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
        """The run to read now, or the name of the one to compare; neither when no client looks, or all is done.

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
                while len(self._changes) > _MAX_CHANGES:
                    self._changes.popitem(last=False)
                if name in self._made:
                    self._tell(name)
