"""Random numbers → damaged captures of several formats, each read by all that can read it, and by every tool."""

from __future__ import annotations

import gzip
import json
import random
import types
from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple
from unittest import mock

from tensorboard_perfplugin.decode import memory_snapshot, perfetto
from tensorboard_perfplugin.decode import memory_snapshot as snapshots
from tensorboard_perfplugin.decode.perfetto import packets, tracks
from tensorboard_perfplugin.errors import UnreadableError
from tests.conftest import ROOT
from tests.decode.both import read_both
from tests.fuzz import other_mutants
from tests.fuzz.both_parsers import Read, assert_alike, read_both_ways, read_one
from tests.fuzz.checks import checked
from tests.fuzz.json_mutants import damaged, mutant
from tests.fuzz.uncompiled import uncompiled

SAMPLES = ROOT / "tests/samples"


class Mutant(NamedTuple):
    """A damaged file. kind: how it was made."""

    kind: str
    name: str
    data: bytes


@cache
def _kineto() -> Any:
    (sample,) = (SAMPLES / "torch_train").glob("*.pt.trace.json.gz")
    return json.loads(gzip.decompress(sample.read_bytes()))


def _of_kineto(rng: random.Random) -> Mutant:
    document = _kineto()
    begin = rng.randrange(len(document["traceEvents"]))
    return Mutant("kineto", "h.pt.trace.json", mutant(rng, document | {"traceEvents": _some(document, begin)}))


def _some(document: Any, begin: int) -> Any:
    return document["traceEvents"][begin : begin + 40]


def _of_horovod(rng: random.Random) -> Mutant:
    """A process a tensor, begins and ends, times as texts."""
    events: list[dict[str, Any]] = []
    for pid in range(3):
        events.append({"name": "process_name", "ph": "M", "pid": pid, "args": {"name": f"grad/{pid}"}})
        for at in range(rng.randrange(6)):
            events.append({"ph": "B", "name": "NEGOTIATE_ALLREDUCE", "ts": 10 * at, "pid": pid, "tid": "0"})
            events.append({"ph": "E", "ts": str(10 * at + 5), "pid": pid, "args": {"dtype": "float32"}})
    return Mutant("horovod", "timeline.json", mutant(rng, events))


def _of_xplane(rng: random.Random) -> Mutant:
    """A sample of ours, of which bytes are damaged."""
    (sample,) = (SAMPLES / "gpu_streams").rglob("*.xplane.pb")
    return Mutant("xplane", "h.xplane.pb", damaged(rng, sample.read_bytes(), 20))


def _of(kind: str, name: str, made: Callable[[random.Random], bytes], rng: random.Random) -> Mutant:
    return Mutant(kind, name, made(rng))


_OTHERS: dict[str, tuple[str, Callable[[random.Random], bytes]]] = {
    "perfetto": ("h.pftrace", other_mutants.perfetto),
    "nsys": ("h.sqlite", partial(other_mutants.database, kind="nsys")),
    "nvprof": ("h.nvvp", partial(other_mutants.database, kind="nvprof")),
    "rocpd": ("h_results.db", partial(other_mutants.database, kind="rocpd")),
    "cprofile": ("h.cprofile", other_mutants.cprofile),
    "memory_snapshot": ("snapshot.pickle", other_mutants.memory_snapshot),
    "call_stacks": ("h.collapsed", other_mutants.call_stacks),
}
KINDS: dict[str, Callable[[random.Random], Mutant]] = {
    "kineto": _of_kineto,
    "horovod": _of_horovod,
    "xplane": _of_xplane,
    **{kind: partial(_of, kind, *of) for kind, of in _OTHERS.items()},
}


@cache
def _plain(kind: str) -> types.ModuleType:
    if kind == "perfetto":
        return uncompiled(perfetto, "words", "events", "loop", "closing")
    return uncompiled(memory_snapshot, "rows", "machine")


def _read(one: Mutant) -> Read:
    """By all that can read it, which must say the same."""
    if one.kind not in _OTHERS:
        compiled, plain = read_both_ways(one.data, one.name)
    elif one.kind == "perfetto":
        compiled = read_one(one.data, one.name)
        made = _plain(one.kind)
        names = ("merged", "by_track", "before_begins", "in_order", "by_time")
        functions = {name: getattr(made.closing, name) for name in names}
        with (
            mock.patch.object(packets, "Parser", made.loop.Parser),
            mock.patch.object(packets, "_STORES", (None, None, None)),
            mock.patch.multiple(tracks, **functions),
        ):
            plain = read_one(one.data, one.name)
    elif one.kind == "memory_snapshot":
        compiled = read_one(one.data, one.name)
        with mock.patch.object(snapshots, "Machine", _plain(one.kind).machine.Machine):
            plain = read_one(one.data, one.name)
    else:
        return read_one(one.data, one.name)
    assert_alike(compiled, plain)
    return compiled


def opens(one: Mutant) -> bool:
    """Whether the reader that is used reads it. Raises what is no sentence for its user."""
    return not isinstance(read_one(one.data, one.name), UnreadableError)


def tried(one: Mutant, tools: bool = True) -> bool:
    """Whether it could be read. Raises what went wrong."""
    if one.kind == "xplane":
        try:
            read: Read = read_both(one.data)
        except UnreadableError:
            return False
    else:
        read = _read(one)
    if isinstance(read, UnreadableError):
        return False
    if tools:
        checked(read)
    return True
