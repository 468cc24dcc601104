"""XLA programs that a capture holds (serialized HloProto messages) → the precision of each of their instructions.

Read are instructions with name, opcode, element type, operands and called computations; all else is skipped. What is
cut off, or not a message at all, gives what stands before.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...tables import Capture, StatKind
from ...tables.capture import I64, U8
from .._ops import INTEGER, _ranked
from . import _precision
from ._categories import INDEX

if TYPE_CHECKING:
    from .._timeline import Timeline

_METADATA_PLANE = "/host:metadata"
_PROTOS = ("Hlo Proto", "HLO Proto", "hlo_proto")
#: Fields and numbers that are read of a capture's programs, the first ones: in a second, of 40,000 instructions.
_MAX_FIELDS = 1_000_000
#: HloProto.hlo_module; HloModuleProto.computations; of HloComputationProto: instructions, id.
_MODULE, _COMPUTATIONS, _INSTRUCTIONS, _COMPUTATION_ID = 1, 3, 2, 5
#: Of HloInstructionProto: name, opcode, shape, custom_call_target, id, operand_ids, called_computation_ids.
_NAME, _OPCODE, _SHAPE, _TARGET, _ID, _OPERANDS, _CALLED = 1, 2, 3, 28, 35, 36, 38
#: Of ShapeProto: element_type, tuple_shapes.
_TYPE, _TUPLE = 2, 4
#: PrimitiveType, as far as it says how something computes.
_TYPES = dict(
    enumerate(
        (
            *("", "pred", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "", "", "c64"),
            *("bf16", "", "c128", "f8e5m2", "f8e4m3fn", "s4", "u4", "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e4m3fnuz"),
            *("s2", "u2", "f8e4m3", "f8e3m4", "s1", "u1", "f4e2m1fn", "f8e8m0fnu"),
        )
    )
)
_MULTIPLIES = ("dot", "convolution")
_MULTIPLYING_CALLS = ("gemm", "conv", "matmul", "fmha", "dot")
Field = tuple[int, int | memoryview]


class _Instruction(NamedTuple):
    name: str
    opcode: str
    target: str
    type: int
    operands: tuple[int, ...]
    called: tuple[int, ...]


def refine(timeline: Timeline, programs: Programs, rows: I64) -> U8:
    """The categories of kernels of which the name tells no precision, by the XLA instruction that they belong to."""
    unknown = np.full(len(rows), INDEX["compute_other"], np.uint8)
    if not len(rows) or not programs.blobs:
        return unknown
    op, kind = (column[rows] for column in timeline.stat("hlo_op"))
    known = np.flatnonzero(kind == StatKind.TEXT)
    rows, op = rows[known], op[known]
    module, says = timeline.stat_of("hlo_module", rows)
    module = np.where(says == StatKind.TEXT, module, 0)
    program, says = timeline.stat_of("program_id", rows)
    program = np.where(np.isin(says, INTEGER), program, -1)
    which = _ranked(_ranked(program) * (int(op.max(initial=0)) + 1) + op)
    first = np.zeros(int(which.max(initial=-1)) + 1, np.int64)
    first[which] = np.arange(len(which))
    strings = timeline.capture.strings
    keys = [programs.precision(strings[int(module[i])], int(program[i]), strings[int(op[i])]) for i in first.tolist()]
    unknown[known] = np.array([INDEX[key or "compute_other"] for key in keys], np.uint8)[which]
    return unknown


class Programs:
    """The programs of a capture; each is read when it is first asked for."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._read: dict[str, dict[str, str | None]] = {}
        self._reader = _Reader(_MAX_FIELDS)

    @cached_property
    def blobs(self) -> dict[str, bytes]:
        """`module(program id)` → message."""
        capture, found = self._capture, {}
        planes = np.flatnonzero(capture.planes.name == capture.strings.find(_METADATA_PLANE))
        for kind in np.flatnonzero(np.isin(capture.kinds.plane, planes)).tolist():
            facts = capture.values(int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind]))
            message = next((value for key, value in facts if key in _PROTOS and isinstance(value, bytes)), None)
            if message is not None:
                found[capture.strings[int(capture.kinds.name[kind])]] = message
        return found

    def precision(self, module: str, program: int, instruction: str) -> str | None:
        """The key of an instruction's category; of a path `while.1::dot.2` that of its last part."""
        key = f"{module}({program & (1 << 64) - 1})"
        if key not in self._read:
            self._read[key] = self._precisions(self.blobs.get(key, b""))
        return self._read[key].get(instruction.rpartition("::")[2].lstrip("%"))

    def _precisions(self, message: bytes) -> dict[str, str | None]:
        computations = self._reader.computations(memoryview(message))
        multiplied = {number: _multiplied(instructions) for number, instructions in computations.items()}
        return {
            one.name: _precision.of_element(_TYPES.get(_computes_in(one, instructions, multiplied), ""))
            for instructions in computations.values()
            for one in instructions.values()
        }


def _computes_in(one: _Instruction, around: dict[int, _Instruction], multiplied: dict[int, int]) -> int:
    """The element type that it computes in: what multiplies, in its first operand's; all else in its result's."""
    if one.opcode in _MULTIPLIES or any(word in one.target for word in _MULTIPLYING_CALLS):
        return _operand(one, around) or one.type
    return next((multiplied[number] for number in one.called if multiplied.get(number)), one.type)


def _multiplied(instructions: dict[int, _Instruction]) -> int:
    """The element type of what a computation multiplies, 0 where it does not."""
    return next((_operand(one, instructions) for one in instructions.values() if one.opcode in _MULTIPLIES), 0)


def _operand(one: _Instruction, around: dict[int, _Instruction]) -> int:
    first = around.get(one.operands[0]) if one.operands else None
    return first.type if first else 0


class _Reader:
    """Reads messages until it has read so many fields."""

    def __init__(self, left: int) -> None:
        self.left = left

    def computations(self, message: memoryview) -> dict[int, dict[int, _Instruction]]:
        """Id of each computation → its instructions, by id."""
        modules = self._messages(message, _MODULE)
        return dict(self._computation(one) for module in modules for one in self._messages(module, _COMPUTATIONS))

    def _computation(self, message: memoryview) -> tuple[int, dict[int, _Instruction]]:
        number, found = 0, {}
        for field, value in self._fields(message):
            if field == _COMPUTATION_ID and isinstance(value, int):
                number = value
            elif field == _INSTRUCTIONS and isinstance(value, memoryview):
                key, one = self._instruction(value)
                found[key] = one
        return number, found

    def _instruction(self, message: memoryview) -> tuple[int, _Instruction]:
        texts = {_NAME: "", _OPCODE: "", _TARGET: ""}
        numbers: dict[int, list[int]] = {_ID: [0], _OPERANDS: [], _CALLED: []}
        element = 0
        for field, value in self._fields(message):
            if field in texts and isinstance(value, memoryview):
                texts[field] = str(value[:1000], "utf-8", "replace")
            elif field == _SHAPE and isinstance(value, memoryview):
                element = self._element(value)
            elif field in numbers:
                numbers[field] += [value] if isinstance(value, int) else self._varints(value)
        named = texts[_NAME], texts[_OPCODE], texts[_TARGET]
        return numbers[_ID][-1], _Instruction(*named, element, tuple(numbers[_OPERANDS]), tuple(numbers[_CALLED]))

    def _element(self, shape: memoryview) -> int:
        """Of a tuple that of its first part."""
        for _ in range(3):
            fields = list(self._fields(shape))
            inner = next((value for field, value in fields if field == _TUPLE and isinstance(value, memoryview)), None)
            if inner is None:
                return next((value for field, value in fields if field == _TYPE and isinstance(value, int)), 0)
            shape = inner
        return 0

    def _messages(self, message: memoryview, wanted: int) -> Iterator[memoryview]:
        return (value for field, value in self._fields(message) if field == wanted and isinstance(value, memoryview))

    def _fields(self, message: memoryview) -> Iterator[Field]:
        """Number and value of each field of a message; fixed-width values are skipped. Ends where it is no message."""
        at = 0
        while at < len(message) and self.left > 0:
            self.left -= 1
            key, at = _varint(message, at)
            wire = key & 7
            if wire == 0:
                value, at = _varint(message, at)
                yield key >> 3, value
            elif wire == 2:
                size, at = _varint(message, at)
                if size > len(message) - at:
                    return
                yield key >> 3, message[at : at + size]
                at += size
            elif wire in (1, 5):
                at += 8 if wire == 1 else 4
            else:
                return

    def _varints(self, packed: memoryview) -> list[int]:
        found, at = [], 0
        while at < len(packed) and self.left > 0:
            self.left -= 1
            value, at = _varint(packed, at)
            found.append(value)
        return found


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """A value and where it ends; of one that is cut off or too long what there is."""
    value = 0
    for i, byte in enumerate(message[at : at + 10]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, at + i + 1
    return value, at + 10
