"""The first bytes of a file → what they look like, in one phrase, and what to do about it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from ..patterns import regex
from .recognise import HEAD_BYTES, austin, collapsed, is_pprof, perf_script, pyinstrument

Test = Callable[[bytes], bool]

DAMAGED_XPLANE = "a damaged XPlane capture"
PICKLE = "a Python pickle"
AGAIN = "Take the capture again, or copy it again from where it was taken."


def starts(*magics: bytes) -> Test:
    return lambda head: head.startswith(magics)


def matches(pattern: bytes) -> Test:
    compiled = regex(pattern, re.IGNORECASE | re.DOTALL)
    return lambda head: bool(compiled.match(head.removeprefix(b"\xef\xbb\xbf")))


def is_mangled(head: bytes) -> bool:
    """Binary data that went through a text decoder: every byte that was no UTF-8 has become U+FFFD.

    In sound captures less than one byte in a thousand belongs to that character.
    """
    return head.count(b"\xef\xbf\xbd") * 50 > len(head)


def is_text(head: bytes) -> bool:
    if re.search(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]", head):
        return False
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeDecodeError:
        return False
    return True


def flight_recorder(head: bytes) -> bool:
    """A pickle or JSON of `version`, `entries` and more, of which one at least is in no other file."""
    is_dict = head.startswith((b"\x80", b"{")) and any(key in head[:4096] for key in _RECORDER[0])
    return is_dict and any(key in head for key in _RECORDER[1])


#: What the flight recorder's dict has, and keys of the configuration or entries in it.
_RECORDER = (
    (b"version", b"entries", b"pg_config"),
    (b"collective_seq_id", b"nccl_comm_state", b"pg_config", b"profiling_name"),
)

#: `export_memory_timeline`: a list of (time, action, bytes, category), or times and then sizes.
_TIMELINE = rb"\s*\[\[(?:-?\d+, [0-3], -?\d+, \d+\]|\d+(?:, \d+)*\], \[\[\d+(?:, \d+){2}|\d+(?:, \d+){3,},? ?\Z)"
_NO_TIMELINE = (
    "It holds sizes by category, neither addresses nor stacks. Give the file of `torch.cuda.memory._dump_snapshot()`, "
    "or the .pt.trace.json recorded with profile_memory=True."
)

_NO_STACKS = "No stack of it can be read. Record it again."

#: What other tools write of programs, in formats that are not read here.
OTHER_TOOLS: tuple[tuple[Test, str, str], ...] = (
    (
        flight_recorder,
        "a dump of PyTorch's NCCL flight recorder",
        "It serves to find the rank that hangs: `torchfrtrace` reads it. For times record with torch.profiler.",
    ),
    (
        matches(rb'\s*\{\s*"rocprofiler-sdk-tool"\s*:'),
        "JSON of rocprofv3",
        "Record with `rocprofv3 --output-format pftrace` (or rocpd, its default), which is read.",
    ),
    (
        matches(rb'\s*\[\s*\{.{0,4096}?"(?:timestamps"\s*:\s*\[|model_version"\s*:|activity"\s*:\s*"TENSOR_)'),
        "a trace of Triton Inference Server",
        "It holds times of requests: Triton's `trace_summary.py` reads it. For what the model does record with nsys.",
    ),
)
#: First match wins.
KINDS: tuple[tuple[Test, str, str], ...] = (
    *OTHER_TOOLS,
    (lambda head: not head, "an empty file", "The profiler did not finish, or the disk was full. " + AGAIN),
    (lambda head: not head.strip(b"\0"), "only zero bytes", "The disk lost what was written. " + AGAIN),
    (starts(b"\x1f\x8b"), "gzip data", "Unpack it, and see what it holds."),
    (
        starts(b"version https://git-lfs.github.com/spec/"),
        "a git-lfs pointer",
        "It stands for a file that was not fetched; run `git lfs pull`.",
    ),
    (
        starts(b"SQLite format 3\0"),
        "an SQLite database",
        "Of databases those of nvprof, Nsight Systems and rocprofv3 are read; name it *.sqlite.",
    ),
    (starts(b"PK\x03\x04", b"PK\x05\x06"), "a zip archive", "Unpack it, and open the .xplane.pb inside."),
    (starts(b"\x28\xb5\x2f\xfd"), "zstd data", "Unpack it first."),
    (starts(b"\xfd7zXZ\0", b"BZh"), "xz or bzip2 data", "Unpack it first."),
    (lambda head: len(head) > 262 and head[257:262] == b"ustar", "a tar archive", "Unpack it first."),
    (
        starts(b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"),
        PICKLE,
        "Of pickles only memory snapshots of PyTorch are read, as `torch.cuda.memory._dump_snapshot` writes them.",
    ),
    (is_pprof, "a pprof profile", "Only those of memory are read; `go tool pprof -http=: FILE` shows others."),
    (lambda head: b"brain.Event:" in head[:64], "a TensorBoard event file", "Open the .xplane.pb beside it instead."),
    (is_mangled, "binary data that was converted as if it were text", "Copy the original again, in binary mode."),
    (
        matches(rb"\s*<html>.{0,1000}<img src='data:image/png;base64,"),
        "a picture in HTML, such as a memory timeline of PyTorch",
        _NO_TIMELINE,
    ),
    (matches(rb"\s*(<!doctype html|<html|<head|<body)"), "an HTML page", "The download gave a web page. " + AGAIN),
    (matches(rb"\s*<(\?xml|[a-z!])"), "an XML or HTML document", "The download gave a document. " + AGAIN),
    (
        matches(rb'\s*\{\s*"schema": "[^"]{1,40}", "pid": .{0,200}"nodes": \['),
        "an execution trace of PyTorch",
        "It is the graph of the operators, without their times; give the .pt.trace.json of the same run.",
    ),
    (
        matches(_TIMELINE),
        "a memory timeline of PyTorch",
        _NO_TIMELINE,
    ),
    (
        matches(rb'\s*\{\s*"\$schema":\s*"[^"]{0,40}speedscope'),
        "a profile of speedscope",
        "It is damaged, or cut off: record it again, and stop the recorder with Ctrl-C, not by kill -9.",
    ),
    (pyinstrument, "a session of pyinstrument", _NO_STACKS),
    (
        matches(rb'\s*(\{\s*["}]|\[\s*[\[{"\]\d-])'),
        "JSON",
        "Of JSON only traces are read: an object with `traceEvents`, or a list of events.",
    ),
    (
        matches(rb"\s*(?:step_stats|dev_stats)\s*\{"),
        "TensorFlow's RunMetadata as text",
        "Write its bytes: open('run_metadata.pb', 'wb').write(run_metadata.SerializeToString()).",
    ),
    (
        matches(rb"\{'kShortName': '|\"(?:Idx|Kernel)\",.{0,200}\"(?:Direction|Sil\(ns\))\""),
        "what pyprof computed of nvprof's database",
        "Give the database itself: net.sql, as `nvprof -o net.sql` wrote it.",
    ),
    (
        starts(b"MOJ"),
        "binary samples of austin",
        "Convert it: `mojo2austin FILE all.austin`, then `austin2speedscope all.austin all.speedscope.json`.",
    ),
    (austin, "samples of austin", _NO_STACKS),
    (perf_script, "samples that `perf script` printed", _NO_STACKS),
    (collapsed, "collapsed stacks", _NO_STACKS),
    (is_text, "text", AGAIN),
)


#: How a tool file that another one is read with ends.
_BESIDE = (".tensorflow_stats.pb", ".pod_viewer.json")

#: Reports of NVIDIA's profilers, whose formats are not published, by how they end; and the command that opens them.
REPORTS: dict[str, tuple[str, str]] = {
    **dict.fromkeys(
        (".nsys-rep", ".qdrep"),
        ("a report of Nsight Systems", "Export it, and open what that writes: nsys export --type sqlite {name}"),
    ),
    ".qdstrm": (
        "raw data of Nsight Systems",
        "Make a report of it, then export that: QdstrmImporter -i {name}; nsys export --type sqlite {report}.nsys-rep",
    ),
    ".ncu-rep": (
        "a report of Nsight Compute",
        "It holds counters of single kernels, without a timeline: ncu --import {name} --page details",
    ),
    ".nvvp": (
        "a session of NVIDIA's Visual Profiler",
        "Only databases open: record with nvprof -o run.nvprof, or export the session from nvvp as one.",
    ),
}


def report_of(head: bytes, name: str) -> tuple[str, str] | None:
    """The same for a file of another tool, by its content or, of NVIDIA's profilers, its name; None of all else."""
    for test, phrase, advice in OTHER_TOOLS:
        if test(head):
            return phrase, advice
    file = re.split(r"[/\\]", name)[-1].removesuffix(".gz")
    stem, dot, ending = file.rpartition(".")
    known = REPORTS.get(dot + ending)
    if known is None or not head or head.startswith(b"SQLite format 3\0"):
        return None
    return known[0], known[1].format(name=file, report=stem)


def kind_of(head: bytes, name: str) -> tuple[str, str]:
    """What the bytes look like, and what to do. Arguments as for `sniff`."""
    head = head[:HEAD_BYTES]
    if head and name.removesuffix(".gz").endswith(_BESIDE):
        return "results of TensorFlow's profiler for one page", "Give the *.overview_page.pb or .json beside it."
    if report := report_of(head, name):
        return report
    for test, phrase, advice in KINDS:
        if test(head):
            return phrase, advice
    return DAMAGED_XPLANE if ".xplane.pb" in name else "binary data of a kind unknown here", AGAIN


def sniff(head: bytes, name: str = "") -> str:
    """What a file that begins with `head` looks like, in one phrase: "an empty file", "an HTML page" …

    head: the first bytes, up to `HEAD_BYTES` of which are looked at; all of them for a shorter file. name: the file's.
    """
    return kind_of(head, name)[0]
