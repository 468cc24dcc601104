"""gRPC's status codes and texts → what happened, in words, with what to do."""

from __future__ import annotations

import re
from typing import Any

from ..request import Address, Kind, Options, WorkerError, one_line
from .messages import NOWHERE_ROOT, Reply

BUSY = "another profiling session active"
#: How gRPC's library says that a server of HTTP/2 answered which is none of gRPC.
_HTTP = re.compile(r"header with status|http status|(invalid|bad|unexpected|missing) content-type", re.IGNORECASE)
#: How it says that a connection ended; a server's own words are none of these.
_CUT = re.compile(
    r"^stream removed$|rst_stream|goaway|socket closed|connection (reset|refused|closed|timed)|broken pipe|"
    r"recvmsg|sendmsg|failed to connect|transport (closed|is closing)|unreachable|endpoint closing|connection dropped",
    re.IGNORECASE,
)
_LARGER = re.compile(r"larger than max \((\d+) vs\. \d+\)")
#: How it says that what came is no answer of gRPC, or none that may be sent.
_WRONG = re.compile(
    r"compress|no status received|failed parsing|parse error|hpack|deserializ|protocol error",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"Stream removed \((.*)\)", re.DOTALL)


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


_STOPPED = "takes calls and answers none. The program may be stopped, or in a long call"
UNTOLD = "tells nothing of its devices between captures. Servers of Cloud TPUs do; ask others for a capture"
NO_MASTER = "records no other workers, as a Cloud TPU's master does. Capture from the address of each worker"
OLD_SERVER = (
    "this profiler's server is too old to send a capture back: it only writes files on its own side. "
    "Update it there to TensorFlow 2.21 or JAX 0.9. As it is, a program of TensorFlow without JAX can be captured on "
    "its own machine, by its own user, and each can record itself with tensorboard_perfplugin.profile"
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
        found = _LARGER.search(text)
        return larger(int(found[1]) if found else None, budget_bytes)
    if kind == "not_grpc":
        return f"a web server answers, not gRPC ({one_line(text, 120)}). Check the port"
    if kind == "deadline":
        return f"no result within {after_s:.0f} s. The program may be stopped, or the result take long to send"
    if kind == "wrong_answer":
        return f"what came is no answer of a profiler ({one_line(text, 120)}). Check the port"
    if kind == "cut":
        return f"the connection was cut after {after_s:.1f} s ({one_line(text, 120)}). The program may have ended"
    return _FIXED.get(kind) or _failed(code, text)


def larger(size_bytes: int | None, budget_bytes: int) -> str:
    """size_bytes: None where it is not told."""
    size = "more" if size_bytes is None else f"{size_bytes:,} bytes"
    return f"the result is {size}, and the budget {budget_bytes:,}. {_SMALLER}"


def _failed(code: str, text: str) -> str:
    advice = next((f". {advice}" for words, advice in _ADVICE if words in text), "")
    return f"the server could not: {one_line(text.rstrip('. ')) or 'it gives no reason'} ({code}){advice}"


#: Words in a server's reason, and what to do about it.
_ADVICE = (
    ("TF_DISABLE_PROFILING", "Start that program without this variable in its environment"),
    ("INSUFFICIENT_PRIVILEGES", "`perfplugin check` on that machine says how the program may use the GPU's counters"),
    ("advanced_configuration", "Leave out the advanced options that this version does not know"),
)


_SMALLER = "Record for a shorter time, at a lower level of the host, without Python's tracer, or allow more"
_FIXED: dict[Kind, str] = {
    "busy": (
        "another profile is being recorded there, by someone else or by the program itself. Try again when it has ended"
    ),
    "no_profiler": (
        "a gRPC server answers that has no profiler. Check the port: it is the one given to the profiler's start_server"
    ),
}


def capture_in(reply: Reply, options: Options) -> memoryview:
    """The capture in an answer. Raises WorkerError `empty`, with the likely causes, or `old_server`."""
    if reply.empty or (reply.xspace is not None and not reply.xspace):
        raise WorkerError(
            "empty", f"recorded {options.duration_ms / 1000:g} s, and nothing happened in it. {_why_empty(options)}"
        )
    if reply.xspace is None:
        raise WorkerError("old_server", OLD_SERVER)
    return reply.xspace


def _why_empty(options: Options) -> str:
    if not (options.host_tracer_level or options.device_tracer_level or options.python_tracer_level):
        return "All levels of tracers are 0: set one of the host, the device or Python"
    off = "The host's tracer is off, and no device did anything. " if not options.host_tracer_level else ""
    return (
        f"{off}Record for longer, while the program computes; see that it is not started with TF_DISABLE_PROFILING, "
        "and where a GPU is missing, that its program may use CUPTI (`perfplugin check` there says)"
    )
