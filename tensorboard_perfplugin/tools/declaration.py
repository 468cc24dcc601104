"""What a tool is: a declaration, and two pure functions from timelines to one answer.

No HTTP, no printing, no files. Web, command line, Python and the front end read the declaration; none of
them knows a tool by name.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ..advice.finding import Finding
from ..advice.text.catalogue import QualityInWords, Sentence
from ..errors import ArgumentError
from ..formats import Capabilities
from ..tables import Cells, Column, Option, Options, Quality, Scalar, TableSpec
from ..timeline.timeline import Timeline


@dataclasses.dataclass(frozen=True)
class View:
    """One panel of a tool's page.

    kind: `facts` shows summary scalars as cards; `table` shows a table; `bars` shows one table as labelled bars;
    `lines` shows columns of a table over another one; `stack` shows the rows of a table as bars side by side, stacked;
    `pie` shows the parts of a whole; `tree` shows a table whose rows lie in each other;
    `page` is whatever the front-end file that has the tool's name draws.
    """

    kind: Literal["facts", "table", "bars", "lines", "stack", "pie", "tree", "page"]
    title: str = ""
    table: str = ""
    #: bars: column with the label, and columns whose values are the bar's segments. lines: column of x, in ascending
    #: order, and columns whose values are the lines, of at most two units; of a table with `start_X` and `duration_X`,
    #: x being the first, each row is level for so long, and leads to its place in the trace. stack: column that names
    #: a bar, and columns whose values are its segments, from the bottom up, of one unit; of a table with `start_ms` and
    #: `duration_ms` each bar leads to its place in the trace. pie: column that names a slice, and one pie for each of
    #: the value columns; small slices are one, columns without a value have no pie. tree: column with a row's own name;
    #: the table is in preorder, and its column `parent` is the row number of what a row lies in, -1 for none.
    label: str = ""
    values: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Result:
    """What `combine` gives: declared scalars, declared tables, and what they mean.

    Every None in `summary` has its reason in `unknown`, a `Sentence` where its words depend on the captures'
    framework. titles: what categories of a step are called, by key, where
    captures of this kind have other words for them.
    """

    summary: dict[str, Scalar]
    tables: dict[str, dict[str, Cells]]
    unknown: dict[str, str] = dataclasses.field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    titles: dict[str, str] = dataclasses.field(default_factory=dict)


class BriefTable(NamedTuple):
    """Of a table the columns that a screen shows, and its rows with most of `by`, none of which is 0."""

    table: str
    columns: tuple[str, ...]
    by: str
    rows: int


class Brief(NamedTuple):
    """What one screen shows of an answer beside its findings: figures, and tables as far as there is room."""

    facts: tuple[str, ...]
    tables: tuple[BriefTable, ...]


@dataclasses.dataclass(frozen=True)
class Tool:
    """The declaration of a tool.

    question: what its page answers, as its user would ask. per_host: one host's timeline to a small, picklable partial.
    combine: the partials of all hosts, in the hosts' order, to the result. missing: why a timeline has nothing for this
    tool, or None. ahead: makes what the tool's next questions will need of a timeline, while no request waits. group:
    what pages of one kind are called together, which share a tab; empty: it has its own.
    """

    name: str
    title: str
    question: str
    help: str
    summary: tuple[Column, ...]
    tables: tuple[TableSpec, ...]
    views: tuple[View, ...]
    per_host: Callable[[Timeline, Options], Any]
    combine: Callable[[Sequence[Any], Options], Result]
    options: tuple[Option, ...] = ()
    aliases: tuple[str, ...] = ()
    missing: Callable[[Timeline], str | None] = lambda timeline: None
    ahead: Callable[[Timeline], None] | None = None
    group: str = ""
    #: Of a tool that compares two sides: what `combine` takes of a host of one of them, by its partial, `base` or
    #: `new`, and the name of its capture. Such a tool has nothing to say of one run.
    sided: Callable[[Any, Literal["base", "new"], str], Any] | None = None
    #: What a range of steps or of time is to it: its figures are of that part; a trace shows all that ran in that
    #: window; or it is of whole programs, of which a range has no part.
    in_range: Literal["part", "window", "whole"] = "part"
    #: Whether it has something to say of a memory profile, which describes one moment.
    of_a_moment: bool = False
    #: Whether it has something to say of a profile of Python functions, which has sums alone.
    of_functions: bool = False
    #: Whether it has nothing to say of anything else.
    of_functions_alone: bool = False
    #: Whether it has something to say of a file that holds memory alone.
    of_memory: bool = False
    #: Whether captures of a kind say more of its subject than a trace of the same host.
    prefers: Callable[[Capabilities], bool] = lambda capabilities: False
    #: What a terminal shows where not all is asked for; without it all.
    brief: Brief | None = None

    def answers(self, capabilities: Capabilities) -> bool:
        """Whether it is the page of what such a capture holds, and nothing else."""
        if capabilities.functions_only:
            return self.of_functions
        return self.of_a_moment if capabilities.is_moment else capabilities.is_aside and self.of_memory

    def declines(self, capabilities: Capabilities) -> str | None:
        """Why it has nothing to say of any capture of a kind, or None."""
        if capabilities.is_moment and not self.of_a_moment:
            return "a device memory profile has no timeline"
        if capabilities.functions_only and not self.of_functions:
            return Sentence("of_functions")
        if capabilities.is_aside and not self.of_memory:
            return "a memory snapshot holds memory alone: see the page Memory"
        return Sentence("no_functions") if self.of_functions_alone and not capabilities.functions_only else None

    def nothing(self, timeline: Timeline) -> str | None:
        """Why it has nothing to say of a timeline, or None."""
        return self.declines(timeline.capture.capabilities) or self.missing(timeline)

    def parse(self, given: Mapping[str, str]) -> dict[str, Scalar]:
        """All options' values: given ones parsed, the rest at their defaults. Raises ArgumentError."""
        known = {o.name: o for o in self.options}
        for name in given:
            if name not in known:
                raise ArgumentError.with_choices(f"{self.name} has no option {name[:80]!r}", known)
        return {n: o.parse(given[n]) if n in given else o.default for n, o in known.items()}


#: What may be chosen of a run for any tool.
RANGE = (
    Option(
        "steps",
        "text",
        "all",
        "Only these steps: numbers (`3-7`, `3-7,9`, `12-`), `typical` ones, `slow` ones, or `all`.",
        offers=("all", "typical", "slow"),
    ),
    Option(
        "time",
        "text",
        "",
        "Only what ran in this time, from the start of the capture: `1.2s-1.4s`, or `1200-1400` in ms.",
    ),
)


class FileUse(NamedTuple):
    """One of several files of a host: its name, what it holds in a word, its format, whether the answer is of it, and
    if not, why.

    select: the name under which it goes before the others of its host, where it may hold something for the tool.
    """

    host: str
    file: str
    kind: str
    format: str
    used: bool
    why: str
    select: str


@dataclasses.dataclass(frozen=True)
class Answer:
    """A tool's result for one run, in the one shape that HTTP, command line and Python give.

    files: where hosts have several files, which of them the answer is of.
    """

    tool: Tool
    run: str
    hosts: tuple[str, ...]
    result: Result
    quality: Quality
    #: What decoded the hosts' files: `compiled`, `protobuf`, or both with a comma.
    decoder: str
    files: tuple[FileUse, ...] = ()

    SCHEMA = 1

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; numpy arrays become lists."""
        return {
            "tool": self.tool.name,
            "schema": self.SCHEMA,
            "run": self.run,
            "hosts": list(self.hosts),
            "summary": self.result.summary,
            "unknown": self.result.unknown,
            "tables": {
                name: {"columns": {key: _listed(cells) for key, cells in columns.items()}}
                for name, columns in self.result.tables.items()
            },
            "titles": self.result.titles,
            "findings": [finding.to_dict() for finding in self.result.findings],
            "quality": {
                **QualityInWords.of(self.quality).to_dict(),
                "decoder": self.decoder,
                "files": [each._asdict() for each in self.files],
            },
        }

    def check(self) -> None:
        """Raise AssertionError unless the answer is what its tool declares, and knows why it does not know."""
        self.quality.check()
        summary = self.result.summary
        assert list(summary) == [c.name for c in self.tool.summary], "summary is not as declared"
        nulls = {name for name, value in summary.items() if value is None}
        assert nulls == set(self.result.unknown), f"null without reason, or reason without null: {nulls}"
        assert not [v for v in summary.values() if isinstance(v, float) and not math.isfinite(v)], "not finite"
        shares = [f.share for f in self.result.findings if f.share is not None]
        assert all(0 <= share <= 1 for share in shares), "a finding's share is none"
        specs = {t.name: t for t in self.tool.tables}
        assert set(self.result.tables) <= set(specs), "undeclared table"
        for name, columns in self.result.tables.items():
            assert list(columns) == [c.name for c in specs[name].columns], f"columns of {name} are not as declared"
            lengths = {len(cells) for cells in columns.values()}
            assert len(lengths) == 1, f"columns of {name} differ in length"
            count = summary.get(specs[name].count or f"{name}_rows")
            assert count is None or max(lengths) <= int(count), f"{name} has more rows than there are"
        for view in self.tool.views:
            if view.kind == "tree" and view.table in self.result.tables:
                _check_tree(view.table, self.result.tables[view.table]["parent"])


def _check_tree(name: str, parents: Cells) -> None:
    """A parent is the row number of an earlier row, or -1."""
    rows = np.asarray(parents)
    is_before = (rows >= -1) & (rows < np.arange(len(rows)))
    assert bool(is_before.all()), f"{name}: a parent is no row before"


def _listed(cells: Cells) -> list[Any]:
    return cells.tolist() if isinstance(cells, np.ndarray) else list(cells)
