"""Runs → their relations by name: what captures hold, host after host, and the tables of all tools."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from .. import tools
from ..answers.library import Library, chosen
from ..answers.ranges import range_of
from ..errors import ArgumentError, NotFoundError, PerfpluginError
from ..logdir import CaptureFile, Run
from ..tables import LIMIT, Column, TableSpec
from ..timeline.timeline import Timeline, cached
from ..tools import Finding, Tool, find_tool
from .arrow import Cells, Encoded, Texts, coded
from .of_host import OF_HOSTS, OfHost
from .relation import Part, Relation

if TYPE_CHECKING:
    from ..timeline.ranges import Selection

#: Tables of tools that have a name of their own: name → tool and table.
NAMED = {
    "steps": ("overview", "steps"),
    "ops": ("op_stats", "ops"),
    "kernels": ("kernel_stats", "kernels"),
    "collectives": ("pod_viewer", "collectives"),
    "programs": ("hlo_stats", "programs"),
    "instructions": ("hlo_stats", "instructions"),
    "functions": ("python_profile", "functions"),
}
SomeRelation = TypeVar("SomeRelation", bound=Relation)
RUN = Column.text("run", "Name of the run.")
HOST = Column.text("host", "The host.")


class Source(NamedTuple):
    """Some hosts of a run, all where none is named. range: options that choose a part of it, `steps` or `time`."""

    run: Run
    hosts: tuple[str, ...]
    range: Mapping[str, str]


class Shape(NamedTuple):
    """How a relation is declared. columns: with run and host. coded: those whose texts are numbered."""

    help: str
    columns: tuple[Column, ...]
    coded: tuple[str, ...] = ()


def is_own(name: str) -> bool:
    """Whether a relation has a name of its own, and needs none of the tools, or one, to be declared."""
    return name in _OF_HOSTS or name in NAMED or name == "findings"


def names() -> tuple[str, ...]:
    """The relations with names of their own, then all tables of tools as `TOOL.TABLE`."""
    return (*_OF_HOSTS, *NAMED, "findings", *(f"{tool.name}.{spec.name}" for tool in _tabled() for spec in tool.tables))


def _tabled() -> list[Tool]:
    """Those whose tables are of a run, not of a window of it."""
    return [tool for tool in tools.TOOLS if tool.in_range != "window"]


def shape_of(name: str) -> Shape:
    """Raises NotFoundError that lists the names."""
    if name in _OF_HOSTS:
        of_host = _OF_HOSTS[name]
        return Shape(of_host.help, (RUN, HOST, *of_host.columns), ("run", "host", *of_host.coded))
    if name == "findings":
        return Shape("A row is a finding of a tool.", (RUN, HOST, *FINDINGS), ("run", "host"))
    tool, spec = _table_of(name)
    columns = (column for column in spec.columns if column.name not in ("run", "host"))
    return Shape(f"{tool.title}: {spec.help or spec.title}", (RUN, HOST, *columns), ("run", "host"))


def _table_of(name: str) -> tuple[Tool, TableSpec]:
    tool_name, table = NAMED.get(name) or name.partition(".")[::2]
    try:
        tool = find_tool(tool_name)
        return tool, next(spec for spec in tool.tables if spec.name == table)
    except (NotFoundError, StopIteration):
        raise NotFoundError(
            f"no table {name[:80]!r}: the tables are {', '.join((*_OF_HOSTS, *NAMED, 'findings'))}, and TOOL.TABLE of "
            "each tool, as `perfplugin columns` lists them"
        ) from None


class Relations:
    """The relations of some runs by name: `ops`, `memory_profile.peak`. Each is made when its rows are asked for.

    with_run: whether the first column is the run's name. left_out: what of it could not be read so far, by host, and
    why. failed: why nothing could be.
    """

    def __init__(self, library: Library, sources: Sequence[Source], with_run: bool = True) -> None:
        self._library, self._sources, self._with_run = library, tuple(sources), with_run
        self.left_out: dict[str, str] = {}
        self.failed: PerfpluginError | None = None

    def __getitem__(self, name: str) -> Relation:
        """Raises NotFoundError that lists the names."""
        return self.named(name, Relation)

    def named(self, name: str, kind: type[SomeRelation]) -> SomeRelation:
        """The same as a relation of some kind."""
        shape = shape_of(name)
        columns = shape.columns if self._with_run else shape.columns[1:]
        return kind(name, shape.help, columns, lambda: self._parts(name), shape.coded)

    def _parts(self, name: str) -> Iterator[Part]:
        if name == "findings":
            yield from self._of_findings()
            return
        of_host = _OF_HOSTS.get(name)
        error = None
        read = 0
        for source in self._sources:
            for file, look in self._looks(source, of_host) if of_host else self._asks(source, name):
                try:
                    cells = look()
                except ArgumentError:
                    raise
                except PerfpluginError as problem:
                    error = error or problem
                    self.left_out[file.label] = str(problem)
                    continue
                read += 1
                if cells is not None:
                    yield _labelled(cells, source.run.name, file.label)
        if error and not read:
            self.failed = error
            raise error

    def _looks(self, source: Source, of_host: OfHost) -> Iterator[tuple[CaptureFile, Callable[[], Part]]]:
        """What is made of each host's timeline."""
        files = chosen(source.run, source.hosts)
        part = self._library.part(files, range_of(source.range))
        stays = len(files) == 1
        for file in files:
            selection = part.by_host.get(file.label) if part else None
            if part is None or selection is not None:
                look = functools.partial(_cells, of_host, selection)
                yield file, functools.partial(self._library.use, file, look, stays)

    def _asks(self, source: Source, name: str) -> Iterator[tuple[CaptureFile, Callable[[], Part | None]]]:
        """What a tool says of each host."""
        tool, spec = _table_of(name)
        given = {**{option.name: "0" for option in tool.options if option.name == LIMIT.name}, **source.range}

        def ask(file: CaptureFile) -> Part | None:
            answer = self._library.answer(tool, source.run, [file.host], given)
            return answer.result.tables.get(spec.name)

        for file in chosen(source.run, source.hosts):
            yield file, functools.partial(ask, file)

    def _of_findings(self) -> Iterator[Part]:
        for source in self._sources:
            for tool in tools.TOOLS:
                answer = self._library.answer(tool, source.run, source.hosts or None, dict(source.range))
                rows = [_of_finding(tool, finding) for finding in answer.result.findings]
                cells: dict[str, Cells] = {name: [row[name] for row in rows] for name in ("host", *_FINDING_NAMES)}
                yield {
                    **cells,
                    "run": _repeated(source.run.name, len(rows)),
                    "host": coded([row["host"] for row in rows]),
                }


def _cells(of_host: OfHost, selection: Selection | None, timeline: Timeline) -> Part:
    """Of a host's timeline, or of a part of it."""
    if selection is not None:
        from ..timeline.ranges import cut_to

        timeline = cut_to(timeline, selection)
    return of_host.rows(timeline, cached(timeline, _pool))


def _pool(timeline: Timeline) -> Encoded:
    return Encoded(timeline.capture.strings)


def _labelled(cells: Part, run: str, host: str) -> Part:
    """With the columns that all relations have; in place of a tool's own column of hosts, which is of one here."""
    first = next(iter(cells.values()), ())
    rows = len(first.codes) if isinstance(first, Texts) else len(first)
    return {**cells, "run": _repeated(run, rows), "host": _repeated(host, rows)}


def _repeated(text: str, rows: int) -> Texts:
    return Texts(np.zeros(rows, np.int32), Encoded([text]))


FINDINGS = (
    Column.text("tool", "The tool whose page gives it."),
    Column.text("code", "What it is, as in `perfplugin findings`."),
    Column.text("severity", "`warning`, `note`, or `info`."),
    Column.share("share", "Part of the time looked at that it is about; unknown where it is about none."),
    Column.text("title", "The finding."),
    Column.text("detail", "What was seen."),
    Column.text("action", "What to do."),
    Column.count("evidence_count", "Places in the trace that prove it."),
    Column.ps("start_ps", "Begin of the first of them, on the host given; unknown without one."),
    Column.ps("end_ps", "Its end."),
)
_FINDING_NAMES = tuple(column.name for column in FINDINGS)


def _of_finding(tool: Tool, finding: Finding) -> dict[str, Any]:
    place = finding.evidence[0] if finding.evidence else None
    row = {name: getattr(finding, name) for name in ("code", "severity", "share", "title", "detail", "action")}
    where = {"host": place and place.host, "start_ps": place and place.start_ps, "end_ps": place and place.end_ps}
    return {**row, **where, "tool": tool.name, "evidence_count": len(finding.evidence)}


_OF_HOSTS = {each.name: each for each in OF_HOSTS}
