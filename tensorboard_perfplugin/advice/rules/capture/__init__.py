"""Rules on what captures hold and lack."""

from .losses import not_shown, reported

__all__ = ["not_shown", "reported"]
