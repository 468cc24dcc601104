"""A tool and a host's files of several kinds → the one that answers best, and why the others are not used.

A page is asked of a trace before sums, of a snapshot first where it is of memory; of a file that a person named first.
What a kind of file never holds is known without reading it."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .. import decode
from ..advice.text.catalogue import sentence
from ..errors import NotFoundError, PerfpluginError, UnreadableError
from ..formats import Capabilities
from ..logdir import CaptureFile, Run, kind_of, own_name
from ..messages import Message, message
from ..tables import Capture
from ..tools import FileUse, Tool

#: Files that an answer tells of, one by one.
MAX_USES = 256


class Choice(NamedTuple):
    """The file of a host that is read.

    uses: whether each file is read, and why not. warnings: about files that cannot be read. fits: whether a capture of
    the file's kind counts beside other hosts' traces.
    """

    file: CaptureFile
    uses: tuple[FileUse, ...]
    warnings: tuple[Message, ...]
    fits: bool


def choose(tool: Tool, file: CaptureFile, nothing: Callable[[CaptureFile], str | None]) -> Choice:
    """nothing: why a file holds nothing for the tool, or None; raises PerfpluginError for what cannot be read."""
    asked = [each for each in file.every if not tool.declines(each.format.capabilities)]
    if not file.is_chosen:
        asked.sort(key=lambda each: not tool.prefers(each.format.capabilities))
    if len(file.every) == 1:
        return Choice(file, (_use(file, used=True),), (), bool(asked) and _fits(tool, file))
    whys: dict[str, str] = {}
    damaged: dict[str, PerfpluginError] = {}
    taken = None
    for each in asked:
        try:
            why = nothing(each)
        except PerfpluginError as error:
            damaged[each.path] = error
            why = str(error)
        if why is None:
            taken = each
            break
        whys[each.path] = why
    used = taken or next(iter([*(each for each in asked if each.path not in damaged), *asked]), file)
    uses = [
        _use(each, True) if each is used else _use(each, False, *_why(each, used, asked, whys)) for each in file.every
    ]
    warnings = [_instead(used, error) for error in damaged.values() if taken and isinstance(error, UnreadableError)]
    return Choice(used, tuple(uses), tuple(warnings), bool(asked) and _fits(tool, used))


def newest(runs: Sequence[Run], tool: Tool | None) -> Run:
    """Of runs, the newest first, the first whose files are of a kind that a tool is about, any tool without one.

    The first of all where none is.
    """

    def suits(file: CaptureFile) -> bool:
        if tool is None:
            return has_more(file)
        return not tool.declines(file.format.capabilities) and _fits(tool, file)

    return next((run for run in runs if any(map(suits, run.every_file))), runs[0])


def unused(choice: Choice) -> tuple[FileUse, ...]:
    """The uses of a host none of whose files is read, since those of other hosts answer."""
    return tuple(use._replace(used=False, why=use.why or _declined(choice.file)) for use in choice.uses)


def _fits(tool: Tool, file: CaptureFile) -> bool:
    return has_more(file) or file.format.capabilities.is_moment or tool.prefers(file.format.capabilities)


def has_more(file: CaptureFile) -> bool:
    """Whether a file may hold something for pages that are not of its kind alone."""
    capabilities = file.format.capabilities
    return not (capabilities.functions_only or capabilities.is_moment or capabilities.is_aside)


def _why(file: CaptureFile, used: CaptureFile, asked: list[CaptureFile], whys: dict[str, str]) -> tuple[str, str]:
    """Why a file is not used, and the name that changes that, if it may."""
    if file.path in whys:
        return whys[file.path], ""
    if file in asked:
        return sentence(message("file_after", file=used.name)), own_name(file)
    return _declined(file), ""


def _declined(file: CaptureFile) -> str:
    return sentence(message(_holds(file.format.capabilities)))


def _holds(capabilities: Capabilities) -> str:
    if capabilities.functions_only:
        return "file_of_functions"
    if capabilities.is_moment:
        return "file_of_a_moment"
    return "file_of_memory" if capabilities.is_aside else "file_without_functions"


def _instead(used: CaptureFile, error: PerfpluginError) -> Message:
    return message("other_kind_read", name=used.name, error=str(error))


def _use(file: CaptureFile, used: bool, why: str = "", select: str = "") -> FileUse:
    return FileUse(file.of or file.host, file.name, kind_of(file), str(file.format), used, why, select)


# A capture file → its `Capture`; where it cannot be read, that of another file of its host, with a warning.


def captured(file: CaptureFile, read: Callable[[str], Capture] = decode.read) -> Capture:
    """What a file holds. Raises NotFoundError, UnreadableError."""
    try:
        return read(file.path) if file.at is None else decode.read(file.path, at=file.at)
    except UnreadableError as error:
        for other in file.others:
            with contextlib.suppress(UnreadableError, NotFoundError):
                return _reading_instead(read(other.path), other, error)
        raise


def _reading_instead(capture: Capture, other: CaptureFile, error: UnreadableError) -> Capture:
    """A capture that says why it was read."""
    warning = message("read_instead", name=os.path.basename(other.path), error=str(error))
    quality = dataclasses.replace(capture.quality, warnings=(warning, *capture.quality.warnings))
    return dataclasses.replace(capture, quality=quality)
