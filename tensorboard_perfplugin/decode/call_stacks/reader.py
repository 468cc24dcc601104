"""The bytes of a sampler's file → `Capture`, by the form that knows how it begins."""

from __future__ import annotations

from ... import units
from ...errors import UnreadableError
from ...formats import STACK_FORMS, Format
from ...tables import Capture
from ..common.source import Source
from . import austin, collapsed, perf_script, pyinstrument
from .laid import Laid

#: Lines are read one by one; JSON takes some eight times as much as an object of Python.
MAX_BYTES, MAX_JSON_BYTES = 256 << 20, 32 << 20
_READERS = {
    Format.COLLAPSED: collapsed.read,
    Format.PERF_SCRIPT: perf_script.read,
    Format.AUSTIN: austin.read,
    Format.PYINSTRUMENT: pyinstrument.read,
}


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where the file holds no stack with a time, or is too large."""
    form = next((form for form, knows in STACK_FORMS.items() if knows(source.head)), Format.COLLAPSED)
    most = MAX_JSON_BYTES if form is Format.PYINSTRUMENT else MAX_BYTES
    if len(source.data) > most:
        raise UnreadableError(
            f"{source.path} has {units.size(len(source.data))}; files of this kind are read up to {units.size(most)}. "
            "Record a shorter time, or sample less often."
        )
    laid = Laid(source)
    _READERS[form](source, laid)
    if not laid.count:
        raise source.unreadable()
    return laid.capture(form)
