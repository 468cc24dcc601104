"""What numbers mean: findings, the rules that make them, and their words."""

from .finding import Finding, by_choice
from .threshold import Declared, Threshold, declared

__all__ = [
    "Declared",
    "Finding",
    "Threshold",
    "by_choice",
    "declared",
]
