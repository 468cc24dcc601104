"""Device memory profiles → how much is in use on how many devices, and where most of it was asked for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from ....analysis.memory.stacks import Holder, InUse, KindInUse
from ....messages import Message, Param
from ...finding import Finding
from ..listed import PARTS

#: A path that a sentence has room for.
_SHORT_PATH = 40


def profile_findings(used: InUse, holders: Sequence[Holder]) -> Iterator[Finding]:
    """holders: most first."""
    params: dict[str, Param] = {"bytes": used.bytes, "devices": used.devices or None, "cut": used.cut or None}
    if not holders or used.bytes <= 0:
        yield Finding(code="memory_in_use", params=params)
        return
    first = holders[0]
    params |= {
        "held": first.bytes,
        "share": first.bytes / used.bytes,
        "function": first.frame.name,
        "kinds": tuple(map(_kind, used.kinds[:PARTS])),
    }
    if first.frame.file:
        params |= {"file": nearest(first.frame.file), "line": first.frame.line}
    share = min(max(first.bytes / used.bytes, 0.0), 1.0)
    yield Finding(code="memory_in_use", params=params, share=share)


def _kind(held: KindInUse) -> Message:
    return Message("memory_in_use.kind", dataclasses.asdict(held))


def nearest(file: str) -> str:
    """A long path by its last two parts: tables and the flame graph have the whole of it."""
    parts = file.replace("\\", "/").split("/")
    return file if len(file) <= _SHORT_PATH or len(parts) < 3 else "…/" + "/".join(parts[-2:])
