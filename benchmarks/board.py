"""A TensorBoard process on a logdir, with this plugin or without: how long until it answers, and how fast."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from .process import reap

#: How long a start or an answer may take.
PATIENCE_S = 120.0
PLUGIN = "/data/plugin/perfplugin/"
#: TensorBoard in this very environment, for "without" less the entry points of this package.
START = """
import importlib.metadata, sys
from tensorboard.main import run_main

if sys.argv.pop(1) == "without":
    found = importlib.metadata.entry_points

    class Others:
        def select(self, group):
            return [each for each in found(group=group) if not each.value.startswith("tensorboard_perfplugin")]

    importlib.metadata.entry_points = Others
run_main()
"""


@dataclass
class Board:
    """ready_s: from the process's start to the first answer of the plugins' listing. peak_bytes: set at its end."""

    port: int
    ready_s: float = 0.0
    peak_bytes: int = 0
    pid: int = 0

    def get(self, path: str, patience_s: float = PATIENCE_S) -> bytes:
        """The body as it came over the wire, compressed. Raises OSError, RuntimeError."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience_s)
        with contextlib.closing(connection):
            connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
            reply = connection.getresponse()
            body = reply.read()
        if reply.status != 200:
            raise RuntimeError(f"{path}: {reply.status} {body[:500]!r}")
        return body


@contextlib.contextmanager
def board(logdir: Path, plugin: bool, environment: Mapping[str, str] | None = None) -> Iterator[Board]:
    """A TensorBoard that answers, ended when the block ends."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        running = Board(free.getsockname()[1])
    which = "with" if plugin else "without"
    flags = ["--logdir", str(logdir), "--port", str(running.port), "--host", "127.0.0.1"]
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", START, which, *flags],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
    )
    running.pid = process.pid
    try:
        listing = _first_answer(running, began)
        running.ready_s = time.perf_counter() - began
        if ("perfplugin" in listing) is not plugin:
            raise RuntimeError(f"TensorBoard {which} perfplugin lists {sorted(listing)}")
        yield running
    finally:
        process.terminate()
        running.peak_bytes = reap(process)


def _first_answer(running: Board, began: float) -> Any:
    while True:
        try:
            return read(running.get("/data/plugins_listing"))
        except ConnectionError:
            if time.perf_counter() - began > PATIENCE_S:
                raise
            time.sleep(0.005)


@dataclass(frozen=True)
class Again:
    """Seconds of one answer: asked for the first time, again, and by a TensorBoard that starts after it was kept."""

    first_s: float
    again_s: list[float]
    kept_s: list[float]


def answer_again(logdir: Path, tool: str, repeats: int, cache: Path) -> Again:
    """Answers are kept in a cache of their own. A new TensorBoard is first asked for runs and tools, as by the page."""
    environment = {"XDG_CACHE_HOME": str(cache)}
    with board(logdir, plugin=True, environment=environment) as running:
        run = newest_run(running)
        first_s, *again_s = (_timed(running, run, tool) for _ in range(repeats + 1))
    kept_s = []
    for _ in range(repeats):
        with board(logdir, plugin=True, environment=environment) as running:
            run = newest_run(running)
            running.get(f"{PLUGIN}tools?{urlencode({'run': run})}")
            kept_s.append(_timed(running, run, tool))
    return Again(first_s, again_s, kept_s)


def answers_in_turn(logdir: Path, tools: Sequence[str], cache: Path) -> list[float]:
    """Seconds of each tool's first answer in one new TensorBoard that has listed the runs."""
    with board(logdir, plugin=True, environment={"XDG_CACHE_HOME": str(cache)}) as running:
        run = newest_run(running)
        return [_timed(running, run, tool) for tool in tools]


def _timed(running: Board, run: str, tool: str) -> float:
    began = time.perf_counter()
    running.get(f"{PLUGIN}data?{urlencode({'run': run, 'tool': tool})}")
    return time.perf_counter() - began


def newest_run(running: Board) -> str:
    while True:
        answer = read(running.get(PLUGIN + "runs"))
        if answer["runs"]:
            return str(answer["runs"][0]["name"])
        if not answer["scanning"]:
            raise RuntimeError(f"no runs: {answer}")
        time.sleep(0.05)


def read(body: bytes) -> Any:
    """The JSON of a body, compressed or not."""
    return json.loads(gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body)


@dataclass(frozen=True)
class Scan:
    """A page on a large tree: its first answer, all runs known, and meanwhile the slowest listing of the plugins."""

    folders: int
    first_s: float
    complete_s: float
    listing_s: float


def scan_seconds(logdir: Path) -> Scan:
    """Asks for the runs of 10,000 folders, of which one holds a capture, as the page does when it opens."""
    for i in range(100):
        for j in range(99):
            (logdir / f"{i}" / f"{j}").mkdir(parents=True)
    session = logdir / "99" / "98" / "plugins" / "profile" / "s"
    session.mkdir(parents=True)
    (session / "h.xplane.pb").write_bytes(b"")
    with board(logdir, plugin=True) as running:
        began = time.perf_counter()
        answer = read(running.get(PLUGIN + "runs"))
        first_s, listing_s = time.perf_counter() - began, 0.0
        while answer["scanning"]:
            asked = time.perf_counter()
            running.get("/data/plugins_listing")
            listing_s = max(listing_s, time.perf_counter() - asked)
            answer = read(running.get(PLUGIN + "runs"))
        complete_s = time.perf_counter() - began
    if len(answer["runs"]) != 1:
        raise RuntimeError(f"the one capture is not found: {answer}")
    return Scan(answer["folders"], first_s, complete_s, listing_s)


def start_seconds(logdir: Path, repeats: int) -> tuple[list[float], list[float]]:
    """Seconds to ready with the plugin and without, by turns, after one start of each that does not count."""
    seconds: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(repeats + 1):
        for plugin in (True, False):
            with board(logdir, plugin) as running:
                seconds[plugin].append(running.ready_s)
    return seconds[True][1:], seconds[False][1:]
