"""Texts about reading files: what is damaged or left out, what a file does not hold, which hosts are missing, and
what a capture lacks for it.

Drop reasons are read behind a number of events: `3 damaged`, `12 has no time`.
"""

from ...messages import Message, Params, message
from .template import Text


def _of_count(title: str) -> Text:
    """A warning whose only parameter is a number."""
    return Text(title, examples=({"n": 1200},))


_DROPPED = {
    "damaged": "damaged",
    "time_not_representable": "time cannot be represented",
    "not_json_object": "no JSON object",
    "not_object": "no object",
    "cut_at_end": "cut off at the end of the file",
    "no_time": "has no time",
    "no_phase": "has no phase",
    "snapshot": "a snapshot of an object or of memory",
    "end_without_begin": "an end without its begin",
    "beyond_tracks": "beyond 10,000 processes or 100,000 threads",
    "sample_without_size": "a sample without a size",
    "damaged_sample": "a damaged sample",
    "repeated_copy": "is a copy that `stream:all` has as well",
    "metric_sample": "a sample of a metric",
    "impossible_time": "has a time that cannot be",
    "no_interned_data": "needs texts from before the begin of the file",
    "packed_packets": "packed packets of a kind, or of a size, that is not read",
    "beyond_sequences": "beyond 65,536 sequences of packets",
    "caller_without_function": "calls of a function that the file does not hold",
    "impossible_sum": "has numbers that cannot be",
    "profile_without_time": "a profile without times",
    "sample_without_time": "a sample without a time",
    "unknown_stack": "a call stack that the file does not hold",
    "sample_of_other_event": "a sample of another event than most",
    "deeper_frame": "frames below the thousandth of a call stack, whose time is that one's",
    "beyond_functions": "callers beyond 200,000 functions and callers",
    "beyond_slices": "beyond 300,000 slices of call stacks",
    "snapshot_entry_lost": "an action of the allocator that lies in no device's list",
    "snapshot_block_lost": "a block that lies in no segment",
}

_WIRE = {
    "gzip_damaged": Text("The gzip data is damaged at byte {at}.", examples=({"at": 1234},)),
    "gzip_cut": Text("The gzip data ends at byte {at}, before it is complete.", examples=({"at": 1234},)),
    "wire_damaged": Text(
        "The file is damaged at byte {at:number}; what lies before it is read.", examples=({"at": 1234},)
    ),
    "wire_damaged_part": Text("The file is damaged at byte {at}.", examples=({"at": 1234},)),
    "event_file_cut": _of_count("The file ends {n:number} bytes before this run metadata does; what is there is read."),
    "event_file_checksum": Text(
        "The record at byte {at:number} is damaged, its checksum is wrong: bytes were changed since they were written; "
        "what can be read is.",
        examples=({"at": 1234},),
    ),
}

_XPLANE = {
    "profiler_warning": Text("{text}", examples=({"text": "the buffer was full"},)),
    "events_lost": Text(
        "{plane}: {key} = {value}", examples=({"plane": "/device:GPU:0", "key": "dropped_traces", "value": "12"},)
    ),
    **{
        code: Text(
            f"At byte {{at}}[{{unpacked?}} of the unpacked data]: {what}.",
            examples=({"at": 1234, "unpacked": True}, {"at": 1234, "unpacked": False}),
        )
        for code, what in (
            ("xplane_field_damaged", "damaged; the rest of what it belongs to is left out"),
            ("xplane_event_damaged", "an event is damaged and left out"),
            ("xplane_stat_damaged", "a stat is damaged and left out"),
            ("xplane_cut", "what begins here is cut off, and is read as far as it goes"),
        )
    },
    "xplane_data_ends": Text(
        "At byte {at}[{unpacked?} of the unpacked data]: the data ends, at byte {size}, within what begins here.",
        examples=({"at": 1234, "unpacked": True, "size": 1300}, {"at": 1234, "unpacked": False, "size": 1300}),
    ),
    "xplane_more_damage": Text("{n} more places are damaged.", examples=({"n": 40},)),
    "limit_of_kind": Text(
        "The file has more than {limit} {what}; the others are not read.",
        examples=({"limit": 10_000, "what": "planes"},),
    ),
    "limit_of_devices": Text(
        "The file has {count} devices; the {limit} that hold most are read.", examples=({"count": 1200, "limit": 512},)
    ),
    "limit_of_fields": Text(
        "A message has {count} fields; only the first {kept} are read.", examples=({"count": 1200, "kept": 1000},)
    ),
    "device_clock_moved": Text(
        "Events of {device} are recorded {offset:duration} [{late?}later|earlier] than their launches allow; they are "
        "moved by that.",
        examples=(
            {"device": "/device:GPU:0", "offset": 25e10, "late": True},
            {"device": "/device:GPU:0", "offset": 25e10, "late": False},
        ),
    ),
    "clock_far_from_events": Text(
        "The session's start in the file is more than a day from its events; the first event's clock is used."
    ),
    **{
        code: Text(f"{{n}} {what}.", examples=({"n": 1200},))
        for code, what in (
            ("negative_durations", "events with a negative duration are shown as instants"),
            ("missing_event_metadata", "events refer to metadata that the file lacks; they have no name"),
            ("missing_stat_metadata", "stats refer to metadata that the file lacks; they have no name"),
            ("missing_stat_text", "stats refer to a text that the file lacks; they are empty"),
            ("invalid_utf8", "texts are not valid UTF-8; what is invalid in them is replaced"),
        )
    },
    "no_events": Text("The file holds no events: nothing was recorded."),
}

_JSON = {
    "json_repaired": _of_count(
        "The text of {n:count event} was invalid JSON (bad escapes, control characters) and was repaired."
    ),
    "json_breaks_off": Text(
        "The JSON breaks off at byte {at:number} of {size:number}; what lies before it is read.",
        examples=({"at": 1234, "size": 5000},),
    ),
    "json_documents": Text(
        "The file holds {n:number} JSON documents one after another; the events of all are read.", examples=({"n": 2},)
    ),
    "json_followed": Text(
        "After its end the JSON is followed by {n:number} bytes that are not read: {shown} …",
        examples=({"n": 1234, "shown": "'{}'"},),
    ),
    "json_ends_in_event": Text(
        "The file ends inside an event that begins with {shown}.", examples=({"shown": '\'{"ph": "X"\''},)
    ),
}

_DATABASES = {
    "database_damaged": Text(
        "The database is damaged: of the table {table}[ and {more} more] only the rows before the damage are read.",
        examples=({"table": "NVTX_EVENTS", "more": None}, {"table": "NVTX_EVENTS", "more": 2}),
    ),
    "database_cut": Text(
        "The file breaks off: {kept:size} of the {size:size} of the database are there; what lay behind is lost.",
        examples=({"kept": 2_000_000, "size": 3_100_000},),
    ),
    "database_tables_lost": Text("The database is damaged: some of its tables cannot be found."),
    "database_log": Text(
        "Beside the database lies {name}: what it holds was not yet written into the database, and is not read.",
        examples=({"name": "report.sqlite-wal"},),
    ),
    "database_not_shown": Text(
        "The database also holds {what}, not shown here.", examples=({"what": "CPU samples, scheduling of threads"},)
    ),
    "metric_samples_left_out": _of_count("Of the samples of each metric every {n:number}th is shown."),
}

_TRACE_EVENTS = {
    "no_length": _of_count("{n:number} complete events have no length; they are shown as instants."),
    "negative_length": _of_count("{n:number} events have a negative length; they are shown as instants."),
    "too_long": _of_count("{n:number} events are longer than 100 days; they are cut to that."),
    "unclosed_events": _of_count(
        "{n:number} events begin and do not end; they are shown up to the last time of their thread."
    ),
    "end_of_other_name": _of_count("{n:number} end events have another name than the event they end."),
    "arrows_lost": Text(
        "{n:number} of {all:number} ends of arrows lie on no event, or have no partner; not shown.",
        examples=({"n": 2, "all": 1200},),
    ),
    "samples_without_frame": _of_count("{n:number} samples of call stacks name no frame; they are not shown."),
    "samples_too_deep": _of_count("{n:number} samples of very deep call stacks are not shown."),
    "samples_shown": Text(
        "{n:number} samples of call stacks are shown as {slices:number} slices on tracks of their own; each lasts to "
        "the next sample of its thread.",
        examples=({"n": 1200, "slices": 300},),
    ),
    "samples_without_length": Text(
        "The file says neither when its {n:number} samples were taken nor how far apart: each is shown as {length}, "
        "and the {stacks:number} stacks stand in the order of their names.",
        examples=({"n": 1200, "stacks": 300, "length": "1 ms"},),
    ),
    "frames_limit": Text(
        "Only the first {limit:number} frames of call stacks are shown.", examples=({"limit": 1_000_000},)
    ),
    "stacks_cut": Text("Call stacks that are very deep, or have no end, are cut."),
    "samples_too_many_profiles": Text(
        "{n:number} samples are of more than {limit} profiles of a thread at once; not shown.",
        examples=({"n": 1200, "limit": 8},),
    ),
    "samples_unknown_stack": _of_count("{n:number} samples have a stack that is not among `stackFrames`."),
    "cpu_profile_unknown_stack": _of_count(
        "{n:number} samples of CPU profiles have a stack that the file does not hold."
    ),
    "cpu_profile_without_begin": _of_count(
        "{n:number} samples are of CPU profiles whose begin is not in the file: their times are unknown."
    ),
    "cupti_counter_kernels": _of_count(
        "{n:count kernel was|kernels were} profiled with CUPTI's counters: unmeasured times count as no work."
    ),
    "tensors_without_end": _of_count(
        "Of {n:number} tensors the Timeline records no end, as in loops; its memory counts none of them."
    ),
}

_PERFETTO = {
    "packets_cut": Text(
        "The file ends at byte {size:number}, inside a packet that begins at byte {at:number}.",
        examples=({"at": 1234, "size": 5000},),
    ),
    "packets_without_events": Text("None of its packets is of an event that is shown."),
    "interned_unknown": _of_count("{n:number} texts are used that the file does not hold: it begins after them."),
    "clock_unknown": _of_count("{n:number} events are of a clock that no snapshot relates to the trace's own."),
}

_TOOL_FILES = {
    "recorded_results": Text(
        "These are the results that TensorFlow's profiler computed when it captured: there is no timeline behind them."
        "[{has_steps?} Steps are laid end to end.]",
        examples=({"has_steps": True}, {"has_steps": False}),
    ),
    "sibling_unreadable": Text("{text}", examples=({"text": "h.kernel_stats.pb is not readable by this user."},)),
    "kernels_limit": Text("Only the first {limit:number} kernels are read.", examples=({"limit": 100_000},)),
    "pod_viewer_unknown_form": Text("The pod viewer's file has an unknown form: its cores are left out."),
    "memory_events_sampled": Text(
        "Of the memory events of {allocator} TensorFlow kept {n:number}, those of the highest use of each stretch: "
        "there were more, and their allocations and deallocations are not recorded.",
        examples=({"allocator": "gpu", "n": 1000},),
    ),
}

_PPROF = {
    "memory_profile_note": Text(
        "This is a memory profile: what was in use at one moment, by call stack. It has no timeline; see "
        "memory_profile."
    ),
    "sizes_too_large": Text(
        "Sizes above {limit:number} bytes are implausible; they are limited to that.", examples=({"limit": 1 << 40},)
    ),
    "executables_without_size": Text(
        "The device does not report the size of {n:count executable}: what is in use is without them.",
        examples=({"n": 30}, {"n": 1}),
    ),
    "sizes_negative": Text("Some sizes are negative: the profile is a difference of two."),
    "no_allocation_count": Text("The profile does not record how many allocations there are."),
    "snapshot_cut": Text(
        "The pickle ends at byte {at:number}, before it is complete; what is there is read.", examples=({"at": 1234},)
    ),
    "snapshot_damaged": Text(
        "The pickle is damaged at byte {at:number}; what lies before it is read.", examples=({"at": 1234},)
    ),
    "snapshot_without_times": Text(
        "The snapshot has no times (PyTorch before 2.1 wrote none): an action of the allocator counts as a microsecond."
    ),
    "pprof_cut": Text("The data ends at byte {size}, in the middle of a record.", examples=({"size": 1234},)),
    "pprof_damaged": Text("The file is damaged at byte {at}; what follows is not read.", examples=({"at": 1234},)),
    "pprof_record_damaged": Text(
        "At byte {at} a record is damaged. Damaged records are left out.", examples=({"at": 1234},)
    ),
    "pprof_unknown_locations": _of_count("{n:number} locations are used that the profile does not hold."),
    "pprof_unknown_functions": _of_count("{n:number} functions are used that the profile does not hold."),
    "pprof_outside_strings": _of_count("{n:number} names lie outside of the profile's table of strings."),
}

_PYTHON_STATS = {
    "python_profile_note": Text(
        "This is a profile of Python functions: how often each was called and how long that took, over the whole "
        "recording. It has no timeline; see python_profile."
    ),
    "python_profile_damaged": Text(
        "The file is damaged at byte {at:number}; the functions before it are read, and callers that come after it are "
        "missing.",
        examples=({"at": 1234},),
    ),
    "python_profile_too_long": Text(
        "Only the first {limit:number} functions and callers are read.", examples=({"limit": 200_000},)
    ),
}

_RANGE: Params = {"begin_ps": 12e11, "end_ps": 14e11, "last_ps": 23e11}
_HOSTS = {
    "capture_left_out": Text(
        "{capture} is left out: {error}", examples=({"capture": "runs: a", "error": "no such file"},)
    ),
    "host_left_out": Text("host {host} is left out: {error}", examples=({"host": "a", "error": "no such file"},)),
    "range_of_steps": Text(
        "This is of {shown:number} of {of:count step}[, the {kind} ones]: {which}.",
        examples=(
            {"kind": "", "shown": 6, "of": 20, "which": "3–7, 9"},
            {"kind": "slow", "shown": 1, "of": 20, "which": "4"},
        ),
    ),
    "range_of_time": Text(
        "This is of {begin_ps:duration} to {end_ps:duration} of the capture, which ends at {last_ps:duration}.",
        examples=(_RANGE,),
    ),
    "range_of_whole": Text(
        "This page is of whole programs, of which steps and times have no part: {range} are not chosen here.",
        examples=({"range": "steps 3-7"},),
    ),
    "range_of_side": Text(
        "{capture}: {range}", examples=({"capture": "a", "range": Message("range_of_time", _RANGE)},)
    ),
    "run_beside": Text(
        "This run holds nothing for this page; the run `{run}`, of the same folder, does: choose it.",
        examples=({"run": "resnet (memory)"},),
    ),
    "read_instead": Text(
        "{name} is read instead, of the same host, which holds less: {error}",
        examples=({"name": "a.trace.json", "error": "a.xplane.pb is empty"},),
    ),
    "recording_twice": Text(
        "{name}[ and {more} more]: not read, since {instead} holds the same recording.",
        examples=(
            {"name": "rank0.pftrace", "more": None, "instead": "rank0.pt.trace.json"},
            {"name": "rank0.pftrace", "more": 7, "instead": "rank0.pt.trace.json"},
        ),
    ),
    "other_kind_read": Text(
        "{name}, of the same host, is read instead: {error}",
        examples=({"name": "snapshot_rank0.pickle", "error": "rank0.pt.trace.json is empty"},),
    ),
    "file_after": Text("{file} is read first", examples=({"file": "rank0.pt.trace.json"},)),
    "file_without_functions": Text("it holds no sums by Python function"),
    "file_of_functions": Text("it holds sums by Python function alone"),
    "file_of_memory": Text("it holds memory alone"),
    "file_of_a_moment": Text("it holds the memory of one moment alone"),
    "worker_missing": Text(
        "worker {address} is missing from this capture: {message}",
        examples=({"address": "a:6009", "message": "no answer"},),
    ),
    "workers_missing": Text(
        "{n} more workers are missing from this capture: {names}", examples=({"n": 3, "names": "a, b and c"},)
    ),
    **{
        code: Text(
            f"{{name}}[ and {{more}} more]: not read, since {{instead}} is of the same host; {what}",
            examples=({"name": "a.timeline.json", "more": 2, "instead": "a.xplane.pb"},),
        )
        for code, what in (
            ("tool_file_not_read", "it holds sums computed by TensorFlow; open it by its path."),
            ("timeline_not_read", "if it is a Timeline of another run, open it by its path."),
            ("pytorch_trace_not_read", "PyTorch recorded it, and it opens when it is given by its path."),
        )
    },
}

DECODE = {
    **{code: Text(title) for code, title in _DROPPED.items()},
    **_WIRE,
    **_XPLANE,
    **_JSON,
    **_DATABASES,
    **_TRACE_EVENTS,
    **_PERFETTO,
    **_TOOL_FILES,
    **_PPROF,
    **_PYTHON_STATS,
    **_HOSTS,
}

CAPTURES = {
    "events_not_shown": Text(
        title="{dropped:number} of {in_file:number} events in the files could not be shown",
        detail="{reasons:list}",
        when="A file holds events that no table holds; a note where they are less than a hundredth.",
        examples=({"dropped": 1200, "in_file": 14132, "reasons": (Message("cut_at_end"), Message("no_time"))},),
        example="tests/samples/broken_tail",
    ),
    "profiler_reported": Text(
        title="The profiler of {host} reported: {message}",
        when="The capture holds an error of the profiler that took it.",
        examples=({"host": "worker-0", "message": "CUPTI could not be loaded"},),
    ),
    "file_damaged": Text(
        title="The file of {host} is damaged: how much it lacks cannot be known",
        detail="[{warnings:sentences}]",
        action="Copy or take the capture again.",
        when="A file ends, or breaks off, within an event.",
        examples=({"host": "worker-0", "warnings": (message("wire_damaged", at=1234), message("no_events"))},),
        example="tests/samples/broken_tail",
    ),
}
