"""Codes → sentences: the catalogue of all that findings, reasons and warnings say, and the one renderer."""

from __future__ import annotations

from .catalogue import CATALOGUE, SUBJECTS, Sentence, Words, category_help, category_title, sentence, words
from .doctor import DIAGNOSES, MORE
from .entry import VOCABULARIES, Text, Variant
from .machine import MACHINE_LINES, State
from .quality import QualityInWords, quality_from
from .template import fields, render

__all__ = [
    "CATALOGUE",
    "DIAGNOSES",
    "MACHINE_LINES",
    "MORE",
    "SUBJECTS",
    "VOCABULARIES",
    "QualityInWords",
    "Sentence",
    "State",
    "Text",
    "Variant",
    "Words",
    "category_help",
    "category_title",
    "fields",
    "quality_from",
    "render",
    "sentence",
    "words",
]
