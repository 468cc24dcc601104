"""Profiles of Python functions → the overview of them: how long, how many, what takes most, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ... import units
from ...advice.rules.functions import function_findings
from ...advice.text.catalogue import Sentence
from ...analysis.functions import Functions, merged, waits_of
from ...analysis.overview import Host
from ...tables import Cells, Scalar
from ...units import PS_PER_MS
from ..declaration import Result
from ..shared import WAIT_WORDS
from .columns import PYTHON_FUNCTIONS, SUMMARY

_TOP = 10


def of_functions(hosts: Sequence[Host], tables: dict[str, dict[str, Cells]]) -> Result | None:
    """Where hosts hold nothing else. tables: of such captures, all of them empty but that of the hosts."""
    found = [host.functions for host in hosts if host.functions is not None]
    if not found:
        return None
    run = merged(found)
    summary: dict[str, Scalar] = {c.name: len(hosts) if c.name == "host_count" else None for c in SUMMARY}
    unknown = {name: str(Sentence("of_functions")) for name, value in summary.items() if value is None}
    filled: dict[str, dict[str, Cells]] = {
        "hosts": {name: [] for name in tables["hosts"]},
        "python_functions": _top(run.all),
        "environment": _environment(run.all),
    }
    return Result(summary, {**tables, **filled}, unknown, function_findings(run))


def empty_functions() -> dict[str, Cells]:
    return {column.name: [] for column in PYTHON_FUNCTIONS.columns}


def _environment(functions: Functions) -> dict[str, Cells]:
    """The rows of the table `environment`: how much was recorded."""
    count = units.count(len(functions), "function")
    return {"key": ["recorded"], "value": [f"{units.duration(functions.total_ps)} of Python in {count}"]}


def _top(functions: Functions) -> dict[str, Cells]:
    own, cumulative = (np.nan_to_num(ps) for ps in (functions.sums.own_ps, functions.sums.cumulative_ps))
    rows = np.argsort(-own, kind="stable")[:_TOP].tolist()
    total, waits = functions.total_ps, waits_of(functions)
    kinds = [waits[row] for row in rows]
    return {
        "function": [functions.names[row] for row in rows],
        "own_ms": own[rows] / PS_PER_MS,
        "own_share": [min(max(float(own[row]) / total, 0.0), 1.0) if total > 0 else None for row in rows],
        "cumulative_ms": cumulative[rows] / PS_PER_MS,
        "calls": functions.sums.calls[rows],
        "waits": [None if kind is None else WAIT_WORDS[kind] for kind in kinds],
    }
