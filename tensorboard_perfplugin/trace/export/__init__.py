"""Timelines → a document of Chrome's trace-event JSON, or one of their XLA programs as a file, a piece at a time."""

from .export import OPTIONS, Plan, document, file_name, has_events, look, nothing, packets, plan, seen
from .program import (
    FORMS,
    PROGRAM_OPTIONS,
    held_programs,
    meant_program,
    message_of,
    program_chunks,
    program_name,
)

__all__ = [
    "FORMS",
    "OPTIONS",
    "PROGRAM_OPTIONS",
    "Plan",
    "document",
    "file_name",
    "has_events",
    "held_programs",
    "look",
    "meant_program",
    "message_of",
    "nothing",
    "packets",
    "plan",
    "program_chunks",
    "program_name",
    "seen",
]
