"""Files → timelines, and timelines → answers, each made once."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec
import numpy as np

from .. import decode, heap, tools, work
from ..advice.text.catalogue import sentence
from ..errors import ArgumentError, NotFoundError, PerfpluginError, RemoteError, UnreadableError
from ..logdir import CaptureFile, Run, missing_workers
from ..messages import Message, message
from ..tables import Capture, Quality, usable_cores
from ..timeline.causes import timeline_of
from ..timeline.timeline import Timeline, held_bytes
from ..tools import Answer, FileUse, Option, Options, Tool
from .choice import MAX_USES, Choice, captured, choose, has_more, unused
from .disk import Disk
from .many import Hosts, IdleTimer, Prefetcher, fit_in_memory, is_known, sample_hosts
from .memo import Memo, Turns
from .partials.work import HostPartial, partial_of_host
from .ranges import Asked, in_range, narrowed, parse_request, part_of, range_messages
from .vocabulary import in_words_of, reworded, vocabulary_of

if TYPE_CHECKING:
    from ..tools import HostRange, Range, Resolved

T = TypeVar("T")

#: A 143 MB file becomes 0.45 GB of columns: about four such captures stay decoded.
TIMELINE_BYTES = 2 << 30
#: What stays when nothing was asked for a while: of a 143 MB file what was decoded, not what follows from it.
RESTING_BYTES = 400_000_000
ANSWER_BYTES = 64 << 20
#: The steps of hosts that ranges were chosen from.
RANGE_BYTES = 64 << 20
#: A decode holds a file's bytes and its columns at once, so not all that are asked for run together.
DECODES_AT_A_TIME = 2
#: Hosts of a run that are read before a page asks for more than its first screen, which was kept.
READ_AHEAD = 4
#: Each computation holds one timeline in memory, cached or not: 100 requests for 100 large captures would hold 100.
MOST_COMPUTED_AT_A_TIME = 4
#: Why runs hold nothing for tools: 40 sentences each.
MISSING_BYTES, REASONS_BYTES = 4 << 20, 4000


class _Read(msgspec.Struct):
    """The hosts that were read. by_host: the partial of each, by its label. files: those read. warnings: about files
    and hosts that cannot be read. is_whole: whether no host is left out."""

    by_host: dict[str, HostPartial] = msgspec.field(default_factory=dict)
    files: list[CaptureFile] = msgspec.field(default_factory=list)
    uses: list[FileUse] = msgspec.field(default_factory=list)
    warnings: list[Message] = msgspec.field(default_factory=list)
    is_whole: bool = True


class Side(NamedTuple):
    """One capture of a side of a comparison: its name, its hosts' files, the hosts missing from its run, and why, and
    the range that is compared, None for all."""

    name: str
    files: Sequence[CaptureFile]
    missing: tuple[Message, ...] = ()
    range: Range | None = None

    def within(self, of: Range | None) -> Side:
        """Only a range of it, which its name then shows."""
        return self if of is None else self._replace(name=f"{self.name} ({of.name})", range=of)


_OfSide: TypeAlias = tuple[Literal["base", "new"], Side]


class Library:
    """Timelines and answers of files, each made once, thread-safe. `max_bytes` bounds the timelines that are kept.

    `disk=None` keeps nothing on disk. `ahead`: when an answer was made, the next ones are prepared for in a thread of
    its own, and when none is asked for memory is given back. hosts: how those of a run are gone through that are too
    many to stay; without, one after another.
    """

    def __init__(
        self,
        max_bytes: int | None = None,
        disk: Disk | None = None,
        read: Callable[[str], Capture] | None = None,
        ahead: bool = False,
        hosts: Hosts | None = None,
    ) -> None:
        self._max_bytes = TIMELINE_BYTES if max_bytes is None else max_bytes
        self._timelines: Memo[Timeline] = Memo(self._max_bytes, _timeline_bytes)
        self._ranges: Memo[HostRange] = Memo(RANGE_BYTES, held_bytes)
        self._answers: Memo[Answer] = Memo(ANSWER_BYTES, _answer_bytes)
        self._decodes = Turns(DECODES_AT_A_TIME, in_a_lane=DECODES_AT_A_TIME)
        self._missing_reasons: Memo[dict[str, str | None]] = Memo(MISSING_BYTES, lambda reasons: REASONS_BYTES)
        # As many as there are cores, and one more for a run that would wait for another's.
        at_a_time = min(usable_cores() + 1, MOST_COMPUTED_AT_A_TIME)
        self._computing = Turns(at_a_time, in_a_lane=at_a_time // 2)
        self._disk = disk
        self._read = read or decode.read
        self._hosts = hosts
        self._ahead = Prefetcher(after=self._timelines.measure) if ahead else None
        self._resting = IdleTimer(self._rest) if ahead else None

    def timeline(self, file: CaptureFile, stays: bool = True) -> Timeline:
        """The timeline of a file as it is now. stays: for the next question. Raises NotFoundError, UnreadableError."""
        identity = file.identity

        def make() -> tuple[Timeline, bool]:
            work.set_stage("waiting", file.label)
            with self._decodes.taken("decode"):
                work.set_stage("reading", file.label)
                timeline = timeline_of(self._capture(file), file.label)
            return timeline, stays and file.identity == identity

        return self._timelines.get((identity, file.label), make)

    def _capture(self, file: CaptureFile) -> Capture:
        return captured(file, self._read)

    def use(self, file: CaptureFile, look: Callable[[Timeline], T], stays: bool = True, lane: str = "") -> T:
        """What a function finds in a file's timeline; a few run at a time, of a run and a lane half of them.

        Raises as it and `timeline` do.
        """
        turn = self._computing.taken((os.path.dirname(file.path), lane))
        with turn, self._resting.asked() if self._resting else contextlib.nullcontext():
            timeline = self.timeline(file, stays)
            work.set_stage("analysing", file.label)
            made = timeline.made
            found = look(timeline)
        # Taking its size is half of what a window of the trace takes, of which nothing stays.
        if timeline.made != made:
            self._timelines.measure(timeline)
        return found

    def _rest(self) -> None:
        """Give memory back: first what was derived, which the next page makes again in less time than it was decoded.

        Then all timelines but the last used, until the rest are few enough.
        """
        self._timelines.shrink(min(RESTING_BYTES, self._max_bytes), Timeline.forget)
        heap.give_back()

    def answer(self, tool: Tool, run: Run, hosts: Sequence[str] | None, given: Mapping[str, str]) -> Answer:
        """What a tool says of some hosts of a run, all when none is named.

        A host that cannot be read is left out and named in the quality's warnings; when that leaves none, the first
        host's error is raised. Raises ArgumentError, NotFoundError, UnreadableError.
        """
        asked_for = parse_request(tool, given)
        files = chosen(run, hosts)
        work.plan(len(files), sum(file.size_bytes for file in files))
        identities, missing, beside = _identities(files), missing_workers(run), _beside(tool, run)
        if None in identities:
            return self._computed(tool, run.name, files, asked_for, missing, beside)[0]
        named = tuple((f.host, f.is_chosen) for f in files)
        key = (tool.name, run.name, named, identities, asked_for.key, missing, beside)
        disk = self._disk if _repeats(tool, asked_for) else None

        def make() -> tuple[Answer, bool]:
            stored = disk.load(key, tool) if disk else None
            if stored:
                self._look_ahead(tool, files, read=True)
                return stored, True
            answer, complete = self._computed(tool, run.name, files, asked_for, missing, beside)
            keep = complete and _identities(files) == identities
            if disk and keep:
                disk.store(key, answer)
            self._look_ahead(tool, files, read=False)
            return answer, keep

        return self._answers.get(key, make)

    def _look_ahead(self, tool: Tool, files: Sequence[CaptureFile], read: bool) -> None:
        """Prepare for the next answers. read: of a tool that prepares something, timelines that are not there, too."""
        if self._ahead:
            there = [self._timelines.peek((i, f.label)) for f in files for i in _identities([f])[:1]]
            absent = [functools.partial(self.timeline, f) for f in files[:READ_AHEAD] if read and tool.ahead]
            self._ahead.prepare(tool, [t or a for t, a in itertools.zip_longest(there, absent)])

    def missing(self, run: Run, hosts: Sequence[str] | None) -> dict[str, str | None]:
        """For each tool why the run's hosts hold nothing for it, or None. Hosts are read until each tool has one.

        Of very many some are asked, spread over the run: a tool for one kind of device would read all of them.
        Of many memory profiles one is read for the tools that show no moment.
        """
        files = chosen(run, hosts)
        identities = _identities(files)
        if None in identities:
            return self._missing_of(run, files)[0]
        key = (tuple(file.label for file in files), identities, run.beside)

        def make() -> tuple[dict[str, str | None], bool]:
            reasons, is_whole = self._missing_of(run, files)
            return reasons, is_whole and _identities(files) == identities

        return self._missing_reasons.get(key, make)

    def _missing_of(self, run: Run, files: Sequence[CaptureFile]) -> tuple[dict[str, str | None], bool]:
        """The reasons, and whether all hosts that were asked could be read."""
        # What lies aside is not read for that: of its kind it is known which pages are its own.
        aside = [each for file in files for each in file.aside]
        own = [tool for tool in tools.TOOLS if any(tool.answers(each.format.capabilities) for each in aside)]
        waiting = [tool for tool in tools.TOOLS if tool not in own]
        reasons: dict[str, str | None] = {tool.name: None for tool in own}
        is_whole = True
        for file in (*sample_hosts(files), *filter(has_more, sample_hosts(aside))):
            if not waiting:
                break
            if reasons and file.format.capabilities.is_moment and not any(tool.of_a_moment for tool in waiting):
                continue
            try:
                found = self._missing(file, waiting, fit_in_memory(files, self._max_bytes))
            except PerfpluginError as error:
                found, is_whole = dict.fromkeys((tool.name for tool in waiting), str(error)), False
            reasons |= {name: why for name, why in found.items() if why is None or file not in aside}
            waiting = [tool for tool in waiting if reasons[tool.name] is not None]
        others = {tool.name: sentence(_elsewhere(other)) for tool in waiting if (other := _beside(tool, run))}
        return reasons | others, is_whole

    def _missing(self, file: CaptureFile, tools: Sequence[Tool], stays: bool) -> dict[str, str | None]:
        return self.use(file, lambda timeline: {tool.name: _nothing(tool, timeline) for tool in tools}, stays)

    def _gathered(
        self, tool: Tool, files: Sequence[CaptureFile], options: Options
    ) -> Mapping[str, HostPartial | PerfpluginError]:
        """By host what it gives, of hosts whose timelines do not stay; nothing where they do."""
        if not self._hosts or not is_known(tool) or not _are_choices(tool, options) or tool.ahead:
            return {}
        if self._hosts.executor is None and fit_in_memory(files, self._max_bytes):
            return {}
        # Of several files of a host it is not known yet which answers.
        single = [f for f in files if len(f.every) == 1 and not tool.declines(f.format.capabilities)]
        return self._hosts.gathered(tool, options, single, functools.partial(self.use, stays=False))

    def _partial(
        self, tool: Tool, file: CaptureFile, options: Options, part: Resolved | None, stays: bool
    ) -> HostPartial:
        return self.use(
            file,
            lambda whole: partial_of_host(tool, whole, part_of(whole, tool, options, part), options),
            stays,
            # A window of the trace takes milliseconds: it does not wait for a page of the same run.
            lane=tool.name if tool.ahead else "",
        )

    def compared(
        self, tool: Tool, base: Sequence[Side], new: Sequence[Side], given: Mapping[str, str], name: str
    ) -> Answer:
        """What a tool of two sides says of one or several captures a side. It is kept in memory, not on disk.

        Raises ArgumentError, UnreadableError, NotFoundError: no host of a side can be read.
        """
        options = tool.parse(given)
        sides: list[_OfSide] = [("base", each) for each in base]
        sides += [("new", each) for each in new]
        identities = [_identities(each.files) for _, each in sides]
        if any(None in each for each in identities):
            return self._compared(tool, sides, options, name)[0]
        captures = [(s, c.name, tuple(f.host for f in c.files), c.missing, c.range and c.range.text) for s, c in sides]
        key = (tool.name, name, tuple(captures), tuple(identities), tuple(options.items()))

        def make() -> tuple[Answer, bool]:
            answer, complete = self._compared(tool, sides, options, name)
            return answer, complete and [_identities(each.files) for _, each in sides] == identities

        return self._answers.get(key, make)

    def _compared(self, tool: Tool, sides: Sequence[_OfSide], options: Options, name: str) -> tuple[Answer, bool]:
        """The answer, and whether no host had to be left out."""
        partials: list[Any] = []
        of_hosts: list[HostPartial] = []
        unread: list[Message] = []
        hosts: dict[str, None] = {}
        missing: dict[Message, None] = {}
        for side, capture, read, left_out in self._read_sides(tool, sides, options):
            unread += left_out
            of_hosts += read.values()
            hosts |= dict.fromkeys(read)
            missing |= dict.fromkeys(capture.missing)
            partials += [tool.sided(each.partial, side, capture.name) for each in read.values() if tool.sided]
        quality = sum((each.quality for each in of_hosts), Quality(warnings=(*unread, *missing)))
        vocabulary = vocabulary_of([each.vocabulary for each in of_hosts])
        decoder = ",".join(sorted({each.decoder for each in of_hosts}))
        result = in_words_of(vocabulary, tool.combine(partials, options))
        return Answer(tool, name, tuple(hosts), result, quality, decoder), not unread

    def _read_sides(
        self, tool: Tool, sides: Sequence[_OfSide], options: Options
    ) -> Iterator[tuple[Literal["base", "new"], Side, dict[str, HostPartial], list[Message]]]:
        """As `_read_hosts`, of each capture; one that cannot be read has no host. Raises where a side has none else."""
        errors: list[tuple[str, PerfpluginError]] = []
        there = set()
        for side, capture in sides:
            try:
                choices, part = self._choices(tool, capture.files, capture.range, Asked(options).steps_from)
                choices = in_range(choices, tool, options, part)
                found = self._read_hosts(tool, capture.files, choices, options, part)
                of_range = range_messages(tool, part, capture.range, capture.name)
                capture = capture._replace(missing=(*of_range, *capture.missing))
            except (NotFoundError, UnreadableError, RemoteError) as error:
                errors.append((side, error))
                yield side, capture, {}, [message("capture_left_out", capture=capture.name, error=str(error))]
            else:
                there.add(side)
                yield side, capture, found.by_host, found.warnings
        for which, why in errors:
            if which not in there:
                raise why

    def _choices(
        self, tool: Tool, files: Sequence[CaptureFile], of: Range | None, steps_from: str
    ) -> tuple[Iterable[Choice], Resolved | None]:
        """Of each host the file that answers, found when it is asked for, or before where a range is of it; and what of
        each host the range is. Raises ArgumentError."""
        choices = (choose(tool, file, lambda each: self.use(each, functools.partial(_nothing, tool))) for file in files)
        if of is None:
            return choices, None
        made = tuple(choices)
        return made, self.part([choice.file for choice in made], of, steps_from)

    def part(self, files: Sequence[CaptureFile], of: Range | None, steps_from: str = "auto") -> Resolved | None:
        """What of each host a range is, None for all of each. Raises ArgumentError."""
        if of is None:
            return None
        found = []
        for file in files:
            # A file that cannot be read is reported when the tool reads it.
            with contextlib.suppress(UnreadableError, NotFoundError, RemoteError):
                found.append(self._host_range(file, steps_from))
        return tools.resolve(of, found, steps_from) if found else None

    def _host_range(self, file: CaptureFile, steps_from: str) -> HostRange:
        identity = file.identity

        def make() -> tuple[HostRange, bool]:
            found = self.use(file, lambda timeline: tools.host_range(timeline, steps_from))
            return found, file.identity == identity

        return self._ranges.get((identity, file.label, steps_from), make)

    def _read_hosts(
        self,
        tool: Tool,
        files: Sequence[CaptureFile],
        choices: Iterable[Choice],
        options: Options,
        part: Resolved | None,
    ) -> _Read:
        """What hosts give. Raises where none can be read.

        Hosts all of whose files are of kinds that hold nothing for the tool count only where there are no others.
        """
        # Where no further question comes, the timelines of one side need not be held beside the other's.
        asks_again = self._ahead is not None or tool.sided is None
        stays = tool.ahead is not None or (asks_again and fit_in_memory(files, self._max_bytes))

        gathered = self._gathered(tool, files, options) if part is None else {}

        def look(file: CaptureFile) -> HostPartial:
            made = gathered.get(file.label) or self._partial(tool, file, options, part, stays)
            if isinstance(made, PerfpluginError):
                raise made
            return made

        def read(choice: Choice) -> Iterator[tuple[str, PerfpluginError]]:
            yield from _read_host(choice, look, found)
            # Hosts that were gathered were counted as they came.
            if choice.file.label not in gathered:
                work.host_done(choice.file.size_bytes)

        found, unfit = _Read(), []
        errors: list[tuple[str, PerfpluginError]] = []
        for choice in choices:
            if choice.fits:
                errors += read(choice)
            else:
                unfit.append(choice)
        for choice in unfit:
            if len(unfit) < len(files):
                found.uses += unused(choice)
            else:
                errors += read(choice)
        if not found.by_host:
            raise errors[0][1]
        found.warnings[:0] = [message("host_left_out", host=host, error=str(error)) for host, error in errors]
        found.is_whole = not errors
        return found

    def _computed(
        self,
        tool: Tool,
        run: str,
        files: Sequence[CaptureFile],
        asked_for: Asked,
        missing: tuple[Message, ...],
        beside: str,
    ) -> tuple[Answer, bool]:
        """The answer, and whether no host had to be left out.

        missing: the hosts that are not in the run, and why. beside: the run that holds what the tool shows, where this
        has none.
        """
        of = None if tool.in_range == "whole" else asked_for.range
        choices, part = self._choices(tool, files, of, asked_for.steps_from)
        options = narrowed(tool, asked_for.options, part) if part else asked_for.options
        choices = in_range(choices, tool, options, part)
        read = self._read_hosts(tool, files, choices, options, part)
        of_hosts = list(read.by_host.values())
        missing = (*range_messages(tool, part, asked_for.range), *missing)
        if beside and all(each.nothing for each in of_hosts):
            missing = (*missing, _elsewhere(beside))
        quality = sum((each.quality for each in of_hosts), Quality(warnings=(*read.warnings, *missing)))
        decoder = ",".join(sorted({each.decoder for each in of_hosts}))
        vocabulary = vocabulary_of([each.vocabulary for each in of_hosts])
        work.set_stage("combining")
        result = in_words_of(vocabulary, tool.combine([each.partial for each in of_hosts], options))
        uses = tuple(read.uses[:MAX_USES]) if any(not use.used for use in read.uses) else ()
        return Answer(tool, run, tuple(read.by_host), result, quality, decoder, uses), read.is_whole


def _read_host(
    choice: Choice, look: Callable[[CaptureFile], HostPartial], found: _Read
) -> Iterator[tuple[str, PerfpluginError]]:
    """Adds what a host gives; gives why it cannot be read. Raises ArgumentError."""
    try:
        found.by_host[choice.file.label] = look(choice.file)
    except ArgumentError:
        raise
    except PerfpluginError as error:
        yield choice.file.host, error
    else:
        found.files.append(choice.file)
    found.uses += choice.uses
    found.warnings += choice.warnings


def chosen(run: Run, hosts: Sequence[str] | None, patterns: bool = False) -> tuple[CaptureFile, ...]:
    """The files of the hosts named, each once, in the run's order; all without names. Raises NotFoundError.

    patterns: `rank0*` names all that match (`Run.files_of`), as people write it; pages ask by names alone. A file that
    is named itself comes with the others of its host aside.
    """
    if not hosts:
        return run.files
    of = run.files_of if patterns else lambda host: (run.file(host),)
    named = {file.path: file for host in hosts for file in of(host)}
    return tuple(named[file.path] for file in run.every_file if file.path in named)


def _beside(tool: Tool, run: Run) -> str:
    """The run of the same folder that holds what a tool shows, the first of them; empty where there is none."""
    return next((each.run for each in run.beside if tool.answers(each.format.capabilities)), "")


def _elsewhere(run: str) -> Message:
    return message("run_beside", run=run)


def _nothing(tool: Tool, timeline: Timeline) -> str | None:
    """Why a tool has nothing to say of a timeline, in the words of its program's framework."""
    why = tool.nothing(timeline)
    return why and str(reworded(why, vocabulary_of([timeline.capture.capabilities.vocabulary])))


def _identities(files: Sequence[CaptureFile]) -> tuple[tuple[Any, ...] | None, ...]:
    """Of each file, and of those aside of it: which of a host's is read depends on what they hold."""
    return tuple(each.known_identity for file in files for each in file.every)


def _repeats(tool: Tool, asked_for: Asked) -> bool:
    """Whether the same may be asked again in another process: a window or a search text hardly is."""
    of, options = asked_for.range, asked_for.options
    known = of is None or bool(of.kind)
    return known and _are_choices(tool, options)


def _are_choices(tool: Tool, options: Options) -> bool:
    return all(_is_choice(option) or options[option.name] == option.default for option in tool.options)


def _is_choice(option: Option) -> bool:
    return option.kind == "flag" or bool(option.choices)


def _timeline_bytes(timeline: Timeline) -> int:
    """Memory of the capture and of what has been derived from it so far; of an empty one 20 KB."""
    return 20_000 + timeline.nbytes


def _answer_bytes(answer: Answer) -> int:
    """Memory of the tables; 64 bytes for a cell of a list is a text of 15 characters."""
    cells = [cells for table in answer.result.tables.values() for cells in table.values()]
    return 1000 + sum(each.nbytes if isinstance(each, np.ndarray) else 64 * len(each) for each in cells)
