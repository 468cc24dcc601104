"""Parts of the generated pages, and the names that a mistyped one may stand for."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Sequence


def rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table in Markdown."""
    yield from (f"| {' | '.join(head)} |", "|---" * len(head) + "|")
    yield from (f"| {' | '.join(map(_cell, row))} |" for row in body)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def suggestion(name: str, known: Collection[str]) -> str:
    """The end of an error about an unknown name: the known ones that are spelt alike, or nothing."""
    alike = difflib.get_close_matches(name[:80], known, 3)
    return f"; did you mean {' or '.join(alike)}?" if alike else ""
