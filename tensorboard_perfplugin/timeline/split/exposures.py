"""Steps and categories → when, of each unit, they are what counts: the stretches that a split's numbers sum up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...tables import F64, I64, U8, Intervals, intervals
from ..categories import CATEGORIES, INDEX
from ..steps.model import Steps
from ..timeline import Timeline
from ..tracks.tracks import device_tracks, threads_of
from .device import device_categories_of, device_pieces
from .host import host_categories_of, host_pieces
from .model import Unit
from .sets import Pieces, share, union
from .split import Classes, exposed_in, latency, units_of


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


class EventParts(NamedTuple):
    """Pieces of events' time that count to a unit's steps. row: the event. ps: its part, of several tracks that show
    the same category at once an equal one."""

    category: U8
    row: I64
    ps: F64


def parts_by_event(timeline: Timeline, steps: Steps, windows: Sequence[Intervals]) -> Iterator[EventParts]:
    """For each unit, as in `Split.units`, what each event has of the time that counts; none as in `exposed`.

    windows: by unit the steps that are asked for. What no event shows is nobody's.
    """
    if not len(steps) or steps.rule == "recorded":
        return
    units = units_of(timeline)
    host = [(one, bool(len(one.row))) for one in host_pieces(timeline, steps, any(unit.plane >= 0 for unit in units))]
    for unit, when in zip(units, windows, strict=True):
        of_device = device_pieces(timeline, unit.plane) if unit.plane >= 0 else ()
        given = [*host, *((one, True) for one in of_device)]
        if unit.kind == "gpu":
            given.append((Pieces.of_nothing(INDEX["launch"], latency(timeline, unit.plane)), False))
        yield _shared([(one, shown) for one, shown in given if len(one.begin)], when)


def _shared(given: list[tuple[Pieces, bool]], windows: Intervals) -> EventParts:
    """given: of each track its pieces, and whether they are events'."""
    if not given:
        return EventParts(np.empty(0, np.uint8), np.empty(0, np.int64), np.empty(0))
    first = np.cumsum([0, *(len(one.begin) for one, _ in given)])
    begin, end, category = (np.concatenate([one[i] for one, _ in given]) for i in range(3))
    shown = np.array([shown for _, shown in given], np.uint8)
    ps = share(begin, end, category, first, shown, windows, len(CATEGORIES))
    row = np.concatenate([one.row if shown else np.zeros(len(one.begin), np.int64) for one, shown in given])
    some = np.flatnonzero(ps > 0)
    return EventParts(category[some], row[some], ps[some])


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
