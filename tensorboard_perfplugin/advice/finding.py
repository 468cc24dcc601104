"""What an answer means: a finding. Its words come from its code and its parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias
from urllib.parse import quote

import msgspec
from msgspec import structs

from ..messages import Params, params_from_json, params_to_json
from ..patterns import regex
from ..tables import Evidence, Options
from .text.catalogue import words

Severity: TypeAlias = Literal["info", "note", "warning"]
#: What matters most first.
SEVERITIES: tuple[Severity, ...] = ("warning", "note", "info")
Match: TypeAlias = Literal["text", "exact", "regex", "row"]


#: In a name, what a selection of `whatif` has another meaning for, or leaves out at its ends.
_SPECIAL = regex(r"[;=\[]|[^\S ]|^ | $")
#: So long a part of one may be.
_LONGEST = 200


def selection_of(kind: str, name: str) -> str:
    """What selects that name, of a kind that the tool `whatif` knows; empty where it is too long."""
    # A part may end in `=0.5`.
    text = f"{kind}:{_SPECIAL.sub('?', name)}"
    return text if len(text) + len("=0.5") <= _LONGEST else ""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer means.

    code, params: of its entry in `advice.text`, which says it. share: of the time looked at, 0 to 1, or None. title,
    detail, action: the words, in the terms of TensorFlow and JAX until `in_words_of` says it in another framework's.
    tool: name of the tool whose page proves it. search: what to search for there, as `match` says: a text that
    names hold, just that name, an expression, or a row of a table (`TableSpec.proved`). whatif: what the tool `whatif`
    may leave out or scale to say what the subject costs a step, in its own form; empty where it can select none.
    """

    code: str
    params: Params = msgspec.field(default_factory=dict)
    severity: Severity = "info"
    share: float | None = None
    title: str = ""
    detail: str = ""
    action: str = ""
    tool: str = ""
    evidence: tuple[Evidence, ...] = ()
    search: str = ""
    match: Match = "text"
    whatif: str = ""

    def __post_init__(self) -> None:
        if not self.title:
            self._say("")

    def _say(self, vocabulary: str) -> None:
        for name, text in words(self.code, self.params, vocabulary)._asdict().items():
            structs.force_setattr(self, name, text)

    def changed(self, **changes: Any) -> Finding:
        """The same with other fields, rendered anew."""
        return structs.replace(self, **{"title": ""} | changes)

    def in_words_of(self, vocabulary: str) -> Finding:
        """The same, rendered in the words of a framework."""
        copy = structs.replace(self)
        copy._say(vocabulary)
        return copy

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `from_dict` reads it."""
        evidence = tuple(dataclasses.asdict(each) for each in self.evidence)
        return structs.asdict(self) | {"evidence": evidence, "params": params_to_json(self.params)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Finding:
        """Raises KeyError, TypeError or AttributeError for what `to_dict` did not give."""
        evidence = tuple(Evidence(**each) for each in data["evidence"])
        return cls(**{**data, "evidence": evidence, "params": params_from_json(data["params"])})


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The most severe first: it heads its page. Of equal severity as they come."""
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))


def by_severity(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The most severe first, of equal severity by share, of equal share as they come."""
    return worst_first(sorted(findings, key=lambda finding: -(finding.share or 0)))


def with_steps_option(findings: Iterable[Finding], options: Options) -> tuple[Finding, ...]:
    """Findings; those that lead to rows of steps lead to those of the chosen steps."""
    # Here, since most pages have findings and no steps.
    from ..analysis.steps.means import STEPS_FROM

    choice = str(options.get(STEPS_FROM.name, STEPS_FROM.default))
    suffix = "" if choice == STEPS_FROM.default else f"&{STEPS_FROM.name}={quote(choice, safe='')}"
    return tuple(
        structs.replace(f, search=f.search + suffix) if f.search.startswith("overview.split.") else f for f in findings
    )


# How many of a kind a finding names, or leads to, before it counts the rest or leaves them to a table.

#: Hosts, or devices, by name alone.
NAMES = 16
#: Beside the first of its kind: ops, pipelines, parts of a step; and slow workers.
OTHERS = 3
#: Captures that several hosts hold, of which each has its sentence.
COPIES = 3
#: Parts that have a number each: kinds of memory, events that repeat.
PARTS = 8
#: Heavy kernels, of which each has its sentence.
KERNELS = 3
#: Steps in the trace, and stretches or steps of one host.
STEPS, PLACES = 3, 5
