"""The catalogue of `advice.text` and all thresholds → an entry a finding, and the site's page of all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import analysis, timeline, trace
from ..advice import rules as advice_rules
from ..advice.explained import Limit, explained, value_of
from ..advice.rule import AnyThreshold
from ..advice.text.catalogue import CATALOGUE, SUBJECTS, Words, words
from ..advice.text.doctor import DIAGNOSES
from ..advice.text.template import VOCABULARIES, Text, render
from ..errors import NotFoundError, suggestion
from ..threshold import declared
from .text import rows

_HEAD = """# Findings

Generated from the catalogue of texts and all thresholds; `perfplugin findings CODE` prints an entry. JSON answers carry
each finding's `code` and `params` beside its text, for CI gates and other languages. Each entry shows examples, the
condition, the advice and the thresholds of its rules. Terms are defined in the [glossary](glossary.md).

A finding's `share` is a part of the time that its page looks at. That of a cause of a step's time is what a step would
take less without it, at most: the time in which nothing that ranks before it runs. `make truth` runs programs with and
without known costs, and compares."""
_THRESHOLD = ("threshold", "value", "why", "source")
#: What the vocabularies are called.
_CAPTURES_OF = {
    "pytorch": "PyTorch",
    "any": "any program",
    "nvtx": "Nsight Systems, nvprof",
    "roctx": "rocprofv3",
    "emit_nvtx": "the same, of PyTorch",
    "tool_files": "TensorFlow 2.1–2.4 tool files",
    "tf1": "TensorFlow 1",
    "trace_proto": "`local.trace`",
    "run_metadata": "RunMetadata",
    "tf1_timeline": "Timeline",
}


class Variant(NamedTuple):
    """The text of the first example in captures of another framework."""

    captures_of: str
    text: Words


class Entry(NamedTuple):
    """when: in one sentence what must hold for the finding; unless: when it is not given all the same, or empty.

    seen_in: a capture that gives it: a folder of tests/samples, or a row of docs/public_captures.md; or empty."""

    code: str
    subject: str
    examples: tuple[Words, ...]
    when: str
    unless: str
    limits: tuple[Limit, ...]
    variants: tuple[Variant, ...]
    seen_in: str


def titles() -> list[tuple[str, str, str]]:
    """Subject, code and title of the first example of every finding, by subject."""
    return [
        (subject, code, words(code, text.examples[0]).title)
        for subject, texts in SUBJECTS.items()
        for code, text in texts.items()
        if text.when
    ]


def entry(code: str) -> Entry:
    """Raises NotFoundError that names similar codes."""
    try:
        why = explained(code)
    except NotFoundError as error:
        known = [code for code, text in CATALOGUE.items() if text.when]
        raise NotFoundError(f"{error}{suggestion(code, known)}") from None
    text = CATALOGUE[code]
    variants = (
        Variant(_CAPTURES_OF[name], words(code, text.examples[0], name))
        for name in VOCABULARIES
        if name in text.variants
    )
    return Entry(
        code,
        next(subject for subject, texts in SUBJECTS.items() if code in texts),
        tuple(words(code, params) for params in text.examples),
        why.when,
        why.unless,
        why.limits,
        tuple(variants),
        text.example,
    )


def page() -> str:
    parts = [_HEAD, *(line for subject in SUBJECTS for line in _section(subject)), *_thresholds(), *_diagnoses()]
    return "\n".join(parts) + "\n"


def _section(subject: str) -> Iterator[str]:
    findings = [code for code, text in SUBJECTS[subject].items() if text.when]
    others = [(code, text) for code, text in SUBJECTS[subject].items() if not text.when]
    title = subject.replace("_", " ").capitalize()
    if findings:
        yield from ("", f"## {title}")
    for code in findings:
        yield from ("", f"### `{code}`", "", *_entry(entry(code)))
    if others:
        yield from ("", f"## Parts of sentences: {title.lower()}" if findings else f"## {title}", "")
        yield from rows(("code", "example"), [_part(code, text) for code, text in others])


def _part(code: str, text: Text) -> tuple[str, str]:
    return f"`{code}`", _escaped(words(code, text.examples[0]).title)


def _entry(finding: Entry) -> Iterator[str]:
    for title, detail, action in finding.examples:
        parts = (_escaped(title), _escaped(detail), f"*{_escaped(action)}*" if action else "")
        yield " \\\n".join(f"> {part}" for part in parts if part)
        yield ""
    unless = f" Not: {finding.unless}" if finding.unless else ""
    yield f"When: {finding.when}{unless}{_seen_in(finding.seen_in)}"
    if finding.limits:
        yield from ("", *rows(_THRESHOLD, [_cells(limit) for limit in finding.limits]))
    if finding.variants:
        variants = [(name, _escaped(" ".join(filter(None, text)))) for name, text in finding.variants]
        yield from ("", *rows(("in captures of", "text"), variants))


def _seen_in(example: str) -> str:
    if not example:
        return ""
    return f" Seen in `{example}`." if example.startswith("tests/") else f" Seen in [{example}](public_captures.md)."


def _thresholds() -> Iterator[str]:
    """A table for each module of rules, then one for each folder of what is computed before rules, and of the trace."""
    yield from ("", "## Thresholds of the rules", "", "A table for each file of rules.")
    yield from _tables((_place(each.module), each.threshold) for each in declared(advice_rules))
    yield from ("", "## Thresholds below the rules", "", "What is computed before a rule decides, and in the trace.")
    below = (each for room in (timeline, analysis, trace) for each in declared(room))
    yield from _tables((_place(each.module.rpartition(".")[0]), each.threshold) for each in below)


def _tables(thresholds: Iterable[tuple[str, AnyThreshold]]) -> Iterator[str]:
    by_place: dict[str, list[AnyThreshold]] = defaultdict(list)
    for place, threshold in thresholds:
        by_place[place].append(threshold)
    for place, of_place in by_place.items():
        limits = [_cells(Limit(each.name, value_of(each), each.why, each.source)) for each in of_place]
        yield from ("", f"### `{place}`", "", *rows(_THRESHOLD, limits))


def _place(module: str) -> str:
    return module.partition(".")[2].replace(".", "/")


def _cells(limit: Limit) -> tuple[str, ...]:
    return limit.name, limit.value, _escaped(limit.why), _escaped(limit.source)


def _diagnoses() -> Iterator[str]:
    yield from ("", "## Diagnoses of `perfplugin doctor`", "")
    diagnoses = (
        (f"`{code}`", *(_escaped(render(part, text.example)) for part in (text.found, text.cause, text.fix)))
        for code, text in DIAGNOSES.items()
    )
    yield from rows(("code", "what is there", "cause", "remedy"), list(diagnoses))


def _escaped(text: str) -> str:
    """What Markdown would read as its own."""
    return text.replace("<", "&lt;").replace("*", "\\*")
