"""A pipeline's iterators → its stages as a tree, each after the one that it feeds; a device's with its host's below."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64
from ..input import Frames, feeds_device, takes_from_service
from .iterators import Iterators, cut_open
from .pipelines import Pipelines


class Tree(NamedTuple):
    """Nodes in preorder. pipeline, stage: of each. parent: its node, -1 of the root. last: one past the last node below
    it. depth: 0 of the root. iterator: the first iterator of each. iterators: how many it has.
    """

    pipeline: I64
    stage: I64
    parent: I64
    last: I64
    depth: I64
    iterator: I64
    iterators: I64

    def __len__(self) -> int:
        return len(self.stage)

    def nodes(self, tf_frames: Frames, its: Iterators, of: I64) -> I64:
        """By frame, of the pipelines `of`, the node of its iterator; -1 where it is not of this tree."""
        node = np.full(len(of), -1, np.int64)
        for pipeline in np.unique(self.pipeline).tolist():
            of_stage = np.full(len(tf_frames.stages), -1, np.int64)
            of_pipeline = self.pipeline == pipeline
            of_stage[self.stage[of_pipeline]] = np.flatnonzero(of_pipeline)
            here = np.flatnonzero(of == pipeline)
            node[here] = of_stage[its.stage[its.of[here]]]
        return node

    def above(self, node: int) -> list[int]:
        """The node and those on the way from it to the root."""
        way = []
        while node >= 0:
            way.append(node)
            node = int(self.parent[node])
        return way


def tree(tf_frames: Frames, its: Iterators, pipes: Pipelines, pipeline: int) -> Tree:
    """The stages of a pipeline."""
    itself = [pipeline]
    feeder = int(pipes.fed_by[pipeline])
    parts = [_flat(its, pipes, p) for p in ([*itself, feeder] if feeder >= 0 else itself)]
    pipeline_of = np.repeat(np.array([*itself, feeder], np.int64)[: len(parts)], [len(part[0]) for part in parts])
    stage = np.concatenate([part[0] for part in parts])
    parent = np.concatenate([part[1] + (len(parts[0][0]) if i else 0) for i, part in enumerate(parts)])
    if feeder >= 0:
        # The host's root feeds what fetches from it.
        n = len(parts[0][0])
        parent[n:] = np.where(parts[1][1] < 0, -1, parent[n:])
        names = [tf_frames.stages[i] for i in stage[:n].tolist()]
        fetches = [i for i in range(n) if feeds_device(names[i]) or takes_from_service(names[i])]
        parent[n:][parts[1][1] < 0] = fetches[0] if fetches else 0
    iterator, count = (np.concatenate([part[i] for part in parts]) for i in (2, 3))
    return _preorder(pipeline_of, stage, parent, iterator, count)


def _flat(its: Iterators, pipes: Pipelines, pipeline: int) -> tuple[I64, I64, I64, I64]:
    """Stages, parent of each among them, first iterator and number of iterators; only one has no parent."""
    root = int(pipes.root[pipeline])
    members = np.flatnonzero(pipes.of_iterator == pipeline)
    stage, first, which, count = np.unique(
        its.stage[members], return_index=True, return_inverse=True, return_counts=True
    )
    iterator = members[first]
    up = its.parent[iterator]
    place = np.full(len(its.stage) + 1, -1, np.int64)
    place[members] = which.reshape(-1)
    parent = place[up]
    top = int(place[root])
    parent[parent == np.arange(len(parent))] = top
    parent[top] = -1
    parent, _ = cut_open(parent)
    alone = np.flatnonzero(parent < 0)
    parent[alone[alone != top]] = top
    iterator[top] = root
    return stage, parent, iterator, count


def _preorder(pipeline: I64, stage: I64, parent: I64, iterator: I64, count: I64) -> Tree:
    children: list[list[int]] = [[] for _ in range(len(stage) + 1)]
    for node, up in enumerate(parent.tolist()):
        children[up].append(node)
    order: list[int] = []
    depth: list[int] = []
    last = [0] * len(stage)
    place = [0] * len(stage)
    open_: list[tuple[int, int]] = [(node, 0) for node in reversed(children[-1])]
    while open_:
        node, level = open_.pop()
        if node < 0:
            last[~node] = len(order)
            continue
        place[node] = len(order)
        order.append(node)
        depth.append(level)
        open_.append((~node, level))
        open_ += [(child, level + 1) for child in reversed(children[node])]
    at = np.array(order, np.int64)
    up = np.append(np.array(place, np.int64), -1)[parent[at]]
    ends = np.array(last, np.int64)[at]
    return Tree(pipeline[at], stage[at], up, ends, np.array(depth, np.int64), iterator[at], count[at])
