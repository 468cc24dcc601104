"""What numbers mean: findings, the rules that make them, and their words."""

from .finding import Finding, by_choice, worst_first

__all__ = ["Finding", "by_choice", "worst_first"]
