"""`perfplugin findings [CODE]` and `perfplugin columns [TOOL]`: what tools and rules declare, as text or JSON."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .show import table

if TYPE_CHECKING:
    from ..advice.text.catalogue import Words
    from ..reference.columns import Entry as ToolEntry
    from ..reference.findings import Entry as FindingEntry
    from ..tables import Column

#: Of JSON, as of an answer.
_SCHEMA = 1


def findings_text(code: str | None, width: int) -> str:
    """Raises NotFoundError."""
    from ..reference import findings

    if code is None:
        rows = [(code, subject.replace("_", " "), title) for subject, code, title in findings.titles()]
        # Codes are to be copied: nothing is cut, however narrow the terminal.
        return table(("Code", "Subject", "Example"), rows, (True, True, True), sys.maxsize)[0]
    return "\n".join(_finding(findings.entry(code), width))


def _finding(entry: FindingEntry, width: int) -> Iterator[str]:
    yield f"{entry.code} ({entry.subject.replace('_', ' ')})"
    for example in entry.examples:
        yield from ("", *_words(example, width))
    yield from ("", *_wrapped(f"When: {entry.when}", width, ""))
    if entry.unless:
        yield from _wrapped(f"Not: {entry.unless}", width, "")
    if entry.limits:
        yield from ("", "Thresholds:")
        for limit in entry.limits:
            yield from _wrapped(f"{limit.name}, {limit.value}: {limit.why} ({limit.source})", width, "  ")
    for variant in entry.variants:
        yield from ("", f"In captures of {variant.captures_of}:", *_words(variant.text, width))
    if entry.seen_in:
        yield from ("", *_wrapped(f"Seen in {entry.seen_in}.", width, ""))


def _words(text: Words, width: int) -> Iterator[str]:
    for part in filter(None, text):
        yield from _wrapped(part, width, "  ")


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    return textwrap.wrap(
        text, max(width, 40), initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )


def findings_json(code: str | None) -> dict[str, Any]:
    """Raises NotFoundError."""
    from ..reference import findings

    if code is None:
        listed = [{"code": code, "subject": subject, "title": title} for subject, code, title in findings.titles()]
        return {"schema": _SCHEMA, "findings": listed}
    entry = findings.entry(code)
    plain = {
        "examples": [text._asdict() for text in entry.examples],
        "limits": [limit._asdict() for limit in entry.limits],
        "variants": [{"captures_of": name, **text._asdict()} for name, text in entry.variants],
    }
    return {"schema": _SCHEMA, **entry._asdict(), **plain}


def columns_text(name: str | None) -> str:
    """Raises NotFoundError."""
    from ..reference import columns

    if name is None:
        rows = [
            (tool.name, group, str(len(declared)), title)
            for tool in columns.entries()
            for group, title, declared in tool.groups()
        ]
        return table(("Tool", "Table", "Columns", "Title"), rows, (True, True, False, True), sys.maxsize)[0]
    return "\n".join(_tool(columns.entry(name)))


def _tool(tool: ToolEntry) -> Iterator[str]:
    for group, _, declared in tool.groups():
        yield f"{tool.name}: {group}"
        for column in declared:
            yield f"  {column.name} ({column.unit or column.dtype}), {column.title}: {column.help}"


def columns_json(name: str | None) -> dict[str, Any]:
    """Raises NotFoundError."""
    from ..reference import columns

    if name is None:
        tools = [{"tool": tool.name, "tables": [group for group, _, _ in tool.groups()]} for tool in columns.entries()]
        return {"schema": _SCHEMA, "tools": tools}
    tool = columns.entry(name)
    groups = {group: [_column(column) for column in declared] for group, _, declared in tool.groups()}
    return {"schema": _SCHEMA, "tool": tool.name, "tables": groups}


def _column(column: Column) -> dict[str, str]:
    return {name: getattr(column, name) for name in ("name", "dtype", "unit", "title", "help")}
