"""`python docs/make_formats.py`: prints docs/formats.md with its table as the formats' declarations have it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tensorboard_perfplugin.formats import Format


def rows() -> Iterator[str]:
    """Those that contain most first."""
    shown = [(format.declaration.rank, row) for format in Format for row in format.declaration.shown]
    for _, row in sorted(shown, key=lambda each: each[0]):
        yield f"| {row.title} | {row.written_by} | {row.names} |"


def table() -> str:
    return "\n".join(["| format | written by | name in a logdir |", "|---|---|---|", *rows()]) + "\n"


def page(text: str) -> str:
    before, head, after = text.partition("| format |")
    rest = (head + after).splitlines(keepends=True)
    end = next((i for i, line in enumerate(rest) if not line.startswith("|")), len(rest))
    return before + table() + "".join(rest[end:])


if __name__ == "__main__":
    sys.stdout.write(page((Path(__file__).parent / "formats.md").read_text()))
