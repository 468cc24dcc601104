"""Text that is nearly JSON → what it says."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

_BAD_ESCAPE = re.compile(r'\\(?:u(?![0-9a-fA-F]{4})|(?!["\\/bfnrtu]))')


def repaired(piece: bytes) -> Any:
    """A JSON value: bad escapes, control characters, lone surrogates and NaN put right.

    None where that does not help.
    """
    text = piece.decode("utf-8", "replace")
    for attempt in (text, _BAD_ESCAPE.sub(r"\\\\", text)):
        try:
            return _clean(json.loads(attempt, strict=False))
        except (ValueError, RecursionError):
            continue
    return None


def _clean(value: Any) -> Any:
    """Without lone surrogates, which no text may hold, and numbers that JSON lacks."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(each) for key, each in value.items()}
    return value
