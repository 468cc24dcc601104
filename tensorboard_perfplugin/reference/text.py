"""Parts of the generated pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table in Markdown."""
    yield from (f"| {' | '.join(head)} |", "|---" * len(head) + "|")
    yield from (f"| {' | '.join(map(_cell, row))} |" for row in body)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
