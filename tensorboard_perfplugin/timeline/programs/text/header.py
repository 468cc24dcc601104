"""An XLA program → what stands before its computations: its name, its parameters' layouts, its stack frames."""

from __future__ import annotations

from collections.abc import Iterator

from ..program import Program
from .parts import Parts
from .shapes import Shapes, joined
from .words import frontend_attributes, quoted

#: HloModuleProto.
_NAME, _SHAPE, _SCHEDULE, _ALIASES, _FRAMES, _DONORS, _ATTRIBUTES = 1, 4, 7, 8, 17, 18, 19
_ALIAS_KINDS = {1: "may-alias", 2: "must-alias"}


def lines(program: Program, shapes: Shapes) -> Iterator[str]:
    module = _module(program)
    yield ", ".join([f"HloModule {module.text(_NAME)}", *_facts(module, shapes)])
    if _FRAMES in module:
        yield from _frames(module.one(_FRAMES))


def schedule(program: Program) -> dict[int, list[int]]:
    """Of each computation that has an order, the ids of its instructions."""
    entries = _module(program).one(_SCHEDULE).every(1)
    return {entry.number(1): entry.one(2).numbers(1) for entry in entries}


def _module(program: Program) -> Parts:
    return Parts(program, (0, len(program.data))).one(1)


def _facts(module: Parts, shapes: Shapes) -> Iterator[str]:
    if _SCHEDULE in module:
        yield "is_scheduled=true"
    if aliases := [_alias(one) for one in module.one(_ALIASES).every(1)]:
        yield f"input_output_alias={{ {', '.join(aliases)} }}"
    if donors := [f"({one.number(1)}, {_index(one.numbers(2))})" for one in module.one(_DONORS).every(1)]:
        yield f"buffer_donor={{ {', '.join(donors)} }}"
    shape = module.one(_SHAPE)
    given = joined(shapes.text(span) for span in shape.spans(1))
    result = "".join(shapes.text(span) for span in list(shape.spans(2))[-1:])
    yield f"entry_computation_layout={{({given})->{result}}}"
    if (text := frontend_attributes(module.one(_ATTRIBUTES))) != "{}":
        yield f"frontend_attributes={text}"


def _alias(one: Parts) -> str:
    kind = _ALIAS_KINDS.get(one.number(4), "may-alias")
    return f"{_index(one.numbers(1))}: ({one.number(2)}, {_index(one.numbers(3))}, {kind})"


def _index(numbers: list[int]) -> str:
    return "{" + ", ".join(map(str, numbers)) + "}"


def _frames(frames: Parts) -> Iterator[str]:
    """The tables that `stack_frame_id` refers to; each counts from 1. Parents are written one higher than kept."""
    for title, number in (("FileNames", 1), ("FunctionNames", 2)):
        yield from ("", title)
        yield from (f"{i} {quoted(text)}" for i, text in enumerate(frames.texts(number), 1))
    yield from ("", "FileLocations")
    for i, one in enumerate(frames.every(3), 1):
        names = (
            ("file_name_id", 1),
            ("function_name_id", 2),
            ("line", 3),
            ("end_line", 5),
            ("column", 4),
            ("end_column", 6),
        )
        yield f"{i} {{{' '.join(f'{name}={one.number(number)}' for name, number in names)}}}"
    yield from ("", "StackFrames")
    for i, one in enumerate(frames.every(4), 1):
        yield f"{i} {{file_location_id={one.number(1)} parent_frame_id={one.number(2) + 1}}}"
    yield ""
