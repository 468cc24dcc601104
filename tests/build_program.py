"""A few lines of Python → the bytes of an XLA program (HloProto), written field by field.

entry = computation(1, [
    instruction(1, "x", "parameter", shape("f32", 8, 4)),
    instruction(2, "y", "negate", shape("f32", 8, 4), (1,), op_name="jit(f)/neg"),
])
program(entry)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.build_capture import chunk, number, text, varint

ELEMENTS = {
    "pred": 1,
    "s32": 4,
    "s64": 5,
    "u8": 6,
    "f16": 10,
    "f32": 11,
    "f64": 12,
    "tuple": 13,
    "bf16": 16,
    "token": 17,
    "f8": 20,
    "s4": 21,
}


def packed(field: int, values: Sequence[int]) -> bytes:
    return chunk(field, b"".join(map(varint, values))) if values else b""


def shape(element: str, *dimensions: int, space: int = 0) -> bytes:
    layout = chunk(5, packed(1, range(len(dimensions))[::-1]) + number(8, space))
    return number(2, ELEMENTS[element]) + packed(3, dimensions) + layout


def tuple_of(*shapes: bytes) -> bytes:
    return number(2, ELEMENTS["tuple"]) + b"".join(chunk(4, one) for one in shapes)


def instruction(
    key: int,
    name: str,
    opcode: str,
    of: bytes,
    operands: Sequence[int] = (),
    *,
    calls: Sequence[int] = (),
    op_name: str = "",
    op_type: str = "",
    source: tuple[str, int] = ("", 0),
    frame: int = 0,
    target: str = "",
    config: str = "",
    contracts: Sequence[int] | None = None,
    window: Sequence[Mapping[int, int]] = (),
    convolution: Mapping[int, Sequence[int]] | None = None,
    groups: int = 0,
) -> bytes:
    metadata = text(1, op_type) + text(2, op_name) + text(3, source[0]) + number(4, source[1]) + number(15, frame)
    sides = b"".join(chunk(1, b"".join(number(k, v) for k, v in one.items())) for one in window)
    axes = b"".join(packed(k, v) if len(v) > 1 else number(k, v[0]) for k, v in (convolution or {}).items())
    return (
        text(1, name)
        + text(2, opcode)
        + chunk(3, of)
        + (chunk(7, metadata) if metadata else b"")
        + (chunk(15, sides) if sides else b"")
        + (chunk(16, axes) if convolution is not None else b"")
        + text(28, target)
        + (chunk(30, packed(1, contracts)) if contracts is not None else b"")
        + number(35, key)
        + packed(36, operands)
        + packed(38, calls)
        + text(43, config)
        + number(50, groups)
    )


def computation(key: int, instructions: Sequence[bytes], root: int | None = None) -> bytes:
    """Without a root the last instruction is it."""
    return b"".join(chunk(2, one) for one in instructions) + number(5, key) + (number(6, root) if root else b"")


def program(
    *computations: bytes,
    entry: int | None = None,
    frames: bytes = b"",
    name: str = "jit_f",
    devices: Sequence[int] = (),
    replicas: int = 1,
    more: bytes = b"",
) -> bytes:
    """The last computation is the entry, by its id. frames: a StackFrameIndexProto. devices: ids, of each partition
    those of its replicas. more: other fields of HloModuleProto.
    """
    lists = [devices[i : i + replicas] for i in range(0, len(devices), replicas)]
    assigned = number(1, replicas) + number(2, len(lists)) + b"".join(chunk(3, packed(1, ids)) for ids in lists)
    return chunk(
        1,
        text(1, name)
        + b"".join(chunk(3, one) for one in computations)
        + (number(6, entry) if entry is not None else b"")
        + (chunk(15, assigned) if devices else b"")
        + (chunk(17, frames) if frames else b"")
        + more,
    )
