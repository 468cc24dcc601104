"""gRPC's status codes and texts → what happened, in words, with what to do."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...patterns import regex
from ...units import count, memory, seconds
from ...wire import LENGTH, VARINT, DamagedError, Field, walk
from ..request import Address, Kind, Options, Value, WorkerError, one_line

# Options → the bytes of a request; the bytes of a reply → where in them the capture lies. Nothing here connects.
#
# profiler_service.proto says which fields are known. A reply is never parsed as a whole: it may be half a gigabyte,
# all
# of it one field, and what is inside is decoded when the capture is opened.

SERVICE = "/tensorflow.ProfilerService/"
ANALYSIS = "/tensorflow.ProfileAnalysis/"
#: Version 0 makes a server take its own levels, whatever is asked for.
OPTIONS_VERSION = 1
CPU = 1
#: No server can write below this. One that answers with a capture does not try to; one too old to do so says that it
#: cannot write there, instead of leaving files in its working directory.
NOWHERE_ROOT = "/dev/null"
NOWHERE = f"{NOWHERE_ROOT}/perfplugin"
#: Fields 1 to 4 of an XSpace: planes, errors, warnings, host names.
XSPACE_FIELDS = range(1, 5)
#: Of a reply and of what is in it so many fields are looked at. Planes are some hundreds at most.
MAX_FIELDS = 4096
TOOL_DATA, EMPTY_TRACE, XSPACE = 6, 7, 8
#: How servers of Cloud TPUs name a capture among the results of tools.
TOOL_XSPACE = b"xplane.pb"


@dataclass(frozen=True)
class Reply:
    """What a server answered. xspace: the capture's bytes, or None; empty: the server says that it holds no event."""

    xspace: memoryview | None
    empty: bool


@cache
def messages() -> Mapping[str, Any]:
    """Message name → class, made at run time from the descriptor set beside this file, in a pool of their own."""
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    pool = descriptor_pool.DescriptorPool()
    path = Path(__file__).with_name("profiler_service.desc")
    (file,) = descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes()).file
    pool.Add(file)
    names = [message.name for message in file.message_type]
    return {n: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.{n}")) for n in names}


def profile_request(options: Options, session_id: str, host_name: str, start_ns: int = 0, root: str = "") -> Any:
    """What to record. start_ns: when to begin, in ns since the epoch of the server's clock; 0 for now.

    root: the folder for a server that sends nothing back.
    """
    request = messages()["ProfileRequest"](
        duration_ms=options.duration_ms,
        max_events=1_000_000,
        tools=["xplane.pb"],
        session_id=session_id,
        host_name=host_name,
        emit_xspace=True,
        repository_root=root,
    )
    asked = request.opts
    asked.version = OPTIONS_VERSION
    asked.duration_ms = options.duration_ms
    asked.host_tracer_level = options.host_tracer_level
    asked.device_tracer_level = options.device_tracer_level
    asked.python_tracer_level = options.python_tracer_level
    asked.include_dataset_ops = True
    asked.enable_hlo_proto = True
    asked.start_timestamp_ns = start_ns
    for key, value in options.advanced.items():
        asked.advanced_configuration.add(key=key).value.CopyFrom(_advanced(value))
    return request


def _advanced(value: Value) -> Any:
    name = "flag" if isinstance(value, bool) else "number" if isinstance(value, int) else "text"
    return messages()["AdvancedValue"](**{name: value})


def probe_request(session_id: str, root: str = NOWHERE) -> Any:
    """Asks for no time of nothing: the server takes its lock, starts no tracer, and answers at once."""
    request = messages()["ProfileRequest"](session_id=session_id, host_name="probe", emit_xspace=True)
    request.repository_root = root
    request.opts.version = OPTIONS_VERSION
    # Tracers of devices that no level turns off start for their own type only.
    request.opts.device_type = CPU
    return request


def terminate_request(session_id: str) -> Any:
    return messages()["TerminateRequest"](session_id=session_id)


def monitor_request(duration_ms: int, level: int) -> Any:
    """level: 1 or 2, how detailed."""
    return messages()["MonitorRequest"](duration_ms=duration_ms, monitoring_level=level, timestamp=True)


def new_session_request(options: Options, session: str, root: str, workers: Sequence[str]) -> Any:
    """For a Cloud TPU's master: what its workers shall record, and where they shall write it."""
    inner = profile_request(options, session, "", time.time_ns() + options.delay_ms * 10**6)
    inner.repository_root = root
    inner.emit_xspace = False
    return messages()["NewProfileSessionRequest"](
        request=inner, repository_root=root, hosts=list(workers), session_id=session
    )


@dataclass(frozen=True)
class Monitored:
    """What a server reports of its devices. text: as it came; numbers: MonitorResult's fields, those that are set."""

    text: str
    numbers: Mapping[str, float]


def read_monitored(data: bytes) -> Monitored:
    reply = _parsed("MonitorResponse", data)
    numbers = {field.name: float(value) for field, value in reply.monitor_result.ListFields()}
    return Monitored(reply.data.decode("utf-8", "replace"), numbers)


def read_new_session(data: bytes) -> None:
    """Raises WorkerError where the master says that something failed, or that nothing was recorded."""
    reply = _parsed("NewProfileSessionResponse", data)
    if reply.error_message:
        text = one_line(reply.error_message.decode("utf-8", "replace"))
        raise WorkerError("failed", f"the TPU's workers could not be recorded: {text}")
    if reply.empty_trace:
        raise WorkerError("empty", "the TPU's workers recorded nothing. Record while the program computes")


def _parsed(name: str, data: bytes) -> Any:
    from google.protobuf.message import DecodeError

    try:
        return messages()[name].FromString(data)
    except DecodeError:
        raise _wrong(f"{count(len(data), 'byte')} that are not a {name}") from None


def read_reply(data: bytes) -> Reply:
    """Where the capture lies in a ProfileResponse. Raises WorkerError `wrong_answer` where it is none."""
    view = memoryview(data)
    xspaces: list[memoryview] = []
    empty = False
    for field in _fields(view, "the answer"):
        if field.number == XSPACE:
            xspaces.append(view[field.begin : field.end])
        elif field.number == EMPTY_TRACE:
            empty = bool(field.value)
        elif field.number == TOOL_DATA and (part := _tool_xspace(view[field.begin : field.end])) is not None:
            xspaces.append(part)
    if not xspaces:
        return Reply(None, empty)
    # A message given in parts is, by protobuf's rules, that of the parts one after the other.
    xspace = xspaces[0] if len(xspaces) == 1 else memoryview(b"".join(xspaces))
    _check_xspace(xspace)
    return Reply(xspace, empty)


_WIRES = {XSPACE: LENGTH, TOOL_DATA: LENGTH, EMPTY_TRACE: VARINT}


def _fields(view: memoryview, what: str) -> Iterator[Field]:
    """The first fields, each whole and of the type that the known ones have."""

    try:
        for number, field in enumerate(walk(view, 0, len(view))):
            if field.cut:
                raise _wrong(f"{what} ends within a field, after {count(field.end - field.begin, 'byte')} of it")
            if what == "the answer" and field.wire != _WIRES.get(field.number, field.wire):
                raise _wrong(f"field {field.number} has an unexpected type")
            if number >= MAX_FIELDS:
                raise _wrong(f"{what} has more than {MAX_FIELDS} fields")
            yield field
    except DamagedError as damage:
        raise _wrong(f"{what} cannot be read from byte {damage.args[0]:,} of {len(view):,} on") from None


def _tool_xspace(view: memoryview) -> memoryview | None:
    """The data of a tool's result {1 name, 2 data} where that is a capture."""
    name, data = b"", None
    for field in _fields(view, "a tool's result"):
        if field.wire == LENGTH and field.number == 1:
            name = bytes(view[field.begin : min(field.end, field.begin + 100)])
        elif field.wire == LENGTH and field.number == 2:
            data = view[field.begin : field.end]
    return data if name == TOOL_XSPACE else None


def _check_xspace(xspace: memoryview) -> None:
    """Whether it begins like a capture: planes, errors, warnings, host names, each with a length."""
    for field in _fields(xspace, "the capture in it"):
        if field.number not in XSPACE_FIELDS or field.wire != LENGTH:
            raise _wrong(f"field {field.number} of the capture is not a field of an XSpace")


def _wrong(what: str) -> WorkerError:
    return WorkerError("wrong_answer", f"the answer is not a profiler's: {what}")


BUSY = "another profiling session active"
#: How gRPC's library says that a server of HTTP/2 answered which is none of gRPC.
_HTTP = regex(r"header with status|http status|(invalid|bad|unexpected|missing) content-type", re.IGNORECASE)
#: How it says that a connection ended; a server's own words are none of these.
_CUT = regex(
    r"^stream removed$|rst_stream|goaway|socket closed|connection (reset|refused|closed|timed)|broken pipe|"
    r"recvmsg|sendmsg|failed to connect|transport (closed|is closing)|unreachable|endpoint closing|connection dropped",
    re.IGNORECASE,
)
_LARGER = regex(r"larger than max \((\d+) vs\. \d+\)")
#: How it says that what came is no answer of gRPC, or none that may be sent.
_WRONG = regex(
    r"compress|no status received|failed parsing|parse error|hpack|deserializ|protocol error",
    re.IGNORECASE,
)
_WRAPPED = regex(r"Stream removed \((.*)\)", re.DOTALL)


def explained(address: Address, error: Any, after_s: float, budget_bytes: int) -> WorkerError:
    """The WorkerError for a grpc.RpcError that came after some seconds."""
    code, text = error.code().name, error.details() or ""
    wrapped = _WRAPPED.fullmatch(text)
    text, ours = (wrapped[1], True) if wrapped else (text, False)
    kind = _kind(code, text, ours)
    return WorkerError(kind, f"{address}: {_message(kind, code, text, after_s, budget_bytes)}")


def probe_failure(address: Address, error: WorkerError) -> WorkerError:
    """What a probe's failure means: a server that wanted to write to where nothing can is too old to answer with it."""
    if error.kind == "failed" and NOWHERE_ROOT in error.message:
        return WorkerError("old_server", f"{address}: {OLD_SERVER}")
    if error.kind == "deadline":
        return WorkerError("slow", f"{address}: {_STOPPED}")
    return error


def only_tpus(address: Address, error: WorkerError, what: str) -> WorkerError:
    """What a failure of a call means that only Cloud TPUs' servers answer."""
    return WorkerError("failed", f"{address}: {what}") if error.kind == "no_profiler" else error


_STOPPED = "accepts calls but does not answer. The program may be stopped, or busy in a long call"
NO_MONITOR = "does not report device activity; only Cloud TPU servers do. Take a capture instead"
NO_MASTER = "cannot record other workers; only a Cloud TPU's master can. Give the address of each worker"
OLD_SERVER = (
    "this profiler server is too old to send a capture back: it only writes files on its own machine. "
    "Update the program to TensorFlow 2.21 or JAX 0.9. Without an update, a TensorFlow program that does not load JAX "
    "can be captured on its own machine by its own user, and any program can record itself with "
    "tensorboard_perfplugin.profile"
)


def _kind(code: str, text: str, ours: bool) -> Kind:
    if BUSY in text.lower():
        return "busy"
    if _HTTP.search(text):
        return "not_grpc"
    if code == "RESOURCE_EXHAUSTED" and _LARGER.search(text):
        return "too_large"
    if code == "UNIMPLEMENTED":
        return "no_profiler"
    if code == "DEADLINE_EXCEEDED":
        return "deadline"
    if code in ("INTERNAL", "UNKNOWN") and _WRONG.search(text):
        return "wrong_answer"
    if code in ("UNAVAILABLE", "CANCELLED", "INTERNAL", "UNKNOWN") and (ours or _CUT.search(text)):
        return "cut"
    return "cut" if code == "UNAVAILABLE" and not text else "failed"


def _message(kind: Kind, code: str, text: str, after_s: float, budget_bytes: int) -> str:
    if kind == "too_large":
        size = _LARGER.search(text)
        return larger(int(size[1]) if size else None, budget_bytes)
    if kind == "not_grpc":
        return f"a web server answers, not gRPC ({one_line(text, 120)}). Check the port"
    if kind == "deadline":
        return f"no result within {seconds(after_s)}. The program may be stopped, or the transfer slow"
    if kind == "wrong_answer":
        return f"the answer is not a profiler's ({one_line(text, 120)}). Check the port"
    if kind == "cut":
        return f"the connection was lost after {seconds(after_s)} ({one_line(text, 120)}). The program may have ended"
    return _FIXED.get(kind) or _failed(code, text)


def larger(size_bytes: int | None, budget_bytes: int) -> str:
    """size_bytes: None where it is unknown."""
    size = "" if size_bytes is None else f" ({memory(size_bytes)})"
    return f"the result{size} exceeds the budget of {memory(budget_bytes)}. {_SMALLER}"


def _failed(code: str, text: str) -> str:
    advice = next((f". {advice}" for words, advice in _ADVICE if words in text), "")
    return f"the server failed: {one_line(text.rstrip('. ')) or 'no reason given'} ({code}){advice}"


#: Words in a server's reason, and what to do about it.
_ADVICE = (
    ("TF_DISABLE_PROFILING", "Start the program without that variable in its environment"),
    ("INSUFFICIENT_PRIVILEGES", "Run `perfplugin check` on that machine to see how to permit GPU tracing"),
    ("advanced_configuration", "Remove the advanced options that this version does not support"),
)


_SMALLER = "Record for a shorter time, lower the host tracer level, turn the Python tracer off, or raise the budget"
_FIXED: dict[Kind, str] = {
    "busy": (
        "another profile is being recorded there, by someone else or by the program itself. Try again when it has ended"
    ),
    "no_profiler": (
        "a gRPC server without a profiler answers. Check the port: it must be the one of the profiler's start_server"
    ),
}


def capture_in(reply: Reply, options: Options) -> memoryview:
    """The capture in an answer. Raises WorkerError `empty`, with the likely causes, or `old_server`."""
    if reply.empty or (reply.xspace is not None and not reply.xspace):
        raise WorkerError(
            "empty", f"no event in {seconds(options.duration_ms / 1000)} of recording. {_why_empty(options)}"
        )
    if reply.xspace is None:
        raise WorkerError("old_server", OLD_SERVER)
    return reply.xspace


def _why_empty(options: Options) -> str:
    if not (options.host_tracer_level or options.device_tracer_level or options.python_tracer_level):
        return "All tracer levels are 0: set that of the host, the device or Python"
    off = "The host tracer is off, and no device was active. " if not options.host_tracer_level else ""
    return (
        f"{off}Record for longer, while the program computes; check that it was not started with TF_DISABLE_PROFILING, "
        "and on a GPU, that it may use CUPTI (run `perfplugin check` there)"
    )
