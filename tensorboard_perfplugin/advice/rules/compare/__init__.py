"""Rules on two runs: whether a step changed beyond noise, what accounts for it, and what makes sides unlike."""

from .changed import compare_findings

__all__ = ["compare_findings"]
