"""A person's regular expression → a test of names that no text can make slow."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from ...errors import ArgumentError

#: Bounds that keep a hostile expression from holding the server: one match tries at most about 200⁴ ÷ 24 ways, 1 s.
PATTERN_MAX, CHOICES_MAX, TEXT_MAX, SECONDS_MAX = 200, 3, 200, 1.0


def name_matcher(text: str, option: str) -> Callable[[str], bool]:
    """Whether an expression is found in a name's first 200 characters; upper and lower case are the same.

    option: what the expression was given as, for messages. Raises ArgumentError for an expression that is none or may
    take too long; the test raises it once it has taken a second in all.
    """
    _bounded(text, option)
    try:
        pattern = re.compile(text, re.IGNORECASE)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise ArgumentError(f"{option}={text[:80]!r}: not a regular expression: {error}") from None
    return _timed(lambda name: pattern.search(name[:TEXT_MAX]) is not None, option)


def _timed(matches: Callable[[str], bool], option: str) -> Callable[[str], bool]:
    until = time.monotonic() + SECONDS_MAX

    def within(name: str) -> bool:
        if time.monotonic() > until:
            raise ArgumentError(f"{option}: the expression takes longer than {SECONDS_MAX:g} s; give a simpler one")
        return matches(name)

    return within


def _bounded(pattern: str, option: str) -> None:
    """Refuse what backtracks without bound: repetition of a group, back-references, many repetitions in a row.

    Comments, and the blanks of verbose expressions, would hide these: they are refused, too.
    """
    plain = re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", "x", pattern, flags=re.DOTALL)
    choices = len(re.findall(r"[*+?{]\??", re.sub(r"\(\?", "(", plain))) + plain.count("(") * ("|" in plain)
    if len(pattern) > PATTERN_MAX:
        raise ArgumentError(f"{option}: an expression of {len(pattern)} characters; the maximum is {PATTERN_MAX}")
    if re.search(r"\(\?(?:#|[A-Za-z-]*x)", pattern):
        raise ArgumentError(f"{option}: comments and verbose expressions, (?#…) and (?x), are not accepted")
    if re.search(r"\)[*+?{]|\(\?P=|\(\?\(", plain) or re.search(r"\\[1-9]", pattern):
        raise ArgumentError(f"{option}: repeated groups and back-references are not accepted")
    if choices > CHOICES_MAX:
        raise ArgumentError(f"{option}: more than {CHOICES_MAX} repetitions; give a simpler expression")
