"""The trace of odd captures in a real browser: very many, very deep, very long, very short, hostile, nothing."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.build_capture import Space
from tests.conftest import slow_but
from tests.integration._board import Board, tensorboard
from tests.integration._browser import CHROMIUM, FLAGS, Tab, tab_of
from tests.integration.test_tensorboard import put

#: Ten minutes in picoseconds, and their middle.
LONG = 600 * 10**12
MIDDLE = LONG // 2
PWN = "<img src=x onerror=top.hacked=1>"
NAMES = (
    PWN,
    f"\"'></canvas>{PWN}",
    "שלום עולם",
    "\u202eesrever",
    "👩‍💻🚀",
    "e\u0301" * 50,
    "x" * 100_000,
    "\x00\n\t",
    "",
)
#: From the canvas's top to the first track's first lane, below the ruler and its group's line, and of a lane; px.
TOP, LANE = 51, 18


def one_start() -> Space:
    """Slices of 1 ps to 100 s that lie in each other and all begin at one time, the middle of ten minutes.

    The page's axis ends 1 ps after the last event.
    """
    space = Space()
    line = space.plane("/host:CPU").line(1, "main")
    line.event("whole", 0, LONG - 1)
    for power in range(14, -1, -1):
        line.event(f"1e{power}", MIDDLE, 10**power)
    return space


def many_tracks() -> Space:
    space = Space()
    plane = space.plane("/host:CPU")
    for i in range(100_000):
        plane.line(i + 1, f"thread {i}").event("e", i, 50_000)
    return space


def deep() -> Space:
    space = Space()
    line = space.plane("/host:CPU").line(1, "main")
    for i in range(500):
        line.event(f"f{i}", i * 1000, 10**6 - 2000 * i)
    return space


def overlapping() -> Space:
    """Instants, several at one time, and slices that overlap without lying in each other."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "main")
    for i in range(20):
        line.event(f"a{i}", 100 * i, 250).event("instant", 100 * i, 0).event("instant", 100 * i, 0)
    return space


def named() -> Space:
    space = Space()
    for plane in ("/host:CPU", f"/device:GPU:0 {PWN}"):
        for i, name in enumerate(NAMES):
            space.plane(plane).line(i + 1, name).event(
                name, i * 1000, 900, {name[:300]: name, "tf_op": f"{name}:{PWN}"}
            )
    return space


def nothing() -> Space:
    space = Space()
    space.plane("/host:CPU").line(1, "main")
    return space


MADE = {
    "one_start": one_start,
    "many_tracks": many_tracks,
    "deep": deep,
    "overlapping": overlapping,
    "named": named,
    "nothing": nothing,
}


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("odd")
    for name, make in MADE.items():
        put(folder / name / "plugins" / "profile" / "s" / "h.xplane.pb", make())
    with tensorboard(folder / "log", "--logdir", str(folder)) as board:
        board.runs(len(MADE))
        yield board


#: PNG as base64 → of each of some rows the runs of one colour, [begin, end, colour], that are not grey.
ROWS = """async ([png, rows]) => {
  const bytes = Uint8Array.from(atob(png), c => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const copy = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(image, 0, 0);
  return rows.map(y => {
    const row = new Uint32Array(copy.getImageData(0, y, image.width, 1).data.buffer);
    const begins = [...row.keys()].filter(x => !x || row[x] !== row[x - 1]);
    const runs = begins.map((x, i) => [x, begins[i + 1] ?? row.length, row[x]]);
    const rgb = colour => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
    return runs.filter(([, , colour]) => Math.max(...rgb(colour)) - Math.min(...rgb(colour)) > 12);
  });
}"""
Row: TypeAlias = list[tuple[int, int, int]]


def canvas(tab: Tab) -> Locator:
    return tab.inside.locator(".trace-canvas")


def picture(tab: Tab) -> bytes:
    """What is on the screen where the canvas is, with the pointer elsewhere, once nothing moves any more."""
    tab.page.mouse.move(1, 1)
    tab.settle()
    before = b""
    while (now := canvas(tab).screenshot()) != before:
        before = now
        tab.page.wait_for_timeout(250)
    return now


def lanes(tab: Tab, image: bytes, count: int) -> list[Row]:
    """The second row of pixels of the first track's lanes, where no text is."""
    rows = [TOP + lane * LANE + 1 for lane in range(count)]
    found: list[Row] = tab.page.evaluate(ROWS, [base64.b64encode(image).decode(), rows])
    return found


def at(tab: Tab, x: float, y: float) -> tuple[float, float]:
    """A place of the canvas on the page."""
    box = canvas(tab).bounding_box()
    assert box
    return box["x"] + x, box["y"] + y


def zoom(tab: Tab, x: float, wheel: float) -> None:
    """Turns the wheel with Ctrl at some x."""
    tab.page.mouse.move(*at(tab, x, TOP + 200))
    tab.page.keyboard.down("Control")
    tab.page.mouse.wheel(0, wheel)
    tab.page.keyboard.up("Control")


def painter(tab: Tab) -> str | None:
    return canvas(tab).get_attribute("data-painter")


#: No graphics card is asked for here, but WebGL as the processor does it.
WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
#: WebGL on a processor, which the page declines for its slowness, passes for a graphics card.
ACCEPT = """const [get, tell] = [HTMLCanvasElement.prototype.getContext, WebGL2RenderingContext.prototype.getParameter];
HTMLCanvasElement.prototype.getContext = function (kind, options) {
  return get.call(this, kind, kind === "webgl2" ? { ...options, failIfMajorPerformanceCaveat: false } : options);
};
WebGL2RenderingContext.prototype.getParameter = function (name) {
  return name === this.RENDERER || name === 0x9246 ? "a card" : tell.call(this, name);
};"""
MISSING = """const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind.startsWith("webgl") ? null : get.call(this, kind, ...more);
};"""


@pytest.fixture(scope="module")
def webgl(browser: Browser) -> Iterator[Browser]:
    """A browser that has WebGL, by software."""
    flags = [flag for flag in FLAGS if flag != "--disable-gpu"]
    other = browser.browser_type.launch(executable_path=CHROMIUM, args=[*flags, *WEBGL])
    with other.new_page() as page:
        has_webgl = page.evaluate("() => !!document.createElement('canvas').getContext('webgl2')")
    if has_webgl:
        yield other
    other.close()
    if not has_webgl:
        pytest.skip(f"{CHROMIUM} has no WebGL by software")


@contextmanager
def trace_of(browser: Browser, board: Board, name: str, script: str = "", **state: str) -> Iterator[Tab]:
    """The trace of one of the captures; `script` runs before those of the page."""
    shown: dict[str, Any] = {"run": f"{name}/s", "tool": "trace_viewer", **state}
    with tab_of(browser, board, script=script, **shown) as tab:
        tab.settle()
        expect(canvas(tab)).to_have_attribute("data-painter", re.compile("."))
        yield tab


# Times


@pytest.mark.slow
@pytest.mark.parametrize("drawn", ["raster", "webgl"])
def test_zooming_from_ten_minutes_to_a_picosecond_and_back_moves_no_edge(
    browser: Browser, board: Board, drawn: str, request: pytest.FixtureRequest
) -> None:
    """All slices but the outermost begin where the pointer is: there they stay, and with each other, at every zoom."""
    chosen: Browser = request.getfixturevalue("webgl") if drawn == "webgl" else browser
    with trace_of(chosen, board, "one_start", ACCEPT if drawn == "webgl" else "") as tab:
        assert painter(tab) == drawn
        whole = picture(tab)
        box = canvas(tab).bounding_box()
        assert box
        middle = box["width"] / 2
        pictures = [whole]
        for _ in range(6):
            zoom(tab, middle, -2000)
            pictures.append(picture(tab))
        for image in pictures:
            begins = [row[0][0] for row in lanes(tab, image, 16)[1:]]
            assert begins == [begins[0]] * 15
            assert abs(begins[0] - middle) <= 1
        for image in reversed(pictures[:-1]):
            zoom(tab, middle, 2000)
            now = picture(tab)
            assert [row[0][0] for row in lanes(tab, now, 16)[1:]] == [row[0][0] for row in lanes(tab, image, 16)[1:]]
        tab.page.keyboard.press("0")
        assert picture(tab) == whole


@pytest.mark.slow
def test_the_same_place_is_the_same_picture(browser: Browser, board: Board) -> None:
    with trace_of(browser, board, "one_start") as tab:
        places = [(0, LONG), (MIDDLE - 200, MIDDLE + 200), (MIDDLE - 10**6, MIDDLE + 10**7)]
        seen = []
        for start, end in places * 2:
            tab.go(run="one_start/s", tool="trace_viewer", start_ps=str(start), end_ps=str(end))
            tab.page.wait_for_timeout(500)
            seen.append(picture(tab))
        assert seen[:3] == seen[3:]
        assert len(set(seen)) == 3


# Many, deep, over each other


@pytest.mark.slow
def test_a_hundred_thousand_tracks(browser: Browser, board: Board) -> None:
    """The page holds the labels that are seen, and leads to every track."""
    with trace_of(browser, board, "many_tracks") as tab:
        expect(tab.inside.get_by_text("100,000 tracks").first).to_be_visible()
        expect(tab.inside.get_by_text("thread 10", exact=True).first).to_be_visible()
        assert tab.frame.evaluate("document.querySelectorAll('*').length") < 2000
        tab.inside.locator(".trace-filter").fill("thread 99999")
        expect(tab.inside.get_by_text("thread 99999", exact=True).first).to_be_visible()
        (row,) = lanes(tab, picture(tab), 1)
        assert row


def test_five_hundred_deep(browser: Browser, board: Board) -> None:
    """Each slice can be found, and is where it belongs."""
    with trace_of(browser, board, "deep", search="f470", match="exact") as tab:
        expect(tab.inside.get_by_text("1 hit").first).to_be_visible()
        canvas(tab).focus()
        tab.page.keyboard.press("n")
        details = tab.inside.get_by_role("region", name="Selected slice")
        expect(details).to_contain_text("f470")
        for around in ("f469", "f471"):
            tab.page.keyboard.press("ArrowUp" if around == "f469" else "ArrowDown")
            expect(details).to_contain_text(around)
            tab.page.keyboard.press("ArrowDown" if around == "f469" else "ArrowUp")


def test_instants_and_slices_over_each_other_are_all_there(browser: Browser, board: Board) -> None:
    with trace_of(browser, board, "overlapping") as tab:
        # Each slice has the first lane that is free: a0, a3 … lie in one; the fourth lane has instants alone.
        rows = lanes(tab, picture(tab), 5)
        assert [bool(row) for row in rows] == [True] * 4 + [False]
        begins = [run[0] for run in rows[0]]
        assert len(begins) == 7
        assert {after - before for before, after in pairwise(begins)} <= {167, 168, 169}
        details = tab.inside.get_by_role("region", name="Selected slice")
        tab.page.mouse.click(*at(tab, 10, TOP + 8))
        expect(details).to_contain_text("a0")
        tab.page.mouse.click(*at(tab, 1, TOP + LANE + 8))
        expect(details).to_contain_text("instant")


# Names


def test_names_of_all_kinds_are_text(browser: Browser, board: Board) -> None:
    with trace_of(browser, board, "named") as tab:
        details = tab.inside.get_by_role("region", name="Selected slice")
        for i in range(len(NAMES)):
            tab.page.mouse.move(*at(tab, 60 + i * 135, TOP + i * (LANE + 6) + 8))
            tab.page.mouse.down()
            tab.page.mouse.up()
            expect(details).to_be_visible()
        assert tab.inside.locator("img, iframe, main script").count() == 0
        assert tab.page.evaluate("() => window.hacked") is None
        assert tab.frame.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_long_and_foreign_names_are_found(browser: Browser, board: Board) -> None:
    with trace_of(browser, board, "named") as tab:
        box = tab.inside.get_by_role("search").get_by_role("searchbox")
        for text in ("x" * 300, "עולם", "👩‍💻", "<img"):
            box.fill(text)
            expect(tab.inside.get_by_text(re.compile(r"\b(2|4) hits")).first).to_be_visible()


# Drawing


def test_without_webgl_all_is_drawn(browser: Browser, board: Board) -> None:
    with trace_of(browser, board, "overlapping") as tab, trace_of(browser, board, "overlapping", MISSING) as other:
        assert painter(other) == "raster"
        assert picture(other) == picture(tab)


@pytest.mark.parametrize("name", slow_but(("deep",), ("one_start", "deep", "overlapping")))
def test_webgl_fills_the_same_pixels(browser: Browser, webgl: Browser, board: Board, name: str) -> None:
    with trace_of(browser, board, name) as tab, trace_of(webgl, board, name, ACCEPT) as other:
        assert (painter(tab), painter(other)) == ("raster", "webgl")
        ours, theirs = lanes(tab, picture(tab), 20), lanes(other, picture(other), 20)
        assert theirs == ours


def test_a_lost_context_is_drawn_without_and_taken_back(webgl: Browser, board: Board) -> None:
    with trace_of(webgl, board, "overlapping", ACCEPT) as tab:
        before = lanes(tab, picture(tab), 20)
        tab.frame.evaluate(
            "() => { const gl = document.querySelector('.trace-picture').getContext('webgl2');"
            "window.lost = gl.getExtension('WEBGL_lose_context'); window.lost.loseContext(); }"
        )
        expect(canvas(tab)).to_have_attribute("data-painter", "raster")
        assert lanes(tab, picture(tab), 20) == before
        tab.frame.evaluate("() => window.lost.restoreContext()")
        expect(canvas(tab)).to_have_attribute("data-painter", "webgl")
        assert lanes(tab, picture(tab), 20) == before


def test_a_capture_of_nothing_says_so(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="nothing/s", tool="trace_viewer") as tab:
        tab.settle()
        expect(tab.inside.get_by_role("heading", name="Trace: nothing to show")).to_be_visible()
