"""What ran in an area, counted again by loops over single events."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.trace import area as trace_area
from tests.build_capture import Line, Space
from tests.trace.test_area import area
from tests.trace.test_viewer import ask, opened, rows


def stacks(timeline: Timeline, low: int, high: int) -> tuple[Counter[tuple[str, ...]], Counter[tuple[str, ...]]]:
    """Total and self time of each stack, event by event: of what contains an event the last begun is around it."""
    c = timeline.capture
    columns = (c.events.track, c.events.start_ps, c.events.duration_ps)
    events = [
        (track, max(start, low), min(start + n, high), name)
        for track, start, n, name in zip(
            *(column.tolist() for column in columns), c.strings.texts(c.events.name), strict=True
        )
        if start < high and (start >= low or start + n > low)
    ]
    # Longer first where the area cuts both off.
    events.sort(key=lambda e: (e[0], e[1], e[1] - e[2]))
    paths: list[tuple[str, ...]] = []
    children: list[list[tuple[int, int]]] = [[] for _ in events]
    for i, (track, a, b, name) in enumerate(events):
        around = -1
        for j, (other, x, y, _) in enumerate(events[:i]):
            if other == track and x <= a and b <= y and a < y:
                around = j
        paths.append((*(paths[around] if around >= 0 else ()), name))
        if around >= 0:
            children[around].append((a, b))
    total: Counter[tuple[str, ...]] = Counter()
    own: Counter[tuple[str, ...]] = Counter()
    for path, (_, a, b, _), within in zip(paths, events, children, strict=True):
        total[path] += b - a
        own[path] += b - a - intervals.union(*np.array(within or [(0, 0)]).T).total
    return total, own


def paths_of(answer: Answer, table: str) -> list[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = []
    for parent, name in rows(answer, table, "parent", "name"):
        paths.append((*(paths[parent] if parent >= 0 else ()), name))
    assert len(set(paths)) == len(paths)
    return paths


@pytest.mark.parametrize("seed", range(12))
def test_stacks_counted_again(seed: int) -> None:
    """Nested calls of four names on two threads, at random; the area cuts some off."""
    random = np.random.default_rng(seed)
    space = Space()
    for thread in range(2):
        line = space.plane("/host:CPU").line(thread + 1, f"t{thread}")

        def call(line: Line, low: int, high: int, depth: int) -> None:
            while low < high:
                begin = int(random.integers(low, high + 1))
                end = int(random.integers(begin, high + 1))
                line.event("fghi"[random.integers(4)], begin, end - begin)
                if depth < 5 and end - begin > 3:
                    call(line, begin + 1, end - 1, depth + 1)
                low = end + 1

        call(line, 0, 300, 0)
    timeline = opened(space)
    low, high = sorted(random.integers(0, 320, 2).tolist())
    answer = area(timeline, start_ps=low, end_ps=high + 1)
    total, own = stacks(timeline, low, high + 1)
    found = dict(zip(paths_of(answer, "area_flame"), rows(answer, "area_flame", "total_ps", "self_ps"), strict=True))
    assert found == {path: (total[path], own[path]) for path in total}
    for path, ps in zip(paths_of(answer, "area_bottom_up"), rows(answer, "area_bottom_up", "self_ps"), strict=True):
        assert ps == (sum(n for p, n in own.items() if p[::-1][: len(path)] == path),), path
    gaps = [ps for (ps,) in rows(answer, "area_gaps", "duration_ps")]
    if len(gaps) == answer.result.summary["area_gaps_rows"]:
        tracks = int(answer.result.summary["area_tracks"] or 0)
        assert sum(gaps) + sum(own.values()) == tracks * (high + 1 - low)
    tops = [p for p in paths_of(answer, "area_bottom_up") if len(p) == 1]
    assert sorted(tops) == sorted({(p[-1],) for p in total})


def test_real_captures_recounted(xplane_files: list[Path]) -> None:
    """Count, total and covered time by name and track, by loops over single events."""
    for path in xplane_files[:14]:
        timeline = Timeline(decode.read(str(path)), "h")
        c = timeline.capture
        first, end = c.span_ps
        low, high = first + (end - first) // 4, first + (end - first) // 2
        answer = ask(timeline, area="true", start_ps=low, end_ps=high, tracks=f"0-{len(c.tracks) - 1}")
        count: Counter[str] = Counter()
        total: Counter[str] = Counter()
        spans: dict[int, list[tuple[int, int]]] = {}
        labels = c.strings.texts(c.kinds.label)
        columns = (c.events.start_ps, c.events.duration_ps, c.events.name, c.events.kind, c.events.track)
        for start, length, name, kind, track in zip(*(column.tolist() for column in columns), strict=True):
            if start >= high or not (start >= low or start + length > low):
                continue
            shown = (labels[kind] if kind >= 0 else "") or c.strings[name]
            a, b = max(start, low), min(start + length, high)
            count[shown] += 1
            total[shown] += b - a
            spans.setdefault(track, []).append((a, b))
        covered = {t: intervals.union(*map(np.array, zip(*s, strict=True))).total for t, s in spans.items()}
        assert answer.result.summary["area_events"] == sum(count.values()), path
        assert answer.result.summary["area_busy_ps"] == sum(covered.values()), path
        if len(count) > trace_area.AREA_NAMES_MAX:
            continue
        found: Counter[str] = Counter()
        ps: Counter[str] = Counter()
        for name, number, length in rows(answer, "area_names", "name", "count", "total_ps"):
            found[name] += number
            ps[name] += length
        if all(len(name) <= 200 for name in count) and len(count) < 1000:
            assert (sum(found.values()), sum(ps.values())) == (sum(count.values()), sum(total.values())), path
        assert sum(own for (own,) in rows(answer, "area_names", "self_ps")) == sum(covered.values()), path
