"""Python functions → options, summary and tables, each column of a table with its cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...analysis.functions import Functions, Icicle, Ranks, Wait
from ...patterns import regex
from ...tables import F64, I64, Column, Option, Scalar, TableSpec, all_rows
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


# Tables column by column: a profile may hold a million functions.


class FunctionColumns:
    """Some functions."""

    def __init__(self, functions: Functions, waits: Sequence[Wait | None], rows: I64) -> None:
        self.of, self.rows, self.sums = functions, rows, functions.sums.take(rows)
        self.waits = words_of([waits[row] for row in rows.tolist()])


class EdgeColumns:
    """Some edges. other: by edge the function at the end that is shown; called: at the end that is called."""

    def __init__(self, functions: Functions, edges: I64, other: I64, called: I64) -> None:
        self.sums, self.names = functions.edges.take(edges), _of(functions.names, other[edges])
        self.called_ps = functions.sums.cumulative_ps[called[edges]]


class TreeColumns:
    def __init__(self, functions: Functions, tree: Icicle) -> None:
        self.of, self.tree, self.rows = functions, tree, tree.function


class RankColumns:
    """Some functions on several hosts."""

    def __init__(self, functions: Functions, ranks: Ranks, waits: Sequence[Wait | None], rows: I64) -> None:
        self.of, self.ranks, self.rows = functions, ranks, rows
        self.spread_ps = (ranks.max_ps - ranks.min_ps)[rows]
        self.waits = words_of([waits[row] for row in rows.tolist()])


def _short(functions: Functions, row: int) -> str:
    """`forward (modeling.py:887)`."""
    file, line = functions.files[row], int(functions.lines[row])
    if (file, line) == ("~", 0):
        return functions.names[row].strip("{}")
    return f"{functions.functions[row]} ({_FOLDERS.sub('', file)}:{line})"


def _of(texts: Sequence[str], rows: I64) -> list[Scalar]:
    return [texts[row] for row in rows.tolist()]


def _shares(part: F64, whole: float) -> list[Scalar]:
    return _clipped(divided(part, whole))


def _clipped(shares: list[Scalar]) -> list[Scalar]:
    """Times of a clock that went back may be below nothing."""
    return [None if share is None else min(max(float(share), 0.0), 1.0) for share in shares]


_CALLS = (
    Column.count("calls", "Calls, also those within calls of the same function.", "sums.calls"),
    Column.count(
        "primitive_calls",
        "Calls that are not within a call of the same function; null where not recorded.",
        lambda s: counts(s.sums.primitive),
    ),
)
_OWN = Column.ms(
    "own_ms",
    "Time in the function itself, without what it calls (pstats: tottime).",
    lambda s: known(s.sums.own_ps / PS_PER_MS),
)
_CUMULATIVE = Column.ms(
    "cumulative_ms",
    "Time with all that it calls; of calls within calls of the same function once (pstats: cumtime).",
    lambda s: known(s.sums.cumulative_ps / PS_PER_MS),
)
_WAITS = Column.text(
    "waits",
    "What its own time waits for, by its name: device, other processes of the job, threads, sleep; else null.",
)

FUNCTIONS = TableSpec(
    "functions",
    "Functions",
    "A row is a function that was called, over all hosts that are shown; of one host the numbers are those of pstats. "
    "What a program registered and never ran is in no row.",
    (
        Column.text(
            "function",
            "File, line and name as pstats prints them, `{name}` of what is written in C.",
            lambda f: _of(f.of.names, f.rows),
        ),
        *_CALLS,
        _OWN,
        Column.share("own_share", "That of all functions' own time.", lambda f: _shares(f.sums.own_ps, f.of.total_ps)),
        Column.us("own_call_us", "Own time ÷ calls.", lambda f: divided(f.sums.own_ps / PS_PER_US, f.sums.calls)),
        _CUMULATIVE,
        Column.share(
            "cumulative_share",
            "That of all functions' own time.",
            lambda f: _shares(f.sums.cumulative_ps, f.of.total_ps),
        ),
        Column.us(
            "cumulative_call_us",
            "Cumulative time ÷ primitive calls; null where these are not recorded.",
            lambda f: divided(f.sums.cumulative_ps / PS_PER_US, f.sums.primitive),
        ),
        _WAITS,
        Column.text("name", "Name alone.", lambda f: _of(f.of.functions, f.rows)),
        Column.text("file", "File alone; `~` of what is written in C.", lambda f: _of(f.of.files, f.rows)),
        Column.integer("line", "Line alone.", lambda f: f.of.lines[f.rows]),
    ),
    key=("function",),
)

_EDGE = (
    *_CALLS,
    Column.ms(
        "own_ms",
        "Own time of these calls; null where not recorded, as by the module profile.",
        lambda s: known(s.sums.own_ps / PS_PER_MS),
    ),
    Column.ms(
        "cumulative_ms",
        "Time of these calls with all that they call; null where not recorded.",
        lambda s: known(s.sums.cumulative_ps / PS_PER_MS),
    ),
    Column.share(
        "cumulative_share",
        "That of the cumulative time of the function that is called.",
        lambda e: _clipped(divided(e.sums.cumulative_ps, e.called_ps)),
    ),
)
CALLERS = TableSpec(
    "callers",
    "Callers",
    "A row is a function that calls the chosen one.",
    (Column.text("function", "Its caller.", "names"), *_EDGE),
    key=("function",),
)
CALLEES = TableSpec(
    "callees",
    "Callees",
    "A row is a function that the chosen one calls.",
    (Column.text("function", "What it calls.", "names"), *_EDGE),
    key=("function",),
)

TREE = TableSpec(
    "tree",
    "Calls by caller",
    "A row is a function within its callers, the outermost first. cProfile does not record call stacks: what a "
    "function calls is divided among its callers by the time that each gave it, an estimate below functions of several "
    "callers.",
    (
        Column.text(
            "name",
            "Name of the function, with its file and line.",
            lambda t: [_short(t.of, row) for row in t.rows.tolist()],
        ),
        Column.integer("parent", "Row number of the caller, -1 for none.", "tree.parent"),
        Column.integer("depth", "How many callers it lies in.", "tree.depth"),
        Column.ms("total_ms", "Time of these calls with all that they call.", "tree.time_ps"),
        Column.ms("own_ms", "Own time of these calls.", "tree.own_ps"),
        Column.share(
            "share", "Total time ÷ all functions' own time.", lambda t: _shares(t.tree.time_ps, t.of.total_ps)
        ),
        Column.flag(
            "estimated",
            "Whether a function on the way to it has several callers.",
            lambda t: [not exact for exact in t.tree.exact],
        ),
        Column.text("function", "File, line and name.", lambda t: _of(t.of.names, t.rows)),
        Column.text("file", "File alone.", lambda t: _of(t.of.files, t.rows)),
        Column.integer("line", "Line alone.", lambda t: t.of.lines[t.rows]),
    ),
)

RANKS = TableSpec(
    "ranks",
    "Functions by host",
    "A row is a function: its own time on each of several hosts, those that differ most first. Empty for one host.",
    (
        Column.text("function", "File, line and name.", lambda r: _of(r.of.names, r.rows)),
        Column.ms("spread_ms", "Largest own time minus smallest.", "spread_ps"),
        Column.ms("mean_ms", "Mean own time of the hosts.", lambda r: r.ranks.mean_ps[r.rows] / PS_PER_MS),
        Column.ms("min_ms", "Smallest.", lambda r: r.ranks.min_ps[r.rows] / PS_PER_MS),
        Column.ms("max_ms", "Largest.", lambda r: r.ranks.max_ps[r.rows] / PS_PER_MS),
        Column.ms(
            "sd_ms", "Standard deviation (σ), of the hosts as they are.", lambda r: r.ranks.sd_ps[r.rows] / PS_PER_MS
        ),
        Column.share(
            "spread_share",
            "Spread ÷ mean total time of a host, at most 1.",
            lambda r: _shares(r.spread_ps, float(r.ranks.total_ps.mean())),
        ),
        Column.text("slowest", "The host with the largest.", lambda r: _of(r.ranks.hosts, r.ranks.slowest[r.rows])),
        Column.text("fastest", "The host with the smallest.", lambda r: _of(r.ranks.hosts, r.ranks.fastest[r.rows])),
        _WAITS,
    ),
    key=("function",),
)

HOSTS = TableSpec(
    "hosts",
    "Hosts",
    "A row is a host: a rank, or whichever process wrote a file. What waits least, others wait for.",
    (
        Column.text("host", "Name of its file.", lambda ranks: list(ranks.hosts)),
        Column.ms("total_ms", "All functions' own time.", "total_ps"),
        Column.ms("python_work_ms", "That without what waits: Python, and what it calls in C.", "busy_ps"),
        Column.ms(
            "gpu_wait_ms",
            "Own time of functions that wait for a GPU, or another device.",
            lambda ranks: ranks.wait_ps[Wait.GPU] / PS_PER_MS,
        ),
        Column.ms(
            "collective_wait_ms",
            "Own time of those that wait for other processes of the job.",
            lambda ranks: ranks.wait_ps[Wait.PEERS] / PS_PER_MS,
        ),
        Column.ms(
            "other_wait_ms",
            "Own time of those that wait for other threads and processes.",
            lambda ranks: ranks.wait_ps[Wait.OTHERS] / PS_PER_MS,
        ),
        Column.ms(
            "sleep_ms",
            "Own time of sleeping, which counts as Python.",
            lambda ranks: ranks.wait_ps[Wait.SLEEP] / PS_PER_MS,
        ),
    ),
    key=("host",),
)

SUMMARY = (
    Column.ms("total_ms", "All functions' own time, over all hosts (pstats: total)."),
    Column.count("calls", "Calls of all functions."),
    Column.count("primitive_calls", "Calls that are not within a call of the same function."),
    all_rows("functions"),
    Column.ms("gpu_wait_ms", "Own time of functions that wait for a GPU, or another device."),
    Column.share("gpu_wait_share", "That of the total."),
    Column.share("peer_wait_share", "Own time of functions that wait for other processes of the job."),
    Column.share("other_wait_share", "Own time of functions that wait for other threads and processes."),
    Column.share("sleep_share", "Own time of sleeping."),
    Column.text("function", "The function whose callers and callees are shown."),
    all_rows("callers"),
    all_rows("callees"),
    all_rows("tree"),
    Column.flag("estimated", "Whether the tree is an estimate: a function in it has several callers."),
    all_rows("ranks"),
    Column.text("slowest_host", "The host that works longest; null of one host."),
    Column.ms("busy_excess_ms", "How much longer it works than the others' median."),
)

#: pstats' words → what it sorts by: numbers downwards, texts upwards.
ORDERS = ("tottime", "cumtime", "ncalls", "pcalls", "filename", "line", "name", "nfl", "stdname")
FUNCTION = Option(
    "function",
    "text",
    "",
    "The function whose callers and callees to show, as the table of functions has it; empty: the one with most own "
    "time.",
)
SORT = Option("sort", "text", ORDERS[0], "Order of the functions, by pstats' words.", choices=ORDERS)


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
