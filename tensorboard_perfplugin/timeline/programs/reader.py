"""The messages of an XLA program → instructions, their shapes and metadata, each read when asked for.

Read are, of HloProto.hlo_module, its computations and stack frames. Of an instruction: name, opcode, shape, metadata,
operands, called computations, what a dot, a convolution and a custom call compute, and its backend's configuration.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from ...wire import NOWHERE, Budget, Message, Span, signed

try:
    from . import native

    COMPILED = native.COMPILED
except ImportError:  # neither compiled nor is Cython there to run it as Python
    COMPILED = False

#: Names and paths are shorter.
_LONGEST = 4000

#: Numbers of dimensions and parts of tuples beyond this make no program.
_MAX_RANK, _MAX_PARTS = 64, 4096

#: Tuples in tuples.
_MAX_DEPTH = 4

#: HloProto.hlo_module; HloModuleProto: computations, stack frames; HloComputationProto: instructions, id, root.
_MODULE, _COMPUTATIONS, _FRAMES, _INSTRUCTIONS, _COMPUTATION_ID, _ROOT_ID = 1, 3, 17, 2, 5, 6

#: HloInstructionProto.
_NAME, _OPCODE, _SHAPE, _METADATA, _KIND, _TARGET, _ID, _OPERANDS, _CALLED = 1, 2, 3, 7, 11, 28, 35, 36, 38

_ELEMENT, _WINDOW, _CONVOLUTION, _DOT, _CONFIG, _BATCH_GROUPS, _FFT_LENGTH = 13, 15, 16, 30, 43, 58, 32

#: ShapeProto; LayoutProto.memory_space.
_TYPE, _DIMENSIONS, _TUPLE, _LAYOUT, _SPACE = 2, 3, 4, 5, 8

#: Window.dimensions.
_WINDOW_DIMENSIONS = 1

#: OpMetadata; the name of the instruction that it is a copy of.
_OP_TYPE, _OP_NAME, _FILE, _LINE, _TWIN, _FRAME = 1, 2, 3, 4, 12, 15

#: StackFrameIndexProto: file names, locations, frames; of a location: file, line; of a frame: location.
_FILES, _LOCATIONS, _STACK_FRAMES, _AT_FILE, _AT_LINE, _AT_LOCATION = 1, 3, 4, 1, 3, 1

#: PrimitiveType.
_TYPES = dict(
    enumerate(
        (
            *("", "pred", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"),
            *("tuple", "opaque", "c64"),
            *("bf16", "token", "c128", "f8e5m2", "f8e4m3fn", "s4", "u4", "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz"),
            *("s2", "u2", "f8e4m3", "f8e3m4", "s1", "u1", "f4e2m1fn", "f8e8m0fnu"),
        )
    )
)


class Shape(NamedTuple):
    """element: `f32`, `pred`, `token` …, empty where unknown. space: number of its memory, 0 where nothing says.

    A tuple, `tuple`, has no dimensions, and parts in which the tuples among them are gone up.
    """

    element: str
    dimensions: tuple[int, ...]
    space: int = 0
    parts: tuple[Shape, ...] = ()


class Metadata(NamedTuple):
    """What the framework says of an instruction: `jit(f)/dot_general`, its type, and the line of the user's program.

    twin_of: the instruction that XLA found to do the same, itself included; empty where there is none.
    """

    op_name: str = ""
    op_type: str = ""
    file: str = ""
    line: int = 0
    twin_of: str = ""


class Instruction(NamedTuple):
    """One instruction; spans are places in the bytes of its program, which reads them. kind: of a fusion, `kLoop`.

    element: the number of the part that it takes of a tuple.
    """

    name: str
    opcode: str
    kind: str
    target: str
    operands: tuple[int, ...]
    called: tuple[int, ...]
    batch_groups: int
    lengths: tuple[int, ...]
    span: Span
    shape: Span
    metadata: Span
    window: Span
    convolution: Span
    dot: Span
    config: Span
    element: int = 0


class Reader(Message):
    """Reads one module."""

    def __init__(self, data: bytes, budget: Budget, compiled: bool = COMPILED) -> None:
        super().__init__(data, budget)
        self.compiled = compiled
        self._shapes: dict[bytes, Shape] = {}
        self._shapes_at: dict[int, Shape] = {}
        #: The memories of all arrays that were asked for so far.
        self.spaces: set[int] = set()

    @cached_property
    def _modules(self) -> list[Span]:
        return list(self.spans(0, len(self.data), _MODULE))

    def in_module(self, number: int) -> Span | None:
        """Where a message of its module is, by the number of the field; None for nowhere."""
        return next((span for module in self._modules for span in self.spans(*module, number)), None)

    def read(self, begin: int, end: int) -> tuple[int, Instruction]:
        """Id and instruction of a message."""
        if self.compiled:
            self.budget.left, key, held = native.instruction(self.data, begin, end, self.budget.left, _LONGEST)
            return key, tuple.__new__(Instruction, held)
        numbers: dict[int, int] = {}
        places: dict[int, Span] = {}
        operands: list[int] = []
        called: list[int] = []
        lengths: list[int] = []
        lists = {_OPERANDS: operands, _CALLED: called, _FFT_LENGTH: lengths}
        for number, value, high in self.fields(begin, end):
            if number in lists:
                lists[number] += [signed(value)] if high < 0 else self.numbers(value, high)
            elif high < 0:
                numbers[number] = value
            else:
                places[number] = value, high
        at, number_of, text = places.get, numbers.get, self._text
        return signed(number_of(_ID, 0)), Instruction(
            text(at(_NAME)),
            text(at(_OPCODE)),
            text(at(_KIND)),
            text(at(_TARGET)),
            tuple(operands),
            tuple(called),
            signed(number_of(_BATCH_GROUPS, 1)),
            tuple(lengths),
            (begin, end),
            at(_SHAPE, NOWHERE),
            at(_METADATA, NOWHERE),
            at(_WINDOW, NOWHERE),
            at(_CONVOLUTION, NOWHERE),
            at(_DOT, NOWHERE),
            at(_CONFIG, NOWHERE),
            signed(number_of(_ELEMENT, 0)),
        )

    def _text(self, place: Span | None) -> str:
        return "" if place is None else self.text(*place, _LONGEST)

    def metadata(self, one: Instruction) -> Metadata:
        texts = {_OP_NAME: "", _OP_TYPE: "", _FILE: "", _TWIN: ""}
        numbers = {_LINE: 0, _FRAME: 0}
        for number, value, high in self.fields(*one.metadata):
            if number in texts and high >= 0:
                texts[number] = self.text(value, high, _LONGEST)
            elif number in numbers and high < 0:
                numbers[number] = value
        if not texts[_FILE] and numbers[_FRAME]:
            texts[_FILE], numbers[_LINE] = self.source(numbers[_FRAME])
        return Metadata(texts[_OP_NAME], texts[_OP_TYPE], texts[_FILE], numbers[_LINE], texts[_TWIN])

    def source(self, frame: int) -> tuple[str, int]:
        """File and line of a stack frame; empty and 0 where it is not there."""
        return self._sources.get(frame, ("", 0))

    @cached_property
    def _sources(self) -> dict[int, tuple[str, int]]:
        """File and line of each stack frame; all three lists count from 1."""
        spans = [span for module in self._modules for span in self.spans(*module, _FRAMES)]
        files = [self.text(*s, _LONGEST) for span in spans for s in self.spans(*span, _FILES)]
        places = [self.small(*s) for span in spans for s in self.spans(*span, _LOCATIONS)]
        at = {i: (place.get(_AT_FILE, 0), place.get(_AT_LINE, 0)) for i, place in enumerate(places, 1)}
        named = {i: (files[file - 1], line) for i, (file, line) in at.items() if 0 < file <= len(files)}
        frames = [self.small(*s) for span in spans for s in self.spans(*span, _STACK_FRAMES)]
        return {i: named.get(frame.get(_AT_LOCATION, 0), ("", 0)) for i, frame in enumerate(frames, 1)}

    def small(self, begin: int, end: int) -> dict[int, int]:
        """The plain numbers of a message, by field."""
        return {number: signed(value) for number, value, high in self.fields(begin, end) if high < 0}

    def lists(self, begin: int, end: int) -> dict[int, list[int]]:
        """The numbers of a message, packed or one by one, by field."""
        numbers: dict[int, list[int]] = {}
        for number, value, high in self.fields(begin, end):
            numbers.setdefault(number, []).extend([signed(value)] if high < 0 else self.numbers(value, high))
        return numbers

    def windows(self, one: Instruction) -> list[dict[int, list[int]]]:
        """WindowDimension of each spatial dimension, field by field."""
        return [self.lists(*span) for span in self.spans(*one.window, _WINDOW_DIMENSIONS)]

    def shape(self, one: Instruction) -> Shape:
        begin, end = one.shape
        if begin not in self._shapes_at:
            text = self.data[begin:end]
            if text not in self._shapes:
                made = self._shapes[text] = self._shape(one.shape)
                self.spaces.update(array.space for array in (made, *made.parts))
            self._shapes_at[begin] = self._shapes[text]
        return self._shapes_at[begin]

    def _shape(self, span: Span) -> Shape:
        """Tuples are gone through level by level; what lies deeper than `_MAX_DEPTH` is unknown."""
        flat, within = self._flat(*span)
        if not within:
            return flat
        parts: list[Shape] = []
        waiting = [(part, 1) for part in reversed(within)]
        while waiting and len(parts) < _MAX_PARTS:
            part, depth = waiting.pop()
            part_shape, inner = self._flat(*part)
            if inner and depth < _MAX_DEPTH:
                waiting += [(one, depth + 1) for one in reversed(inner)]
            else:
                parts.append(part_shape)
        return flat._replace(element="tuple", dimensions=(), parts=tuple(parts))

    def _flat(self, begin: int, end: int) -> tuple[Shape, list[Span]]:
        element = space = 0
        dimensions: list[int] = []
        within = []
        for number, value, high in self.fields(begin, end):
            if number == _TYPE and high < 0:
                element = value
            elif number == _DIMENSIONS:
                dimensions += [signed(value)] if high < 0 else self.numbers(value, high)
            elif number == _TUPLE and high >= 0:
                within.append((value, high))
            elif number == _LAYOUT and high >= 0:
                space = self.small(value, high).get(_SPACE, 0)
        if len(dimensions) > _MAX_RANK:
            element = 0
        return Shape(_TYPES.get(element, ""), tuple(dimensions[:_MAX_RANK]), space), within
