"""What one code says: templates for title, detail and action, their variants by vocabulary, and examples."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from ...messages import Params

#: Vocabulary → the one whose words it takes where it has none of its own; "" are the words of TensorFlow and JAX.
#: `pytorch`: Kineto; `any`: trace events of any program; `nvtx`: databases of Nsight Systems and nvprof; `roctx`:
#: those of rocprofv3; `emit_nvtx`: NVTX, with PyTorch's operators; `tool_files`: what TensorFlow computed when it
#: captured; `tf1`: TensorFlow before its profiler had levels, in three formats.
VOCABULARIES = {
    "pytorch": "",
    "any": "",
    "nvtx": "any",
    "roctx": "nvtx",
    "emit_nvtx": "pytorch",
    "tool_files": "",
    "tf1": "",
    "trace_proto": "tf1",
    "run_metadata": "tf1",
    "tf1_timeline": "run_metadata",
}


@dataclasses.dataclass(frozen=True)
class Variant:
    """What another vocabulary says instead; None is what the entry says."""

    title: str | None = None
    detail: str | None = None
    action: str | None = None


@dataclasses.dataclass(frozen=True)
class Text:
    """title: a sentence, or a part of one. detail: why, and what else is known. action: what to do.

    when: of a finding, in one sentence what must hold for it to be given; unless: when it is not given all the same.
    examples: parameters of at least one case; together they show every bracket.
    example: a capture that gives the finding, where one is known: a folder of tests/samples, or a row of
    docs/public_captures.md.
    """

    title: str
    detail: str = ""
    action: str = ""
    variants: Mapping[str, Variant] = dataclasses.field(default_factory=dict)
    when: str = ""
    unless: str = ""
    examples: tuple[Params, ...] = ({},)
    example: str = ""

    def of(self, vocabulary: str) -> tuple[str, str, str]:
        """The templates of title, detail and action."""
        parts: dict[str, str] = {}
        while vocabulary:
            if variant := self.variants.get(vocabulary):
                own = {name: text for name, text in dataclasses.asdict(variant).items() if text is not None}
                parts = own | parts
            vocabulary = VOCABULARIES.get(vocabulary, "")
        return parts.get("title", self.title), parts.get("detail", self.detail), parts.get("action", self.action)
