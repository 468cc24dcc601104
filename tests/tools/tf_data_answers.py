"""A built capture → the answer of `tf_data`, checked."""

from __future__ import annotations

import math
from typing import Any

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.tf_data import TF_DATA
from tests.tools.answered import answered, rows_of


def ask(*timelines: Timeline, **options: str) -> Answer:
    """What the tool says; the parts of a call's time add up to it."""
    answer = answered(TF_DATA, *timelines, **options)
    graph = rows(answer, "graph", "parent", "duration_us", "blocking_us", "blocking_share")
    assert [row[0] for row in graph] == [-1, *(row[0] for row in graph[1:])][: len(graph)]
    assert all(0 <= parent < i for i, (parent, *_) in enumerate(graph) if i), "preorder"
    if graph and graph[0][2] is not None and sum(row[2] for row in graph):
        assert math.isclose(sum(row[2] for row in graph), graph[0][1], rel_tol=1e-6, abs_tol=0.01)
        assert math.isclose(sum(row[3] for row in graph), 1, rel_tol=1e-6, abs_tol=1e-3)
    return answer


def rows(answer: Answer, table: str, *columns: str) -> list[tuple[Any, ...]]:
    return rows_of(answer, table, *columns, digits=4)


def by_name(answer: Answer, *columns: str) -> dict[str, tuple[Any, ...]]:
    """Columns of the graph's rows by the stage's name."""
    return {row[0]: row[1:] for row in rows(answer, "graph", "name", *columns)}
