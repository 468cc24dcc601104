"""Many lines of few events, which are decoded together: what each says stays its own."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.xplane import layout
from tensorboard_perfplugin.messages import message
from tests.build_capture import Space
from tests.decode.both import events, read_both


@pytest.mark.parametrize("lot_bytes", [0, 100, 1 << 20])
def test_each_has_its_own_clock_and_texts(lot_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if decode.COMPILED:
        monkeypatch.setattr("tensorboard_perfplugin.decode.xplane.fast.CompiledDecoder.lot_bytes", lot_bytes)
    space = Space()
    for p in range(3):
        plane = space.plane(f"/device:GPU:{p}")
        for i in range(20):
            line = plane.line(i % 15, f"Stream {i}", timestamp_ns=i)
            line.event(f"k{p}", 5, 1, [("text", f"t{i % 4}"), ("blob", b"%d" % (i % 3))])
            line.event("many", None, 1, {"text": "sum"}, occurrences=i)
    capture = read_both(space)
    lines = [i for track in range(15) for i in range(track, 20, 15)]
    assert events(capture) == [
        (f"Stream {i % 15}", f"k{p}", 1000 * i + 5, 1, [("text", f"t{i % 4}"), ("blob", b"%d" % (i % 3))])
        for p in range(3)
        for i in lines
    ]
    assert capture.aggregates.occurrences.tolist() == [max(i, 1) for i in lines] * 3


@pytest.mark.parametrize("sorted_events", [1, 7, 1 << 16])
def test_some_are_not_in_order(sorted_events: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "SORTED_EVENTS", sorted_events)
    space = Space()
    plane = space.plane("/host:CPU")
    for i in range(20):
        line = plane.line(i)
        for start in (3, 1, 2) if i % 5 < 3 else (1, 2, 3):
            line.event(f"{i}:{start}", start, 1)
    found = [(name, start) for _, name, start, _, _ in events(read_both(space))]
    assert found == [(f"{i}:{start}", start) for i in range(20) for start in (1, 2, 3)]


def test_the_first_damages_are_named() -> None:
    """Lines of one id are read together, wherever they are in the file; what is named of their damages is not."""
    space = Space()
    plane = space.plane("/host:CPU")
    for i in range(60):
        plane.line(i % 2).event("ok", i, 1).event("bad", 1, 1, extra=b"\x07")
    warnings = read_both(space).quality.warnings
    named = [int(str(w.params["at"])) for w in warnings if w.code == "xplane_event_damaged"]
    assert len(named) == 20
    assert max(named) < len(space.bytes()) // 2
    assert message("xplane_more_damage", n=40) in warnings


def test_one_holds_an_event_out_of_range() -> None:
    space = Space()
    plane = space.plane("/host:CPU")
    plane.line(1).event("a", 1, 1).event("far", 1 << 62, 1, {"k": 1}).event("b", 2, 1)
    plane.line(2).event("c", 3, 1, {"k": 2})
    capture = read_both(space)
    assert [row[1] for row in events(capture)] == ["a", "b", "c"]
    assert capture.quality.dropped == {"time_not_representable": 1}
