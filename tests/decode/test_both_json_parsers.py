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


def test_both_say_the_same_of_texts_of_any_length() -> None:
    """Eight letters are looked at at once: what is odd among them is at each place, what is alike but for its end, too.

    Of what is guessed from the event before a part, or more than that, is there.
    """
    odd = ["", "\\n", "\\\\", '\\"', "\u00e4", "\\u00e4", "\u20ac", "!"]
    texts = ["x" * place + letter + "y" * rest for letter in odd for place in range(18) for rest in (0, 1, 9)]
    events = [
        f'{{"ph": "X", "ts": {i}, "cat": "c", "name": "{text}", "args": {{"{text}": "{text}", "k": ["{text}", [1]]}}}}'
        for i, text in enumerate(texts)
    ]
    assert_alike(*read_both_ways(f"[{','.join(events)}]".encode(), "h.trace.json"))


def test_both_say_the_same_of_numbers_of_any_length() -> None:
    whole = [
        "0",
        "7",
        "-7",
        "-0",
        "00",
        "07",
        "912345678912345678",
        "9123456789123456789",
        *(str(10**n) for n in (17, 18, 19, 20)),
    ]
    numbers = [
        f"{n}{'.' * bool(part)}{part}" for n in whole for part in ("", *("0123456789"[:k] for k in range(1, 10)))
    ]
    numbers += [f"{n}{end}" for n in whole for end in ("e3", ".5E-2", ".", "e", "x", ".x", "-")]
    events = [
        f'{{"ph": "X", "ts": {n}, "dur": {n}, "pid": {n}, "name": "n", "args": {{"a": {n}, "b": [{n}]}}}}'
        for n in numbers
    ]
    ends = [f'{{"ph": "X", "ts": {n}{end}}}' for n in ("5", "5.25") for end in ("", " ", "\\n", "\\t")]
    assert_alike(*read_both_ways(f"[{','.join([*events, *ends])}]".encode(), "h.trace.json"))


@pytest.mark.parametrize("cut", range(150))
def test_both_say_the_same_of_a_text_that_ends_anywhere(cut: int) -> None:
    event = (
        '{"ph":"X","cat":"c","name":"an operator","pid":1,"tid":-2,"ts":12345678.25,"dur":3,"args":{"Ev Idx":[1,"a"]}}'
    )
    text = f"[{event},{event}]".encode()
    assert_alike(*read_both_ways(text[: len(event) + cut], "h.trace.json"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_both_say_the_same_of_mutants(seed: int) -> None:
    rng = random.Random(seed)
    (sample,) = (ROOT / "tests/samples/torch_train").glob("*.pt.trace.json.gz")
    document = json.loads(gzip.decompress(sample.read_bytes()))
    document["traceEvents"] = rng.sample(document["traceEvents"], 40)
    for _ in range(100):
        assert_alike(*read_both_ways(mutant(rng, document), "h.pt.trace.json"))
