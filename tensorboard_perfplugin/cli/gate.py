"""`perfplugin compare` and `perfplugin check-run`: conditions that fail a build, and reports of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from ..answers.encode import to_csv, to_json
from ..answers.ranges import NAMES
from ..tools import (
    OF_TWO,
    TOOLS,
    Answer,
    Condition,
    Outcome,
    Quantity,
    against,
    check_code,
    judged,
    listed,
    of_one,
    quantities,
    scalars,
    unlike,
)
from ..units import value
from .show import Style, answer_text, in_markdown, printable

if TYPE_CHECKING:
    from ..api import Profile

_ROWS = 10
_MARKS = {"passed": "ok", "failed": "FAIL", "noise": "ok", "unknown": "FAIL"}
Write = Callable[[str], None]


def add_arguments(parser: argparse.ArgumentParser, example: str, default_table: str) -> None:
    parser.add_argument(
        "--fail-if",
        dest="fail_if",
        action="append",
        default=[],
        metavar="CONDITION",
        help=f"{example}, `input_wait > 2 ms`, `finding:input_bound`; repeatable",
    )
    parser.add_argument("--strict", action="store_true", help="count changes that may be noise, too")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the whole answer as JSON, with what became of conditions")
    form.add_argument("--csv", action="store_true", help="a table as CSV, all rows and columns")
    form.add_argument("--markdown", action="store_true", help="a report for a pull request")
    form.add_argument("--junit", action="store_true", help="conditions as test cases, in JUnit's XML")
    parser.add_argument("--table", default="", metavar="TABLE", help=f"table for CSV; default: {default_table}")


def compare(args: argparse.Namespace, width: int, write: Write) -> int:
    from .. import api

    conditions = _parsed(args.fail_if)
    base, new = ({name: getattr(args, side + name) for name in NAMES} for side in ("base_", ""))
    ranges = {**new, **{f"base_{name}": text for name, text in base.items()}}
    answer = api.compare(args.base, args.new, steps_from=args.steps_from, **ranges)
    base = base if any(base.values()) else new
    known = quantities(answer)
    others = [c for c in conditions if c.sign and c.name not in known]
    codes = _codes([answer])
    if others or any(not c.sign for c in conditions):
        after = api.open(args.new)
        codes |= _codes(_answers(after, conditions, new))
        if others:
            # What the comparison gives stands: it knows of noise.
            before = scalars(_answers(api.open(args.base), others, base))
            tools = against(before, scalars(_answers(after, others, new)))
            known = (unlike(tools) if answer.result.summary["verdict"] == "unlike" else tools) | known
    return _report(answer, _outcomes(conditions, known, codes, args.strict), args, width, write)


def check_run(args: argparse.Namespace, profile: Profile, width: int, write: Write) -> int:
    conditions = _parsed(args.fail_if)
    from .. import api

    part = {name: getattr(args, name) for name in NAMES}
    answers = _answers(profile, conditions, part)
    known = scalars(answers)
    if any(c.sign and c.name not in known for c in conditions):
        known = of_one(quantities(api.compare(profile, profile, **part))) | known
    outcomes = _outcomes(conditions, known, _codes(answers), args.strict)
    return _report(answers[0], outcomes, args, width, write)


def _parsed(texts: Sequence[str]) -> list[Condition]:
    conditions = [Condition.parse(text) for text in texts]
    for each in conditions:
        if not each.sign:
            check_code(each, [tool.name for tool in listed()])
    return conditions


def _answers(profile: Profile, conditions: Sequence[Condition], part: Mapping[str, str | None]) -> list[Answer]:
    """The overview's, and of each tool that a condition names; a tool without data is left out. part: of the run."""
    names = {tool.name for tool in TOOLS if tool.name not in OF_TWO}
    wanted = {c.name.partition(".")[0] for c in conditions} & names
    return [profile.tool(name, **part) for name in dict.fromkeys(["overview", *sorted(wanted)])]


def _codes(answers: Sequence[Answer]) -> set[str]:
    """Of findings, alone and behind the name of their tool."""
    return {code for a in answers for f in a.result.findings for code in (f.code, f"{a.tool.name}.{f.code}")}


def _outcomes(
    conditions: Sequence[Condition], known: Mapping[str, Quantity], codes: Collection[str], strict: bool
) -> list[Outcome]:
    return [judged(condition, known, codes, strict) for condition in conditions]


def _report(answer: Answer, outcomes: Sequence[Outcome], args: argparse.Namespace, width: int, write: Write) -> int:
    if args.json:
        states = [{"condition": o.condition.text, "state": o.state, "said": o.detail} for o in outcomes]
        write(to_json({**answer.to_dict(), "conditions": states}) + "\n")
    elif args.csv:
        write(to_csv(answer, args.table or ("ops" if answer.tool.name in OF_TWO else ""), line_end="\n"))
    elif args.junit:
        write("\n".join(_junit(answer, outcomes)) + "\n")
    elif args.markdown:
        write("\n".join(comparison_markdown(answer, outcomes)) + "\n")
    else:
        lines = [f"{_MARKS[o.state].ljust(5)} {printable(o.condition.text)}: {printable(o.detail)}" for o in outcomes]
        text = answer_text(answer, width, Style.of(sys.stdout))
        write("\n\n".join(part for part in (text, "\n".join(lines)) if part) + "\n")
    return 1 if any(o.fails for o in outcomes) else 0


def _junit(answer: Answer, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The form that CI systems read: a suite, a case a condition."""
    failed = sum(o.fails for o in outcomes)
    suite = quoteattr(printable(f"perfplugin {answer.run}"))
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<testsuite name={suite} tests="{len(outcomes)}" failures="{failed}">'
    for each in outcomes:
        name, text = quoteattr(printable(each.condition.text)), printable(each.detail)
        inside = f"<failure message={quoteattr(text)}/>" if each.fails else f"<system-out>{escape(text)}</system-out>"
        yield f'  <testcase classname="perfplugin" name={name}>{inside}</testcase>'
    yield "</testsuite>"


def comparison_markdown(answer: Answer, outcomes: Sequence[Outcome] = ()) -> Iterator[str]:
    """Short enough for a comment on a pull request."""
    findings = answer.result.findings
    yield f"### {in_markdown(findings[0].title if findings else answer.run)}"
    yield ""
    if outcomes:
        yield "| condition | | seen |"
        yield "|---|---|---|"
        yield from (
            f"| {in_markdown(o.condition.text)} | {_MARKS[o.state]} | {in_markdown(o.detail)} |" for o in outcomes
        )
        yield ""
    yield from (f"* {in_markdown(finding.title)}" for finding in findings[1:])
    if "ops" in answer.result.tables and answer.tool.name in OF_TWO:
        yield ""
        yield from _changes(answer)


def _changes(answer: Answer) -> Iterator[str]:
    ops = answer.result.tables["ops"]
    yield "| what | before | after | change |"
    yield "|---|--:|--:|--:|"
    rows = zip(*(ops[name] for name in ("name", "category", "base_ms", "new_ms", "change_ms")), strict=True)
    for name, category, base, new, change in list(rows)[:_ROWS]:
        times = " | ".join(value(float(ms), "ms") for ms in (base, new, change))
        yield f"| {in_markdown(str(name) or f'{category}, shown by no event')} | {times} |"
