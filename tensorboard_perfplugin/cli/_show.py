"""An answer → the text that `perfplugin TOOL PATH` prints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..answers import table_of
from ..tables import Column
from ..tools import Answer, Finding, TableSpec
from ..tools.memory_profile import MEMORY_PROFILE
from ._text import UNKNOWN, label, printable, shown, table

#: What fits a screen.
ROWS = 20
_MARKS = {"info": "·", "note": "*", "warning": "!"}


def answer_text(answer: Answer, width: int) -> str:
    """What a tool says: its scalars, what they mean, its tables, and what became of the file's events."""
    hosts = ", ".join(answer.hosts[:4]) + (f" and {len(answer.hosts) - 4} more" if len(answer.hosts) > 4 else "")
    parts = [printable(f"{answer.tool.title} · {answer.run} · {hosts}")]
    parts.append("\n".join(_facts(answer)))
    parts += ["\n".join(_finding(each)) for each in answer.result.findings]
    parts += [_table(answer, spec, width) for spec in answer.tool.tables if spec.name in answer.result.tables]
    parts.append("\n".join(_quality(answer)))
    return "\n\n".join(part for part in parts if part)


def _facts(answer: Answer) -> Iterator[str]:
    names = [label(column.name, column.unit) for column in answer.tool.summary]
    wide = max(map(len, names), default=0)
    for name, column in zip(names, answer.tool.summary, strict=True):
        value = shown(answer.result.summary[column.name], _unit(answer, column))
        reason = answer.result.unknown.get(column.name)
        yield f"{name.ljust(wide)}  {value if reason is None else f'{UNKNOWN}  ({printable(reason)})'}"


def _finding(finding: Finding) -> Iterator[str]:
    yield f"{_MARKS[finding.severity]} {printable(finding.title)}"
    for text in (finding.detail, finding.action):
        if text:
            yield f"  {printable(text)}"


def _table(answer: Answer, spec: TableSpec, width: int) -> str:
    columns = answer.result.tables[spec.name]
    count = len(columns[spec.columns[0].name])
    if not count:
        return f"{spec.title}: no rows"
    # A text that no row has (modules, say, where there are none) takes no room, nor does a time that is 0 in all rows.
    told = tuple(c for c in spec.columns if c.dtype != "text" or any(columns[c.name]))
    zero = {c.name for c in told if c.unit == "ms" and not any(cell != 0 for cell in _listed(columns[c.name]))}
    told = tuple(c for c in told if c.name not in zero)
    cells = [[shown(cell, _unit(answer, c)) for cell in _listed(columns[c.name][:ROWS])] for c in told]
    headers = [label(c.name, c.unit) for c in told]
    text, fit = table(headers, list(zip(*cells, strict=True)), [c.dtype == "text" for c in told], width)
    return f"{_heading(answer, spec, count, told[fit:], len(zero))}\n{text}"


def _heading(answer: Answer, spec: TableSpec, count: int, hidden: tuple[Column, ...], zero: int) -> str:
    which = "" if spec == table_of(answer) else f" --table {spec.name}"
    notes = []
    if count > ROWS:
        notes.append(f"showing {ROWS} of {count:,} rows")
    if hidden:
        notes.append(f"without {', '.join(label(c.name, c.unit) for c in hidden)}")
    if zero:
        notes.append(f"without {zero} times that are 0 in every row")
    return f"{spec.title}: {', '.join(notes)} (--csv{which} for all)" if notes else spec.title


def _unit(answer: Answer, column: Column) -> str:
    """As pages have it: bytes of memory are told in KiB, MiB, GiB, other bytes in kB, MB, GB."""
    return "memory" if column.unit == "bytes" and answer.tool is MEMORY_PROFILE else column.unit


def _quality(answer: Answer) -> Iterator[str]:
    quality = answer.quality
    decoder = f"read by the {answer.decoder.replace(',', ' and ')} decoder"
    yield f"{quality.events_kept:,} of {quality.events_in_file:,} events kept, {decoder}"
    for reason, count in quality.dropped.items():
        yield f"dropped: {count:,} {printable(reason)}"
    for warning in quality.warnings:
        yield f"warning: {printable(warning)}"


def _listed(cells: Any) -> list[Any]:
    return cells.tolist() if hasattr(cells, "tolist") else list(cells)
