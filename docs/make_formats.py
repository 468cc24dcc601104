"""The formats' declarations → the table of docs/formats.md, which a test holds to these rows."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from tensorboard_perfplugin.formats import Format


def rows() -> Iterator[str]:
    """Those that tell most first."""
    shown = [(format.declaration.rank, row) for format in Format for row in format.declaration.shown]
    for _, row in sorted(shown, key=lambda each: each[0]):
        yield f"| {row.title} | {row.written_by} | {row.names} |"


def table() -> str:
    return "\n".join(["| format | written by | name in a logdir |", "|---|---|---|", *rows()]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table())
