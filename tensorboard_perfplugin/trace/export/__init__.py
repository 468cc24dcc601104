"""Timelines → a document of Chrome's trace-event JSON, a piece at a time."""

from .export import OPTIONS, Plan, document, file_name, has_events, look, nothing, plan, seen

__all__ = [
    "OPTIONS",
    "Plan",
    "document",
    "file_name",
    "has_events",
    "look",
    "nothing",
    "plan",
    "seen",
]
