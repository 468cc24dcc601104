"""A page is headed by its worst finding, the overview by the worst of all pages, on samples and real captures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tensorboard_perfplugin.advice.finding import SEVERITIES, Finding
from tensorboard_perfplugin.analysis.steps.summary import COMPUTES
from tests.tools.every.pages import SAMPLES, Page, all_pages

#: The first of a page may be this, though a note follows: steps that compute, as they should.
WELL = ("computes", "computes.no_op")
#: From this part of a step on a note says more than that it computes.
HALF = 0.5
#: From this part of a step on what the page of kernels warns of is a warning on the overview, too.
WARNS = 0.3
#: What the page of kernels warns of, and the overview says by its causes: of launches, and of copies.
BY_CAUSE = ("kernels_short", "copies_slow")
#: A full memory is no fault of a program that fits.
OF_MEMORY = "memory_nearly_full"


def rank(finding: Finding) -> int:
    return SEVERITIES.index(finding.severity)


def worst(findings: Iterable[Finding]) -> int:
    return min(map(rank, findings))


def misled(page: Page) -> bool:
    """Whether a page is headed by less than its worst finding."""
    findings = page.result.findings
    if not findings or rank(findings[0]) == worst(findings):
        return False
    return page.tool != "overview" or findings[0].code not in WELL or worst(findings) == 0


def computing(overview: Page) -> float:
    """The part of a step in which devices compute; 1 where no step is known, which is the most it can be."""
    split = overview.result.tables["split"]
    shares = dict(zip(split["category"], split["share"], strict=True))
    return sum(float(shares[key] or 0.0) for key in COMPUTES if key in shares) if shares else 1.0


def concerns(page: Page, finding: Finding, overview: Page) -> bool:
    """Whether a page's warning is to be seen in the heading of the overview."""
    if finding.severity != "warning" or finding.code.startswith((*BY_CAUSE, OF_MEMORY)):
        return False
    return page.tool != "kernel_stats" or (finding.share or 0.0) * computing(overview) >= WARNS


def check(*roots: Path) -> tuple[list[str], int]:
    """What is headed by less than it should be, and how many answers were looked at."""
    wrong, seen = [], 0
    for pages in all_pages(*roots):
        seen += sum(bool(page.result.findings) for page in pages.values())
        wrong += [f"{page.file}: {page.tool}" for page in pages.values() if misled(page)]
        overview = pages.get("overview")
        if overview is None or not overview.result.findings:
            continue
        first = overview.result.findings[0]
        for page in pages.values():
            found = [f.code for f in page.result.findings if concerns(page, f, overview)]
            if found and rank(first) > 0:
                wrong.append(f"{page.file}: the overview says {first.code}, {page.tool} warns of {found[0]}")
        large = [
            f for f in overview.result.findings if f.code in ("wide_precision", "launch_bound", "python_tracer_costs")
        ]
        if first.code in WELL and any((f.share or 0.0) >= HALF for f in large):
            wrong.append(f"{overview.file}: a note on half of a step follows {first.code}")
    return wrong, seen


def test_of_samples() -> None:
    wrong, seen = check(SAMPLES)
    assert wrong == []
    assert seen > 40


@pytest.mark.slow
def test_of_shared_captures(shared_captures: Path) -> None:
    wrong, seen = check(shared_captures)
    assert wrong == []
    assert seen > 400
