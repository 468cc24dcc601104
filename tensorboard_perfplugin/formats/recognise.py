"""Name and first bytes of a file → whether they are a format's. A name is without `.gz`; heads have `HEAD_BYTES`."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import TypeAlias

from ..patterns import regex
from ..wire import LENGTH, VARINT, DamagedError, Field, walk

#: How much of a file's beginning is looked at.
HEAD_BYTES = 1 << 16
#: The same of a file whose ending other programs use, too: an SQLite database lists its tables among its first pages.
SHARED_BYTES = 1 << 20

Recognises: TypeAlias = Callable[[str, bytes], bool]

#: A plane, or its name, at the begin of an `XSpace`.
_PLANE = regex(rb"\x12[\x01-\x7f](/device:|/host:|/custom:|#Chip|Host CPUs|Syscalls|Task Environment)")
#: A device of step stats, at the begin of a message: field 1, its length, then such a name.
_STEP_STATS = regex(
    rb"\n[\x01-\xff]{1,5}?\n[\x01-\x7f]/(job:|device:|gpu:|cpu:)|\n[\x01-\xff]{1,5}?\n[\x01-\xff]{1,5}?\n[\x01-\x7f]/(job:|device:|gpu:|cpu:)"
)
#: A device of a trace proto: field 1, its length, its id, and a message that begins with its name.
_TRACE_PROTO = regex(rb"\n[\x01-\xff]{1,4}?(?:\x08[\x00-\xff]{1,5}?)?\x12[\x01-\xff]{1,4}?\n[\x01-\x7f]/")
_OBJECT = regex(rb'\s*\{.{0,65536}?"traceEvents"\s*:\s*\[', re.DOTALL)
#: An array of what is no event, as memory timelines are: events are objects.
_OTHER_ARRAY = regex(rb'\s*\[\s*[\["\d-]')
#: `ph` may follow args, which are objects themselves.
_ARRAY = regex(rb'\s*\[\s*(\{.{0,4096}?"ph"\s*:\s*"[a-zA-Z(),]"|$)', re.DOTALL)
#: Of the first tables of a profiler's database one at least is named in what `SHARED_BYTES` hold.
_TABLES = (
    b"StringIds",
    b"StringTable",
    b"CUPTI_ACTIVITY_KIND",
    b"TARGET_INFO_",
    b"NVTX_EVENTS",
    b"rocpd_kernel_dispatch",
)
SQLITE = b"SQLite format 3\0"
#: A dict of marshal whose first key is a tuple of three that begins with a string; or that is empty.
_PYTHON_STATS = regex(rb"[{\xfb](?:[)\xa9]\x03|[(\xa8]\x03\0\0\0)[aAustzZ\xe1\xc1\xf5\xf3\xf4\xfa\xda]|[{\xfb]0\Z")
#: speedscope's own export has its schema at the end, behind the samples.
_SPEEDSCOPE = regex(
    rb'\A(?:\xef\xbb\xbf)?\s*\{.{0,4096}?(?:"\$schema"\s*:\s*"[^"]{0,60}speedscope|'
    rb'"profiles"\s*:\s*\[\s*\{\s*"type"\s*:\s*"(?:sampled|evented)")',
    re.DOTALL,
)
#: A line of frames, of which so many have others behind them, and how often they were seen.
_STACK_AND_COUNT = rb"[^\n;]{1,300}(?:;[^\n;]{1,300}){%d,%d} \d{1,18}\r?\n"
#: Of two lines: a line of text may end so, too.
_COLLAPSED = regex(
    rb"%s%s|%s%s" % tuple(_STACK_AND_COUNT % (least, 500) for least in (0, 1, 1, 0)),
)
#: A sample, and a frame of it. Comments may stand before them.
_PERF_SCRIPT = regex(
    rb"(?:#[^\n]{0,500}\n){0,200}\s*[^\n#]{1,80}?\s\d+(?:/\d+)?\s+(?:\[\d+\]\s+)?\d+\.\d{6,9}:\s[^\n]{1,200}\n"
    rb"\s+[0-9a-f]{4,16} "
)
_PYINSTRUMENT = regex(
    rb'\s*\{\s*(?:"session"\s*:\s*\{\s*"start_time"|"start_time"\s*:.{1,300}?"sample_count"\s*:|'
    rb'"frame_records"\s*:\s*\[)',
    re.DOTALL,
)
_UTF8_MARK = b"\xef\xbb\xbf"
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: Field numbers of pprof's Profile, and how each is written.
_WIRES = {
    **dict.fromkeys((1, 2, 3, 4, 5, 6, 11, 16), (LENGTH,)),
    **dict.fromkeys((7, 8, 9, 10, 12, 14, 15), (VARINT,)),
    13: (LENGTH, VARINT),
}
#: Those of them that are a type and a unit: of samples, and of the period.
_TYPES = (1, 11)


#: Fields of Perfetto's packets that say what a packet is of, and when, by how they are written.
_PACKET = {
    **dict.fromkeys((3, 8, 10, 13, 41, 42, 58, 79, 87, 98), VARINT),
    **dict.fromkeys(
        (1, 2, 6, 7, 9, 11, 12, 33, 34, 35, 36, 37, 39, 43, 44, 45, 50, 51, 52, 53, 59, 60, 89, 126), LENGTH
    ),
}
_PACKETS = 8


def by_name_alone(name: str, head: bytes) -> bool:
    return False


def xplane(name: str, head: bytes) -> bool:
    return head[:1] in b"\x0a\x22" and bool(_PLANE.search(head))


def trace_proto(name: str, head: bytes) -> bool:
    return name.endswith(".trace") and bool(_TRACE_PROTO.match(head))


def run_metadata(name: str, head: bytes) -> bool:
    is_called_so = name.endswith(".run_metadata") or name in ("RunMetadata.pb", "run_metadata")
    return is_called_so or bool(_STEP_STATS.match(head))


def pprof(name: str, head: bytes) -> bool:
    return is_pprof(head)


def python_stats(name: str, head: bytes) -> bool:
    return bool(_PYTHON_STATS.match(head))


def speedscope(name: str, head: bytes) -> bool:
    return bool(_SPEEDSCOPE.search(head))


def collapsed(head: bytes) -> bool:
    return bool(_COLLAPSED.match(head))


def perf_script(head: bytes) -> bool:
    return bool(_PERF_SCRIPT.match(head))


def austin(head: bytes) -> bool:
    return head.startswith((b"# austin: ", b"# mode: "))


def pyinstrument(head: bytes) -> bool:
    return bool(_PYINSTRUMENT.match(head))


def call_stacks(name: str, head: bytes) -> bool:
    return collapsed(head) or perf_script(head) or austin(head) or pyinstrument(head)


def trace_events(name: str, head: bytes) -> bool:
    text = as_utf8(head).removeprefix(_UTF8_MARK)
    if text.lstrip()[:1] not in (b"{", b"[") or _OTHER_ARRAY.match(text):
        return False
    is_called_so = name.endswith((".pt.trace.json", ".trace.json", "timeline.json"))
    return is_called_so or bool(_OBJECT.match(text) or _ARRAY.match(text)) or b'"traceEvents"' in text


def database(name: str, head: bytes) -> bool:
    return head.startswith(SQLITE)


def profilers_database(head: bytes) -> bool:
    """Whether a database that begins so may be one of nvprof, Nsight Systems or rocprofv3."""
    return head.startswith(SQLITE) and any(name in head for name in _TABLES)


def perfetto(name: str, head: bytes) -> bool:
    """Whether the first packets have the fields of Perfetto's, and of these all that are of one kind the same."""
    if head[:1] != b"\x0a":
        return False
    data, seen = memoryview(head), 0
    try:
        for packet in walk(data, 0, len(data)):
            if packet.number != 1 or packet.wire != LENGTH:
                return False
            fields = [] if packet.cut else list(walk(data, packet.begin, packet.end))
            if any(_PACKET.get(field.number, field.wire) != field.wire or field.cut for field in fields):
                return False
            known = sum(field.number in _PACKET for field in fields)
            if not packet.cut and 2 * known < len(fields) + (not fields):
                return False
            seen += not packet.cut
            if seen == _PACKETS or packet.cut:
                break
    except DamagedError:
        return seen >= _PACKETS // 2
    return seen > 0


def as_utf8(head: bytes) -> bytes:
    """What begins with the mark of UTF-16 as UTF-8, all else as it is. The last character may be cut."""
    if not head.startswith(UTF16):
        return head
    return codecs.getincrementaldecoder("utf-16")("replace").decode(head).encode("utf-8", "replace")


def is_pprof(head: bytes) -> bool:
    """Whether a file that begins so is a pprof profile: sample types of two numbers, and known fields after them.

    Go writes the type of the period, which is alike, and the period before them.
    """
    data, seen = memoryview(head), 0
    try:
        for field in walk(data, 0, len(data)):
            if field.wire not in _WIRES.get(field.number, ()):
                return False
            if field.cut or seen > 100:
                break
            if field.number in _TYPES and not _is_type(data, field):
                return False
            if not seen and field.number not in _TYPES:
                return False
            seen += 1
    except DamagedError:
        # The head may end within a field.
        return seen > 1 and len(head) >= 1 << 12
    return seen > 1


def _is_type(data: memoryview, field: Field) -> bool:
    fields = list(walk(data, field.begin, field.end))
    return 1 <= len(fields) <= 2 and all(f.wire == VARINT and f.number in (1, 2) for f in fields)
