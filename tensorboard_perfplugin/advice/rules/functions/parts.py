"""Known parts of a training program → those that take more than they should: imports, loading, logging, saving."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.functions import Part
from ....threshold import CHOSEN, Threshold
from ...finding import Finding, Severity
from .facts import Facts, share_of

IMPORTS = Threshold("imports", 0.1, "share", "less does not hide what the program does after it began", CHOSEN)
LOADING = Threshold("loading", 0.1, "share", "of loading in the process that trains; workers would hide it", CHOSEN)
LOGGING = Threshold("logging", 0.05, "share", "logging that often is seen in the time of a step", CHOSEN)
SAVING = Threshold("saving", 0.1, "share", "a checkpoint every some hundred steps takes less", CHOSEN)

_RULES: tuple[tuple[Part, str, Threshold[float], Severity], ...] = (
    (Part.LOADING, "python_loads", LOADING, "warning"),
    (Part.LOGGING, "python_logs", LOGGING, "warning"),
    (Part.CHECKPOINTS, "python_saves", SAVING, "warning"),
    (Part.IMPORTS, "python_imports", IMPORTS, "note"),
)


def parts(facts: Facts) -> Iterator[Finding]:
    for part, code, least, severity in _RULES:
        ps, row = facts.part(part)
        share = share_of(ps, facts.total_ps)
        if row < 0 or share < least.value:
            continue
        yield Finding(
            code=code,
            params={**facts.named(row), "ps": ps, "share": share, "calls": int(facts.all.sums.calls[row])},
            severity=severity,
            share=share,
            tool="python_profile",
            search=facts.all.names[row],
            match="exact",
        )
