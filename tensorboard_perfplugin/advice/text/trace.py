"""Texts about the timeline: of one event, of gaps, and of the events behind a number of another page."""

from __future__ import annotations

from collections.abc import Iterator

from ...messages import Param, Params
from .template import Text

_PYTHON: Params = {"track": "python", "device": ""}
_STREAM: Params = {"track": "Stream #8", "device": "/device:GPU:1"}
_US = 1_000_000

#: Of the start of one event against another's: sooner, later, at once.
_STARTED_BEFORE = "[{earlier?}{earlier:duration} before|{later?}{later:duration} after|at that instant]"
_STARTED_AFTER = "[{later?}{later:duration} later|{earlier?}{earlier:duration} earlier|at that instant]"
_FROM_CALL = "[{later?}{later:duration} after|{earlier?}{earlier:duration} before|at the instant of] the call"
_APART: tuple[Params, ...] = (
    {"earlier": 32 * _US, "later": 0},
    {"earlier": 0, "later": 5 * _US},
    {"earlier": 0, "later": 0},
)


def _apart(**more: Param) -> tuple[Params, ...]:
    """Examples of all three."""
    return tuple({**one, **more} for one in _APART)


#: Parts of sentences.
_PARTS = {
    "trace.track": Text(
        title="[{track:short}|its track][ of {device:short}]",
        examples=(_PYTHON, _STREAM, {"track": "", "device": ""}),
    ),
}

_LATENCY = "Launch latency {latency:duration}: "
_HOST_LATE = (
    "its stream was idle for {idle:duration}. The host launched it {late:duration} after the stream became idle"
)
_ENDED = "which ended [{idle?}{idle:duration} before it started|when it started]"
_SHORTLY = "which ended [{left?}{left:duration} before it started|when it started]"
_SELECTED = "An event is selected: "

#: Why one event started when it did: findings of its panel.
_WHY = {
    "why.first_on_stream": Text(
        title="It is the first on its stream; the capture does not hold its launch.",
        when=_SELECTED + "the first work of a stream, and no launch is joined to it.",
    ),
    "why.no_launch": Text(
        title="It started [{since?}{since:duration} after|right after] `{before:short}` ended on its stream; the "
        "capture does not hold its launch.",
        when=_SELECTED + "work of a stream, and no launch is joined to it.",
        examples=({"since": 52 * _US, "before": "gemm"}, {"since": 0, "before": "gemm"}),
    ),
    "why.no_launch.within": Text(
        title="It started while `{around:short}` ran on its stream; the capture does not hold its launch.",
        when=_SELECTED + "it began while another event of its stream ran, and no launch is joined to it.",
        examples=({"around": "gemm"},),
    ),
    "why.clocks_differ": Text(
        title="It started {early:duration} before its launch: the clocks of host and device differ.",
        when=_SELECTED + "it begins before the launch that it is joined to.",
        examples=({"early": 10 * _US},),
    ),
    "why.queued": Text(
        title=_LATENCY + "queued behind `{before:short}`, " + _ENDED + ".",
        when=_SELECTED + "its stream was still busy when the launch returned.",
        examples=(
            {"latency": 32 * _US, "before": "gemm", "idle": 2 * _US},
            {"latency": 32 * _US, "before": "gemm", "idle": 0},
        ),
    ),
    "why.queued.within": Text(
        title=_LATENCY + "its stream was still running `{around:short}`.",
        when=_SELECTED + "it began while another event of its stream ran.",
        examples=({"latency": 40 * _US, "around": "graph"},),
    ),
    "why.other_stream": Text(
        title=_LATENCY + "its stream was idle. It may have waited for `{other:short}` on {where}, " + _SHORTLY + ".",
        when=_SELECTED + "its stream was free, and work of another stream of its device ended shortly before it began.",
        unless="That work ended long before it, compared with the time that it waited.",
        examples=(
            {"latency": 34 * _US, "other": "gemm", "where": "Stream #7", "left": 2 * _US},
            {"latency": 34 * _US, "other": "gemm", "where": "Stream #7", "left": 0},
        ),
    ),
    "why.stream_idle": Text(
        title=_LATENCY + "its stream was idle[{idle?} for {idle:duration}].",
        when=_SELECTED + "its stream was free when it was launched, and nothing else shows why it waited.",
        examples=({"latency": 15 * _US, "idle": 3 * _US}, {"latency": 15 * _US, "idle": 0}),
    ),
    "why.launched_late": Text(
        title=_LATENCY + _HOST_LATE + ": {where} ran `{busy:short}` for {time:duration} of that.",
        when=_SELECTED + "its stream had been idle before it was launched, and the thread's events show what it did.",
        examples=(
            {"latency": 5 * _US, "idle": 52 * _US, "late": 47 * _US, "where": "python", "busy": "next", "time": _US},
        ),
    ),
    "why.launched_late.unseen": Text(
        title=_LATENCY + _HOST_LATE + "; the capture does not show what its thread did then.",
        when=_SELECTED + "its stream had been idle before it was launched, and no event shows what the thread did.",
        examples=({"latency": 5 * _US, "idle": 52 * _US, "late": 47 * _US},),
    ),
    "why.asynchronous": Text(
        title="It waits for what `{begun:short}` started [{since?}{since:duration} before|at that instant].",
        when=_SELECTED + "an op of a TPU that ends what an earlier op began.",
        examples=({"begun": "copy-start.2", "since": 14 * _US}, {"begun": "copy-start.2", "since": 0}),
    ),
    "why.first_of_program": Text(
        title="It is the first op of `{program:short}`, which started [{since?}{since:duration} before|at that instant]"
        "[; {where} enqueued it [{enqueued?}{enqueued:duration} before|at that instant]].",
        when=_SELECTED + "the first op of a program's run on a TPU.",
        examples=(
            {"program": "jit_f", "since": 2 * _US, "where": "main", "enqueued": 17 * _US},
            {"program": "jit_f", "since": 0, "where": "main", "enqueued": 0},
            {"program": "jit_f", "since": 2 * _US},
        ),
    ),
    "why.first_on_core": Text(
        title="It is the first on its core.", when=_SELECTED + "nothing ran before it on its TPU core."
    ),
    "why.after_on_core": Text(
        title="It started [{since?}{since:duration} after|right after] `{before:short}` ended on its core.",
        when=_SELECTED + "an op of a TPU, which runs one after the other.",
        examples=({"since": 2 * _US, "before": "fusion.1"}, {"since": 0, "before": "fusion.1"}),
    ),
    "why.first_in_parent": Text(
        title="It started [{since?}{since:duration} after|right after] `{parent:short}`, which it lies in.",
        when=_SELECTED + "the first in the event that encloses it.",
        examples=({"since": 5 * _US, "parent": "outer"}, {"since": 0, "parent": "outer"}),
    ),
    "why.within": Text(
        title="It started while `{around:short}` ran.",
        when=_SELECTED + "it began while another event of its track ran, and nothing of the track had ended before.",
        examples=({"around": "outer"},),
    ),
    "why.waited": Text(
        title="It waited {waited:duration}[{maybe?}, maybe] for `{last:short}` on {where}, which ended "
        "[{left?}{left:duration} before|when] it returned.",
        when=_SELECTED + "a call that returns when a device is done, and work of a device ended within it.",
        examples=(
            {"waited": 44 * _US, "maybe": False, "last": "copy", "where": "Stream #8", "left": 16 * _US},
            {"waited": 44 * _US, "maybe": True, "last": "copy", "where": "Stream #8", "left": 0},
        ),
    ),
    "why.caused": Text(
        title="It started [{since?}{since:duration} after|right after] `{producer:short}` on {where}, which it is "
        "caused by.",
        when=_SELECTED + "the capture records what caused it, on another thread.",
        examples=(
            {"since": 5 * _US, "producer": "Schedule", "where": "main"},
            {"since": 0, "producer": "Schedule", "where": "main"},
        ),
    ),
    "why.caused.thread_busy": Text(
        title="It started [{since?}{since:duration} after|right after] `{producer:short}` on {where}, which it is "
        "caused by: its thread ran `{before:short}` until [{idle?}{idle:duration} before|then].",
        when=_SELECTED + "the capture records what caused it, and its thread was busy after that.",
        examples=(
            {"since": 5 * _US, "producer": "Schedule", "where": "main", "before": "op", "idle": _US},
            {"since": 0, "producer": "Schedule", "where": "main", "before": "op", "idle": 0},
        ),
    ),
    "why.first_on_thread": Text(
        title="Nothing ran before it on its thread.", when=_SELECTED + "the first of its thread."
    ),
    "why.after_on_thread": Text(
        title="It started [{since?}{since:duration} after|right after] `{before:short}` ended on its thread.",
        when=_SELECTED + "an event of a thread, and nothing shows more.",
        examples=({"since": 10 * _US, "before": "op"}, {"since": 0, "before": "op"}),
    ),
}

#: What one event has to do with another: cells of `links`, and the last one at a collective.
_LINKS = {
    "link.launch": Text(
        title="Launched from {where}, " + _STARTED_BEFORE + ".",
        examples=_apart(where="python"),
    ),
    "link.kernel": Text(title="Started " + _FROM_CALL + ", on {where}.", examples=_apart(where="Stream #7")),
    "link.kernel.within": Text(
        title="Launched by `{call:short}` within it; started " + _FROM_CALL + ", on {where}.",
        examples=_apart(where="Stream #7", call="cuLaunchKernel"),
    ),
    "link.first_launch": Text(
        title="Launched the first kernel from {where}, " + _STARTED_BEFORE + ".", examples=_apart(where="python")
    ),
    "link.under": Text(title="Ran on {where}; it started " + _STARTED_AFTER + ".", examples=_apart(where="Stream #7")),
    "link.same": Text(title="Of the same name, on this line; it started " + _STARTED_AFTER + ".", examples=_apart()),
    "link.producer": Text(title="It caused this one; it started " + _STARTED_BEFORE + ".", examples=_apart()),
    "link.input": Text(title="It made an input of this one; it started " + _STARTED_BEFORE + ".", examples=_apart()),
    "link.consumer": Text(title="Caused by this one; it started " + _STARTED_AFTER + ".", examples=_apart()),
    "link.module": Text(title="The run of the program that it belongs to."),
    "link.parent": Text(title="It encloses this one; it started " + _STARTED_BEFORE + ".", examples=_apart()),
    "link.previous": Text(
        title="Before it on its [{stream?}stream|thread]; it ended " + _STARTED_BEFORE + ".",
        examples=(*_apart(stream=True), *_apart(stream=False)),
    ),
    "link.next": Text(
        title="After it on its [{stream?}stream|thread]; it started " + _STARTED_AFTER + ".",
        examples=(*_apart(stream=True), *_apart(stream=False)),
    ),
    "link.peer": Text(
        title="The same collective on {device:short}; it started " + _STARTED_AFTER + " and ended "
        "[{ended_later?}{ended_later:duration} later|{ended_earlier?}{ended_earlier:duration} earlier|with it].",
        examples=(
            *_apart(device="/device:GPU:1", ended_later=0, ended_earlier=0),
            *_apart(device="/device:GPU:1", ended_later=_US, ended_earlier=0),
            *_apart(device="/device:GPU:1", ended_later=0, ended_earlier=_US),
        ),
    ),
    "link.peer.other_host": Text(
        title="The same collective on {device:short} of {host}, matched by [number, {number:number} of {of:number}|the "
        "hosts' clocks]; it took {took:duration}, [{longer?}{longer:duration} longer|{shorter?}{shorter:duration} "
        "shorter|as long as this one].",
        examples=(
            {"device": "GPU:0", "host": "b", "number": 1, "of": 2, "took": 6 * _US, "longer": 4 * _US, "shorter": 0},
            {"device": "GPU:0", "host": "b", "number": None, "took": 6 * _US, "longer": 0, "shorter": 4 * _US},
            {"device": "GPU:0", "host": "b", "number": None, "took": 6 * _US, "longer": 0, "shorter": 0},
        ),
    ),
    "link.step": Text(
        title="It belongs to step {step}, by [{cause?}what caused it|time].",
        examples=({"step": "12", "cause": True}, {"step": "12", "cause": False}),
    ),
    "came_last.other": Text(
        title="{device:short}[ of {host}], {late:duration} after this one, of {of:number}.",
        examples=(
            {"device": "/device:GPU:1", "host": "b", "late": 3 * _US, "of": 4},
            {"device": "/device:GPU:1", "host": "", "late": 3 * _US, "of": 2},
        ),
    ),
    "came_last.this": Text(
        title="This one, {late:duration} after the first, of {of:number}.", examples=({"late": 3 * _US, "of": 4},)
    ),
    "came_last.none": Text(title="Nobody: all {of:number} at the same time.", examples=({"of": 4},)),
}


def _of_other_streams() -> Iterator[tuple[str, Text]]:
    """What another stream of the device ran in a gap: computed, or copied."""
    for code in ("gap.other_stream", "gap.copy"):
        yield (
            code,
            Text(
                title="{where} ran `{longest:short}` for {time:duration} of it; then `{next:short}` ran on this one.",
                examples=({"where": "Stream #8", "longest": "gemm", "time": 33 * _US, "next": "k3"},),
            ),
        )
        yield (
            f"{code}.many",
            Text(
                title="{where} was busy for {time:duration} of it, longest with `{longest:short}`; then `{next:short}` "
                "ran on this one.",
                examples=({"where": "Stream #8", "longest": "gemm", "time": 33 * _US, "next": "k3"},),
            ),
        )


_INTO_THE_GAP = "{where} launched `{next:short}` {late:duration} after the gap began ({share:percent})"
_LATE: Params = {"where": "python", "next": "k2", "late": 80 * _US, "share": 0.94}


def _of_late_launches() -> Iterator[tuple[str, Text]]:
    """What the thread did that launched late: it waited for input, or for a device, or did something else."""
    for code in ("gap.launched_late", "gap.input", "gap.sync"):
        yield (
            code,
            Text(
                title=_INTO_THE_GAP + ": [{elsewhere}|it] ran `{busy:short}` for {time:duration}.",
                examples=(
                    {**_LATE, "elsewhere": None, "busy": "get_next", "time": 65 * _US},
                    {**_LATE, "elsewhere": "main", "busy": "get_next", "time": 65 * _US},
                ),
            ),
        )


#: Why nothing ran on a device, a stream or a thread: cells of `area_gaps`.
_GAPS = {
    "gap.device": Text(
        title="All {streams:number} compute streams of {device:short} were idle. {cause}",
        examples=({"streams": 2, "device": "/device:GPU:0", "cause": "Nothing ran on it before `a`."},),
    ),
    "gap.end": Text(title="Nothing more ran on it, to the end of the capture."),
    "gap.area_end": Text(
        title="Nothing ran on it until the area ended; `{next:short}` started {later:duration} later.",
        examples=({"next": "b", "later": _US},),
    ),
    "gap.next": Text(
        title="Then it ran `{next:short}`[{unseen?}, whose launch the capture does not hold].",
        examples=({"next": "b", "unseen": True}, {"next": "b", "unseen": False}),
    ),
    "gap.clocks_differ": Text(
        title="`{next:short}` started {early:duration} before its launch: the clocks of host and device differ.",
        examples=({"next": "b", "early": 10 * _US},),
    ),
    "gap.launch_latency": Text(
        title="Launch latency: {latency:duration} of the gap passed between the launch of `{next:short}` and its "
        "start.",
        examples=({"next": "b", "latency": 8 * _US},),
    ),
    "gap.launched_late.unseen": Text(
        title=_INTO_THE_GAP + "; the capture does not show what it did before.", examples=(_LATE,)
    ),
    **dict(_of_late_launches()),
    **dict(_of_other_streams()),
    "gap.caused": Text(
        title="`{next:short}` is caused by `{producer:short}` on {where}, which started {since:duration} before.",
        examples=({"next": "b", "producer": "hand over", "where": "main", "since": 10 * _US},),
    ),
    "gap.begin": Text(title="Nothing ran on it before `{next:short}`.", examples=({"next": "b"},)),
    "gap.unseen": Text(
        title="The capture shows nothing between `{before:short}` and `{next:short}`.",
        examples=({"before": "a", "next": "b"},),
    ),
}

#: What is marked for a number of another page, and what of it makes the number.
_PROOFS = {
    "proof.no_events": Text(
        title="No event with a time is of that row: the capture holds sums alone, or the row is another capture's."
    ),
    "proof.no_stretches": Text(
        title="No stretch of time is of that row: the capture holds sums alone, or the row is another capture's."
    ),
    "proof.events": Text(
        title="{events:count event} on {tracks:count track}; {how} is {total:duration}[, {each:duration} each on "
        "average].",
        examples=(
            {"events": 1200, "tracks": 2, "how": "the sum of their durations", "total": 2400 * _US, "each": 2 * _US},
            {"events": 1, "tracks": 1, "how": "the sum of their durations", "total": 2 * _US, "each": None},
        ),
    ),
    "proof.stretches": Text(
        title="{stretches:count stretch of time|stretches of time}: {total:duration}[, {how}].",
        examples=(
            {"stretches": 12, "total": 2400 * _US, "how": "the sum of the gaps' lengths"},
            {"stretches": 1, "total": 2400 * _US, "how": None},
        ),
    ),
    "proof.durations": Text(
        title="the sum of their durations[{tpu?}, on a TPU by its own clock]", examples=({"tpu": True}, {"tpu": False})
    ),
    "proof.self_times": Text(
        title="the sum of their self times[{tpu?}, on a TPU by its own clock]", examples=({"tpu": True}, {"tpu": False})
    ),
    "proof.gaps": Text(title="the sum of the gaps' lengths"),
    "proof.ops_ran": Text(title="the time in which at least one op ran on a thread"),
    "proof.no_op_ran": Text(title="the time in which no op ran on a thread"),
    "proof.device_busy": Text(title="the time in which it ran something"),
    "proof.device_idle": Text(title="the time in which it ran nothing"),
    "proof.devices_idle": Text(title="the time in which a device ran nothing, summed over devices"),
    "proof.own_clock": Text(
        title="[{how}, ]by the TPU's own clock",
        examples=({"how": "a mean over 12 steps"}, {"how": None}),
    ),
    "proof.mean": Text(
        title="a mean over [{steps:count step}[{several?} and over devices and hosts]|devices and hosts]",
        examples=({"steps": 12, "several": True}, {"steps": 12, "several": False}, {"steps": None, "several": True}),
    ),
}

_WINDOWS = {
    "events_undrawn": Text(
        title="{events:count event} of {host} nested too deep to be drawn.",
        when="Events of a window lie deeper in each other than lanes are drawn.",
        examples=({"events": 3, "host": "worker-0"}, {"events": 1, "host": "worker-0"}),
    ),
}

TRACE = {**_PARTS, **_WHY, **_LINKS, **_GAPS, **_PROOFS, **_WINDOWS}
