"""Takes one capture file, reports its problem: empty, cut, damaged, no capture, nothing recorded, no device."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from .. import decode
from ..errors import PerfpluginError, UnreadableError
from ..formats import HEAD_BYTES, PICKLE, Vocabulary
from ..logdir import CaptureFile, problem_of
from ..messages import Message, Param
from ..patterns import regex
from ..stores import StoreError, is_url, open_remote
from ..tables import I64, Capture, PlaneKind
from ..timeline.causes import launches_of, vendor_of_launches
from ..timeline.timeline import Timeline
from .survey import Diagnosis, age, is_fresh, refused

#: Warnings that the end of the file is missing, and that bytes are wrong.
_CUT = {
    "gzip_cut",
    "json_breaks_off",
    "json_ends_in_event",
    "pprof_cut",
    "snapshot_cut",
    "database_cut",
    "event_file_cut",
    "xplane_data_ends",
}
_DAMAGED = {
    "gzip_damaged",
    "wire_damaged",
    "wire_damaged_part",
    "event_file_checksum",
    "xplane_field_damaged",
    "xplane_event_damaged",
    "xplane_stat_damaged",
    "xplane_cut",
    "xplane_more_damage",
    "pprof_damaged",
    "pprof_record_damaged",
    "python_profile_damaged",
    "snapshot_damaged",
    "database_damaged",
    "database_tables_lost",
}
#: What a file looks like → the code of its diagnosis.
_LOOKS = {
    "a git-lfs pointer": "git_lfs_pointer",
    "an HTML page": "html_page",
    "binary data that was converted as if it were text": "converted_as_text",
}


def check_file(file: CaptureFile, decoded: bool) -> tuple[Diagnosis | None, int]:
    """What is wrong with a capture, and how many events it holds; it is opened, and read whole where `decoded`."""
    try:
        with open_remote(file.path) if is_url(file.path) else open(file.path, "rb") as opened:
            head = opened.read(HEAD_BYTES)
    except StoreError as error:
        return _unreadable_file(file, str(error.strerror)), 0
    except PermissionError:
        return refused(file.path), 0
    except OSError as error:
        return _unreadable_file(file, str(error.strerror)), 0
    if not head:
        return _unless_fresh(file, "empty_file", "empty_and_fresh", {}), 0
    if not decoded:
        return None, 0
    try:
        capture = decode.read(file.path, at=file.at)
    except UnreadableError as error:
        return _no_capture(file, head, error), 0
    except PerfpluginError as error:
        return _unreadable_file(file, str(error)), 0
    return _check_capture(file, capture), capture.quality.events_in_file


def check_event_file(path: str) -> Diagnosis | None:
    """What keeps one of TensorBoard's event files from being read to its end, where run metadata was found in it."""
    problem = problem_of(path)
    return Diagnosis("damaged_event_file", path, {"problem": problem}) if problem else None


def _check_capture(file: CaptureFile, capture: Capture) -> Diagnosis | None:
    damage = [warning for warning in capture.quality.warnings if warning.code in _CUT | _DAMAGED]
    if damage:
        # What cannot be unpacked further ends there, too.
        is_cut = any(warning.code in _CUT for warning in damage) and damage[0].code != "gzip_damaged"
        return _incomplete(file, "truncated_file" if is_cut else "damaged_file", capture, damage[0])
    if not capture.quality.events_in_file and capture.allocator is None:
        return _nothing_recorded(file, capture)
    if _is_any_program(capture) or _devices_ran(capture):
        return None
    launches = _launches(capture)
    if launches:
        return _no_device_events(file, capture, launches)
    calls = int((capture.stats.key == capture.strings.find("correlation_id")).sum())
    only_calls = 0 < calls == len(capture.events)
    return (
        Diagnosis("nothing_launched", file.path, {"calls": calls, "message": _message(capture)}) if only_calls else None
    )


def _incomplete(file: CaptureFile, code: str, capture: Capture, problem: Message) -> Diagnosis:
    params: dict[str, Param] = {"size": file.size_bytes, "events": capture.quality.events_kept, "problem": problem}
    return _unless_fresh(file, code, "incomplete_and_fresh", params)


def _unless_fresh(file: CaptureFile, code: str, fresh: str, params: Mapping[str, Param]) -> Diagnosis:
    """The code's diagnosis, or, of a file that changed just now, that of the other code."""
    return Diagnosis(fresh if is_fresh(file.path) else code, file.path, {**params, **age(file.path)})


def _unreadable_file(file: CaptureFile, error: str) -> Diagnosis:
    return Diagnosis("unreadable_file", file.path, {"size": file.size_bytes, "error": error})


def _no_capture(file: CaptureFile, head: bytes, error: UnreadableError) -> Diagnosis:
    looks = decode.sniff(head, file.path)
    params: dict[str, Param] = {"size": file.size_bytes, "looks": looks}
    if looks == PICKLE:
        return Diagnosis("pickle_of_something_else", file.path, {"size": file.size_bytes, "error": str(error)})
    if error.is_damaged:
        return _unless_fresh(file, "truncated_undecodable", "undecodable_and_fresh", params)
    return Diagnosis(_LOOKS.get(looks, "not_a_capture"), file.path, params)


def _nothing_recorded(file: CaptureFile, capture: Capture) -> Diagnosis:
    params = {"size": file.size_bytes, "planes": len(capture.planes), "message": _message(capture)}
    return Diagnosis("nothing_recorded", file.path, params)


def _message(capture: Capture) -> str | Message | None:
    """The first error or warning of the profiler, or of the decoder."""
    messages: tuple[str | Message, ...] = (*capture.errors, *capture.quality.warnings)
    return next(iter(messages), None)


def _is_any_program(capture: Capture) -> bool:
    """Whether somebody's trace events were read, whose rows are what they call them: a device may be among them."""
    planes = capture.strings.texts(capture.planes.name)
    return capture.capabilities.vocabulary is Vocabulary.ANY and not any(name.startswith("/") for name in planes)


_LAUNCH = regex(r"(cu|cuda|hip|hipExt|hipModule)(Module|Graph)?Launch")

#: What the profiler's own messages hold → the code.
_CAUSES = (
    (regex("INSUFFICIENT_PRIVILEGES|privilege|not permitted", re.IGNORECASE), "device_tracing_not_permitted"),
    (regex("MULTIPLE_SUBSCRIBERS|subscriber|another profiler", re.IGNORECASE), "device_tracing_taken"),
    (regex("libcupti|cannot open shared object|could not load dynamic library", re.IGNORECASE), "cupti_not_found"),
)
_BY_VENDOR = {
    "amd": "rocm_tracing_not_available",
    "intel": "xpu_tracing_not_available",
    "ascend": "ascend_tracing_not_available",
}


def _devices_ran(capture: Capture) -> bool:
    device = np.array([PlaneKind(kind).is_device for kind in capture.planes.kind.tolist()], bool)
    recorded = (capture.events, capture.aggregates)
    return any(len(rows) and device[capture.tracks.plane[rows.track]].any() for rows in recorded)


def _launches(capture: Capture) -> int:
    """How many kernels the host launched."""
    named = [id for id, text in enumerate(capture.strings) if _LAUNCH.match(text)]
    return int(np.isin(capture.events.name, named).sum()) or len(_unmatched(capture))


def _unmatched(capture: Capture) -> I64:
    """Calls with a correlation id that should have run something on a device."""
    return launches_of(Timeline(capture, "")).lost


def _no_device_events(file: CaptureFile, capture: Capture, launches: int) -> Diagnosis:
    planes = sum(PlaneKind(kind).is_device for kind in capture.planes.kind.tolist())
    params = {"launches": launches, "planes": planes, "message": _message(capture)}
    return Diagnosis(_why_no_device_events(capture), file.path, params)


def _why_no_device_events(capture: Capture) -> str:
    """The code of the cause."""
    warnings = (str(each.params["text"]) for each in capture.quality.warnings if each.code == "profiler_warning")
    messages = " ".join([*capture.errors, *warnings])
    for pattern, code in _CAUSES:
        if pattern.search(messages):
            return code
    if any(text.startswith("hip") and _LAUNCH.match(text) for text in capture.strings):
        return "rocm_tracing_not_available"
    return _BY_VENDOR.get(vendor_of_launches(capture, _unmatched(capture)), "device_planes_empty")
