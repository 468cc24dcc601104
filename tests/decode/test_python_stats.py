"""Dumps of pstats: the numbers of pstats itself, all versions of marshal, and what is damaged or hostile."""

from __future__ import annotations

import cProfile
import gzip
import marshal
import profile
import pstats
import struct
import time
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import python_stats
from tensorboard_perfplugin.decode.python_stats import read_dump
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tests.build_python_stats import Stats
from tests.conftest import SHARED_CAPTURES

REAL = sorted(path for path in SHARED_CAPTURES.glob("cprofile/**/*") if path.is_file())
MANGLED = sorted(SHARED_CAPTURES.glob("corrupt/talk-profiling-pstats/*"))
NOTE = message("python_profile_note")
#: How pstats prints a function.
std_string: Any = vars(pstats)["func_std_string"]


def rows(capture: Capture) -> tuple[dict[str, Any], dict[tuple[str, str], Any]]:
    """By function its numbers; by caller and function those of these calls: calls, primitive, own and cumulative ps."""
    table, functions, edges = capture.aggregates, {}, {}
    names = capture.strings.texts(table.name)
    for row, name in enumerate(names):
        facts = dict(capture.values(int(table.stats_begin[row]), int(table.stats_end[row])))
        sums = (
            int(table.occurrences[row]),
            facts["primitive_calls"],
            facts["self_ps"],
            int(table.duration_ps[row]),
        )
        if "function" in facts:
            functions[name] = (facts["file"], facts["line"], facts["function"], *sums)
        else:
            caller, called = facts["caller_row"], facts["called_row"]
            assert isinstance(caller, int)
            assert isinstance(called, int)
            assert names[called] == name
            edges[names[caller], name] = sums
    return functions, edges


def expected(stats: dict[Any, Any]) -> tuple[dict[str, Any], dict[tuple[str, str], Any]]:
    """The same by pstats."""
    functions, edges = {}, {}
    for key, (primitive, calls, own, cumulative, callers) in stats.items():
        name = std_string(key)
        functions[name] = (*key, calls, primitive, round(own * 1e12), round(cumulative * 1e12))
        for caller, value in callers.items():
            sums = (*value[:2], *(round(s * 1e12) for s in value[2:])) if isinstance(value, tuple) else None
            edges[std_string(caller), name] = sums or (value, None, None, 0)
    return functions, edges


def recursive(n: int) -> int:
    return n and sorted([n, 1])[0] + recursive(n - 1)


def work() -> None:
    for _ in range(3):
        recursive(5)
    time.sleep(0.001)


def recorded(tmp_path: Path, kind: Any) -> Path:
    made, path = kind(), tmp_path / "rank_0.prof"
    made.runcall(work)
    made.dump_stats(str(path))
    return path


@pytest.mark.parametrize("kind", [cProfile.Profile, profile.Profile], ids=["cProfile", "profile"])
def test_what_profilers_dump_has_the_numbers_of_pstats(kind: Any, tmp_path: Path) -> None:
    path = recorded(tmp_path, kind)
    capture = decode.read(str(path))
    capture.check()
    stats: Any = pstats.Stats(str(path))
    assert rows(capture) == expected(stats.stats)
    assert (capture.format, capture.quality.dropped, capture.quality.warnings) == (Format.PYTHON_STATS, {}, (NOTE,))
    assert capture.capabilities.functions_only


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.parent.name)
def test_real_dumps(path: Path) -> None:
    capture = decode.read(str(path))
    capture.check()
    stats: Any = pstats.Stats(str(path))
    assert rows(capture) == expected(stats.stats)


@pytest.mark.parametrize("path", MANGLED, ids=lambda path: path.name)
def test_what_a_text_filter_changed_is_refused(path: Path) -> None:
    with pytest.raises(UnreadableError, match="damaged from byte 63 on"):
        decode.read(str(path))


def made() -> Stats:
    stats = Stats().function("a.py:1(main)", 0.5, 2.0).function("lib/ü.py:7(<listcomp>)", 0.25, calls=1 << 40)
    stats.function("<built-in method time.sleep>", 1.25, callers={"a.py:1(main)": (3, 2, 1.25, 1.25)}, calls=3)
    return stats.function("a.py:9(g)", 1e-9, -1e-9, callers={"a.py:1(main)": 4, "a.py:9(g)": (1, 0, 0, 0.5)})


@pytest.mark.parametrize("version", range(5))
def test_all_versions_of_marshal(version: int) -> None:
    capture = decode.read_bytes(made().bytes(version), "h.pstats")
    capture.check()
    assert rows(capture) == expected(made().stats)


def test_as_python_2_writes_it() -> None:
    """Texts are bytes, kept once in a list of their own."""

    def text(value: bytes) -> bytes:
        return b"t" + struct.pack("<i", len(value)) + value

    number = b"i\x01\0\0\0" * 2 + b"f\x030.5" + b"g" + struct.pack("<d", 0.5)
    first = b"(\x03\0\0\0" + text(b"a.py") + b"i\x01\0\0\0" + text(b"f")
    again = b"(\x03\0\0\0R\0\0\0\0i\x02\0\0\0" + text(b"g")
    callers = again + b"(\x04\0\0\0" + b"i\x01\0\0\0" * 2 + b"f\x030.5" * 2
    data = b"{" + first + b"(\x05\0\0\0" + number + b"{" + callers + b"0" + again + b"(\x05\0\0\0" + number + b"{00"
    functions, edges = rows(decode.read_bytes(data, "h.prof"))
    assert functions == {
        "a.py:1(f)": ("a.py", 1, "f", 1, 1, 5 * 10**11, 5 * 10**11),
        "a.py:2(g)": ("a.py", 2, "g", 1, 1, 5 * 10**11, 5 * 10**11),
    }
    assert edges == {("a.py:2(g)", "a.py:1(f)"): (1, 1, 5 * 10**11, 5 * 10**11)}


def test_packed_and_empty(tmp_path: Path) -> None:
    assert len(decode.read_bytes(gzip.compress(made().bytes()), "h.prof.gz").aggregates) == 7
    empty = decode.read_bytes(marshal.dumps({}), "h.cprofile")
    empty.check()
    assert (len(empty.aggregates), empty.quality.events_in_file) == (0, 0)


def test_cut_off_anywhere() -> None:
    data, kept = made().bytes(), 0
    for size in range(len(data)):
        try:
            capture = decode.read_bytes(data[:size], "h.cprofile")
        except UnreadableError:
            assert not kept
            continue
        capture.check()
        kept = max(kept, len(capture.aggregates))
        [_, warning] = capture.quality.warnings
        assert warning.code == "python_profile_damaged"
        at = warning.params["at"]
        assert isinstance(at, int)
        assert size - 32 < at <= size
    assert kept == 7


def test_what_cannot_be_is_left_out_and_counted() -> None:
    stats = made()
    stats.function("x.py:1(endless)", float("inf")).function("x.py:2(none)", float("nan"))
    stats.function("x.py:3(long)", 1e9).function("x.py:4(many)", 1.0, calls=1 << 53)
    stats.function(
        "x.py:5(f)", 1.0, callers={"gone.py:1(g)": (1, 1, 1.0, 1.0), "a.py:1(main)": (1, 1, float("nan"), 1)}
    )
    capture = stats.capture()
    assert capture.quality.dropped == {"impossible_sum": 5, "caller_without_function": 1}
    functions, _ = rows(capture)
    assert [name for name in functions if name.startswith("x.py")] == ["x.py:5(f)"]


@pytest.mark.parametrize(
    "data",
    [
        marshal.dumps({("a", 1, "f"): (1, 1, 1.0, 1.0)}),
        marshal.dumps({("a", 1, 2): (1, 1, 1.0, 1.0, {})}),
        marshal.dumps({("a", 1, "f"): ("1", 1, 1.0, 1.0, {})}),
        marshal.dumps({("a", 1 << 80, "f"): (1, 1, 1.0, 1.0, {})}),
        marshal.dumps({("a", 1, "f"): (1, 1, 1j, 1.0, {})}),
        marshal.dumps({("a", 1, "f"): compile("1", "", "eval")}),
        b"\xfb\xa9\x03r\0\0\0\0",
        b"\xfb\xa9\x03z\xffa",
        b"{(\x03\0\0\0f\x01x",
        b"{(\x03\0\0\0u\xff\xff\xff\x7f",
    ],
)
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableError):
        decode.read_bytes(data, "h.cprofile")


def test_the_function_before_the_damage_is_read() -> None:
    data = marshal.dumps({("a", 1, "f"): (1, 1, 1.0, 1.0, [])})
    capture = decode.read_bytes(data, "h.cprofile")
    assert [*rows(capture)[0]] == ["a:1(f)"]
    assert capture.quality.warnings == (NOTE, message("python_profile_damaged", at=len(data) - 5))


@pytest.mark.parametrize(
    ("sums", "odd"),
    [
        ((1, 1, 0.5, 4_600_000.0), 0),
        ((1, 1, 0.5, 4_600_001.0), 1),
        ((1, 1, -1e-4, 0.5), 0),
        ((1, 1, -3.0, 0.5), 1),
        ((1, (1 << 52) - 1, 0.5, 0.5), 0),
        ((1, 1 << 52, 0.5, 0.5), 1),
    ],
)
def test_sums_that_no_program_has(sums: tuple[Any, ...], odd: int) -> None:
    dump = read_dump(marshal.dumps({("a", 1, "f"): (*sums, {("b", 1, "g"): 1})}))
    assert (dump.odd, len(dump.keys)) == (odd, 1 - odd)


@pytest.mark.parametrize(("calls", "cut"), [((1 << 75) - 1, False), (1 << 75, True)])
def test_numbers_of_calls_have_five_digits(calls: int, cut: bool) -> None:
    """Of 15 bits each, as marshal writes them. One of five is none that a program has, and the file goes on."""
    dump = read_dump(marshal.dumps({("a", 1, "f"): (1, 1, 1.0, 1.0, {}), ("a", 2, "g"): (1, calls, 1.0, 1.0, {})}))
    assert (len(dump.keys), dump.odd, dump.cut_at is not None) == (1, not cut, cut)


def test_a_dict_is_not_read_twice() -> None:
    """A reference to callers would make of n bytes n² rows."""
    data = marshal.dumps({("a", 1, "f"): (1, 1, 1.0, 1.0, {})})
    assert data.endswith(b"{00")
    shared = data[:-3] + b"\xfb00"
    at = len(shared) - 1
    again = shared[:at] + b"\xa9\x03z\x01bi\x01\0\0\0z\x01g\xa9\x05" + b"i\x01\0\0\0" * 2 + b"g" + bytes(8)
    for number in range(12):
        dumped = read_dump(again + b"g" + bytes(8) + b"r" + struct.pack("<i", number) + b"0")
        assert (len(dumped.keys), dumped.cut_at is not None) == (2, True)


def test_no_more_rows_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_stats, "MAX_ROWS", 3)
    for stats in (made(), Stats().function("f:1(f)", 1, callers={f"f:{i}(f)": 1 for i in range(1, 9)})):
        found = read_dump(stats.bytes())
        assert (len(found.keys) + len(found.callees), found.cut_at) == (3, None)


def test_callers_of_the_last_function_that_are_not_read_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """They went without a word."""
    monkeypatch.setattr(python_stats, "MAX_ROWS", 20)
    for callers, lost in ((19, 0), (21, 2)):
        called_by = {("a", i, "g"): 1 for i in range(callers - 1)} | {("a", 1, "f"): 1}
        capture = decode.read_bytes(marshal.dumps({("a", 1, "f"): (1, 1, 0.5, 0.5, called_by)}, 2), "x.prof")
        assert capture.quality.dropped.get("beyond_functions", 0) == lost
        assert ("python_profile_too_long" in [each.code for each in capture.quality.warnings]) is (lost > 0)
        capture.check()


def test_too_large_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(python_stats, "MAX_BYTES", 100)
    with pytest.raises(UnreadableError, match="Record a shorter part"):
        decode.read_bytes(made().bytes(), "h.cprofile")
