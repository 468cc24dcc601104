"""The texts by which collectors describe copies and fills → their numbers.

`memcpy_details`: `kind_src:pageable kind_dst:device size:8 dest:0 async:1`, older without the kinds. `memset_details`:
`kind:device num_bytes:8 async:1`. What is absent, no number, or contradicted is None.
"""

from __future__ import annotations

from typing import NamedTuple

#: The longest that a collector writes has 120 letters.
_HEAD = 1000
_MOST = (1 << 63) - 1


class CopyDetails(NamedTuple):
    """What a copy or a fill moved. A fill has no source."""

    source: str | None = None
    destination: str | None = None
    size: int | None = None
    device: int | None = None
    is_async: bool | None = None


def copy_details(text: str) -> CopyDetails:
    """A copy's or a fill's; `kind` alone is what a fill writes."""
    facts = _facts(text)
    flag = facts.get("async")
    return CopyDetails(
        _word(facts.get("kind_src")),
        _word(facts.get("kind_dst")) or _word(facts.get("kind")),
        _number(facts, "size", "num_bytes"),
        _number(facts, "dest"),
        flag == "1" if flag in ("0", "1") else None,
    )


def _facts(text: str) -> dict[str, str | None]:
    """Key → value; None where two values contradict each other."""
    facts: dict[str, str | None] = {}
    for token in text[:_HEAD].split():
        key, _, value = token.partition(":")
        facts[key] = value if facts.get(key, value) == value else None
    return facts


def _number(facts: dict[str, str | None], *keys: str) -> int | None:
    return next((number for key in keys if (number := _whole(facts.get(key))) is not None), None)


def _whole(value: str | None) -> int | None:
    if value and value.isascii() and value.isdecimal() and len(value) < 20 and (number := int(value)) <= _MOST:
        return number
    return None


def _word(value: str | None) -> str | None:
    """A kind of memory, in lower case: pageable, pinned, device, array, managed …"""
    word = (value or "").lower()
    return None if word in ("", "unknown", "invalid") else word
