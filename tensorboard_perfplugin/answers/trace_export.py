"""A run, some hosts and options → a stream of Chrome's trace-event JSON or of Perfetto's packets, compressed
while the next piece is made.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from .._version import __version__
from ..advice.text import sentence
from ..errors import ArgumentError, PerfpluginError
from ..logdir import CaptureFile, Run
from ..messages import message
from ..timeline.timeline import Timeline
from ..tools import Scalar
from ..trace.export.export import OPTIONS, Plan, document, file_name, has_events, nothing, packets
from ..trace.export.export import look as export_look
from ..trace.export.export import plan as export_plan
from ..trace.export.export import seen as export_seen
from .gzipped import compressed
from .library import Library, chosen
from .ranges import NAMES, range_of
from .whole_file import written

_PRODUCER = f"perfplugin {__version__}"


class Export:
    """What is to be written, known to hold events. name: for a file. warnings: what is left out, and why."""

    def __init__(self, plan: Plan, timeline_of: Callable[[str], Timeline]) -> None:
        self._plan, self._timeline_of = plan, timeline_of
        self.name = file_name(plan)
        self.warnings = plan.warnings

    def text(self) -> Iterator[str]:
        """The document of JSON in pieces, ASCII only."""
        return document(self._plan, _PRODUCER, self._timeline_of)

    def chunks(self) -> Iterator[bytes]:
        """The document in pieces, in the format that was chosen."""
        if self._plan.format == "json":
            return (piece.encode("ascii") for piece in self.text())
        return packets(self._plan, _PRODUCER, self._timeline_of)

    def gzipped(self) -> Iterator[bytes]:
        return compressed(self.chunks())

    def write(self, path: str | os.PathLike[str]) -> int:
        """Write a file, compressed if its name ends with `.gz`; its size in bytes. It appears when it is complete.

        What was there is replaced, and keeps its mode; a pipe or a device is written to. Raises OSError.
        """
        zipped = os.path.realpath(os.fspath(path)).endswith(".gz")
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
