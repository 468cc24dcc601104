"""A path → a `Profile`: its hosts, captures, events as columns, and every tool's answer, for Python."""

from __future__ import annotations

import builtins
import copy
import functools
import html
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from msgspec.structs import replace

from . import tools
from .answers.choice import newest
from .answers.disk import Disk
from .answers.library import Library, Side, chosen
from .answers.many import Hosts, hosts_of
from .answers.ranges import NAMES, range_of, ranges_of_sides
from .errors import ArgumentError, NotFoundError, suggestion
from .logdir import CaptureFile, Run, merged, missing_workers, own_name, runs_at
from .tables import Capture, Quality
from .tools import Answer, QualityInWords, Scalar, find_tool

if TYPE_CHECKING:
    from .answers.export import Export, ProgramFile
    from .answers.partials.gather import Progress
    from .relations import EventColumns, Relation, Relations
    from .web import Cell, Report

#: A path or URL, or the bytes of a capture file.
Opened: TypeAlias = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]
#: A path, or a run that was opened, of it only the hosts that were.
One: TypeAlias = Union[str, "os.PathLike[str]", "Profile"]
#: One or several.
Paths: TypeAlias = One | Sequence[One]
#: Captures of a folder that are compared, the newest.
MAX_REPEATS = 64


def open(
    path: Opened | Sequence[Opened],
    run: str | None = None,
    host: str | Sequence[str] | None = None,
    *,
    tool: str | None = None,
    merge: bool = False,
    executor: Any = None,
    progress: Callable[[Progress], None] | None = None,
    keeps: object = None,
) -> Profile:
    """Open a capture file, a session folder, a run or a logdir; bytes of a file; or several of these as one run.

    path: also a URL of an object store (the extra `[remote]`); of several each is of hosts of its own. run: a name of
    `Profile.runs`; default the newest whose files are of a kind that a tool is about, or most tools without one.
    host: one name or several, default all; `rank0*`: all whose names match, as a shell's patterns do; of a host with
    several files also the name of one, `rank0 (memory)`, which then goes first. merge: the run and all others at the
    path that are of other hosts, as one; those that began within seconds of one another are one anyway. executor: what
    reads the hosts: a `distributed.Client` or its scheduler's address (the extra `[cluster]`), or `"processes"`; by
    default processes of this machine for many hosts, else this process. progress: receives how far many hosts are.
    keeps: stays as long as the profile does, as the owner of its files. Nothing is decoded yet. Raises NotFoundError
    when there is no such path, run, host or tool.
    """
    kept = [keeps]
    several = [path] if isinstance(path, (str, bytes, bytearray, memoryview, os.PathLike)) else list(path)
    found = [runs_at(_place(place, kept)) for place in several]
    runs = tuple(run for each in found for run in each)
    merge = merge or len(several) > 1
    hosts = [host] if isinstance(host, str) else host
    picked = newest(runs, find_tool(tool) if tool else None) if run is None else _named(runs, run)
    picked = merged(runs, picked) if merge else picked
    if len(several) > 1:
        _check_all(found, picked)
    files = chosen(picked, hosts, patterns=True)
    profile = Profile(picked, files, tuple(each.name for each in runs), hosts_of(executor, progress))
    profile._kept = kept
    return profile


def _check_all(found: Sequence[Sequence[Run]], whole: Run) -> None:
    """Raises ArgumentError where of one of several places no run is part of the one that was made of them."""
    there = {file.path for file in whole.every_file}
    for runs in found:
        if not any(file.path in there for run in runs for file in run.files):
            raise ArgumentError(
                f"{runs[0].files[0].path} is of a host that another one is of, or holds something else: what is given "
                "together is one run of different hosts; open or compare the others apart"
            )


class _Folder:
    """A folder of its own, which goes with this object, or with the process."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="perfplugin-")
        weakref.finalize(self, shutil.rmtree, self.name, True)


def _place(given: Opened, kept: list[object]) -> str:
    """A path as it is; of bytes that of a file of them, which is there as long as what is kept. Raises
    UnreadableError."""
    if not isinstance(given, (bytes, bytearray, memoryview)):
        return os.fspath(given)
    from .decode import format_of

    data = bytes(given)
    suffix = format_of(data).declaration.suffixes[0]
    folder = _Folder()
    kept.append(folder)
    path = os.path.join(folder.name, f"bytes{len(kept)}{suffix}")
    with builtins.open(path, "wb") as file:
        file.write(data)
    return path


def compare(base: Paths, new: Paths, **options: Scalar) -> Answer:
    """What changed from `base` to `new`: each a capture file, a session folder, a run, or several of one program.

    All runs of a folder are repeats of one program; a run of many, or some of its hosts, is given as `open` returns
    it. One of several that cannot be read is left out and named in `quality.warnings`. steps, time: what is compared,
    as of a tool; base_steps, base_time: of `base`, where that is something else. Raises NotFoundError, ArgumentError,
    UnreadableError.
    """
    given = {key: _text(value) for key, value in options.items() if value is not None}
    ranges = ranges_of_sides({key: given.pop(key, "") for side in ("", "base_") for key in (side + n for n in NAMES)})
    before, after = (
        [side.within(of) for path in _several(paths) for side in _captures(path)]
        for paths, of in zip((base, new), ranges, strict=True)
    )
    name = f"{before[0].name} → {after[0].name}"
    return Library(disk=Disk()).compared(find_tool("compare"), before, after, given, name)


def runs(path: str | os.PathLike[str], baseline: str = "", grep: str = "") -> dict[str, list[Scalar]]:
    """The runs at a path, newest first, a row each, as columns: step time, change, first finding, memory, device.

    baseline: the name of a run that all are compared with. grep: only runs whose name or findings hold the text.
    Raises NotFoundError.
    """
    from .answers.table_of_runs import runs_table

    return runs_table(Disk(), runs_at(os.fspath(path)), baseline, grep)


def _several(given: Paths) -> list[One]:
    return [given] if isinstance(given, (str, os.PathLike, Profile)) else list(given)


def _captures(given: One) -> list[Side]:
    """Each run at a path; several are distinguished by their names."""
    if isinstance(given, Profile):
        return [given.side]
    path = os.fspath(given)
    runs = runs_at(path)[:MAX_REPEATS]
    place = path.rstrip("/") or path
    return [
        Side(place if len(runs) == 1 else f"{place}: {run.name}", chosen(run, None), missing_workers(run))
        for run in runs
    ]


def _named(runs: Sequence[Run], name: str) -> Run:
    for run in runs:
        if run.is_called(name):
            return run
    more = f" and {len(runs) - 8} more" if len(runs) > 8 else ""
    listed = f"{', '.join(run.name for run in runs[:8])}{more}"
    alike = suggestion(name, (each for run in runs for each in (run.name, *run.sessions)))
    raise NotFoundError(f"no run {name[:200]!r}: the runs are {listed}{alike}")


class _Rows:
    """A relation as a property of a profile."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.__doc__ = f"The table `{name}` of `perfplugin sql --schema`, over the hosts opened."

    def __get__(self, profile: Profile | None, owner: type[Profile]) -> Any:
        return self if profile is None else profile.table(self._name)


class Profile:
    """One run: `profile.op_stats()`, `profile.ops.to_pandas()`, `profile.captures["host"]`.

    run: its name. runs: the names of all runs that were found at the path, newest first. hosts: the hosts opened.
    files: the paths of the run's captures, of all its hosts.
    """

    def __init__(
        self, run: Run, files: tuple[CaptureFile, ...], runs: tuple[str, ...], how: Hosts | None = None
    ) -> None:
        self.run = run.name
        self.runs = runs
        self.hosts = tuple(file.host for file in files)
        self.files = tuple(file.path for file in run.every_file)
        self._chosen = tuple(own_name(file) if file.is_chosen else file.host for file in files)
        self._how = how
        self._some = () if files == run.files else self._chosen
        self._run = run
        self._range: dict[str, str] = {}
        #: What owns the files.
        self._kept: list[object] = []
        self._library = Library(disk=Disk(), hosts=how)
        self.captures: Mapping[str, Capture] = _Captures({file.host: file for file in files}, self._library)

    def __repr__(self) -> str:
        of = "".join(f", {name} {text}" for name, text in self._range.items())
        return f"<Profile {self.run}{of}: {', '.join(self.hosts)}>"

    def _repr_html_(self) -> str:
        """The first finding of the overview, and where a step's time goes."""
        first = next((finding.title for finding in self.tool("overview").result.findings), "No finding.")
        return f"<p><b>{html.escape(first)}</b></p>{self.table('overview.split')._repr_html_()}"

    @property
    def _relations(self) -> Relations:
        return relations_of([self], with_run=False)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(tool.name for tool in tools.TOOLS), *tools.ASKED]

    def __getattr__(self, name: str) -> Callable[..., Answer]:
        """A tool by its name or alias, as a method. Raises AttributeError that lists the tools."""
        try:
            tool = find_tool(name)
        except NotFoundError as error:
            raise AttributeError(str(error)) from None
        return functools.partial(self.tool, tool.name)

    def tool(self, name: str, /, **options: Scalar) -> Answer:
        """The answer of a tool: summary, tables, findings and quality, over the hosts opened.

        `perfplugin columns NAME` lists its columns with their units, `perfplugin NAME --help` its options; with
        `steps="3-7"` (`typical`, `slow`) or `time="1.2s-1.4s"` it is of that part of the run alone. A host that
        cannot be read is left out and named in `quality.warnings`. Raises NotFoundError (no such tool),
        ArgumentError (an option's value), UnreadableError (no host can be read).
        """
        return self._library.answer(find_tool(name), self._run, self._chosen, self._given(options))

    def _given(self, options: Mapping[str, Scalar]) -> dict[str, str]:
        given = {key: _text(value) for key, value in options.items() if value is not None}
        return given if any(given.get(name) for name in NAMES) else {**self._range, **given}

    def export(self, **options: Scalar) -> Export:
        """The hosts' timelines as Chrome trace-event JSON, which Perfetto opens, or in another format.

        `write` makes a file of it. start_ps, end_ps: the window, default the whole, or that of a range (`steps`,
        `time`). tracks: rows of tracks, `0-9,12`. format: `json` (default), `pftrace`, `speedscope`, `pprof` or
        `collapsed`. Raises ArgumentError, NotFoundError (no event there), UnreadableError.
        """
        from .answers.export import export

        return export(self._library, self._run, self._chosen, self._given(options))

    def program(self, **options: Scalar) -> ProgramFile:
        """One XLA program: `chunks` gives its bytes, `write` writes a file.

        program: as in `graph_viewer`, default the one that took most time. format: `text` (default), `dot`, `pb`.
        Raises ArgumentError, NotFoundError (no program there), UnreadableError.
        """
        from .answers.export import program_file

        given = {key: _text(value) for key, value in options.items() if value is not None}
        return program_file(self._library, self._run, self._chosen, given)

    @property
    def side(self) -> Side:
        """As one capture of a comparison."""
        return Side(self.run, chosen(self._run, self._chosen), missing_workers(self._run))

    def report(self, base: One | None = None, **options: Scalar) -> Report:
        """The pages of the run in one HTML file, which needs no server: `write` writes it.

        base: a run that it is compared with. steps, time: of what of the run. Raises ArgumentError, NotFoundError,
        UnreadableError.
        """
        return self._reported(base, options)

    def _reported(self, base: One | None, options: Mapping[str, Scalar], pages: Sequence[str] = ()) -> Report:
        from .web import Subject, reported

        other = base if base is None or isinstance(base, Profile) else open(base)
        runs, name = [self._run], ""
        if other:
            name = other.run if other.run != self.run else f"{other.run} (base)"
            runs.append(replace(other._run, name=name))
        # Where all pages are asked, each of many hosts is read once for them.
        every = Library(disk=Disk(), hosts=self._how and replace(self._how, ahead=True))
        library = self._library if pages else every
        return reported(tuple(runs), Subject(self.run, self._some, self._given(options), name, pages), library)

    def show(self, page: str = "overview", height: int = 700) -> Cell:
        """A page in a cell of a notebook, without a server; height in pixels. Raises as `report`."""
        from .web import Cell

        return Cell(self._reported(None, {}, (find_tool(page).name,)).text, height)

    def missing(self) -> dict[str, str | None]:
        """For each tool why the hosts opened hold nothing for it, or None."""
        return self._library.missing(self._run, self._chosen)

    @property
    def quality(self) -> QualityInWords:
        """What became of all events of the files, summed over the hosts; in the warnings also missing hosts.

        Raises UnreadableError.
        """
        missing = Quality(warnings=missing_workers(self._run))
        return QualityInWords.of(sum((capture.quality for capture in self.captures.values()), missing))

    @functools.cached_property
    def events(self) -> EventColumns:
        """All events of the hosts opened, one row each, host after host. Raises UnreadableError."""
        from .relations import EventColumns

        events = self._relations.named("events", EventColumns)
        # What cannot be read says so here.
        len(events)
        return events

    ops = _Rows("ops")
    kernels = _Rows("kernels")
    steps = _Rows("steps")
    launches = _Rows("launches")
    flows = _Rows("flows")
    allocations = _Rows("allocations")
    collectives = _Rows("collectives")
    findings = _Rows("findings")
    counters = _Rows("counters")
    programs = _Rows("programs")
    instructions = _Rows("instructions")
    functions = _Rows("functions")
    tracks = _Rows("tracks")
    planes = _Rows("planes")
    stats = _Rows("stats")
    aggregates = _Rows("aggregates")

    def table(self, name: str) -> Relation:
        """Any table of any tool, a row a host's row: `memory_profile.peak`. Raises NotFoundError that lists them."""
        return self._relations[name]

    def sql(self, query: str, *, rows: int = 0, seconds: float = 0.0) -> Relation:
        """What one statement that reads gives, over the tables of `perfplugin sql --schema` (the extra `[sql]`).

        rows, seconds: limits, 0 for none. Raises ArgumentError: the statement is wrong, more than reads, or takes too
        long.
        """
        from .relations import Limits, answered

        return answered(relations_of([self]), query, Limits(rows=rows, seconds=seconds)).rows

    def range(self, steps: str = "", time: str = "") -> Profile:
        """The same hosts, of which only some steps (`3-7`, `typical`, `slow`) or a stretch of time (`1.2s-1.4s`) count.

        Raises ArgumentError.
        """
        given = {name: text for name, text in (("steps", steps), ("time", time)) if text}
        range_of(given)
        part = copy.copy(self)
        part._range = given
        part.__dict__.pop("events", None)
        return part


class _Captures(Mapping[str, Capture]):
    """Host → its capture, decoded when it is asked for."""

    def __init__(self, files: Mapping[str, CaptureFile], library: Library) -> None:
        self._files = files
        self._library = library

    def __getitem__(self, host: str) -> Capture:
        return self._library.timeline(self._files[host]).capture

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def relations_of(profiles: Sequence[Profile], with_run: bool = True) -> Relations:
    """The tables of some runs as one. with_run: whether their first column is the run's name."""
    from .relations import Relations, Source

    sources = [Source(each._run, each._chosen, each._range) for each in profiles]
    return Relations(profiles[0]._library, sources, with_run)


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
