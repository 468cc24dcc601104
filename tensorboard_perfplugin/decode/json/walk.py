"""`scan.py` without a compiler: the same loops, from bracket to quote by a regular expression."""

from __future__ import annotations

import re
from typing import TypeAlias

from ...patterns import regex
from ...tables import I64

Text: TypeAlias = bytes | bytearray | memoryview

_MARK = regex(rb'["{}\[\],]')
_MARK_OR_END = regex(rb'["{}\[\],:\s]')
_QUOTE = regex(rb'[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def value_end(data: Text, begin: int, end: int) -> int:
    depth, at = 0, begin
    while match := (_MARK if depth else _MARK_OR_END).search(data, at, end):
        place, letter = match.start(), match[0]
        at = match.end()
        if letter == b'"':
            if not depth and place > begin:
                return place
            quote = _QUOTE.match(data, at, end)
            if quote is None:
                return -1
            at = quote.end()
            if not depth:
                return at
        elif letter in b"{[":
            depth += 1
        elif letter in b"}]":
            depth -= 1
            if depth <= 0:
                return at if depth == 0 else place
        elif not depth:
            return place
    return -1 if depth else end


def elements(data: Text, begin: int, end: int, every: int, cuts: I64, state: I64) -> int:
    depth, count, last, whole, at = 0, 0, begin, begin, begin
    state[0] = 0
    while match := _MARK.search(data, at, end):
        place, letter = match.start(), match[0]
        at = match.end()
        if letter == b'"':
            quote = _QUOTE.match(data, at, end)
            if quote is None:
                break
            at = quote.end()
        elif letter in b"{[":
            depth += 1
        elif letter in b"}]":
            if not depth:
                state[0], whole = 1, place
                break
            depth -= 1
            whole = whole if depth else at
        elif not depth:
            whole = place
            if place - last >= every:
                cuts[count] = last = place
                count += 1
                if count == len(cuts):
                    state[0] = 2
                    break
    state[1] = whole
    return count
