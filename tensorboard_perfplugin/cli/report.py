"""`perfplugin report`: a run as one HTML file with its pages, or as a short text for a pull request or a chat."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..errors import NotFoundError
from ..tables import Column
from ..tools import TOOLS, Answer, Scalar
from ..units import unit_of, value
from . import export_file
from .show import in_markdown

if TYPE_CHECKING:
    from ..api import Profile

#: Rows of each table of the text, and findings.
_ROWS, _FINDINGS = 8, 12
_MARKS = {"info": "○", "note": "●", "warning": "▲"}
#: What the text begins with, as far as it is known.
_FACTS = (
    *("step_time_ms", "step_count", "step_time_sd_ms", "device_idle_share"),
    *("host_count", "device_type", "framework"),
)
#: Table → its columns in the text, the first a name, the second what rows without are left out.
_TABLES = {
    "split": ("title", "step_ms", "share"),
    "device_ops": ("name", "self_ms", "self_share", "occurrences"),
    "host_ops": ("name", "self_ms", "self_share", "occurrences"),
}
_KERNELS = {"names": ("short_name", "total_us", "occurrences")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    help = "a run that it is compared with: its captures, as A of `perfplugin compare A B`"
    parser.add_argument("--compare", dest="base", metavar="BASE", help=help)
    parser.add_argument("--markdown", action="store_true", help="a short text for a pull request, without pages")
    where = "a file; a folder; or - for standard output"
    default = "default: a file here, named by the run; of --markdown, standard output"
    parser.add_argument("-o", "--output", metavar="FILE", help=f"{where}; {default}")


def write(profile: Profile, args: argparse.Namespace, of: dict[str, Scalar]) -> None:
    """Raises ArgumentError, NotFoundError, UnreadableError."""
    if args.markdown:
        text = "\n".join(_markdown(profile, args.base, of)) + "\n"
        made = export_file.Text("report.md", text)
        export_file.write_text(made, True, args.output, args.path, profile.files)
    else:
        export_file.write(profile.report(args.base, **of), args.output, args.path, profile.files)


def _markdown(profile: Profile, base: str | None, of: dict[str, Scalar]) -> Iterator[str]:
    missing = profile.missing()
    name = next((tool.name for tool in TOOLS if missing[tool.name] is None), "")
    if not name:
        raise NotFoundError(f"nothing to report of {profile.run}: {next(iter(missing.values()))}")
    answer = profile.tool(name, **of)
    yield f"### {in_markdown(profile.run)}"
    yield ""
    yield _facts(answer)
    yield from _findings(answer)
    if name == "overview":
        yield from _tables(answer, _TABLES)
    if missing["kernel_stats"] is None:
        yield from _tables(profile.kernel_stats(**of), _KERNELS)
    if base is not None:
        from ..api import compare
        from .gate import comparison_markdown

        yield ""
        yield from comparison_markdown(compare(base, profile, **of))


def _facts(answer: Answer) -> str:
    columns = {column.name: column for column in answer.tool.summary}
    known = [columns[name] for name in _FACTS if answer.result.summary.get(name) not in (None, "")]
    return " · ".join(f"{column.title}: {_cell(answer.result.summary[column.name], column)}" for column in known)


def _findings(answer: Answer) -> Iterator[str]:
    findings = answer.result.findings
    yield ""
    for each in findings[:_FINDINGS]:
        action = f" {in_markdown(each.action)}" if each.action else ""
        yield f"* {_MARKS[each.severity]} {each.severity}: **{in_markdown(each.title)}**{action}"
    if len(findings) > _FINDINGS:
        yield f"* and {len(findings) - _FINDINGS} more"


def _tables(answer: Answer, tables: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for spec in answer.tool.tables:
        names = tables.get(spec.name, ())
        cells = answer.result.tables.get(spec.name, {})
        columns = [column for name in names for column in spec.columns if column.name == name]
        rows = [row for row in zip(*(list(cells[c.name]) for c in columns), strict=True) if row[1]] if cells else []
        if not rows or not columns:
            continue
        yield from ("", f"| {spec.title} | {' | '.join(column.title for column in columns[1:])} |")
        yield "|---" + "|--:" * (len(columns) - 1) + "|"
        for row in itertools.islice(rows, _ROWS):
            yield f"| {' | '.join(_cell(cell, column) for cell, column in zip(row, columns, strict=True))} |"


def _cell(cell: Scalar, column: Column) -> str:
    return in_markdown(cell) if isinstance(cell, str) else value(cell, unit_of(column.name, column.unit))
