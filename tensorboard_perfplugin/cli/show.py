"""An answer → the text that `perfplugin TOOL PATH` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..answers import table_of
from ..tables import Column
from ..tools import Answer, Finding, QualityInWords, TableSpec
from .text import UNKNOWN, label, printable, shown, table

#: What fits a screen.
ROWS = 20
_MARKS = {"info": "·", "note": "*", "warning": "!"}


def answer_text(answer: Answer, width: int) -> str:
    """What a tool says: what it found, its scalars, its tables, and what became of the file's events."""
    hosts = ", ".join(answer.hosts[:4]) + (f" and {len(answer.hosts) - 4} more" if len(answer.hosts) > 4 else "")
    parts = [printable(f"{answer.tool.title} · {answer.run} · {hosts}")]
    parts += ["\n".join(_finding(each)) for each in answer.result.findings]
    parts.append("\n".join(_facts(answer)))
    given = [spec for spec in answer.tool.tables if spec.name in answer.result.tables]
    filled = [spec for spec in given if len(answer.result.tables[spec.name][spec.columns[0].name])]
    parts += [_table(answer, spec, width) for spec in filled]
    if len(filled) < len(given):
        parts.append("no rows: " + ", ".join(spec.title for spec in given if spec not in filled))
    parts.append("\n".join(_quality(answer)))
    return "\n\n".join(part for part in parts if part)


def _facts(answer: Answer) -> Iterator[str]:
    """A line a scalar; those that are unknown for one reason share a line, after the others."""
    names = {column.name: label(column.name, column.unit) for column in answer.tool.summary}
    unknown = answer.result.unknown
    wide = max((len(text) for name, text in names.items() if name not in unknown), default=0)
    for column in answer.tool.summary:
        if column.name not in unknown:
            value = shown(answer.result.summary[column.name], _unit(answer, column))
            yield f"{names[column.name].ljust(wide)}  {value}"
    for reason in dict.fromkeys(unknown.values()):
        which = dict.fromkeys(text for name, text in names.items() if unknown.get(name) == reason)
        yield f"{UNKNOWN} {', '.join(which)}: {printable(reason)}"


def _finding(finding: Finding) -> Iterator[str]:
    yield f"{_MARKS[finding.severity]} {printable(finding.title)}"
    for text in (finding.detail, finding.action):
        if text:
            yield f"  {printable(text)}"


def _table(answer: Answer, spec: TableSpec, width: int) -> str:
    columns = answer.result.tables[spec.name]
    count = len(columns[spec.columns[0].name])
    # What no row has (modules, say, where there are none) takes no room, nor does a time that is 0 in all rows.
    told = tuple(c for c in spec.columns if any(_is_told(cell) for cell in columns[c.name]))
    zero = {c.name for c in told if c.unit == "ms" and not any(cell != 0 for cell in _listed(columns[c.name]))}
    told, wrapped = _type_last(tuple(c for c in told if c.name not in zero), columns)
    cells = [[shown(cell, _unit(answer, c)) for cell in _listed(columns[c.name][:ROWS])] for c in told]
    headers = [_header(answer, c) for c in told]
    text, fit = table(headers, list(zip(*cells, strict=True)), [c.dtype == "text" for c in told], width, wrapped)
    return f"{_heading(answer, spec, count, told[fit:], len(zero))}\n{text}"


def _type_last(told: tuple[Column, ...], columns: dict[str, Any]) -> tuple[tuple[Column, ...], int]:
    """The columns, and which of them is wrapped, -1 for none.

    Where names begin with their types, as PyTorch's do, types stand last; where input shapes or stacks follow in them,
    whose middle tells them apart, names are wrapped.
    """
    place = {c.name: i for i, c in enumerate(told)}
    if "name" not in place or "type" not in place:
        return told, -1
    pairs = list(zip(_listed(columns["name"]), _listed(columns["type"]), strict=True))
    if 2 * sum(name.startswith(type) for name, type in pairs) < len(pairs):
        return told, -1
    last = told[place["type"]]
    is_longer = any(name.startswith(f"{type} ") for name, type in pairs)
    ordered = (*(c for c in told if c is not last), last)
    return ordered, ordered.index(told[place["name"]]) if is_longer else -1


def _header(answer: Answer, column: Column) -> str:
    """A category of a step is called as in captures of this kind."""
    own = answer.result.titles.get(column.name.removesuffix("_ms")) if column.unit == "ms" else None
    return own.lower() if own else label(column.name, column.unit)


def _is_told(cell: Any) -> bool:
    return cell is not None and cell != ""


def _heading(answer: Answer, spec: TableSpec, count: int, hidden: tuple[Column, ...], zero: int) -> str:
    which = "" if spec == table_of(answer) else f" --table {spec.name}"
    notes = []
    if count > ROWS:
        notes.append(f"showing {ROWS} of {count:,} rows")
    if hidden:
        notes.append(f"without {', '.join(_header(answer, c) for c in hidden)}")
    if zero:
        notes.append(f"without {zero} times that are 0 in every row")
    return f"{spec.title}: {', '.join(notes)} (--csv{which} for all)" if notes else spec.title


def _unit(answer: Answer, column: Column) -> str:
    """As pages have it: bytes of memory are told in KiB, MiB, GiB, other bytes in kB, MB, GB."""
    return "memory" if column.unit == "bytes" and answer.tool.name == "memory_profile" else column.unit


def _quality(answer: Answer) -> Iterator[str]:
    quality = QualityInWords.of(answer.quality)
    decoder = f"read by the {answer.decoder.replace(',', ' and ')} decoder"
    yield f"{quality.events_kept:,} of {quality.events_in_file:,} events kept, {decoder}"
    for reason, count in quality.dropped.items():
        yield f"dropped: {count:,} {printable(reason)}"
    for warning in quality.warnings:
        yield f"warning: {printable(warning)}"


def _listed(cells: Any) -> list[Any]:
    return cells.tolist() if hasattr(cells, "tolist") else list(cells)
