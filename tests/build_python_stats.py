"""Dumps of pstats, in a few lines: functions, and who called them."""

from __future__ import annotations

import marshal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.functions import Functions, Merged, functions_of, merged
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.timeline import Timeline

Key = tuple[str, int, str]
BUILTIN = "~"


def key(label: str) -> Key:
    """`a.py:3(f)`, or what is written in C as cProfile names it, `<built-in method time.sleep>`."""
    if label.startswith(("<built-in", "<method")):
        return BUILTIN, 0, label
    file, _, rest = label.rpartition(":")
    line, _, name = rest.partition("(")
    return file, int(line), name.removesuffix(")")


class Stats:
    """Times in seconds."""

    def __init__(self) -> None:
        self.stats: dict[Key, tuple[int, int, float, float, dict[Key, Any]]] = {}

    def function(
        self,
        label: str,
        own: float,
        cumulative: float | None = None,
        calls: int = 1,
        primitive: int | None = None,
        callers: Mapping[str, tuple[int, int, float, float] | int] | None = None,
    ) -> Stats:
        """callers: calls, primitive calls, own and cumulative time; or, as the module profile, the calls alone."""
        total = own if cumulative is None else cumulative
        of = {key(name): value for name, value in (callers or {}).items()}
        self.stats[key(label)] = (calls if primitive is None else primitive, calls, own, total, of)
        return self

    def bytes(self, version: int = 4) -> bytes:
        return marshal.dumps(self.stats, version)

    def capture(self) -> Capture:
        capture = decode.read_bytes(self.bytes(), "h.cprofile")
        capture.check()
        return capture

    def timeline(self, host: str = "h") -> Timeline:
        return Timeline(self.capture(), host)

    def functions(self, host: str = "h") -> Functions:
        return functions_of(self.timeline(host))

    def write(self, path: Path) -> Path:
        path.write_bytes(self.bytes())
        return path


def run_of(*hosts: Stats) -> Merged:
    """Hosts `rank_0`, `rank_1` …"""
    return merged([stats.functions(f"rank_{i}") for i, stats in enumerate(hosts)])
