"""Timelines → what each Python function took, its callers, what it waits for, and how ranks differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...advice.rules.functions import function_findings
from ...advice.text.catalogue import Sentence
from ...analysis.functions import (
    Functions,
    Icicle,
    Merged,
    Ranks,
    Wait,
    functions_of,
    icicle,
    is_of_functions,
    merged,
    ranks,
    slow_host,
    waits_of,
)
from ...errors import ArgumentError
from ...tables import I64, LIMIT, Cells, Options, Scalar, evaluate, row_limit, tabulate
from ...timeline.timeline import Timeline
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from .tables import (
    CALLEES,
    CALLERS,
    FUNCTION,
    FUNCTIONS,
    HOSTS,
    RANKS,
    SORT,
    SUMMARY,
    TREE,
    EdgeColumns,
    FunctionColumns,
    RankColumns,
    TreeColumns,
    in_order,
)

_TABLES = (FUNCTIONS, CALLERS, CALLEES, TREE, RANKS, HOSTS)
#: Rows of the tree: more are narrower than what is seen.
_TREE_ROWS = 5000
#: Functions that an error names.
_NAMED = 20
_NOTHING = "no function took time"


def per_host(timeline: Timeline, options: Options) -> Functions | None:
    return functions_of(timeline) if is_of_functions(timeline.capture) else None


def combine(partials: Sequence[Functions | None], options: Options) -> Result:
    hosts = [part for part in partials if part is not None]
    if not hosts:
        return _without()
    run = merged(hosts)
    functions, waits, found = run.all, waits_of(run.all), ranks(run)
    chosen, limit = _chosen(functions, str(options["function"])), row_limit(options)
    callers, callees = _edges(functions, functions.called, chosen), _edges(functions, functions.caller, chosen)
    tree = icicle(functions, min(limit or _TREE_ROWS, _TREE_ROWS))
    rows = in_order(functions, str(options["sort"]))[:limit]
    tables = {
        "functions": evaluate(FUNCTIONS.columns, FunctionColumns(functions, waits, rows)),
        "callers": evaluate(
            CALLERS.columns, EdgeColumns(functions, callers[:limit], functions.caller, functions.called)
        ),
        "callees": evaluate(
            CALLEES.columns, EdgeColumns(functions, callees[:limit], functions.called, functions.called)
        ),
        "tree": evaluate(TREE.columns, TreeColumns(functions, tree)),
        "ranks": tabulate(RANKS.columns, ()),
        "hosts": evaluate(HOSTS.columns, found),
    }
    if len(hosts) > 1:
        differing = _differing(found)[:limit]
        tables["ranks"] = evaluate(RANKS.columns, RankColumns(functions, found, waits, differing))
    summary = _summary(run, found, tree) | {
        "function": functions.names[chosen] if chosen >= 0 else None,
        "callers_rows": len(callers),
        "callees_rows": len(callees),
        "ranks_rows": len(functions) if len(hosts) > 1 else 0,
    }
    return _result(summary, tables, run)


def _result(summary: dict[str, Scalar], tables: dict[str, dict[str, Cells]], run: Merged) -> Result:
    ordered = {column.name: summary[column.name] for column in SUMMARY}
    unknown = {name: _why(name) for name, value in ordered.items() if value is None}
    return Result(ordered, tables, unknown, function_findings(run))


def _without() -> Result:
    """Of captures that are no profiles of functions."""
    summary: dict[str, Scalar] = {c.name: 0 if c.name.endswith("_rows") else None for c in SUMMARY}
    reason = Sentence("no_functions")
    tables = {spec.name: tabulate(spec.columns, ()) for spec in _TABLES}
    return Result(summary, tables, {name: reason for name, value in summary.items() if value is None})


def _chosen(functions: Functions, name: str) -> int:
    """The function of that name, or the one with most own time; -1 without any. Raises ArgumentError for no name."""
    if name:
        if name in functions.names:
            return functions.names.index(name)
        names = [functions.names[row] for row in in_order(functions, "tottime")[:_NAMED].tolist()]
        raise ArgumentError.with_choices(f"function={name[:80]!r}", [each[:120] for each in names])
    return int(np.argmax(np.nan_to_num(functions.sums.own_ps))) if len(functions) else -1


def _edges(functions: Functions, end: I64, chosen: int) -> I64:
    """The edges at one end of which the chosen function is, those with most time first, or with most calls."""
    edges = np.flatnonzero(end == chosen)
    sums = functions.edges.take(edges)
    return edges[np.lexsort((-sums.calls, -np.nan_to_num(sums.cumulative_ps)))]


def _differing(found: Ranks) -> I64:
    return np.argsort(found.min_ps - found.max_ps, kind="stable")


def _summary(run: Merged, found: Ranks, tree: Icicle) -> dict[str, Scalar]:
    functions, total = run.all, run.all.total_ps
    waits = {kind: float(ps.sum()) for kind, ps in found.wait_ps.items()}
    share = {kind: min(max(ps / total, 0.0), 1.0) if total > 0 else None for kind, ps in waits.items()}
    primitive, slow = functions.sums.primitive, slow_host(run, found)
    return {
        "total_ms": total / PS_PER_MS,
        "calls": int(functions.sums.calls.sum()),
        "primitive_calls": int(primitive.sum()) if (primitive >= 0).all() else None,
        "functions_rows": len(functions),
        "gpu_wait_ms": waits[Wait.GPU] / PS_PER_MS,
        "gpu_wait_share": share[Wait.GPU],
        "peer_wait_share": share[Wait.PEERS],
        "other_wait_share": share[Wait.OTHERS],
        "sleep_share": share[Wait.SLEEP],
        "tree_rows": tree.rows,
        "estimated": not all(tree.exact),
        "slowest_host": slow.host if slow else None,
        "busy_excess_ms": slow.excess_ps / PS_PER_MS if slow else None,
    }


def _why(name: str) -> str:
    if name in ("slowest_host", "busy_excess_ms"):
        return "the profile is of one host, or no function that works takes longer on one of them"
    return "the profile does not record it" if name == "primitive_calls" else _NOTHING


def _missing(timeline: Timeline) -> str | None:
    return None if is_of_functions(timeline.capture) else Sentence("no_functions")


PYTHON_PROFILE = Tool(
    name="python_profile",
    title="Python",
    question="Which Python functions take the time, and what calls them?",
    help="Functions of a profile of cProfile: own and cumulative time, callers and callees, calls by caller, and how "
    "ranks differ.",
    summary=SUMMARY,
    tables=_TABLES,
    views=(
        View("page"),
        View("facts"),
        View("table", table="functions"),
        View("table", table="hosts"),
        View("table", table="ranks"),
        View("table", table="callers"),
        View("table", table="callees"),
        View("tree", table="tree", label="name"),
    ),
    per_host=per_host,
    combine=combine,
    in_range="whole",
    options=(FUNCTION, SORT, LIMIT),
    aliases=("cprofile", "pstats"),
    missing=_missing,
    of_functions=True,
    of_functions_alone=True,
    prefers=lambda capabilities: capabilities.functions_only,
)
