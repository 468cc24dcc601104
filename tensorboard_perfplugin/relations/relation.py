"""`Relation`: rows as typed columns, which dataframes, files and SQL take; made when they are first asked for."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..errors import ArgumentError
from ..tables import Column, Scalar, interned
from .arrow import Batch, Cells, Encoded, Field, Texts, coded, schema_capsule, stream_capsule

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

#: Cells by name of column, of equal length.
Part: TypeAlias = Mapping[str, Cells]
#: Rows that a notebook shows, and characters of a cell.
_SHOWN, _WIDE = 20, 80
#: Columns that the short form names.
_NAMED = 6


class Relation:
    """Rows as typed columns: `len`, slices, `relation.self_us`, and every dataframe library by its Arrow interface.

    columns: their declarations, with units. `relation.NAME` and `relation["NAME"]` give a column: texts as `str`,
    numbers as a numpy array, masked where some are unknown, or as a list in which these are None.
    """

    def __init__(
        self,
        name: str,
        help: str,
        columns: Sequence[Column],
        parts: Callable[[], Iterable[Part]],
        coded: Iterable[str] = (),
    ) -> None:
        """parts: makes the rows host after host. coded: columns whose texts come as `Texts`."""
        self._name, self._help, self.columns = name, help, tuple(columns)
        self._parts, self._coded = parts, frozenset(coded)

    @functools.cached_property
    def _rows(self) -> dict[str, Cells]:
        """All rows in one."""
        parts = list(self._parts())
        named = ((c.name, [part[c.name] for part in parts]) for c in self.columns)
        return {name: _joined(cells, name in self._coded) for name, cells in named}

    def _texts_of(self, name: str) -> Texts:
        """A column whose texts are numbered."""
        cells = self._rows[name]
        assert isinstance(cells, Texts), name
        return cells

    def __len__(self) -> int:
        cells = self._rows[self.columns[0].name]
        return len(cells.codes) if isinstance(cells, Texts) else len(cells)

    def __getitem__(self, key: str | slice) -> Any:
        """A column by its name, or a relation of some rows. Raises ArgumentError for a name that is none."""
        if isinstance(key, slice):
            rows = {name: _taken(cells, key) for name, cells in self._rows.items()}
            return Relation(self._name, self._help, self.columns, lambda: [rows], self._coded)
        if key not in self._rows:
            raise ArgumentError.with_choices(f"{self._name} has no column {key[:80]!r}", self._rows)
        cells = self._rows[key]
        return cells.texts() if isinstance(cells, Texts) else cells

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in {column.name for column in self.columns}:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(column.name for column in self.columns)]

    def __iter__(self) -> Iterator[dict[str, Scalar]]:
        """The rows, each as a dictionary."""
        cells = [_plain(self[column.name]) for column in self.columns]
        names = [column.name for column in self.columns]
        return (dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True))

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns[:_NAMED])
        more = ", …" if len(self.columns) > _NAMED else ""
        return f"<{self._name}: {len(self):,} rows × {len(self.columns)} columns ({names}{more})>"

    def _repr_html_(self) -> str:
        """What the rows are, and the first of them."""
        head = "".join(f"<th>{html.escape(column.title)}</th>" for column in self.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td>{html.escape(_shown(cell))}</td>' for cell in row.values())}</tr>"
            for row in self[:_SHOWN]
        )
        more = f"<p>{_SHOWN} of {len(self):,} rows.</p>" if len(self) > _SHOWN else ""
        return f"<p>{html.escape(self._help)}</p><table><tr>{head}</tr>{rows}</table>{more}"

    @property
    def _fields(self) -> tuple[Field, ...]:
        """The columns as Arrow has them."""
        return tuple(Field(c.name, c.dtype, c.name in self._coded) for c in self.columns)

    def __arrow_c_schema__(self) -> Any:
        """The columns' names and types, by the Arrow PyCapsule interface."""
        return schema_capsule(self._fields)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows by the Arrow PyCapsule interface, host after host; numbers are not copied."""
        return stream_capsule(self._fields, self._batches())

    def _batches(self) -> Iterator[Batch]:
        names = [column.name for column in self.columns]
        for part in [self._rows] if "_rows" in vars(self) else self._parts():
            yield [part[name] for name in names]

    def to_dicts(self) -> list[dict[str, Scalar]]:
        """A dictionary a row."""
        return list(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A DataFrame; texts that repeat are categories. Raises ImportError where pandas is not installed."""
        import pandas

        return pandas.DataFrame({c.name: _series(self._rows[c.name], c.dtype) for c in self.columns})

    def to_polars(self) -> polars.DataFrame:
        """A polars DataFrame. Raises ImportError where polars is not installed."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow Table. Raises ImportError where pyarrow is not installed."""
        import pyarrow

        return pyarrow.table(self)


def _plain(cells: Any) -> Sequence[Scalar]:
    """Python's own numbers; what is not finite is unknown."""
    if not isinstance(cells, np.ndarray):
        return cells  # type: ignore[no-any-return]
    if isinstance(cells, np.ma.MaskedArray):
        return cells.tolist()  # type: ignore[no-any-return]
    if cells.dtype.kind == "f" and not np.isfinite(cells).all():
        return [value if np.isfinite(value) else None for value in cells.tolist()]
    return cells.tolist()  # type: ignore[no-any-return]


def _shown(cell: Scalar) -> str:
    text = "" if cell is None else f"{cell:,.6g}" if isinstance(cell, float) else str(cell)
    return text if len(text) <= _WIDE else f"{text[: _WIDE - 1]}…"


def _taken(cells: Any, rows: slice) -> Cells:
    return Texts(cells.codes[rows], cells.encoded) if isinstance(cells, Texts) else cells[rows]


def _joined(parts: Sequence[Cells], is_coded: bool) -> Cells:
    """Parts one after another."""
    if is_coded:
        return _joined_texts([coded(part) for part in parts])
    if len(parts) == 1:
        return parts[0]
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if len(arrays) == len(parts) and arrays:
        values = np.concatenate([np.ma.getdata(array) for array in arrays])
        unknown = np.concatenate([np.ma.getmaskarray(array) for array in arrays])
        return np.ma.MaskedArray(values, unknown) if unknown.any() else values
    return [cell for part in parts for cell in _plain(part)]


def _joined_texts(parts: Sequence[Texts]) -> Texts:
    if len(parts) == 1:
        return parts[0]
    numbers: dict[str, int] = {}
    codes = []
    for part in parts:
        places = np.append(interned(part.encoded.texts, numbers), -1)
        codes.append(places[part.codes])
    return Texts(np.concatenate([np.empty(0, np.int32), *codes]).astype(np.int32), Encoded(numbers))


def _series(cells: Cells, dtype: str) -> Any:
    import pandas

    if isinstance(cells, Texts):
        used = np.flatnonzero(np.bincount(cells.codes[cells.codes >= 0], minlength=len(cells.encoded)))
        places = np.full(len(cells.encoded) + 1, -1, np.int32)
        places[used] = np.arange(len(used), dtype=np.int32)
        names = cells.encoded.texts
        return pandas.Categorical.from_codes(places[cells.codes], pandas.Index([names[i] for i in used.tolist()]))
    if isinstance(cells, np.ma.MaskedArray) and cells.dtype.kind == "f":
        return cells.filled(np.nan)
    if isinstance(cells, np.ma.MaskedArray):
        return pandas.array(cells.tolist(), dtype=cells.dtype.name.capitalize())
    if dtype in ("bool", "text") or isinstance(cells, np.ndarray):
        return pandas.Series(cells, dtype=None if len(cells) else {"text": "str"}.get(dtype, dtype))
    # pandas' own integers know what is unknown, numpy's do not.
    return pandas.Series(cells, dtype=dtype.capitalize() if None in cells and dtype.startswith("int") else dtype)
