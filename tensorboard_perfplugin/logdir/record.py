"""Takes a session's folder, gives what `capture.json` in it records: what was asked of whom, and what became of that.

perfplugin's own captures leave it beside their files. It is no capture, and what it says is believed no further than
any other file: it is read up to a size, each value is checked, and a file that is something else is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ..formats import Format
from ..messages import Message, message
from .model import Run, first_few
from .names import ASIDE, first_bytes, shown

NAME = "capture.json"
SCHEMA = 1
#: A record of 1,000 workers takes about 0.4 MB.
MAX_BYTES = 1 << 20
#: Workers that are listed one by one, and characters of what is kept of each.
MAX_NAMED = 16
MAX_TEXT = 400


#: Format of the file that is read, part of the name of one beside it that holds something else → the code of that.
_OTHERS = {
    (Format.TRACE_EVENTS, ".overview_page."): "tool_file_not_read",
    (Format.RUN_METADATA, "timeline.json"): "timeline_not_read",
    (Format.XPLANE, ".pt.trace.json"): "pytorch_trace_not_read",
}

#: A person's clock and a file's bytes, both with room: what is larger is no number of ours.
MAX_NUMBER = 2**63


@dataclass(frozen=True)
class Worker:
    """What became of one address. file: its capture in the session's folder, empty where nothing came.

    kind: `ok`, or a fixed word for what went wrong; message says it in words. seconds: from the first question to the
    end. started_ns and ended_ns: of that by the clock of the machine that captured, since the epoch.
    server_started_ns: when the profiler began by its own clock; 0 where it did not show it.
    """

    address: str
    kind: str
    message: str = ""
    file: str = ""
    size_bytes: int = 0
    attempts: int = 0
    seconds: float = 0.0
    started_ns: int = 0
    ended_ns: int = 0
    server_started_ns: int = 0


@dataclass(frozen=True)
class Record:
    """How a session was captured. series: what repeated captures of one command have in common, else empty."""

    session: str
    workers: tuple[Worker, ...]
    series: str = ""
    started_ns: int = 0
    ended_ns: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[Worker, ...]:
        """The workers that gave no file, less the second names of those that did."""
        return tuple(worker for worker in self.workers if not worker.file and worker.kind != "same")

    def warnings(self) -> tuple[Message, ...]:
        """The missing hosts and why, each; of many the first few."""
        missing = self.missing
        named = tuple(
            message("worker_missing", address=_clipped(worker.address), message=_clipped(worker.message or worker.kind))
            for worker in missing[:MAX_NAMED]
        )
        rest = tuple(_clipped(worker.address) for worker in missing[MAX_NAMED:])
        return (*named, message("workers_missing", n=len(rest), names=first_few(rest))) if rest else named

    def to_json(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=1) + "\n"


def record_in(folder: str) -> Record | None:
    """What the `capture.json` of a folder says; None where there is none, or none of ours."""
    try:
        body = first_bytes(os.path.join(folder, NAME), MAX_BYTES + 1)
        content = json.loads(body) if len(body) <= MAX_BYTES else None
        return _record(content) if isinstance(content, dict) and content.get("schema") == SCHEMA else None
    except (OSError, RecursionError, TypeError, ValueError):
        return None


def record_of(run: Run) -> Record | None:
    """The record beside a run's captures, or None."""
    return record_in(os.path.dirname(run.files[0].path))


def missing_workers(run: Run) -> tuple[Message, ...]:
    """The hosts that are not in a run and why, each, as its capture noted beside the files. Of a moment's file nothing.

    Also which files beside those that are read hold what these do not.
    """
    record = None if all(file.format in ASIDE for file in run.files) else record_of(run)
    return (record.warnings() if record else ()) + tuple(left_out(run))


def left_out(run: Run) -> Iterator[Message]:
    """A warning for each kind of file that holds of a host what the file that is read does not."""
    read = {other.path: file for file in run.every_file for other in file.others}
    for (format, part), code in _OTHERS.items():
        beside = (file for file in run.left_out if part in os.path.basename(file.path))
        files = [file for file in beside if file.path in read and read[file.path].format == format]
        if files:
            name, instead = (_clipped(os.path.basename(file.path)) for file in (files[0], read[files[0].path]))
            yield message(code, name=name, more=len(files) - 1 or None, instead=instead)
    yield from _copied(run)


def _copied(run: Run) -> Iterator[Message]:
    """A warning where a recording is there twice."""
    found = [(other, file) for file in run.every_file for other in file.others if other.is_copy]
    if found:
        names = {"name": _clipped(found[0][0].name), "instead": _clipped(found[0][1].name)}
        yield message("recording_twice", more=len(found) - 1 or None, **names)


def _record(content: Mapping[str, Any]) -> Record:
    """Raises TypeError where a value is not of its kind. What a newer version may have added is passed over."""
    workers = tuple(Worker(**_fields(Worker, each)) for each in content["workers"])
    return Record(**{**_fields(Record, content), "workers": workers})


def _fields(cls: type[Record | Worker], content: Mapping[str, Any]) -> dict[str, Any]:
    given = {each.name: content[each.name] for each in fields(cls) if each.name in content}
    for each in fields(cls):
        if each.name in given and not _fits(given[each.name], str(each.type)):
            raise TypeError(each.name)
    return given


def _fits(value: Any, kind: str) -> bool:
    if kind == "str":
        return isinstance(value, str)
    if kind == "int":
        return type(value) is int and 0 <= value < MAX_NUMBER
    if kind == "float":
        return type(value) in (int, float) and 0 <= value < MAX_NUMBER
    return isinstance(value, dict if kind.startswith("Mapping") else list)


def _clipped(text: str) -> str:
    """A text from the file, for showing."""
    return shown(text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "…")
