"""Events that run instructions of programs that the capture holds → which collective each is, of whom, of what size.

Read are, of HloInstructionProto, shape and operands, and who takes part: replica_groups of older versions of XLA, and
CollectiveDeviceListProto, whose groups stand one by one or as a reshaped and transposed count.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...tables import I64
from ...timeline import Named, Program, Shape, Timeline, instructions_of, programs_of
from .names import Group, element_bytes, is_float32

#: HloInstructionProto.replica_groups, collective_device_list; of this: groups, and those that are a count.
_OLD, _DEVICES, _LISTED, _COUNTED = 49, 87, 1, 2
#: IotaReplicaGroupListProto: how many groups, of how many devices, dimensions, and their order.
_NUMBER, _SIZE, _RESHAPED, _ORDER = 1, 2, 3, 4
#: Groups of one instruction that are written out, and devices of one.
_MOST = 64
_SUFFIXES = ("-start", "-done")


class CollectiveFacts(NamedTuple):
    """bytes: the larger of what it takes and gives, -1 where that is unknown. float32: whether it gives these."""

    kind: str
    group: Group
    bytes: int
    float32: bool


def of_programs(timeline: Timeline, rows: I64) -> tuple[I64, dict[int, CollectiveFacts]]:
    """For each event the number of its instruction, -1 for none, and what each number is, where its program is held."""
    which = instructions_of(timeline).of(rows).astype(np.int64)
    named = instructions_of(timeline).named
    found = {i: group for i in set(which.tolist()) if i >= 0 and (group := _group_of(timeline, named[i])) is not None}
    return which, found


def _group_of(timeline: Timeline, named: Named) -> CollectiveFacts | None:
    program = programs_of(timeline).program(named.module, named.program)
    one = program.find(named.instruction) if program else None
    if program is None or one is None:
        return None
    around = program.around(named.instruction)
    if one.opcode in ("async-start", "fusion") and one.called and one.called[0] in program.computations:
        inner = program.computations[one.called[0]].root
        kind = inner.opcode if inner else one.opcode
    else:
        kind = one.opcode
    given = _bytes(program.shape(one))
    taken = sum(_bytes(program.shape(around[i])) for i in one.operands if i in around)
    if (kind.endswith("-start") and kind != "all-reduce-start") or one.opcode == "async-start":
        # What it gives holds what it takes, too.
        given -= taken
    for suffix in _SUFFIXES:
        kind = kind.removesuffix(suffix)
    carried = max(given, taken)
    shape = program.shape(one)
    float32 = is_float32((shape.parts or (shape,))[0].element)
    return CollectiveFacts(kind, _group(program, named.instruction), carried if 0 < carried < 1 << 62 else -1, float32)


def _bytes(shape: Shape) -> int:
    arrays = shape.parts or (shape,)
    return sum(element_bytes(one.element) * math.prod(one.dimensions) for one in arrays)


def _group(program: Program, name: str) -> Group:
    begin, end = program.span(name)
    listed, counted = [], None
    for number, low, high in program.fields(begin, end):
        if number == _OLD and high >= 0:
            listed.append((low, high))
        elif number == _DEVICES and high >= 0:
            listed += program.spans(low, high, _LISTED)
            counted = next(program.spans(low, high, _COUNTED), None)
    if counted is not None:
        return _counted(program.lists(*counted))
    groups = [program.lists(*span).get(1, []) for span in listed[:_MOST]]
    if not groups or not groups[0]:
        return Group()
    inside = ",".join("{" + ",".join(map(str, one[:_MOST])) + "}" for one in groups)
    return Group("", "{" + inside + "}", len(groups[0]))


def _counted(fields: dict[int, list[int]]) -> Group:
    """As XLA writes it: `[4,2]<=[2,4]T(1,0)`."""
    number, size = (fields.get(field, [0])[-1] for field in (_NUMBER, _SIZE))
    dimensions, order = (",".join(map(str, fields.get(field, [])[:_MOST])) for field in (_RESHAPED, _ORDER))
    if number < 1 or size < 1:
        return Group()
    turned = f"T({order})" if len(fields.get(_ORDER, [])) > 1 else ""
    return Group("", f"[{number},{size}]<=[{dimensions}]{turned}", size)
