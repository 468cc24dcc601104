"""A built capture → the answer of `tf_data`, checked."""

from __future__ import annotations

import math
import pickle
from typing import Any

from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.tf_data import TF_DATA


def ask(*timelines: Timeline, **options: str) -> Answer:
    """What the tool says; the parts of a call's time add up to it."""
    parsed = TF_DATA.parse(options)
    partials = [pickle.loads(pickle.dumps(TF_DATA.per_host(t, parsed))) for t in timelines]
    hosts = tuple(t.host for t in timelines)
    answer = Answer(TF_DATA, "run", hosts, TF_DATA.combine(partials, parsed), Quality(), "any")
    answer.check()
    graph = rows(answer, "graph", "parent", "duration_us", "blocking_us", "blocking_share")
    assert [row[0] for row in graph] == [-1, *(row[0] for row in graph[1:])][: len(graph)]
    assert all(0 <= parent < i for i, (parent, *_) in enumerate(graph) if i), "preorder"
    if graph and graph[0][2] is not None and sum(row[2] for row in graph):
        assert math.isclose(sum(row[2] for row in graph), graph[0][1], rel_tol=1e-6, abs_tol=0.01)
        assert math.isclose(sum(row[3] for row in graph), 1, rel_tol=1e-6, abs_tol=1e-3)
    return answer


def rows(answer: Answer, table: str, *columns: str) -> list[tuple[Any, ...]]:
    cells = answer.to_dict()["tables"][table]["columns"]
    found = zip(*(cells[name] for name in columns or cells), strict=True)
    return [tuple(round(cell, 4) if isinstance(cell, float) else cell for cell in row) for row in found]


def by_name(answer: Answer, *columns: str) -> dict[str, tuple[Any, ...]]:
    """Columns of the graph's rows by the stage's name."""
    return {row[0]: row[1:] for row in rows(answer, "graph", "name", *columns)}
