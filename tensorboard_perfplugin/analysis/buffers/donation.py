"""An XLA program's parameters and outputs → which parameters could give their memory to an output.

A parameter that the caller donates (`donate_argnums` of `jax.jit`) takes no memory beside the output of its type and
shape that is written over it. Each output is given once; what the program aliases already is not counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ...timeline import Program
from ...wire import Span

#: HloModuleProto.input_output_alias, buffer_donor; their entries; of these: parameter, index in it.
_ALIASES, _DONORS, _ENTRIES = 8, 18, 1
_ALIAS_FIELDS, _DONOR_FIELDS = (2, 3), (1, 2)

Index: TypeAlias = tuple[int, tuple[int, ...]]
Array: TypeAlias = tuple[str, tuple[int, ...]]


class Given(NamedTuple):
    """A parameter or an output: its row, bytes, and what frameworks know of its shape."""

    row: int
    size: int
    array: Array


def donated(program: Program) -> set[Index]:
    """Parameters that are donated: by number, and index in a tuple."""
    found: set[Index] = set()
    for field, (number, index) in ((_ALIASES, _ALIAS_FIELDS), (_DONORS, _DONOR_FIELDS)):
        span = program.in_module(field)
        for entry in program.spans(*span, _ENTRIES) if span else ():
            found.add(_entry(program, entry, number, index))
    return found


def _entry(program: Program, span: Span, number: int, index: int) -> Index:
    lists = program.lists(*span)
    return next(iter(lists.get(number, [])), 0), tuple(lists.get(index, []))


def donations(parameters: Sequence[Given], outputs: Sequence[Given]) -> dict[int, int]:
    """Row of each parameter that could be donated → bytes that this saves: those of the output. Largest first."""
    free: dict[Array, list[int]] = defaultdict(list)
    for output in sorted(outputs, key=lambda one: one.size):
        free[output.array].append(output.size)
    found = {}
    for one in sorted(parameters, key=lambda one: -one.size):
        if one.array[0] not in ("", "tuple") and free.get(one.array):
            found[one.row] = free[one.array].pop()
    return found
