"""`perfplugin export`, `program` and `report`: a capture → a file that Perfetto, speedscope, pprof and others open,
one of its XLA programs, or its pages.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from ..errors import ArgumentError
from ..units import picoseconds, value
from .show import printable


class Made(Protocol):
    """What is about to be written. name: for a file. warnings: what is left out, and why."""

    @property
    def name(self) -> str: ...

    @property
    def warnings(self) -> Sequence[str]: ...

    def chunks(self) -> Iterable[bytes]: ...

    def write(self, path: str) -> int: ...


class Text(NamedTuple):
    """A text as such a file."""

    name: str
    text: str
    warnings: tuple[str, ...] = ()

    def chunks(self) -> Iterable[bytes]:
        yield self.text.encode()

    def write(self, path: str) -> int:
        from ..answers.export import written

        return written(path, self.chunks())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    help = "of the window, from the start of the capture: 1.5s, 1500ms, 1500; overlapping events are kept whole"
    parser.add_argument("--start", metavar="TIME", help=f"begin {help}")
    parser.add_argument("--end", metavar="TIME", help=f"end {help}")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        help="json: Chrome's trace events; pftrace: Perfetto's packets; speedscope: a profile a track; pprof: stacks "
        "with their own time; collapsed: the same as lines of text; default: as FILE is named, else json",
    )
    parser.add_argument("--tracks", metavar="ROWS", help="only these tracks, by row in `trace_viewer`: 0-9,12")
    where = "a file, compressed if its name ends in .gz; a folder; or - for standard output"
    parser.add_argument("-o", "--output", metavar="FILE", help=f"{where}; default: a file here, named by run and host")


def add_program_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--program", metavar="PROGRAM", help="as in `graph_viewer`; default: the one that took most time"
    )
    forms = "text: XLA's own syntax (default); dot: a graph for Graphviz; pb: the message, xla.HloProto"
    parser.add_argument("--format", metavar="FORMAT", help=forms)
    where = "a file; a folder; or - for standard output, the default but for pb, which gets a file here"
    parser.add_argument("-o", "--output", metavar="FILE", help=where)


#: Format → endings of its files, `.gz` beside.
_ENDINGS = {
    "pftrace": (".pftrace", ".perfetto-trace"),
    "speedscope": (".speedscope.json", ".speedscope"),
    "pprof": (".pprof",),
    "collapsed": (".collapsed", ".folded", ".folded.txt"),
}


def format_of(chosen: str | None, output: str | None) -> str:
    """The format that the user chose, or that the file's name implies."""
    name = output or ""
    if chosen:
        return chosen
    if name.endswith(".pb.gz"):
        return "pprof"
    plain = name.removesuffix(".gz")
    return next((form for form, endings in _ENDINGS.items() if plain.endswith(endings)), "json")


def time_ps(name: str, text: str | None) -> int | None:
    """`1.5s`, `20us`, `20` (milliseconds) → picoseconds, exactly. Raises ArgumentError."""
    if text is None:
        return None
    found = picoseconds(text)
    if found is None:
        raise ArgumentError(
            f"--{name} {text[:80]!r}: must be a number with a unit: ps, ns, us, ms or s, for example 1.5s"
        )
    return found


def write(made: Made, output: str | None, path: str, captures: Sequence[str]) -> None:
    """Write to the given path, or here. Raises ArgumentError where that would harm a capture or a logdir."""
    if output == "-":
        sys.stdout.flush()
        for piece in made.chunks():
            sys.stdout.buffer.write(piece)
        _warn(made)
        return
    _to_file(made, output, path, captures)
    _warn(made)


def write_text(made: Made, is_text: bool, output: str | None, path: str, captures: Sequence[str]) -> None:
    """As `write`; texts go to standard output where no path is given."""
    _warn(made)
    if output == "-" or (output is None and is_text):
        sys.stdout.flush()
        for chunk in made.chunks():
            sys.stdout.buffer.write(chunk)
        return
    _to_file(made, output, path, captures)


def _to_file(made: Made, output: str | None, path: str, captures: Sequence[str]) -> None:
    target = _target(made.name, output, path, captures)
    try:
        size = made.write(target)
    except OSError as error:
        raise ArgumentError(f"{printable(target)} cannot be written: {error.strerror or error}") from None
    sys.stdout.write(f"{printable(target)}  {value(size, 'bytes')}\n")


def _warn(made: Made) -> None:
    for warning in made.warnings:
        sys.stderr.write(f"perfplugin: {printable(warning)}\n")


def _target(name: str, output: str | None, path: str, captures: Sequence[str]) -> str:
    if output is None:
        target = os.path.join(os.getcwd(), name)
        if _is_within(target, path):
            raise ArgumentError(f"{printable(os.getcwd())} is part of the logdir: choose another place with -o FILE")
        if os.path.exists(target):
            raise ArgumentError(f"{printable(name)} already exists: choose another name with -o FILE")
        return name
    target = os.path.join(output, name) if os.path.isdir(output) else output
    if os.path.realpath(target) in map(os.path.realpath, captures):
        raise ArgumentError(f"{printable(target)} is one of the captures: choose another file with -o")
    return target


def _is_within(target: str, path: str) -> bool:
    root = os.path.realpath(path)
    root = root if os.path.isdir(root) else os.path.dirname(root)
    try:
        return os.path.commonpath((root, os.path.realpath(target))) == root
    except ValueError:
        # Another drive.
        return False
