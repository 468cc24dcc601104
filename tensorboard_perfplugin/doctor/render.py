"""A template and its parameters → a sentence.

`{name}` is a parameter as it is, `{n:count file}` 1 file or 3 files (`{n:count launch|launches}` with the plural),
`{size:bytes}` 12 bytes or 1.20 MB. What stands in square brackets is left out where one of its parameters is None;
`\\[` is a bracket. Parameters are never looked at for any of this: names of files come out as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | None

_SEGMENT = re.compile(r"\\\[|\[([^\[\]]*)\]")
_FIELD = re.compile(r"\{(\w+)(?::(\w+) ?([^{}]*))?\}")


def render(template: str, params: Mapping[str, Scalar]) -> str:
    """The sentence. Raises KeyError for a parameter that is missing."""

    def kept(segment: re.Match[str]) -> str:
        if segment[1] is None:
            return "["
        return segment[1] if all(params[field[1]] is not None for field in _FIELD.finditer(segment[1])) else ""

    return _FIELD.sub(lambda field: _shown(params[field[1]], field[2], field[3]), _SEGMENT.sub(kept, template))


def _shown(value: Scalar, form: str | None, words: str) -> str:
    if form is None:
        return str(value)
    assert isinstance(value, int), f"{value!r} as {form}"
    if form == "count":
        return counted(value, *words.split("|"))
    assert form == "bytes", form
    return counted(value, "byte") if value < 10_000 else f"{value / 1e6:,.2f} MB"


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
