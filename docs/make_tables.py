"""`python docs/make_tables.py`: rewrites the tables between markers in docs/*.md from the code's declarations.

A table stands between `<!-- NAME -->` and `<!-- end -->` in the page that `PAGES` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tensorboard_perfplugin.advice.rules.steps.verdict import CAUSES
from tensorboard_perfplugin.advice.text.catalogue import sentence
from tensorboard_perfplugin.timeline.names.kernels import TENSOR_CORE_RULES, TensorCoreRule
from tensorboard_perfplugin.timeline.steps.find import RULES
from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tensorboard_perfplugin.units import percent

DOCS = Path(__file__).parent
#: Page → its tables.
PAGES = {
    "steps.md": ("rules", "categories", "causes"),
    "kernel_stats.md": ("tensor_cores",),
}
_ANSWER = {True: "yes", False: "no", None: "unknown"}


def main() -> None:
    for name in PAGES:
        page = DOCS / name
        page.write_text(page_with_tables(name, page.read_text()))


def page_with_tables(page: str, text: str) -> str:
    """The text of a page with its tables as the code has them."""
    tables = declared_tables()
    for name in PAGES[page]:
        before, _, after = text.partition(f"<!-- {name} -->\n")
        text = f"{before}<!-- {name} -->\n{tables[name]}{after[after.index('<!-- end -->') :]}"
    return text


def declared_tables() -> dict[str, str]:
    titles = {c.key: c.title for c in CATEGORIES}
    return {
        "rules": table(("rule", "based on"), ((f"`{rule.name}`", sentence(rule.title)) for rule in RULES)),
        "categories": table(("category", "key", "definition"), ((c.title, f"`{c.key}`", c.help) for c in CATEGORIES)),
        "causes": table(
            ("categories", "threshold"),
            ((", ".join(titles[key] for key in cause.keys), percent(cause.bound.value)) for cause in CAUSES),
        ),
        "tensor_cores": table(
            ("name contains", "vendor", "uses them", "multiplies", "kernels"), map(tensor_core_row, tensor_core_rules())
        ),
    }


def tensor_core_rules() -> list[TensorCoreRule]:
    """The rules of both vendors in one order that keeps the order of each."""
    left = [list(TENSOR_CORE_RULES[vendor]) for vendor in ("nvidia", "amd")]
    merged: list[TensorCoreRule] = []
    while any(left):
        # A rule comes when no vendor has another one to ask before it.
        rule = next(rules[0] for rules in left if rules and all(rules[0] not in others[1:] for others in left))
        left = [rules[1:] if rules[:1] == [rule] else rules for rules in left]
        merged.append(rule)
    return merged


def tensor_core_row(rule: TensorCoreRule) -> tuple[str, ...]:
    nvidia, amd = (rule in TENSOR_CORE_RULES[vendor] for vendor in ("nvidia", "amd"))
    tokens = " ".join(f"`{token}`" for token in rule.tokens) + ("; and a pattern" if rule.pattern else "")
    vendor = "both" if nvidia and amd else "NVIDIA" if nvidia else "AMD"
    return tokens, vendor, _ANSWER[rule.uses], _ANSWER[rule.multiplies], rule.why


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    main()
