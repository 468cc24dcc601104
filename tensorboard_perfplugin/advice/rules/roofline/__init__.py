"""Rules on a roofline: how near a step is to it, and what limits it."""

from .answer import roofline_findings

__all__ = ["roofline_findings"]
