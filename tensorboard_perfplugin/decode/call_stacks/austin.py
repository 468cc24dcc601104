"""Samples of austin as text: `P<pid>;T<tid>;<file>:<function>:<line>;… <µs>`, thread by thread in the order of time.

Behind `# key: value` lines at the begin. In full mode a line ends in time, idle and memory; of memory alone there is no
time, so these open nowhere.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from ...errors import UnreadableError
from ..common.source import Source
from .laid import MAX_SAMPLES, Laid, Sample, text_of

_PS_PER_US = 10**6
#: Of the file's first lines, those of its own facts.
_FACTS = ("austin", "mode", "interval", "python", "duration")

Lasted = tuple[tuple[int, ...], int]


def read(source: Source, laid: Laid) -> None:
    threads: dict[str, list[Lasted]] = {}
    count = 0
    for line in io.BytesIO(source.data):
        text = text_of(line)
        if text.startswith("#"):
            _fact(text, source, laid)
        elif text:
            thread, stack, length = _parsed(text, laid)
            rows = threads.setdefault(thread, []) if thread else []
            if not thread or length < 0:
                laid.dropped["unknown_stack"] += 1
            elif stack is None or count >= MAX_SAMPLES:
                laid.dropped["beyond_slices"] += 1
            elif rows and rows[-1][0] is stack:
                rows[-1] = stack, rows[-1][1] + length
            else:
                rows.append((stack, length))
                count += 1
    for thread, rows in threads.items():
        laid.thread(thread, _samples(rows))


def _fact(text: str, source: Source, laid: Laid) -> None:
    key, _, value = text[1:].partition(":")
    key, value = key.strip(), value.strip()[:100]
    if key in _FACTS:
        laid.attributes[key] = value
    if key == "mode" and value == "memory":
        raise UnreadableError(
            f"{source.path or 'The data'} has samples of memory (austin --memory), without times. Record times: austin "
            "-o FILE.austin python train.py."
        )


def _parsed(text: str, laid: Laid) -> tuple[str, tuple[int, ...] | None, int]:
    """The thread, its stack and the µs it lasted; no thread, or -1, where the line is none."""
    stack, _, numbers = text.rpartition(" ")
    parts = stack.split(";")
    if len(parts) < 2 or parts[0][:1] != "P" or parts[1][:1] != "T":
        return "", None, -1
    us = numbers.partition(",")[0]
    length = int(us) if us.isascii() and us.isdigit() and len(us) < 16 else -1
    thread = f"process {parts[0][1:100]} thread {parts[1][1:100]}"
    return thread, laid.stack(laid.frame(_name(part)) for part in parts[2:] if part), length


def _name(part: str) -> str:
    """`step (train.py:42)` of `/app/train.py:step:42`."""
    file, _, rest = part.rpartition(":")
    where, _, function = file.rpartition(":")
    if not where or not rest.isascii() or not rest.isdigit():
        return part
    file = where.replace("\\", "/").rpartition("/")[2]
    return f"{function} ({file}:{rest})"


def _samples(rows: list[Lasted]) -> Iterator[Sample]:
    at = 0
    for stack, us in rows:
        yield Sample(stack, at, us * _PS_PER_US)
        at += us * _PS_PER_US
