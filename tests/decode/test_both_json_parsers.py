"""Trace events that the two parsers told apart: each has one answer, whether a compiler was there or not."""

from __future__ import annotations

import gzip
import json
import random

import pytest

from tensorboard_perfplugin.errors import UnreadableError
from tests.conftest import ROOT
from tests.fuzz.both_parsers import assert_alike, read_both_ways
from tests.fuzz.json_mutants import mutant


@pytest.mark.parametrize(
    "text",
    [
        # A time that is a text with half a letter was no mistake to the compiled one.
        '[{"ph": "X", "ts": "\\ud800", "name": "a"}]',
        '[{"ph": "X", "ts": "1\u00e4", "name": "a"}]',
        # Texts and ids of an event that it could not read stayed with it, and what came after had other numbers.
        (
            '[{"name": "lost", "tid": "t", "cat": NaN}, {"ph": "X", "ts": 1, "name": "b", "tid": "u"}, '
            '{"ph": "X", "ts": 2, "name": "a", "tid": "t"}]'
        ),
        # Bytes that are no letter inside a name, and numbers at the ends of doubles.
        '[{"ph": "X", "ts": 1, "tid": "a\udcff"}]',
        '[{"ph": "X", "ts": 1, "args": {"a": -0.0, "b": 1e-07, "c": 0.30000000000000004, "d": 9223372036854775808}}]',
        # One numbers texts and ids in the order of the file, the other in its own.
        (
            '[{"tid": "x", "pid": "y", "cat": "b", "name": "a", "ph": "X", "ts": 1, "dur": 1}, '
            '{"tid": "y", "pid": "y", "cat": "c", "name": "b", "ph": "X", "ts": 2, "dur": 1}]'
        ),
    ],
)
def test_both_say_the_same(text: str) -> None:
    one, other = read_both_ways(text.encode(errors="surrogateescape"), "h.trace.json")
    assert not isinstance(one, UnreadableError)
    assert_alike(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_both_say_the_same_of_mutants(seed: int) -> None:
    rng = random.Random(seed)
    (sample,) = (ROOT / "tests/samples/torch_train").glob("*.pt.trace.json.gz")
    document = json.loads(gzip.decompress(sample.read_bytes()))
    document["traceEvents"] = rng.sample(document["traceEvents"], 40)
    for _ in range(100):
        assert_alike(*read_both_ways(mutant(rng, document), "h.pt.trace.json"))
