"""Every code of every subject, and the one renderer of them: code and parameters → words."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...messages import Message, Params
from .collectives import COLLECTIVES
from .compare.changes import COMPARE
from .decode import CAPTURES, DECODE
from .device.memory import MEMORY
from .device.snapshots import SNAPSHOTS
from .entry import Text
from .functions import FUNCTIONS
from .hosts import HOSTS
from .input import INPUT
from .kernel_causes import KERNEL_CAUSES
from .kernels import KERNELS
from .ops import OPS
from .overview import OVERVIEW
from .programs.buffers import BUFFERS
from .programs.instructions import INSTRUCTIONS
from .programs.roofline import ROOFLINE
from .stages import STAGES
from .step_causes import STEP_CAUSES
from .step_programs import STEP_PROGRAMS
from .step_python import STEP_PYTHON
from .step_rules import STEP_RULES
from .steps import CATEGORY_TITLES, STEPS
from .template import render
from .tf_data import TF_DATA
from .trace import TRACE


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

    return Words(*(render(template, params, say).strip() for template in CATALOGUE[code].of(vocabulary)))


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

    It is said in the words of TensorFlow and JAX until `in_words_of` says it in another framework's.
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
