"""An XLA program: its computations, its instructions by name, and what the framework calls them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

from ...wire import NOWHERE, Span, signed
from ..names.op_names import names_an_op
from .reader import (
    _COMPUTATION_ID,
    _COMPUTATIONS,
    _INSTRUCTIONS,
    _LONGEST,
    _NAME,
    _ROOT_ID,
    Instruction,
    Metadata,
    Reader,
)

with suppress(ImportError):  # as in `reader.py`, which says whether it is compiled
    from . import native

#: Instructions that stand for what they run, and how far back from its result to look for a name.
_RUNS = ("fusion", "call", "async-start")


_FREE = ("parameter", "constant", "bitcast", "tuple", "get-tuple-element")


PRODUCTS = ("dot", "convolution")


#: Ops that XLA moves into a product's operands.
_RESHAPES = re.compile(r"/(?:transpose|reshape|squeeze|convert_element_type|broadcast_in_dim|copy)\Z")


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
        computation, place = self._names.get(_last(name), (None, 0))
        return computation.at(place) if computation else None

    def span(self, name: str) -> Span:
        """Where its message is."""
        computation, place = self._names.get(_last(name), (None, 0))
        return computation.spans[place] if computation else NOWHERE

    def around(self, name: str) -> dict[int, Instruction]:
        """The instructions of its computation, by id."""
        computation, _ = self._names.get(_last(name), (None, 0))
        return computation.instructions if computation else {}

    def in_loop(self, name: str) -> bool:
        """Whether a computation that others call holds it, which may run more than once a run of the program."""
        computation, _ = self._names.get(_last(name), (None, 0))
        return computation is not self.entry

    @cached_property
    def entry_id(self) -> int | None:
        """Of the computation that the program runs."""
        entry = [signed(v) for m in self._modules for number, v, high in self.fields(*m) if number == 6 and high < 0]
        return entry[-1] if entry else None

    @property
    def entry(self) -> Computation | None:
        return None if self.entry_id is None else self.computations.get(self.entry_id)

    def named(self, name: str) -> Metadata | None:
        """What names an instruction: the product that it is or runs, else its own metadata, else those of what it runs,
        from the result backwards.
        """
        if name not in self._named:
            self._named[name] = self._found_name(name)
        return self._named[name]

    @cached_property
    def _named(self) -> dict[str, Metadata | None]:
        return {}

    def _found_name(self, name: str) -> Metadata | None:
        one = self.find(name)
        if (product := self._product(one)) is not None:
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

    def _product(self, one: Instruction | None) -> Metadata | None:
        """What names the only product of matrices, or convolution, of an instruction: it is what takes the time.

        XLA turns the transpose of a product into the product of swapped operands, and leaves it the transpose's name:
        such a product's type is XLA's own.
        """
        if one is not None and one.opcode == "fusion" and one.called:
            inner = self._single(one)
            products = inner.products if inner else []
            one = products[0] if len(products) == 1 else None
        if one is None or one.opcode not in PRODUCTS:
            return None
        metadata = self.metadata(one)
        if not names_an_op(metadata.op_name, metadata.op_type):
            return None
        renamed = not metadata.op_type and _RESHAPES.search(metadata.op_name)
        return metadata._replace(op_type=one.opcode) if renamed else metadata

    def _single(self, one: Instruction) -> Computation | None:
        """What it runs, if that is one thing: a fusion, or one instruction."""
        inner = self.computations.get(one.called[0])
        if inner is None or one.opcode == "fusion":
            return inner
        return inner if len(inner.work) == 1 else None


def _last(name: str) -> str:
    return name.rpartition("::")[2].lstrip("%")
