"""What the tool of Python functions declares: its summary, tables and options."""

from __future__ import annotations

from ...tables import Column, Option, TableSpec, all_rows

_CALLS = (
    Column.count("calls", "Calls, also those within calls of the same function."),
    Column.count("primitive_calls", "Calls that are not within a call of the same function; null where not recorded."),
)
_OWN = Column.ms("own_ms", "Time in the function itself, without what it calls (pstats: tottime).")
_CUMULATIVE = Column.ms(
    "cumulative_ms", "Time with all that it calls; of calls within calls of the same function once (pstats: cumtime)."
)
_WAITS = Column.text(
    "waits",
    "What its own time waits for, told by its name: device, other processes of the job, threads, sleep; else null.",
)

FUNCTIONS = TableSpec(
    "functions",
    "Functions",
    "A row is a function, over all hosts that are shown; of one host the numbers are those of pstats.",
    (
        Column.text("function", "File, line and name as pstats prints them, `{name}` of what is written in C."),
        *_CALLS,
        _OWN,
        Column.share("own_share", "That of all functions' own time."),
        Column.us("own_call_us", "Own time ÷ calls."),
        _CUMULATIVE,
        Column.share("cumulative_share", "That of all functions' own time."),
        Column.us("cumulative_call_us", "Cumulative time ÷ primitive calls; null where these are not recorded."),
        _WAITS,
        Column.text("name", "Name alone."),
        Column.text("file", "File alone; `~` of what is written in C."),
        Column.integer("line", "Line alone."),
    ),
    key=("function",),
)

_EDGE = (
    *_CALLS,
    Column.ms("own_ms", "Own time of these calls; null where not recorded, as by the module profile."),
    Column.ms("cumulative_ms", "Time of these calls with all that they call; null where not recorded."),
    Column.share("cumulative_share", "That of the cumulative time of the function that is called."),
)
CALLERS = TableSpec(
    "callers",
    "Callers",
    "A row is a function that calls the chosen one.",
    (Column.text("function", "Who calls it."), *_EDGE),
    key=("function",),
)
CALLEES = TableSpec(
    "callees",
    "Callees",
    "A row is a function that the chosen one calls.",
    (Column.text("function", "What it calls."), *_EDGE),
    key=("function",),
)

TREE = TableSpec(
    "tree",
    "Calls by caller",
    "A row is a function within its callers, the outermost first. cProfile does not record call stacks: what a "
    "function calls is divided among its callers by the time that each gave it, an estimate below functions of several "
    "callers.",
    (
        Column.text("name", "Name of the function, with its file and line."),
        Column.integer("parent", "Row number of the caller, -1 for none."),
        Column.integer("depth", "How many callers it lies in."),
        Column.ms("total_ms", "Time of these calls with all that they call."),
        Column.ms("own_ms", "Own time of these calls."),
        Column.share("share", "Total time ÷ all functions' own time."),
        Column.flag("estimated", "Whether a function on the way to it has several callers."),
        Column.text("function", "File, line and name."),
        Column.text("file", "File alone."),
        Column.integer("line", "Line alone."),
    ),
)

RANKS = TableSpec(
    "ranks",
    "Functions by host",
    "A row is a function: its own time on each of several hosts, those that differ most first. Empty for one host.",
    (
        Column.text("function", "File, line and name."),
        Column.ms("spread_ms", "Largest own time minus smallest."),
        Column.ms("mean_ms", "Mean own time of the hosts."),
        Column.ms("min_ms", "Smallest."),
        Column.ms("max_ms", "Largest."),
        Column.ms("sd_ms", "Standard deviation (σ), of the hosts as they are."),
        Column.share("spread_share", "Spread ÷ mean total time of a host, at most 1."),
        Column.text("slowest", "The host with the largest."),
        Column.text("fastest", "The host with the smallest."),
        _WAITS,
    ),
    key=("function",),
)

HOSTS = TableSpec(
    "hosts",
    "Hosts",
    "A row is a host: a rank, or whichever process wrote a file. What waits least, others wait for.",
    (
        Column.text("host", "Name of its file."),
        Column.ms("total_ms", "All functions' own time."),
        Column.ms("python_work_ms", "That without what waits: Python, and what it calls in C."),
        Column.ms("gpu_wait_ms", "Own time of functions that wait for a GPU, or another device."),
        Column.ms("collective_wait_ms", "Own time of those that wait for other processes of the job."),
        Column.ms("other_wait_ms", "Own time of those that wait for other threads and processes."),
        Column.ms("sleep_ms", "Own time of sleeping, which counts as Python."),
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
