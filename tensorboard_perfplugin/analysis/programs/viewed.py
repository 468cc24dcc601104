"""A timeline and what a person asks → one program around one instruction, told in texts and numbers.

Of one host; `whole_view` chooses the program among the hosts, and sums what its instructions took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ...errors import ArgumentError
from ...tables import Options
from ...timeline import Timeline
from ...timeline.programs import Instruction, Writer, category
from .chosen import ProgramTime, chosen_program, merged_programs, program_times
from .graph import ProgramGraph, program_graph
from .neighbourhood import OPENED, Near, neighbourhood, operands_of, users_of
from .ran import Ran, instructions_ran
from .search import matches

#: Operands and users, and what a search finds, that are listed.
MOST_NEAR = 500
MOST_MATCHES = 200
#: Of an expression in a table; the chosen instruction's is whole.
_LONGEST = 2000
#: Names in a message about a name that is not there.
_NAMED = 12
#: What comes last in the search for the one that took most time: it only holds others, which are told apart.
_HOLDERS = ("while", "conditional", "call", "async-start", "async-done")


class Facts(NamedTuple):
    """What is told of an instruction. calls: the computations that it calls."""

    name: str
    opcode: str
    category: str
    shape: str
    op_name: str
    source: str
    computation: str
    calls: tuple[str, ...]
    expression: str
    is_root: bool


class ShownNode(NamedTuple):
    """See `neighbourhood.Node`."""

    facts: Facts
    cluster: int
    is_open: bool
    can_open: bool
    distance: int
    operands: int
    users: int
    hidden_operands: int
    hidden_users: int


class ShownNear(NamedTuple):
    facts: Facts
    operand: int
    through: tuple[str, ...]


class View(NamedTuple):
    """expression: of the chosen instruction, whole. callers: instructions that call its computation. edges: numbers of
    two nodes and of the operand, and the shape. instructions: how many the program has. whole: whether all was read.
    """

    chosen: Facts
    expression: str
    callers: tuple[str, ...]
    nodes: tuple[ShownNode, ...]
    edges: tuple[tuple[int, int, int, str], ...]
    left_out: int
    closed: int
    operands: tuple[ShownNear, ...]
    users: tuple[ShownNear, ...]
    matches: tuple[Facts, ...]
    match_count: int
    instructions: int
    whole: bool


class HostView(NamedTuple):
    """Of one host. key: the program that was meant, empty for none. problem: why there is no view of it."""

    programs: tuple[ProgramTime, ...]
    key: str = ""
    ran: Mapping[str, Ran] = {}
    view: View | None = None
    problem: str = ""


class WholeView(NamedTuple):
    """Of all hosts. key: empty where no host holds a program."""

    programs: tuple[ProgramTime, ...]
    key: str
    ran: Mapping[str, Ran]
    view: View | None


def host_view(timeline: Timeline, options: Options) -> HostView:
    programs = program_times(timeline)
    held = [one for one in programs if one.size_bytes]
    try:
        key = chosen_program(held, str(options["program"])) if held else ""
    except ArgumentError:
        key = ""
    if not key:
        return HostView(programs)
    ran = instructions_ran(timeline, key)
    graph = program_graph(timeline, key)
    with graph.lock:
        graph.begin()
        try:
            return HostView(programs, key, ran, _view(graph, ran, options))
        except ArgumentError as error:
            return HostView(programs, key, ran, None, str(error))


def whole_view(hosts: Sequence[HostView], asked: str) -> WholeView:
    """Raises ArgumentError where no host has the program, or it has not the instruction."""
    programs = merged_programs([host.programs for host in hosts])
    keys = {host.key for host in hosts if host.key}
    held = [one for one in programs if one.size_bytes]
    if not keys:
        if held:
            chosen_program(held, asked)
        return WholeView(programs, "", {}, None)
    key = chosen_program([one for one in held if one.key in keys], asked)
    of = sorted((host for host in hosts if host.key == key), key=lambda host: -_sum(host.ran.values()))
    shown = next((host.view for host in of if host.view), None)
    if shown is None:
        raise ArgumentError(next(host.problem for host in of if host.problem))
    return WholeView(programs, key, _merged(host.ran for host in of), shown)


def _sum(ran: Iterable[Ran]) -> float:
    return sum(one.self_ps for one in ran)


def _merged(each: Iterable[Mapping[str, Ran]]) -> dict[str, Ran]:
    merged: dict[str, Ran] = {}
    for ran in each:
        for name, one in ran.items():
            before = merged.get(name)
            merged[name] = (
                Ran(before.self_ps + one.self_ps, before.executions + one.executions, before.category)
                if before
                else one
            )
    return merged


def _view(graph: ProgramGraph, ran: Mapping[str, Ran], options: Options) -> View:
    name = _chosen(graph, ran, str(options["instruction"]))
    number, key = graph.places[name]
    times = {each: one.self_ps for each, one in ran.items()}
    facts_of = _Facts(graph, ran)
    near = neighbourhood(graph, name, int(options["radius"] or 0), int(options["nodes"] or 1), _opened(options), times)
    word = str(options["search"])
    found, count = matches(graph, word, times, MOST_MATCHES) if word else ([], 0)
    nodes = tuple(
        ShownNode(
            facts_of(node.one, node.place[0]),
            node.cluster,
            node.is_open,
            node.one.opcode in OPENED and any(graph.around(called) for called in node.one.called[:_NAMED]),
            *node[2:3],
            *node[5:],
        )
        for node in near.nodes
    )
    return View(
        chosen=facts_of(graph.around(number)[key], number),
        expression=facts_of.expression(name),
        callers=_callers(graph, number),
        nodes=nodes,
        edges=tuple((edge.source, edge.target, edge.operand, facts_of.shape(edge.of)) for edge in near.edges),
        left_out=near.left_out,
        closed=near.closed,
        operands=_shown(facts_of, operands_of(graph, number, key, MOST_NEAR), number),
        users=_shown(facts_of, users_of(graph, number, key, MOST_NEAR), number),
        matches=tuple(facts_of(match.one, match.computation) for match in found),
        match_count=count,
        instructions=len(graph.places),
        whole=graph.whole,
    )


def _shown(facts_of: _Facts, each: Iterable[Near], number: int) -> tuple[ShownNear, ...]:
    return tuple(ShownNear(facts_of(near.one, number), near.operand, near.through) for near in each)


def _chosen(graph: ProgramGraph, ran: Mapping[str, Ran], asked: str) -> str:
    """The name that is meant; without one that of the instruction that took most time, else of the entry's result."""
    name = asked.strip().rpartition("::")[2].lstrip("%")
    if name in graph.places:
        return name
    if name:
        close = [match.one.name for match in matches(graph, name, {}, _NAMED)[0]]
        raise ArgumentError.with_choices(f"instruction={asked[:80]!r}", close or list(graph.places), _NAMED)
    known = [each for each in ran if each in graph.places]
    most = max(known, key=lambda each: (_kind(graph, each) not in _HOLDERS, ran[each].self_ps), default="")
    chosen = most or graph.root_of_entry()
    if chosen not in graph.places:
        raise ArgumentError("the program holds no instruction that can be read")
    return chosen


def _kind(graph: ProgramGraph, name: str) -> str:
    number, key = graph.places[name]
    return graph.around(number)[key].opcode


def _opened(options: Options) -> Callable[[str], bool]:
    if options["fusions"]:
        return lambda name: True
    names = {name.strip().lstrip("%") for name in str(options["open"]).split(",")}
    return lambda name: name in names


def _callers(graph: ProgramGraph, number: int) -> tuple[str, ...]:
    callers = graph.callers.get(number, [])[:_NAMED]
    return tuple(graph.around(at)[key].name for at, key in callers)


class _Facts:
    """Of instructions of one program, each told once."""

    def __init__(self, graph: ProgramGraph, ran: Mapping[str, Ran]) -> None:
        self._graph, self._ran = graph, ran
        self._writer = Writer(graph.program)
        self._known: dict[tuple[int, str], Facts] = {}

    def __call__(self, one: Instruction, number: int) -> Facts:
        if (number, one.name) not in self._known:
            self._known[number, one.name] = self._told(one, number)
        return self._known[number, one.name]

    def expression(self, name: str) -> str:
        return self._writer.expression(name)

    def shape(self, one: Instruction) -> str:
        return self._writer.shape(one)

    def _told(self, one: Instruction, number: int) -> Facts:
        program, ran = self._graph.program, self._ran.get(one.name)
        named = program.metadata(one)
        if not named.op_name or not named.file:
            other = program.named(one.name) or named
            named = named._replace(
                op_name=named.op_name or other.op_name,
                file=named.file or other.file,
                line=named.line if named.file else other.line,
            )
        text = self._writer.line(one, self._graph.around(number))
        computation = self._graph.computation(number)
        return Facts(
            name=one.name,
            opcode=one.opcode,
            category=(ran.category if ran else "") or category(program, one),
            shape=self._writer.shape(one),
            op_name=named.op_name,
            source=f"{named.file}:{named.line}" if named.file else "",
            computation=self._graph.name(number),
            calls=tuple(self._graph.name(called) for called in one.called[:_NAMED]),
            expression=text if len(text) <= _LONGEST else text[:_LONGEST] + " …",
            is_root=computation is not None and computation.root is one,
        )
