"""Every code can be said, in every framework's words, with all that its templates may leave out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest

from tensorboard_perfplugin.advice.text.catalogue import CATALOGUE, SUBJECTS, words
from tensorboard_perfplugin.advice.text.template import VOCABULARIES, Bracket, Field, Node, Text, fields, parsed
from tensorboard_perfplugin.messages import Message, Param

CODES = sorted(CATALOGUE)


def said(code: str) -> Iterator[tuple[str, str]]:
    """What a code says of each of its examples, in every vocabulary, field by field, with the case's name."""
    for (i, params), vocabulary in itertools.product(enumerate(CATALOGUE[code].examples), ("", *VOCABULARIES)):
        for name, text in words(code, params, vocabulary)._asdict().items():
            yield f"{code}[{i}] {name} {vocabulary}", text


def templates(text: Text) -> list[str]:
    return [template for vocabulary in ("", *VOCABULARIES) for template in text.of(vocabulary)]


def test_no_code_is_there_twice() -> None:
    assert sum(map(len, SUBJECTS.values())) == len(CATALOGUE)
    assert [code for code in CODES if not re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)*", code)] == []


def test_every_code_reads_as_a_sentence() -> None:
    wrong = re.compile(r"  | [,.;:](?!\w)|[(\[{]\s|\s[)\]}]|\.\.|\b1 \w+s a step|^[,;.]|\bNone\b(?! of)|nan\b|\{\w+\}")
    cases = {code: list(said(code)) for code in CODES}
    assert [code for code in CODES if not cases[code]] == []
    every = [each for code in CODES for each in cases[code]]
    assert [(case, text) for case, text in every if wrong.search(text)] == []
    assert [case for case, text in every if " title " in case and not text] == []
    sentences = [(case, text) for case, text in every if " title " not in case and " detail " not in case]
    assert [(case, text) for case, text in sentences if text and text[-1] not in ".!?)`;"] == []


def test_examples_show_every_parameter() -> None:
    """And no other."""
    wanted = {code: set().union(*map(fields, templates(text))) for code, text in CATALOGUE.items()}
    given = {code: {name for example in text.examples for name in example} for code, text in CATALOGUE.items()}
    assert {code: wanted[code] - given[code] for code in CODES if wanted[code] - given[code]} == {}
    unseen = {code: given[code] - wanted[code] - {"category"} for code in CODES}
    assert {code: names for code, names in unseen.items() if names} == {}


def test_names_come_out_as_they_went_in() -> None:
    """Whatever a file calls its things: a template's own signs are text in a parameter."""
    hostile = "a loop in which {x} [or|not] is Python \\["
    changed = []
    for code, params in [(each, params) for each in CODES for params in CATALOGUE[each].examples]:
        for name in (name for name, value in params.items() if isinstance(value, str)):
            for template, text in zip(CATALOGUE[code].of(""), words(code, {**params, name: hostile}), strict=True):
                is_whole = re.search(rf"\{{{name}\}}", template) and fields(template) <= set(params)
                if is_whole and _is_shown(template, name) and hostile not in text:
                    changed.append((code, name))
    assert changed == []


def _is_shown(template: str, name: str) -> bool:
    """Whether no bracket that another parameter decides on leaves it out."""
    return not any(f"{{{name}" in bracket for bracket in re.findall(r"\[[^\[\]]*\]", template))


def test_nested_messages_are_in_the_catalogue() -> None:
    def nested(value: Param) -> Iterator[str]:
        if isinstance(value, Message):
            yield value.code
            for inner in value.params.values():
                yield from nested(inner)
        elif isinstance(value, tuple):
            for inner in value:
                yield from nested(inner)

    used = {
        code for text in CATALOGUE.values() for example in text.examples for v in example.values() for code in nested(v)
    }
    assert used <= set(CATALOGUE)


def test_every_bracket_depends_on_a_parameter() -> None:
    """Square brackets of a sentence's own text are escaped: `activities=[CPU]` was shown as `activities=CPU`."""

    def brackets(nodes: tuple[Node, ...]) -> Iterator[Bracket]:
        for node in nodes:
            if isinstance(node, Bracket):
                yield node
                for way in node.ways:
                    yield from brackets(way)

    every = [(code, template) for code in CODES for template in templates(CATALOGUE[code])]
    constant = [
        (code, bracket)
        for code, template in every
        for bracket in brackets(parsed(template))
        if not any(isinstance(node, Field) for node in bracket.ways[0])
    ]
    assert constant == []


_MEANS_OF_OTHERS = re.compile(
    r"tracer_level|jit_compile|jax\b|JAX|lax\.|\btf\.|TF_|XLA|TensorFlow|Keras|keras|run_eagerly|steps_per_execution|"
    r"block_until_ready|\.numpy\(\)|\bBFC\b|mixed_\w+|drop_remainder|num_parallel_calls"
)
#: Beginnings of codes that are given only where events, or files, of TensorFlow or JAX are.
_OF_ITS_OWN_EVENTS = (
    "program_peak",
    "program_nearly_full",
    "program_padding",
    "program_donation",
    "buffer_saving.",
    "stage.",
    "parallel.",
    "tf_data",
    "no_tf_data",
    "no_input_pipeline",
    "nothing_prefetched",
    "sums_only",
    "memory_events_missing.jax_cpu",
    "recorded_results",
    "memory_events_sampled",
    "instruction",
    "data_formatting",
    "tool_file_not_read",
    "found_as.fingerprint",
    "framework_seen.",
    "step_rule.recorded",
    "steps_seen.recorded",
    "output_bound.summaries",
)


def test_no_page_of_another_program_names_means_of_tensorflow_and_jax() -> None:
    codes = [code for code in CODES if not code.startswith(_OF_ITS_OWN_EVENTS)]
    texts = [(code, text) for code in codes for name in ("pytorch", "any") for text in CATALOGUE[code].of(name)]
    assert [(code, text) for code, text in texts if _MEANS_OF_OTHERS.search(text)] == []


_OTHER_FRAMEWORKS = {
    "pytorch": _MEANS_OF_OTHERS,
    "any": re.compile(rf"{_MEANS_OF_OTHERS.pattern}|[Tt]orch"),
    **dict.fromkeys(("tf1", "trace_proto", "run_metadata", "tf1_timeline"), re.compile(r"[Tt]orch|\bjax\b|JAX|lax\.")),
    **dict.fromkeys(("", "tool_files"), re.compile(r"[Tt]orch")),
}
#: Beginnings of codes that only PyTorch's captures have, or that compare frameworks.
_ABOUT_PYTORCH = (
    "anomaly_mode",
    "python_remedy.anomaly",
    "reserved_memory",
    "snapshot_",
    "collective_unavailable",
    "pytorch_device_not_recorded",
    "pytorch_trace_not_read",
    "no_tf_data_iterator",
    "attention_unfused.math",
    "optimizer_one_by_one",
    "python_optimizer",
)


@pytest.mark.parametrize("vocabulary", _OTHER_FRAMEWORKS)
def test_no_framework_is_called_by_the_name_of_another(vocabulary: str) -> None:
    """Also of codes that are exempt above: where they have words for a framework, these are that framework's."""
    variants = {code: text for code, text in CATALOGUE.items() if not vocabulary or _has_own(text, vocabulary)}
    wrong = _OTHER_FRAMEWORKS[vocabulary]
    named = {code for code, text in variants.items() if any(map(wrong.search, text.of(vocabulary)))}
    assert {code for code in named if not code.startswith(_ABOUT_PYTORCH)} == set()


def _has_own(text: Text, vocabulary: str) -> bool:
    return vocabulary in text.variants or (bool(vocabulary) and _has_own(text, VOCABULARIES[vocabulary]))
