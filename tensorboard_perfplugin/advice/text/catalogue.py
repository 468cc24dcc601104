"""Every code of every subject, and the one renderer of them: code and parameters → words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from ...messages import Message, Params, params_from_json, params_to_json
from ...tables import Quality
from .compare import COMPARE
from .decode import CAPTURES, DECODE
from .functions import FUNCTIONS
from .hosts import COLLECTIVES, HOSTS
from .input import INPUT, STAGES
from .kernels import KERNEL_CAUSES, KERNELS
from .memory import MEMORY, SNAPSHOTS
from .ops import OPS
from .overview import OVERVIEW
from .programs import BUFFERS, INSTRUCTIONS, ROOFLINE
from .step_causes import STEP_CAUSES, STEP_PYTHON
from .step_programs import STEP_PROGRAMS
from .steps import CATEGORY_TITLES, STEP_RULES, STEPS
from .template import Text, render
from .tf_data import TF_DATA
from .trace import TRACE

#: The parameter that ends the title of any finding on a step's time: what of the critical path it is.
ON_PATH = "on_path"


class Words(NamedTuple):
    """What a code says, rendered."""

    title: str
    detail: str
    action: str


#: Code → what it says, a dictionary a subject.
SUBJECTS: dict[str, dict[str, Text]] = {
    "captures": CAPTURES,
    "compare": COMPARE,
    "decode": DECODE,
    "steps": STEPS,
    "step_causes": STEP_CAUSES,
    "step_python": STEP_PYTHON,
    "step_programs": STEP_PROGRAMS,
    "step_rules": STEP_RULES,
    "categories": CATEGORY_TITLES,
    "overview": OVERVIEW,
    "input": INPUT,
    "stages": STAGES,
    "tf_data": TF_DATA,
    "ops": OPS,
    "kernels": KERNELS,
    "kernel_causes": KERNEL_CAUSES,
    "memory": MEMORY,
    "snapshots": SNAPSHOTS,
    "instructions": INSTRUCTIONS,
    "buffers": BUFFERS,
    "functions": FUNCTIONS,
    "roofline": ROOFLINE,
    "hosts": HOSTS,
    "collectives": COLLECTIVES,
    "trace": TRACE,
}
CATALOGUE: dict[str, Text] = {code: text for subject in SUBJECTS.values() for code, text in subject.items()}


def words(code: str, params: Params, vocabulary: str = "") -> Words:
    """Title, detail and action of a code, in the words of a framework. Raises KeyError for an unknown code, or for a
    parameter that a template needs and that is absent."""

    def say(message: Message) -> str:
        return sentence(message, vocabulary)

    title, detail, action = (render(template, params, say).strip() for template in CATALOGUE[code].of(vocabulary))
    on_path = params.get(ON_PATH)
    if isinstance(on_path, Message):
        part = words(on_path.code, on_path.params, vocabulary)
        title, detail = f"{title}; {part.title}", f"{detail} {part.detail}".strip()
    return Words(title, detail, action)


def sentence(message: Message, vocabulary: str = "") -> str:
    """The title of a message's code: a sentence, or a part of one."""
    return words(message.code, message.params, vocabulary).title


def category_title(key: str, vocabulary: str = "") -> str:
    """What a category of a step's time is called, as the title of a column or a row."""
    return words(f"category.{key}", {}, vocabulary).title


def category_help(key: str, vocabulary: str = "") -> str:
    """The definition of a category of a step's time."""
    return words(f"category.{key}", {}, vocabulary).detail


class Sentence(str):
    """What a code says, as text that still knows its code and parameters: a reason, a warning, a cell.

    It is rendered in the words of TensorFlow and JAX until `in_words_of` renders it in another framework's.
    """

    code: str
    params: Params
    __slots__ = ("code", "params")

    def __new__(cls, code: str, params: Params | None = None, vocabulary: str = "") -> Sentence:
        self = super().__new__(cls, sentence(Message(code, params or {}), vocabulary))
        self.code, self.params = code, params or {}
        return self

    @classmethod
    def of(cls, message: Message) -> Sentence:
        return cls(message.code, message.params)

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.code, self.params)

    def in_words_of(self, vocabulary: str) -> Sentence:
        return Sentence(self.code, self.params, vocabulary)


# What became of a capture's events, in words, beside the codes.


class QualityInWords(msgspec.Struct, frozen=True):
    """dropped: number of events by why, in words. warnings: sentences. *_codes: the same as codes."""

    events_in_file: int
    events_kept: int
    dropped: dict[str, int]
    warnings: tuple[str, ...]
    dropped_codes: dict[str, int]
    warning_codes: tuple[Message, ...]

    @classmethod
    def of(cls, quality: Quality) -> QualityInWords:
        return cls(
            quality.events_in_file,
            quality.events_kept,
            {sentence(Message(code)): count for code, count in quality.dropped.items()},
            tuple(map(sentence, quality.warnings)),
            quality.dropped,
            quality.warnings,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `quality_from` reads it."""
        codes = [{"code": each.code, "params": params_to_json(each.params)} for each in self.warning_codes]
        return {**structs.asdict(self), "warnings": list(self.warnings), "warning_codes": codes}


def quality_from(data: Mapping[str, Any]) -> Quality:
    """What `to_dict` was made of. Raises KeyError, TypeError or AttributeError for anything else."""
    warnings = tuple(Message(each["code"], params_from_json(each["params"])) for each in data["warning_codes"])
    return Quality(data["events_in_file"], data["events_kept"], dict(data["dropped_codes"]), warnings)
