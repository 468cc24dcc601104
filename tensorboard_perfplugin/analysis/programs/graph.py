"""An XLA program → its data flow: instructions by name, users of each, callers of each computation.

It reads the program within a budget of its own, so that questions leave the capture's as it is. Of a program beyond it
what comes first is known."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ...errors import ArgumentError
from ...tables import Options
from ...timeline.programs.costs import category
from ...timeline.programs.reader import Computation, Instruction, Program, programs_of
from ...timeline.programs.writer import Writer
from ...timeline.timeline import Timeline, derived_by_choice
from ...wire import Budget
from .table import ProgramTime, Ran, chosen_program, instructions_ran, merged_programs, program_times

#: Fields of one program: of some 300,000 instructions, 2 s.
INDEX_FIELDS = 4_000_000
#: Fields that are read again for one question, of the instructions that it is about.
_QUESTION_FIELDS = 1_000_000
#: What an instruction takes in memory, with what points to it.
_INSTRUCTION_BYTES = 800
#: HloInstructionProto.parameter_number.
_PARAMETER_NUMBER = 9


class ProgramGraph:
    """Of one program; one question at a time: hold `lock`."""

    def __init__(self, message: bytes, fields: int = INDEX_FIELDS) -> None:
        self.program = Program(message, Budget(fields))
        self.lock = threading.Lock()
        self._places: dict[str, tuple[int, int]] = {}
        self._whole: bool | None = None
        self._users: dict[int, dict[int, list[int]]] = {}
        self._parameters: dict[int, list[int]] = {}

    @property
    def nbytes(self) -> int:
        """Memory of the instructions that were read."""
        return 2000 + _INSTRUCTION_BYTES * len(self._places)

    @property
    def is_whole(self) -> bool:
        """Whether all of the program was read."""
        if self._whole is None:
            for number, computation in self.program.computations.items():
                for key, one in computation.instructions.items():
                    self._places.setdefault(one.name, (number, key))
            self._whole = self.program.budget.left > 0
        return self._whole

    def begin(self) -> None:
        """Before each question: what the last one spent is there again."""
        _ = self.is_whole
        self.program.budget.left = _QUESTION_FIELDS

    @property
    def places(self) -> Mapping[str, tuple[int, int]]:
        """Name → computation and id of the instruction; of equal names the first."""
        _ = self.is_whole
        return self._places

    def computation(self, number: int) -> Computation | None:
        return self.program.computations.get(number)

    def around(self, number: int) -> Mapping[int, Instruction]:
        """The instructions of a computation, by id."""
        computation = self.computation(number)
        return computation.instructions if computation else {}

    def name(self, number: int) -> str:
        """Name of a computation; empty where there is none."""
        computation = self.computation(number)
        return computation.name if computation else ""

    def root(self, number: int) -> int | None:
        """Id of the instruction that gives a computation's result."""
        computation = self.computation(number)
        if computation is None or not computation.instructions:
            return None
        given = computation.root_id
        return given if given in computation.instructions else next(reversed(computation.instructions))

    def parameters(self, number: int) -> Sequence[int]:
        """Ids of a computation's parameters, in order."""
        if number not in self._parameters:
            given = [(key, one) for key, one in self.around(number).items() if one.opcode == "parameter"]
            numbers = {key: self.program.small(*one.span).get(_PARAMETER_NUMBER, 0) for key, one in given}
            self._parameters[number] = sorted(numbers, key=numbers.__getitem__)
        return self._parameters[number]

    def users(self, number: int) -> Mapping[int, list[int]]:
        """Within a computation: id → the ids that have it as an operand, each once."""
        if number not in self._users:
            users: dict[int, list[int]] = {}
            for key, one in self.around(number).items():
                for operand in dict.fromkeys(one.operands):
                    users.setdefault(operand, []).append(key)
            self._users[number] = users
        return self._users[number]

    @cached_property
    def callers(self) -> Mapping[int, list[tuple[int, int]]]:
        """Computation → which instructions of which computations call it."""
        callers: dict[int, list[tuple[int, int]]] = {}
        for number, key, one in self.instructions():
            for called in dict.fromkeys(one.called):
                callers.setdefault(called, []).append((number, key))
        return callers

    def root_of_entry(self) -> str:
        """Its name; of the last computation where none is the entry, empty where there is no instruction."""
        computations = list(self.program.computations.values())
        entry = self.program.entry or (computations[-1] if computations else None)
        return entry.root.name if entry and entry.root else ""

    def instructions(self) -> Iterator[tuple[int, int, Instruction]]:
        """All, with computation and id."""
        for number in self.program.computations:
            for key, one in self.around(number).items():
                yield number, key, one


@derived_by_choice
def program_graph(timeline: Timeline, key: str) -> ProgramGraph:
    """Of the program of this key, which the capture holds."""
    return ProgramGraph(programs_of(timeline).blobs[key])


# An instruction of a program → those around it, nearest first, and what runs between them.
#
# Two instructions are neighbours where one is the operand of the other. Fusions, calls and loops may be opened: then
# the instructions that they call stand in their place, and edges lead to their parameters and from their results.

#: What can be opened: the operands of each are the parameters of what it calls.
OPENED = ("fusion", "call", "while", "conditional", "async-start")
#: What hands on one of its operand's parts, or the whole, and does nothing.
SEEN_THROUGH = ("get-tuple-element", "bitcast")
_MAX_EDGES = 20_000
#: Instructions in what is opened: so many times the nodes outside.
_TIMES_INSIDE = 3
#: Opened in what is opened.
_MAX_DEPTH = 20
#: Of what only hands on before a user so many are named, beside the last.
_THROUGH = 8


class Node(NamedTuple):
    """One instruction. place: its computation and id. cluster: node that it is shown in, -1 outside.

    distance: edges to the chosen one; of what is opened its caller's. hidden_operands, hidden_users: how many of its
    operands and users are not shown.
    """

    one: Instruction
    place: tuple[int, int]
    distance: int
    cluster: int = -1
    is_open: bool = False
    operands: int = 0
    users: int = 0
    hidden_operands: int = 0
    hidden_users: int = 0


class Edge(NamedTuple):
    """From the node that computes an operand to one that takes it; number of the operand; what computes it."""

    source: int
    target: int
    operand: int
    of: Instruction


class Neighbourhood(NamedTuple):
    """nodes: nearest first, those in an opened one after it. left_out: as near, and not shown. closed: asked to be
    opened, and too large.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    left_out: int
    closed: int


class Near(NamedTuple):
    """An operand or a user: of which operand it is about, and through which instructions."""

    one: Instruction
    operand: int
    through: tuple[str, ...]


def neighbourhood(
    graph: ProgramGraph, name: str, radius: int, most: int, opened: Callable[[str], bool], times: Mapping[str, float]
) -> Neighbourhood:
    """Around the instruction of this name. most: nodes, without those in what is opened. opened: whether one is
    to be opened, by name. times: of equally near ones that which took most time comes first.
    """
    number, key = graph.places[name]
    distances = _distances(graph, number, key, radius, times)
    shown = dict(list(distances.items())[:most])
    builder = _Builder(graph, _TIMES_INSIDE * most)
    for one, distance in shown.items():
        builder.add(Node(graph.around(number)[one], (number, one), distance))
    builder.open(opened)
    return Neighbourhood(builder.counted(), builder.edges(), len(distances) - len(shown), builder.closed)


def _distances(graph: ProgramGraph, number: int, key: int, radius: int, times: Mapping[str, float]) -> dict[int, int]:
    """Ids of its computation within the radius, nearest first."""
    around, users = graph.around(number), graph.users(number)
    distances = {key: 0}
    level = [key]
    for distance in range(1, radius + 1):
        near = dict.fromkeys(
            other for one in level for other in (*around[one].operands, *users.get(one, ())) if other in around
        )
        level = sorted((one for one in near if one not in distances), key=lambda one: -times.get(around[one].name, 0))
        distances |= dict.fromkeys(level, distance)
    return distances


class _Builder:
    """Nodes as they are added; by where they are shown, and by id."""

    def __init__(self, graph: ProgramGraph, most_inside: int) -> None:
        self._graph, self._room = graph, most_inside
        self._nodes: list[Node] = []
        self._at: dict[tuple[int, int, int], int] = {}
        self.closed = 0

    def add(self, node: Node) -> None:
        self._at[(node.cluster, *node.place)] = len(self._nodes)
        self._nodes.append(node)

    def open(self, opened: Callable[[str], bool]) -> None:
        """One after the other, nearest first, as long as what they call has room as a whole."""
        waiting = deque(range(len(self._nodes)))
        while waiting:
            i = waiting.popleft()
            node = self._nodes[i]
            if node.one.opcode not in OPENED or not opened(node.one.name):
                continue
            called = [number for number in dict.fromkeys(node.one.called) if self._graph.around(number)]
            size = sum(len(self._graph.around(number)) for number in called)
            if not called or size > self._room or not self._can_hold(i, called):
                self.closed += bool(called)
                continue
            self._room -= size
            self._nodes[i] = node._replace(is_open=True)
            waiting.extend(self._fill(i, called))

    def _can_hold(self, i: int, called: list[int]) -> bool:
        """Whether none of the computations is one that this is in."""
        depth = 0
        while i >= 0 and depth < _MAX_DEPTH:
            if self._nodes[i].place[0] in called:
                return False
            i, depth = self._nodes[i].cluster, depth + 1
        return depth < _MAX_DEPTH

    def _fill(self, i: int, called: list[int]) -> range:
        first = len(self._nodes)
        for number in called:
            for key, one in self._graph.around(number).items():
                self.add(Node(one, (number, key), self._nodes[i].distance, cluster=i))
        return range(first, len(self._nodes))

    def counted(self) -> tuple[Node, ...]:
        return tuple(self._counted(node) for node in self._nodes)

    def _counted(self, node: Node) -> Node:
        number, key = node.place
        operands = dict.fromkeys(node.one.operands)
        users = self._graph.users(number).get(key, [])
        hidden = [
            sum((node.cluster, number, other) not in self._at for other in others) for others in (operands, users)
        ]
        return node._replace(
            operands=len(operands), users=len(users), hidden_operands=hidden[0], hidden_users=hidden[1]
        )

    def edges(self) -> tuple[Edge, ...]:
        edges: list[Edge] = []
        for i, node in enumerate(self._nodes):
            for edge in self._edges_to(i, node):
                if len(edges) == _MAX_EDGES:
                    return tuple(edges)
                edges.append(edge)
        return tuple(edges)

    def _edges_to(self, i: int, node: Node) -> Iterator[Edge]:
        for operand, key in enumerate(node.one.operands):
            giver = self._at.get((node.cluster, node.place[0], key))
            if giver is None:
                continue
            targets = self._given(i, operand) if node.is_open else (i,)
            for source in self._results(giver):
                for target in targets:
                    yield Edge(source, target, operand, self._nodes[source].one)

    def _given(self, i: int, operand: int) -> list[int]:
        """The parameters that stand for an operand of one that is open; through what is open in it, too."""
        node = self._nodes[i]
        called = list(dict.fromkeys(node.one.called))
        place = operand
        if node.one.opcode == "conditional":
            called, place = called[operand - 1 : operand] if operand else [], 0
        return [
            at
            for number in called
            for key in self._graph.parameters(number)[place : place + 1]
            if (at := self._at.get((i, number, key))) is not None
        ]

    def _results(self, i: int) -> list[int]:
        """The nodes that give the result of one; of an open one the results of what it calls."""
        waiting, results = [i], []
        while waiting:
            at = waiting.pop()
            node = self._nodes[at]
            if not node.is_open:
                results.append(at)
                continue
            # Of a loop the body is called first, the condition gives no result.
            called = node.one.called[:1] if node.one.opcode == "while" else tuple(dict.fromkeys(node.one.called))
            for number in called:
                root = self._graph.root(number)
                inner = self._at.get((at, number, root)) if root is not None else None
                waiting += [inner] if inner is not None else []
        return results


def operands_of(graph: ProgramGraph, number: int, key: int, most: int) -> list[Near]:
    """What an instruction takes, looking through what only hands on."""
    around = graph.around(number)
    near = []
    for operand, other in enumerate(around[key].operands[:most]):
        through: dict[int, str] = {}
        while other in around and _hands_on(around[other]) and other not in through:
            through[other] = around[other].name
            other = around[other].operands[0]
        if other in around:
            near.append(Near(around[other], operand, tuple(through.values())))
    return near


def users_of(graph: ProgramGraph, number: int, key: int, most: int) -> list[Near]:
    """What takes its result, looking through what only hands on."""
    around, users = graph.around(number), graph.users(number)
    near: list[Near] = []
    seen = {key}
    waiting: deque[tuple[int, tuple[str, ...]]] = deque([(key, ())])
    while waiting and len(near) < most:
        at, through = waiting.popleft()
        for user in users.get(at, ()):
            one = around[user]
            if _hands_on(one) and users.get(user):
                if user not in seen:
                    seen.add(user)
                    waiting.append((user, (*through[-_THROUGH:], one.name)))
            elif len(near) < most:
                near.append(Near(one, one.operands.index(at), through))
    return near


def _hands_on(one: Instruction) -> bool:
    return one.opcode in SEEN_THROUGH and bool(one.operands)


# A word that a person typed → the instructions of a program that have it in their name, opcode or framework op.


class Match(NamedTuple):
    """One instruction, the number of its computation, and the op of its framework."""

    one: Instruction
    computation: int
    op_name: str


def matches(graph: ProgramGraph, word: str, times: Mapping[str, float], most: int) -> tuple[list[Match], int]:
    """The best ones, and how many there are: whole names first, then by time, then as the program has them."""
    wanted = word.strip().lower().lstrip("%")
    found = []
    for number, _, one in graph.instructions():
        op_name = graph.program.metadata(one).op_name
        texts = (one.name, one.opcode, op_name, one.target)
        if any(wanted in text.lower() for text in texts):
            found.append(Match(one, number, op_name))
    found.sort(key=lambda match: (match.one.name.lower() != wanted, -times.get(match.one.name, 0)))
    return found[:most], len(found)


# A timeline and what a person asks → one program around one instruction, in texts and numbers.
#
# Of one host; `whole_view` chooses the program among the hosts, and sums what its instructions took.

#: Operands and users, and what a search finds, that are listed.
MOST_NEAR = 500
MOST_MATCHES = 200
#: Of an expression in a table; the chosen instruction's is whole.
_LONGEST = 2000
#: Names in a message about a name that is not there.
_NAMED = 12
#: What comes last in the search for the one that took most time: it only holds others, which are distinguished.
_HOLDERS = ("while", "conditional", "call", "async-start", "async-done")


class Facts(NamedTuple):
    """What is shown of an instruction. calls: the computations that it calls."""

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
        whole=graph.is_whole,
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
    """The facts of instructions of one program, each computed once."""

    def __init__(self, graph: ProgramGraph, ran: Mapping[str, Ran]) -> None:
        self._graph, self._ran = graph, ran
        self._writer = Writer(graph.program)
        self._known: dict[tuple[int, str], Facts] = {}

    def __call__(self, one: Instruction, number: int) -> Facts:
        if (number, one.name) not in self._known:
            self._known[number, one.name] = self._facts(one, number)
        return self._known[number, one.name]

    def expression(self, name: str) -> str:
        return self._writer.expression(name)

    def shape(self, one: Instruction) -> str:
        return self._writer.shape(one)

    def _facts(self, one: Instruction, number: int) -> Facts:
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
