"""An instruction that ran → what its program, or the kind of a TPU's event, says of it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ...timeline import Op, Timeline, instructions_as_ops, ops_of
from ...timeline.ops import kind_facts
from ...timeline.programs import Instruction, Program, Writer, programs_of
from .padding import ArrayPadding, PaddedArrays

#: A backend's configuration is some kilobytes.
_MAX_CONFIG = 1 << 16
#: What of it is chosen by trying: name in the configuration, and how it is shown.
_CHOSEN = {
    "selected_algorithm": "algorithm",
    "algo_id": "algorithm",
    "block_m": "block_m",
    "block_n": "block_n",
    "block_k": "block_k",
    "split_k": "split_k",
    "num_warps": "warps",
    "num_stages": "stages",
    "num_ctas": "ctas",
}
_TILES = "output_tiles"
#: Messages in a configuration that are gone through, and values of a list of tiles.
_MAX_MESSAGES, _MAX_TILES = 64, 16
#: Text of a TPU's instruction; names of operands and of users.
_LONGEST, _MAX_USERS = 20_000, 50
#: Of a text that was chosen; digits of a line of a source.
_MAX_CHOICE, _MAX_DIGITS = 40, 9


@dataclasses.dataclass(frozen=True)
class InstructionFacts:
    """Empty where nothing says.

    expression: its whole text, as XLA writes it. name, type: of the framework's op. file, line: of the user's program.
    twin_of: the instruction that does the same, by XLA's own account. rematerialized: computed again instead of
    kept. outside: moves data to or from the host in the middle of a program. autotuned: the configuration that XLA
    chose by trying. operands, users: names.
    """

    expression: str = ""
    name: str = ""
    type: str = ""
    file: str = ""
    line: int = 0
    twin_of: str = ""
    rematerialized: bool = False
    outside: bool = False
    autotuned: str = ""
    operands: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    padding: ArrayPadding | None = None

    @property
    def source(self) -> str:
        return f"{self.file}:{self.line}" if self.file and self.line else self.file


def instruction_facts(timeline: Timeline, wanted: Iterable[Op]) -> dict[Op, InstructionFacts]:
    """Of ops of `instructions_as_ops`; of those that are no instructions nothing."""
    kinds, made = _kinds(timeline), _Made()
    return {op: _facts(timeline, op, kinds.get(op, -1), made) for op in wanted if op.module}


class _Made:
    """What is made once: of a computation who uses each instruction, of a program what writes them."""

    def __init__(self) -> None:
        self._by_computation: dict[int, dict[str, list[str]]] = {}
        self._writers: dict[int, Writer] = {}
        self._padded: dict[int, PaddedArrays] = {}

    def padding(self, program: Program, one: Instruction, around: Mapping[int, Instruction]) -> ArrayPadding | None:
        if id(program) not in self._padded:
            self._padded[id(program)] = PaddedArrays(program)
        return self._padded[id(program)].of(one, around)

    def expression(self, program: Program, name: str) -> str:
        if id(program) not in self._writers:
            self._writers[id(program)] = Writer(program)
        return self._writers[id(program)].expression(name, details=False)[:_LONGEST]

    def users(self, around: Mapping[int, Instruction], name: str) -> tuple[str, ...]:
        """around: of a program, which keeps it."""
        if id(around) not in self._by_computation:
            users: dict[str, list[str]] = {}
            for one in around.values():
                for i in dict.fromkeys(one.operands):
                    if i in around:
                        users.setdefault(around[i].name, []).append(one.name)
            self._by_computation[id(around)] = users
        return tuple(self._by_computation[id(around)].get(name, ())[:_MAX_USERS])


def _kinds(timeline: Timeline) -> dict[Op, int]:
    """A kind of event of each op that ran on a TPU."""
    capture, called = timeline.capture, instructions_as_ops(timeline)
    ops = ops_of(timeline)
    pairs = (
        (called.device.op, capture.events.kind[ops.device.rows]),
        (called.device_aggregates.op, capture.aggregates.kind[ops.device_aggregates.rows]),
    )
    kind_of: dict[Op, int] = {}
    for op, kind in pairs:
        which, first = np.unique(op, return_index=True)
        kind_of |= {called.ops[i]: int(kind[at]) for i, at in zip(which.tolist(), first.tolist(), strict=True)}
    return kind_of


def _facts(timeline: Timeline, op: Op, kind: int, made: _Made) -> InstructionFacts:
    program = programs_of(timeline).read(op.module)
    one = program.find(op.name) if program else None
    facts = _of_program(program, one, made) if program and one else InstructionFacts()
    if kind >= 0:
        facts = _of_kind(timeline, kind, facts)
    text = facts.expression.partition("=")[0] or op.name
    return dataclasses.replace(
        facts,
        rematerialized=".remat" in text or "rematted_computation" in facts.name,
        outside=facts.type in ("XlaSendToHost", "XlaRecvFromHost")
        or (op.type == "send-done" and "is_host_transfer=true" in facts.expression),
    )


def _of_kind(timeline: Timeline, kind: int, before: InstructionFacts) -> InstructionFacts:
    """What a TPU's capture says wins."""
    capture = timeline.capture
    _, given = kind_facts(capture, kind)

    def text(key: str) -> str:
        value = given.get(key)
        return value if isinstance(value, str) else ""

    name, _, op_type = text("tf_op").rpartition(":")
    file, _, line = text("source").rpartition(":")
    whole = capture.strings[int(capture.kinds.name[kind])][:_LONGEST]
    return dataclasses.replace(
        before,
        expression=whole if " = " in whole else before.expression,
        name=name or before.name,
        type=op_type or before.type,
        file=file or before.file,
        line=int(line) if line.isdecimal() and len(line) <= _MAX_DIGITS else before.line,
        twin_of=text("deduplicated_name") or before.twin_of,
    )


def _of_program(program: Program, one: Instruction, made: _Made) -> InstructionFacts:
    named = program.named(one.name)
    own = program.metadata(one)
    around = program.around(one.name)
    return InstructionFacts(
        expression=made.expression(program, one.name),
        name=named.op_name if named else "",
        type=named.op_type if named else "",
        file=named.file if named and named.file else own.file,
        line=named.line if named and named.file else own.line,
        twin_of=own.twin_of,
        autotuned=", ".join(_autotuned(program, one)),
        operands=tuple(around[i].name for i in one.operands[:_MAX_USERS] if i in around),
        users=made.users(around, one.name),
        padding=made.padding(program, one, around),
    )


def _autotuned(program: Program, one: Instruction) -> Iterator[str]:
    """`warps 4`, `tiles 1×128`."""
    begin, end = one.config
    if not 0 < end - begin <= _MAX_CONFIG:
        return
    try:
        config = json.loads(program.data[begin:end])
    except (ValueError, RecursionError):
        return
    for key, value in _flat(config):
        if key == _TILES and isinstance(value, list):
            sizes = [tile.get("sizes") for tile in value[:_MAX_TILES] if isinstance(tile, dict)]
            yield from (f"tiles {'×'.join(map(str, size[:_MAX_TILES]))}" for size in sizes if isinstance(size, list))
        elif key in _CHOSEN and isinstance(value, int | str):
            yield f"{_CHOSEN[key]} {str(value)[:_MAX_CHOICE]}"


def _flat(config: Any) -> Iterator[tuple[str, Any]]:
    """Keys and values of messages in messages, the first ones."""
    waiting = [config]
    for _ in range(_MAX_MESSAGES):
        if not waiting:
            return
        message = waiting.pop(0)
        if isinstance(message, dict):
            yield from message.items()
            waiting += [value for value in message.values() if isinstance(value, dict)]
