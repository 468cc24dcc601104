"""Runs → a row each: step time, what to do first, and the change against the run before and against one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..errors import NotFoundError, PerfpluginError
from ..logdir import Run
from ..tables import Column, Scalar, TableSpec
from ..tools import Answer, find_tool, largest_peak
from .library import Library

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
        Column.share("device_idle_share", "Part of the window in which devices ran nothing."),
        Column.share("input_wait_share", "Part of a step that waits for input."),
        Column.bytes("memory_peak_bytes", "Largest peak of a device's memory, else of a host's."),
        Column.count("step_count", "Steps in the capture."),
        Column.count("host_count", "Hosts."),
        Column.text("device", "Its devices."),
        Column.text("framework", "Framework and version."),
        Column.integer("captured_ms", "When it was captured, since the epoch."),
        Column.text("first_finding", "What the overview says first; of a run that cannot be read, why."),
    ),
)
#: How many names of findings a search goes through.
_SEARCHED = 50


class Summed(NamedTuple):
    """A run, its row as far as it says itself, and what a search for names looks through."""

    run: Run
    cells: dict[str, Scalar]
    words: str


def runs_table(library: Library, runs: Sequence[Run], baseline: str = "", grep: str = "") -> dict[str, list[Scalar]]:
    """The columns of RUNS. baseline: a run's name; grep: only runs whose name or findings hold the text.

    A change is against the run before it in time, of those in its folder, shown or not. Raises NotFoundError for a
    baseline that is no run.
    """
    summed = [_summed(library, run) for run in runs]
    base = next((each for each in summed if each.run.name == baseline), None)
    if baseline and base is None:
        raise NotFoundError(f"no run {baseline[:200]!r} to compare with: the runs are {_some(runs)}")
    before = _before(summed)
    columns: dict[str, list[Scalar]] = {column.name: [] for column in RUNS.columns}
    for each in summed:
        if grep.lower() not in f"{each.run.name}\n{each.words}".lower():
            continue
        changes = {
            "change_share": _change(before.get(each.run.name), each),
            "baseline_change_share": _change(base, each),
        }
        for name, cells in columns.items():
            cells.append((each.cells | changes).get(name))
    return columns


def _before(summed: Sequence[Summed]) -> dict[str, Summed]:
    """By run the one before it in time, of those in the same folder."""
    last: dict[str, Summed] = {}
    found = {}
    for each in sorted(summed, key=lambda each: each.run.captured_ns):
        folder = each.run.name.rpartition("/")[0]
        if folder in last:
            found[each.run.name] = last[folder]
        last[folder] = each
    return found


def _some(runs: Sequence[Run]) -> str:
    more = f" and {len(runs) - 8} more" if len(runs) > 8 else ""
    return ", ".join(run.name for run in runs[:8]) + more


def _change(base: Summed | None, new: Summed) -> float | None:
    before, after = (each and each.cells.get("step_time_ms") for each in (base, new))
    if not isinstance(before, float) or not isinstance(after, float) or not before:
        return None
    return after / before - 1


def _summed(library: Library, run: Run) -> Summed:
    cells: dict[str, Scalar] = {"run": run.name, "captured_ms": run.captured_ns // 10**6, "host_count": len(run.files)}
    try:
        answer = library.answer(find_tool("overview"), run, None, {})
    except PerfpluginError as error:
        return Summed(run, {**cells, "first_finding": str(error)}, str(error))
    findings = answer.result.findings
    facts = answer.result.summary
    cells |= {name: facts[name] for name in ("step_time_sd_ms", "device_idle_share", "step_count", "host_count")}
    cells |= {
        "step_time_ms": facts["step_time_typical_ms"],
        "first_finding": findings[0].title if findings else "",
        "input_wait_share": _input_wait(answer),
        "memory_peak_bytes": _memory_peak(library, run),
        "device": facts["device_type"],
        "framework": ", ".join(_framework(answer)),
    }
    return Summed(run, cells, "\n".join(f"{each.code} {each.title}" for each in findings[:_SEARCHED]))


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
