"""The tree of a side's instructions → how much of their time the device's peaks do not explain, and where most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.programs.profile import InstructionSide, Node
from ...finding import Finding
from .largest import instruction_row


def wasted(side: InstructionSide, nodes: Sequence[Node]) -> Iterator[Finding]:
    """nodes: the whole first."""
    whole = nodes[0]
    lost = whole.wasted_ps
    leaves = [(node.wasted_ps, node) for node in nodes if node.op and node.wasted_ps is not None]
    if lost is None or not whole.self_ps or not leaves:
        return
    most_ps, most = max(leaves, key=lambda each: each[0] or 0.0)
    # What only waits has words of its own, and so has what no peak is known of.
    if most.op is None or most_ps is None or most.waits_ps or whole.flop_share is whole.memory_share is None:
        return
    facts = side.facts_of(most.op)
    yield Finding(
        code="instructions_below_roof",
        params={
            "share": lost / whole.self_ps,
            "wasted_ps": lost,
            "self_ps": whole.self_ps,
            "side": side.side,
            "instruction": most.op.name,
            "program": most.op.module,
            "most_ps": most_ps,
            "op": facts.name or None,
            "source": facts.source or None,
            "flop_share": whole.flop_share,
            "memory_share": whole.memory_share,
        },
        share=lost / whole.self_ps,
        tool="trace_viewer",
        search=instruction_row(side.side, most.op),
        match="row",
    )
