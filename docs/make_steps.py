"""`python docs/make_steps.py`: writes the tables of docs/steps.md anew, from what the code declares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tensorboard_perfplugin.advice.rules.steps import CAUSES
from tensorboard_perfplugin.timeline import CATEGORIES, RULES
from tensorboard_perfplugin.units import percent

PAGE = Path(__file__).parent / "steps.md"


def main() -> None:
    PAGE.write_text(made(PAGE.read_text()))


def made(text: str) -> str:
    """The page with its tables as the code has them."""
    titles = {c.key: c.title for c in CATEGORIES}
    tables = {
        "rules": table(("rule", "goes by"), ((f"`{rule.name}`", rule.title) for rule in RULES)),
        "categories": table(
            ("category", "key", "definition"), ((c.title, f"`{c.key}`", c.help.replace("|", "\\|")) for c in CATEGORIES)
        ),
        "causes": table(
            ("what it looks at", "first from"),
            ((", ".join(titles[key] for key in cause.keys), percent(cause.bound.value)) for cause in CAUSES),
        ),
    }
    for name, rows in tables.items():
        before, _, after = text.partition(f"<!-- {name} -->\n")
        text = f"{before}<!-- {name} -->\n{rows}{after[after.index('<!-- end -->') :]}"
    return text


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    main()
