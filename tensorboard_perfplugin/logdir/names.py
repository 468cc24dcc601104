"""Takes names of files and folders, gives what they say: host, format, time of a session, text that is safe to show.

A capture is called `<host><suffix>` or `<host><suffix>.gz`; the host may hold dots and is everything before the suffix.
A memory profile is a file that a program wrote by itself, under a name of its own choice: the usual ones are known."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import BinaryIO, cast

import msgspec

from ..formats import HEAD_BYTES, READ, SHARED_BYTES, Format
from ..patterns import regex
from ..stores import absolute, is_url, open_remote, status

NS_PER_S = 10**9


class Named(msgspec.Struct, frozen=True):
    """A format, and one way in which its files' names end."""

    name: Format
    suffix: str


#: Every ending there is, the richest first. The first that fits is the file's.
FORMATS = tuple(
    Named(format, suffix)
    for format in sorted(READ, key=lambda format: format.declaration.rank)
    for suffix in format.declaration.suffixes
)
#: Whole names, without a host, as in documents. No other `*.json` or `*.trace`, which may be anything.
WHOLE = {name: format for format in READ for name in format.declaration.names}
#: Of these, which describe one `session.run`, the first contains most.
OF_A_RUN = ("run_metadata.pb", "step_stats.pb", "timeline.json")
#: As TensorFlow 1's `ProfilerHook` names a Timeline, by the program's step, and as Slim does (`trace_every_n_steps`),
#: which writes the same into the event file, under this tag.
_HOOK = regex(r"(?:timeline|tf_trace)-(?P<step>\d{1,18})\.json")
SLIM_TAG = "run_metadata-{}"
#: What a person may call a trace that is given by its path.
GIVEN = {suffix: format for format in READ for suffix in format.declaration.given.split()}
#: Host of what SGLang merged of the files of all its processes.
MERGED = "merged"
#: Formats whose files describe memory alone, not the session beside which they lie.
ASIDE = tuple(format for format in READ if format.capabilities.is_moment or format.capabilities.is_aside)

#: Formats of which each program writes its own, whatever lies beside.
OF_FUNCTIONS = tuple(format for format in READ if format.capabilities.functions_only)

#: How the hidden folder begins in which a capture is written before it is a session.
UNFINISHED = ".perfplugin-"

#: `worker.1690000000000.pt.trace.json`, as PyTorch's `tensorboard_trace_handler` names files; ms, µs or ns.
_PYTORCH = regex(r"(?P<host>.+?)(?:\.(?P<stamp>\d{13}|\d{16}|\d{19}))?\.pt\.trace\.json")

#: `1720000000.12-TP-0.trace.json`, as SGLang's servers name what each of their processes recorded from that second on,
#: and `merged-1720000000.12.trace.json` of all of them.
_SERVED = regex(
    r"(?P<merged>merged-)?(?P<s>\d{10})(?:\.(?P<part>\d{1,9}))?(?(merged)|-(?P<host>TP-\d+(?:-[A-Z]+-\d+)*))\.trace\.json"
)
#: `1594662624558411_905-b88ab1bb8259_model_timeline.json`, as SageMaker's debugger names a piece of what a process
#: recorded, by when that ended; its Python's, TensorFlow's and Horovod's pieces follow one another apart.
_DEBUGGER = regex(
    r"(?P<stamp>\d{16}|\d{19})_(?P<host>.+_(?:pythontimeline|(?:model|horovod|smdataparallel)_timeline))\.json"
)
#: `libkineto_activities_4711.json`, as Kineto names what is recorded on demand, by the process.
_ON_DEMAND = regex(r"(?P<host>libkineto_activities_\d{1,10})\.json")

#: `rank0_trace.json`, as TorchTitan and others name what a rank recorded. Other files are called so, too: their first
#: bytes decide.
_RANKED = regex(r"(?:.*[_.-])?rank[_-]?\d{1,6}(?:[_.-].*)?\.json")

#: `0.pickle`, `rank_0.pickle`, as programs name the memory snapshot of each of their ranks.
_RANK = regex(r"(?P<host>(?:rank[_-]?)?\d{1,6})\.pickle")

#: `vm_4711_20230628101435_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json`, as PyTorch on Ascend's NPUs names what a
#: worker recorded, by local time; newer ones with milliseconds.
_ASCEND = regex(r"(?P<host>.+)_(?P<stamp>\d{14})(?P<ms>\d{3})?_ascend_pt")
_ASCEND_OUTPUT = "ASCEND_PROFILER_OUTPUT"

#: `1596585363775342.0_1596585373504789.0_151-algo-1_2/python_stats`, as SageMaker's debugger names what the Python of a
#: process did from a time to another, in µs, and the step, -1 for none.
_WINDOW = regex(r"\d{16}(?:\.\d+)?_(?P<stamp>\d{16})(?:\.\d+)?_(?P<host>.+)_-?\d+")
_WINDOWED = "python_stats"

_STAMP = regex(r"(?<!\d)\d{4}([-_]\d\d){5}(?!\d)")


def is_temporary(name: str) -> bool:
    """Whether writers use such a name for what is not finished, or hidden."""
    return name.startswith(".") or name.endswith(".tmp") or ".tmp." in name


def parse_name(name: str) -> tuple[str, Format] | None:
    """Host and format of a capture's file name, or None where the name is no capture's."""
    plain = name.removesuffix(".gz")
    if is_temporary(name):
        return None
    if plain in WHOLE:
        return plain.rpartition(".")[0] or plain, WHOLE[plain]
    if match := _PYTORCH.fullmatch(plain):
        return match["host"], Format.TRACE_EVENTS
    if _HOOK.fullmatch(plain):
        return "timeline", Format.TRACE_EVENTS
    if match := _DEBUGGER.fullmatch(plain) or _ON_DEMAND.fullmatch(plain):
        return match["host"], Format.TRACE_EVENTS
    if match := _SERVED.fullmatch(plain):
        return match["host"] or MERGED, Format.TRACE_EVENTS
    if match := _RANK.fullmatch(plain):
        return match["host"], Format.MEMORY_SNAPSHOT
    for kind in FORMATS:
        if plain.endswith(kind.suffix) and plain != kind.suffix:
            return plain.removesuffix(kind.suffix), kind.name
    return _as_trace(plain) if _RANKED.fullmatch(plain) else None


def _as_trace(name: str) -> tuple[str, Format]:
    return name.removesuffix(".json"), Format.TRACE_EVENTS


def parse_given(name: str) -> tuple[str, Format] | None:
    """As `parse_name`, of a file named by its path: a memory profile may have any name that ends in `.prof`."""
    stem, suffix = os.path.splitext(name.removesuffix(".gz"))
    return parse_name(name) or ((stem, GIVEN[suffix]) if stem and suffix in GIVEN and not is_temporary(name) else None)


def rank(name: str) -> int:
    """Rank of a file's kind: of a host's files the one with the lowest contains most."""
    plain = name.removesuffix(".gz")
    return next((i for i, kind in enumerate(FORMATS) if plain.endswith(kind.suffix)), len(FORMATS))


def stamp_ns(name: str) -> int | None:
    """The time in a session's name, `YYYY_MM_DD_HH_MM_SS` in local time, as ns since the epoch; None without one.

    TensorFlow 2.1 wrote `YYYY-MM-DD_HH-MM-SS`.
    """
    match = _STAMP.search(name)
    if not match:
        return None
    try:
        return int(time.mktime(time.strptime(match[0].replace("-", "_"), "%Y_%m_%d_%H_%M_%S"))) * NS_PER_S
    except (ValueError, OverflowError):
        return None


def pytorch_ns(name: str) -> int | None:
    """The time that PyTorch, or a writer of such names, put into a file's name, as ns since the epoch; else None."""
    plain = name.removesuffix(".gz")
    if match := _SERVED.fullmatch(plain):
        return int(match["s"] + (match["part"] or "").ljust(9, "0"))
    match = _DEBUGGER.fullmatch(plain) or _PYTORCH.fullmatch(plain)
    return int(match["stamp"].ljust(19, "0")) if match and match["stamp"] else None


def ascend_worker(folder: str) -> tuple[str, str] | None:
    """Worker, and the folder of all workers, of a folder in which PyTorch on Ascend's NPUs put its trace; else None."""
    above, name = os.path.split(folder)
    logdir, worker = os.path.split(above)
    match = _ASCEND.fullmatch(worker)
    return (match["host"], logdir) if match and name == _ASCEND_OUTPUT else None


def window_host(folder: str) -> str:
    """The process whose Python SageMaker's debugger recorded into a folder; empty of another folder."""
    match = _WINDOW.fullmatch(os.path.basename(folder))
    return match["host"] if match else ""


def written_ns(path: str) -> int | None:
    """The time in the name of a profile of PyTorch, or of its folder, as ns since the epoch; else None."""
    folder, name = os.path.split(path)
    window = _WINDOW.fullmatch(os.path.basename(folder))
    if window and name.removesuffix(".gz") == _WINDOWED:
        return int(window["stamp"]) * 1000
    match = _ASCEND.fullmatch(os.path.basename(os.path.dirname(folder)))
    if match and ascend_worker(folder):
        try:
            begun = time.mktime(time.strptime(match["stamp"], "%Y%m%d%H%M%S"))
        except (ValueError, OverflowError):
            return None
        return int(begun) * NS_PER_S + int(match["ms"] or 0) * 10**6
    return pytorch_ns(name)


def hook_step(name: str) -> int | None:
    """The step in the name of a Timeline that `ProfilerHook` wrote; None of other files."""
    match = _HOOK.fullmatch(name.removesuffix(".gz"))
    return int(match["step"]) if match else None


def shown(text: str) -> str:
    """The text with everything unprintable escaped: a name may hold any bytes, and travels through JSON and URLs."""
    return text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(c: str) -> str:
    # Bytes that are not UTF-8 arrive as lone surrogates U+DC80 to U+DCFF.
    code = ord(c) - 0xDC00 if 0xDC80 <= ord(c) <= 0xDCFF else ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def natural(text: str) -> list[tuple[int, int, str]]:
    """Sort key that puts `worker_2` before `worker_10`."""
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d+)", text) if part]


# A path or URL → bytes of the file that is there. Nothing but a regular file is read, and no pipe is waited for.


def first_bytes(path: str, most: int) -> bytes:
    """Up to so many bytes; none of what is no regular file. Raises OSError where it cannot be opened or read."""
    with opened(path) as file:
        return file.read(most) if is_regular(file) else b""


def opened(path: str, buffering: int = -1) -> BinaryIO:
    """As `open`, without waiting; of a URL exactly what is read is fetched. Raises OSError."""
    if is_url(path):
        return cast(BinaryIO, open_remote(path))
    return open(path, "rb", buffering=buffering, opener=at_once)


def now_of(path: str) -> os.stat_result:
    """The status of a path or URL. Raises OSError, ValueError."""
    return status(path) if is_url(path) else os.stat(path)


def now_of_file(file: BinaryIO) -> os.stat_result:
    """The same of an open file."""
    remote = getattr(file, "now", None)
    return remote if isinstance(remote, os.stat_result) else os.fstat(file.fileno())


def is_regular(file: BinaryIO) -> bool:
    return stat.S_ISREG(now_of_file(file).st_mode)


def real(path: str) -> str:
    """The path without links; of a URL itself."""
    return absolute(path) if is_url(path) else os.path.realpath(path)


def at_once(path: str, flags: int) -> int:
    """An opener of `open` that does not wait for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


# Takes a path, gives host and format of the capture: by its name, and by its first bytes where others use such names.
#
# `.prof` ends what cProfile dumps, and what JAX, Go and C++ programs write of their memory; `.sqlite` is anybody's.

#: Endings that do not tell → the formats whose files end so, in the order in which they are asked.
_SHARED = {
    ending: tuple(each for each in READ if ending in each.declaration.shared)
    for format in READ
    for ending in format.declaration.shared
}
_GZIP = b"\x1f\x8b"
#: Files that are remembered.
_MAX_FILES = 20_000

Parse = Callable[[str], tuple[str, Format] | None]


def identify_capture(
    path: str, modified_ns: int, size_bytes: int, parse: Parse = parse_name
) -> tuple[str, Format] | None:
    """Host and format of a file; None where it is no capture. With another `parse` the format by name stays."""
    name = os.path.basename(path).removesuffix(".gz")
    parsed = parse(os.path.basename(path))
    ending = os.path.splitext(name)[1]
    is_ranked = parse is parse_name and bool(_RANKED.fullmatch(name)) and parsed == _as_trace(name)
    if parsed is None or not (ending in _SHARED or is_ranked):
        return parsed
    host, by_name = parsed
    formats = _SHARED.get(ending, (Format.TRACE_EVENTS,))
    found = _by_bytes(path, formats, modified_ns, size_bytes)
    if found is None:
        # A name that is no other format's stays, to be reported as damaged.
        return parsed if parse is not parse_name or by_name.declaration.is_own_name(name) else None
    return host, found


def is_capture(path: str) -> bool:
    """Whether a logdir's file is one, as far as its name, or else its first bytes, say."""
    try:
        now = now_of(path)
    except OSError:
        return bool(parse_name(os.path.basename(path)))
    return bool(identify_capture(path, now.st_mtime_ns, now.st_size))


@lru_cache(_MAX_FILES)
def is_by_bytes(path: str, format: Format, modified_ns: int, size_bytes: int) -> bool:
    """Whether a file's first bytes are of a format. Looked at once, as long as the file stays as it is."""
    name = os.path.basename(path).removesuffix(".gz")
    head = _head(path, SHARED_BYTES)
    return format.declaration.recognises(name, head[:HEAD_BYTES]) or format.declaration.is_its(head)


@lru_cache(_MAX_FILES)
def _by_bytes(path: str, formats: tuple[Format, ...], modified_ns: int, size_bytes: int) -> Format | None:
    """Looked at once, as long as the file stays as it is."""
    most = SHARED_BYTES if any(format.declaration.recognises_head for format in formats) else HEAD_BYTES
    head = _head(path, most)
    return next((format for format in formats if format.declaration.is_its(head)), None)


def _head(path: str, most: int) -> bytes:
    """A file's first bytes, unpacked; none where they cannot be read."""
    with contextlib.suppress(OSError, zlib.error):
        head = first_bytes(path, most)
        return zlib.decompressobj(wbits=31).decompress(head, most) if head.startswith(_GZIP) else head
    return b""
