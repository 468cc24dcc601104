"""Trace-event JSON as people's tools write it, and as it breaks: text in, slices out, on one screen each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture

#: (track, name, begin µs, length µs)
Slice = tuple[str, str, float, float]


def opened(text: str | bytes | list[dict[str, Any]], name: str = "trace.json") -> Capture:
    data = json.dumps(text).encode() if isinstance(text, list) else text.encode() if isinstance(text, str) else text
    capture = read_bytes(data, name)
    capture.check()
    return capture


def slices_of(capture: Capture) -> list[Slice]:
    e, t = capture.events, capture.tracks
    tracks = capture.strings.texts(t.name)
    return [
        (tracks[e.track[i]], capture.event_name(i), int(e.start_ps[i]) / 1e6, int(e.duration_ps[i]) / 1e6)
        for i in range(len(e))
    ]


def names(capture: Capture) -> list[str]:
    return [name for _, name, _, _ in slices_of(capture)]


def event(ph: str, ts: float, name: str = "", **more: Any) -> dict[str, Any]:
    return {"ph": ph, "ts": ts, "name": name, "pid": 1, "tid": 1, **more}


WHOLE = '{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "a"}'


@pytest.mark.parametrize(
    "text",
    [
        f"[{WHOLE}]",
        f'{{"traceEvents": [{WHOLE}]}}',
        f'\ufeff{{"otherData": {{"a": ["]", "}}"]}}, "traceEvents": [{WHOLE}], "displayTimeUnit": "ms"}}',
        f"[{WHOLE},]",
        f"[{WHOLE},\n",
        f"[{WHOLE}",
        f"[{WHOLE}, {{}}]",
    ],
    ids=["array", "object", "mark_and_members", "comma", "open_comma", "open", "empty_event"],
)
def test_each_form_of_the_same_event(text: str) -> None:
    capture = opened(text)
    assert slices_of(capture)[0] == ("thread 1", "a", 0.0, 2.0)
    assert not capture.quality.dropped


def test_a_file_cut_inside_an_event_gives_what_lies_before() -> None:
    text = f'{{"traceEvents": [{WHOLE}, {{"ph": "X", "pid": 1, "ti'
    capture, n = opened(text), len(text)
    assert names(capture) == ["a"]
    assert capture.quality.dropped == {"cut_at_end": 1}
    assert capture.quality.warnings == (message("json_breaks_off", at=n, size=n),)


@pytest.mark.parametrize("text", [f'{{"traceEvents": [{WHOLE}]}}', f"[{WHOLE}]"], ids=["object", "array"])
def test_what_follows_the_document_is_told(text: str) -> None:
    capture = opened(f"{text}\n}} end\n")
    assert names(capture) == ["a"]
    assert capture.quality.warnings == (message("json_followed", n=6, shown=repr("} end\n")),)


@pytest.mark.parametrize("between", ["", "\n", ",\n", "\n" * 1000])
def test_documents_one_after_another_are_read_as_one(between: str) -> None:
    """As where traces were appended to one file. Of what several say beside events the first counts."""
    first = f'{{"schemaVersion": 1, "host_name": "vm", "traceEvents": [{WHOLE}]}}'
    second = (
        f'{{"host_name": "other", "traceEvents": [{WHOLE.replace(chr(34) + "a" + chr(34), chr(34) + "b" + chr(34))}]}}'
    )
    capture = opened(f"{first}{between}{second}{between}[{WHOLE}]")
    assert (names(capture), capture.hostname) == (["a", "b", "a"], "vm")
    assert capture.quality.warnings == (message("json_documents", n=3),)


def test_begins_and_ends_are_paired_on_their_thread() -> None:
    """Ends come in their own order; those of one thread say nothing of another."""
    capture = opened(
        [
            event("B", 0, "outer"),
            event("B", 1, "inner"),
            event("B", 2, "other", tid=2),
            event("E", 4),
            event("E", 9),
            event("E", 10, tid=2),
        ]
    )
    assert slices_of(capture) == [
        ("thread 1", "outer", 0.0, 9.0),
        ("thread 1", "inner", 1.0, 3.0),
        ("thread 2", "other", 2.0, 8.0),
    ]


def test_async_events_are_paired_by_category_and_id() -> None:
    capture = opened(
        [
            event("b", 0, "load", cat="io", id="0x1"),
            event("b", 1, "load", cat="io", id="0x2"),
            event("e", 5, "load", cat="io", id="0x1"),
            event("e", 7, "load", cat="io", id="0x2"),
        ]
    )
    assert slices_of(capture) == [("load", "load", 0.0, 5.0), ("load", "load", 1.0, 6.0)]


@pytest.mark.parametrize(
    ("written", "picoseconds"),
    [
        ("1.5", 1_500_000),
        ('"1.5"', 1_500_000),
        ("15e-1", 1_500_000),
        ("1.0000005", 1_000_001),
        ("-3.25", -3_250_000),
        ("1700000000000000.123456", 1_700_000_000_000_000_123_456),
    ],
)
def test_times_are_whole_picoseconds(written: str, picoseconds: int) -> None:
    """Of times since the epoch doubles keep a quarter of a microsecond only."""
    first = '{"ph": "X", "pid": 1, "tid": 1, "dur": 0.000001, "name": "a", "ts": '
    later = picoseconds // 10**6 + 2
    capture = opened(f"[{first}{written}}}, {first}{later}}}]")
    begin, end = capture.events.start_ps.tolist()
    assert end - begin == later * 10**6 - picoseconds
    assert capture.events.duration_ps.tolist() == [1, 1]


def test_text_that_is_no_json_is_repaired_and_counted() -> None:
    """Paths of Windows, raw line breaks, lone surrogates, NaN: of each the event is kept."""
    bad = [
        '{"ph":"X","pid":1,"tid":1,"ts":1,"dur":1,"name":"C:\\dir\\x"}',
        '{"ph":"X","pid":1,"tid":1,"ts":2,"dur":1,"name":"two\nlines"}',
        '{"ph":"X","pid":1,"tid":1,"ts":3,"dur":1,"name":"half \\ud83d"}',
        '{"ph":"X","pid":1,"tid":1,"ts":4,"dur":1,"name":"nan","args":{"v":NaN,"w":1}}',
        "nonsense",
    ]
    capture = opened("[" + ",".join([WHOLE, *bad]) + "]")
    assert names(capture) == ["C:\\dir\\x", "two\nlines", "half \ufffd", "nan", "a"]
    assert capture.quality.dropped == {"not_json_object": 1}
    assert capture.quality.warnings[0] == message("json_repaired", n=4)


def test_args_are_stats() -> None:
    args = {"i": 7, "big": 1 << 63, "f": 0.5, "t": "text", "yes": True, "list": [1, 2], "none": None}
    capture = opened([event("X", 0, "a", dur=1, args=args)])
    assert capture.event_values(0) == [
        ("i", 7),
        ("big", 1 << 63),
        ("f", 0.5),
        ("t", "text"),
        ("yes", 1),
        ("list", "[1,2]"),
        ("none", ""),
    ]


def test_processes_and_threads_are_named_and_in_their_order() -> None:
    meta = [
        event("M", 0, "process_name", args={"name": "second"}),
        event("M", 0, "process_sort_index", args={"sort_index": 9}),
        event("M", 0, "process_name", pid=2, args={"name": "first"}),
        event("M", 0, "thread_name", args={"name": "loader"}),
    ]
    capture = opened([*meta, event("X", 0, "a", dur=1), event("X", 0, "b", pid=2, dur=1)])
    assert capture.strings.texts(capture.planes.name) == ["first", "second"]
    assert slices_of(capture) == [("thread 1", "b", 0.0, 1.0), ("loader", "a", 0.0, 1.0)]


@pytest.mark.parametrize(("days", "shown"), [(49, ["a", "a", "b"]), (51, ["a", "a"])])
def test_a_time_fifty_days_from_all_others_is_none(days: int, shown: list[str]) -> None:
    capture = opened([event("X", i, "a", dur=1) for i in range(2)] + [event("X", days * 86_400e6, "b", dur=1)])
    assert names(capture) == shown
    assert capture.quality.dropped == ({"time_not_representable": 1} if "b" not in shown else {})


@pytest.mark.parametrize(("ts", "start_ns"), [(99 * 10**13, None), (101 * 10**13, 101 * 10**16)])
def test_from_when_on_times_count_from_the_epoch(ts: int, start_ns: int | None) -> None:
    assert opened([event("X", ts, "a", dur=1)]).start_ns == start_ns


@pytest.mark.parametrize("ts", ["1e400", "1e999999", "1e9999999", "1e99999999999999999999", '"nan"', '"-inf"', "-1e18"])
def test_a_time_beyond_all_times_is_none(ts: str) -> None:
    capture = opened(f'[{WHOLE}, {{"ph": "X", "ts": {ts}, "dur": 1, "name": "b"}}]')
    assert (names(capture), capture.quality.dropped) == (["a"], {"no_time": 1})


@pytest.mark.parametrize("number", [str(1 << 63), "-" + "9" * 400])
def test_a_number_of_a_files_own_that_no_column_holds_is_a_double(number: str) -> None:
    capture = opened(f'{{"schemaVersion": 1, "record_shapes": {number}, "traceEvents": [{WHOLE}]}}')
    assert isinstance(capture.plane_values(0)["record_shapes"], float)


def test_of_two_times_too_far_apart_the_first_is_one() -> None:
    capture = opened([event("X", 1e15, "late", dur=1), event("X", 0, "early", dur=1)])
    assert (names(capture), sum(capture.quality.dropped.values())) == (["early"], 1)


def test_json_that_is_no_trace_is_refused_with_its_members() -> None:
    with pytest.raises(UnreadableError, match=r"JSON without a list `traceEvents`: its members are nodes, schema"):
        read_bytes(b'{"nodes": [], "schema": "1"}', "et.pt.trace.json")


def test_arrows_lead_from_the_slice_around_them_to_the_slice_around_their_head() -> None:
    """The innermost one; an end that lies on no slice leads nowhere, and is counted."""
    capture = opened(
        [
            event("X", 0, "outer", dur=10),
            event("X", 2, "inner", dur=3),
            event("X", 20, "target", dur=5, tid=2),
            event("s", 3, "arrow", cat="flow", id=7),
            event("f", 21, "arrow", cat="flow", id=7, tid=2, bp="e"),
            event("s", 15, "lost", cat="flow", id=8),
            event("f", 21, "lost", cat="flow", id=8, tid=2, bp="e"),
        ]
    )
    assert {capture.event_name(i): capture.event_values(i) for i in range(3)} == {
        "outer": [],
        "inner": [("_p", 1), ("_pt", 0)],
        "target": [("_c", 1), ("_ct", 0)],
    }
    assert capture.quality.warnings == (message("arrows_lost", n=2, all=4),)


@pytest.mark.parametrize(
    ("first", "second", "processes", "slices"),
    [
        ({"id": 1}, {"id": 1}, (1, 2, 1, 2), ["0-5", "1-8"]),
        ({"id": 1}, {"id": 1}, (1, 1, 2, 2), ["0-8", "1-5"]),
        ({"id2": {"local": 1}}, {"id2": {"local": 1}}, (1, 2, 1, 2), ["0-5", "1-8"]),
        ({"id2": {"global": 1}}, {"id2": {"global": 1}}, (1, 2, 1, 2), ["0-8", "1-5"]),
        ({"id": 1, "scope": "s"}, {"id": 1, "scope": "t"}, (1, 1, 1, 1), ["0-5", "1-8"]),
        ({"id": 1, "scope": "s"}, {"id": 1, "scope": "s"}, (1, 1, 1, 1), ["0-8", "1-5"]),
    ],
    ids=["each_its_own", "from_one_to_the_other", "local", "global", "two_scopes", "one_scope"],
)
def test_whose_an_id_is(first: dict[str, Any], second: dict[str, Any], processes: Any, slices: list[str]) -> None:
    """Two loads begin at 0 and 1, and end at 5 and 8. Of one thing the load that began last ends first."""
    when = zip("bbee", (0, 1, 5, 8), (first, second, first, second), processes, strict=True)
    found = opened([event(ph, ts, "load", cat="io", pid=pid, **ids) for ph, ts, ids, pid in when])
    assert sorted(f"{at:g}-{at + size:g}" for _, _, at, size in slices_of(found)) == slices


#: SenderB → Blergh, and SenderA → OtherSlice → SomeSlice, by events; the last `f` lies before what it means.
BY_EVENTS = [
    event("X", 3002, "SenderA", dur=10, tid=1),
    event("s", 3002, cat="ipc", id="0x402", tid=1),
    event("X", 0, "SenderB", dur=10, tid=2),
    event("s", 1, cat="ipc", id="0x403", tid=2),
    event("f", 1001, cat="ipc", id="0x403", tid=3),
    event("X", 1001, "Blergh", dur=100, tid=3),
    event("X", 3200, "OtherSlice", dur=500, tid=4),
    event("t", 3220, cat="ipc", id="0x402", tid=4),
    event("X", 3300, "Around", dur=50, tid=5),
    event("f", 3330, cat="ipc", id="0x402", tid=5),
    event("X", 3331, "SomeSlice", dur=400, tid=5),
]
#: The same by flags of slices; what went on under an id may end twice.
BY_FLAGS = [
    event("X", 3002, "SenderA", dur=10, tid=1, bind_id="0x402", flow_out=True),
    event("X", 0, "SenderB", dur=10, tid=2, bind_id="0x403", flow_out=True, flow_in=False),
    event("X", 1001, "Blergh", dur=100, tid=3, bind_id="0x403", flow_in=True),
    event("X", 3200, "OtherSlice", dur=500, tid=4, bind_id="0x402", flow_in=True, flow_out=True),
    event("X", 3331, "SomeSlice", dur=400, tid=5, bind_id="0x402", flow_in=True),
    event("B", 3333, "Another", tid=3, bind_id="0x402", flow_in=True),
    event("E", 4330, "Another", tid=3),
]
BOTH = ["OtherSlice → SomeSlice", "SenderA → OtherSlice", "SenderB → Blergh"]


@pytest.mark.parametrize(
    ("events", "led"),
    [(BY_EVENTS, BOTH), (BY_FLAGS, sorted([*BOTH, "OtherSlice → Another"]))],
    ids=["events", "flags"],
)
def test_arrows_by_events_and_by_flags_of_slices(events: list[dict[str, Any]], led: list[str]) -> None:
    capture = opened(events)
    values = {capture.event_name(i): dict(capture.event_values(i)) for i in range(len(capture.events))}
    producers = {said["_p"]: name for name, said in values.items() if "_p" in said}
    assert sorted(f"{producers[said['_c']]} → {name}" for name, said in values.items() if "_c" in said) == led
    assert not capture.quality.warnings


def test_arrows_of_many_threads_over_hours() -> None:
    """A number for thread and picosecond took more than 64 bits: all of them were lost."""
    events = []
    for tid in range(600):
        events += [event("X", tid, "from", dur=1, tid=tid), event("s", tid, cat="flow", id=tid, tid=tid)]
        events += [
            event("X", 9e9 + tid, "to", dur=1, tid=tid),
            event("f", 9e9 + tid, bp="e", cat="flow", id=tid, tid=tid),
        ]
    capture = opened(events)
    led = [capture.event_name(i) for i in range(len(capture.events)) if dict(capture.event_values(i)).get("_c")]
    assert (led, capture.quality.warnings) == (["to"] * 600, ())


@pytest.mark.parametrize(
    ("more", "target"),
    [({"bp": "e"}, "around"), ({}, "next"), ({"bp": "x"}, "next"), ({"cat": "input,x"}, "around")],
    ids=["bp", "none", "other", "category"],
)
def test_an_arrow_ends_on_the_slice_around_it_or_the_next(more: dict[str, Any], target: str) -> None:
    cat = {"cat": more.get("cat", "flow")}
    capture = opened(
        [
            event("X", 0, "from", dur=5),
            event("s", 1, id=1, **cat),
            event("X", 10, "around", dur=50, tid=2),
            event("f", 20, id=1, tid=2, **cat, **{k: v for k, v in more.items() if k != "cat"}),
            event("X", 30, "next", dur=5, tid=2),
        ]
    )
    assert [capture.event_name(i) for i in range(3) if "_c" in dict(capture.event_values(i))] == [target]


def test_what_has_a_time_but_no_phase_is_counted() -> None:
    capture = opened([event("X", 0, "a", dur=1), {"name": "b", "ts": 5, "dur": 1}, {}])
    assert names(capture) == ["a"]
    assert capture.quality.dropped == {"no_phase": 1}


@pytest.mark.parametrize(("inside", "led"), [(64, ["around"]), (65, [])])
def test_an_arrow_s_slice_is_looked_for_64_slices_back(inside: int, led: list[str]) -> None:
    capture = opened(
        [
            event("X", 0, "around", dur=1000),
            *[event("X", i, "inside", dur=0.5) for i in range(1, inside + 1)],
            event("s", 500, id=1, cat="flow"),
            event("X", 600, "to", dur=9, tid=2),
            event("f", 601, id=1, cat="flow", tid=2, bp="e"),
        ]
    )
    assert [name for i, name in enumerate(names(capture)) if "_p" in dict(capture.event_values(i))] == led
