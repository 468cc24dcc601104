"""What an answer means: a finding."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Literal
from urllib.parse import quote

from ..analysis.steps import STEPS_FROM
from ..tables import Evidence, Options


@dataclasses.dataclass(frozen=True)
class Finding:
    """What an answer means.

    title: one sentence with its number. severity: `info`, `note`, `warning`. share: of the time looked at, 0 to 1,
    or None. action: what to do about it. tool: name of the tool whose page proves it. search: what to search for there,
    as `match` says: a text that names hold, just that name, an expression, or a row of a table (`TableSpec.proved`).
    """

    title: str
    severity: Literal["info", "note", "warning"] = "info"
    share: float | None = None
    detail: str = ""
    action: str = ""
    tool: str = ""
    evidence: tuple[Evidence, ...] = ()
    search: str = ""
    match: Literal["text", "exact", "regex", "row"] = "text"


def by_choice(findings: Iterable[Finding], options: Options) -> tuple[Finding, ...]:
    """Findings; those that lead to rows of steps lead to those of the chosen steps."""
    choice = str(options.get(STEPS_FROM.name, STEPS_FROM.default))
    told = "" if choice == STEPS_FROM.default else f"&{STEPS_FROM.name}={quote(choice, safe='')}"
    return tuple(
        dataclasses.replace(f, search=f.search + told) if f.search.startswith("overview.split.") else f
        for f in findings
    )
