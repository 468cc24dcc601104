"""An XLA program → the text of its instructions, its computations and itself, in XLA's own syntax.

`%fusion.3 = f32[16,32]{1,0} fusion(%p0), kind=kLoop, calls=%fused_computation.3, metadata={op_name="jit(f)/add"}`

As `xla_dump_to` writes it, but for what takes much room or is nothing to read: constants of more than ten elements are
`{...}` there, too; texts are cut after 4,000 bytes, a backend's configuration after 16 KiB, a line after 128 KiB;
metadata that name only a stack frame also give its file and line; letters beyond ASCII stay as they are.
Not written: where an instruction's value came from (`origin`), and statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from ....wire import Span
from ..program import Computation, Program
from ..reader import Instruction
from . import header
from .attributes import attributes
from .literals import literal
from .parts import Parts
from .shapes import Shapes, joined
from .shardings import sharding
from .words import config, frontend_attributes, metadata

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
        yield from header.lines(self._program, self._shapes)
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
        return header.schedule(self._program)

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
        words = [*self._words(one, parts, around, wrapped), *(self._details(one, parts, around) if details else ())]
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

    def _details(self, one: Instruction, parts: Parts, around: Around) -> Iterable[str]:
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
