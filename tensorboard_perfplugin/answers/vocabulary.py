"""A result, and what its captures are → the same in the words of their program's framework."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ..advice.text.catalogue import Sentence, category_help, category_title
from ..formats import Vocabulary
from ..tables import Cells, Scalar
from ..timeline.timeline import CATEGORIES
from ..tools import Result


def vocabulary_of(captures: Sequence[Vocabulary]) -> str:
    """The vocabulary that all captures share; empty, for the words of TensorFlow and JAX, where they differ."""
    shared = set(captures)
    return str(shared.pop()) if len(shared) == 1 and Vocabulary.TENSORFLOW not in shared else ""


def in_words_of(vocabulary: str, result: Result) -> Result:
    """The result in the terms of a vocabulary: summary, cells, reasons, findings and the titles of categories."""
    if not vocabulary:
        return result
    titles = {category.key: category_title(category.key, vocabulary) for category in CATEGORIES}
    return dataclasses.replace(
        result,
        summary={name: reworded(value, vocabulary) for name, value in result.summary.items()},
        tables={name: _table(columns, vocabulary) for name, columns in result.tables.items()},
        unknown={name: str(reworded(reason, vocabulary)) for name, reason in result.unknown.items()},
        findings=tuple(finding.in_words_of(vocabulary) for finding in result.findings),
        titles={key: title for key, title in titles.items() if title != category_title(key)},
    )


def reworded(value: Scalar, vocabulary: str) -> Scalar:
    """A sentence in the words of a vocabulary; any other value as it is."""
    return value.in_words_of(vocabulary) if isinstance(value, Sentence) else value


def _table(columns: dict[str, Cells], vocabulary: str) -> dict[str, Cells]:
    words: dict[str, Cells] = {
        name: [reworded(cell, vocabulary) for cell in cells]
        for name, cells in columns.items()
        if isinstance(cells, list) and any(isinstance(cell, Sentence) for cell in cells)
    }
    if {"category", "title", "help"} <= columns.keys():
        words["help"] = [category_help(str(key), vocabulary) for key in columns["category"]]
    return columns | words
