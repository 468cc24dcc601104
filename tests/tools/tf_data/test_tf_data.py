"""tf_data: pipelines, calls, graph and bottlenecks of built captures; odd and hostile ones; real captures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.tf_data import TF_DATA
from tests.build_capture import Space, Uint
from tests.timeline.timelines import real, timeline
from tests.tools.input_answers import ask as ask_input
from tests.tools.input_answers import parallel_map
from tests.tools.pipelines import asked, call, function, host, span, steps
from tests.tools.tf_data_answers import ask, by_name, rows

US = 1e-3


def prefetch() -> Space:
    """Two calls of a prefetch of 100 and 20 µs; its thread made an element in [0, 80] and one in [100, 180]."""
    space = Space()
    python, maker, _, _ = host(space)
    for element, begin, taken, end in ((100, 0, 80, 100), (200, 200, 210, 220)):
        call(python, "Prefetch", begin * US, end * US, id=123)
        span(python, "PrefetchConsume", taken * US, end * US, {"element_id": element})
    for element, begin in ((100, 0), (200, 100)):
        span(maker, "PrefetchProduce", begin * US, (begin + 80) * US, {"element_id": element})
        call(maker, "Prefetch::Range", begin * US, (begin + 80) * US, id=456, parent_id=123)
    return space


OF_A_CALL = ("duration_us", "self_us", "calls", "blocking_us", "blocking", "bottleneck")


def test_what_made_each_call_long() -> None:
    of = timeline(prefetch())
    slowest = ask(of, execution="0")
    assert by_name(slowest, *OF_A_CALL) == {
        "Prefetch": (100.0, 20.0, 1, 20.0, True, False),
        "Range": (80.0, 80.0, 1, 80.0, True, True),
    }
    # The element of the second call was made before it began.
    assert by_name(ask(of, execution="1"), *OF_A_CALL) == {
        "Prefetch": (20.0, 20.0, 1, 20.0, True, True),
        "Range": (80.0, 80.0, 1, 0.0, False, False),
    }
    assert rows(slowest, "executions", "rank", "start_ms", "duration_us", "bottleneck", "bottleneck_us", "cut") == [
        (0, 0.0, 100.0, "Range", 80.0, "first"),
        (1, 0.2, 20.0, "Prefetch", 20.0, ""),
    ]
    columns = ("calls", "mean_us", "min_us", "p50_us", "p99_us", "max_us", "slow_calls", "slow_share", "bottleneck")
    assert rows(slowest, "pipelines", *columns) == [(2, 60.0, 20.0, 20.0, 100.0, 100.0, 1, 0.5, "Range")]


def test_only_slow_calls_prove_that_calls_are_slow() -> None:
    [slow] = [f for f in ask(timeline(prefetch())).result.findings if f.code == "tf_data_calls_slow"]
    assert slow.title == "1 of 2 calls of `pipeline #1` took more than 50 µs; median 20 µs, longest 100 µs"
    assert [(where.start_ps, where.end_ps) for where in slow.evidence] == [(0, 100_000_000)]


def test_a_batch_is_made_of_several_elements_with_one_id() -> None:
    space = Space()
    python, maker, _, _ = host(space)
    call(python, "MapAndBatch", 0, 100 * US, id=123)
    span(python, "MapAndBatchConsume", 80 * US, 100 * US, {"element_id": 7})
    for begin in (0, 40):
        span(maker, "MapAndBatchProduce", begin * US, (begin + 30) * US, {"element_id": 7})
        call(maker, "MapAndBatch::Range", begin * US, (begin + 30) * US, id=456, parent_id=123)
    assert by_name(ask(timeline(space)), *OF_A_CALL) == {
        "MapAndBatch": (100.0, 40.0, 1, 40.0, True, False),
        "Range": (60.0, 60.0, 2, 60.0, True, True),
    }


def test_waiting_leads_on_to_the_function_that_ran_meanwhile() -> None:
    """A prefetch waits for its thread, which waits for a parallel map, whose function runs on two threads of a pool."""
    answer = ask(timeline(parallel_map()))
    below = "Iterator::Root::Prefetch::ParallelMapV2"
    columns = ("long_name", "calls", "duration_us", "wait_us", "function_us", "blocking_us", "critical", "bottleneck")
    graph = rows(answer, "graph", *columns)
    assert [row[0].rpartition("::")[2] for row in graph] == [
        "Root",
        "Prefetch",
        "ParallelMapV2",
        "ParallelInterleaveV4",
        "FlatMap",
        "TFRecord",
    ]
    assert graph[2][0] == below
    assert (graph[2][1], graph[2][4], graph[2][6:]) == (2, 12000.0, (True, True))
    assert graph[2][5] > 0.8 * graph[0][2]
    assert rows(answer, "functions", "stage", "function", "self_ms", "share") == [
        ("ParallelMapV2", "EagerPyFunc", 12.0, 1.0)
    ]
    # The program waits for 4 ms of each step of 5 ms; the third step asks for nothing.
    summary = answer.result.summary
    assert (summary["pipeline_verdict"], summary["bottleneck"], summary["work"]) == (
        "input-bound",
        "ParallelMapV2",
        "EagerPyFunc",
    )
    assert (summary["wait_step_ms"], summary["wait_share"], summary["host_step_time_ms"]) == (4.0, 0.8, 5.0)
    assert answer.result.findings[0].title == (
        "The program waits 4 ms (80 %) of each step for its input; stage `ParallelMapV2` causes it: 3.25 ms per "
        "element in `EagerPyFunc`, 2 at a time"
    )


def test_work_counts_to_its_stage_by_the_part_of_its_threads() -> None:
    """Of a map that may run four at once one function is a quarter; what feeds it has one thread, and is the limit."""
    space = Space()
    python, maker, pool, other = host(space)
    asked(python, "ParallelMapV2", 0, 10, id=2, parallelism=2)
    span(maker, "ParallelMapProduce", 0, 10)
    for begin in (0, 5):
        call(maker, "Root::ParallelMapV2::TFRecord", begin, begin + 4, id=3, parent_id=2)
    for id, runs in ((1, pool), (2, other)):
        function(maker, runs, id, 4.5, 5, 9, "parse:Mul")
    # [0, 4]: the reader; [5, 9]: 1 to the reader, 2 × ½ to the functions; the rest: the map's own thread.
    assert by_name(ask(timeline(space)), "blocking_us", "bottleneck") == {
        "Root": (0.0, False),
        "ParallelMapV2": (1000.0 + 2000.0 + 1000.0, False),
        "TFRecord": (4000.0 + 2000.0, True),
    }


def test_an_element_whose_making_began_before_the_capture() -> None:
    """No event tells of the long call of `MapAndBatch`, but what it did meanwhile does."""
    space = Space()
    python, maker, pool, _ = host(space)
    call(python, "Root", 0, 10, id=1)
    call(python, "Root::Prefetch", 0, 10, id=2, parent_id=1)
    span(python, "PrefetchConsume", 10, 10, {"element_id": 5})
    span(maker, "MapAndBatchProduce", 0, 1, {"element_id": 8})
    call(maker, "Root::Prefetch::MapAndBatch::Range", 0, 0.5, id=4, parent_id=3)
    function(maker, pool, 9, 0.75, 1, 9, "f:EagerPyFunc")
    answer = ask(timeline(space))
    assert by_name(answer, "blocking_us", "calls", "bottleneck") == {
        "Root": (0.0, 1, False),
        "Prefetch": (1000.0, 1, False),
        "MapAndBatch": (500.0 + 8000.0, 0, True),
        "Range": (500.0, 1, False),
    }
    assert rows(answer, "executions", "bottleneck", "cut") == [("MapAndBatch", "first")]
    assert answer.result.summary["bottleneck"] == "MapAndBatch"


def test_the_thread_that_waits_deepest_is_named_where_nothing_is_seen_to_work() -> None:
    space = Space()
    python, maker, _, _ = host(space)
    asked(python, "Prefetch", 0, 10, id=2)
    span(maker, "PrefetchProduce", 0, 10)
    call(maker, "Root::Prefetch::DataServiceV4", 0, 10, id=3, parent_id=2)
    answer = ask(timeline(space))
    assert by_name(answer, "blocking_us", "bottleneck")["DataServiceV4"] == (10000.0, True)
    assert [advice.code for (advice,) in rows(answer, "bottlenecks", "advice")] == ["stage.data_service"]


def test_filling_a_buffer_counts_to_the_shuffle() -> None:
    space = Space()
    python, maker, _, _ = host(space)
    asked(python, "Prefetch", 0, 20, id=2)
    span(maker, "PrefetchProduce", 0, 20)
    call(maker, "Root::Prefetch::Shuffle", 0, 20, id=3, parent_id=2, buffer_size=20)
    for i in range(20):
        call(maker, "Root::Prefetch::Shuffle::Range", i, i + 0.9, id=4, parent_id=3)
    answer = ask(timeline(space))
    assert rows(answer, "executions", "bottleneck", "bottleneck_us") == [("Shuffle", 20000.0)]
    assert answer.result.summary["bottleneck"] == "Shuffle"


def mirrored() -> Space:
    """Two devices take from one pipeline of the host, which is slow."""
    space = Space()
    plane = space.plane("/host:CPU")
    shapes = {"shapes": "[8]"}
    maker, reader = plane.line(50, "a"), plane.line(51, "b")
    call(maker, "Root", 0, 8, id=10, name="OptionsDataset:3", **shapes)
    call(maker, "Root::Prefetch", 0, 8, id=11, parent_id=10)
    span(reader, "PrefetchProduce", 0, 8)
    call(reader, "Root::Prefetch::TFRecord", 0, 8, id=12, parent_id=11)
    for device in (1, 2):
        python, fetch = plane.line(device, "python"), plane.line(10 + device, "fetch")
        call(python, "Root", 0, 8, id=20 * device, name="device_prefetch", **shapes)
        call(python, "Root::Prefetch", 0, 8, id=20 * device + 1, parent_id=20 * device)
        span(fetch, "PrefetchProduce", 0, 8)
        call(fetch, "Root::Prefetch::Generator", 0, 8, id=20 * device + 2, parent_id=20 * device + 1)
    return space


def test_pipelines_of_devices_are_joined_to_the_one_that_feeds_them() -> None:
    of = timeline(mirrored())
    answer = ask(of)
    assert sorted(rows(answer, "pipelines", "pipeline", "type", "fed_by", "bottleneck")) == [
        ("OptionsDataset:3", "host", "", "TFRecord"),
        ("device_prefetch", "device", "OptionsDataset:3", "TFRecord"),
        ("device_prefetch #2", "device", "OptionsDataset:3", "TFRecord"),
    ]
    assert rows(answer, "bottlenecks", "pipeline", "stage", "share") == [("OptionsDataset:3", "TFRecord", 1.0)]
    # What a device waits for is followed into the host's pipeline.
    graph = rows(ask(of, pipeline="device_prefetch #2"), "graph", "name", "parent", "blocking_us", "critical")
    assert graph == [
        ("Root", -1, 0.0, True),
        ("Prefetch", 0, 0.0, True),
        ("Generator", 1, 0.0, True),
        ("Root", 2, 0.0, True),
        ("Prefetch", 3, 0.0, True),
        ("TFRecord", 4, 8000.0, True),
    ]


def test_a_device_s_pipeline_whose_host_s_is_not_in_the_capture() -> None:
    space = Space()
    python, fetch, _, _ = host(space)
    call(python, "Prefetch", 0, 7, id=1)
    span(python, "PrefetchConsume", 6.9, 6.9)
    span(fetch, "PrefetchProduce", 0.2, 6.9)
    call(fetch, "Prefetch::Generator", 0.2, 6.9, id=2, parent_id=1)
    answer = ask(timeline(space))
    assert rows(answer, "executions", "bottleneck", "bottleneck_us") == [("Generator", 6700.0)]
    [(*facts, advice)] = rows(answer, "pipelines", "type", "fed_by", "bottleneck", "advice")
    assert facts == ["device", "", "Generator"]
    assert advice.code == "stage.fetches_for_device"


def test_of_several_pipelines_the_one_that_steps_wait_for_is_told() -> None:
    space = Space()
    python = host(space)[0]
    steps(python, [0, 10], 20)
    for at in (0, 10):
        call(python, "Root", at, at + 0.1, id=1, name="quick")
        call(python, "Root", at + 1, at + 6, id=5, name="slow")
        call(python, "Root::Map", at + 1, at + 6, id=6, parent_id=5)
    answer = ask(timeline(space))
    assert rows(answer, "pipelines", "pipeline", "wait_step_ms", "wait_share") == [
        ("slow", 5.0, 0.5),
        ("quick", 0.1, 0.01),
    ]
    assert "`slow` matters most of 2 pipelines: a step waits 5 ms for it, 100 µs for `quick`" in [
        f.title for f in answer.result.findings
    ]
    chosen = ask(timeline(space), pipeline="quick").result.summary
    assert (chosen["pipeline"], chosen["chosen_pipeline"], chosen["executions_rows"]) == ("slow", "quick", 2)


def test_a_limit_shortens_long_tables_and_not_their_counts() -> None:
    answer = ask(timeline(prefetch()), limit="1")
    assert rows(answer, "executions", "rank") == [(0,)]
    assert answer.result.summary["executions_rows"] == 2


def test_of_several_hosts_the_one_that_waits_longest_is_told() -> None:
    def waits(ms: float, name: str) -> Timeline:
        space = Space()
        python = host(space)[0]
        steps(python, [0, 10, 20], 30)
        for at in (0, 10, 20):
            asked(python, "BatchV2", at + 1, at + 1 + ms)
        return timeline(space, name)

    answer = ask(waits(2, "a"), waits(6, "b"))
    assert [answer.result.summary[key] for key in ("host", "chosen_host", "wait_step_ms")] == ["b", "b", 6.0]
    assert rows(answer, "pipelines", "host", "wait_share") == [("b", 0.6), ("a", 0.2)]


def test_elements_that_are_ready_are_no_fault_of_what_makes_them() -> None:
    """The program's thread is slow to take an element; meanwhile the next ones are made."""
    space = Space()
    python, maker, _, _ = host(space)
    steps(python, [0, 10, 20], 30)
    for i, at in enumerate((0, 10, 20)):
        call(python, "Root", at, at + 5, id=1)
        call(python, "Root::Prefetch", at, at + 5, id=2, parent_id=1, buffer_limit=2, buffered_elements=2)
        span(python, "PrefetchConsume", at + 0.1, at + 0.1, {"element_id": i})
        span(maker, "PrefetchProduce", at + 1, at + 4, {"element_id": i + 2})
        call(maker, "Root::Prefetch::BatchV2", at + 1, at + 4, id=3, parent_id=2)
    of = timeline(space)
    answer = ask(of)
    assert by_name(answer, "blocking_us", "bottleneck") == {
        "Root": (0.0, False),
        "Prefetch": (15000.0, True),
        "BatchV2": (0.0, False),
    }
    assert answer.result.summary["bottleneck"] == ask_input(of).result.summary["bottleneck_op"] == "Prefetch"
    assert answer.result.findings[0].title == (
        "The program waits 5 ms (50 %) of each step for its input; stage `Prefetch` causes it: 4.9 ms to hand over an "
        "element that is ready"
    )


def test_without_steps_calls_are_told_and_what_is_not_known_says_why() -> None:
    answer = ask(timeline(prefetch()))
    assert answer.result.summary["wait_share"] is None
    assert answer.result.unknown["wait_share"].startswith("no steps: ")
    first = answer.result.findings[0]
    assert first.code == "tf_data_without_steps"
    assert first.title.startswith("No steps to compare with: `pipeline #1` was asked 2 times, 60 µs each; ")


def test_what_a_stage_s_events_say_of_it() -> None:
    space = Space()
    python = host(space)[0]
    given: dict[str, int | str] = {"autotune": "false", "buffer_limit": 4, "name": "PrefetchDataset:1"}
    for at, held in ((0, 2), (1, 4)):
        call(python, "Prefetch", at, at + 0.5, id=2, buffered_elements=held, **given)
    call(python, "Prefetch", 2, 2.5, id=2, **given)
    columns = ("dataset", "autotune", "buffer_limit", "buffered_elements", "iterator_id", "parameters", "async")
    assert rows(ask(timeline(space)), "graph", *columns) == [
        ("PrefetchDataset:1", "false", "4", 2.0, "2", "autotune=false, buffer_limit=4", True)
    ]


def test_iterators_of_files_are_one_stage() -> None:
    answer = ask(timeline(parallel_map()))
    assert by_name(answer, "iterators", "calls")["TFRecord"] == (2, 4)


def test_a_row_leads_to_its_place_in_the_trace() -> None:
    of = timeline(prefetch())
    events = of.capture.events
    for track, start, duration, name in rows(ask(of), "graph", "track", "start_ps", "duration_ps", "long_name"):
        row = (events.track == track) & (events.start_ps == start) & (events.duration_ps == duration)
        assert name in of.capture.strings.texts(events.name[row])


def test_a_pipeline_or_a_call_that_is_not_there() -> None:
    of = timeline(prefetch())
    with pytest.raises(ArgumentError, match=r"pipeline='nope': use one of pipeline #1"):
        ask(of, pipeline="nope")
    with pytest.raises(ArgumentError, match=r"execution=2: use 0 to 1, or -1"):
        ask(of, execution="2")


def test_no_tf_data() -> None:
    space = Space()
    span(space.plane("/host:CPU").line(1, "a"), "x", 0, 1)
    of = timeline(space)
    reason = TF_DATA.missing(of)
    assert reason is not None
    assert "input pipeline's page" in reason
    assert ask(of).result.findings[0].tool == "input_pipeline"
    assert TF_DATA.missing(timeline(prefetch())) is None


def test_iterators_that_feed_themselves() -> None:
    space = Space()
    python = host(space)[0]
    call(python, "Root::Map", 0, 3, id=1, parent_id=3)
    call(python, "Root::Map::Filter", 0, 2, id=2, parent_id=1)
    call(python, "Root::Map::Filter::Range", 0, 1, id=3, parent_id=2)
    call(python, "Root::Batch", 5, 6, id=9, parent_id=9)
    answer = ask(timeline(space))
    assert answer.result.summary["pipelines_rows"] == 2
    circles = ("tf_data_iterators_in_circles", {"iterators": 2})
    assert circles in [(f.code, f.params) for f in answer.result.findings]


@pytest.mark.parametrize(
    "stats", [{}, {"id": 0}, {"id": -1, "parent_id": -1}, {"id": "x"}, {"parent_id": Uint(2**64 - 1)}]
)
def test_numbers_that_are_missing_or_none(stats: dict[str, int | str]) -> None:
    space = Space()
    python, maker, _, _ = host(space)
    call(python, "Root", 0, 5, **stats)
    call(python, "Root::Prefetch", 0, 5, **stats)
    span(python, "PrefetchConsume", 5, 5, {"element_id": -1})
    span(maker, "PrefetchProduce", 0, 5, {"element_id": -1})
    call(maker, "Root::Prefetch::Map", 0, 5, **stats)
    assert ask(timeline(space)).result.summary["calls"]


def test_elements_that_were_made_for_each_other() -> None:
    """A call that takes what it makes itself, and two that make each other's."""
    space = Space()
    python, maker, _, _ = host(space)
    for line, mine, other in ((python, 1, 2), (maker, 2, 1)):
        span(line, "PrefetchProduce", 0, 9, {"element_id": mine})
        call(line, "Root::Prefetch::Prefetch", 1, 8, id=3, parent_id=3)
        span(line, "PrefetchConsume", 2, 3, {"element_id": other})
        span(line, "PrefetchConsume", 4, 5, {"element_id": mine})
    ask(timeline(space))


def test_a_root_without_children_and_calls_of_no_time() -> None:
    space = Space()
    python = host(space)[0]
    call(python, "Root", 0, 0, id=1)
    call(python, "Root", 1, 1, id=1)
    answer = ask(timeline(space))
    assert rows(answer, "executions", "duration_us", "bottleneck") == [(0.0, ""), (0.0, "")]
    assert rows(answer, "graph", "name", "blocking_share", "wait_share") == [("Root", None, None)]


def test_calls_that_overlap_without_nesting() -> None:
    space = Space()
    python = host(space)[0]
    for i in range(5):
        call(python, "Root", i, i + 3, id=1)
        call(python, "Root::Prefetch", i + 0.5, i + 4, id=2, parent_id=1)
    TF_DATA.combine([TF_DATA.per_host(timeline(space), TF_DATA.parse({}))], TF_DATA.parse({}))


@pytest.mark.slow
def test_tens_of_thousands_of_iterators_and_pipelines() -> None:
    """Files and pipelines of their own: the first are a stage, of the others the longest are looked into."""
    space = Space()
    python = host(space)[0]
    call(python, "Root", 0, 1000, id=1)
    for i in range(20_000):
        call(python, f"Root::FlatMap[{i % 100}]::TFRecord", i * 0.01, i * 0.01 + 0.005, id=10 + i, parent_id=2)
        call(python, "Root", 2000 + i, 2000 + i + 0.5, id=1_000_000 + i)
    answer = ask(timeline(space))
    assert answer.result.summary["pipelines_rows"] == 20_001
    assert len(rows(answer, "pipelines", "pipeline")) == 20_000
    assert by_name(answer, "iterators")["TFRecord"] == (20_000,)
    left_out = ("tf_data_pipelines_left_out", {"pipelines": 20_001, "host": "h", "analysed": 64})
    assert left_out in [(f.code, f.params) for f in answer.result.findings]


def test_chains_that_nobody_writes() -> None:
    space = Space()
    python = host(space)[0]
    call(python, "", 0, 1)
    call(python, "Root" + "::Map" * 20_000, 2, 4, id=3, parent_id=4)
    call(python, "Root" + "".join(f"::Zip[{i}]" for i in range(90)), 5, 6, id=5, parent_id=6)
    ask(timeline(space))


@pytest.mark.slow
def test_every_real_capture(xplane_files: list[Path]) -> None:
    for file, of in real(xplane_files):
        answer = ask(of)
        assert (TF_DATA.missing(of) is None) == (answer.result.summary["pipelines_rows"] != 0), file
        for p in (name for (name,) in rows(answer, "pipelines", "pipeline")):
            for execution in ("-1", "0"):
                ask(of, pipeline=p, execution=execution)


@pytest.mark.parametrize(
    ("name", "pipelines", "calls", "slow", "stage"),
    [
        ("keras_input_bound", 1, 11, 11, "MapAndBatch"),
        ("custom_loop", 1, 20, 20, "Prefetch"),
        ("mirrored", 3, 22, 1, "BatchV2"),
    ],
)
def test_what_real_captures_say(
    shared_captures: Path, name: str, pipelines: int, calls: int, slow: int, stage: str
) -> None:
    file = next((shared_captures / "xplane" / name).rglob("*.xplane.pb"))
    of = Timeline(decode.read(str(file)), "h")
    found = ask(of).result.summary
    facts = [found[key] for key in ("pipelines_rows", "calls", "slow_calls", "bottleneck")]
    assert facts == [pipelines, calls, slow, stage]
    other = ask_input(of).result.summary
    assert other["bottleneck_op"] == stage
    # Of all steps; the input page's share is of typical ones.
    waited, step = float(str(other["input_wait_ms"])), float(str(other["step_time_ms"]))
    assert waited / step == pytest.approx(found["wait_share"])


def test_latencies_are_those_of_the_raw_events(shared_captures: Path) -> None:
    file = next((shared_captures / "xplane" / "remote_multi").rglob("*6009.xplane.pb"))
    of = Timeline(decode.read(str(file)), "h")
    events = of.capture.events
    raw = events.duration_ps[events.name == of.capture.strings.find("Iterator::Root")] / 1e6
    columns = ("calls", "mean_us", "min_us", "max_us", "slow_calls")
    assert rows(ask(of), "pipelines", *columns) == [
        (len(raw), round(raw.mean(), 4), round(raw.min(), 4), round(raw.max(), 4), int(np.count_nonzero(raw > 50)))
    ]


def test_of_steps_without_a_pipeline_it_is_not_said_that_there_are_none() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(3):
        line.event("train", number * 10**9, 9 * 10**8, stats={"step_num": number, "_r": 1})
    answer = ask(timeline(space))
    assert answer.result.summary["step_count"] == 3
    assert not [name for name, why in answer.result.unknown.items() if "no step" in why]
