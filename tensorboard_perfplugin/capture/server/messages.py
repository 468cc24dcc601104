"""Options → the bytes of a request; the bytes of a reply → where in them the capture lies. Nothing here connects.

profiler_service.proto says which fields are known. A reply is never parsed as a whole: it may be half a gigabyte, all
of it one field, and what is inside is decoded when the capture is opened.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...units import count
from ...wire import LENGTH, VARINT, DamagedError, Field, walk
from ..request.failure import WorkerError, one_line
from ..request.options import Options, Value

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
