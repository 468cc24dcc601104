"""A memory snapshot of PyTorch (`torch.cuda.memory._dump_snapshot`) → `Capture`.

Read are `segments` with their blocks, `device_traces`, `allocator_settings` and `external_annotations`, with the fields
of PyTorch 1.13 to 2.13; ignored are `registration_counter` and what later ones add. The pickle is not unpickled:
`machine` reads plain data only, and what names a Python object is refused.
"""

from __future__ import annotations

import mmap
from typing import Any

from ...errors import UnreadableError
from ...messages import message
from ...tables import Capture
from ..common.source import Source
from . import words
from .assemble import assembled
from .forms import pickled
from .machine import Machine
from .members import pairs

#: Read at a time, and then given back.
_PIECE = 32 << 20
_ASK = 'A memory snapshot is written by `torch.cuda.memory._dump_snapshot("snapshot.pickle")`.'


def read(source: Source, decoder: str | None = None) -> Capture:
    """Raises UnreadableError for pickles of anything else, and for those that would have to be run."""
    data = pickled(source)
    machine, end = Machine(data), 0
    while machine.status == words.RUNS:
        begin, end = end, min(end + _PIECE, len(data))
        if machine.run(end) == words.RUNS:
            _given_back(data, begin, end)
    if machine.status == words.REFUSED:
        raise UnreadableError(_refusal(source, machine))
    warnings = list(source.warnings)
    if machine.status != words.DONE:
        machine.unwind()
        code = "snapshot_cut" if machine.status == words.CUT else "snapshot_damaged"
        warnings.append(message(code, at=machine.at))
    root = _root(machine)
    if root is None:
        raise UnreadableError(_not_a_snapshot(source, machine), is_damaged=machine.status != words.DONE)
    return assembled(machine, root, tuple(warnings))


def _given_back(data: memoryview, begin: int, end: int) -> None:
    """The memory of what was read: its texts are copied."""
    memory, page = data.obj, mmap.PAGESIZE
    end = end // page * page
    if isinstance(memory, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED") and begin < end:
        memory.madvise(mmap.MADV_DONTNEED, begin, end - begin)


def _root(machine: Machine) -> dict[str, Any] | None:
    """The snapshot's members, as `Machine.plain` has them. `memory_snapshot()` gives only a list of segments."""
    value = machine.root()
    if not isinstance(value, tuple):
        return None
    if value[0] == words.SEGMENT_LIST:
        return {"segments": value}
    members = pairs(machine, value)
    return members if {"segments", "device_traces"} & members.keys() else None


def _refusal(source: Source, machine: Machine) -> str:
    opcode, module, name = machine.detail
    what = f"names the Python object {'.'.join(filter(None, (module, name)))}" if module else "builds Python objects"
    return (
        f"{source.path or 'The data'} is a pickle that {what[:300]} (opcode {opcode} at byte {machine.at:,}). "
        f"Of pickles only plain data is read: nothing was imported and nothing was run. {_ASK}"
    )


def _not_a_snapshot(source: Source, machine: Machine) -> str:
    name = source.path or "The data"
    if machine.status != words.DONE:
        return f"{name} holds no memory snapshot before byte {machine.at:,}, where its pickle is damaged. {_ASK}"
    return f"{name} is a Python pickle of something else than a memory snapshot. {_ASK}"
