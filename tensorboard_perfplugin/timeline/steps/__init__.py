"""A timeline → its steps, by the first of several rules that holds, or by the one that a person names."""

from .families import UNRELATED
from .find import RULES, Rule, find, step_rule
from .model import MARKED, Confidence, Cut, OtherLoop, Own, Steps, none
from .recorded import recorded_tracks

__all__ = [
    "MARKED",
    "RULES",
    "UNRELATED",
    "Confidence",
    "Cut",
    "OtherLoop",
    "Own",
    "Rule",
    "Steps",
    "find",
    "none",
    "recorded_tracks",
    "step_rule",
]
