"""The text of an XLA instruction that ends something asynchronous → the name of the one that began it."""

from __future__ import annotations

import re

#: `%copy-done.2 = … copy-done(… %copy-start.1)`.
_DONE = re.compile(r"%?([\w-]+)-done((?:\.\d+)*)(?= =|$)")
_OPERAND = re.compile(r"%([\w-]+-start(?:\.\d+)*)\)")
_HEAD = 2000


def begun_by(text: str) -> str:
    """By its operand, else by its own name; empty for what ends nothing."""
    name = _DONE.match(text[:_HEAD])
    if name is None:
        return ""
    operand = _OPERAND.search(text[:_HEAD])
    return operand[1] if operand else f"{name[1]}-start{name[2]}"


def named(text: str) -> str:
    """What such texts call an instruction."""
    return text[:_HEAD].partition(" = ")[0].removeprefix("%")
