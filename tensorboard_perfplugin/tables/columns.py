"""Columns: declared once, as data, with unit and meaning; a `Table` holds arrays under such declarations."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from .arrays import AnyArray as AnyArray
from .titles import title_of

if TYPE_CHECKING:
    import pandas

SomeTable = TypeVar("SomeTable", bound="Table")


def _declarer(dtype: str, unit: str) -> Callable[[str, str], Column]:
    """For columns of a common kind only name and help are given: `Column.us("self_us", …)`."""
    return lambda name, help: Column(name, dtype, unit, help)


@dataclasses.dataclass(frozen=True)
class Column:
    """One column, of a table or of an answer.

    name: snake_case, with the unit at its end where there is one (`self_us`, `size_bytes`, `idle_share`).
    dtype: a numpy dtype for numbers and flags; `text` for strings.
    unit: `ps` `ns` `us` `ms` `bytes` `share` (0 to 1) `count` `id`, or empty.
    help: one sentence: what it means and, where it is computed, how.
    title: what heads it, in pages and on the command line.
    """

    name: str
    dtype: str
    unit: str
    help: str
    title: str = dataclasses.field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", title_of(self.name, self.dtype, self.unit))

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
        for array in self.columns().values():
            array.flags.writeable = False

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
