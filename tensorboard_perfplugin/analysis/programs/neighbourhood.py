"""An instruction of a program → those around it, nearest first, and what runs between them.

Two instructions are neighbours where one is the operand of the other. Fusions, calls and loops may be opened: then the
instructions that they call stand in their place, and edges lead to their parameters and from their results.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ...timeline.programs import Instruction
from .graph import ProgramGraph

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
