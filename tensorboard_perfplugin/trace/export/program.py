"""An XLA program of some timelines → its text in XLA's syntax, a graph for Graphviz, or its message, in pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...analysis.programs.table import ProgramTime, chosen_program, hosts_that_show, merged_programs, program_times
from ...tables import Option
from ...timeline.programs.reader import Program, programs_of
from ...timeline.programs.writer import dot_text, module_text
from ...timeline.timeline import Timeline
from ...wire import Budget

#: Fields of a program that is written: of some two million instructions; beyond, a file says that it was cut.
_MAX_FIELDS = 40_000_000
_BLOCK = 1 << 16


class Form(NamedTuple):
    """How a program is written. is_text: to be read by people."""

    ending: str
    content_type: str
    is_text: bool = True


FORMS = {
    "text": Form(".hlo.txt", "text/plain; charset=utf-8"),
    "dot": Form(".dot", "text/vnd.graphviz; charset=utf-8"),
    "pb": Form(".hlo_proto.pb", "application/octet-stream", is_text=False),
}
PROGRAM_OPTIONS = (
    Option("program", "text", "", "The program, as in `graph_viewer`. Default: the one that took most time."),
    Option("format", "text", "text", "`text`, `dot` (Graphviz) or `pb` (xla.HloProto).", choices=tuple(FORMS)),
)
Held = Sequence[ProgramTime]


def held_programs(timeline: Timeline) -> Held:
    """The programs that the capture does not only name, with their times."""
    return [one for one in program_times(timeline) if one.size_bytes]


class Meant(NamedTuple):
    """The key of a program, which host's it is, and the programs of all hosts."""

    key: str
    host: int
    programs: tuple[ProgramTime, ...]


def meant_program(hosts: Sequence[Held], asked: str) -> Meant | None:
    """None where no host has any. Raises ArgumentError."""
    programs = merged_programs(hosts)
    if not programs:
        return None
    key = chosen_program(programs, asked)
    return Meant(key, hosts_that_show(hosts)[key], programs)


def message_of(timeline: Timeline, key: str) -> bytes:
    return programs_of(timeline).blobs[key]


def program_chunks(message: bytes, form: str) -> Iterator[bytes]:
    """The bytes of a file."""
    if form == "pb":
        return iter((message,))
    program = Program(message, Budget(_MAX_FIELDS))
    return _blocks(dot_text(program) if form == "dot" else module_text(program))


def program_name(key: str, form: str) -> str:
    """Of a file, of letters, digits, dots, dashes and underscores: `jit_f(7)` → `jit_f_7.dot`."""
    return (re.sub(r"[^A-Za-z0-9._-]+", "_", key).strip("._")[:120] or "program") + FORMS[form].ending


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
