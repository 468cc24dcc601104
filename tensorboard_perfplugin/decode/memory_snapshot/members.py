"""Small members of a memory snapshot, which are kept as they are → settings, annotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from . import words
from .machine import Machine

#: Of a dictionary, keys and values.
_MEMBERS = 2000
#: Characters of a setting that are kept.
_SETTING = 1000


class Note(NamedTuple):
    """A span of an external annotation on a device, in µs as the file has them."""

    name: str
    device: int
    begin_us: int
    end_us: int


def pairs(machine: Machine, value: Any) -> dict[str, Any]:
    """A dictionary that was kept as it is: its texts as keys; the last of equal ones counts."""
    if not isinstance(value, tuple) or value[0] != words.ANY_DICT:
        return {}
    held = [machine.plain(each) for each in machine.generic[value[2]][:_MEMBERS]]
    return {key: each for key, each in zip(held[::2], held[1::2], strict=False) if isinstance(key, str)}


def settings_of(machine: Machine, root: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """What `allocator_settings` holds, as texts; what is empty is left out."""
    found = []
    for key, value in pairs(machine, root.get("allocator_settings")).items():
        inner = pairs(machine, value)
        text = ", ".join(f"{k}: {v}" for k, v in inner.items()) if inner else str(value)
        if not isinstance(value, tuple) or inner:
            found.append((key[:_SETTING], text[:_SETTING]))
    return tuple((key, text) for key, text in found if text not in ("", "None"))


def notes_of(machine: Machine, root: dict[str, Any]) -> list[Note]:
    """Begins and ends of `external_annotations` joined by device and name, the innermost first."""
    opened: dict[tuple[int, str], list[int]] = {}
    notes = []
    for device, name, stage, time in _stages(machine, root.get("external_annotations")):
        begins = opened.setdefault((device, name), [])
        if stage == "START":
            begins.append(time)
        elif stage == "END" and begins:
            notes.append(Note(name, device, begins.pop(), time))
        elif stage not in ("START", "END"):
            notes.append(Note(name, device, time, time))
    return [note for note in notes if note.end_us >= note.begin_us]


def _stages(machine: Machine, value: Any) -> Iterator[tuple[int, str, str, int]]:
    if not isinstance(value, tuple) or value[0] != words.ANY_LIST:
        return
    for each in machine.generic[value[2]]:
        note = pairs(machine, machine.plain(each))
        device, time = note.get("device"), note.get("time_us")
        if isinstance(time, int) and 0 <= time < 1 << 62 and isinstance(device, int) and 0 <= device < 10_000:
            yield device, str(note.get("name", ""))[:_SETTING], str(note.get("stage", "")), time
