"""gRPC's status codes and texts → what happened, in words, with what to do."""

from __future__ import annotations

import re
from typing import Any

from ...units import memory, seconds
from ..request.address import Address
from ..request.failure import Kind, WorkerError, one_line
from ..request.options import Options
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
