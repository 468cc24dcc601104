"""A rule as a row: a finding's code, the fact that decides, and the thresholds from which it is given and warns.

    RULES: tuple[Rule[[Merged]], ...] = (
        Rule("odd_sizes", odd_sizes, worth=ALIGNMENT_WORTH, warns=ALIGNMENT_MUCH),
        …
    )

A subject's rows stand in one tuple, in the order of their findings; `findings_of` applies them. `explained` reads the
thresholds of a code from its rows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, ParamSpec, TypeAlias

import msgspec

from ..messages import Param
from ..tables import Evidence, row_text
from ..threshold import Threshold
from .finding import Finding, Match, Severity

AnyThreshold: TypeAlias = Threshold[int] | Threshold[float]
Subject = ParamSpec("Subject")


class Proof(NamedTuple):
    """Where a finding is proved, and what a replay selects to see what its subject costs; as of `Finding`."""

    tool: str = ""
    search: str = ""
    match: Match = "text"
    evidence: tuple[Evidence, ...] = ()
    whatif: str = ""


#: On the trace's page, wherever.
TRACE = Proof("trace_viewer")


def table_row(column: str, evidence: tuple[Evidence, ...] = (), /, **key: float | str | None) -> Proof:
    """What the trace shows of a row. column: TOOL.TABLE.COLUMN of its table."""
    return Proof("trace_viewer", row_text(column, **key), "row", evidence)


class Fact(msgspec.Struct, frozen=True):
    """What a rule judges.

    share: of the time looked at, or None. size: what the thresholds are compared with, where it is not the share. code:
    which of the row's; else its first. severity: where thresholds do not decide it.
    """

    share: float | None
    params: Mapping[str, Param]
    proof: Proof = Proof()
    code: str = ""
    severity: Severity | None = None
    size: float | None = None


@dataclasses.dataclass(frozen=True)
class Rule(Generic[Subject]):
    """codes: that the facts may have; the first is that of a fact without one.

    fact: what is judged; nothing, or None, where there is nothing to judge. worth: from which size on it is a finding;
    every fact is one without. warns: from which size on it is a warning. limits: the thresholds by which the fact
    itself decides.
    """

    codes: str | tuple[str, ...]
    fact: Callable[Subject, Iterable[Fact] | Fact | None]
    worth: AnyThreshold | None = None
    warns: AnyThreshold | None = None
    severity: Severity = "note"
    limits: tuple[AnyThreshold, ...] = ()

    @property
    def thresholds(self) -> tuple[AnyThreshold, ...]:
        return tuple(each for each in (*self.limits, self.worth, self.warns) if each is not None)

    def gives(self, code: str) -> bool:
        return code in ((self.codes,) if isinstance(self.codes, str) else self.codes)

    def findings(self, *subject: Subject.args, **named: Subject.kwargs) -> Iterator[Finding]:
        facts = self.fact(*subject, **named)
        for fact in (facts,) if isinstance(facts, Fact) else facts or ():
            size = (fact.share if fact.size is None else fact.size) or 0.0
            if self.worth is None or size >= self.worth.value:
                warns = self.warns is not None and size >= self.warns.value
                yield self._finding(fact, fact.severity or ("warning" if warns else self.severity))

    def _finding(self, fact: Fact, severity: Severity) -> Finding:
        code = fact.code or (self.codes if isinstance(self.codes, str) else self.codes[0])
        if not self.gives(code):
            raise LookupError(f"{code} is not among the codes of its rule")
        return Finding(
            code=code,
            params=dict(fact.params),
            severity=severity,
            share=None if fact.share is None else min(fact.share, 1.0),
            **fact.proof._asdict(),
        )


def findings_of(rules: Iterable[Rule[Subject]], *subject: Subject.args, **named: Subject.kwargs) -> Iterator[Finding]:
    """What the rows give of a subject, in their order."""
    for rule in rules:
        yield from rule.findings(*subject, **named)
