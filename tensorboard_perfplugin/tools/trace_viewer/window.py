"""A window of the trace: the slices of all hosts' tracks, as many as fit into one answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...advice import Finding
from ...messages import Param
from ...tables import Cells, Scalar
from ...trace.lanes import BYTES_MAX, SLICES_MAX, encoded_bytes, shortened
from ...trace.window import WindowPart, cut_window
from .question import Answered, Asking, Given, Question, Run


def _per_host(asking: Asking) -> WindowPart:
    return cut_window(asking.timeline, asking.options, asking.window or asking.whole)


def _answer(given: Sequence[Given[WindowPart]], run: Run) -> Answered:
    numbers, tables = window_tables([(one.host, one.offset_ps, one.part) for one in given])
    return Answered(numbers, tables, tuple(_undrawn(given)))


def _undrawn(given: Sequence[Given[WindowPart]]) -> Iterator[Finding]:
    for host, _, window in given:
        if window.undrawn:
            params: dict[str, Param] = {"events": window.undrawn, "host": host}
            yield Finding(code="events_undrawn", params=params, severity="warning")


def _fitting(parts: Sequence[tuple[str, int, WindowPart]]) -> list[tuple[str, int, WindowPart]]:
    kept: list[tuple[str, int, WindowPart]] = []
    slices, size = 0, 0.0
    for part in parts:
        more = len(part[2].row)
        more_bytes = encoded_bytes(part[2].start_ps, part[2].end_ps, part[2].busy_ps)
        if not kept or (slices + more <= SLICES_MAX and size + more_bytes <= BYTES_MAX):
            kept.append(part)
            slices, size = slices + more, size + more_bytes
    return kept


def window_tables(
    parts: Sequence[tuple[str, int, WindowPart]],
) -> tuple[dict[str, Scalar], dict[str, dict[str, Cells]]]:
    """Numbers and tables of as many windows, each with its host and offset, as fit into one answer; one at least."""
    kept = _fitting(parts)
    begin = min(w.window.start_ps + offset_ps for _, offset_ps, w in kept)
    numbers: dict[str, Scalar] = {
        "window_start_ps": begin,
        "window_end_ps": max(w.window.end_ps + offset_ps for _, offset_ps, w in kept),
        "resolution_ps": max(1 << w.shift for *_, w in kept),
        "shown_count": sum(int(w.shown.sum()) for *_, w in kept),
        "merged_count": sum(int(w.merged.sum()) for *_, w in kept),
        "undrawn_count": sum(w.undrawn for *_, w in kept),
    }
    pairs = dict.fromkeys(pair for *_, w in kept for pair in zip(w.names, w.categories, strict=True))
    places = {pair: i for i, pair in enumerate(pairs)}
    of = [np.array([places[p] for p in zip(w.names, w.categories, strict=True)], np.int64) for *_, w in kept]
    before = np.cumsum([0, *(len(w.tracks) for *_, w in kept)])
    slices = {
        "track": [w.track + before[i] for i, (*_, w) in enumerate(kept)],
        "depth": [w.depth for *_, w in kept],
        "start_ps": [w.start_ps + (offset_ps - begin) for _, offset_ps, w in kept],
        "duration_ps": [w.end_ps - w.start_ps for *_, w in kept],
        "idle_ps": [w.end_ps - w.start_ps - w.busy_ps for *_, w in kept],
        "name": [of[i][w.name] for i, (*_, w) in enumerate(kept)],
        "count": [w.count for *_, w in kept],
        "row": [w.row for *_, w in kept],
    }
    return numbers, {
        "slices": {key: np.concatenate(columns) for key, columns in slices.items()},
        "names": {"name": shortened(name for name, _ in pairs), "category": [category for _, category in pairs]},
        "window_tracks": {
            "host": [host for host, _, w in kept for _ in range(len(w.tracks))],
            "track": np.concatenate([w.tracks for *_, w in kept]),
            "shown": np.concatenate([w.shown for *_, w in kept]),
            "merged": np.concatenate([w.merged for *_, w in kept]),
        },
    }


WINDOW = Question(
    name="window",
    asked_by=(),
    per_host=_per_host,
    answer=_answer,
    scalars=(
        *("window_start_ps", "window_end_ps", "resolution_ps"),
        *("shown_count", "merged_count", "undrawn_count"),
    ),
    tables=("slices", "names", "window_tracks"),
    not_asked="no window was asked for",
)
