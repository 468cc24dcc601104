"""What an answer is declared with: options, tables of columns, and places in the timeline."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from numpy.typing import NDArray

from ..errors import ArgumentError
from .columns import Column

Scalar: TypeAlias = int | float | str | bool | None
Cells: TypeAlias = Sequence[Scalar] | NDArray[Any]
Options: TypeAlias = Mapping[str, Scalar]


@dataclasses.dataclass(frozen=True)
class Option:
    """One thing that a person may choose. The default's type is the option's; None means `not chosen`."""

    name: str
    kind: Literal["text", "integer", "number", "flag"]
    default: Scalar
    help: str
    choices: tuple[str, ...] = ()
    #: Bounds for numbers, both inclusive.
    low: float = -math.inf
    high: float = math.inf
    #: Values worth offering; every other text is accepted, too.
    offers: tuple[str, ...] = ()

    def parse(self, text: str) -> Scalar:
        """The value a person typed. Raises ArgumentError naming option, text and what is accepted."""
        if self.choices and text not in self.choices:
            raise ArgumentError.with_choices(f"{self.name}={text[:80]!r}", self.choices)
        if self.kind == "text":
            return text
        if self.kind == "flag":
            if text.lower() not in ("true", "false", "1", "0"):
                raise ArgumentError.with_choices(f"{self.name}={text[:80]!r}", ("true", "false"))
            return text.lower() in ("true", "1")
        try:
            value: int | float = int(text) if self.kind == "integer" else float(text)
        except ValueError:
            raise ArgumentError(f"{self.name}={text[:80]!r}: not a number of kind {self.kind}") from None
        if not self.low <= value <= self.high:
            raise ArgumentError(f"{self.name}={text[:80]}: use a value from {self.low:g} to {self.high:g}")
        return value


@dataclasses.dataclass(frozen=True)
class TableSpec:
    """A table of an answer: its columns, in the order to show them."""

    name: str
    title: str
    help: str
    columns: tuple[Column, ...]
    #: Of a table that `limit` shortens: the summary scalar that shows how many rows there are without a limit; empty
    #: means `NAME_rows`, where the summary has that.
    count: str = ""
    #: Columns, and options of the tool, whose values distinguish a row from the others; what is null is left out.
    key: tuple[str, ...] = ()
    #: Columns with numbers whose events or stretches of time the trace shows for `search=TOOL.TABLE.COLUMN?KEY=VALUE…`
    #: with `match=row`, the row's main number first.
    proved: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Evidence:
    """Where to look: an interval of the timeline, on one track (its row), several (`3.5-7`), or all (-1)."""

    host: str
    start_ps: int
    end_ps: int
    track: int = -1
    tracks: str = ""
