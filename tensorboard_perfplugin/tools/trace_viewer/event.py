"""One event of the trace: all that is known of it, what it has to do with, and why it started only then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...advice import Finding
from ...advice.text import Sentence
from ...errors import ArgumentError, NotFoundError
from ...messages import Message
from ...tables import Cells, Evidence
from ...timeline.timeline import remembered
from ...trace.derived import derived_of
from ...trace.event import Row, derived_details, derived_related, details
from ...trace.lanes import shortened
from ...trace.links import Collectives, Frame, Link, Party, Related, came_last, collectives, links_to, peers, related
from ...trace.window import place_of
from .question import Answered, Asking, Given, Question, Run


class Details(NamedTuple):
    rows: list[Row]
    related: Related


class EventPart(NamedTuple):
    """collectives: of every host. details: of the host that has the event."""

    collectives: Collectives
    details: Details | None


def _per_host(asking: Asking) -> EventPart:
    timeline = asking.timeline
    row = place_of(str(asking.options["event"]), timeline.host)
    exchanged = remembered(timeline, collectives)
    if row is None:
        return EventPart(exchanged, None)
    if row < len(timeline.capture.events):
        rows = details(timeline, row, asking.offset_ps)
        return EventPart(exchanged, Details(rows, related(timeline, row, asking.offset_ps)))
    derived = derived_of(timeline)
    rows = derived_details(derived, row, asking.offset_ps)
    return EventPart(exchanged, Details(rows, derived_related(derived, row, asking.offset_ps)))


def _answer(given: Sequence[Given[EventPart]], run: Run) -> Answered:
    asked = str(run.options["event"])
    if len(given) > 1 and ":" not in asked:
        raise ArgumentError(f"event={asked[:80]!r}: the run has several hosts; give `host:row`")
    for host, _, part in given:
        if part.details is not None:
            return _of_event(given, host, part.details, run.axis.origin_ns is not None)
    raise NotFoundError(f"event={asked[:80]!r}: the hosts are {', '.join(one.host for one in given[:20])}")


def _of_event(given: Sequence[Given[EventPart]], host: str, event: Details, one_clock: bool) -> Answered:
    facts = {key: value for group, key, value in event.rows if group == "event"}
    links, last = _together(given, host, int(facts["row"]), event.related, one_clock)
    rows = event.rows + ([("event", "came_last", Sentence(last.code, last.params))] if last else [])
    group, key, value = zip(*rows, strict=True)
    tables: dict[str, dict[str, Cells]] = {
        "event": {"group": group, "key": key, "value": value},
        "links": _links_table(links),
        "stack": _stack_table(event.related.stack),
    }
    begin, why = int(facts["start_ps"]), event.related.why.message
    place = Evidence(host, begin, begin + int(facts["duration_ps"]), int(facts["track"]))
    findings = [Finding(code=why.code, params=why.params, evidence=(place,))] if why else []
    return Answered(tables=tables, findings=findings)


def _together(
    given: Sequence[Given[EventPart]], host: str, row: int, event: Related, one_clock: bool
) -> tuple[list[Link], Message | None]:
    """The links of an event with the same collective on other hosts, and who came last to it."""
    exchanged = [(one.host, one.offset_ps, one.part.collectives) for one in given]
    this, far = peers(exchanged, host, row, one_clock)
    if this is None:
        return event.links, None
    parties = event.parties + [Party(one.device, one.host, one.end - one.begin) for one in far]
    return event.links + links_to(far, this), came_last(this, parties)


def _links_table(links: Sequence[Link]) -> dict[str, Cells]:
    return {
        "kind": [link.kind for link in links],
        "host": [link.host for link in links],
        "row": [link.row for link in links],
        "track": [link.track for link in links],
        "depth": [link.depth for link in links],
        "start_ps": [link.start_ps for link in links],
        "duration_ps": [link.duration_ps for link in links],
        "name": shortened(link.name for link in links),
        "text": [Sentence(link.message.code, link.message.params) for link in links],
    }


def _stack_table(frames: Sequence[Frame]) -> dict[str, Cells]:
    return {
        "name": shortened(frame.name for frame in frames),
        "row": [frame.row for frame in frames],
        "start_ps": [frame.start_ps for frame in frames],
        "duration_ps": [frame.duration_ps for frame in frames],
        "track": [frame.track for frame in frames],
        "kind": [frame.kind for frame in frames],
    }


EVENT = Question(
    name="event",
    asked_by=("event",),
    per_host=_per_host,
    answer=_answer,
    tables=("event", "links", "stack"),
)
