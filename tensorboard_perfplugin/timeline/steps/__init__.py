"""A timeline → its steps, by the first of several rules that holds, or by the one that a person names."""

from ._find import RULES, Rule, find
from ._model import Cut, Steps, none

__all__ = ["RULES", "Cut", "Rule", "Steps", "find", "none"]
