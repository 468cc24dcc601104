"""What the trace marks for a number of another page adds up to that number, in every sample and capture."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.xplane.slow import message_types
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tables import Scalar, intervals
from tensorboard_perfplugin.tables.columns import row_text, word
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.split.split import exposed, split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, Timeline
from tensorboard_perfplugin.tools import TOOLS, TableSpec, find_tool
from tensorboard_perfplugin.tools.declaration import Result
from tensorboard_perfplugin.trace.lanes import Window
from tensorboard_perfplugin.trace.proof import PROVERS, STEP_TABLES, merged_marks
from tests.build_capture import Space
from tests.conftest import SHARED_CAPTURES
from tests.timeline.timelines import timeline

PS = {"ps": 1, "ns": 1e3, "us": 1e6, "ms": 1e9}
SAMPLES = Path(__file__).parents[1] / "samples"
SESSIONS = sorted({path.parent for root in (SAMPLES, SHARED_CAPTURES / "xplane") for path in root.rglob("*.xplane.pb")})
#: Characters of a name that are compared: long ones are cut in their middle.
HEAD = 50
#: Rows of a table that are looked at: the first, some of the middle, the last.
ROWS = 3
#: Columns of a row, those with the largest numbers: a step has 22.
COLUMNS = 3


def timelines(session: Path) -> list[Timeline]:
    paths = sorted(session.glob("*.xplane.pb"))
    return [Timeline(decode.read(str(path)), path.name.removesuffix(".xplane.pb")) for path in paths]


def result(hosts: list[Timeline], name: str, given: Mapping[str, str]) -> Result:
    tool = find_tool(name)
    options = tool.parse(given)
    some = [host for host in hosts if tool.nothing(host) is None]
    return tool.combine([tool.per_host(host, options) for host in some], options)


def rows(count: int) -> list[int]:
    return sorted({i * (count - 1) // (ROWS - 1) for i in range(ROWS)}) if count > 1 else list(range(count))


def cells(found: Result, tool: str, spec: TableSpec) -> Iterator[tuple[str, str, float]]:
    """Row texts, columns and numbers of some cells that can be proved."""
    columns = {name: list(cells) for name, cells in found.tables.get(spec.name, {}).items()}
    for row in rows(len(next(iter(columns.values()), []))):
        key: dict[str, Scalar] = {k: _plain(columns[k][row]) for k in spec.key if k in columns}
        known = {column: float(columns[column][row]) for column in spec.proved if columns[column][row] is not None}
        largest = sorted(known, key=lambda column: -known[column])[:COLUMNS]
        yield from ((row_text(f"{tool}.{spec.name}.{column}", **key), column, known[column]) for column in largest)


def _plain(value: Any) -> Scalar:
    plain: Scalar = value.item() if hasattr(value, "item") else value
    return plain


def proved(found: Result, column: str, unit: str) -> float:
    """What the marks add up to, as the column has it."""
    count, ps = found.summary["hit_count"], found.summary["hit_ps"]
    assert isinstance(count, int)
    assert isinstance(ps, int | float)
    if unit == "count":
        return count
    return ps / PS[unit] / (count if column == "mean_us" else 1)


def test_what_is_declared_is_what_can_be_proved() -> None:
    declared = {f"{tool.name}.{spec.name}" for tool in TOOLS for spec in tool.tables if spec.proved}
    assert declared == {*PROVERS, *STEP_TABLES}
    for tool in TOOLS:
        for spec in tool.tables:
            names = {column.name for column in spec.columns}
            assert set(spec.proved) <= names
            assert set(spec.key) <= names | {option.name for option in tool.options}


def finding_marks(hosts: list[Timeline], found: Result) -> Iterator[tuple[str, Scalar]]:
    """Of each finding that leads to a row: what it leads to."""
    for finding in found.findings:
        if finding.match == "row":
            shown = result(hosts, "trace_viewer", {"search": finding.search, "match": "row"})
            yield finding.title, shown.summary["hit_count"]


def by_cost(session: Path) -> Any:
    """Ten seconds for the largest."""
    marks = [pytest.mark.slow] if "tfprofiler-demo-gpu-multi-worker" in session.parts else []
    return pytest.param(session, marks=marks, id="-".join(session.parts[4:]))


@pytest.mark.parametrize("session", [by_cost(session) for session in SESSIONS])
def test_marks_add_up_to_their_number(session: Path) -> None:
    hosts = timelines(session)
    wrong: list[tuple[Scalar, ...]] = []
    for tool in TOOLS:
        if all(tool.nothing(host) for host in hosts):
            continue
        shown = result(hosts, tool.name, {})
        wrong += [told for told in finding_marks(hosts, shown) if not told[1]]
        specs = [spec for spec in tool.tables if spec.proved]
        for spec in specs:
            units = {column.name: column.unit for column in spec.columns}
            for text, column, number in cells(shown, tool.name, spec):
                found = result(hosts, "trace_viewer", {"search": text, "match": "row"})
                marked = proved(found, column, units[column])
                if not math.isclose(marked, number, rel_tol=1e-9, abs_tol=1e-9):
                    wrong.append((text, number, marked, found.summary["hit_text"]))
    assert wrong == []


def raw_events(path: Path) -> Counter[tuple[int, int, str]]:
    """Begin in ps since the epoch, length, and head of the name of each event, by a plain walk over the messages."""
    space: Any = message_types()["XSpace"].FromString(path.read_bytes())
    found: Counter[tuple[int, int, str]] = Counter()
    for plane in space.planes:
        about = {entry.key: entry.value for entry in plane.event_metadata}
        for line in plane.lines:
            for event in line.events:
                if not event.num_occurrences:
                    kind = about.get(event.metadata_id)
                    name = (kind.display_name or kind.name).decode(errors="replace") if kind else ""
                    found[1000 * line.timestamp_ns + event.offset_ps, event.duration_ps, name[:HEAD]] += 1
    return found


@pytest.mark.parametrize(
    ("where", "tool", "columns"),
    [
        (
            "jax-rocm-mi300-tracelens",
            "kernel_stats",
            {"kernels": "total_us", "names": "total_us", "copies": "total_us"},
        ),
        ("keras_compute_bound", "op_stats", {"ops": "total_us", "scopes": "total_us"}),
        ("keras_input_bound", "input_pipeline", {"ops": "total_ms"}),
        ("custom_loop", "op_stats", {"ops": "total_us"}),
    ],
)
def test_marked_events_are_those_of_the_file(
    shared_captures: Path, where: str, tool: str, columns: Mapping[str, str]
) -> None:
    """What the messages say of the events that are listed adds up to the number."""
    session = next(path for path in SESSIONS if where in path.parts)
    raw = raw_events(next(session.glob("*.xplane.pb")))
    hosts = timelines(session)
    shown, counted = result(hosts, tool, {}), 0
    for spec in find_tool(tool).tables:
        unit = next((PS[c.unit] for c in spec.columns if c.name == columns.get(spec.name)), 0)
        for text, column, number in cells(shown, tool, spec) if unit else ():
            found = result(hosts, "trace_viewer", {"search": text, "match": "row"})
            hits = found.tables["hits"]
            if column != columns[spec.name] or len(hits["row"]) != found.summary["hit_count"] or not number:
                continue
            first = min(begin for begin, _, _ in raw) - int(found.summary["span_start_ps"] or 0)
            marked = Counter(
                (begin + first, length, str(name)[:HEAD])
                for begin, length, name in zip(hits["start_ps"], hits["duration_ps"], hits["name"], strict=True)
            )
            assert marked <= raw, text
            assert math.isclose(sum(length * n for (_, length, _), n in marked.items()) / unit, number, rel_tol=1e-9)
            counted += 1
    assert counted > 1


def test_what_is_outlined() -> None:
    """Two kernels that a pixel cannot tell apart are one mark; what the tracks show is marked there."""
    space = Space()
    cpu = space.plane("/host:CPU").line(1, "python")
    cpu.event("train", 0, 1000, stats={"step_num": 1, "_r": 1}).event(
        "train", 1000, 1000, stats={"step_num": 2, "_r": 1}
    )
    cpu.event("IteratorGetNext:IteratorGetNext", 1000, 400)
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for start in (0, 102, 800, 1500):
        line.event("gemm", start, 100)
    hosts = [timeline(space, "h")]

    def marks(search: str, **window: str) -> list[tuple[Scalar, ...]]:
        found = result(hosts, "trace_viewer", {"search": search, "match": "row", **window}).tables["marks"]
        return list(zip(*(found[name] for name in ("tracks", "start_ps", "end_ps", "count")), strict=True))

    name = "kernel_stats.names.total_us?short_name=gemm"
    assert marks(name, width="8") == [("1", 0, 202, 2), ("1", 800, 900, 1), ("1", 1500, 1600, 1)]
    assert marks(name, start_ps="0", end_ps="300", width="300")[:2] == [("1", 0, 100, 1), ("1", 102, 202, 1)]
    assert marks("overview.steps.duration_ms?step=2&start_ms=0.000001") == [("0", 1000, 2000, 1)]
    assert marks("overview.steps.input_wait_ms?step=2&start_ms=0.000001") == [("0", 1000, 1400, 1)]
    assert marks("overview.devices.idle_ms?host=h&device=%2Fdevice%3AGPU%3A0", width="8") == [
        ("1", 100, 102, 1),
        ("1", 202, 800, 1),
        ("1", 900, 1500, 1),
        ("1", 1600, 2000, 1),
    ]


def shown_of(text: str) -> Result:
    space = Space()
    space.plane("/host:CPU").line(1, "python").event("f", 0, 10)
    return result([timeline(space, "h")], "trace_viewer", {"search": text, "match": "row"})


@pytest.mark.parametrize("text", ["gemm", "a.b.c", "kernel_stats.kernels", "x" * 9000])
def test_a_text_that_names_no_cell(text: str) -> None:
    with pytest.raises(ArgumentError, match="search="):
        shown_of(text)


@pytest.mark.parametrize(
    "text", ["op_stats.ops.self_us", "op_stats.ops.self_us?%=%zz&&=&name", "overview.split.step_ms?a=b"]
)
def test_a_row_that_is_not_there(text: str) -> None:
    found = shown_of(text)
    assert found.summary["hit_count"] == 0
    assert str(found.summary["hit_text"]).startswith("No ")


def test_long_values_are_told_by_a_digest() -> None:
    """The page makes the same of it; FNV-1a of 32 bits over UTF-16."""
    assert word("a" * 100) == "a" * 100
    assert word("a" * 101) == "a" * 100 + "…8868c4a8"
    assert word("a" * 99 + "😀b").startswith("a" * 99 + "…")
    assert [word(value) for value in (7, 7.0, 0.5, True, "é", "\ud800")] == ["7", "7", "0.5", "true", "é", "\ud800"]


@pytest.mark.parametrize("sample", ["gpu_streams", "keras_fit", "two_hosts"])
def test_every_instant_of_a_category_is_shown_on_some_track(sample: str) -> None:
    for path in sorted((SAMPLES / sample).rglob("*.xplane.pb")):
        found = Timeline(decode.read(str(path)), "h")
        for category, split_ps in enumerate(split_of(found).exposed_ps.sum(axis=1).sum(axis=0).tolist()):
            for one in exposed(found, steps_of(found), (category,)) if split_ps else ():
                whens = [when for _, when in one.where]
                shown = intervals.union(*map(np.concatenate, zip(*whens, strict=True))) if whens else one.when
                assert [edge.tolist() for edge in shown] == [edge.tolist() for edge in one.when], CATEGORIES[category]
                assert all(len(tracks) for tracks, _ in one.where)


@pytest.mark.parametrize(("marks", "merged"), [(4000, 4000), (4001, 2001)])
def test_4000_marks_are_outlined(marks: int, merged: int) -> None:
    begin = np.arange(marks) * 16
    found = merged_marks(np.zeros(marks, np.int64), begin, begin + 1, Window(0, 16 * marks), 16 * marks)
    assert len(found.start_ps) <= merged
    assert (len(found.start_ps) == marks) is (marks == merged)
