"""Python functions → the cells of the declared tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...analysis.functions import Functions, Icicle, Ranks, Sums, Wait
from ...patterns import regex
from ...tables import F64, I64, Cells, Scalar, TableSpec
from ...units import PS_PER_MS, PS_PER_US
from ..shared import WAIT_WORDS

_FOLDERS = regex(r".*[/\\]")


def words_of(waits: Sequence[Wait | None]) -> list[str | None]:
    return [None if wait is None else WAIT_WORDS[wait] for wait in waits]


def known(values: F64) -> list[Scalar]:
    """Numbers, None for those that are none."""
    return [None if value != value else value for value in values.tolist()]


def divided(part: F64, whole: I64 | F64 | float) -> list[Scalar]:
    whole = np.asarray(whole, np.float64)
    return known(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0))


def counts(values: I64) -> list[Scalar]:
    return [None if value < 0 else value for value in values.tolist()]


def empty(spec: TableSpec) -> dict[str, Cells]:
    return {column.name: [] for column in spec.columns}


def function_cells(functions: Functions, waits: Sequence[Wait | None], rows: I64) -> dict[str, Cells]:
    sums, total = functions.sums.take(rows), functions.total_ps
    said = words_of([waits[row] for row in rows.tolist()])
    return {
        "function": _of(functions.names, rows),
        "calls": sums.calls,
        "primitive_calls": counts(sums.primitive),
        "own_ms": known(sums.own_ps / PS_PER_MS),
        "own_share": _shares(sums.own_ps, total),
        "own_call_us": divided(sums.own_ps / PS_PER_US, sums.calls),
        "cumulative_ms": known(sums.cumulative_ps / PS_PER_MS),
        "cumulative_share": _shares(sums.cumulative_ps, total),
        "cumulative_call_us": divided(sums.cumulative_ps / PS_PER_US, sums.primitive),
        "waits": said,
        "name": _of(functions.functions, rows),
        "file": _of(functions.files, rows),
        "line": functions.lines[rows],
    }


def edge_cells(functions: Functions, edges: I64, other: I64, called: I64) -> dict[str, Cells]:
    """other: the function at the end that is shown; called: at the end that is called."""
    sums: Sums = functions.edges.take(edges)
    return {
        "function": _of(functions.names, other[edges]),
        "calls": sums.calls,
        "primitive_calls": counts(sums.primitive),
        "own_ms": known(sums.own_ps / PS_PER_MS),
        "cumulative_ms": known(sums.cumulative_ps / PS_PER_MS),
        "cumulative_share": _clipped(divided(sums.cumulative_ps, functions.sums.cumulative_ps[called[edges]])),
    }


def tree_cells(functions: Functions, tree: Icicle) -> dict[str, Cells]:
    return {
        "name": [_short(functions, row) for row in tree.function.tolist()],
        "parent": tree.parent,
        "depth": tree.depth,
        "total_ms": tree.time_ps / PS_PER_MS,
        "own_ms": tree.own_ps / PS_PER_MS,
        "share": _shares(tree.time_ps, functions.total_ps),
        "estimated": [not exact for exact in tree.exact],
        "function": _of(functions.names, tree.function),
        "file": _of(functions.files, tree.function),
        "line": functions.lines[tree.function],
    }


def _short(functions: Functions, row: int) -> str:
    """`forward (modeling.py:887)`."""
    file, line = functions.files[row], int(functions.lines[row])
    if (file, line) == ("~", 0):
        return functions.names[row].strip("{}")
    return f"{functions.functions[row]} ({_FOLDERS.sub('', file)}:{line})"


def rank_cells(functions: Functions, found: Ranks, waits: Sequence[Wait | None], rows: I64) -> dict[str, Cells]:
    spread = (found.max_ps - found.min_ps)[rows]
    said = words_of([waits[row] for row in rows.tolist()])
    ms = {name: getattr(found, f"{name}_ps")[rows] / PS_PER_MS for name in ("mean", "min", "max", "sd")}
    return {
        "function": _of(functions.names, rows),
        "spread_ms": spread / PS_PER_MS,
        **{f"{name}_ms": values for name, values in ms.items()},
        "spread_share": _shares(spread, float(found.total_ps.mean())),
        "slowest": _of(found.hosts, found.slowest[rows]),
        "fastest": _of(found.hosts, found.fastest[rows]),
        "waits": said,
    }


def host_cells(found: Ranks) -> dict[str, Cells]:
    return {
        "host": list(found.hosts),
        "total_ms": found.total_ps / PS_PER_MS,
        "python_work_ms": found.busy_ps / PS_PER_MS,
        "gpu_wait_ms": found.wait_ps[Wait.GPU] / PS_PER_MS,
        "collective_wait_ms": found.wait_ps[Wait.PEERS] / PS_PER_MS,
        "other_wait_ms": found.wait_ps[Wait.OTHERS] / PS_PER_MS,
        "sleep_ms": found.wait_ps[Wait.SLEEP] / PS_PER_MS,
    }


def _of(texts: Sequence[str], rows: I64) -> list[Scalar]:
    return [texts[row] for row in rows.tolist()]


def _shares(part: F64, whole: float) -> list[Scalar]:
    return _clipped(divided(part, whole))


def _clipped(shares: list[Scalar]) -> list[Scalar]:
    """Times of a clock that went back may be below nothing."""
    return [None if share is None else min(max(float(share), 0.0), 1.0) for share in shares]


def in_order(functions: Functions, order: str) -> I64:
    """All functions in an order of pstats; equal ones as in the file."""
    sums = functions.sums
    numbers: dict[str, F64 | I64] = {
        "tottime": np.nan_to_num(sums.own_ps),
        "cumtime": np.nan_to_num(sums.cumulative_ps),
        "ncalls": sums.calls,
        "pcalls": sums.primitive,
    }
    if order in numbers:
        return np.argsort(-numbers[order], kind="stable")
    keys: dict[str, Callable[[int], tuple[str | int, ...]]] = {
        "filename": lambda row: (functions.files[row],),
        "line": lambda row: (int(functions.lines[row]),),
        "name": lambda row: (functions.functions[row],),
        "nfl": lambda row: (functions.functions[row], functions.files[row], int(functions.lines[row])),
        "stdname": lambda row: (functions.names[row],),
    }
    return np.array(sorted(range(len(functions)), key=keys[order]), np.int64)
