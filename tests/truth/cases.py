"""The table of cases: what is planted where, and which first findings name it.

A code is acceptable where its sentence is true of the cost, whatever else would be true as well: Python that saves a
file is `python_bound` and `output_bound`. Where a clean program computes, only compute is an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.truth.declared import Case, Plant


def codes(*names: str) -> frozenset[str]:
    return frozenset(names)


COMPUTE = codes("computes", "computes.no_op")
INPUT = codes(
    "input_bound",
    "input_bound.stage",
    "input_bound.function",
    "input_bound.python_function",
    "input_bound.generator",
)
PYTHON = codes("python_bound", "python_bound.function")
WRITES = codes("output_bound")
COMPILES = codes("compiles_again")
CALLS_BACK = codes("calls_back", "calls_back.prints")
RUNTIME = codes("runtime_bound")
ONE_BY_ONE = codes("eager_steps", "small_calls", "short_ops")
BETWEEN = codes("between_steps", "between_steps.computes")
SLOW = codes("slow_step", "slow_step.first", "slow_steps")
COPIES = codes("copies_exposed.to_device", "copies_exposed.to_host", "copies_exposed.on_device")

#: Python, at a place of the loop or of the input, by what it does there: acceptable besides the place's own.
ALSO = {"log": WRITES, "print": WRITES, "pickle": WRITES, "savez": WRITES, "lock": codes("waiting")}
_OF_INPUT: tuple[str, ...] = (
    "map",
    "map_batch",
    "parallel_map",
    "prefetched_map",
    "generator",
    "interleave",
    "filter",
    "read_slow",
)
_OF_INPUT += ("batch_copy", "shuffle", "heavy_ops", "dataset", "collate", "python_dataset", "python_generator")
#: Place → the findings that name it, and how its cost is measured, by default by its clock.
PLACES: dict[str, frozenset[str]] = {
    **dict.fromkeys(("between", "inside", "batch_begin", "hook", "gradient_hook"), PYTHON),
    "feed": PYTHON | INPUT,
    **dict.fromkeys(_OF_INPUT, INPUT),
    **dict.fromkeys(("loss", "debug_callback", "pure_callback", "io_callback"), CALLS_BACK),
    **dict.fromkeys(("retrace", "recompile"), COMPILES),
    "eager": codes("eager_steps"),
    "checkpoint": WRITES | BETWEEN | PYTHON,
    "state": WRITES | BETWEEN | PYTHON,
    "updates": ONE_BY_ONE,
    "summary": WRITES | BETWEEN | PYTHON,
    "evaluate": SLOW | BETWEEN,
    "eager_metrics": BETWEEN | ONE_BY_ONE,
    "sync": BETWEEN | ONE_BY_ONE | PYTHON | codes("copies_exposed.to_host"),
    "item": ONE_BY_ONE,
    "anomaly": codes("anomaly_mode"),
    "tensor": ONE_BY_ONE | RUNTIME | PYTHON | codes("copies_exposed.to_device"),
    "clone": COPIES | codes("computes"),
    "device_put": COPIES | codes("runtime_bound.event"),
    "fetch": COPIES | PYTHON,
    "debug_print": CALLS_BACK,
    "tf_print": CALLS_BACK,
}
#: Of tiny ops frameworks show different things.
TINY = {"keras": RUNTIME, "tf": RUNTIME, "jax": ONE_BY_ONE, "torch": ONE_BY_ONE}
#: Costs that no clock in the program can tell from the rest.
GAINED = {"anomaly", "retrace", "recompile", "eager", "tf_print", "debug_print"}
WAITED = {"dataset", "collate"}


def plant(loop: str, words: str) -> Plant:
    """`map:tokenize`, `between:sleep=40`, `checkpoint@5` → the plant. 30 ms where none are given."""
    spec, _, ms = words.partition("=")
    spec, _, every = spec.partition("@")
    where, _, what = spec.partition(":")
    found = TINY[loop] if where == "tiny_ops" else PLACES[where]
    if (loop, where) == ("torch", "evaluate"):  # a small model, called again and again
        found |= ONE_BY_ONE
    found |= ALSO.get(what, frozenset()) | (SLOW if every else frozenset())
    pipeline = PLACES.get(where) == INPUT
    if where in GAINED or (where == "tiny_ops" and loop != "torch") or (pipeline and loop == "keras"):
        measured = "gain"
    else:
        measured = "wait" if where in WAITED or pipeline else "clock"
    return Plant(where, what, float(ms or 30), int(every or 1), SLOW if every == "0" else found, measured)


def planted(loop: str, rows: str, *flags: str, model: str = "small") -> Iterator[Case]:
    """A case a row; costs are joined by ` + `."""
    for row in filter(None, map(str.strip, rows.splitlines())):
        yield Case(loop, tuple(plant(loop, words) for words in row.split(" + ")), model, flags)


def clean(loop: str, rows: str) -> Iterator[Case]:
    """A row is a model and its flags."""
    for row in filter(None, map(str.strip, rows.splitlines())):
        model, *flags = row.split()
        yield Case(loop, model=model, flags=tuple(flags), codes=COMPUTE)


KERAS = """
    map:sleep
    map:tokenize
    map_batch:sleep
    parallel_map:sleep
    prefetched_map:sleep
    generator:sleep
    generator:tokenize
    generator:augment
    interleave:sleep
    filter:sleep
    map:read_files
    read_slow
    batch_copy
    shuffle
    heavy_ops
    python_dataset:sleep
    python_generator:convert
    between:sleep
    between:log
    between:print
    between:gc
    between:sums
    batch_begin:sleep
    checkpoint
    checkpoint@5
    summary
    sync
    eager_metrics
    evaluate@5
    between:sleep@0
    eager
    retrace
    recompile
    tiny_ops
    tf_print
    loss:sums
"""
TF = """
    map:sleep
    map:convert
    map_batch:augment
    generator:sleep
    generator:json
    filter:tokenize
    heavy_ops
    read_slow
    shuffle
    feed:sleep
    feed:convert
    inside:sums
    between:sleep
    between:log
    between:pickle
    between:lock
    between:gc
    checkpoint
    checkpoint@5
    summary
    sync
    eager_metrics
    between:sleep@0
    eager
    retrace
    recompile
    tiny_ops
    tf_print
    loss:sleep
    loss:sums
"""
JAX = """
    feed:sleep
    feed:tokenize
    feed:convert
    feed:augment
    inside:sums
    between:sleep
    between:print
    between:pickle
    between:savez
    between:lock
    between:gc
    checkpoint
    checkpoint@5
    evaluate@5
    between:sleep@0
    recompile
    tiny_ops
    debug_callback:sleep
    debug_callback:sums
    pure_callback:sleep
    io_callback:log
    debug_print
    device_put
    fetch
    sync
"""
TORCH = """
    dataset:sleep
    dataset:tokenize
    dataset:augment
    dataset:read_files
    collate:sleep
    collate:sums
    inside:sums
    hook:log
    between:sleep
    between:log
    between:json
    between:gc
    between:savez
    gradient_hook:sleep
    between:lock
    between:pickle@5
    checkpoint
    checkpoint@5
    evaluate@5
    between:sleep@0
    tiny_ops
    item
    tensor
    clone
    anomaly
    updates
    state
    state@5
"""
#: The larger of two costs is first.
TWO = {
    "keras": """
        map:sleep=45 + between:sleep=15
        between:sleep=45 + map:sleep=15
        loss:sums=45 + between:log=15
        generator:sleep=40 + loss:sleep=15
        between:gc=45 + loss:sums=15
    """,
    "tf": """
        map:sleep=45 + between:log=15
        between:sums=45 + generator:sleep=15
        loss:sleep=45 + between:sleep=15
        between:sleep=45 + loss:sums=15
        filter:sleep=40 + checkpoint=15
        feed:sleep=40 + loss:sleep=15
    """,
    "jax": """
        debug_callback:sleep=45 + feed:sleep=15
        feed:sleep=45 + debug_callback:sleep=15
        between:log=45 + pure_callback:sums=15
        feed:tokenize=40 + debug_callback:sums=15
    """,
    "torch": """
        dataset:sleep=45 + between:sleep=15
        between:sleep=45 + dataset:sleep=15
        collate:sums=40 + inside:sums=15
        inside:sums=45 + dataset:tokenize=15
        dataset:sleep=45 + checkpoint=15
        checkpoint=45 + dataset:sleep=15
    """,
}
CLEAN = {
    "keras": """
        dense
        dense unmarked
        convolution
        convolution unmarked
    """,
    "tf": """
        dense
        dense unmarked
        dense prefetched
        convolution
        while_loop
        while_loop unmarked
        two_functions
        two_functions unmarked
        accumulate
        accumulate unmarked
        rivals unmarked
    """,
    "jax": """
        dense
        dense unmarked
        dense python
        dense ahead
        dense accumulate
        convolution
        several
        several unmarked
        scan
        scan unmarked
        cells unmarked
        lambdas unmarked
    """,
    "torch": """
        dense
        dense stack
        dense workers
        dense no_loader
        dense accumulate
        dense unmarked
        dense unmarked inference
        dense unmarked inference no_loader
        tiny
        dense unmarked gan
        dense unmarked gan no_loader
        convolution
        convolution stack
        convolution unmarked inference no_loader
        lstm
        lstm unmarked inference no_loader
    """,
}
#: Programs whose first finding is none of a planted cost: what happens once at their begin or end.
ONCE = (
    Case("tf", flags=("cold",), codes=SLOW | codes("compiles_once")),
    Case("jax", flags=("cold",), codes=SLOW | codes("compiles_once")),
    Case("tf", model="dense", flags=("uneven",), codes=COMPUTE | SLOW | codes("compiles_once")),
)
#: What every program has some of, beside compute: no finding comes before that.
LITTLE = (
    ("keras", "between:log=1"),
    ("tf", "between:print=1"),
    ("tf", "inside:sums=1"),
    ("jax", "feed:convert=1"),
    ("jax", "between:json=1"),
    ("torch", "dataset:tokenize=1"),
    ("torch", "between:log=1"),
)
#: Costs of a third to a half of a step, beside compute that takes the rest.
BESIDE = {
    "keras": """
        between:sleep=8
        between:log=8
        batch_begin:sleep=8
        map:sleep=20
        generator:sleep=20
        checkpoint=8
    """,
    "tf": """
        between:sleep=4
        inside:sums=4
        feed:sleep=4
        checkpoint=5
    """,
    "jax": """
        between:sleep=3
        between:print=3
        feed:sleep=3
        feed:tokenize=3
        inside:sums=3
    """,
    "torch": """
        between:sleep=12
        between:log=12
        dataset:sleep=12
        collate:sums=12
        inside:sums=12
        checkpoint=12
    """,
}
#: What comes back every some steps, beside what each step has.
NOW_AND_THEN = {
    "keras": """
        checkpoint@4
        evaluate@4=40 + map:sleep=12
        evaluate@5=40 + between:log=12
    """,
    "tf": """
        evaluate
        evaluate@5
        checkpoint@4
        evaluate@5=40 + generator:sleep=12
        map:sleep=40 + evaluate@5=12
        summary=40 + evaluate@4=12
    """,
    "jax": """
        evaluate
        checkpoint@4
        evaluate@4=40 + debug_callback:sleep=12
        pure_callback:sums=40 + checkpoint@4=12
    """,
    "torch": """
        checkpoint@4
        evaluate
        evaluate@4=40 + dataset:sleep=12
        dataset:tokenize=40 + evaluate@4=12
    """,
}
FLAGGED = (
    ("keras", "unmarked", "map:sleep\n between:sleep\n eager"),
    ("tf", "unmarked", "map:sleep\n between:sleep\n retrace\n loss:sleep"),
    ("tf", "python", "between:log\n feed:tokenize"),
    ("jax", "unmarked", "feed:sleep\n between:sleep\n recompile\n tiny_ops"),
    ("jax", "python", "feed:tokenize\n between:log\n inside:sums"),
    ("torch", "workers", "dataset:sleep\n collate:sleep\n dataset:tokenize"),
    ("torch", "stack", "dataset:tokenize\n between:sleep\n inside:sums\n hook:log"),
    ("torch", "no_loader", "feed:sleep\n feed:convert"),
    ("torch", "unmarked", "dataset:sleep\n between:sleep"),
    ("torch", "accumulate", "between:log\n inside:sums\n dataset:sleep\n evaluate@4"),
    ("tf", "unmarked", "evaluate@5\n between:sums"),
    ("keras", "unmarked", "evaluate@4"),
    ("torch", "unmarked", "evaluate@4\n checkpoint@4\n between:sums"),
    ("torch", "unmarked inference", "between:sleep\n dataset:sleep"),
    ("jax", "unmarked", "evaluate@4\n checkpoint@4"),
    ("tf", "unmarked", "eager + evaluate@3=9"),
    ("torch", "unmarked", "between:savez\n updates"),
)


def _all() -> Iterator[Case]:
    for loop, rows in (("keras", KERAS), ("tf", TF), ("jax", JAX), ("torch", TORCH)):
        yield from clean(loop, CLEAN[loop])
        yield from planted(loop, rows)
        yield from planted(loop, TWO[loop])
        yield from planted(loop, BESIDE[loop], "beside", model="dense")
        yield from planted(loop, NOW_AND_THEN[loop])
    for loop, flag, rows in FLAGGED:
        yield from planted(loop, rows, *flag.split())
    for loop, words in LITTLE:
        yield Case(loop, (plant(loop, words),), model="dense", codes=COMPUTE)
    yield from ONCE


CASES: tuple[Case, ...] = tuple(_all())


def chosen(parts: Iterable[str]) -> list[Case]:
    """Those whose name has one of the parts; all without parts."""
    wanted = list(parts)
    return [case for case in CASES if not wanted or any(part in case.name for part in wanted)]


def is_clean(case: Case) -> bool:
    """Whether nothing is planted that is worth a word."""
    return case.codes == COMPUTE


def has_two_costs(case: Case) -> bool:
    return len(case.plants) > 1
