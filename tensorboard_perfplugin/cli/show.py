"""An answer → the text that `perfplugin TOOL PATH` prints."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

from ..answers import table_of
from ..tables import Column, DecoderKind
from ..tools import Answer, FileUse, Finding, QualityInWords, TableSpec
from ..units import UNKNOWN, unit_of, value
from ..units import count as number_of
from .text import printable, table

#: What fits a screen.
ROWS = 20
#: What is said of a range, and all else.
_IS_RANGE, _IS_NO_RANGE = re.compile(r"range_of_"), re.compile(r"(?!range_of_)")
_MARKS = {"info": "·", "note": "*", "warning": "!"}


def answer_text(answer: Answer, width: int) -> str:
    """The findings, scalars and tables of an answer, and how many of the files' events it is computed from."""
    hosts = ", ".join(answer.hosts[:4]) + (f" and {len(answer.hosts) - 4} more" if len(answer.hosts) > 4 else "")
    parts = ["\n".join((printable(f"{answer.tool.title} · {answer.run} · {hosts}"), *_range(answer)))]
    parts += ["\n".join(_finding(each)) for each in answer.result.findings]
    parts.append("\n".join(_facts(answer)))
    given = [spec for spec in answer.tool.tables if spec.name in answer.result.tables]
    filled = [spec for spec in given if len(answer.result.tables[spec.name][spec.columns[0].name])]
    parts += [_table(answer, spec, width) for spec in filled]
    if len(filled) < len(given):
        parts.append("empty tables: " + ", ".join(spec.title for spec in given if spec not in filled))
    parts.append("\n".join(_quality(answer)))
    return "\n\n".join(part for part in parts if part)


def _range(answer: Answer) -> Iterator[str]:
    """What of the run it is of, where that is a part."""
    yield from (printable(warning) for warning in _warned(answer, _IS_RANGE))


def _warned(answer: Answer, about: re.Pattern[str]) -> tuple[str, ...]:
    """The warnings whose codes are of that kind."""
    some = tuple(each for each in answer.quality.warnings if about.match(each.code))
    return QualityInWords.of(dataclasses.replace(answer.quality, warnings=some)).warnings


def _facts(answer: Answer) -> Iterator[str]:
    """A line a scalar; those that are unknown for one reason share a line, after the others."""
    names = {column.name: column.title for column in answer.tool.summary}
    unknown = answer.result.unknown
    wide = max((len(text) for name, text in names.items() if name not in unknown), default=0)
    for column in answer.tool.summary:
        if column.name not in unknown:
            yield f"{names[column.name].ljust(wide)}  {_cell(answer.result.summary[column.name], answer, column)}"
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
    filled = tuple(c for c in spec.columns if any(_is_known(cell) for cell in columns[c.name]))
    zero = {c.name for c in filled if c.unit == "ms" and not any(cell != 0 for cell in _listed(columns[c.name]))}
    filled, wrapped = _type_last(tuple(c for c in filled if c.name not in zero), columns)
    cells = [[_cell(cell, answer, c) for cell in _listed(columns[c.name][:ROWS])] for c in filled]
    headers = [_header(answer, c) for c in filled]
    text, fit = table(headers, list(zip(*cells, strict=True)), [c.dtype == "text" for c in filled], width, wrapped)
    return f"{_heading(answer, spec, count, filled[fit:], len(zero))}\n{text}"


def _type_last(given: tuple[Column, ...], columns: dict[str, Any]) -> tuple[tuple[Column, ...], int]:
    """The columns, and which of them is wrapped, -1 for none.

    Where names begin with their types, as PyTorch's do, types stand last; where input shapes or stacks follow in them,
    whose middle tells them apart, names are wrapped.
    """
    place = {c.name: i for i, c in enumerate(given)}
    if "name" not in place or "type" not in place:
        return given, -1
    pairs = list(zip(_listed(columns["name"]), _listed(columns["type"]), strict=True))
    if 2 * sum(name.startswith(type) for name, type in pairs) < len(pairs):
        return given, -1
    last = given[place["type"]]
    is_longer = any(name.startswith(f"{type} ") for name, type in pairs)
    ordered = (*(c for c in given if c is not last), last)
    return ordered, ordered.index(given[place["name"]]) if is_longer else -1


def _header(answer: Answer, column: Column) -> str:
    """A category of a step is called as in captures of this kind."""
    title = answer.result.titles.get(column.name.removesuffix("_ms")) if column.unit == "ms" else None
    return title or column.title


def _is_known(cell: Any) -> bool:
    return cell is not None and cell != ""


def _heading(answer: Answer, spec: TableSpec, count: int, hidden: tuple[Column, ...], zero: int) -> str:
    which = "" if spec == table_of(answer) else f" --table {spec.name}"
    notes = []
    if count > ROWS:
        notes.append(f"{ROWS} of {count:,} rows")
    if hidden:
        notes.append(f"hidden: {', '.join(_header(answer, c) for c in hidden)}")
    if zero:
        notes.append(f"+{number_of(zero, 'column')} of zeros")
    return f"{spec.title}: {'; '.join(notes)} (--csv{which} for all)" if notes else spec.title


def _cell(cell: Any, answer: Answer, column: Column) -> str:
    if isinstance(cell, str):
        return printable(cell)
    return value(cell, unit_of(column.name, column.unit, is_memory=answer.tool.name == "memory_profile"))


def _quality(answer: Answer) -> Iterator[str]:
    quality = QualityInWords.of(answer.quality)
    decoder = f"read by the {answer.decoder.replace(',', ' and ')} decoder{slower_note(answer.decoder)}"
    yield f"{quality.events_kept:,} of {quality.events_in_file:,} events kept, {decoder}"
    for reason, count in quality.dropped.items():
        yield f"dropped: {count:,} {printable(reason)}"
    for warning in _warned(answer, _IS_NO_RANGE):
        yield f"warning: {printable(warning)}"
    yield from _files(answer.files)


def slower_note(decoders: str) -> str:
    """What is said of every format alike where something not compiled read it."""
    is_fast = set(decoders.split(",")) <= {"", DecoderKind.COMPILED}
    return "" if is_fast else " (slower: perfplugin was installed without a C compiler)"


def _files(files: tuple[FileUse, ...]) -> Iterator[str]:
    """A line for what is read, and one for each kind of file that is not."""
    used = [each.file for each in files if each.used]
    if used and used != [each.file for each in files]:
        yield f"read: {printable(_some(used))}"
    others: dict[str, list[FileUse]] = {}
    for each in files:
        if not each.used:
            others.setdefault(each.kind, []).append(each)
    for kind, same in others.items():
        choose = f"; choose it by --host '{printable(same[0].select)}'" if same[0].select else ""
        names = printable(_some([each.file for each in same]))
        yield f"not read: {names} ({kind}): {printable(same[0].why)}{choose}"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _listed(cells: Any) -> list[Any]:
    return cells.tolist() if hasattr(cells, "tolist") else list(cells)
