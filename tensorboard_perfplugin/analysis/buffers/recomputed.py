"""A temporary buffer of an XLA program → whether computing it again would be cheap, and free memory at the peak.

It would where its producer only broadcasts, counts (iota) or computes element by element, also as a fusion of such;
where it lives over a quarter of the program or more, and beyond the peak on both sides, at which nothing uses it; where
less is live when it is used last; and where all that it is computed from is still there then.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...threshold import Threshold
from ...timeline import Placed, Program
from .ranges import Order

LONG = Threshold(
    "long",
    0.25,
    "share",
    "a buffer that lives for less of the program's instructions is used where it is made: nothing frees its memory "
    "in between",
    "forward and backward pass lie half of the program apart",
)
_BROADCASTS = ("broadcast", "iota")
_ELEMENTWISE = frozenset(
    (
        *("add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "negate", "abs", "sign"),
        *("and", "or", "xor", "not", "compare", "select", "clamp", "convert", "is-finite", "reduce-precision"),
        *("floor", "ceil", "round-nearest-afz", "round-nearest-even", "real", "imag", "complex", "popcnt"),
        *("shift-left", "shift-right-arithmetic", "shift-right-logical", "count-leading-zeros", "power", "atan2"),
        *("exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "tanh", "tan", "sine", "cosine"),
        *("sqrt", "rsqrt", "cbrt", "erf", "bitcast-convert"),
    )
)
_FREE = ("parameter", "constant", "bitcast", "reshape", "tuple", "get-tuple-element")
_VIEWS = ("bitcast", "get-tuple-element", "copy-done")
#: Instructions of a fusion that are looked at; steps back through views.
_MOST, _MAX_STEPS = 1000, 20


def cheap(program: Program, placed: Placed) -> str:
    """`broadcast`, `iota` or `elementwise`, else empty."""
    one = placed.instruction
    if one.opcode in _BROADCASTS:
        return one.opcode
    if one.opcode in _ELEMENTWISE:
        return "elementwise"
    inner = program.computations.get(one.called[0]) if one.opcode == "fusion" and one.called else None
    if inner is None or len(inner.instructions) > _MOST:
        return ""
    codes = {each.opcode for each in inner.instructions.values()} - set(_FREE)
    if not codes or not codes <= {*_BROADCASTS, *_ELEMENTWISE}:
        return ""
    return "elementwise" if codes - set(_BROADCASTS) else "iota" if codes == {"iota"} else "broadcast"


def frees(order: Order, place: tuple[int, int], peak: int, ends: Mapping[int, int]) -> bool:
    """Whether its memory would be free at the peak. place: of its first and its last instruction; ends: until where
    what an instruction makes is in memory, by the instruction's place.
    """
    first, last = place
    if not first < peak < last or last - first < LONG.value * len(order.placed):
        return False
    if first in _sources(order, peak):
        return False
    return all(ends.get(at, -1) >= last for at in _sources(order, first))


def _sources(order: Order, place: int) -> set[int]:
    """Places of what makes the operands of an instruction."""
    _, computation, one = order.placed[place]
    found = set()
    for operand in one.operands:
        at = order.by_key.get((computation, operand))
        for _ in range(_MAX_STEPS):
            if at is None or order.placed[at].instruction.opcode not in _VIEWS:
                break
            operands = order.placed[at].instruction.operands
            at = order.by_key.get((computation, operands[0])) if operands else None
        if at is not None:
            found.add(at)
    return found
