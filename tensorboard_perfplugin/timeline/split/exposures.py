"""Steps and categories → when, of each unit, they are what counts: the stretches that a split's numbers sum up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...tables import I64, Intervals, intervals
from ..steps import Steps
from ..timeline import Timeline
from ..tracks import device_tracks, threads_of
from .device import device_categories_of
from .host import host_categories_of
from .model import Unit
from .sets import union
from .split import Classes, exposed_in, units_of


class Exposed(NamedTuple):
    """Of one unit. when: from the first step's begin to the last one's end, whether a step holds there or not.

    where: tracks, and when on these; what several tracks show at once is there several times.
    """

    unit: Unit
    when: Intervals
    where: list[tuple[I64, Intervals]]


def exposed(timeline: Timeline, steps: Steps, categories: Sequence[int]) -> list[Exposed]:
    """By unit, as in `Split.units`; none without steps, and where somebody else divided them."""
    if not len(steps) or steps.rule == "recorded":
        return []
    units = units_of(timeline)
    classes = Classes(timeline, steps, units)
    begin, until = int(steps.begin_ps.min()), int(steps.until_ps.max())
    hosts = host_categories_of(timeline, steps, any(unit.plane >= 0 for unit in units))
    exposures = []
    for i, unit in enumerate(units):
        sets, rest, where = classes.of_unit(i), classes.rest(i), []
        device = device_categories_of(timeline, unit.plane) if unit.plane >= 0 else {}
        parts = [exposed_in(sets, category, rest, begin, until) for category in categories]
        for category, when in zip(categories, parts, strict=True):
            shown = [*device.get(category, ()), *hosts.get(category, ())]
            where += list(_shown(timeline, unit, when, shown))
        exposures.append(Exposed(unit, union(parts), where))
    return exposures


class ByTrack(NamedTuple):
    """Of one unit and category. when: as in `Exposed`. tracks: those that show it, and when on each."""

    unit: int
    category: int
    when: Intervals
    tracks: list[tuple[int, Intervals]]


def exposed_by_track(timeline: Timeline, steps: Steps) -> Iterator[ByTrack]:
    """What counts on each unit, by its place in `Split.units`, for each category that does; none as in `exposed`."""
    if not len(steps) or steps.rule == "recorded":
        return
    units = units_of(timeline)
    classes = Classes(timeline, steps, units)
    begin, until = int(steps.begin_ps.min()), int(steps.until_ps.max())
    hosts = host_categories_of(timeline, steps, any(unit.plane >= 0 for unit in units))
    for i, unit in enumerate(units):
        sets, rest = classes.of_unit(i), classes.rest(i)
        device = device_categories_of(timeline, unit.plane) if unit.plane >= 0 else {}
        for category in sorted({*sets, rest}):
            when = exposed_in(sets, category, rest, begin, until)
            if len(when.begin):
                shown = [*device.get(category, ()), *hosts.get(category, ())]
                tracks = [(track, intervals.intersection(when, held)) for track, held in shown]
                yield ByTrack(i, category, when, [(track, held) for track, held in tracks if len(held.begin)])


def exposed_by(timeline: Timeline, steps: Steps, categories: Sequence[int]) -> dict[int, Intervals]:
    """By category when it is what counts for any unit, from the first step's begin to the last one's end."""
    if not len(steps) or steps.rule == "recorded":
        return {}
    units = units_of(timeline)
    classes = Classes(timeline, steps, units)
    sets = [(classes.of_unit(i), classes.rest(i)) for i in range(len(units))]
    begin, until = int(steps.begin_ps.min()), int(steps.until_ps.max())
    return {c: union(exposed_in(one, c, rest, begin, until) for one, rest in sets) for c in categories}


def exposed_by_unit(timeline: Timeline, steps: Steps, category: int) -> list[Intervals]:
    """By unit, as in `Split.units`, when a category is what counts; none as in `exposed`."""
    if not len(steps) or steps.rule == "recorded":
        return []
    units = units_of(timeline)
    classes = Classes(timeline, steps, units)
    begin, until = int(steps.begin_ps.min()), int(steps.until_ps.max())
    return [exposed_in(classes.of_unit(i), category, classes.rest(i), begin, until) for i in range(len(units))]


def _shown(
    timeline: Timeline, unit: Unit, when: Intervals, tracks: Iterable[tuple[int, Intervals]]
) -> Iterator[tuple[I64, Intervals]]:
    """On the tracks that show the category; what none shows, on all of the unit: it did nothing there."""
    shown = []
    for track, held in tracks:
        here = intervals.intersection(when, held)
        if len(here.begin):
            shown.append(here)
            yield np.array([track], np.int64), here
    rest = intervals.subtraction(when, union(shown))
    if len(rest.begin):
        yield unit_tracks(timeline, unit), rest


def unit_tracks(timeline: Timeline, unit: Unit) -> I64:
    """The tracks of a device that hold events; of a host its threads."""
    if unit.plane < 0:
        return threads_of(timeline)
    tracks = device_tracks(timeline.capture, unit.plane)
    return tracks[timeline.capture.tracks.events_end[tracks] > timeline.capture.tracks.events_begin[tracks]]
