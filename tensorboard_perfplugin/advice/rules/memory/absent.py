"""Why a capture holds no memory events → a finding."""

from __future__ import annotations

from ....messages import Message
from ...finding import Finding


def no_memory(reason: Message) -> Finding:
    return Finding(code="no_memory_events", params={"reason": reason}, severity="note")
