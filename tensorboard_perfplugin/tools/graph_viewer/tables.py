"""One program around one instruction → the declared scalars and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...analysis.programs.graph import Facts, ShownNear, View, WholeView
from ...analysis.programs.table import ProgramTime
from ...tables import Cells, Scalar
from ..shared.programs import program_cells

NO_VIEW = "no host of this run holds an XLA program"
NOT_RUN = "no event of the capture is this instruction"
NO_TIME = "no instruction of the program took any time in the capture"


def summary(whole: WholeView) -> tuple[dict[str, Scalar], dict[str, str]]:
    """The scalars, and why some are not known."""
    view = whole.view
    if view is None:
        texts = ("program", "instruction", "opcode", "category", "shape", "op", "source", "computation", "callers")
        numbers = ("self_us", "program_share", "executions", "instructions", "is_whole", "left_out", "closed")
        facts: dict[str, Scalar] = {**dict.fromkeys(texts, ""), "expression": "", **dict.fromkeys(numbers)}
        return {**facts, "matches_rows": 0}, dict.fromkeys(numbers, NO_VIEW)
    one = view.chosen
    times = {name: cells[0] for name, cells in _times(whole, [one]).items()}
    scalars: dict[str, Scalar] = {
        "program": whole.key,
        "instruction": one.name,
        "opcode": one.opcode,
        "category": one.category,
        "shape": one.shape,
        "op": one.op_name,
        "source": one.source,
        "computation": one.computation,
        "callers": ", ".join(view.callers),
        "expression": view.expression,
        **times,
        "instructions": view.instructions,
        "is_whole": view.whole,
        "left_out": view.left_out,
        "closed": view.closed,
        "matches_rows": view.match_count,
    }
    why = NOT_RUN if one.name not in whole.ran else NO_TIME
    return scalars, {name: why for name, value in times.items() if value is None}


def tables(whole: WholeView) -> dict[str, dict[str, Cells]]:
    view = whole.view
    return {
        "nodes": _nodes(whole, view),
        "edges": _edges(view),
        "operands": _near(whole, view.operands if view else (), first="operand"),
        "users": _near(whole, view.users if view else (), first="name"),
        "matches": _matches(whole, view.matches if view else ()),
        "programs": program_cells(_listed(whole.programs)),
    }


def _listed(programs: Sequence[ProgramTime]) -> Sequence[ProgramTime]:
    """Those that can be shown first: what the capture only names comes last."""
    return sorted(programs, key=lambda one: not one.size_bytes)


def _nodes(whole: WholeView, view: View | None) -> dict[str, Cells]:
    nodes = view.nodes if view else ()
    facts = [node.facts for node in nodes]
    return {
        "parent": [node.cluster for node in nodes],
        **_texts(facts, ("name", "opcode", "category", "shape", "op", "source", "computation")),
        **_times(whole, facts),
        "distance": [node.distance for node in nodes],
        "is_root": [one.is_root for one in facts],
        "is_open": [node.is_open for node in nodes],
        "can_open": [node.can_open for node in nodes],
        "calls": [", ".join(one.calls) for one in facts],
        "operands": [node.operands for node in nodes],
        "users": [node.users for node in nodes],
        "hidden_operands": [node.hidden_operands for node in nodes],
        "hidden_users": [node.hidden_users for node in nodes],
        "expression": [one.expression for one in facts],
    }


def _edges(view: View | None) -> dict[str, Cells]:
    edges, nodes = (view.edges, view.nodes) if view else ((), ())
    return {
        "from": [nodes[source].facts.name for source, *_ in edges],
        "to": [nodes[target].facts.name for _, target, *_ in edges],
        "operand": [operand for _, _, operand, _ in edges],
        "shape": [shape for *_, shape in edges],
        "from_row": [source for source, *_ in edges],
        "to_row": [target for _, target, *_ in edges],
    }


def _near(whole: WholeView, near: Sequence[ShownNear], first: str) -> dict[str, Cells]:
    facts = [one.facts for one in near]
    operand: dict[str, Cells] = {"operand": [one.operand for one in near]}
    named = _texts(facts, ("name", "opcode"))
    return {
        **(operand | named if first == "operand" else named | operand),
        **_texts(facts, ("shape", "op", "source")),
        **_times(whole, facts),
        "through": [", ".join(one.through) for one in near],
    }


def _matches(whole: WholeView, facts: Sequence[Facts]) -> dict[str, Cells]:
    names = ("name", "opcode", "category", "shape", "op", "source", "computation")
    return {**_texts(facts, names), **_times(whole, facts)}


def _texts(facts: Iterable[Facts], names: Iterable[str]) -> dict[str, Cells]:
    each = list(facts)
    return {name: [getattr(one, "op_name" if name == "op" else name) for one in each] for name in names}


def _times(whole: WholeView, facts: Iterable[Facts]) -> Mapping[str, list[Scalar]]:
    total = sum(one.self_ps for one in whole.ran.values())
    ran = [whole.ran.get(one.name) for one in facts]
    return {
        "self_us": [one.self_ps / 1e6 if one else None for one in ran],
        "program_share": [one.self_ps / total if one and total else None for one in ran],
        "executions": [one.executions if one else None for one in ran],
    }
