"""A TensorBoard on a large capture, asked as the trace's page asks it → times and sizes of what it answers."""

from __future__ import annotations

import gzip
import io
import math
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from tests.columns import read_columns

from .board import PLUGIN, Board, board, newest_run
from .report import MB, spread, tell

#: Pixels of a view; as the page has it: the part asked for beyond each side, and what windows are multiples of.
VIEW_PX, MARGIN, GRID = 1500, 0.5, 256
#: What is searched for among all names: much, little, nothing, in each way.
SEARCHES = (
    {"search": "softmax"},
    {"search": "block_1", "in": "names"},
    {"search": "no such name"},
    {"search": "train", "match": "exact"},
    {"search": "^void .*kernel", "match": "regex"},
)
#: Answers of a large export, and of an area, take long on a small machine.
PATIENCE_S = 600.0


@dataclass
class Timed:
    """Seconds and bytes over the wire of each answer."""

    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def add(self, seconds: float, body: bytes) -> None:
        self.seconds.append(seconds)
        self.sizes.append(len(body))

    @property
    def ms(self) -> list[float]:
        return [1e3 * each for each in self.seconds]

    @property
    def kb(self) -> list[float]:
        return [each / 1e3 for each in self.sizes]


@dataclass(frozen=True)
class Export:
    seconds: float
    sent: int
    text: int
    events: int


@dataclass(frozen=True)
class Trace:
    """first_s: the first screen of a TensorBoard that has just started, with nothing cached. whole_area_s: of all."""

    first_s: float
    first_bytes: int
    windows: Timed
    searches: Timed
    args_s: float
    events: Timed
    areas: Timed
    whole_area_s: float
    export: Export | None
    peak_bytes: int


@dataclass(frozen=True)
class Page:
    """Asks one TensorBoard for one run's trace."""

    running: Board
    run: str

    def ask(self, **options: int | str) -> tuple[float, bytes]:
        query = urlencode({"run": self.run, "tool": "trace_viewer", **options})
        began = time.perf_counter()
        body = self.running.get(f"{PLUGIN}data?{query}")
        return time.perf_counter() - began, body

    def export(self) -> Export:
        began = time.perf_counter()
        body = self.running.get(f"{PLUGIN}trace?{urlencode({'run': self.run})}", PATIENCE_S)
        seconds = time.perf_counter() - began
        size = events = 0
        with gzip.open(io.BytesIO(body)) as text:
            while chunk := text.read(1 << 24):
                size += len(chunk)
                events += chunk.count(b'"ph":"X"') + chunk.count(b'"ph":"i"')
        return Export(seconds, len(body), size, events)


def trace_of(logdir: Path, count: int, export: bool = True, seed: int = 7) -> Trace:
    """Windows of any place and, evenly over magnitudes, any length, each as the page would ask for it."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as cache, board(logdir, True, {"XDG_CACHE_HOME": cache}) as running:
        page = Page(running, newest_run(running))
        first_s, first = page.ask(width=VIEW_PX, format="columns")
        summary = read_columns(gzip.decompress(first))["summary"]
        begin, end, tracks = summary["span_start_ps"], summary["span_end_ps"], summary["track_count"]
        windows, searches, events, areas = Timed(), Timed(), Timed(), Timed()
        for _ in range(count):
            length = max(1, int((end - begin) * 10 ** chance.uniform(-6, 0)))
            start = chance.randint(begin, end - length)
            options = window(start, start + length, begin, end)
            windows.add(*page.ask(**options, tracks=f"0-{tracks - 1}", format="columns"))
        for _ in range(3):
            for asked in SEARCHES:
                searches.add(*page.ask(**asked))
        args_s, _ = page.ask(search="grid:7,", **{"in": "args"})
        for _ in range(20):
            events.add(*page.ask(event=chance.randrange(summary["event_count"])))
            start = chance.randint(begin, end - (end - begin) // 1000)
            areas.add(*page.ask(area="true", start_ps=start, end_ps=start + (end - begin) // 1000))
        whole_area_s, _ = page.ask(area="true")
        exported = page.export() if export else None
    return Trace(
        first_s, len(first), windows, searches, args_s, events, areas, whole_area_s, exported, running.peak_bytes
    )


def window(start: int, end: int, first: int, last: int) -> dict[str, int]:
    """What the page asks for a view that nothing is known of: somewhat more, on a grid, at most a pixel fine."""
    resolution = 1 << int(math.log2(max(1, (end - start) // VIEW_PX)))
    margin, grid = int(MARGIN * (end - start)), GRID * resolution
    low = max((start - margin) // grid * grid, first)
    high = max(min(-(-(end + margin) // grid) * grid, last), low + 1)
    return {"start_ps": low, "end_ps": high, "width": max(1, min(8192, (high - low) // resolution))}


def trace_rows(logdir: Path, count: int, export: bool = True) -> Iterator[list[str]]:
    """A row a figure: what, measured, what it is to be."""
    tell(f"the trace of {logdir.name}")
    found = trace_of(logdir, count, export)
    yield ["first screen over HTTP, new TensorBoard", f"{found.first_s:.2f} s, {found.first_bytes / 1e3:.0f} kB", ""]
    words = f"another window ({count}, as the page asks, binary), p50 / p95 / largest"
    yield [words, spread(found.windows.ms, "ms"), "p95 ≤ 50 ms"]
    yield ["its size over the wire, p50 / p95 / largest", spread(found.windows.kb, "kB"), "≤ 300 kB"]
    yield ["search over all names, p50 / p95 / largest", spread(found.searches.ms, "ms"), "≤ 200 ms"]
    yield ["search over all args", f"{1e3 * found.args_s:.0f} ms", ""]
    yield ["one event with links and stack, p50 / p95 / largest", spread(found.events.ms, "ms"), ""]
    yield ["an area of 1/1000 of the time, p50 / p95 / largest", spread(found.areas.ms, "ms"), ""]
    yield ["the whole as an area", f"{found.whole_area_s:.2f} s", ""]
    if found.export:
        yield from export_rows(found.export)
    yield ["peak memory of TensorBoard with all this", f"{found.peak_bytes / MB:.0f} MB", ""]


def export_rows(export: Export) -> Iterator[list[str]]:
    speed = (
        f"{export.events / export.seconds / 1e3:,.0f} thousand events/s, {export.text / export.seconds / MB:.0f} MB/s"
    )
    what = f"{export.events:,} events, {export.text / MB:,.0f} MB of JSON, {export.sent / MB:,.0f} MB sent"
    yield [f"the whole as Chrome trace: {what}", f"{export.seconds:.1f} s: {speed}", ""]
