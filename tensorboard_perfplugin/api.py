"""A path → a `Profile`: its hosts, captures, events as columns, and every tool's answer, for Python."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import msgspec
import numpy as np

from . import tools
from .answers.choice import newest
from .answers.disk import Disk
from .answers.library import Library, Side, chosen
from .answers.many import Hosts, hosts_of
from .answers.ranges import NAMES, ranges_of_sides
from .errors import NotFoundError
from .logdir import CaptureFile, Run, merged, missing_workers, own_name, runs_at
from .tables import I32, I64, Capture, Quality, interned
from .tools import Answer, QualityInWords, Scalar, find_tool

if TYPE_CHECKING:
    import pandas

    from .answers.export import Export, ProgramFile
    from .answers.partials.gather import Progress

#: A path, or a run that was opened, of it only the hosts that were.
One: TypeAlias = Union[str, "os.PathLike[str]", "Profile"]
#: One or several.
Paths: TypeAlias = One | Sequence[One]
#: Captures of a folder that are compared, the newest.
MAX_REPEATS = 64


def open(
    path: str | os.PathLike[str],
    run: str | None = None,
    host: str | Sequence[str] | None = None,
    *,
    tool: str | None = None,
    merge: bool = False,
    executor: Any = None,
    progress: Callable[[Progress], None] | None = None,
) -> Profile:
    """Open a capture file, a session folder, a run or a logdir.

    run: a name of `Profile.runs`; default the newest whose files are of a kind that a tool is about, or most tools
    without one. host: one name or several, default all; of a host with several files also the name of one, `rank0
    (memory)`, which then goes first. merge: the run and all others at the path that are of other hosts, as one; those
    that began within seconds of one another are one anyway. executor: what reads the hosts: a `distributed.Client` or
    its scheduler's address (the extra `[cluster]`), or `"processes"`; by default processes of this machine for many
    hosts, else this process. progress: receives how far many hosts are. Nothing is decoded yet. Raises NotFoundError
    when there is no such path, run, host or tool.
    """
    runs = runs_at(os.fspath(path))
    hosts = [host] if isinstance(host, str) else host
    picked = newest(runs, find_tool(tool) if tool else None) if run is None else _named(runs, run)
    picked = merged(runs, picked) if merge else picked
    return Profile(picked, chosen(picked, hosts), tuple(each.name for each in runs), hosts_of(executor, progress))


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
    raise NotFoundError(f"no run {name[:200]!r}: the runs are {', '.join(run.name for run in runs[:8])}{more}")


class Profile:
    """One run: `profile.op_stats()`, `profile.events.to_pandas()`, `profile.captures["host"]`.

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
        self._run = run
        self._library = Library(disk=Disk(), hosts=how)
        self.captures: Mapping[str, Capture] = _Captures({file.host: file for file in files}, self._library)

    def __repr__(self) -> str:
        return f"<Profile {self.run}: {', '.join(self.hosts)}>"

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
        given = {key: _text(value) for key, value in options.items() if value is not None}
        return self._library.answer(find_tool(name), self._run, self._chosen, given)

    def export(self, **options: Scalar) -> Export:
        """The hosts' timelines as Chrome trace-event JSON, which Perfetto opens; `write` writes it to a file.

        start_ps, end_ps: the window, default the whole, or that of a range (`steps`, `time`). tracks: rows of tracks,
        `0-9,12`. Raises ArgumentError, NotFoundError (no event there), UnreadableError.
        """
        from .answers.export import export

        given = {key: _text(value) for key, value in options.items() if value is not None}
        return export(self._library, self._run, self._chosen, given)

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
        return _joined(self.captures)


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


class EventColumns(msgspec.Struct, frozen=True, eq=False):
    """Events as arrays of one length n.

    host, plane, track, name: int32, indices into `names`, which holds every text once. start_ps, duration_ps: int64,
    picoseconds; a start counts from the start of its host's capture. row: int64, the event's row in
    `profile.captures[host].events`, where its stats are found.
    """

    names: tuple[str, ...]
    host: I32
    plane: I32
    track: I32
    name: I32
    start_ps: I64
    duration_ps: I64
    row: I64

    def __len__(self) -> int:
        return len(self.name)

    def texts(self, column: str) -> list[str]:
        """One of host, plane, track and name as text, n long."""
        return [self.names[i] for i in getattr(self, column).tolist()]

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame: host, plane, track, name as categories of text, then start_ps, duration_ps and row.

        Raises ImportError where pandas is not installed.
        """
        import pandas

        texts = {column: self._category(column) for column in ("host", "plane", "track", "name")}
        return pandas.DataFrame({**texts, "start_ps": self.start_ps, "duration_ps": self.duration_ps, "row": self.row})

    def _category(self, column: str) -> pandas.Categorical[str]:
        import pandas

        codes: I32 = getattr(self, column)
        used = np.flatnonzero(np.bincount(codes, minlength=len(self.names)))
        places = np.zeros(len(self.names), np.int32)
        places[used] = np.arange(len(used), dtype=np.int32)
        return pandas.Categorical.from_codes(
            places[codes], categories=pandas.Index([self.names[i] for i in used.tolist()])
        )


def _joined(captures: Mapping[str, Capture]) -> EventColumns:
    names: dict[str, int] = {}
    parts = [_columns(host, capture, names) for host, capture in captures.items()]
    return EventColumns(tuple(names), *(np.concatenate(each) for each in zip(*parts, strict=True)))


def _columns(host: str, capture: Capture, names: dict[str, int]) -> tuple[Any, ...]:
    """The arrays of one host, in the order of EventColumns. Adds the host's texts to `names`."""
    events, tracks = capture.events, capture.tracks
    pool = interned(capture.strings, names).astype(np.int32)
    planes = tracks.plane[events.track]
    return (
        np.full(len(events), names.setdefault(host, len(names)), np.int32),
        pool[capture.planes.name[planes]],
        pool[tracks.name[events.track]],
        pool[events.name],
        events.start_ps,
        events.duration_ps,
        np.arange(len(events), dtype=np.int64),
    )


def _text(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
