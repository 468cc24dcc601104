"""Formats are declared once: who needs to know of one reads its declaration."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.doctor import diagnose
from tensorboard_perfplugin.formats import READ, Capabilities, Format, Vocabulary, report_of, sniff
from tensorboard_perfplugin.formats.recognise import is_pprof, trace_events
from tests.build_capture import chunk, number

PACKAGE = Path(tensorboard_perfplugin.__file__).parent

#: All that is edited, and all that is new, for a format of one event a line.
LINE = '    LINES = "lines", Declaration("lines", by_name_alone, rank=9, suffixes=(".lines",), given=".lines")\n'
READER = """
from ...formats import Format
from ...tables import PlaneKind, TrackKind
from ..common.build import Builder


def read(source, decoder=None):
    builder = Builder()
    track = builder.track(builder.plane("/host:CPU", PlaneKind.CPU), 1, "main", TrackKind.THREAD)
    for i, name in enumerate(bytes(source.data).decode().split()):
        track.event(name, i * 1000, 1000)
    return builder.capture(Format.LINES, "", None, ())
"""
ASK = """
import sys
from tensorboard_perfplugin import decode, logdir
from tensorboard_perfplugin.formats import Format
capture = decode.read(sys.argv[1])
capture.check()
print(logdir.parse_name("vm.lines.gz"), [file.format for run in logdir.runs_at(sys.argv[1]) for file in run.files])
print(capture.format, capture.capabilities.has_timeline, [capture.event_name(i) for i in range(len(capture.events))])
print(Format.LINES.call_it, [kind.suffix for kind in logdir.FORMATS if kind.name == Format.LINES])
"""


def test_a_new_format_is_a_line_and_its_reader(tmp_path: Path) -> None:
    package = tmp_path / "tensorboard_perfplugin"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("static", "__pycache__"))
    declared = package / "formats" / "declared.py"
    before = '    XPLANE = "xplane", _XPLANE\n'
    text = declared.read_text().replace(before, LINE.replace("by_name", "recognise.by_name") + before)
    declared.write_text(text)
    (package / "decode" / "lines").mkdir()
    (package / "decode" / "lines" / "__init__.py").write_text(READER)
    (tmp_path / "vm.lines").write_text("load\ntrain\n")
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(tmp_path / "vm.lines")], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout.splitlines(), done.stderr) == (
        [
            "('vm', <Format.LINES: 'lines'>) [<Format.LINES: 'lines'>]",
            "lines True ['load', 'train']",
            ".lines ['.lines']",
        ],
        "",
    )


def test_a_format_is_its_name() -> None:
    assert (json.dumps(Format.PPROF), f"{Format.PPROF}", str(Format.PPROF)) == ('"pprof"', "pprof", "pprof")
    assert pickle.loads(pickle.dumps(Format.KINETO)) is Format.KINETO
    assert Format("kineto") in {"kineto"}


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        (Format.XPLANE, Capabilities(Vocabulary.TENSORFLOW)),
        (Format.TSL_TRACE, Capabilities(Vocabulary.TENSORFLOW)),
        (Format.KINETO, Capabilities(Vocabulary.PYTORCH, has_operators=True, last_step_is_whole=True)),
        (Format.TRACE_EVENTS, Capabilities(Vocabulary.ANY, framework_names=False)),
        (Format.SPEEDSCOPE, Capabilities(Vocabulary.ANY, framework_names=False)),
        (Format.TF1_TIMELINE, Capabilities(Vocabulary.TF1_TIMELINE, steps_are_apart=True)),
        (Format.RUN_METADATA, Capabilities(Vocabulary.RUN_METADATA, steps_are_apart=True)),
        (Format.TRACE_PROTO, Capabilities(Vocabulary.TRACE_PROTO)),
        (Format.TOOL_FILES, Capabilities(Vocabulary.TOOL_FILES, has_timeline=False, sums_only=True)),
        (Format.PPROF, Capabilities(has_timeline=False, is_moment=True)),
        (
            Format.PYTHON_STATS,
            Capabilities(Vocabulary.ANY, has_timeline=False, framework_names=False, functions_only=True),
        ),
    ],
)
def test_what_captures_of_a_format_can_tell(format: Format, expected: Capabilities) -> None:
    assert format.capabilities == expected


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("h.xplane.pb", b"", "xplane"),
        ("download", b"\x0a\x10\x12\x09/host:CPU", "xplane"),
        ("h.overview_page.json", b"{}", "tool_files"),
        ("a.trace", b"\n\x0e\x08\x01\x12\x0a\n\x08/job:a/b", "trace_proto"),
        ("a.trace", b"any text", None),
        ("memory.prof", b"", "pprof"),
        ("memory.prof", b"\xfb\xa9\x03\xfa\x01~\xe9", "python_stats"),
        ("rank_0.cprofile", b"{(\x03\0\0\0t\x04\0\0\0a.py", "python_stats"),
        ("rank_0.cprofile", b"", None),
        ("x", b'{"a": 1}', None),
        ("x.json", b'{"$schema": "https://www.speedscope.app/file-format-schema.json"', "speedscope"),
        ("x.json", b'{"exporter":"speedscope@1.15.0","name":"a","profiles":[{"type":"evented"', "speedscope"),
        ("RunMetadata.pb", b"", "run_metadata"),
        ("x", '[{"ph": "X", "ts": 1}]'.encode("utf-16"), "trace_events"),
        ("x.json", b'{"a": 1}', None),
        ("timeline.json", b'{"a": 1}', "trace_events"),
        ("timeline.json", b"<html>", None),
    ],
)
def test_the_first_that_recognises_a_file_reads_it(name: str, head: bytes, expected: str | None) -> None:
    assert next((format for format in READ if format.declaration.looks_like(name, head)), None) == expected


def test_of_several_files_of_a_host_which_is_read() -> None:
    ranks = {format: format.declaration.rank for format in READ}
    assert sorted(ranks, key=ranks.__getitem__) == [
        "xplane",
        "trace_events",
        "perfetto",
        "tool_files",
        "pprof",
        "run_metadata",
        "trace_proto",
        "nsys",
        "speedscope",
        "collapsed_stacks",
        "python_stats",
        "memory_snapshot",
    ]
    assert len(set(ranks.values())) == len(ranks)


@pytest.mark.parametrize("field", [*range(1, 17), 22, 32])
def test_the_fields_of_a_profile(field: int) -> None:
    """Those of profile.proto as it writes them, whatever their order; 7 to 10, 12, 14 and 15 are numbers."""
    first = chunk(1, number(1, 1) + number(2, 2))
    as_number, as_bytes = number(field, 5), chunk(field, number(1, 1))
    assert is_pprof(first * 2 + as_number) == (field in (7, 8, 9, 10, 12, 13, 14, 15))
    assert is_pprof(first * 2 + as_bytes) == (field in (1, 2, 3, 4, 5, 6, 11, 13, 16))


def test_a_profile_of_go() -> None:
    """Its heap profiles begin with the type and length of the period, the types of samples follow."""
    kind = number(1, 1) + number(2, 2)
    assert is_pprof(chunk(11, kind) + number(12, 512 << 10) + chunk(1, kind) + chunk(1, kind))
    assert not is_pprof(chunk(11, b"text") + chunk(1, kind))
    assert not is_pprof(number(12, 512 << 10) * 3)


@pytest.mark.parametrize(("first_bytes", "is_known"), [(4096, True), (4095, False)])
def test_a_profile_whose_head_ends_in_a_field(first_bytes: int, is_known: bool) -> None:
    whole = chunk(1, number(1, 1) + number(2, 2)) * 2
    head = whole + chunk(6, b"x" * (first_bytes - len(whole) - 4)) + b"\x32"
    assert len(head) == first_bytes
    assert is_pprof(head) == is_known


@pytest.mark.parametrize(
    ("head", "phrase"),
    [
        (b"[[-1, 0, 512, 3], [1700", "a memory timeline of PyTorch"),
        (b"[[0, 100, 250], [[0, 0, 0, 0, 0, 0, 0, 0], [0, 512", "a memory timeline of PyTorch"),
        (b"[[1, 2], [3, 4], [5, 6]]", "JSON"),
        (b"[[1700000000123, 1700000000124, 1700000000125, 1700000000126, 17", "a memory timeline of PyTorch"),
        (b"[[1700000000123456, 1700000000123457], [[0, 512, 0], [0, 0, 0]]]", "a memory timeline of PyTorch"),
        (b"[[1700000000123456, 1700000000123457], [1, 2]]", "JSON"),
        (b"[[1, 5, 7, 9], [[0, 512]]]", "JSON"),
        (
            b"<html>\n<body>\n  <img src='data:image/png;base64, iVBOR",
            "a picture in HTML, such as a memory timeline of PyTorch",
        ),
        (b"<html>\n<body><img src='a.png'>", "an HTML page"),
    ],
)
def test_memory_timelines_are_named(head: bytes, phrase: str) -> None:
    assert sniff(head, "a.json") == phrase


def test_a_list_of_lists_is_no_trace_whatever_its_name() -> None:
    assert not trace_events("memory_timeline.json", b"[[0, 100], [[0, 0, 512], [0, 512, 512]]]")
    assert trace_events("timeline.json", b"[")
    assert trace_events("timeline.json", b'[{"name": "a"')


@pytest.mark.parametrize(
    ("head", "phrase"),
    [
        (
            b'[{"id":1,"model_name":"a","model_version":1},{"id":1,',
            "a trace of Triton Inference Server",
        ),
        (b'[{"id":1,"timestamps":[{"name":"REQUEST_START","ns":1000}]}]', "a trace of Triton Inference Server"),
        (b'{"rocprofiler-sdk-tool": [{"metadata": {"pid": 1', "JSON of rocprofv3"),
        (b'{"version": "2.10", "pg_config": {"0": {', "a dump of PyTorch's NCCL flight recorder"),
        (
            pickle.dumps({"version": "2.4", "entries": [{"profiling_name": "nccl:all_reduce"}]}),
            "a dump of PyTorch's NCCL flight recorder",
        ),
        (pickle.dumps({"version": "2.4", "entries": []}), "a Python pickle"),
        (b'[{"id":1,"name":"a"}]', "JSON"),
    ],
)
def test_files_of_other_tools_are_named_with_what_to_do(head: bytes, phrase: str, tmp_path: Path) -> None:
    """They were called JSON, or a pickle, and the advice was to give a logdir."""
    assert sniff(head) == phrase
    is_other = phrase not in ("JSON", "a Python pickle")
    assert (report_of(head, "a") is not None) is is_other
    (tmp_path / "1234_results").write_bytes(head)
    (finding,) = diagnose(str(tmp_path))
    assert (finding.code == "report_in_folder") is is_other


@pytest.mark.parametrize(
    ("head", "phrase"),
    [
        (b'{"session": {"start_time": 1700000000.1, "duration": 2.5', "a session of pyinstrument"),
        (b"MOJ\3", "binary samples of austin"),
        (b"python;main;step 12\npython;main;load (a.py:3) 7\n", "collapsed stacks"),
        (b"alone 3\npython;main 7\n", "collapsed stacks"),
        (b"a;b\nc;d 7\n", "text"),
        (b"# austin: 3.6.0\n# interval: 100\nP42;T0x7f;a.py:f:3 1000\n", "samples of austin"),
        (
            b"python 4711 1234.567890:     250000 cpu-clock:pppH: \n\t    7f0a1b2c3d4e _PyEval_EvalFrameDefault+0x1\n",
            "samples that `perf script` printed",
        ),
        (b"epoch 1: 12.500000: loss 3\n", "text"),
    ],
)
def test_profiles_of_other_samplers_are_named(head: bytes, phrase: str) -> None:
    assert sniff(head, "a.txt") == phrase
