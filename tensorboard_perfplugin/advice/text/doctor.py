"""Every diagnosis in words: code → what is there, why captures do not show, what helps. All sentences are here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TypeAlias

from ...messages import Param

Params: TypeAlias = Mapping[str, Param]


@dataclass(frozen=True)
class DiagnosisText:
    """Templates for one code. case: the kind of trouble that it is one of. example: parameters as they may be."""

    case: str
    found: str
    cause: str
    fix: str
    example: Params = field(default_factory=dict)
    _: KW_ONLY
    ok: bool = False


def _params(**params: Param) -> Params:
    return params


#: What is added where there are many of one case.
MORE = "[; {more:count more is|more are} like this]"
#: How long ago: one of these is given.
AGO = (
    "[, modified {days:count day} ago][, modified {hours:count hour} ago][, modified {minutes:count minute} ago]"
    "[, modified {seconds:count s|s} ago]"
)
CONTENTS = "[{event_files:count TensorBoard event file}, ][{others:count other file}, ][{folders:count folder}, ]"
PROFILER_SAYS = "[; the profiler says: {message}]"
LOGDIR = "tensorboard --logdir {logdir}"
RECORD_ONE = (
    "record one: tf.keras.callbacks.TensorBoard(logdir, profile_batch=(10, 20)), jax.profiler.trace(logdir) or "
    "torch.profiler.tensorboard_trace_handler(logdir)"
)

_AGE: Params = {"days": 3, "hours": None, "minutes": None, "seconds": None}
_JUST_NOW: Params = {"days": None, "hours": None, "minutes": None, "seconds": 3}
_CONTENTS: Params = {"event_files": 1, "others": 2, "folders": 3}

_WRONG_PATH = {
    "remote_path": DiagnosisText(
        "remote_path",
        "an address",
        "{error}",
        "mend that (docs/remote.md), or copy the folder to this machine and give that: tensorboard --logdir COPY",
        {"error": "these credentials may not read it; ask for the rights to list and read"},
    ),
    "remote_without_captures": DiagnosisText(
        "remote_path",
        "an address",
        "{error}",
        "give the address that the program wrote to, or what lies above plugins/profile there",
        {"error": "s3://bucket/logs: no captures (*.xplane.pb[.gz]) in it, 3 folders looked at"},
    ),
    **{
        code: DiagnosisText(
            "no_permission",
            "{at}: {mode}, owner {owner}; this process is user {user}",
            "the user that this runs as may not read it",
            f"{command} {{at}}",
            {"at": "/logs/run", "mode": "drwx------", "owner": 1001, "user": user},
        )
        for code, command, user in (
            ("no_permission", "chmod -R u+rX", 1001),
            ("no_permission_of_another_user", "sudo chmod -R a+rX", 1002),
        )
    },
    **{
        code: DiagnosisText(
            "missing_folder",
            f"{{there}} has no {{gone}}, it holds {holds}",
            "the path is misspelt, or of another machine, or the program has not written anything yet",
            fix,
            {"there": "/logs", "gone": "trian", **example},
        )
        for code, holds, fix, example in (
            ("missing_like_another", "{alike}", LOGDIR, _params(alike="train, train2", logdir="/logs/train")),
            ("missing_near_captures", "{names:count other name}", LOGDIR, _params(names=2, logdir="/logs")),
            (
                "missing_folder",
                "{names:count other name}",
                "give the folder that the training program was given as its log folder",
                _params(names=2),
            ),
        )
    },
}

_EMPTY = {
    "empty_folder": DiagnosisText(
        "empty_folder", "an empty folder", "nothing was recorded yet, or it went to another folder", RECORD_ONE
    ),
    "empty_folders": DiagnosisText(
        "empty_folder",
        "{folders:count folder} in it, no file",
        "nothing was recorded yet, or it went to another folder",
        RECORD_ONE,
        {"folders": 2},
    ),
    "empty_sessions": DiagnosisText(
        "empty_folder",
        "[{folders:count folder} in it, ]no file, {sessions:count empty session} in plugins/profile",
        "a profile was started, and its end never written",
        "record again, and let the profiler stop (jax.profiler.stop_trace()) before the program ends",
        {"folders": 3, "sessions": 1},
    ),
    "emptied_session": DiagnosisText(
        "empty_session",
        "capture.json: {workers:count worker} asked, {files:count file} of {size:size} written "
        "({names}[ and {others} more]), of which nothing is there",
        "the captures were moved away or deleted after they had been written",
        "perfplugin capture {addresses} --logdir {logdir}",
        {
            "workers": 3,
            "files": 2,
            "size": 1_200_000,
            "names": "a_6009.xplane.pb, b_6009.xplane.pb",
            "others": None,
            "addresses": "a:6009,b:6009,c:6009",
            "logdir": "/logs",
        },
    ),
    "session_without_files": DiagnosisText(
        "empty_session",
        "capture.json: {workers:count worker} asked, no file written",
        "no worker gave a capture",
        "perfplugin capture {addresses} --logdir {logdir}",
        {"workers": 2, "addresses": "a:6009,b:6009", "logdir": "/logs"},
    ),
}

_UNFINISHED = {
    code: DiagnosisText(
        "still_being_written",
        found,
        "the profiler has not finished this file",
        "wait until the profiler has stopped, then reload; if the file stays like this, its program was killed",
        {**_JUST_NOW, **example},
    )
    for code, found, example in (
        ("temporary_name", "a file[ of {size:size}] under a temporary name" + AGO, _params(size=1_200_000)),
        ("empty_and_fresh", "0 bytes" + AGO, _params()),
        (
            "incomplete_and_fresh",
            "{size:size}" + AGO + "; {events:count event} can be read; {problem}",
            _params(size=1_200_000, events=98, problem="the data ends within what begins at byte 99"),
        ),
        (
            "undecodable_and_fresh",
            "{size:size}" + AGO + "; {looks}, no event can be read",
            _params(size=1_200_000, looks="XPlane data"),
        ),
    )
}


def _not_here(found: str, suspected: str, action: str, example: Params) -> DiagnosisText:
    """Nothing to show in the folder that was given. suspected: why."""
    return DiagnosisText("wrong_level", found, suspected, action, example)


_OTHER_FOLDER = "the captures are in another folder than the one that was given", LOGDIR
_NOT_PROFILED = "these are the scalars of a run that was not profiled", RECORD_ONE
_EVENT_FILE = "a file[ of {size:size}], a TensorBoard event file, which holds no profile[; {problem}]"
_TWO: Params = {"captures": 2, "logdir": "/logs/train"}
_ELSEWHERE = {
    "captures_elsewhere": _not_here(
        CONTENTS + "no capture; {captures:count capture} in {logdir}", *_OTHER_FOLDER, {**_CONTENTS, **_TWO}
    ),
    "empty_folder_captures_elsewhere": _not_here(
        "an empty folder; {captures:count capture} in {logdir}", *_OTHER_FOLDER, _TWO
    ),
    "event_file_captures_elsewhere": _not_here(
        f"{_EVENT_FILE}; {{captures:count capture}} in {{logdir}}",
        *_OTHER_FOLDER,
        {"size": 1_200_000, "problem": None, **_TWO},
    ),
    "never_profiled": _not_here(CONTENTS + "no capture", *_NOT_PROFILED, _CONTENTS),
    "event_file_never_profiled": _not_here(
        _EVENT_FILE, *_NOT_PROFILED, {"size": 1_200_000, "problem": "damaged at byte 99"}
    ),
}

_NO_CAPTURES = "no captures: the profilers of TensorFlow and JAX write *.xplane.pb, that of PyTorch *.pt.trace.json"
_GIVE_THESE = f"give the folder that holds such files, or {RECORD_ONE}"
_REPORT = "this format of another tool is not read"
_LOOKS_LIKE = "{size:size} that look like {looks}"
_RENAMED = "its content is a capture, but captures are recognised by their names, *{suffix} or *{suffix}.gz"
_OTHER_FORMAT = {
    **{
        code: DiagnosisText("unknown_format", _LOOKS_LIKE, _NO_CAPTURES, fix, {"size": 63, "looks": looks})
        for code, fix, looks in (
            ("not_a_capture", _GIVE_THESE, "text"),
            ("git_lfs_pointer", "git lfs pull", "a git-lfs pointer"),
            ("html_page", "download the file itself instead of the page about it", "an HTML page"),
            (
                "converted_as_text",
                "copy the original again, in binary mode",
                "binary data that was converted as if it were text",
            ),
        )
    },
    "unknown_files": DiagnosisText(
        "unknown_format",
        CONTENTS + "no capture: {looks}",
        _NO_CAPTURES,
        _GIVE_THESE,
        {**_CONTENTS, "looks": "notes.txt (text), z.html (an HTML page)"},
    ),
    "report_in_folder": DiagnosisText(
        "unknown_format",
        CONTENTS + "no capture, but {looks}",
        _REPORT,
        "{advice}",
        {**_CONTENTS, "looks": "a report of Nsight Systems", "advice": "nsys export --type sqlite run.nsys-rep"},
    ),
    "report_file": DiagnosisText(
        "unknown_format",
        "a file[ of {size:size}] that looks like {looks}",
        _REPORT,
        "{advice}",
        {"size": 10, "looks": "a report of Nsight Systems", "advice": "nsys export --type sqlite run.nsys-rep"},
    ),
    "unknown_file": DiagnosisText(
        "unknown_format",
        "a file[ of {size:size}] that looks like {looks}",
        _NO_CAPTURES,
        _GIVE_THESE,
        {"size": 10, "looks": "text"},
    ),
    "unknown_file_unread": DiagnosisText(
        "unknown_format",
        "a file[ of {size:size}]; {error}",
        _NO_CAPTURES,
        _GIVE_THESE,
        {"size": 10, "error": "Input/output error"},
    ),
    "misnamed_file": DiagnosisText(
        "unknown_format",
        "a file[ of {size:size}]",
        _RENAMED,
        "mv {file} {wanted}",
        {"size": 1_200_000, "suffix": ".xplane.pb", "file": "capture.pb", "wanted": "capture.xplane.pb"},
    ),
    **{
        code: DiagnosisText(
            "unknown_format",
            CONTENTS + "no name of a capture",
            _RENAMED,
            f"mv {{file}} {{wanted}}{others}",
            {**_CONTENTS, "suffix": ".pt.trace.json", "file": "rank0.json", "wanted": "rank0.pt.trace.json"},
        )
        for code, others in (
            ("misnamed_in_folder", ""),
            ("misnamed_several_in_folder", "; others like it in the same way"),
        )
    },
}

_DAMAGED = {
    "unreadable_file": DiagnosisText(
        "unreadable_file",
        "{size:size}; {error}",
        "it was removed, or its disk fails",
        "copy it anew and reload",
        {"size": 1_200_000, "error": "Input/output error"},
    ),
    "pickle_of_something_else": DiagnosisText(
        "pickle_of_something_else",
        "{size:size}; {error}",
        "of pickles only memory snapshots of PyTorch are read, opcode by opcode, and nothing in them is run",
        'write one with torch.cuda.memory._dump_snapshot("snapshot.pickle"), or leave the file out of the logdir',
        {"size": 62, "error": "a.pickle is a pickle that names the Python object os.system"},
    ),
    "empty_file": DiagnosisText(
        "empty_file",
        "0 bytes" + AGO,
        "the profiler made the file and wrote nothing: its program was killed, the disk was full, or the capture was "
        "larger than the 2 GB that its writer can handle",
        "record again over fewer steps, with space on the disk (df -h)",
        _AGE,
    ),
    **{
        code: DiagnosisText(
            "truncated_file",
            found,
            "the end of the file is missing: its program was killed while it wrote, or a copy or download broke off",
            "copy it again from where it was recorded and compare the sizes (ls -l), or record again",
            {"size": 1_200_000, **example},
        )
        for code, found, example in (
            (
                "truncated_file",
                "{size:size}, {events:count event} can be read; {problem}",
                _params(events=98, problem="the data ends within what begins at byte 99"),
            ),
            ("truncated_undecodable", "{size:size}, {looks}, no event can be read", _params(looks="XPlane data")),
        )
    },
    "damaged_file": DiagnosisText(
        "damaged_file",
        "{size:size}, {events:count event} can be read; {problem}",
        "bytes in the middle were changed after it was written: a transfer as text (FTP, git autocrlf), or the disk",
        "copy it again from where it was recorded, as binary, and compare the checksums (sha256sum)",
        {"size": 1_200_000, "events": 98, "problem": "At byte 99: a length of 12 that is not there"},
    ),
    "damaged_event_file": DiagnosisText(
        "damaged_file",
        "{problem}",
        "what follows is not a valid record: two programs wrote to one file, it was changed, or the disk lost a part",
        "copy it again from where it was written, as binary, or give each program a folder of its own",
        {"problem": "damaged at byte 99; later records are not read"},
    ),
}

_NOT_PERMITTED = "the driver lets only administrators profile the GPU (CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)"
_PERMIT = (
    "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf"
    " && sudo reboot; in a container: docker run --cap-add=SYS_ADMIN"
)
_RARER = "libcupti was not found, or another profiler (Nsight, DCGM) was attached"
_NOTHING_ON_DEVICES = {
    "nothing_recorded": DiagnosisText(
        "nothing_recorded",
        "{size:size}, {planes:count plane}, no event" + PROFILER_SAYS,
        "the profiler ran while nothing happened, or another profiler was active in the same program",
        "record around several training steps, with one profiler only",
        {"size": 63, "planes": 1, "message": "No trace event was collected"},
    ),
    "nothing_launched": DiagnosisText(
        "nothing_recorded",
        "{calls:count call} of the driver, none of which launches anything" + PROFILER_SAYS,
        "the program did not use the device while the profiler ran, or another process did: a child, a worker",
        "record around several training steps, in the process that runs them",
        {"calls": 3, "message": "No CUDA events collected"},
    ),
    **{
        code: DiagnosisText(
            "device_planes_empty",
            "{launches:count kernel launch|kernel launches} on the host, {planes:count device plane}, "
            "no event on a device" + PROFILER_SAYS,
            cause,
            fix,
            {"launches": 3, "planes": 2, "message": message},
        )
        for code, cause, fix, message in (
            ("device_tracing_not_permitted", _NOT_PERMITTED, _PERMIT, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"),
            (
                "device_tracing_taken",
                "another profiler (Nsight, DCGM) holds the GPU's tracing, which only one can have",
                "dcgmi profile --pause, or end the other profiler, and record again",
                "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED",
            ),
            (
                "cupti_not_found",
                "the training program did not find libcupti, the library that records kernels",
                "export LD_LIBRARY_PATH=/usr/local/cuda/extras/CUPTI/lib64:$LD_LIBRARY_PATH, and record again",
                "Could not load dynamic library 'libcupti.so.12'",
            ),
            (
                "rocm_tracing_not_available",
                "the user is not in the groups that may use the GPU's tracing, or rocprofiler is not installed",
                "sudo usermod -aG render,video $USER, log in again, and record again",
                None,
            ),
            (
                "xpu_tracing_not_available",
                "Intel's tracing (PTI on Level Zero) is not installed, not of the framework's version, or was not on",
                "record with ProfilerActivity.XPU, the intel-pti that PyTorch requires, and ZE_ENABLE_TRACING_LAYER=1",
                None,
            ),
            (
                "ascend_tracing_not_available",
                "CANN's tracing (msprof) was not on, or what it wrote was not converted",
                "record with ProfilerActivity.NPU of torch_npu, and convert: torch_npu.profiler.profiler.analyse(DIR)",
                None,
            ),
            (
                "device_planes_empty",
                f"most often {_NOT_PERMITTED}; rarer: {_RARER}",
                _PERMIT,
                None,
            ),
        )
    },
}

_INCOMPLETE = {
    "worker_missing": DiagnosisText(
        "worker_missing",
        "capture.json: {missing} of {workers:count worker} returned nothing: {names}[ and {others} more]",
        "{message}",
        "perfplugin capture {addresses} --logdir {logdir}",
        {
            "missing": 1,
            "workers": 2,
            "names": "b:6009 (closed)",
            "others": None,
            "message": "nothing listens on this port",
            "addresses": "a:6009,b:6009",
            "logdir": "/logs",
        },
    ),
    "ranks_apart": DiagnosisText(
        "ranks_apart",
        "{first} has [rank {first_rank}][ranks {first_ranks}][ and {first_more} more] of {ranks}, "
        "{second} [rank {second_rank}][ranks {second_ranks}][ and {second_more} more] of {ranks}, "
        "recorded {minutes:count minute} later",
        "the program was started twice, and each time some ranks recorded; or their hosts' clocks differ, and "
        "the two are one run",
        "where they are one run, take the time out of the names (host_1.123.pt.trace.json → host_1.pt.trace.json); and "
        "set the clocks: chronyc makestep",
        {
            "first": "run #1",
            "first_rank": 0,
            "first_ranks": None,
            "first_more": None,
            "ranks": 16,
            "second": "run #2",
            "second_rank": None,
            "second_ranks": "1, 2, 3, 4, 5, 6, 7, 8",
            "second_more": 3,
            "minutes": 60,
        },
    ),
}

_OPENED = "{runs:count run}, {captures:count capture}, {events:count event}[ in the newest {opened}, which were opened]"
_LEFT_OUT = (
    "[; not read: {left_out}, which holds less of the same]"
    "[; not read: {many:count file} that hold less of the same, such as {example}]"
)
_SUMMARY: Params = {
    "runs": 1,
    "captures": 3,
    "events": 4000,
    "opened": 2,
    "left_out": None,
    "many": 2,
    "example": "vm.overview_page.pb",
}
_OPENS = {
    "ok": DiagnosisText("ok", _OPENED + _LEFT_OUT, "", LOGDIR, {**_SUMMARY, "logdir": "/logs"}, ok=True),
    "native_part_missing": DiagnosisText(
        "native_part_missing",
        _OPENED + _LEFT_OUT + ", read by the slow decoder",
        "the compiled decoder is not there: perfplugin was installed without a C compiler, or for another Python. "
        "Everything shows, but a large capture takes about ten times as long",
        "apt-get install gcc python3-dev && "
        "pip install --force-reinstall --no-deps --no-binary tensorboard-perfplugin tensorboard-perfplugin",
        _SUMMARY,
    ),
}

DIAGNOSES: Mapping[str, DiagnosisText] = {
    **_WRONG_PATH,
    **_EMPTY,
    **_UNFINISHED,
    **_ELSEWHERE,
    **_OTHER_FORMAT,
    **_DAMAGED,
    **_NOTHING_ON_DEVICES,
    **_INCOMPLETE,
    **_OPENS,
}
