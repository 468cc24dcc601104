"""An answer → the text that `perfplugin TOOL PATH` prints."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import re
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ..answers.encode import table_of
from ..errors import ArgumentError
from ..patterns import regex
from ..tables import Column, DecoderKind
from ..tools import Answer, FileUse, Finding, QualityInWords, TableSpec
from ..units import UNKNOWN, instant, seconds, unit_of, value
from ..units import count as number_of

if TYPE_CHECKING:
    from ..answers.partials.gather import Progress
    from ..tables import Column, Scalar

# Text for a terminal: names cut in the middle, tables that fit.

#: A text column is not made narrower than this.
MIN_TEXT = 24
#: Lines of a text that is wrapped, and the part of the width that it keeps.
_LINES, _PART = 3, 1 / 3


def printable(text: str) -> str:
    """The text with every character that a terminal would act on written as its escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cut(text: str, width: int) -> str:
    """At most `width` characters, the middle left out."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"


Rows = Sequence[Sequence[str]]


def table(
    headers: Sequence[str], rows: Rows, is_text: Sequence[bool], width: int, wrapped: int = -1
) -> tuple[str, int]:
    """Aligned lines, and how many columns fit. Text columns shrink before a column at the end is left out.

    wrapped: the text column that is broken into lines where it shrinks, and only then cut; -1 none is.
    """
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    least = [max(MIN_TEXT, int(width * _PART)) if i == wrapped else MIN_TEXT for i in range(len(widths))]
    fit = _fit(widths, is_text, width, least)
    lines = []
    for row in (headers, *rows):
        cells = [
            (_wrap(cell, wide) if i == wrapped else [cut(cell, wide)]) if text else [cell.rjust(wide)]
            for i, (cell, wide, text) in enumerate(zip(row, fit, is_text, strict=False))
        ]
        for parts in itertools.zip_longest(*cells, fillvalue=""):
            lines.append("  ".join(part.ljust(wide) for part, wide in zip(parts, fit, strict=True)).rstrip())
    return "\n".join(lines), len(fit)


def _wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, those after the first set in by two; what does not fit them is cut."""
    # Here, since JSON wraps nothing.
    from textwrap import wrap

    lines = wrap(text, width, subsequent_indent="  ", break_on_hyphens=False, max_lines=_LINES, placeholder=" …")
    return lines or [""]


def _fit(widths: Sequence[int], is_text: Sequence[bool], width: int, least: Sequence[int]) -> list[int]:
    """The widths of the leading columns that fit. least: how narrow a text may become."""
    fit = list(widths)
    while len(fit) > 1:
        over = sum(fit) + 2 * (len(fit) - 1) - width
        places = [i for i in range(len(fit)) if is_text[i]]
        if over <= sum(max(0, fit[i] - least[i]) for i in places):
            break
        fit.pop()
    over = max(0, sum(fit) + 2 * (len(fit) - 1) - width)
    while over > 0:
        widest = max(range(len(fit)), key=lambda i: fit[i] - least[i] if is_text[i] else 0)
        if not is_text[widest] or fit[widest] <= least[widest]:
            break
        fit[widest] -= 1
        over -= 1
    return fit


#: What fits a screen.
ROWS = 20
#: Warnings about a range, and all others.
_IS_RANGE, _IS_NO_RANGE = regex(r"range_of_"), regex(r"(?!range_of_)")
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
    """A note, the same for every format, where a loop that is not compiled read it."""
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


# `perfplugin runs PATH --table`: a row a run, as text, CSV or JSON.

#: What says when a run was captured: text shows it as a time.
_MOMENT = "captured_ms"
#: Longer than a line, and what the first finding says.
_LEFT_OUT = ("findings", "failed")


def add_runs_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--table", action="store_true", help="read the runs: step time, change, first finding, memory")
    parser.add_argument("--baseline", default="", metavar="RUN", help="a run that all are compared with")
    parser.add_argument("--sort", default="", metavar="COLUMN", help="a column to sort by")
    parser.add_argument("--reverse", action="store_true", help="largest first")
    parser.add_argument("--grep", default="", metavar="TEXT", help="only runs whose name or findings hold the text")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the columns as JSON")
    form.add_argument("--csv", action="store_true", help="as CSV, all columns")


def wants_table(args: argparse.Namespace) -> bool:
    return bool(args.table or args.baseline or args.sort or args.grep or args.json or args.csv)


def table_text(args: argparse.Namespace, width: int) -> str:
    """Raises NotFoundError, and ArgumentError for a column that is none."""
    from ..answers.encode import columns_to_csv, to_json
    from ..answers.table_of_runs import RUNS
    from ..api import runs

    columns = _sorted(runs(args.path, args.baseline, args.grep), args.sort, args.reverse)
    if args.json:
        return to_json({"columns": columns}) + "\n"
    if args.csv:
        return columns_to_csv(RUNS, columns, "\n")
    some = [c for c in RUNS.columns if c.name not in _LEFT_OUT and set(columns[c.name]) - {None, ""}]
    rows = list(zip(*([_runs_text_cell(cell, c) for cell in columns[c.name]] for c in some), strict=True))
    return table([c.title for c in some], rows, [c.dtype == "text" for c in some], width)[0] + "\n"


def _sorted(columns: dict[str, list[Scalar]], name: str, reverse: bool) -> dict[str, list[Scalar]]:
    """Rows without a value last."""
    if not name:
        return columns
    if name not in columns:
        raise ArgumentError.with_choices(f"no column {name[:80]!r}", columns)
    known = [i for i, cell in enumerate(columns[name]) if cell is not None]
    known.sort(key=lambda i: columns[name][i], reverse=reverse)  # type: ignore[arg-type,return-value]
    order = [*known, *(i for i, cell in enumerate(columns[name]) if cell is None)]
    return {each: [cells[i] for i in order] for each, cells in columns.items()}


def _runs_text_cell(cell: Scalar, column: Column) -> str:
    if isinstance(cell, str):
        return printable(cell)
    if column.name == _MOMENT and isinstance(cell, int):
        return instant(cell / 1e3)
    return value(cell, unit_of(column.name, column.unit, is_memory=True))


# How far a run's hosts are, on a terminal one line that is written over and goes at the end; elsewhere nothing.

#: Faster than this is not readable.
_EVERY_S = 0.1


def add_hosts_arguments(parser: argparse.ArgumentParser) -> None:
    where = "what reads the hosts: the address of a Dask scheduler, tcp://host:8786, or `processes` of this machine, or"
    default = "`serial` for one after another; default: processes where there are many hosts"
    parser.add_argument("--cluster", metavar="ADDRESS", help=f"{where} {default}")


class HostsLine:
    """Shows the progress of many hosts while they are read."""

    def __init__(self, stream: TextIO, width: int) -> None:
        self._stream, self._width = stream, width
        self._shown, self._next = False, 0.0

    def show(self, now: Progress) -> None:
        if self._stream.isatty() and time.monotonic() >= self._next:
            self._next, self._shown = time.monotonic() + _EVERY_S, True
            self._stream.write(f"\r\x1b[K{printable(cut(progress_text(now), self._width - 1))}")
            self._stream.flush()

    def clear(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def progress_text(now: Progress) -> str:
    """`412 of 1,000 hosts, 96 MB/s, 18 s left, 1 failed`."""
    parts = [f"{now.done:,} of {now.hosts:,} hosts"]
    if now.read_bytes and now.seconds:
        parts.append(f"{value(round(now.read_bytes / now.seconds), 'bytes')}/s")
    if now.left_s:
        parts.append(f"{seconds(float(f'{now.left_s:.1g}') if now.left_s < 10 else round(now.left_s))} left")
    if now.failed:
        parts.append(f"{now.failed:,} failed")
    return ", ".join(parts)
