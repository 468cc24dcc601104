# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, annotation_typing=False
"""Compiled loops over the messages of an XLA program: a computation's instructions, their names, and one of them.

Where this module is not compiled `reader.py` and `program.py` go through the fields as `wire.Message` gives them, with
identical results and budgets. What is read lies within the bytes, whatever the given places say. Budgets are passed in
and given back: how many fields and packed numbers may still be read.
"""

from __future__ import annotations

from typing import Any

import cython

COMPILED: bool = cython.compiled
#: HloComputationProto: instructions, id, root.
INSTRUCTIONS = cython.declare(cython.ulonglong, 2)
COMPUTATION_ID = cython.declare(cython.ulonglong, 5)
ROOT_ID = cython.declare(cython.ulonglong, 6)
#: HloInstructionProto.
NAME = cython.declare(cython.ulonglong, 1)
OPCODE = cython.declare(cython.ulonglong, 2)
SHAPE = cython.declare(cython.ulonglong, 3)
METADATA = cython.declare(cython.ulonglong, 7)
KIND = cython.declare(cython.ulonglong, 11)
ELEMENT = cython.declare(cython.ulonglong, 13)
WINDOW = cython.declare(cython.ulonglong, 15)
CONVOLUTION = cython.declare(cython.ulonglong, 16)
TARGET = cython.declare(cython.ulonglong, 28)
DOT = cython.declare(cython.ulonglong, 30)
FFT_LENGTH = cython.declare(cython.ulonglong, 32)
ID = cython.declare(cython.ulonglong, 35)
OPERANDS = cython.declare(cython.ulonglong, 36)
CALLED = cython.declare(cython.ulonglong, 38)
CONFIG = cython.declare(cython.ulonglong, 43)
BATCH_GROUPS = cython.declare(cython.ulonglong, 58)


@cython.cfunc
@cython.inline
@cython.returns(cython.ulonglong)
@cython.exceptval(check=False)
@cython.locals(
    data="const unsigned char*",
    at="Py_ssize_t*",
    end=cython.Py_ssize_t,
    last=cython.Py_ssize_t,
    value=cython.ulonglong,
    shift=cython.int,
    byte=cython.uchar,
)
def varint(data: Any, at: Any, end: int) -> int:
    """Of one that is cut off or longer than ten bytes what there is; 0 at the end, which is gone past."""
    if at[0] >= end:
        at[0] += 1
        return 0
    last = at[0] + 10
    if last > end:
        last = end
    value = 0
    shift = 0
    while at[0] < last:
        byte = data[at[0]]
        at[0] += 1
        value |= cython.cast(cython.ulonglong, byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
    return value


@cython.cfunc
@cython.inline
@cython.returns(cython.bint)
@cython.exceptval(check=False)
@cython.locals(
    data="const unsigned char*",
    at="Py_ssize_t*",
    end=cython.Py_ssize_t,
    left="long long*",
    number="unsigned long long*",
    value="unsigned long long*",
    high="Py_ssize_t*",
    key=cython.ulonglong,
    wire=cython.int,
)
def field(data: Any, at: Any, end: int, left: Any, number: Any, value: Any, high: Any) -> bool:
    """The next one that is a varint, with high = -1, or length-delimited, from value to high; whether there is one."""
    while at[0] < end and left[0] > 0:
        left[0] -= 1
        key = varint(data, at, end)
        wire = cython.cast(cython.int, key & 7)
        number[0] = key >> 3
        if wire == 0:
            value[0] = varint(data, at, end)
            high[0] = -1
            return True
        if wire == 2:
            key = varint(data, at, end)
            if at[0] > end or key > cython.cast(cython.ulonglong, end - at[0]):
                return False
            value[0] = cython.cast(cython.ulonglong, at[0])
            at[0] += cython.cast(cython.Py_ssize_t, key)
            high[0] = at[0]
            return True
        if wire == 1:
            at[0] += 8
        elif wire == 5:
            at[0] += 4
        else:
            return False
    return False


@cython.locals(
    data=bytes,
    begin=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
    left=cython.longlong,
    held="const unsigned char*",
    at=cython.Py_ssize_t,
    number=cython.ulonglong,
    value=cython.ulonglong,
    high=cython.Py_ssize_t,
    key=cython.longlong,
    root=cython.longlong,
    spans=list,
)
def computation(data: bytes, begin: int, end: int, left: int) -> tuple[int, int, int, list[tuple[int, int]]]:
    """Budget left, id, id of the result (-1 where nothing says), and where the instructions are."""
    held = cython.cast("const unsigned char*", data)
    end = min(end, len(data))
    at, key, root = max(begin, 0), 0, -1
    spans = []
    number = value = 0
    high = 0
    while field(
        held,
        cython.address(at),
        end,
        cython.address(left),
        cython.address(number),
        cython.address(value),
        cython.address(high),
    ):
        if number == INSTRUCTIONS and high >= 0:
            spans.append((value, high))
        elif number == COMPUTATION_ID and high < 0:
            key = cython.cast(cython.longlong, value)
        elif number == ROOT_ID and high < 0:
            root = cython.cast(cython.longlong, value)
    return left, key, root, spans


@cython.locals(
    data=bytes,
    spans=list,
    left=cython.longlong,
    longest=cython.Py_ssize_t,
    held="const unsigned char*",
    found=list,
    begin=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
    number=cython.ulonglong,
    value=cython.ulonglong,
    high=cython.Py_ssize_t,
)
def names(data: bytes, spans: list[tuple[int, int]], left: int, longest: int) -> tuple[int, list[str]]:
    """Budget left, and the name of each of some instructions; empty where it has none."""
    held = cython.cast("const unsigned char*", data)
    found = []
    number = value = 0
    high = 0
    for span in spans:
        begin, end = span
        begin, end = max(begin, 0), min(end, len(data))
        name = ""
        while field(
            held,
            cython.address(begin),
            end,
            cython.address(left),
            cython.address(number),
            cython.address(value),
            cython.address(high),
        ):
            if number == NAME and high >= 0:
                end = min(high, cython.cast(cython.Py_ssize_t, value) + longest)
                name = held[cython.cast(cython.Py_ssize_t, value) : end].decode("utf-8", "replace")
                break
        found.append(name)
    return left, found


@cython.cfunc
@cython.locals(
    data="const unsigned char*",
    begin=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
    longest=cython.Py_ssize_t,
)
def text(data: Any, begin: int, end: int, longest: int) -> str:
    return data[begin : min(end, begin + longest)].decode("utf-8", "replace")


@cython.cfunc
@cython.locals(
    data="const unsigned char*",
    value=cython.ulonglong,
    high=cython.Py_ssize_t,
    left="long long*",
    into=list,
    at=cython.Py_ssize_t,
)
def add(data: Any, value: int, high: int, left: Any, into: list[int]) -> None:
    """A number, or packed ones."""
    if high < 0:
        into.append(cython.cast(cython.longlong, value))
        return
    at = cython.cast(cython.Py_ssize_t, value)
    while at < high and left[0] > 0:
        left[0] -= 1
        into.append(cython.cast(cython.longlong, varint(data, cython.address(at), high)))


@cython.locals(
    data=bytes,
    begin=cython.Py_ssize_t,
    end=cython.Py_ssize_t,
    left=cython.longlong,
    longest=cython.Py_ssize_t,
    held="const unsigned char*",
    at=cython.Py_ssize_t,
    number=cython.ulonglong,
    value=cython.ulonglong,
    high=cython.Py_ssize_t,
    key=cython.longlong,
    groups=cython.longlong,
    element=cython.longlong,
    operands=list,
    called=list,
    lengths=list,
)
def instruction(data: bytes, begin: int, end: int, left: int, longest: int) -> tuple[int, int, tuple[Any, ...]]:
    """Budget left, id, and what `Instruction` holds, in its order."""
    held = cython.cast("const unsigned char*", data)
    at = max(begin, 0)
    name, opcode, kind, target = "", "", "", ""
    operands: list[int] = []
    called: list[int] = []
    lengths: list[int] = []
    shape = metadata = window = convolution = dot = config = (0, 0)
    key, groups, element = 0, 1, 0
    number = value = 0
    high = 0
    while field(
        held,
        cython.address(at),
        min(end, len(data)),
        cython.address(left),
        cython.address(number),
        cython.address(value),
        cython.address(high),
    ):
        if number == OPERANDS:
            add(held, value, high, cython.address(left), operands)
        elif number == CALLED:
            add(held, value, high, cython.address(left), called)
        elif number == FFT_LENGTH:
            add(held, value, high, cython.address(left), lengths)
        elif high < 0:
            if number == ID:
                key = cython.cast(cython.longlong, value)
            elif number == BATCH_GROUPS:
                groups = cython.cast(cython.longlong, value)
            elif number == ELEMENT:
                element = cython.cast(cython.longlong, value)
        elif number == NAME:
            name = text(held, value, high, longest)
        elif number == OPCODE:
            opcode = text(held, value, high, longest)
        elif number == SHAPE:
            shape = (value, high)
        elif number == METADATA:
            metadata = (value, high)
        elif number == KIND:
            kind = text(held, value, high, longest)
        elif number == TARGET:
            target = text(held, value, high, longest)
        elif number == WINDOW:
            window = (value, high)
        elif number == CONVOLUTION:
            convolution = (value, high)
        elif number == DOT:
            dot = (value, high)
        elif number == CONFIG:
            config = (value, high)
    texts = (name, opcode, kind, target, tuple(operands), tuple(called), groups, tuple(lengths), (begin, end))
    return left, key, (*texts, shape, metadata, window, convolution, dot, config, element)
