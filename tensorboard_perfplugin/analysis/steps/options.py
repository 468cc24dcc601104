"""What may be chosen of steps."""

from __future__ import annotations

from ...tables import Option
from ...threshold import CHOSEN, Threshold
from ...timeline import RULES

#: A step that takes more than so many medians is slow.
SLOW = Threshold(
    "slow step",
    2,
    "times",
    "a whole step is slow if it takes more than so many times the median; of two, the first, if it takes so many times "
    "the second",
    CHOSEN,
)
_RULES = ", ".join(f"`{rule.name}`" for rule in RULES)
STEPS_FROM = Option(
    "steps_from",
    "text",
    "auto",
    f"How to find steps: `auto` (the first rule that holds), a rule ({_RULES}), the name of an event, or a "
    "/regular expression/ over event names; each such event begins a step.",
    offers=("auto", *(rule.name for rule in RULES)),
)

SPLIT_OF = Option(
    "split_of",
    "text",
    "all",
    f"Of which steps the split is the mean: `all` that count, the `slow` ones that take more than {SLOW.value} × the "
    "median, or the `typical` ones that do not.",
    choices=("all", "typical", "slow"),
)
