"""The messages of an XLA program → instructions, their shapes and metadata, each read when asked for.

Read are, of HloProto.hlo_module, its computations and stack frames. Of an instruction: name, opcode, shape, metadata,
operands, called computations, what a dot, a convolution and a custom call compute, and its backend's configuration."""

from __future__ import annotations

import itertools
import math
import zlib
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, Capture, PlaneKind, StatKind, alike, among, at_once, grouped, interned
from ...wire import NOWHERE, Budget, Message, Span, signed
from ..names.ops import copy_op, names_an_op
from ..timeline import Timeline, derived, is_integer

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

#: HloModuleProto.host_program_shape: parameters and result.
_PROGRAM_SHAPE = 4

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


# An XLA program: its computations, its instructions by name, and what the framework calls them.

with suppress(ImportError):  # as in `reader.py`, which says whether it is compiled
    from . import native

#: Instructions that stand for what they run, and how far back from its result to look for a name.
_RUNS = ("fusion", "call", "async-start")


_FREE = ("parameter", "constant", "bitcast", "tuple", "get-tuple-element")


PRODUCTS = ("dot", "convolution")


#: Ops that XLA moves into a product's operands.
_RESHAPES = regex(r"/(?:transpose|reshape|squeeze|convert_element_type|broadcast_in_dim|copy)\Z")


_MAX_STEPS = 100


class Computation:
    """Instructions by id; read as a whole or one by one."""

    def __init__(self, program: Program, span: Span, spans: list[Span], root: int) -> None:
        self._program, self.span, self.spans, self.root_id = program, span, spans, root
        self._found: dict[int, tuple[int, Instruction]] = {}

    def at(self, place: int) -> Instruction:
        return self._at(place)[1]

    def _at(self, place: int) -> tuple[int, Instruction]:
        if place not in self._found:
            self._found[place] = self._program.read(*self.spans[place])
        return self._found[place]

    @cached_property
    def name(self) -> str:
        return self._program.text(*next(self._program.spans(*self.span, _NAME), NOWHERE), _LONGEST)

    @cached_property
    def instructions(self) -> dict[int, Instruction]:
        """By id; those before the program's budget is spent."""
        budget = self._program.budget
        places = itertools.takewhile(lambda _: budget.left > 0, range(len(self.spans)))
        return dict(self._at(place) for place in places)

    @cached_property
    def work(self) -> list[Instruction]:
        """All but its parameters and what only joins or picks."""
        return [one for one in self.instructions.values() if one.opcode not in _FREE]

    @cached_property
    def products(self) -> list[Instruction]:
        return [one for one in self.instructions.values() if one.opcode in PRODUCTS]

    @property
    def root(self) -> Instruction | None:
        """The instruction that gives the result; where nothing says, the last one."""
        instructions = self.instructions
        return instructions.get(self.root_id) or (instructions[next(reversed(instructions))] if instructions else None)


class Program(Reader):
    """One module."""

    @cached_property
    def computations(self) -> dict[int, Computation]:
        """By id."""
        spans = [span for module in self._modules for span in self.spans(*module, _COMPUTATIONS)]
        return dict(self._computation(*span) for span in spans)

    def _computation(self, begin: int, end: int) -> tuple[int, Computation]:
        key, root, spans = self._begun(begin, end)
        return key, Computation(self, (begin, end), spans, root)

    def _begun(self, begin: int, end: int) -> tuple[int, int, list[Span]]:
        """Of a computation: its id, that of its result, and where its instructions are."""
        if self.compiled:
            self.budget.left, *found = native.computation(self.data, begin, end, self.budget.left)
            return found[0], found[1], found[2]
        key, root = 0, -1
        spans = []
        for number, value, high in self.fields(begin, end):
            if number == _INSTRUCTIONS and high >= 0:
                spans.append((value, high))
            elif number == _COMPUTATION_ID and high < 0:
                key = signed(value)
            elif number == _ROOT_ID and high < 0:
                root = signed(value)
        return key, root, spans

    @cached_property
    def _names(self) -> dict[str, tuple[Computation, int]]:
        """Where each instruction is; of equal names the last one."""
        places: dict[str, tuple[Computation, int]] = {}
        for computation in self.computations.values():
            names = self._names_at(computation.spans)
            places.update(zip(names, zip(itertools.repeat(computation), itertools.count()), strict=False))
        return places

    def _names_at(self, spans: list[Span]) -> Iterable[str]:
        if self.compiled:
            found: list[str]
            self.budget.left, found = native.names(self.data, spans, self.budget.left, _LONGEST)
            return found
        return (self.text(*next(self.spans(*span, _NAME), NOWHERE), _LONGEST) for span in spans)

    def find(self, name: str) -> Instruction | None:
        """Of a path `while.1::dot.2` its last part."""
        computation, place = self._names.get(last_name(name), (None, 0))
        return computation.at(place) if computation else None

    @property
    def digest(self) -> int:
        """Of what it takes and gives, and of how many computations it has: equal of equal programs, and of two that
        share no more than a name hardly ever; read without its instructions. 0 where the message does not say.
        """
        shapes = self.in_module(_PROGRAM_SHAPE)
        count = sum(1 for module in self._modules for _ in self.spans(*module, _COMPUTATIONS))
        return zlib.crc32(self.data[slice(*shapes)], count) if shapes else 0

    def span(self, name: str) -> Span:
        """Where its message is."""
        computation, place = self._names.get(last_name(name), (None, 0))
        return computation.spans[place] if computation else NOWHERE

    def computation_of(self, name: str) -> Computation | None:
        """That holds the instruction."""
        return self._names.get(last_name(name), (None, 0))[0]

    def around(self, name: str) -> dict[int, Instruction]:
        """The instructions of its computation, by id."""
        computation = self.computation_of(name)
        return computation.instructions if computation else {}

    def in_loop(self, name: str) -> bool:
        """Whether a computation that others call holds it, which may run more than once a run of the program."""
        return self.computation_of(name) is not self.entry

    @cached_property
    def buffers(self) -> dict[str, str]:
        """Computations that are recorded as graphs of CUDA → the instruction that runs each."""
        names = {key: one.name for key, one in self.computations.items() if in_buffer(one.name)}
        if not names:
            return {}
        every = [one for computation in self.computations.values() for one in computation.instructions.values()]
        return {names[one.called[0]]: one.name for one in every if one.called and one.called[0] in names}

    @property
    def recorded(self) -> list[Instruction]:
        """What these graphs run."""
        return [work for one in self.computations.values() if one.name in self.buffers for work in one.work]

    @cached_property
    def entry_id(self) -> int | None:
        """Of the computation that the program runs."""
        entry = [signed(v) for m in self._modules for number, v, high in self.fields(*m) if number == 6 and high < 0]
        return entry[-1] if entry else None

    @property
    def entry(self) -> Computation | None:
        return None if self.entry_id is None else self.computations.get(self.entry_id)

    def named(self, name: str) -> Metadata | None:
        """What names an instruction: the largest product that it is or runs, else its own metadata, else those of what
        it runs, from the result backwards.
        """
        if name not in self._named:
            self._named[name] = self._found_name(name)
        return self._named[name]

    @cached_property
    def _named(self) -> dict[str, Metadata | None]:
        return {}

    def _found_name(self, name: str) -> Metadata | None:
        one = self.find(name)
        if (product := self.product(one)) is not None:
            return product
        around: dict[int, Instruction] = {}
        for _ in range(_MAX_STEPS):
            if one is None:
                return None
            metadata = self.metadata(one)
            if names_an_op(metadata.op_name, metadata.op_type):
                return metadata
            if one.called and one.opcode in _RUNS:
                inner = self._single(one)
                around = inner.instructions if inner else {}
                one = inner.root if inner else None
            else:
                one = around.get(one.operands[0]) if one.operands else None
        return None

    def product(self, one: Instruction | None) -> Metadata | None:
        """What names the largest product of matrices, or convolution, of an instruction: it is what takes the time.

        XLA turns the transpose of a product into the product of swapped operands, and leaves it the transpose's name:
        such a product's type is XLA's own.
        """
        if one is not None and one.opcode == "fusion" and one.called:
            inner = self._single(one)
            one = self._largest_product(inner) if inner else None
        if one is None or one.opcode not in PRODUCTS:
            return None
        metadata = self.metadata(one)
        if not names_an_op(metadata.op_name, metadata.op_type):
            return None
        renamed = not metadata.op_type and _RESHAPES.search(metadata.op_name)
        return metadata._replace(op_type=one.opcode) if renamed else metadata

    def _largest_product(self, inner: Computation) -> Instruction | None:
        """By the elements of what it takes, times those of its result: of matrices (rows × summed × columns)². Of equal
        ones the first; None without products.
        """

        def size(one: Instruction) -> int:
            given = [inner.instructions[i] for i in one.operands[:2] if i in inner.instructions]
            return math.prod(max(n, 0) for each in (one, *given) for n in self.shape(each).dimensions)

        return max(inner.products, key=size, default=None)

    def _single(self, one: Instruction) -> Computation | None:
        """What it runs, if that is one thing: a fusion, or one instruction."""
        inner = self.computations.get(one.called[0])
        if inner is None or one.opcode == "fusion":
            return inner
        return inner if len(inner.work) == 1 else None


#: What XLA calls a computation that it records as a graph, and what ran in that.
BUFFER = "command_buffer"


def in_buffer(name: str) -> bool:
    return name.partition(".")[0] == BUFFER


def last_name(name: str) -> str:
    return name.rpartition("::")[2].lstrip("%")


# The XLA programs that a capture holds, by module and number.

METADATA_PLANE = "/host:metadata"
_PROTOS = ("Hlo Proto", "HLO Proto", "hlo_proto")
_64_BITS = (1 << 64) - 1
#: Fields and numbers that are read of a capture's programs, the first ones: of some 200,000 instructions.
_MAX_FIELDS = 2_500_000


class Programs:
    """The programs of a capture."""

    def __init__(self, capture: Capture, budget: int = _MAX_FIELDS) -> None:
        self._capture = capture
        self._budget = Budget(budget)
        self._read: dict[str, Program] = {}

    @cached_property
    def blobs(self) -> dict[str, bytes]:
        """`module(program id)` → message."""
        capture, messages = self._capture, {}
        planes = np.flatnonzero(capture.planes.name == capture.strings.find(METADATA_PLANE))
        for kind in np.flatnonzero(among(capture.kinds.plane, planes)).tolist():
            facts = capture.values(int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind]))
            message = next((value for key, value in facts if key in _PROTOS and isinstance(value, bytes)), None)
            if message is not None:
                messages[capture.strings[int(capture.kinds.name[kind])]] = message
        return messages

    @cached_property
    def _by_id(self) -> dict[int, str]:
        return {number: key for key in self.blobs for number in [_number(key)] if number is not None}

    @cached_property
    def _by_module(self) -> dict[str, str]:
        """Modules of which there is one only."""
        names = [key.rpartition("(")[0] for key in self.blobs]
        count = Counter(names)
        return {name: key for key, name in zip(self.blobs, names, strict=True) if count[name] == 1}

    def program(self, module: str, number: int | None) -> Program | None:
        """By name and id; where an event gives one of these only, by that, as far as it is clear."""
        return self.read(self._key(module, number))

    def read(self, key: str) -> Program | None:
        """By its key in `blobs`."""
        if key not in self.blobs:
            return None
        if key not in self._read:
            self._read[key] = Program(self.blobs[key], self._budget)
        return self._read[key]

    def called(self, module: str, number: int | None) -> str:
        """Its key in `blobs`, or one alike for a program that the capture names and does not hold."""
        key = self._key(module, number)
        if key or number is None:
            return key or module
        return f"{module}({number & _64_BITS})"

    def _key(self, module: str, number: int | None) -> str:
        if number is None:
            return self._by_module.get(module, "")
        key = f"{module}({number & _64_BITS})"
        return key if key in self.blobs else self._by_id.get(number & _64_BITS, "")


@derived
def programs_of(timeline: Timeline) -> Programs:
    """The XLA programs that the capture holds."""
    return Programs(timeline.capture)


def _number(key: str) -> int | None:
    number = key.rpartition("(")[2]
    return int(number[:-1]) & _64_BITS if number[-1:] == ")" and number[:-1].isdecimal() and len(number) < 25 else None


# Events that name an XLA instruction → which instruction of which program each of them ran.

#: Events that are looked at at a time: of two million at once, a column of one stat takes 18 MB.
_AT_A_TIME = 1 << 18


class Named(NamedTuple):
    """A distinct instruction: its program's name and id (None where events give none), its own name or path."""

    module: str
    program: int | None
    instruction: str


class Instructions(NamedTuple):
    """By event the index of its instruction in `named`, -1 where it names none; empty where no event names any."""

    which: I32
    named: tuple[Named, ...]

    def named_index(self, rows: I64) -> I32:
        """Index in `named` of some events, -1 where they name none; only to be read."""
        return self.which[at_once(rows)] if len(self.which) else np.broadcast_to(np.int32(-1), len(rows))


@derived
def instructions_of(timeline: Timeline) -> Instructions:
    """Which events ran which XLA instruction, by the stats `hlo_op`, `hlo_module` and `program_id`; of graphs of CUDA
    by what they were recorded from."""
    if not any(map(timeline.has_stat, ("hlo_op", *_OF_GRAPHS))):
        return Instructions(np.empty(0, np.int32), ())
    n, strings = len(timeline.capture.events), timeline.capture.strings
    which, seen = np.full(n, -1, np.int32), dict[_Key, int]()
    for begin in range(0, n, _AT_A_TIME):
        _instructions_number(timeline, np.arange(begin, min(begin + _AT_A_TIME, n)), which, seen)
    ordered = sorted(seen)
    place = np.full(len(seen) + 1, -1, np.int32)
    place[[seen[key] for key in ordered]] = np.arange(len(seen), dtype=np.int32)
    named = [Named(strings[key.module], key.program if key.given else None, strings[key.op]) for key in ordered]
    return _with_graphs(timeline, place[which], named)


class _Key(NamedTuple):
    """String ids of the instruction and its module; the program's id, 0 where it is not given."""

    op: int
    module: int
    given: bool
    program: int


def _instructions_number(timeline: Timeline, rows: I64, which: I32, seen: dict[_Key, int]) -> None:
    """Numbers the instructions of some events, as they come."""
    op, kind = timeline.stat_of("hlo_op", rows)
    inside = np.flatnonzero(kind == StatKind.TEXT)
    if not len(inside):
        return
    op, rows = op[inside], rows[inside]
    module, kind = timeline.stat_of("hlo_module", rows)
    module = np.where(kind == StatKind.TEXT, module, 0)
    program, kind = timeline.stat_of("program_id", rows)
    given = is_integer(kind)
    place, first = grouped(op, module, given, np.where(given, program, 0))
    keys = map(_Key, *(column[first].tolist() for column in (op, module, given, np.where(given, program, 0))))
    which[at_once(rows)] = interned(keys, seen)[place]


# What ran in graphs of CUDA (XLA's command buffers), whose events name no instruction, or the buffer → instructions.
#
# `cuGraphAddKernelNode…` names the instruction of each node that it adds, `CudaGraphNodeMap` the node that another was
# made from. Where a graph was recorded before the capture began, kernels that XLA compiled are called as their
# instructions are, and the only one that is not runs the only instruction that is left, if that is a product. What is
# still not known ran for the instruction that runs the buffer.

_NODE, _MADE_FROM = "cuda_graph_node_id", "cuda_graph_orig_node_id"
_OF_GRAPHS = (_NODE, "cuda_graph_id", "cuda_graph_exec_id")
_NO_IDENTIFIER = regex(r"[^A-Za-z0-9_]")


def _with_graphs(timeline: Timeline, which: I32, named: list[Named]) -> Instructions:
    capture, used = timeline.capture, [key for key in _OF_GRAPHS if timeline.has_stat(key)]
    if not used:
        return Instructions(which, tuple(named))
    on_gpu = (capture.planes.kind == PlaneKind.GPU)[capture.tracks.plane[capture.events.track]]
    is_buffer = np.array([in_buffer(one.instruction) for one in named] + [True], bool)
    rows = np.flatnonzero(on_gpu & is_buffer[which] & np.any([timeline.stat(key)[1] > 0 for key in used], axis=0))
    which = which.copy()
    which[rows] = _by_node(timeline, which, rows, on_gpu)
    rows = rows[is_buffer[which[rows]]]
    index = {one: i for i, one in enumerate(named)}
    for places in alike(which[rows]):
        of_one = rows[places]
        whose = named[which[of_one[0]]] if which[of_one[0]] >= 0 else None
        key = _recorded_program(programs_of(timeline), whose)
        program = programs_of(timeline).read(key)
        if program is None:
            continue
        module, _, number = key.rpartition("(")
        base = whose or Named(module, int(number[:-1]) if number[:-1].isdecimal() else None, "")
        names, at_name = np.unique(capture.events.name[of_one], return_inverse=True)
        by_name = _by_name(program, [capture.strings[name] for name in names.tolist()], base.instruction)
        numbers = [index.setdefault(base._replace(instruction=one), len(index)) if one else -1 for one in by_name]
        known = np.array(numbers, np.int32)[at_name]
        which[of_one[known >= 0]] = known[known >= 0]
    return Instructions(which, tuple(index))


def _by_node(timeline: Timeline, which: I32, rows: I64, on_gpu: NDArray[np.bool_]) -> I32:
    """By row the instruction that its node was added for; what it is already, where that is not recorded."""
    node, kind = timeline.stat(_NODE)
    other, made = timeline.stat(_MADE_FROM)
    has = is_integer(kind) & ~on_gpu
    added, copied = np.flatnonzero(has & (which >= 0)), np.flatnonzero(has & is_integer(made))
    of = dict(zip(node[added].tolist(), which[added].tolist(), strict=True))
    of |= {n: of[o] for n, o in zip(node[copied].tolist(), other[copied].tolist(), strict=True) if o in of}
    nodes, at = np.unique(node[rows], return_inverse=True)
    known = np.array([of.get(n, -1) for n in nodes.tolist()], np.int32)[at]
    return np.where((known >= 0) & is_integer(kind[rows]), known, which[rows])


def _recorded_program(programs: Programs, whose: Named | None) -> str:
    """The key of the program that an event names, else of the only one that has graphs; empty where that is unclear."""
    if whose is not None:
        return programs.called(whose.module, whose.program)
    having = [key for key in programs.blobs if (program := programs.read(key)) and program.buffers]
    return having[0] if len(having) == 1 else ""


def _by_name(program: Program, kernels: list[str], buffer: str) -> list[str]:
    """The instruction of each kernel; that which runs the buffer where it is not known; else empty."""
    calls = program.buffers
    whole = calls.get(buffer) or (next(iter(calls.values())) if len(calls) == 1 else "")
    names = [one.name for one in program.recorded]
    called = {_NO_IDENTIFIER.sub("_", name): name for name in names}
    left = [one for one in program.recorded if _NO_IDENTIFIER.sub("_", one.name) not in kernels]
    other = [kernel for kernel in kernels if kernel not in called and copy_op(kernel) is None]
    if len(other) == len(left) == 1 and left[0].opcode in (*PRODUCTS, "custom-call"):
        called[other[0]] = left[0].name
    return [called.get(kernel, whole) for kernel in kernels]
