"""What names of files and folders say."""

from __future__ import annotations

import datetime

import pytest

from tensorboard_perfplugin.logdir import parse_name
from tensorboard_perfplugin.logdir.names import natural, parse_given, shown, stamp_ns


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("vm.xplane.pb", ("vm", "xplane")),
        ("vm.xplane.pb.gz", ("vm", "xplane")),
        ("10.0.0.3_6009.xplane.pb", ("10.0.0.3_6009", "xplane")),
        ("a.b.c.xplane.pb", ("a.b.c", "xplane")),
        ("a.xplane.pb.xplane.pb", ("a.xplane.pb", "xplane")),
        ("tmp.xplane.pb", ("tmp", "xplane")),
        (".xplane.pb", None),
        (".vm.xplane.pb", None),
        ("vm.xplane.pb.tmp", None),
        ("vm.tmp.xplane.pb", None),
        ("vm.xplane.pb.tmp.17", None),
        ("xplane.pb", None),
        ("vm.xplane.pb.gz.gz", None),
        ("vm.trace.json.gz", ("vm", "trace_events")),
        ("rank0.1795321654151621552.pt.trace.json", ("rank0", "trace_events")),
        ("vm.kernel_stats.pb", ("vm", "tool_files")),
        ("vm.memory_profile.json.gz", ("vm", "tool_files")),
        ("snapshot.pickle", ("snapshot", "memory_snapshot")),
        ("dump_snapshot.pickle", ("dump_snapshot", "memory_snapshot")),
        ("rank0_memory_snapshot.pickle", ("rank0", "memory_snapshot")),
        ("vm.snapshot.pickle.gz", ("vm", "memory_snapshot")),
        ("3.pickle", ("3", "memory_snapshot")),
        ("rank_3.pickle", ("rank_3", "memory_snapshot")),
        ("vm.memory_snapshot.html", ("vm", "memory_snapshot")),
        ("vocabulary.pickle", None),
        ("model.pkl", None),
        ("memory.prof", ("memory", "pprof")),
        ("memory.prof.gz", ("memory", "pprof")),
        ("step10.memory.prof", ("step10", "pprof")),
        ("device_memory_profile.pb", ("device_memory_profile", "pprof")),
        ("vm.memory_profile.pb.gz", ("vm", "pprof")),
        ("heap.pprof", ("heap", "pprof")),
        ("train.prof", ("train", "python_stats")),
        ("mymemory.prof", ("mymemory", "python_stats")),
        ("rank_0.cprofile", ("rank_0", "python_stats")),
        ("train.pstats.gz", ("train", "python_stats")),
        ("python_stats", ("python_stats", "python_stats")),
        ("python_stats.txt", None),
        (".memory.prof", None),
        ("tf_trace-101.json", ("timeline", "trace_events")),
        ("1594662624558411_9-b88_model_timeline.json", ("9-b88_model_timeline", "trace_events")),
        ("1589930991000000_4487_0000_pythontimeline.json", ("4487_0000_pythontimeline", "trace_events")),
        ("1593673051472361_88-a.b.com_horovod_timeline.json.gz", ("88-a.b.com_horovod_timeline", "trace_events")),
        ("horovod_timeline.json", None),
        ("world_model_timeline.json", None),
        ("events.out.tfevents.1.vm", None),
        ("", None),
    ],
)
def test_parse_name(name: str, said: tuple[str, str] | None) -> None:
    assert parse_name(name) == said


def test_a_file_that_is_given_may_be_called_anything_prof() -> None:
    """Of cProfile as far as the name says; its bytes decide."""
    assert parse_given("step_3.prof") == ("step_3", "python_stats")
    assert parse_given("step_3.prof.gz") == ("step_3", "python_stats")
    assert parse_given("vm.xplane.pb") == ("vm", "xplane")
    assert [parse_given(name) for name in (".prof", "prof", "a.txt", "a.prof.tmp")] == [None] * 4


@pytest.mark.parametrize(
    ("name", "when"),
    [
        ("2026_11_20_10_05_49", (2026, 11, 20, 10, 5, 49)),
        ("rank3_2026_11_20_10_05_49-retry", (2026, 11, 20, 10, 5, 49)),
        ("2026_13_20_10_05_49", None),
        ("2026_11_20_10_05", None),
        ("12026_11_20_10_05_49", None),
        ("r1", None),
    ],
)
def test_a_session_name_tells_local_time(name: str, when: tuple[int, int, int, int, int, int] | None) -> None:
    expected = when and int(datetime.datetime(*when).astimezone().timestamp()) * 10**9
    assert stamp_ns(name) == expected


def test_what_cannot_be_printed_is_escaped() -> None:
    assert shown("größe/計") == "größe/計"
    assert shown("a\udcff\nb\u202e\x1b[31m") == "a\\xff\\x0ab\\u202e\\x1b[31m"


def test_numbers_in_names_sort_as_numbers() -> None:
    names = ["worker_10", "worker_2", "chief", "worker_2b", "2"]
    assert sorted(names, key=natural) == ["2", "chief", "worker_2", "worker_2b", "worker_10"]
