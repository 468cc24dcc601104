"""Takes one capture file, says what is wrong with it: empty, cut, damaged, no capture, nothing recorded, no device."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from .. import decode
from ..errors import PerfpluginError, UnreadableError
from ..logdir import CaptureFile, problem_of
from ..tables import Capture, PlaneKind
from .diagnosis import Diagnosis, ago, being_written, counted, is_fresh, refused, sized, unknown_format
from .elsewhere import opened_elsewhere

_HEAD_BYTES = 4096
#: How the decoder's warnings speak of bytes that are wrong, and of bytes that are missing.
_DAMAGE = re.compile(r"^At byte |damaged|\b(file|data) ends\b|breaks off")
_CUT = re.compile(r"\b(file|data) ends\b|breaks off")
#: What a file looks like → what to do about it.
_FIXES = {
    "a git-lfs pointer": "git lfs pull",
    "an HTML page": "download the file itself instead of the page about it",
    "binary data that was converted as if it were text": "copy the original again, in binary mode",
}


def check_file(file: CaptureFile, decoded: bool) -> tuple[Diagnosis | None, int]:
    """What is wrong with a capture, and how many events it holds; it is opened, and read whole where `decoded`."""
    try:
        with open(file.path, "rb") as opened:
            head = opened.read(_HEAD_BYTES)
    except PermissionError:
        return refused(file.path), 0
    except OSError as error:
        return _unreadable_file(file, str(error.strerror)), 0
    if not head:
        return _empty(file), 0
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
    if not problem:
        return None
    return Diagnosis(
        "damaged_file",
        path,
        problem,
        "what follows there is no record: two programs wrote to one file, it was changed, or the disk lost a part",
        "copy it again from where it was written, as binary, or give each program a folder of its own",
    )


def _check_capture(file: CaptureFile, capture: Capture) -> Diagnosis | None:
    damage = [warning for warning in capture.quality.warnings if _DAMAGE.search(warning)]
    if damage:
        kept = f"{sized(file.size_bytes)}, {counted(capture.quality.events_kept, 'event')} can be read; {damage[0]}"
        # What cannot be unpacked further ends there, too.
        is_cut = any(map(_CUT.search, damage)) and "gzip data is damaged" not in damage[0]
        return _cut(file, kept) if is_cut else _damaged(file, kept)
    if not capture.quality.events_in_file:
        return _nothing_recorded(file, capture)
    launches = 0 if _is_any_program(capture) else _launches(capture)
    return _no_device_events(file, capture, launches) if launches else None


def _unreadable_file(file: CaptureFile, error: str) -> Diagnosis:
    found = f"{sized(file.size_bytes)}; {error}"
    return Diagnosis(
        "unreadable_file", file.path, found, "it was removed, or its disk fails", "copy it anew and reload"
    )


def _empty(file: CaptureFile) -> Diagnosis:
    found = f"0 bytes, modified {ago(file.path)}"
    if is_fresh(file.path):
        return being_written(file.path, found)
    return Diagnosis(
        "empty_file",
        file.path,
        found,
        "the profiler made the file and wrote nothing: its program was killed, the disk was full, or the capture was "
        "larger than the 2 GB that its writer can handle",
        "record again over fewer steps, with space on the disk (df -h)",
    )


def _no_capture(file: CaptureFile, head: bytes, error: UnreadableError) -> Diagnosis:
    known = opened_elsewhere(file.path, [file.path], f"a file of {sized(file.size_bytes)}")
    if known:
        return known
    looks = decode.sniff(head, file.path)
    if _DAMAGE.search(looks) or _DAMAGE.search(str(error)):
        return _cut(file, f"{sized(file.size_bytes)}, {looks}, no event can be read")
    found = unknown_format(file.path, f"{sized(file.size_bytes)} that look like {looks}")
    return replace(found, fix=_FIXES.get(looks, found.fix))


def _cut(file: CaptureFile, found: str) -> Diagnosis:
    if is_fresh(file.path):
        return being_written(file.path, f"{found} modified {ago(file.path)}")
    return Diagnosis(
        "truncated_file",
        file.path,
        found,
        "the end of the file is missing: its program was killed while it wrote, or a copy or download broke off",
        "copy it again from where it was recorded and compare the sizes (ls -l), or record again",
    )


def _damaged(file: CaptureFile, found: str) -> Diagnosis:
    if is_fresh(file.path):
        return being_written(file.path, f"{found} modified {ago(file.path)}")
    return Diagnosis(
        "damaged_file",
        file.path,
        found,
        "bytes in the middle were changed after it was written: a transfer as text (FTP, git autocrlf), or the disk",
        "copy it again from where it was recorded, as binary, and compare the checksums (sha256sum)",
    )


def _nothing_recorded(file: CaptureFile, capture: Capture) -> Diagnosis:
    return Diagnosis(
        "nothing_recorded",
        file.path,
        f"{sized(file.size_bytes)}, {counted(len(capture.planes), 'plane')}, no event{_told(capture)}",
        "the profiler ran while nothing happened, or another profiler was active in the same program",
        "record around several training steps, with one profiler only",
    )


def _told(capture: Capture) -> str:
    told = [*capture.errors, *capture.quality.warnings]
    return f"; the profiler says: {told[0]}" if told else ""


def _is_any_program(capture: Capture) -> bool:
    """Whether somebody's trace events were read, whose rows are what they call them: a device may be among them."""
    planes = capture.strings.of(capture.planes.name)
    return capture.format == "trace_events" and not any(name.startswith("/") for name in planes)


_LAUNCH = re.compile(r"(cu|cuda|hip|hipExt|hipModule)(Module|Graph)?Launch")

_PERMISSION = (
    "the driver lets only administrators profile the GPU (CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)",
    (
        "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf"
        " && sudo reboot; in a container: docker run --cap-add=SYS_ADMIN"
    ),
)
#: What the profiler's own messages hold → cause, fix.
_CAUSES = (
    (re.compile("INSUFFICIENT_PRIVILEGES|privilege|not permitted", re.IGNORECASE), *_PERMISSION),
    (
        re.compile("MULTIPLE_SUBSCRIBERS|subscriber|another profiler", re.IGNORECASE),
        "another profiler (Nsight, DCGM) holds the GPU's tracing, which only one can have",
        "dcgmi profile --pause, or end the other profiler, and record again",
    ),
    (
        re.compile("libcupti|cannot open shared object|could not load dynamic library", re.IGNORECASE),
        "the training program did not find libcupti, the library that records kernels",
        "export LD_LIBRARY_PATH=/usr/local/cuda/extras/CUPTI/lib64:$LD_LIBRARY_PATH, and record again",
    ),
)
_ROCM = (
    "the user is not in the groups that may use the GPU's tracing, or rocprofiler is not installed",
    "sudo usermod -aG render,video $USER, log in again, and record again",
)


def _launches(capture: Capture) -> int:
    """How many kernels the host launched; 0 as soon as a device recorded anything."""
    device = np.array([PlaneKind(kind).is_device for kind in capture.planes.kind.tolist()], bool)
    for rows in (capture.events, capture.aggregates):
        if len(rows) and device[capture.tracks.plane[rows.track]].any():
            return 0
    named = [id for id, text in enumerate(capture.strings) if _LAUNCH.match(text)]
    return int(np.isin(capture.events.name, named).sum()) or _correlated(capture)


def _correlated(capture: Capture) -> int:
    """How many stats tie a host event to something on a device."""
    return int((capture.stats.key == capture.strings.find("correlation_id")).sum())


def _no_device_events(file: CaptureFile, capture: Capture, launches: int) -> Diagnosis:
    planes = sum(PlaneKind(kind).is_device for kind in capture.planes.kind.tolist())
    host = f"{counted(launches, 'kernel launch', 'kernel launches')} on the host"
    found = f"{host}, {counted(planes, 'device plane')}, no event on a device{_told(capture)}"
    return Diagnosis("device_planes_empty", file.path, found, *_why_no_device_events(capture))


def _why_no_device_events(capture: Capture) -> tuple[str, str]:
    told = " ".join([*capture.errors, *capture.quality.warnings])
    for pattern, cause, fix in _CAUSES:
        if pattern.search(told):
            return cause, fix
    if any(text.startswith("hip") and _LAUNCH.match(text) for text in capture.strings):
        return _ROCM
    rarer = "; rarer: libcupti was not found, or another profiler (Nsight, DCGM) was attached"
    return f"most often {_PERMISSION[0]}{rarer}", _PERMISSION[1]
