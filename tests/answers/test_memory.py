"""Runs that are opened one after another: what stays is bounded by what was allowed, whatever was derived of it."""

from __future__ import annotations

import gc
import weakref

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.answers.library import TIMELINE_BYTES, Library
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.tools import find_tool
from tests.build_capture import Space
from tests.conftest import MakeLogdir, slow_but
from tests.web.conftest import Browser

TOOLS = ("overview", "op_stats", "trace_viewer")


def steps(name: str) -> Space:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for i in range(2000):
        line.event(f"{name}{i % 50}", 1000 * i, 900, {"step_num": i})
    return space


@pytest.mark.parametrize(("room", "kept"), slow_but((3.5,), [(1.0, 1), (3.5, 3), (100.0, 12)]))
def test_runs_opened_in_turn(make_logdir: MakeLogdir, room: float, kept: int) -> None:
    """room: how many such captures fit, with all that their pages derive."""
    runs = runs_at(str(make_logdir({f"r{i}/h.xplane.pb": steps(f"{i:02}") for i in range(12)})))
    alive: list[weakref.ref[Capture]] = []

    def read(path: str) -> Capture:
        capture = decode.read(path)
        alive.append(weakref.ref(capture))
        return capture

    def look(library: Library, of: int) -> None:
        for tool in TOOLS:
            library.answer(find_tool(tool), runs[of], None, {})

    one = Library(read=read)
    look(one, 0)
    size = 20_000 + one.use(runs[0].files[0], lambda timeline: timeline.nbytes)
    del one
    gc.collect()
    alive.clear()
    library = Library(int(room * size * 1.05), read=read)
    for i in range(len(runs)):
        look(library, i)
    gc.collect()
    assert sum(each() is not None for each in alive) == kept


def test_a_capture_that_is_larger_than_all_that_may_stay_is_opened(make_logdir: MakeLogdir) -> None:
    (run,) = runs_at(str(make_logdir({"r/h.xplane.pb": steps("op")})))
    assert Library(1).answer(find_tool("overview"), run, None, {}).hosts == ("h",)


@pytest.mark.parametrize(("flags", "expected"), [({}, TIMELINE_BYTES), ({"perfplugin_memory": "1.5GB"}, 1_500_000_000)])
def test_the_operator_says_how_much(
    make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch, flags: dict[str, str], expected: int
) -> None:
    made: list[int] = []
    was = Library.__init__

    def noted(self: Library, *given: object, **more: object) -> None:
        was(self, *given, **more)  # type: ignore[arg-type]
        made.append(self._max_bytes)

    monkeypatch.setattr(Library, "__init__", noted)
    browser = Browser(str(make_logdir({"r/h.xplane.pb": steps("op")})), **flags)
    browser.json("data", {"run": "r", "tool": "overview"})
    assert made[:1] == [expected]
