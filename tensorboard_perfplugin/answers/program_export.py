"""A run, some hosts and a program → a file of it: its text in XLA's syntax, a graph for Graphviz, its message."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Sequence

from ..errors import ArgumentError, NotFoundError, PerfpluginError
from ..logdir import Run
from ..trace.export.program import (
    FORMS,
    PROGRAM_OPTIONS,
    held_programs,
    meant_program,
    message_of,
    program_chunks,
    program_name,
)
from .gzipped import compressed
from .library import Library, chosen
from .whole_file import written


class ProgramFile:
    """One program, about to be written. name: for a file; content_type: for HTTP; is_text: to be read by people."""

    def __init__(self, key: str, form: str, message: bytes) -> None:
        self.key, self._form, self._message = key, form, message
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
    """Of the program that is meant, of the first host that has it.

    Raises ArgumentError, NotFoundError (no host holds a program), UnreadableError (no host can be read).
    """
    options = _parsed(given)
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
    key, host = meant
    message = library.use(files[host], functools.partial(message_of, key=key))
    return ProgramFile(key, options["format"], message)


def _parsed(given: Mapping[str, str]) -> dict[str, str]:
    known = {option.name: option for option in PROGRAM_OPTIONS}
    for name in given:
        if name not in known:
            raise ArgumentError.with_choices(f"no parameter {name[:80]!r} here", known)
    return {n: str(o.parse(given[n]) if n in given else o.default) for n, o in known.items()}
