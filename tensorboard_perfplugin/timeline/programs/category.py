"""An XLA instruction → its category, as XLA's own profiles call it.

A TPU's capture gives the category of each instruction; those of other devices' programs are told here in the same
words: `loop fusion`, `data formatting`, `non-fusion elementwise`, `convolution base-dilated`, else the opcode.
"""

from __future__ import annotations

from .flops import ELEMENTWISE, FUNCTIONS
from .program import Program
from .reader import Instruction

_FUSIONS = {"kLoop": "loop fusion", "kInput": "input fusion", "kOutput": "output fusion", "kCustom": "custom fusion"}
#: What gives each element of its operand another place, or none.
_FORMATTING = ("transpose", "copy", "reshape", "dynamic-reshape")
_PER_ELEMENT = ("bitcast-convert", "map")
#: WindowDimension: dilation of the window, of the base.
_WINDOW_DILATION, _BASE_DILATION = 5, 6


def category(program: Program, one: Instruction) -> str:
    if one.opcode == "fusion":
        return _FUSIONS.get(one.kind, "fusion")
    if one.opcode in _FORMATTING:
        return "data formatting"
    if one.opcode in ELEMENTWISE or one.opcode in (*FUNCTIONS, *_PER_ELEMENT):
        return "non-fusion elementwise"
    if one.opcode == "convolution":
        windows = program.windows(one)
        base, window = (any(w.get(field, [1])[-1] > 1 for w in windows) for field in (_BASE_DILATION, _WINDOW_DILATION))
        return f"convolution{' base-dilated' * base}{' window-dilated' * window}"
    return one.opcode
