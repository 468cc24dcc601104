"""Columns: declared once, as data, with unit and meaning; a `Table` holds arrays under such declarations."""

from __future__ import annotations

import dataclasses
import math
import re
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ..patterns import regex
from ..units import PS_PER_MS, PS_PER_US, plural, unit_of
from .arrays import I64
from .arrays import AnyArray as AnyArray

if TYPE_CHECKING:
    import pandas

# A column's name, dtype and unit → its title, as pages and the command line head it; cells carry the unit.

#: Titles of names that do not speak for themselves.
NAMED = {
    "algorithm_gb_s": "Algorithm bandwidth",
    "baseline_change_share": "vs baseline",
    "bottleneck_us": "Bottleneck time",
    "bus_gb_s": "Bus bandwidth",
    "captured_ms": "Captured",
    "change_share": "vs before",
    "copy_ms": "Copy time",
    "device_instruction_ms": "Device instruction time",
    "gb_s": "Bandwidth",
    "gflop_s": "FLOP rate",
    "host_instruction_ms": "Host instruction time",
    "host_op_ms": "Host op time",
    "host_wait_ms": "Host launched late",
    "in_use_count": "Buffers and programs in use",
    "kernel_ms": "Kernel time",
    "kernel_wait_ms": "Launch latency",
    "lag_ms": "Lag",
    "lost_ms": "Straggler wait",
    "merged_count": "Merged",
    "model_gflop_s": "Model FLOP rate",
    "more_ps": "Δ self (B − A)",
    "op_ms": "Op time",
    "overlapped_collective_ms": "Overlapped collectives",
    "overlapped_ms": "Overlapped",
    "overlapped_share": "Overlapped %",
    "peak_gb_s": "Peak bandwidth",
    "peak_tflops": "Peak FLOP rate",
    "shown_count": "Shown",
    "starved_share": "Launched late %",
    "step_allocated_bytes": "Allocated per step",
    "step_time_typical_ms": "Typical step time",
    "times_slowest": "Times slowest",
    "unattributed_ms": "Unattributed",
    "undrawn_count": "Not drawn",
    "wait_step_ms": "Wait per step",
    "work_ms": "Excl. communication",
}
_UPPER_CASE = regex(r"\b(tf32|mxu|hbm|flop|cpu|gpu|sm|sd)\b")


def title_of(name: str, dtype: str, unit: str) -> str:
    """`self_us` → `Self`, `idle_share` → `Idle %`, `host_count` → `Hosts`."""
    if name in NAMED:
        return NAMED[name]
    shown = unit_of(name, unit)
    ending = f"_{'bytes' if shown == 'memory' else shown}"
    stem = name.removesuffix(ending) if shown else name
    if dtype == "bool" and stem.startswith("tensor_core_"):
        return f"TC {stem.removeprefix('tensor_core_').replace('_', ' ')}"
    if unit == "count" and stem != name:
        stem = plural(stem)
    words = re.sub(r"(\d)bit\b", r"\1-bit", stem.replace("_", " "))
    words = re.sub(r" [ab]$", lambda side: side[0].upper(), words)
    words = _UPPER_CASE.sub(lambda word: word[0].upper(), words, count=1)
    return words[:1].upper() + words[1:] + (" %" if unit in ("share", "percent") else "")


SomeTable = TypeVar("SomeTable", bound="Table")
#: What a cell is made by: a function of a row, or the path of an attribute of it, `point.total_ps`.
Cell: TypeAlias = Callable[[Any], Any] | str
_PS = {"us": PS_PER_US, "ms": PS_PER_MS}


class Declare(Protocol):
    """For columns of a common kind only name, help and cell are given: `Column.us("self_us", …)`."""

    def __call__(self, name: str, help: str, cell: Cell = "") -> Column: ...


def _declarer(dtype: str, unit: str) -> Declare:
    return lambda name, help, cell="": Column(name, dtype, unit, help, cell)


def _of_attribute(path: str, unit: str) -> Callable[[Any], Any]:
    """Picoseconds in the column's unit; None stays."""
    value_of, size = attrgetter(path), _PS.get(unit)
    if size is None or not path.endswith("_ps"):
        return value_of

    def converted(source: Any) -> Any:
        ps = value_of(source)
        return None if ps is None else ps / size

    return converted


@dataclasses.dataclass(frozen=True)
class Column:
    """One column, of a table or of an answer.

    name: snake_case, with the unit at its end where there is one (`self_us`, `size_bytes`, `idle_share`).
    dtype: a numpy dtype for numbers and flags; `text` for strings.
    unit: `ps` `ns` `us` `ms` `bytes` `share` (0 to 1) `count` `id`, or empty.
    help: one sentence: what it means and, where it is computed, how.
    cell: what makes its value of a row, or of whatever else `tabulate` or `evaluate` is given: a function, or the path
    of an attribute, by default the column's name. An attribute that ends with `_ps` is converted to `us` or `ms`.
    title: what heads it, in pages and on the command line.
    """

    name: str
    dtype: str
    unit: str
    help: str
    cell: dataclasses.InitVar[Cell] = ""
    title: str = dataclasses.field(init=False, compare=False)

    def __post_init__(self, cell: Cell) -> None:
        value_of = _of_attribute(cell or self.name, self.unit) if isinstance(cell, str) else cell
        vars(self)["_value_of"] = value_of
        object.__setattr__(self, "title", title_of(self.name, self.dtype, self.unit))

    @property
    def value_of(self) -> Callable[[Any], Any]:
        """Makes the cell of a row. No field: it is no part of what a column is compared or written by."""
        made: Callable[[Any], Any] = vars(self)["_value_of"]
        return made

    text = staticmethod(_declarer("text", ""))
    flag = staticmethod(_declarer("bool", ""))
    count = staticmethod(_declarer("int64", "count"))
    integer = staticmethod(_declarer("int64", ""))
    number = staticmethod(_declarer("float64", ""))
    id = staticmethod(_declarer("int64", "id"))
    share = staticmethod(_declarer("float64", "share"))
    bytes = staticmethod(_declarer("int64", "bytes"))
    ps = staticmethod(_declarer("int64", "ps"))
    us = staticmethod(_declarer("float64", "us"))
    ms = staticmethod(_declarer("float64", "ms"))


def tabulate(columns: Iterable[Column], rows: Sequence[Any]) -> dict[str, Cells]:
    """Each column's cells of some rows, by name."""
    return {column.name: list(map(column.value_of, rows)) for column in columns}


def evaluate(columns: Iterable[Column], source: Any) -> dict[str, Any]:
    """Each column's value of one source, by name: a scalar of a summary; all cells, of a source with whole columns."""
    return {column.name: column.value_of(source) for column in columns}


def column(dtype: str, unit: str, help: str) -> Any:
    """Declare a dataclass field as a column; the field's name is the column's."""
    return dataclasses.field(metadata={"column": (dtype, unit, help)})


@dataclasses.dataclass(frozen=True, eq=False)
class Table:
    """Arrays of equal length, one a declared column. Immutable once built; `take` gives a new one."""

    COLUMNS: ClassVar[tuple[Column, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.COLUMNS = tuple(
            Column(name, *value.metadata["column"])
            for name, value in vars(cls).items()
            if isinstance(value, dataclasses.Field) and "column" in value.metadata
        )

    def __post_init__(self) -> None:
        for values in self.columns().values():
            values.flags.writeable = False

    def __len__(self) -> int:
        return len(getattr(self, self.COLUMNS[0].name))

    def columns(self) -> dict[str, AnyArray]:
        """Name → array, in the declared order."""
        return {c.name: getattr(self, c.name) for c in self.COLUMNS}

    def take(self: SomeTable, rows: AnyArray) -> SomeTable:
        """A new table of the given rows (indices or mask)."""
        return type(self)(**{name: array[rows] for name, array in self.columns().items()})

    @classmethod
    def from_columns(cls: type[SomeTable], columns: Mapping[str, Any]) -> SomeTable:
        """Build from name → sequence, each cast to its declared dtype."""
        return cls(**{c.name: np.asarray(columns[c.name], dtype=c.dtype) for c in cls.COLUMNS})

    @classmethod
    def empty(cls: type[SomeTable]) -> SomeTable:
        return cls.from_columns({c.name: () for c in cls.COLUMNS})

    def check(self) -> None:
        """Raise AssertionError unless every column has its dtype and the table's length."""
        for c in self.COLUMNS:
            array = getattr(self, c.name)
            where = f"{type(self).__name__}.{c.name}"
            assert array.dtype == np.dtype(c.dtype), f"{where}: {array.dtype}, declared {c.dtype}"
            assert array.shape == (len(self),), f"{where}: shape {array.shape}, table of {len(self)}"

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a DataFrame. Raises ImportError where pandas is not installed."""
        import pandas

        return pandas.DataFrame(self.columns())


#: Rows that are compared at a time, which a core's cache holds.
_AT_A_TIME = 1 << 15


def at_once(rows: NDArray[np.int64]) -> NDArray[np.int64] | slice:
    """Rows as a slice where each follows the one before: a view costs nothing, a copy of millions does.

    What is taken by it is only to be read.
    """
    if not len(rows) or int(rows[-1]) - int(rows[0]) + 1 != len(rows):
        return rows
    for begin in range(0, len(rows), _AT_A_TIME):
        part = rows[begin : begin + _AT_A_TIME + 1]
        if (part[1:] - part[:-1] != 1).any():
            return rows
    return slice(int(rows[0]), int(rows[-1]) + 1)


# What an answer is declared with: options, tables of columns, and places in the timeline.

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


# How many rows of a long table to give. No table is cut silently: the summary shows how many rows there are.

#: Rows that a browser sorts and filters without a pause, in some megabytes of JSON.
_ROWS = 20_000

LIMIT = Option(
    "limit",
    "integer",
    _ROWS,
    "How many rows of each long table to give, the largest first; 0 gives all.",
    low=0,
    high=1 << 40,
)

T = TypeVar("T")


def all_rows(table: str, cell: Cell = "") -> Column:
    """The summary's count for a table that may be cut: `ops` → `ops_rows`, so that a page can say `N of M`."""
    return Column.count(f"{table}_rows", f"Rows of the table `{table}` without a limit.", cell)


def row_limit(options: Options) -> int | None:
    """How many rows to give; None gives all."""
    limit = options["limit"]
    return limit if isinstance(limit, int) and limit else None


def limited(rows: Sequence[T], options: Options) -> Sequence[T]:
    """The first rows, as many as were asked for."""
    return rows[: row_limit(options)]


# The words that name a number of another page ↔ its tool, table, column, and the key of its row.
#
# `kernel_stats.graphs.total_us?device=%2Fdevice%3AGPU%3A0&graph=7`. The values are those of the columns that the
# table
# declares as its `key`; a null has none. Of a long text stand its first characters and a digest. Tracks are `3.5-7`.

#: UTF-16 units of a text that stand for themselves: names of kernels have thousands.
_HEAD = 100
#: Characters that are looked at of what anybody may have typed.
_MOST = 8192
_ROW = regex(r"([a-z_]{1,40})\.([a-z_]{1,40})\.(\w{1,60})(?:\?(.*))?", re.DOTALL)
#: Ranges of tracks that are written out; of more it is all tracks of the host.
_RANGES = 200
#: FNV-1a of 32 bits.
_BASIS, _PRIME = 0x811C9DC5, 0x01000193


class RowKey(NamedTuple):
    """A cell of a table. values: by column of the key, as text."""

    tool: str
    table: str
    column: str
    values: dict[str, str]

    @property
    def name(self) -> str:
        return f"{self.tool}.{self.table}"

    def holds(self, column: str, value: float | str | None) -> bool:
        """Whether that is the row's value; no value is null."""
        given = self.values.get(column)
        if given is None or value is None:
            return given is None and value is None
        if isinstance(value, float):
            return _number(given) == value
        return given == word(value)

    def number(self, column: str) -> float:
        """The row's value as a number, NaN where it is none."""
        return _number(self.values.get(column, ""))

    def allows(self, column: str, value: float | str | None) -> bool:
        """The same, where a null stands for all."""
        return column not in self.values or self.holds(column, value)


def row_key(text: str) -> RowKey:
    """Raises ArgumentError for a text that names no cell."""
    match = _ROW.fullmatch(text[:_MOST])
    if match is None:
        raise ArgumentError(f"search={text[:80]!r}: with match=row, use `TOOL.TABLE.COLUMN?KEY=VALUE&…`")
    pairs = [pair.partition("=") for pair in (match[4] or "").split("&") if pair]
    return RowKey(match[1], match[2], match[3], {name: unquote(value) for name, _, value in pairs})


def row_text(cell: str, **values: float | str | None) -> str:
    """`cell`: TOOL.TABLE.COLUMN."""
    key_words = {name: word(value) for name, value in values.items() if value is not None}
    pairs = (f"{name}={quote(text, safe='', errors='replace')}" for name, text in key_words.items())
    return f"{cell}?{'&'.join(pairs)}"


def word(value: float | str) -> str:
    """A value as it stands in a key: as JavaScript writes it."""
    if isinstance(value, str):
        return value if len(value) <= _HEAD // 2 else _shortened(value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if float(value).is_integer() and abs(value) < 1 << 53 else repr(value)


def _shortened(text: str) -> str:
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * _HEAD:
        return text
    digest = _BASIS
    for unit in array("H", units):
        digest = (digest ^ unit) * _PRIME & 0xFFFFFFFF
    return f"{units[: 2 * _HEAD].decode('utf-16-le', 'ignore')}…{digest:08x}"


def _number(text: str) -> float:
    try:
        return float(text[:40])
    except ValueError:
        return math.nan


def ranges(tracks: I64) -> str:
    """`3.5-7`; empty for all, and for more ranges than an answer should hold."""
    rows = np.unique(tracks)
    ends = np.flatnonzero(np.diff(rows) > 1)
    first, last = np.append(rows[:1], rows[ends + 1]), np.append(rows[ends], rows[-1:])
    if len(first) > _RANGES:
        return ""
    return ".".join(str(a) if a == b else f"{a}-{b}" for a, b in zip(first.tolist(), last.tolist(), strict=True))
