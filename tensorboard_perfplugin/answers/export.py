"""A run, some hosts and options → a file: the timeline in a format of other tools, or an XLA program."""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from .._version import __version__
from ..advice.rules.programs import program_findings
from ..advice.text.catalogue import sentence
from ..errors import ArgumentError, NotFoundError, PerfpluginError
from ..logdir import CaptureFile, Run
from ..messages import message
from ..timeline.timeline import Timeline
from ..tools import Scalar
from ..trace.export.export import OPTIONS, Plan, document, file_name, has_events, nothing, packets
from ..trace.export.export import look as export_look
from ..trace.export.export import plan as export_plan
from ..trace.export.export import seen as export_seen
from ..trace.export.pprof import pprof
from ..trace.export.program import (
    FORMS,
    PROGRAM_OPTIONS,
    held_programs,
    meant_program,
    message_of,
    program_chunks,
    program_name,
)
from ..trace.export.speedscope import speedscope
from ..trace.export.stacks import collapsed
from .library import Library, chosen
from .ranges import NAMES, range_of

# Pieces of bytes → a gzip file of them, compressed while the next piece is made.

#: Level 1 keeps up with the writing of the text; level 6 takes three times as long and saves a fifth.
_LEVEL = 1
#: zlib's name for the gzip format.
_GZIP = 31
#: Pieces are joined to so many bytes before they are compressed.
_BLOCK = 1 << 20


def compressed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """As a gzip file. A second thread compresses, outside of the interpreter's lock; at most one block waits for it."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    with ThreadPoolExecutor(1, "compress") as pool:
        waiting: Future[bytes] | None = None
        for block in _blocks(pieces):
            done = waiting.result() if waiting else b""
            waiting = pool.submit(packer.compress, block)
            if done:
                yield done
        yield (waiting.result() if waiting else b"") + packer.flush()


def _blocks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _BLOCK:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)


# Pieces of bytes → a file that appears when it is complete.


def written(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> int:
    """Write a file; its size in bytes. Raises OSError.

    What was there is replaced, and keeps its mode; a pipe or a device is written to.
    """
    whole = os.path.realpath(os.fspath(path))
    if os.path.exists(whole) and not os.path.isfile(whole):
        with open(whole, "wb") as there:
            return sum(map(there.write, chunks))
    folder, name = os.path.split(whole)
    part = os.path.join(folder, f".{name[:80]}.{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb") as file:
            size = sum(map(file.write, chunks))
        if os.path.exists(whole):
            shutil.copymode(whole, part)
        os.replace(part, whole)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)
        raise
    return size


# A run, some hosts and options → a stream of Chrome's trace-event JSON, or in another format, compressed while the
# next piece is made.

_PRODUCER = f"perfplugin {__version__}"


class Export:
    """What is to be written, known to hold events. name: for a file. warnings: what is left out, and why."""

    def __init__(self, plan: Plan, timeline_of: Callable[[str], Timeline]) -> None:
        self._plan, self._timeline_of = plan, timeline_of
        self.name = file_name(plan)
        self.warnings = plan.warnings

    def text(self) -> Iterator[str]:
        """The document of JSON in pieces, ASCII only: Chrome's trace events, or speedscope's where that was chosen."""
        return (speedscope if self._plan.format == "speedscope" else document)(self._plan, _PRODUCER, self._timeline_of)

    def chunks(self) -> Iterator[bytes]:
        """The document in pieces, in the format that was chosen."""
        form = self._plan.format
        if form == "collapsed":
            return collapsed(self._plan, self._timeline_of)
        if form in ("json", "speedscope"):
            return (piece.encode("ascii") for piece in self.text())
        return (pprof if form == "pprof" else packets)(self._plan, _PRODUCER, self._timeline_of)

    def gzipped(self) -> Iterator[bytes]:
        return compressed(self.chunks())

    def write(self, path: str | os.PathLike[str]) -> int:
        """Write a file, compressed if its name ends with `.gz`, or it is of pprof; its size in bytes.

        It appears when it is complete. What was there is replaced, and keeps its mode; a pipe or a device is written
        to. Raises OSError.
        """
        zipped = self._plan.format == "pprof" or os.path.realpath(os.fspath(path)).endswith(".gz")
        return written(path, self.gzipped() if zipped else self.chunks())


def export(library: Library, run: Run, hosts: Sequence[str] | None, given: Mapping[str, str]) -> Export:
    """What of some hosts of a run is to be written, of all when none is named.

    A host that cannot be read is left out and named in the warnings; when that leaves none, the first host's error is
    raised. Of a range of steps its window is written. Raises ArgumentError, NotFoundError (nothing in the window),
    UnreadableError.
    """
    part = library.part(chosen(run, hosts), range_of(given))
    options = _parsed({name: text for name, text in given.items() if name not in NAMES})
    if part and options["start_ps"] is options["end_ps"] is None:
        options |= {"start_ps": part.span_ps[0], "end_ps": part.span_ps[1]}
    files: dict[str, CaptureFile] = {}
    looks, errors = [], []
    for file in chosen(run, hosts):
        try:
            looks.append(library.use(file, export_look))
            files[file.host] = file
        except PerfpluginError as error:
            errors.append((file.host, error))
    if not files:
        raise errors[0][1]
    left_out = [sentence(message("host_left_out", host=host, error=str(error))) for host, error in errors]
    plan = export_plan(run.name, looks, options, left_out)
    # Each host is read once to be looked at and once to be written, where not all fit into memory.
    seen = [export_seen(look, part) for look, part in zip(looks, plan.parts, strict=True)]
    unsure = [part for part, has_any in zip(plan.parts, seen, strict=True) if has_any is None]
    look = (library.use(files[part.host], functools.partial(has_events, part=part)) for part in unsure)
    if True not in seen and not any(look):
        raise nothing(plan, looks)
    return Export(plan, lambda host: library.timeline(files[host]))


def _parsed(given: Mapping[str, str]) -> dict[str, Scalar]:
    known = {option.name: option for option in OPTIONS}
    for name in given:
        if name not in known:
            raise ArgumentError.with_choices(f"no parameter {name[:80]!r} here", known)
    return {n: o.parse(given[n]) if n in given else o.default for n, o in known.items()}


# A run, some hosts and a program → a file of it: its text in XLA's syntax, a graph for Graphviz, its message.


class ProgramFile:
    """One program, about to be written. name: for a file; content_type: for HTTP; is_text: to be read by people.
    warnings: that another could be meant.
    """

    def __init__(self, key: str, form: str, message: bytes, warnings: tuple[str, ...] = ()) -> None:
        self.key, self._form, self._message, self.warnings = key, form, message, warnings
        self.name = program_name(key, form)
        _, self.content_type, self.is_text = FORMS[form]

    def chunks(self) -> Iterator[bytes]:
        """The bytes in pieces."""
        return program_chunks(self._message, self._form)

    def gzipped(self) -> Iterator[bytes]:
        return compressed(self.chunks())

    def write(self, path: str | os.PathLike[str]) -> int:
        """Write a file, which appears when it is complete; its size in bytes. Raises OSError."""
        return written(path, self.chunks())


def program_file(library: Library, run: Run, hosts: Sequence[str] | None, given: Mapping[str, str]) -> ProgramFile:
    """Of the program that is meant, of the host on which it took most time.

    Raises ArgumentError, NotFoundError (no host holds a program), UnreadableError (no host can be read).
    """
    options = _program_export_parsed(given)
    files, held, errors = [], [], []
    for file in chosen(run, hosts):
        try:
            held.append(library.use(file, held_programs))
            files.append(file)
        except PerfpluginError as error:
            errors.append(error)
    if not files and errors:
        raise errors[0]
    meant = meant_program(held, options["program"])
    if meant is None:
        raise NotFoundError(f"no program to write: {run.name} holds no XLA program")
    message = library.use(files[meant.host], functools.partial(message_of, key=meant.key))
    notes = tuple(finding.title for finding in program_findings(meant.programs, options["program"], meant.key))
    return ProgramFile(meant.key, options["format"], message, notes)


def _program_export_parsed(given: Mapping[str, str]) -> dict[str, str]:
    known = {option.name: option for option in PROGRAM_OPTIONS}
    for name in given:
        if name not in known:
            raise ArgumentError.with_choices(f"no parameter {name[:80]!r} here", known)
    return {n: str(o.parse(given[n]) if n in given else o.default) for n, o in known.items()}
