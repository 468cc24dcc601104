"""`python -m benchmarks.soak`: many clients over all pages of a large capture for some minutes → errors, times, memory.

Clients ask one TensorBoard on the loopback interface as pages do: every tool, ranges, sorted and filtered tables, CSV,
windows of the trace, searches, runs, the bundle. Each waits for its answer before it asks again. What they ask for is
drawn from one seed. It ends by itself, with 1 where an answer failed or memory grew. Linux: memory is read in /proc.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

from .board import PLUGIN, Board, board, newest_run, read
from .report import MB, table, tell
from .run import logdir_of, made_capture
from .trace import VIEW_PX, window

#: Of the 143 MB capture.
EVENTS, CLIENTS, MAX_CLIENTS, MAX_MINUTES = 4_500_000, 64, 256, 60.0
#: From then on memory is expected to stay: a minute, of a short run a third of it.
SETTLED_S, GROWTH = 60.0, 1.2
PATIENCE_S = 300.0
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
KINDS = ("page", "range", "CSV", "window", "search", "runs", "bundle")


@dataclass
class Told:
    """Seconds of each answer by what was asked, what failed, and the memory of TensorBoard over time."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    failed: Counter[str] = field(default_factory=Counter)
    memory: list[tuple[float, int]] = field(default_factory=list)

    @property
    def answers(self) -> int:
        return sum(map(len, self.seconds.values()))

    def grew(self, whole_s: float) -> float:
        """The largest after the first part, in times of what it was at its end."""
        settled = min(SETTLED_S, whole_s / 3)
        early = [size for at, size in self.memory if at <= settled] or [self.memory[0][1]]
        late = [size for at, size in self.memory if at > settled] or early
        return max(late) / max(early)


@dataclass(frozen=True)
class Asked:
    """What a capture can be asked for: the tools it has, and where its trace lies."""

    run: str
    tools: tuple[str, ...]
    steps: int
    span: tuple[int, int]
    tracks: int
    bundle: tuple[str, ...]

    def query(self, kind: str, chance: random.Random) -> str:
        tool = chance.choice(self.tools)
        if kind == "runs":
            return PLUGIN + chance.choice(["runs", "runs_table", f"tools?{urlencode({'run': self.run})}"])
        if kind == "bundle":
            return f"{PLUGIN}static/{chance.choice(self.bundle)}"
        more: dict[str, Any] = {}
        if kind == "range":
            first = chance.randrange(self.steps)
            more["steps"] = chance.choice(["typical", f"{first}-{min(first + 3, self.steps - 1)}"])
        elif kind == "CSV":
            tool, more = "op_stats", {"format": "csv"}
        elif kind == "search":
            tool, more = "trace_viewer", {"search": chance.choice(["softmax", "block_1", "no such name", "Adam"])}
        elif kind == "window":
            tool, more = "trace_viewer", {**self.window(chance), "tracks": f"0-{self.tracks - 1}", "format": "columns"}
        return f"{PLUGIN}data?{urlencode({'run': self.run, 'tool': tool, **more})}"

    def window(self, chance: random.Random) -> dict[str, int]:
        begin, end = self.span
        length = max(1, int((end - begin) * 10 ** chance.uniform(-6, 0)))
        start = chance.randint(begin, end - length)
        return window(start, start + length, begin, end)


def asked_of(running: Board) -> Asked:
    """Opens every page once, which is what warm means."""
    run = newest_run(running)
    listed = read(running.get(f"{PLUGIN}tools?{urlencode({'run': run})}", PATIENCE_S))["tools"]
    tools = tuple(each["name"] for each in listed if each["missing"] is None)
    for tool in tools:
        running.get(f"{PLUGIN}data?{urlencode({'run': run, 'tool': tool})}", PATIENCE_S)
    query = urlencode({"run": run, "tool": "trace_viewer", "width": VIEW_PX})
    summary = read(running.get(f"{PLUGIN}data?{query}", PATIENCE_S))["summary"]
    span, tracks = (summary["span_start_ps"], summary["span_end_ps"]), summary["track_count"]
    steps = read(running.get(f"{PLUGIN}data?{urlencode({'run': run, 'tool': 'overview'})}"))["summary"]["step_count"]
    return Asked(run, tools, steps, span, tracks, ("index.js", "style.css"))


def client(running: Board, asked: Asked, seed: int, until: float, told: Told, lock: threading.Lock) -> None:
    chance = random.Random(seed)
    while time.monotonic() < until:
        kind = chance.choice(KINDS)
        query = asked.query(kind, chance)
        began = time.perf_counter()
        try:
            running.get(query, PATIENCE_S)
        except (OSError, RuntimeError) as error:
            with lock:
                told.failed[f"{query}: {error}"[:300]] += 1
        else:
            with lock:
                told.seconds.setdefault(kind, []).append(time.perf_counter() - began)


def soak(logdir: Path, clients: int, seconds: float, seed: int, cache: Path) -> Told:
    told, lock = Told(), threading.Lock()
    with board(logdir, plugin=True, environment={"XDG_CACHE_HOME": str(cache)}) as running:
        asked = asked_of(running)
        tell(f"warm: {', '.join(asked.tools)}; {clients} clients for {seconds:.0f} s")
        began = time.monotonic()
        threads = [
            threading.Thread(target=client, args=(running, asked, seed + i, began + seconds, told, lock), daemon=True)
            for i in range(clients)
        ]
        for thread in threads:
            thread.start()
        told.memory.append((0.0, memory_of(running.pid)))
        while any(thread.is_alive() for thread in threads):
            told.memory.append((time.monotonic() - began, memory_of(running.pid)))
            threads[0].join(0.5)
            time.sleep(0.0 if threads[0].is_alive() else 0.5)
    return told


def memory_of(pid: int) -> int:
    """Bytes that a process and those that it started hold now."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        started = [int(child) for child in children.read_text().split()] if children.exists() else []
    except OSError:
        return 0
    return pages * PAGE_BYTES + sum(map(memory_of, started))


def report(told: Told, seconds: float) -> Iterator[str]:
    rows = [[kind, str(len(times)), *figures(times)] for kind, times in sorted(told.seconds.items())]
    rows.append(["all", str(told.answers), *figures([each for times in told.seconds.values() for each in times])])
    yield from table(["asked for", "answers", "median", "p99", "largest"], rows)
    tenths = [max(size for at, size in told.memory if at <= seconds * part / 10) for part in range(11)]
    sizes = ", ".join(f"{size / MB:.0f}" for size in tenths)
    yield f"memory once warm, and the most until each tenth of the time: {sizes} MB; {told.grew(seconds):.2f} x"
    yield f"failed: {told.failed.total()}"
    yield from (f"  {count} x {what}" for what, count in told.failed.most_common(10))


def figures(times: Sequence[float]) -> list[str]:
    ordered = sorted(times)
    return [f"{each:.3f} s" for each in (median(ordered), ordered[int(0.99 * (len(ordered) - 1))], ordered[-1])]


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help=f"at most {MAX_MINUTES:.0f}")
    parser.add_argument("--clients", type=int, default=CLIENTS, help=f"at most {MAX_CLIENTS}")
    parser.add_argument("--events", type=int, default=EVENTS, help="of the capture that is made once")
    parser.add_argument("--file", type=Path, help="another capture")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(words)
    if not (0 < given.minutes <= MAX_MINUTES and 0 < given.clients <= MAX_CLIENTS):
        parser.error(f"at most {MAX_MINUTES:.0f} minutes and {MAX_CLIENTS} clients")
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryDirectory() as cache:
        file = given.file or made_capture(given.events, errors)
        told = soak(logdir_of(file), given.clients, 60 * given.minutes, given.seed, Path(cache))
    print(*report(told, 60 * given.minutes), sep="\n")
    return int(bool(told.failed) or told.grew(60 * given.minutes) > GROWTH)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
