"""Random numbers → damaged captures of several formats, each read by all that can read it, and by every tool."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from tensorboard_perfplugin.errors import UnreadableError
from tests.conftest import ROOT
from tests.decode.both import read_both
from tests.fuzz.both_parsers import assert_alike, read_both_ways
from tests.fuzz.checks import checked
from tests.fuzz.json_mutants import damaged, mutant

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


KINDS: dict[str, Callable[[random.Random], Mutant]] = {
    "kineto": _of_kineto,
    "horovod": _of_horovod,
    "xplane": _of_xplane,
}


def tried(one: Mutant, tools: bool = True) -> bool:
    """Whether it could be read. Raises what went wrong."""
    if one.kind == "xplane":
        try:
            capture = read_both(one.data)
        except UnreadableError:
            return False
        if tools:
            checked(capture)
        return True
    compiled, plain = read_both_ways(one.data, one.name)
    assert_alike(compiled, plain)
    if isinstance(compiled, UnreadableError):
        return False
    if tools:
        checked(compiled)
    return True
