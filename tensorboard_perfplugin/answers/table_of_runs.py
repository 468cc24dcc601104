"""Runs → a row each: step time, what to do first, and the change against the run before and against one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    """Of a text with words of its own the text."""
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
