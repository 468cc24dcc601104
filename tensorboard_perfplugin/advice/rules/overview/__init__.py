"""Rules on a capture as a whole, and the order in which the findings of all subjects stand on its page."""

from .order import overview_findings

__all__ = ["overview_findings"]
