"""An answer → the text that `perfplugin TOOL PATH` prints."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import os
import re
import threading
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from .. import work
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
    from ..tools import Brief, BriefTable

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


def in_markdown(text: str) -> str:
    """Text within Markdown, also within a table: nothing in it ends a cell, or is markup."""
    plain = printable(text)
    for mark in "\\|`*_<>[]#":
        plain = plain.replace(mark, f"\\{mark}")
    return plain


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


def _wrap(text: str, width: int, indent: str = "", most: int = _LINES) -> list[str]:
    """Lines of at most `width` characters, those after the first set in by two; what does not fit them is cut."""
    # Here, since JSON wraps nothing.
    from textwrap import wrap

    lines = wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent="  ",
        break_on_hyphens=False,
        max_lines=most,
        placeholder=" …",
    )
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


class Style(NamedTuple):
    """How headings and marks are set apart from other text, where they are."""

    is_coloured: bool = False

    @classmethod
    def of(cls, stream: TextIO) -> Style:
        """Coloured on a terminal that can, unless the variable NO_COLOR is set."""
        can = os.environ.get("TERM") != "dumb" and (os.name != "nt" or "WT_SESSION" in os.environ)
        return cls(stream.isatty() and can and not os.environ.get("NO_COLOR"))

    def heading(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[m" if self.is_coloured else text

    def mark(self, severity: str) -> str:
        colour = {"warning": "1;33", "note": "36"}.get(severity)
        return f"\x1b[{colour}m{_MARKS[severity]}\x1b[m" if self.is_coloured and colour else _MARKS[severity]


PLAIN = Style()


def answer_text(answer: Answer, width: int, style: Style = PLAIN) -> str:
    """The findings, scalars and tables of an answer, and how many of the files' events it is computed from."""
    parts = ["\n".join((style.heading(_title(answer)), *_range(answer)))]
    parts += ["\n".join(_finding(each, style)) for each in answer.result.findings]
    parts.append("\n".join(_facts(answer)))
    given = [spec for spec in answer.tool.tables if spec.name in answer.result.tables]
    filled = [spec for spec in given if len(answer.result.tables[spec.name][spec.columns[0].name])]
    parts += [_table(answer, spec, width, style) for spec in filled]
    if len(filled) < len(given):
        parts.append("empty tables: " + ", ".join(spec.title for spec in given if spec not in filled))
    parts.append("\n".join(_quality(answer)))
    return "\n\n".join(part for part in parts if part)


def _title(answer: Answer) -> str:
    hosts = ", ".join(answer.hosts[:4]) + (f" and {len(answer.hosts) - 4} more" if len(answer.hosts) > 4 else "")
    return printable(f"{answer.tool.title} · {answer.run} · {hosts}")


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


def _finding(finding: Finding, style: Style) -> Iterator[str]:
    yield f"{style.mark(finding.severity)} {printable(finding.title)}"
    for text in (finding.detail, finding.action):
        if text:
            yield f"  {printable(text)}"


def _table(answer: Answer, spec: TableSpec, width: int, style: Style) -> str:
    columns = answer.result.tables[spec.name]
    count = len(columns[spec.columns[0].name])
    # What no row has (modules, say, where there are none) takes no room, nor does a time that is 0 in all rows.
    filled = tuple(c for c in spec.columns if any(_is_known(cell) for cell in columns[c.name]))
    zero = {c.name for c in filled if c.unit == "ms" and not any(cell != 0 for cell in _listed(columns[c.name]))}
    filled, wrapped = _type_last(tuple(c for c in filled if c.name not in zero), columns)
    cells = [[_cell(cell, answer, c) for cell in _listed(columns[c.name][:ROWS])] for c in filled]
    headers = [_header(answer, c) for c in filled]
    text, fit = table(headers, list(zip(*cells, strict=True)), [c.dtype == "text" for c in filled], width, wrapped)
    notes = _notes(answer, spec, count, filled[fit:], len(zero))
    return f"{style.heading(spec.title)}{notes}\n{text}"


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


def _notes(answer: Answer, spec: TableSpec, count: int, hidden: tuple[Column, ...], zero: int) -> str:
    """What of the table is not shown, behind its heading."""
    which = "" if spec == table_of(answer) else f" --table {spec.name}"
    notes = []
    if count > ROWS:
        notes.append(f"{ROWS} of {count:,} rows")
    if hidden:
        notes.append(f"hidden: {', '.join(_header(answer, c) for c in hidden)}")
    if zero:
        notes.append(f"+{number_of(zero, 'column')} of zeros")
    return f": {'; '.join(notes)} (--csv{which} for all)" if notes else ""


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


# One screen of an answer: what the tool declares as most important.

#: Lines. What follows adds up to fewer, in the longest case: the rest is for tables.
SCREEN = 40
#: Findings, of which the first is shown with its texts; lines of each text, and of all findings.
_TITLES, _TEXT, _FINDINGS = 4, 4, 13
#: Lines of figures, of why the first is not known, and about the quality.
_FACTS, _WHYS, _QUALITY = 8, 2, 4
#: Rows with less of the sum are of no use there.
_LEAST = 0.001
#: Longer lines are hard to read. Figures side by side, and the longest text among them.
_WIDEST, _BESIDE, _FACT = 120, 3, 32


def screen_text(answer: Answer, brief: Brief, width: int, style: Style = PLAIN) -> str:
    """At most SCREEN lines, none longer than the terminal is wide."""
    width = max(min(width, _WIDEST), 40)
    ranges = (_wrap(line, width, most=1)[0] for line in itertools.islice(_range(answer), _WHYS))
    head = [style.heading(cut(_title(answer), width)), *ranges]
    quality = [_wrap(line, width, most=1)[0] for line in itertools.islice(_quality(answer), _QUALITY)]
    parts = [head, _first_findings(answer.result.findings, width, style), _known_facts(answer, brief, width)]
    end = ["", *quality, "", "all findings, figures and tables: --all"]
    room = SCREEN - len(end) - sum(len(part) + 1 for part in parts if part) + 1
    for each in brief.tables:
        if lines := _largest_rows(answer, each, width, room - 1, style):
            parts.append(lines)
            room -= len(lines) + 1
    return "\n".join([*"\n\n".join("\n".join(part) for part in parts if part).split("\n"), *end])


def _first_findings(findings: Sequence[Finding], width: int, style: Style) -> list[str]:
    lines: list[str] = []
    shown = 0
    for finding in findings[:_TITLES]:
        # The mark takes as many columns as the indent that stands in for it, whatever its colour.
        title = _wrap(printable(finding.title), width, "  ", 2 if lines else 3)
        if len(lines) + len(title) > _FINDINGS:
            break
        shown += 1
        lines += [style.mark(finding.severity) + title[0][1:], *title[1:]]
        if shown == 1:
            texts = filter(None, (finding.detail, finding.action))
            lines += [line for text in texts for line in _wrap(printable(text), width, "  ", _TEXT)]
    if shown < len(findings):
        lines.append(f"  and {number_of(len(findings) - shown, 'more finding')}")
    return lines


def _known_facts(answer: Answer, brief: Brief, width: int) -> list[str]:
    """Those that are known and not 0, side by side, and why the first is unknown."""
    declared = {column.name: column for column in answer.tool.summary}
    summary, unknown = answer.result.summary, answer.result.unknown
    pairs = [
        (declared[name].title, cut(_cell(summary[name], answer, declared[name]), _FACT))
        for name in brief.facts
        if _is_known(summary[name]) and summary[name] != 0
    ]
    reasons = []
    if why := unknown.get(brief.facts[0]):
        reasons = _wrap(f"{UNKNOWN} {declared[brief.facts[0]].title}: {printable(why)}", width, most=_WHYS)
    if not pairs:
        return reasons
    titles, cells = (max(len(pair[i]) for pair in pairs) for i in (0, 1))
    each = titles + 2 + cells
    beside = max(1, min(_BESIDE, (width + 3) // (each + 3)))
    down = min(-(-len(pairs) // beside), _FACTS)
    texts = [f"{title.ljust(titles)}  {cell}".ljust(each) for title, cell in pairs[: down * beside]]
    return [*("   ".join(texts[i::down]).rstrip() for i in range(down)), *reasons]


def _largest_rows(answer: Answer, brief: BriefTable, width: int, room: int, style: Style) -> list[str]:
    """As many as fit: none where not even one does."""
    columns = answer.result.tables.get(brief.table, {})
    spec = next(each for each in answer.tool.tables if each.name == brief.table)
    amounts = _listed(columns.get(brief.by, ()))
    least = _LEAST * sum(amount or 0 for amount in amounts)
    places = sorted((i for i, amount in enumerate(amounts) if amount and amount > least), key=lambda i: -amounts[i])
    count = min(brief.rows, room - 2)
    if not places or count < 1:
        return []
    shown = [c for c in spec.columns if c.name in brief.columns and any(map(_is_known, _listed(columns[c.name])))]
    cells = [_listed(columns[c.name]) for c in shown]
    rows = [[_cell(of[i], answer, c) for of, c in zip(cells, shown, strict=True)] for i in places[:count]]
    text = table([_header(answer, c) for c in shown], rows, [c.dtype == "text" for c in shown], width)[0]
    part = f": {count} of {len(places)} rows" if count < len(places) else ""
    return [style.heading(spec.title) + part, *text.split("\n")]


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


# How far an answer and a run's hosts are, on a terminal one line that is written over and goes at the end; elsewhere
# nothing.

#: Faster than this is not readable.
_EVERY_S = 0.1
#: What takes no longer needs no line, but for many hosts.
_AFTER_S = 1.0


def add_hosts_arguments(parser: argparse.ArgumentParser) -> None:
    where = "what reads the hosts: the address of a Dask scheduler, tcp://host:8786, or `processes` of this machine, or"
    default = "`serial` for one after another; default: processes where there are many hosts"
    parser.add_argument("--cluster", metavar="ADDRESS", help=f"{where} {default}")


class ProgressLine:
    """Shows the progress of many hosts while they are read, and else the stage of an answer that takes long."""

    def __init__(self, stream: TextIO, width: int, quiet: bool = False) -> None:
        self._stream, self._width = stream, width
        self._is_seen = stream.isatty() and not quiet
        self._shown, self._next, self._has_hosts = False, 0.0, False

    def show(self, now: Progress) -> None:
        self._has_hosts = True
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _EVERY_S
            self._write(progress_text(now))

    @contextlib.contextmanager
    def watched(self, after_s: float = _AFTER_S) -> Iterator[None]:
        """Around what computes an answer; the line is gone at the end."""
        if not self._is_seen:
            yield
            return
        question, ended = work.Work(), threading.Event()
        watch = threading.Thread(target=self._watch, args=(question, ended, after_s), name="progress", daemon=True)
        watch.start()
        try:
            with work.at(question):
                yield
        finally:
            ended.set()
            watch.join()
            self.clear()

    def _watch(self, question: work.Work, ended: threading.Event, after_s: float) -> None:
        with contextlib.suppress(OSError):
            while not ended.wait(_EVERY_S):
                lasted_s = time.monotonic() - question.started_s
                if lasted_s >= after_s and not self._has_hosts:
                    self._write(f"{stage_text(question)} … {lasted_s:.1f} s")

    def _write(self, text: str) -> None:
        if self._is_seen:
            self._shown = True
            self._stream.write(f"\r\x1b[K{printable(cut(text, self._width - 1))}")
            self._stream.flush()

    def clear(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def stage_text(question: work.Work) -> str:
    """`reading rank0, 2 of 8 hosts`."""
    if not question.host:
        return "looking for captures" if question.stage == "waiting" else question.stage
    hosts = f", {question.hosts_done:,} of {question.hosts:,} hosts" if question.hosts > 1 else ""
    return f"{question.stage} {question.host}{hosts}"


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
