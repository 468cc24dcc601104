"""Steps, replayed with some of what ran in them longer, shorter or left out → how long they would take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import F64, I64
from ...timeline.steps.model import Steps
from . import walk
from .path import NEAR, Laid, Side, longest_run

#: So many pieces are replayed, in whole steps, at least one.
_PIECES = 200_000


class Replay(NamedTuple):
    """Some typical steps that follow each other, ready to be replayed.

    steps: how many. order: (2, n), pieces as they began, and the track of each. causes: (2, n), what let each begin.
    """

    laid: Laid
    steps: int
    order: I64
    causes: I64

    @property
    def recorded_ps(self) -> int:
        return self.laid.stop - self.laid.floor

    def taken_ps(self, scale: F64, free: NDArray[np.bool_] | None = None) -> int:
        """How long the steps take if each piece is `scale` times as long. What nothing is known to wait for ends no
        step. free: which waits end then, too, and not when what they wait for does."""
        laid, (pieces, running, tracks) = self.laid, self.laid.columns()
        tracks[4] = tracks[3]
        now = np.empty((2, pieces.shape[1]), np.int64)
        waits = laid.pieces.waits if free is None else np.where(free, np.uint8(0), laid.pieces.waits)
        walk.replay(self.order, pieces, waits, scale, self.causes, running, tracks, now)
        side = np.repeat(laid.side, np.diff(laid.first))
        ends = side == laid.side[laid.start]
        before, after = laid.pieces.end[ends].max(), now[1, ends].max()
        return max(int(self.recorded_ps - (before - after)), 0)


def replay_of(laid: Laid, steps: Steps, typical: NDArray[np.bool_]) -> Replay | None:
    """None without a typical step in which something ran."""
    inside = typical & (steps.begin_ps >= laid.floor) & (steps.until_ps <= max(laid.stop, laid.floor))
    if not inside.any():
        return None
    many = max(int(_PIECES * inside.sum() / max(len(laid.pieces.begin), 1)), 1)
    # Steps of one lane follow each other; those that do not, or are slow, end the stretch.
    run = longest_run(steps, inside)[:many]
    part = laid.within(int(steps.begin_ps[run[0]]), int(steps.until_ps[run[-1]]))
    if not len(part.pieces.begin) or part.stop <= part.floor:
        return None
    part = _clipped(part)
    track = np.repeat(np.arange(len(part.side)), np.diff(part.first))
    pieces, running, tracks = part.columns()
    last = np.argsort(-part.pieces.begin, kind="stable")
    found = np.full((2, len(track)), -1, np.int64)
    order = np.stack([last, track[last]])
    walk.causes(order, NEAR.value, part.home, pieces, part.pieces.waits, running, tracks, np.zeros(2, np.int64), found)
    when = np.where(part.pieces.waits > 0, part.pieces.end, part.pieces.begin)
    first = np.lexsort((part.pieces.waits == 0, when))
    return Replay(part, len(run), np.stack([first, track[first]]), found)


def _clipped(laid: Laid) -> Laid:
    """Without what lies before the first step and, on the program's own threads, after the last."""
    pieces = laid.pieces
    own = np.repeat(laid.side, np.diff(laid.first)) == Side.MAIN
    begin = np.maximum(pieces.begin, laid.floor)
    end = np.where(own, np.minimum(pieces.end, laid.stop), pieces.end)
    return laid._replace(pieces=pieces._replace(begin=begin, end=end))
