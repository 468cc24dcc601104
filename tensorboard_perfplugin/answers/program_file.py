"""A run, some hosts and a program → a file of it: its text in XLA's syntax, a graph for Graphviz, its message."""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..analysis.programs import ProgramTime, chosen_program, merged_programs, program_times
from ..errors import ArgumentError, NotFoundError, PerfpluginError
from ..logdir import CaptureFile, Run
from ..tables import Option
from ..timeline import Timeline, programs_of
from ..timeline.programs import Program, dot, module_text
from ..wire import Budget
from .library import Library, chosen
from .whole_file import written

#: Fields of a program that is written: of some two million instructions; beyond, a file says that it was cut.
_MAX_FIELDS = 40_000_000
_BLOCK = 1 << 16
_LEVEL = 1
#: zlib's name for the gzip format.
_GZIP = 31


class Form(NamedTuple):
    """How a program is written."""

    ending: str
    content_type: str


FORMS = {
    "text": Form(".hlo.txt", "text/plain; charset=utf-8"),
    "dot": Form(".dot", "text/vnd.graphviz; charset=utf-8"),
    "pb": Form(".hlo_proto.pb", "application/octet-stream"),
}
OPTIONS = (
    Option("program", "text", "", "The program, as in `graph_viewer`. Default: the one that took most time."),
    Option("format", "text", "text", "`text`, `dot` (Graphviz) or `pb` (xla.HloProto).", choices=tuple(FORMS)),
)


class ProgramFile:
    """One program, about to be written. name: for a file; content_type: for HTTP; is_text: to be read by people."""

    def __init__(self, key: str, form: str, message: bytes) -> None:
        self.key, self._form, self._message = key, form, message
        self.name = _plain(key) + FORMS[form].ending
        self.content_type = FORMS[form].content_type
        self.is_text = form != "pb"

    def chunks(self) -> Iterator[bytes]:
        """The bytes in pieces."""
        if self._form == "pb":
            yield self._message
            return
        program = Program(self._message, Budget(_MAX_FIELDS))
        yield from _blocks(dot(program) if self._form == "dot" else module_text(program))

    def gzipped(self) -> Iterator[bytes]:
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        for chunk in self.chunks():
            yield packer.compress(chunk)
        yield packer.flush()

    def write(self, path: str | os.PathLike[str]) -> int:
        """Write a file, which appears when it is complete; its size in bytes. Raises OSError."""
        return written(path, self.chunks())


def program_file(library: Library, run: Run, hosts: Sequence[str] | None, given: Mapping[str, str]) -> ProgramFile:
    """Of the program that is meant, of the first host that has it.

    Raises ArgumentError, NotFoundError (no host holds a program), UnreadableError (no host can be read).
    """
    options = _parsed(given)
    files, times, errors = [], [], []
    for file in chosen(run, hosts):
        try:
            times.append(library.use(file, _held))
            files.append(file)
        except PerfpluginError as error:
            errors.append(error)
    if not files and errors:
        raise errors[0]
    programs = merged_programs(times)
    if not programs:
        raise NotFoundError(f"no program to write: {run.name} holds no XLA program")
    key = chosen_program(programs, options["program"])
    return ProgramFile(key, options["format"], _message(library, files, times, key))


def _message(library: Library, files: Sequence[CaptureFile], times: Sequence[Sequence[ProgramTime]], key: str) -> bytes:
    file = next(file for file, held in zip(files, times, strict=True) if any(one.key == key for one in held))
    return library.use(file, lambda timeline: programs_of(timeline).blobs[key])


def _held(timeline: Timeline) -> list[ProgramTime]:
    """Programs that the capture does not only name."""
    blobs = programs_of(timeline).blobs
    return [one for one in program_times(timeline) if one.key in blobs]


def _parsed(given: Mapping[str, str]) -> dict[str, str]:
    known = {option.name: option for option in OPTIONS}
    for name in given:
        if name not in known:
            raise ArgumentError.with_choices(f"no parameter {name[:80]!r} here", known)
    return {n: str(o.parse(given[n]) if n in given else o.default) for n, o in known.items()}


def _plain(key: str) -> str:
    """Letters, digits, dots, dashes and underscores of a name: `jit_f(7)` → `jit_f_7`."""
    return re.sub(r"[^A-Za-z0-9._-]+", "_", key).strip("._")[:120] or "program"


def _blocks(lines: Iterator[str]) -> Iterator[bytes]:
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line + "\n")
        size += len(line) + 1
        if size >= _BLOCK:
            yield "".join(held).encode("utf-8", "replace")
            held, size = [], 0
    yield "".join(held).encode("utf-8", "replace")
