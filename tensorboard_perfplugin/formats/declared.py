"""Every format that opens, declared once: names, how bytes are recognised, reader, what a capture can show, words.

A new format is a line here and a package `decode.<reader>` with `read(source, decoder) -> Capture`."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable

import msgspec

from ..patterns import regex
from . import recognise
from .capabilities import Capabilities, Vocabulary
from .recognise import Recognises

# Names and first bytes of PyTorch's memory snapshots.

#: A key of a snapshot, soon after the begin of its pickle or JSON; segments of many blocks come before all else.
_KEY = regex(rb"(?:segments|device_traces|allocator_settings|total_size|segment_type|active_size)")
_PICKLE = regex(rb"\x80[\x00-\x05](?:\x95.{8})?[\]}(]", re.DOTALL)
_JSON = regex(rb'\s*\{\s*"(?:segments|device_traces)"\s*:\s*\[')
_HTML = regex(rb'"base64"\s*:\s*"')


def memory_snapshot(name: str, head: bytes) -> bool:
    """Whether a file that begins so holds one. Of pickles those called so are none's but torch's here."""
    if _PICKLE.match(head):
        return name.endswith((".pickle", ".pkl")) or bool(_KEY.search(head))
    if _JSON.match(head):
        return True
    return b"MemoryViz.js" in head[:4096] and bool(_HTML.search(head[:4096]))


class Shown(msgspec.Struct, frozen=True):
    """A row of the documentation's table of formats: what it is called, what writes it, and under which names."""

    title: str
    written_by: str
    names: str


#: TensorFlow's and JAX's, with a timeline.
_PLAIN = Capabilities()


class Declaration(msgspec.Struct, frozen=True):
    """What a format declares about itself.

    reader: the package of `decode` that reads it; empty for a dialect, which is recognised inside of another format.
    recognises: whether a file of another name (without `.gz`) that begins so may be one; of all files where not
    named_is_enough. rank: of several files of a host the one of the lowest is read. suffixes: how names end,
    behind the host, the richest first. names: whole names, without a host. given: a suffix that is enough where a file
    is given by its path, or several with spaces between. call_it: how to end the name of
    a file that is called otherwise. shared: endings that other programs, or formats, use: of such a file in a folder
    the first bytes decide, by recognises_head, or, where that is None, by recognises without a name. shown: rows of the
    documentation.
    """

    reader: str = ""
    recognises: Recognises = recognise.by_name_alone
    named_is_enough: bool = True
    rank: int = 0
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    given: str = ""
    call_it: str = ""
    shared: tuple[str, ...] = ()
    recognises_head: Callable[[bytes], bool] | None = None
    capabilities: Capabilities = _PLAIN
    shown: tuple[Shown, ...] = ()

    def looks_like(self, name: str, head: bytes) -> bool:
        """Whether a file of that name, without `.gz`, that begins so may be one."""
        is_named = self.named_is_enough and (name.endswith(self.suffixes) or name in self.names)
        return is_named or self.recognises(name, head)

    def is_its(self, head: bytes) -> bool:
        """Whether a file whose name does not tell is one, by its first `SHARED_BYTES`."""
        return self.recognises_head(head) if self.recognises_head else self.recognises("", head[: recognise.HEAD_BYTES])

    def is_own_name(self, name: str) -> bool:
        """Whether a name, without `.gz`, that is the format's is no other format's."""
        own = tuple(suffix for suffix in self.suffixes if suffix not in self.shared)
        return name in self.names or name.endswith(own)


_XPLANE = Declaration(
    reader="xplane",
    recognises=recognise.xplane,
    rank=0,
    suffixes=(".xplane.pb",),
    shown=(Shown("XPlane", "TensorFlow 2.2 and later, JAX, PyTorch/XLA", "`<host>.xplane.pb`"),),
)
# What ran and when goes before sums: sums can be made of it, but it cannot be made of sums.
_TRACE_EVENTS = Declaration(
    reader="trace_events",
    recognises=recognise.trace_events,
    named_is_enough=False,
    rank=1,
    suffixes=(".pt.trace.json", ".trace.json"),
    names=("timeline.json", "trace_view.json"),
    given=".json",
    call_it=".trace.json",
    capabilities=Capabilities(Vocabulary.ANY, framework_names=False),
    shown=(
        Shown(
            "trace events",
            "Chrome, Perfetto's exporters, Horovod, any program",
            "`<anything>.trace.json`; SageMaker's `<time>_<process>_model_timeline.json`",
        ),
    ),
)
_PERFETTO = Declaration(
    reader="perfetto",
    recognises=recognise.perfetto,
    rank=2,
    suffixes=(".pftrace", ".perfetto-trace", ".perfetto"),
    capabilities=Capabilities(Vocabulary.ANY, framework_names=False),
    shown=(
        Shown(
            "Perfetto",
            'PyTorch (`export_chrome_trace("x.pftrace")`), rocprof-sys, Chrome, Android, any program',
            "`<anything>.pftrace`, `.perfetto-trace`, `.perfetto`",
        ),
    ),
)
_KINETO = Declaration(
    call_it=".pt.trace.json",
    capabilities=Capabilities(Vocabulary.PYTORCH, has_operators=True, last_step_is_whole=True),
    shown=(
        Shown(
            "Kineto",
            "PyTorch's profiler",
            "`<worker>.<time>.pt.trace.json`, `<anything>.pt.trace.json`; SGLang's `<time>-TP-<n>….trace.json`; "
            "`libkineto_activities_<pid>.json`",
        ),
        Shown(
            "autograd profiler",
            "PyTorch's `torch.autograd.profiler`, `export_chrome_trace`",
            "`<anything>.trace.json`",
        ),
        Shown(
            "Ascend",
            "PyTorch's profiler on Ascend NPUs (torch_npu)",
            "`<worker>_<time>_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json`",
        ),
    ),
)
_TSL_TRACE = Declaration(
    call_it=".trace.json",
    shown=(Shown("trace of XPlane", "TensorFlow 2.2 to 2.4, JAX", "`<host>.trace.json`"),),
)
_TF1_TIMELINE = Declaration(
    call_it=".trace.json",
    capabilities=Capabilities(Vocabulary.TF1_TIMELINE, steps_are_apart=True),
    shown=(
        Shown(
            "Timeline",
            "TensorFlow 1, `generate_chrome_trace_format()`",
            "`timeline.json`, `timeline-<step>.json` (`ProfilerHook`), `tf_trace-<step>.json` (Slim), "
            "`<anything>.trace.json`",
        ),
    ),
)
_TOOL_FILE_SUFFIXES = (
    ".overview_page.pb",
    ".overview_page.json",
    ".input_pipeline.pb",
    ".input_pipeline.json",
    ".kernel_stats.pb",
    ".memory_profile.json",
)
_TOOL_FILES = Declaration(
    reader="tool_files",
    rank=3,
    suffixes=_TOOL_FILE_SUFFIXES,
    capabilities=Capabilities(Vocabulary.TOOL_FILES, has_timeline=False, sums_only=True),
    shown=(
        Shown(
            "tool files",
            "TensorFlow 2.1 to 2.4",
            "`<host>.overview_page.pb`, `.input_pipeline.pb` (or `.json`), `.kernel_stats.pb`, `.memory_profile.json`",
        ),
    ),
)
# A `.prof` may be a pprof profile, too: of these names only the bytes count.
_PYTHON_STATS = Declaration(
    reader="python_stats",
    recognises=recognise.python_stats,
    named_is_enough=False,
    rank=10,
    suffixes=(".cprofile", ".pstats", ".prof"),
    names=("python_stats",),
    call_it=".cprofile",
    shared=(".prof",),
    capabilities=Capabilities(Vocabulary.ANY, has_timeline=False, framework_names=False, functions_only=True),
    shown=(
        Shown(
            "cProfile, pstats",
            "Python's cProfile and profile, yappi's pstat export, perfplugin on plain Python",
            "`<anything>.prof`, `.cprofile`, `.pstats`; SageMaker's `python_stats`",
        ),
    ),
)
# Of `.json` only the first bytes say whose it is.
_SPEEDSCOPE = Declaration(
    reader="speedscope",
    recognises=recognise.speedscope,
    named_is_enough=False,
    rank=8,
    suffixes=(".speedscope.json", ".speedscope"),
    capabilities=Capabilities(Vocabulary.ANY, framework_names=False),
    shown=(
        Shown(
            "speedscope",
            "py-spy (`record -f speedscope`), pyinstrument (`-r speedscope`), `austin2speedscope`",
            "`<anything>.speedscope.json`, `.speedscope`",
        ),
    ),
)
# Of these files, too, only the first bytes say whose they are; each is a dialect of what one reader takes.
_CALL_STACKS = Capabilities(Vocabulary.ANY, framework_names=False)
_COLLAPSED = Declaration(
    reader="call_stacks",
    recognises=recognise.call_stacks,
    named_is_enough=False,
    rank=9,
    call_it=".collapsed",
    suffixes=(".collapsed", ".folded", ".perf", ".austin", ".pyisession", ".pyinstrument.json"),
    shared=(".collapsed", ".folded", ".perf", ".austin"),
    capabilities=_CALL_STACKS,
    shown=(
        Shown(
            "collapsed stacks",
            "py-spy (`record -f raw`), async-profiler (`-o collapsed`), FlameGraph's `stackcollapse-*.pl`",
            "`<anything>.collapsed`, `.folded`",
        ),
    ),
)
_PERF_SCRIPT = Declaration(
    call_it=".perf",
    capabilities=_CALL_STACKS,
    shown=(Shown("perf script", "Linux perf: `perf record -g`, then `perf script > x.perf`", "`<anything>.perf`"),),
)
_AUSTIN = Declaration(
    call_it=".austin",
    capabilities=_CALL_STACKS,
    shown=(Shown("austin", "austin 3 (`-o x.austin`), `mojo2austin`", "`<anything>.austin`"),),
)
_PYINSTRUMENT = Declaration(
    call_it=".pyinstrument.json",
    capabilities=_CALL_STACKS,
    shown=(
        Shown(
            "pyinstrument",
            "pyinstrument (`-r json`, `-r session`, `session.save()`)",
            "`<anything>.pyisession`, `.pyinstrument.json`",
        ),
    ),
)
# As JAX's documents, and Go's and C++ tools, name them. Any other `.prof` is one where its bytes are.
_PPROF = Declaration(
    reader="pprof",
    recognises=recognise.pprof,
    rank=4,
    suffixes=(".memory.prof", ".device_memory_profile.pb", ".memory_profile.pb", ".pprof"),
    names=("memory.prof", "memory_profile.pb", "device_memory_profile.pb"),
    given=".prof",
    shared=(".prof",),
    capabilities=Capabilities(has_timeline=False, is_moment=True),
    shown=(
        Shown(
            "pprof",
            "JAX device memory, Go, C++",
            "`memory.prof`, `*.pprof` and [others](device_memory_profiles.md)",
        ),
    ),
)
_RUN_METADATA = Declaration(
    reader="step_stats",
    recognises=recognise.run_metadata,
    rank=5,
    suffixes=(".run_metadata.pb",),
    names=("run_metadata.pb", "step_stats.pb"),
    capabilities=Capabilities(Vocabulary.RUN_METADATA, steps_are_apart=True),
    shown=(
        Shown(
            "run metadata",
            "TensorFlow 1, `RunMetadata` or `StepStats`",
            "`run_metadata.pb`, `step_stats.pb`, `<anything>.run_metadata.pb`; `events.out.tfevents.…`",
        ),
    ),
)
_TRACE_PROTO = Declaration(
    reader="trace_proto",
    recognises=recognise.trace_proto,
    named_is_enough=False,
    rank=6,
    names=("local.trace",),
    given=".trace",
    capabilities=Capabilities(Vocabulary.TRACE_PROTO),
    shown=(Shown("binary trace", "TensorFlow 2.0 and 2.1", "`local.trace`"),),
)
_RANGES = Capabilities(Vocabulary.NVTX, framework_names=False, has_ranges=True)
# Databases of others have the same endings: of files in a folder those count that begin as one of a profiler.
_NSYS = Declaration(
    reader="databases",
    recognises=recognise.database,
    named_is_enough=False,
    rank=7,
    suffixes=(".sqlite", ".nvprof", ".nvvp", ".sql", "_results.db"),
    given=".db",
    shared=(".sqlite", ".nvprof", ".nvvp", ".sql", ".db", "_results.db"),
    recognises_head=recognise.profilers_database,
    capabilities=_RANGES,
    shown=(
        Shown("Nsight Systems", "`nsys export --type sqlite`", "`<anything>.sqlite`"),
        Shown("nvprof", "`nvprof -o`, apex's pyprof", "`<anything>.nvprof`, `.nvvp`, `.sql`, `.sqlite`"),
        Shown("rocpd", "ROCm's `rocprofv3 --output-format rocpd`, rocprof-sys", "`<anything>_results.db`"),
    ),
)
_NVPROF = Declaration(call_it=".nvprof", capabilities=_RANGES)
_ROCPD = Declaration(
    call_it="_results.db", capabilities=Capabilities(Vocabulary.ROCTX, framework_names=False, has_ranges=True)
)
_EMIT_NVTX = Declaration(
    call_it=".sqlite", capabilities=Capabilities(Vocabulary.EMIT_NVTX, has_operators=True, has_ranges=True)
)
# As PyTorch's documents name them, and as Megatron, torchtitan and TorchTune do: `rank0_memory_snapshot.pickle`. No
# other `*.pickle`, which may be anything; `model_snapshot.pickle` and `0.pickle` may be, too.
_MEMORY_SNAPSHOT = Declaration(
    reader="memory_snapshot",
    recognises=memory_snapshot,
    named_is_enough=False,
    rank=11,
    suffixes=(
        "_memory_snapshot.pickle",
        ".memory_snapshot.pickle",
        ".snapshot.pickle",
        "_snapshot.pickle",
        "-snapshot.pickle",
        ".memory_snapshot.json",
        ".memory_snapshot.html",
    ),
    names=("snapshot.pickle", "dump_snapshot.pickle", "memory_snapshot.pickle"),
    given=".pickle .pkl .html",
    shared=(".pickle", ".snapshot.pickle", "_snapshot.pickle", "-snapshot.pickle"),
    call_it=".snapshot.pickle",
    capabilities=Capabilities(Vocabulary.PYTORCH, is_aside=True),
    shown=(
        Shown(
            "memory snapshot",
            "PyTorch, `torch.cuda.memory._dump_snapshot()`",
            "`snapshot.pickle`, `<rank>.pickle`, `<rank>_memory_snapshot.pickle` and [others](memory_snapshots.md)",
        ),
    ),
)


#: `Format(name)` finds a member by its name.
_BY_NAME = Declaration()


class Format(str, enum.Enum):
    """The formats, in the order in which they are asked: the first that recognises a file reads it."""

    declaration: Declaration

    def __new__(cls, name: str, declaration: Declaration = _BY_NAME) -> Format:
        member = str.__new__(cls, name)
        member._value_ = name
        member.declaration = declaration
        return member

    def __str__(self) -> str:
        return str(self._value_)

    @property
    def capabilities(self) -> Capabilities:
        return self.declaration.capabilities

    @property
    def call_it(self) -> str:
        """How the name of such a file should end; empty where it has one name alone."""
        return self.declaration.call_it or next(iter(self.declaration.suffixes), "")

    XPLANE = "xplane", _XPLANE
    TOOL_FILES = "tool_files", _TOOL_FILES
    TRACE_PROTO = "trace_proto", _TRACE_PROTO
    PYTHON_STATS = "python_stats", _PYTHON_STATS
    PPROF = "pprof", _PPROF
    RUN_METADATA = "run_metadata", _RUN_METADATA
    MEMORY_SNAPSHOT = "memory_snapshot", _MEMORY_SNAPSHOT
    SPEEDSCOPE = "speedscope", _SPEEDSCOPE
    TRACE_EVENTS = "trace_events", _TRACE_EVENTS
    PERFETTO = "perfetto", _PERFETTO
    # Dialects of trace events.
    KINETO = "kineto", _KINETO
    TSL_TRACE = "tsl_trace", _TSL_TRACE
    TF1_TIMELINE = "tf1_timeline", _TF1_TIMELINE
    COLLAPSED = "collapsed_stacks", _COLLAPSED
    # Others that are read as call stacks are.
    PERF_SCRIPT = "perf_script", _PERF_SCRIPT
    AUSTIN = "austin", _AUSTIN
    PYINSTRUMENT = "pyinstrument", _PYINSTRUMENT
    NSYS = "nsys", _NSYS
    # Others that are read as databases: nvprof's, and either's where PyTorch wrote its operators into it.
    NVPROF = "nvprof", _NVPROF
    ROCPD = "rocpd", _ROCPD
    EMIT_NVTX = "emit_nvtx", _EMIT_NVTX


#: Formats that have readers of their own, in the order in which they are asked.
READ = tuple(format for format in Format if format.declaration.reader)

#: Formats of call stacks that one reader takes, by what tells them apart.
STACK_FORMS = {
    Format.PYINSTRUMENT: recognise.pyinstrument,
    Format.AUSTIN: recognise.austin,
    Format.PERF_SCRIPT: recognise.perf_script,
    Format.COLLAPSED: recognise.collapsed,
}
