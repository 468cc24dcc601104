"""Codes → sentences: the catalogue of all that findings, reasons and warnings say, and the one renderer."""

from __future__ import annotations

from .catalogue import CATALOGUE, SUBJECTS, Sentence, Words, category_help, category_title, sentence, words
from .entry import VOCABULARIES, Text, Variant
from .template import fields, render

__all__ = [
    "CATALOGUE",
    "SUBJECTS",
    "VOCABULARIES",
    "Sentence",
    "Text",
    "Variant",
    "Words",
    "category_help",
    "category_title",
    "fields",
    "render",
    "sentence",
    "words",
]
