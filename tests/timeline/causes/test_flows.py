"""Causes across threads: contexts, other ids, thread-pool regions, runs of programs; labels that follow them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.timeline.causes import flows_of, inherited
from tensorboard_perfplugin.timeline.loops.loops import COMPILED, spread
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Line, Plane, Space, StatValue, Uint
from tests.timeline.timelines import row, timeline

WAYS = [False, True] if COMPILED else [False]


def produce(line: Line, name: str, at: int, context: int, lasts: int = 10) -> None:
    line.event(name, at, lasts, {"_pt": 2, "_p": context})


def consume(line: Line, name: str, at: int, context: int, lasts: int = 10) -> None:
    line.event(name, at, lasts, {"_ct": 2, "_c": context})


def named(of: Timeline, rows: np.ndarray[tuple[int], np.dtype[np.int32]]) -> dict[str, str | None]:
    """By name of an event the name of another, given by row."""
    names = of.capture.strings.texts(of.capture.events.name)
    return {name: names[to] if to >= 0 else None for name, to in zip(names, rows.tolist(), strict=True)}


def producers(of: Timeline) -> dict[str, str]:
    """By name of an event that has one, the name of its producer."""
    return {name: to for name, to in named(of, flows_of(of).producer).items() if to is not None}


def labelled(of: Timeline, *seeds: str) -> dict[str, str | None]:
    """By name of an event the seed whose label it takes."""
    label = np.full(len(of.capture.events), -1, np.int32)
    for i, seed in enumerate(seeds):
        label[row(of, seed)] = i
    names = of.capture.strings.texts(of.capture.events.name)
    found = inherited(of, label).tolist()
    return {name: seeds[i] if i >= 0 else None for name, i in zip(names, found, strict=True)}


def host(space: Space, *threads: int) -> list[Line]:
    plane = space.plane("/host:CPU")
    return [plane.line(id, f"thread {id}") for id in threads]


def test_a_consumer_s_producer_is_the_latest_before_it_else_the_first() -> None:
    space = Space()
    a, b = host(space, 1, 2)
    produce(a, "early", 0, 7)
    produce(a, "late", 50, 7)
    produce(a, "of another", 60, 8)
    consume(b, "between", 20, 7)
    consume(b, "after", 90, 7)
    consume(b, "at once", 50, 7)
    consume(b, "of nobody", 95, 9)
    produce(a, "only after 1", 200, 5)
    produce(a, "only after 2", 220, 5)
    consume(b, "before both", 150, 5)
    assert producers(timeline(space)) == {
        "between": "early",
        "at once": "late",
        "after": "late",
        "before both": "only after 1",
    }


def test_ids_are_64_bit_patterns_of_either_kind_and_mean_something_within_their_type() -> None:
    space = Space()
    a, b = host(space, 1, 2)
    a.event("minus one", 0, 1, {"_pt": 2, "_p": -1})
    b.event("all bits", 5, 1, {"_ct": Uint(2), "_c": Uint((1 << 64) - 1)})
    a.event("huge", 10, 1, {"_pt": 2, "_p": Uint(6174480302471449284)})
    b.event("the same as int", 15, 1, {"_ct": 2, "_c": 6174480302471449284})
    b.event("another type", 16, 1, {"_ct": 3, "_c": -1})
    b.event("no type", 17, 1, {"_c": -1})
    b.event("a double", 18, 1, {"_ct": 2, "_c": -1.0})
    assert producers(timeline(space)) == {"all bits": "minus one", "the same as int": "huge"}


def test_equal_ids_of_two_processes_are_two_contexts() -> None:
    space = Space()
    first = space.plane("/host:CPU", stats={"process_id": 11})
    second = space.plane("/host:other", stats={"process_id": 22})
    produce(first.line(1), "p of 11", 0, 7)
    produce(second.line(1), "p of 22", 1, 7)
    consume(first.line(2), "c of 11", 5, 7)
    consume(second.line(2), "c of 22", 5, 7)
    first.line(3).event("c of 11 that names 22", 6, 1, {"_ct": 2, "_c": 7, "_pid": 22})
    consume(space.plane("/host:unsaid").line(1), "c of nobody knows", 7, 7)
    assert producers(timeline(space)) == {
        "c of 11": "p of 11",
        "c of 22": "p of 22",
        "c of 11 that names 22": "p of 22",
    }


def test_a_plane_that_names_no_process_is_of_the_only_one() -> None:
    space = Space()
    produce(space.plane("/host:CPU", stats={"process_id": 11}).line(1), "p", 0, 7)
    consume(space.plane("/device:TPU:0").line(2, "XLA Modules"), "c", 5, 7)
    assert producers(timeline(space)) == {"c": "p"}


def test_nobody_is_the_cause_of_itself() -> None:
    space = Space()
    a, b = host(space, 1, 2)
    both: dict[str, StatValue] = {"_pt": 0, "_p": 1, "_ct": 0, "_c": 1}
    a.event("alone", 0, 5, {"_pt": 0, "_p": 3, "_ct": 0, "_c": 3})
    a.event("first", 10, 5, both)
    b.event("second", 20, 5, both)
    assert producers(timeline(space)) == {"first": "second", "second": "first"}


def test_an_executor_s_iteration_gets_the_input() -> None:
    space = Space()
    a, b = host(space, 1, 2)
    a.event("ExecutorState::Process", 0, 10, {"id": Uint(5), "iter_num": 0})
    a.event("ExecutorState::Process", 20, 10, {"id": 5, "iter_num": 1})
    b.event("IteratorGetNextOp::DoCompute", 40, 5, {"id": 5, "iter_num": 0})
    b.event("IteratorGetNextAsOptionalOp::DoCompute", 50, 5, {"id": 5})
    found = timeline(space)
    assert flows_of(found).producer.tolist() == [-1, -1, 0, -1]


def tpu(space: Space) -> tuple[Line, Plane]:
    return host(space, 1)[0], space.plane("/device:TPU:3")


def test_a_program_s_run_on_a_tpu_is_caused_by_what_enqueued_it_and_causes_its_ops() -> None:
    space = Space()
    thread, device = tpu(space)
    run = {"run_id": 5, "queue_id": 0}
    thread.event("DoEnqueueProgram", 0, 5, run | {"run_id": 5 + (1 << 40), "device_ordinal": 3, "core_type": 0})
    thread.event("CompleteCallbacks", 90, 5, run | {"device_ordinal": 3})
    modules = device.line(1, "XLA Modules")
    modules.event("jit_f(1)", 10, 50, run)
    modules.event("jit_g(2)", 60, 10, {"run_id": 6, "queue_id": 0})
    ops = device.line(2, "XLA Ops")
    ops.event("fusion", 10, 5).event("copy", 59, 5).event("between", 75, 5).event("dot", 60, 5)
    found = timeline(space)
    assert producers(found) == {"CompleteCallbacks": "DoEnqueueProgram", "jit_f(1)": "DoEnqueueProgram"}
    ran = {name: to for name, to in named(found, flows_of(found).module).items() if to}
    assert ran == {"fusion": "jit_f(1)", "copy": "jit_f(1)", "dot": "jit_g(2)"}
    inside = {name for name, seed in labelled(found, "DoEnqueueProgram").items() if seed}
    assert inside == {"DoEnqueueProgram", "CompleteCallbacks", "jit_f(1)", "fusion", "copy"}


def region(line: Line, begin: int, end: int | None, context: int = 0) -> None:
    line.event("ThreadpoolListener::StartRegion", begin, 0, {"_ct": 15, "_c": context})
    if end is not None:
        line.event("ThreadpoolListener::StopRegion", end, 0)


def regions(space: Space) -> list[tuple[str, int]]:
    """Events that are no marks of regions: name, and begin of the region each lies in (-1 none), by begin."""
    found = timeline(space)
    events, inside = found.capture.events, flows_of(found).region
    begin = np.where(inside >= 0, events.start_ps[inside], -1).tolist()
    rows = zip(found.capture.strings.texts(events.name), begin, events.start_ps.tolist(), strict=True)
    return [(name, at) for name, at, _ in sorted(rows, key=lambda r: r[2]) if "::" not in name]


def test_regions_hold_what_begins_in_them_as_brackets_do() -> None:
    space = Space()
    line, other = host(space, 1, 2)
    region(line, 10, 50)
    region(line, 20, 30)
    for name, at in (("a", 5), ("b", 10), ("c", 20), ("d", 29), ("e", 30), ("f", 49), ("g", 50)):
        line.event(name, at, 1)
    other.event("on another thread", 60, 1)
    expected = [("a", -1), ("b", 10), ("c", 20), ("d", 20), ("e", 10), ("f", 10), ("g", -1), ("on another thread", -1)]
    assert regions(space) == expected


def test_a_region_that_nothing_ends_lasts_to_the_next_mark_or_to_the_end() -> None:
    space = Space()
    line, other = host(space, 1, 2)
    line.event("ThreadpoolListener::StopRegion", 1, 0)  # its begin was before the capture
    region(line, 10, None)
    region(line, 20, 30)
    region(line, 40, None)
    for at in (5, 15, 25, 35, 45):
        line.event(f"at {at}", at, 1)
    other.event("ThreadpoolListener::StopRegion", 50, 0)
    other.event("at 55", 55, 1)
    assert regions(space) == [("at 5", -1), ("at 15", 10), ("at 25", 20), ("at 35", -1), ("at 45", 40), ("at 55", -1)]


def test_labels_go_to_what_lies_inside_and_to_what_it_causes_through_threads() -> None:
    space = Space()
    main, pool, other = host(space, 1, 2, 3)
    main.event("step", 0, 100).event("call", 10, 50)
    main.event("ThreadpoolListener::Record", 20, 0, {"_pt": 15, "_p": 1})
    region(pool, 30, 90, 1)
    pool.event("run", 40, 30).event("op", 45, 5).event("later", 95, 2)
    produce(pool, "send", 52, 77, 2)
    consume(other, "receive", 60, 77, 20)
    other.event("in receive", 65, 5).event("beside", 85, 5)
    assert labelled(timeline(space), "step") == {
        "step": "step",
        "call": "step",
        "ThreadpoolListener::Record": "step",
        "ThreadpoolListener::StartRegion": "step",
        "run": "step",
        "op": "step",
        "send": "step",
        "ThreadpoolListener::StopRegion": None,
        "later": None,
        "receive": "step",
        "in receive": "step",
        "beside": None,
    }


def test_what_lies_in_a_labelled_event_takes_its_label_whatever_it_consumes() -> None:
    space = Space()
    a, b = host(space, 1, 2)
    a.event("step 0", 0, 50)
    produce(a, "p", 10, 7)
    b.event("step 1", 0, 100)
    consume(b, "inside", 20, 7, 30)
    consume(b, "outside", 120, 7, 30)
    found = labelled(timeline(space), "step 0", "step 1")
    assert (found["inside"], found["outside"]) == ("step 1", "step 0")


def test_a_cause_that_leads_nowhere_does_not_hide_the_one_around_it() -> None:
    space = Space()
    a, b, c = host(space, 1, 2, 3)
    a.event("step", 0, 50)
    produce(a, "p", 10, 7)
    consume(b, "outer", 20, 7, 50)
    consume(b, "inner", 30, 8, 10)
    produce(c, "unlabelled", 25, 8)
    assert labelled(timeline(space), "step")["inner"] == "step"


def test_cycles_end_in_no_label_and_a_way_in_labels_them() -> None:
    space = Space()
    a, b, main = host(space, 1, 2, 3)
    for line, own, others in ((a, 1, 2), (b, 2, 1)):
        line.event(f"cycle {own}", own, 5, {"_pt": 2, "_p": own, "_ct": 2, "_c": others})
        line.event(f"entered {own}", 100 + own, 5, {"_pt": 2, "_p": 10 + own, "_ct": 2, "_c": 10 + others})
    produce(main, "step", 101, 12)  # as "entered 2" does, which begins too late
    found = labelled(timeline(space), "step")
    assert [found[name] for name in ("cycle 1", "cycle 2", "entered 1", "entered 2")] == [None, None, "step", "step"]


def test_a_kernel_takes_the_label_of_its_launch() -> None:
    space = Space()
    (main,) = host(space, 1)
    main.event("step", 0, 10).event("cuLaunchKernel", 2, 1, {"correlation_id": 9})
    space.plane("/device:GPU:0").line(7, "Stream #7").event("kernel", 50, 5, {"correlation_id": 9})
    assert labelled(timeline(space), "step")["kernel"] == "step"


def test_many_contexts_in_one_chain_end() -> None:
    links = 20_000
    space = Space()
    a, b = host(space, 1, 2)
    for i in range(links):
        (a, b)[i % 2].event("link", 10 * i, 5, {"_ct": 2, "_c": i, "_pt": 2, "_p": i + 1})
    found = timeline(space)
    begin, producer = found.capture.events.start_ps, flows_of(found).producer
    assert (begin[producer[producer >= 0]] == begin[producer >= 0] - 10).all()
    label = np.full(links, -1, np.int32)
    label[0] = 3
    assert (inherited(found, label) == 3).all()


def spread_on(links: list[list[int]], label: list[int], compiled: bool) -> list[int]:
    columns = np.array(links, np.int32).reshape(len(label), len(links[0]) if links else 2)
    found: list[int] = spread(columns, np.array(label, np.int32), compiled).tolist()
    return found


@pytest.mark.parametrize("compiled", WAYS)
def test_the_shortest_way_counts_and_of_equal_ones_the_first_column(compiled: bool) -> None:
    # 0 and 1 are labelled; 2 → 0 or 1; 3 → 2 or 1; 4 and 5 in a circle; 6 → itself or 3.
    links = [[-1, -1], [-1, -1], [0, 1], [2, 1], [5, -1], [4, -1], [6, 3]]
    assert spread_on(links, [7, 8, -1, -1, -1, -1, -1], compiled) == [7, 8, 7, 8, -1, -1, 8]
    assert spread_on([], [], compiled) == []


@given(st.data())
def test_spreading_against_brute_force(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 12))
    links = [[data.draw(st.integers(-1, n - 1)) for _ in range(3)] for _ in range(n)]
    label = [data.draw(st.sampled_from([-1, -1, -1, 0, 1])) for _ in range(n)]
    expected = list(label)
    for _ in range(n):
        before = list(expected)
        for i in range(n):
            ways = [before[to] for to in links[i] if to >= 0 and before[to] >= 0]
            if before[i] < 0 and ways:
                expected[i] = ways[0]
    for compiled in WAYS:
        assert spread_on(links, label, compiled) == expected


@pytest.mark.parametrize(("many", "ignored"), [(63, 0), (64, 1)])
def test_a_context_of_64_producers_and_64_consumers_is_no_cause(many: int, ignored: int) -> None:
    """As many consumers of one producer are no crowd."""
    space = Space()
    a, b = host(space, 1, 2)
    for i in range(many):
        produce(a, f"p{i}", 20 * i, 7)
        consume(b, f"c{i}", 20 * i + 1, 7)
        consume(b, f"of few {i}", 5000 + 20 * i, 8)
    produce(a, "few", 4000, 8)
    found = flows_of(timeline(space))
    assert (found.ignored, int((found.producer >= 0).sum())) == (ignored, many if ignored else 2 * many)
