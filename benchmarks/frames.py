"""`python -m benchmarks.frames`: a real Chromium pans and zooms across large traces; work a frame, heap, bytes.

Two captures: that of 11 million events, and one of which more than 100,000 slices are on the screen at once. Own work
of a frame is the time of all JavaScript in its animation callbacks; what the browser does to show the picture comes on
top, and is in the time from frame to frame. Without `--card` nothing here uses a graphics card: WebGL would be computed
by the processor, which the page declines, so that it draws in memory.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, sync_playwright

from tests.build_capture import Space
from tests.integration._board import Board, tensorboard
from tests.integration._browser import CHROMIUM, FLAGS, Tab, open_tab

from .report import MB, spread, table, tell
from .run import made_capture
from .trace import window

#: A large screen; what is left of it for the tracks is about 2,300 × 1,280 pixels.
SIZE = (2560, 1440)
#: The dense capture: tracks of two lanes, each lane with so many slices side by side.
TRACKS, DEPTH, SLICES = 28, 2, 2000
#: Notes for each frame what its animation callbacks took, and when it was.
NOTE = """{
  const [raf, note] = [requestAnimationFrame, { work: [], at: [] }];
  window.noted = note;
  window.requestAnimationFrame = call => raf(now => {
    const began = performance.now();
    call(now);
    const took = performance.now() - began;
    if (note.at[note.at.length - 1] === now) note.work[note.work.length - 1] += took;
    else { note.at.push(now); note.work.push(took); }
  });
}"""
TAKEN = "() => { const { work, at } = window.noted; window.noted.work = []; window.noted.at = []; return [work, at]; }"


@dataclass(frozen=True)
class Frames:
    """In ms: own work of each frame, and the time since the frame before where something moved in both."""

    work: list[float]
    apart: list[float]
    script_ms: float


@dataclass
class Watched:
    """A tab, the browser's own figures of it, and what came over the wire since it was opened."""

    tab: Tab
    cdp: CDPSession
    received: int = 0
    answers: int = 0

    def metric(self, name: str) -> float:
        found = self.cdp.send("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in found if each["name"] == name))

    def heap(self) -> float:
        """MB of what is reachable, arrays' contents too, of TensorBoard's page and ours."""
        for _ in range(2):
            self.cdp.send("HeapProfiler.collectGarbage")
        usage = self.cdp.send("Runtime.getHeapUsage")
        return float(usage["usedSize"] + usage.get("backingStorageSize", 0)) / MB

    def frames(self, move: Callable[[], None]) -> Frames:
        """What moving took."""
        self.tab.frame.evaluate(TAKEN)
        before = self.metric("ScriptDuration")
        move()
        script_ms = 1e3 * (self.metric("ScriptDuration") - before)
        work, at = self.tab.frame.evaluate(TAKEN)
        # Between two motions nothing is drawn.
        apart = [b - a for a, b in pairwise(at) if b - a < 250]
        return Frames(work, apart, script_ms)


@contextmanager
def watched(browser: Browser, board: Board) -> Iterator[Watched]:
    """The trace of the board's only run, on its first screen."""
    run = board.runs()[0]["name"]
    tab = open_tab(browser, board, {"run": run, "tool": "trace_viewer"}, size=SIZE, script=NOTE)
    tab.page.context.set_default_timeout(300_000)
    cdp = tab.page.context.new_cdp_session(tab.page)
    for domain in ("Performance", "HeapProfiler", "Network"):
        cdp.send(f"{domain}.enable")
    found = Watched(tab, cdp)
    asked: set[str] = set()

    def sent(event: dict[str, Any]) -> None:
        if "/perfplugin/data" in event["request"]["url"]:
            asked.add(event["requestId"])

    def came(event: dict[str, Any]) -> None:
        if event["requestId"] in asked:
            found.received += int(event["encodedDataLength"])
            found.answers += 1

    cdp.on("Network.requestWillBeSent", sent)
    cdp.on("Network.loadingFinished", came)
    tab.page.reload()
    tab.inside.locator(".trace-canvas").wait_for()
    tab.settle()
    tab.page.wait_for_timeout(2000)
    yield found
    tab.page.context.close()


@contextmanager
def trace_page(browser: Browser, logdir: Path) -> Iterator[tuple[Board, Watched]]:
    with tempfile.TemporaryDirectory() as folder:
        started = tensorboard(Path(folder) / "log", "--logdir", str(logdir))
        with started as board, watched(browser, board) as seen:
            yield board, seen


class Hand:
    """Moves the view as people do, at random but the same each time."""

    def __init__(self, tab: Tab, seed: int = 7) -> None:
        self.tab, self.chance = tab, random.Random(seed)
        box = tab.inside.locator(".trace-canvas").bounding_box()
        assert box
        self.box = box

    def place(self) -> tuple[float, float]:
        x = self.box["x"] + self.box["width"] * self.chance.uniform(0.1, 0.9)
        return x, self.box["y"] + self.box["height"] * self.chance.uniform(0.3, 0.7)

    def hold(self, key: str, seconds: float) -> None:
        self.tab.page.mouse.move(*self.place())
        self.tab.page.keyboard.down(key)
        self.tab.page.wait_for_timeout(1e3 * seconds)
        self.tab.page.keyboard.up(key)

    def wheel(self, turns: int, by: float) -> None:
        self.tab.page.mouse.move(*self.place())
        self.tab.page.keyboard.down("Control")
        for _ in range(turns):
            self.tab.page.mouse.wheel(0, by)
            self.tab.page.wait_for_timeout(16)
        self.tab.page.keyboard.up("Control")

    def drag(self) -> None:
        x, y = self.place()
        self.tab.page.mouse.move(x, y)
        self.tab.page.mouse.down()
        self.tab.page.mouse.move(x + self.chance.uniform(-800, 800), y, steps=30)
        self.tab.page.mouse.up()

    def whole(self) -> None:
        self.tab.page.keyboard.press("0")
        self.tab.page.wait_for_timeout(400)

    def across(self, seconds: float) -> None:
        """All magnitudes of a large trace, again and again."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.whole()
            for _ in range(self.chance.randint(1, 4)):
                self.hold("w", self.chance.uniform(0.3, 1.2))
                self.hold(self.chance.choice("ad"), self.chance.uniform(0.3, 1.0))
                self.wheel(10, self.chance.choice([-60, 40]))
                self.drag()
            self.hold("s", self.chance.uniform(0.5, 1.5))

    def about(self, seconds: float) -> None:
        """Never far from the whole, where most is on the screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.whole()
            self.wheel(6, -15)
            self.hold(self.chance.choice("ad"), 0.4)
            self.drag()
            self.wheel(6, 15)


def dense() -> bytes:
    """So many slices side by side that each is but a pixel or two wide on a large screen."""
    space = Space()
    plane = space.plane("/host:CPU")
    chance = random.Random(7)
    for track in range(TRACKS):
        line = plane.line(track + 1, f"thread {track:02d}")
        for i in range(SLICES):
            for depth in range(DEPTH):
                line.event(f"op {chance.randrange(200)}", i * 10**6 + depth, 10**6 - 2 * depth - 1)
    return space.bytes()


def on_screen(board: Board) -> int:
    """Slices of the whole at the width of the screen, of all tracks, asked for a few tracks at a time."""
    run = board.runs()[0]["name"]
    summary = board.ask("data", run=run, tool="trace_viewer", tracks_from="0")["summary"]
    start, end = summary["span_start_ps"], summary["span_end_ps"]
    options = {name: str(value) for name, value in window(start, end, start, end).items()}
    found = 0
    for track in range(0, summary["track_count"], 4):
        tracks = f"{track}-{track + 3}"
        answer = board.ask("data", run=run, tool="trace_viewer", tracks=tracks, **options)
        found += len(answer["tables"]["slices"]["columns"]["track"])
    return found


def frame_rows(frames: Frames) -> Iterator[list[str]]:
    yield [
        f"own work a frame ({len(frames.work)} frames), p50 / p95 / largest",
        spread(frames.work, "ms"),
        "p50 ≤ 16.7 ms",
    ]
    yield ["from frame to frame while moving, p50 / p95 / largest", spread(frames.apart, "ms"), ""]
    each = frames.script_ms / max(1, len(frames.work))
    yield ["all script ÷ frames (input, answers, panels too)", f"{each:.1f} ms", ""]


def large_rows(browser: Browser, logdir: Path, seconds: float, minutes: float) -> Iterator[list[str]]:
    tell(f"across {logdir.name} for {seconds:.0f} s")
    with trace_page(browser, logdir) as (_, seen):
        hand, first = Hand(seen.tab), seen.received
        yield ["drawn by", str(seen.tab.inside.locator(".trace-canvas").get_attribute("data-painter")), ""]
        yield ["first screen, over the wire", f"{first / 1e3:.0f} kB", ""]
        yield from frame_rows(seen.frames(lambda: hand.across(seconds)))
        words = f"{(seen.received - first) / MB:.1f} MB in {seen.answers} answers"
        yield [f"over the wire in {seconds:.0f} s", words, ""]
        if minutes:
            yield from heap_rows(seen, hand, minutes)


def heap_rows(seen: Watched, hand: Hand, minutes: float) -> Iterator[list[str]]:
    """Caches fill in the first part; what grows after it is growth."""
    heaps = [seen.heap()]
    for part in range(5):
        tell(f"heap after {minutes * part / 5:.1f} minutes: {heaps[-1]:.0f} MB")
        hand.across(60 * minutes / 5)
        hand.whole()
        heaps.append(seen.heap())
    yield [f"heap after each fifth of {minutes:g} minutes of use", " / ".join(f"{h:.0f}" for h in heaps) + " MB", ""]
    yield ["heap at the end", f"{heaps[-1]:.0f} MB", "≤ 300 MB"]
    yield ["its growth in the last three fifths", f"{heaps[-1] - heaps[2]:+.1f} MB", "none"]


def dense_rows(browser: Browser, seconds: float) -> Iterator[list[str]]:
    tell(f"many slices at once for {seconds:.0f} s")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "logdir" / "plugins" / "profile" / "s" / "h.xplane.pb"
        file.parent.mkdir(parents=True)
        file.write_bytes(dense())
        with trace_page(browser, Path(folder) / "logdir") as (board, seen):
            yield ["slices on the screen at once", f"{on_screen(board):,}", "≥ 100,000"]
            yield from frame_rows(seen.frames(lambda: Hand(seen.tab).about(seconds)))
            yield ["heap with them", f"{seen.heap():.0f} MB", "≤ 300 MB"]


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Frames, heap and bytes of the trace's page in a real Chromium.")
    parser.add_argument("--events", type=int, default=11_000_000, help="of the capture that is made")
    parser.add_argument("--seconds", type=float, default=30, help="of moving in each capture (default: %(default)s)")
    parser.add_argument(
        "--minutes", type=float, default=0, help="of use between the first and the last heap; 0: no heap"
    )
    parser.add_argument("--card", action="store_true", help="let Chromium use a graphics card")
    return parser.parse_args()


def main() -> None:
    args = parsed()
    with tempfile.TemporaryFile() as errors:
        logdir = made_capture(args.events, errors).parents[3]
    flags = [flag for flag in FLAGS if not (args.card and flag == "--disable-gpu")]
    with sync_playwright() as playwright:
        # Rounded heaps and hidden collections would say nothing.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*flags, "--js-flags=--expose-gc"])
        rows = [["many slices at once", "", ""], *dense_rows(browser, args.seconds)]
        rows += [[f"across {args.events:,} events", "", ""], *large_rows(browser, logdir, args.seconds, args.minutes)]
        version = browser.version
        browser.close()
    how = "with its graphics card" if args.card else "no graphics card"
    print(f"Chromium {version}, {SIZE[0]} × {SIZE[1]}, {how}\n")
    print("\n".join(table(["figure", "measured", "at least / at most"], rows)))


if __name__ == "__main__":
    main()
