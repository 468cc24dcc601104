"""An XLA program → the text of its instructions, its computations and itself, in XLA's own syntax, or as a graph."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ...wire import Span
from .reader import Computation, Instruction, Program
from .syntax import Parts, Shapes, attributes, config, frontend_attributes, joined, metadata, quoted, sharding

# An XLA program → what stands before its computations: its name, its parameters' layouts, its stack frames.

#: HloModuleProto.
_NAME_HEADER, _SHAPE, _SCHEDULE, _ALIASES, _ASSIGNED, _FRAMES, _DONORS, _ATTRIBUTES_HEADER = 1, 4, 7, 8, 15, 17, 18, 19
_ALIAS_KINDS = {1: "may-alias", 2: "must-alias"}


def lines(program: Program, shapes: Shapes) -> Iterator[str]:
    module = _module(program)
    yield ", ".join([f"HloModule {module.text(_NAME_HEADER)}", *_facts(module, shapes)])
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
    # The message lacks the module's configuration: of that only the sizes of the device assignment are known.
    assigned = module.one(_ASSIGNED)
    for name, count in (("replica_count", assigned.number(1)), ("num_partitions", assigned.number(2))):
        if count > 1:
            yield f"{name}={count}"
    if (text := frontend_attributes(module.one(_ATTRIBUTES_HEADER))) != "{}":
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


# A LiteralProto → the text of a constant: `2.5`, `{ { 1, 2 }, { 3, 4 } }`, `{...}` beyond ten elements, as XLA.

_MOST = 10
_SHAPE_LITERALS, _ELEMENT, _DIMENSIONS, _LAYOUT, _ORDER = 1, 2, 3, 5, 1
_PRED = 1


class Small(NamedTuple):
    """A floating-point type of at most a byte.

    special: its largest exponent means `infinity` (and NaN), or `nan` if the mantissa is full, or nothing, and then NaN
    is the negative `zero`, or is `never`.
    """

    exponent: int
    mantissa: int
    bias: int
    special: str = "infinity"


#: Of each PrimitiveType that literals hold as bytes, where (LiteralProto), and how struct reads one.
_BYTES = {2: (15, "b"), 3: (17, "<h"), 6: (3, "B"), 7: (16, "<H"), 10: (11, "<e"), 16: (13, "<H")}
_BYTES |= {kind: (kind, "B") for kind in (30, 26, 21, 31, 27, 22)}
#: Of integers of less than a byte: how many, and whether one of them is a sign.
_BITS = {30: (1, True), 26: (2, True), 21: (4, True), 31: (1, False), 27: (2, False), 22: (4, False)}
#: As varints, and whether one may have a sign.
_VARINTS = {1: (2, False), 4: (4, True), 5: (5, True), 8: (6, False), 9: (7, False)}
_FLOATS = {11: (8, "<f"), 12: (9, "<d"), 15: (12, "<ff"), 18: (18, "<dd")}
_SMALL = {
    19: (19, Small(5, 2, 15)),
    20: (20, Small(4, 3, 7, "nan")),
    23: (23, Small(4, 3, 11, "zero")),
    24: (24, Small(5, 2, 16, "zero")),
    25: (25, Small(4, 3, 8, "zero")),
    28: (28, Small(4, 3, 7)),
    29: (29, Small(3, 4, 3)),
    32: (32, Small(2, 1, 1, "never")),
}
#: A power of 2: f8e8m0fnu.
_SCALE = 33
#: Digits after which a float of so many bytes is the same when read again.
_DIGITS = {4: (6, 9), 8: (15, 17)}


def literal(parts: Parts) -> str:
    shape = parts.one(_SHAPE_LITERALS)
    sizes = shape.numbers(_DIMENSIONS)
    element = shape.number(_ELEMENT)
    count = math.prod(sizes) if min(sizes, default=0) >= 0 and len(sizes) <= _MOST else _MOST + 1
    if count > _MOST:
        return "{...}"
    if not count:
        return _empty(sizes)
    texts = _texts(parts, element, count, bool(sizes))
    if texts is None or len(texts) != count:
        return "{...}"
    return _nested(_logical(texts, sizes, shape.one(_LAYOUT).numbers(_ORDER)), sizes)


def _empty(sizes: Sequence[int]) -> str:
    """An array without elements, as far as it has rows."""
    rows = math.prod(sizes[:-1])
    if len(sizes) == 1 or rows > _MOST:
        return "{}" if rows <= _MOST else "{...}"
    return _nested(["{}"] * rows, sizes[:-1]) if rows else "{  }"


def _texts(parts: Parts, element: int, count: int, array: bool) -> list[str] | None:
    """In the order of memory."""
    if element in _VARINTS:
        number, signed = _VARINTS[element]
        values = parts.numbers(number)[:count]
        if element == _PRED and not array:
            return ["true" if value else "false" for value in values]
        return [str(value if signed else value & (1 << 64) - 1) for value in values]
    if element == _SCALE:
        return [_scale(byte) for byte in parts.raw(_SCALE)[:count]]
    if element in _SMALL:
        number, kind = _SMALL[element]
        return [_small(byte, kind) for byte in parts.raw(number)[:count]]
    if element in _BYTES:
        return _packed(parts, element, count)
    if element in _FLOATS:
        number, code = _FLOATS[element]
        size = struct.calcsize(code)
        raw = parts.raw(number)[: size * count]
        return [
            _floats(*one, size=size // len(one)) for one in struct.iter_unpack(code, raw[: len(raw) // size * size])
        ]
    return None


def _packed(parts: Parts, element: int, count: int) -> list[str]:
    number, code = _BYTES[element]
    size = struct.calcsize(code)
    raw = parts.raw(number)[: size * count]
    values = [one for (one,) in struct.iter_unpack(code, raw[: len(raw) // size * size])]
    special: dict[int, Callable[[float], str]] = {10: lambda value: _digits(value, 5), 16: _bfloat}
    if element in _BITS:
        bits, signed = _BITS[element]
        values = [(value & (1 << bits) - 1) - (signed and value >> (bits - 1) & 1) * (1 << bits) for value in values]
    return [special.get(element, str)(value) for value in values]


def _bfloat(bits: float) -> str:
    return _digits(struct.unpack("<f", struct.pack("<I", int(bits) << 16))[0], 4)


def _small(byte: int, kind: Small) -> str:
    sign = "-" if byte >> (kind.exponent + kind.mantissa) & 1 else ""
    full = (1 << kind.exponent) - 1, (1 << kind.mantissa) - 1
    exponent, mantissa = byte >> kind.mantissa & full[0], byte & full[1]
    if kind.special == "infinity" and exponent == full[0]:
        return sign + ("nan" if mantissa else "inf")
    if (kind.special == "nan" and (exponent, mantissa) == full) or (kind.special == "zero" and byte == 0x80):
        return sign + "nan"
    value = math.ldexp(mantissa + bool(exponent) * (full[1] + 1), max(exponent, 1) - kind.bias - kind.mantissa)
    return sign + _digits(value, math.ceil(1 + (kind.mantissa + 1) * math.log10(2)))


def _scale(byte: int) -> str:
    return "nan" if byte == 0xFF else _digits(math.ldexp(1.0, byte - 127), 2)


def _floats(*values: float, size: int) -> str:
    texts = [_float(value, size) for value in values]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _float(value: float, size: int) -> str:
    few, many = _DIGITS[size]
    short = _digits(value, few)
    code = "<f" if size == 4 else "<d"
    return (
        short if value != value or struct.pack(code, float(short)) == struct.pack(code, value) else _digits(value, many)
    )


def _digits(value: float, digits: int) -> str:
    return f"{value:.{digits}g}" if value == value else "nan" if math.copysign(1, value) > 0 else "-nan"


def _logical(texts: list[str], sizes: Sequence[int], order: Sequence[int]) -> list[str]:
    """From the order of memory, whose fastest dimension comes first in `order`, to that of the indices."""
    if sorted(order) != list(range(len(sizes))):
        return texts
    strides = dict.fromkeys(order, 1)
    step = 1
    for dimension in order:
        strides[dimension] = step
        step *= sizes[dimension]
    places = [0]
    for dimension, size in enumerate(sizes):
        places = [place + i * strides[dimension] for place in places for i in range(size)]
    return [texts[place] for place in places]


def _nested(texts: list[str], sizes: Sequence[int]) -> str:
    """Braces of a row stand close where it has one element, or is all."""
    if not sizes:
        return texts[0]
    for axis in range(len(sizes) - 1, -1, -1):
        size, row = sizes[axis], axis == len(sizes) - 1
        groups = [texts[i : i + size] for i in range(0, len(texts), size)] if size else [[]]
        close = row and (size <= 1 or not axis) and not texts[0].startswith("{")
        texts = [("{%s}" if close else "{ %s }") % ", ".join(group) for group in groups]
    return texts[0]


# An XLA program → the text of its instructions, its computations and itself, in XLA's own syntax.
#
# `%fusion.3 = f32[16,32]{1,0} fusion(%p0), kind=kLoop, calls=%fused_computation.3, metadata={op_name="jit(f)/add"}`
#
# As `xla_dump_to` writes it, but for what takes much room or is nothing to read: constants of more than ten elements
# are
# `{...}` there, too; texts are cut after 4,000 bytes, a backend's configuration after 16 KiB, a line after 128 KiB;
# metadata that name only a stack frame also give its file and line; letters beyond ASCII stay as they are.
# Not written: where an instruction's value came from (`origin`), and statistics.

#: HloInstructionProto.
_METADATA, _LITERAL, _PARAMETER, _CONTROL, _SHARDING, _CONFIG = 7, 8, 9, 37, 40, 43
_ENTRY_SHARDING, _EXIT_SHARDING, _ATTRIBUTES, _THREAD, _COMPOSITE = 55, 54, 68, 79, 89
#: HloComputationProto.
_NAME, _PROGRAM_SHAPE, _EXECUTION_THREAD = 1, 4, 8
MAX_LINE = 1 << 17
_MAX_SHAPE = 2000
_MAIN_THREAD = "main"
_APPLIED = frozenset(
    (
        *("call", "map", "reduce", "reduce-window", "all-reduce", "all-reduce-start", "reduce-scatter", "scatter"),
        *("sort", "topk"),
    )
)
_ASYNC = ("async-start", "async-update", "async-done")
#: From what ends something asynchronous back to its start.
_MAX_STEPS = 100
Around = Mapping[int, Instruction]


class Writer:
    """Of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._shapes = Shapes(program)
        self._single: dict[int, Instruction | None] = {}

    def expression(self, name: str, shapes: bool = True, details: bool = True) -> str:
        """One instruction; empty where the program has none of this name.

        shapes: also of operands, as a TPU names its events; details: sharding, metadata and configuration.
        """
        span = self._program.span(name)
        return self._line(span, self._program.around(name), shapes, details) if span[1] else ""

    def line(self, one: Instruction, around: Around, shapes: bool = True, details: bool = True) -> str:
        """As `expression`, of an instruction that was read. around: those of its computation, by id."""
        return self._line(one.span, around, shapes, details)

    def shape(self, one: Instruction) -> str:
        """Of its result, with its layout; cut where it is very long."""
        text = self._shapes.text(one.shape)
        return text if len(text) <= _MAX_SHAPE else text[:_MAX_SHAPE] + " ..."

    def module(self) -> Iterator[str]:
        """The lines of the whole program. Ends where the program's budget of fields is spent."""
        yield from lines(self._program, self._shapes)
        for key, computation in self._program.computations.items():
            if not self._is_sugar(computation):
                yield ""
                yield from self.computation(key, computation)
            if self._program.budget.left <= 0:
                yield "// ... what follows was not read"
                return

    def computation(self, key: int, computation: Computation) -> Iterator[str]:
        """Its lines, in the order in which they run where that is known."""
        parts = Parts(self._program, computation.span)
        entry = "ENTRY " if computation is self._program.entry else ""
        yield f"{entry}%{parts.text(_NAME)} {self._program_shape(parts.one(_PROGRAM_SHAPE))} {{"
        around, root = computation.instructions, computation.root
        for one, span in self._in_order(key, computation):
            yield ("  ROOT " if one is root else "  ") + self._line(span, around, False, True)
        thread = parts.text(_EXECUTION_THREAD)
        yield "}" + (f', execution_thread="{thread}"' if thread not in ("", _MAIN_THREAD) else "")

    def _in_order(self, key: int, computation: Computation) -> Iterator[tuple[Instruction, Span]]:
        spans = dict(zip(computation.instructions, computation.spans, strict=False))
        order = self._schedule.get(key, [])
        scheduled = len(order) == len(spans) and spans.keys() == set(order)
        for i in order if scheduled else spans:
            yield computation.instructions[i], spans[i]

    @cached_property
    def _schedule(self) -> dict[int, list[int]]:
        return schedule(self._program)

    def _program_shape(self, parts: Parts) -> str:
        names = list(parts.texts(3))
        shapes = [self._shapes.text(span, layout=False) for span in parts.spans(1)]
        names += [f"parameter.{i}" for i in range(len(names), len(shapes))]
        given = ", ".join(f"{name}: {shape}" for name, shape in zip(names, shapes, strict=False))
        result = "".join(self._shapes.text(span, layout=False) for span in list(parts.spans(2))[-1:])
        return f"({given}) -> {result}"

    def _line(self, span: Span, around: Around, shapes: bool, details: bool) -> str:
        parts = Parts(self._program, span)
        _, one = self._program.read(*span)
        wrapped = self._wrapped(one, around)
        opcode = one.opcode if wrapped is None else wrapped.opcode + one.opcode.removeprefix("async")
        given = self._given(one, parts, around, shapes)
        words = [*self._words(one, parts, around, wrapped), *(self._details(parts, around) if details else ())]
        text = ", ".join([f"%{one.name} = {self._shapes.text(one.shape)} {opcode}({given})", *words])
        return text if len(text) <= MAX_LINE else text[:MAX_LINE] + " ..."

    def _given(self, one: Instruction, parts: Parts, around: Around, shapes: bool) -> str:
        if one.opcode == "parameter":
            return str(parts.number(_PARAMETER))
        if one.opcode == "constant":
            return literal(parts.one(_LITERAL)) if _LITERAL in parts else "{...}"
        return joined(self._operand(key, around, shapes) for key in one.operands)

    def _operand(self, key: int, around: Around, shapes: bool) -> str:
        other = around.get(key)
        if other is None:
            return f"%{key}"
        return f"{self._shapes.text(other.shape)} %{other.name}" if shapes else f"%{other.name}"

    def _words(self, one: Instruction, parts: Parts, around: Around, wrapped: Instruction | None) -> Iterable[str]:
        thread = parts.text(_THREAD)
        if one.opcode == "async-start" and thread not in ("", _MAIN_THREAD):
            yield f'async_execution_thread="{thread}"'
        if wrapped is not None and one.opcode == "async-start":
            yield from attributes(wrapped.opcode, Parts(self._program, wrapped.span), self._shapes)
            yield from self._called(wrapped, around)
            return
        yield from attributes(one.opcode, parts, self._shapes)
        if one.opcode == "domain":
            entry, exit_ = (self._sharding(parts.one(i)) for i in (_ENTRY_SHARDING, _EXIT_SHARDING))
            yield f'domain={{kind="sharding", entry={entry}, exit={exit_}}}'
        yield from self._called(one, around)
        if one.opcode == "call" and parts.number(_COMPOSITE):
            yield "is_composite=true"

    def _details(self, parts: Parts, around: Around) -> Iterable[str]:
        if _SHARDING in parts:
            yield f"sharding={self._sharding(parts.one(_SHARDING))}"
        if _ATTRIBUTES in parts and (text := frontend_attributes(parts.one(_ATTRIBUTES))) != "{}":
            yield f"frontend_attributes={text}"
        if before := parts.numbers(_CONTROL):
            yield f"control-predecessors={{{', '.join(self._operand(key, around, False) for key in before)}}}"
        if text := metadata(parts.one(_METADATA), self._program.source):
            yield f"metadata={{{text}}}"
        if parts.size(_CONFIG):
            yield f"backend_config={config(parts, _CONFIG)}"

    def _sharding(self, parts: Parts) -> str:
        return sharding(parts, lambda one: metadata(one, self._program.source))

    def _called(self, one: Instruction, around: Around) -> Iterable[str]:
        names = [f"%{self._computation_name(key)}" for key in one.called]
        if not names or one.opcode in _ASYNC[1:]:
            return
        if one.opcode == "while" and len(names) == 2:
            yield f"condition={names[1]}"
            yield f"body={names[0]}"
        elif one.opcode == "select-and-scatter" and len(names) == 2:
            yield f"select={names[0]}"
            yield f"scatter={names[1]}"
        elif one.opcode == "conditional":
            yield from self._branches(one, names, around)
        elif one.opcode in _APPLIED:
            yield f"to_apply={names[0]}"
        elif one.opcode == "custom-call":
            yield f"called_computations={{{', '.join(names)}}}"
        else:
            yield f"calls={names[0] if len(names) == 1 else '{' + ', '.join(names) + '}'}"

    def _branches(self, one: Instruction, names: list[str], around: Around) -> Iterable[str]:
        chosen = around.get(one.operands[0]) if one.operands else None
        if len(names) == 2 and chosen is not None and self._program.shape(chosen).element == "pred":
            yield f"true_computation={names[0]}"
            yield f"false_computation={names[1]}"
        else:
            yield f"branch_computations={{{', '.join(names)}}}"

    def _computation_name(self, key: int) -> str:
        computation = self._program.computations.get(key)
        return computation.name if computation else str(key)

    def _wrapped(self, one: Instruction, around: Around) -> Instruction | None:
        """What something asynchronous runs, where that is one instruction of the same operands: written in place."""
        if one.opcode not in _ASYNC:
            return None
        for _ in range(_MAX_STEPS):
            if one.called or not one.operands or one.operands[0] not in around:
                break
            one = around[one.operands[0]]
        return self._sole(one.called[0]) if one.opcode in _ASYNC and one.called else None

    def _sole(self, key: int) -> Instruction | None:
        if key not in self._single:
            computation = self._program.computations.get(key)
            self._single[key] = _sole(computation) if computation else None
        return self._single[key]

    def _is_sugar(self, computation: Computation) -> bool:
        return computation in self._sugar

    @cached_property
    def _sugar(self) -> set[Computation]:
        """Computations that are written where they are started."""
        called = (
            one.called[0]
            for computation in self._program.computations.values()
            for one in computation.instructions.values()
            if one.opcode in _ASYNC and one.called
        )
        return {self._program.computations[key] for key in called if self._sole(key) is not None}


def _sole(computation: Computation) -> Instruction | None:
    """The only instruction beside the parameters, if it takes each of these in order."""
    root = computation.root
    parameters = [key for key, one in computation.instructions.items() if one.opcode == "parameter"]
    if root is None or len(parameters) + 1 != len(computation.instructions) or root.opcode in ("parameter", *_ASYNC):
        return None
    return root if list(root.operands) == parameters else None


# An XLA program → a graph in Graphviz's language: a box a computation, a node an instruction, an edge an operand.

#: Of a name or a shape in a label.
_LONGEST = 300


def dot_text(program: Program) -> Iterator[str]:
    """The lines. Ends where the program's budget of fields is spent; dashed edges lead to what an instruction calls."""
    shapes = Shapes(program)
    yield "digraph program {"
    yield "  node [shape=box, fontname=monospace, fontsize=10]"
    for number, computation in program.computations.items():
        yield f"  subgraph cluster_{_number(number)} {{"
        yield f"    label={_quoted(computation.name)}"
        for key, one in computation.instructions.items():
            label = f"{_cut(one.name)}\n{one.opcode}\n{_cut(shapes.text(one.shape))}"
            bold = ", style=bold" if one is computation.root else ""
            yield f"    {_node(number, key)} [label={_quoted(label)}{bold}]"
        yield "  }"
        yield from _edges(program, number, computation)
        if program.budget.left <= 0:
            yield "  // ... what follows was not read"
            break
    yield "}"


def _edges(program: Program, number: int, computation: Computation) -> Iterator[str]:
    around = computation.instructions
    for key, one in around.items():
        for operand in one.operands:
            if operand in around:
                yield f"  {_node(number, operand)} -> {_node(number, key)}"
        for called in dict.fromkeys(one.called):
            inner = program.computations.get(called)
            root = next((k for k, other in inner.instructions.items() if other is inner.root), None) if inner else None
            if root is not None:
                yield f"  {_node(called, root)} -> {_node(number, key)} [style=dashed]"


def _node(number: int, key: int) -> str:
    return f"n{_number(number)}_{_number(key)}"


def _number(number: int) -> str:
    """Without a sign, which would need quotes."""
    return str(number & (1 << 64) - 1)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _quoted(text: str) -> str:
    """Line ends are written as Graphviz does; other control characters are no part of a label."""
    plain = "".join(letter for letter in text if letter == "\n" or letter.isprintable())
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


# The text of an XLA program's instructions, computations and of itself (`HloModule …`), in XLA's syntax.


def expression(program: Program, name: str, *, shapes: bool = True, details: bool = True) -> str:
    """One instruction, `%add.1 = f32[8]{0} add(f32[8]{0} %a, f32[8]{0} %b), metadata={…}`; empty where there is none.

    shapes: also of its operands, as a TPU names its events; details: its sharding, metadata and configuration. Of many
    instructions ask one `Writer`.
    """
    return Writer(program).expression(name, shapes, details)


def module_text(program: Program) -> Iterator[str]:
    """The lines of the whole program."""
    return Writer(program).module()


# An XLA program → the order in which its instructions run, with those of what it calls in their places.

#: What runs other computations as part of the program; what a fusion or a reduction calls has no place of its own.
_RUNS = ("call", "conditional", "while", "async-start")


class Placed(NamedTuple):
    """An instruction in its place. key: its id. computation: that which it is of, by id."""

    key: int
    computation: int
    instruction: Instruction


class _At:
    """A computation that is gone through."""

    def __init__(self, computation: int, ids: list[int]) -> None:
        self.computation, self.ids, self.at, self.entered = computation, ids, 0, False


def in_order(program: Program) -> list[Placed]:
    """All instructions that run, each once: a loop's condition, its body, then the loop itself.

    Without a schedule a computation's instructions stand as in the file, where operands come before their users.
    """
    entry = program.entry_id if program.entry_id is not None else next(reversed(program.computations), None)
    ordered = schedule(program)
    placed: list[Placed] = []
    seen: set[int] = set()
    waiting: list[_At] = []

    def enter(key: int) -> None:
        if key in program.computations and key not in seen:
            seen.add(key)
            waiting.append(_At(key, ordered.get(key) or list(program.computations[key].instructions)))

    if entry is not None:
        enter(entry)
    while waiting:
        here = waiting[-1]
        if here.at == len(here.ids):
            waiting.pop()
            continue
        key = here.ids[here.at]
        one = program.computations[here.computation].instructions.get(key)
        if one is not None and one.opcode in _RUNS and not here.entered:
            here.entered = True
            # The last that is entered runs first; of a loop the body is named first, and the condition runs first.
            for called in one.called if one.opcode == "while" else one.called[::-1]:
                enter(called)
            continue
        here.at, here.entered = here.at + 1, False
        if one is not None:
            placed.append(Placed(key, here.computation, one))
    return placed
