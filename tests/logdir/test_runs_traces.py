"""Folders of traces: PyTorch's straight in a logdir, ranks, cycles, and several formats of one host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensorboard_perfplugin.logdir import missing_workers, runs_at
from tensorboard_perfplugin.messages import Message, message
from tests.logdir.test_runs import touch

#: Three cycles of PyTorch's schedule, in ns since the epoch.
FIRST, SECOND, THIRD = 1_795_321_654_151_621_552, 1_795_321_664_151_621_552, 1_795_321_674_151_621_552


def read(path: Path) -> dict[str, list[str]]:
    """Run → the names of the files that are read, in the order of their hosts."""
    return {run.name: [Path(file.path).name for file in run.files] for run in runs_at(str(path))}


def test_a_folder_as_tensorboard_trace_handler_writes_it(tmp_path: Path) -> None:
    """Straight in the logdir that is given to both, without `plugins/profile`."""
    touch(tmp_path / "log", f"vm_77.{FIRST}.pt.trace.json")
    assert read(tmp_path / "log") == {"log": [f"vm_77.{FIRST}.pt.trace.json"]}
    assert read(tmp_path) == {"log": [f"vm_77.{FIRST}.pt.trace.json"]}


def test_ranks_of_one_run_are_one_session(tmp_path: Path) -> None:
    """Each rank has its own process, time and name."""
    names = [f"rank{i}.{FIRST + i * 10**8}.pt.trace.json.gz" for i in (0, 1, 2, 10)]
    touch(tmp_path / "log", *names)
    assert read(tmp_path / "log") == {"log": names}


def test_the_nth_profile_of_each_rank_is_one_session(tmp_path: Path) -> None:
    """Three cycles of two ranks, of which the second wrote only two; in milliseconds, as of 2021, too."""
    stamps = (FIRST, SECOND, THIRD)
    first = [f"a.{stamp}.pt.trace.json" for stamp in stamps]
    second = [f"b.{stamp // 10**6}.pt.trace.json.gz" for stamp in stamps[:2]]
    touch(tmp_path / "log", *first, *second)
    assert read(tmp_path / "log") == {
        "log #3": [first[2]],
        "log #2": [first[1], second[1]],
        "log #1": [first[0], second[0]],
    }


def test_a_program_that_is_started_again_is_no_other_rank(tmp_path: Path) -> None:
    """Both processes wrote into `log`, the second an hour after the first; the others are its two ranks."""
    later = FIRST + 3600 * 10**9
    names = [f"vm_77.{FIRST}.pt.trace.json", f"vm_90.{later}.pt.trace.json", f"vm_91.{later + 10**9}.pt.trace.json"]
    touch(tmp_path / "log", *names)
    assert read(tmp_path / "log") == {"log #2": names[1:], "log #1": names[:1]}


def test_another_format_of_a_host_is_the_same_capture(tmp_path: Path) -> None:
    """JAX writes both, and a copy for Perfetto; TensorFlow wrote its results beside a trace or a capture."""
    touch(tmp_path / "jax", "vm.xplane.pb", "vm.trace.json.gz", "perfetto_trace.json.gz")
    touch(tmp_path / "collected", "10.0.0.1_9012.xplane.pb", "remote.trace.json.gz")
    touch(tmp_path / "old", "vm.trace.json.gz", "vm.overview_page.pb", "vm.input_pipeline.pb", "vm.kernel_stats.pb")
    touch(tmp_path / "only", "remote.trace.json.gz")
    assert read(tmp_path) == {
        "jax": ["vm.xplane.pb"],
        "collected": ["10.0.0.1_9012.xplane.pb"],
        "old": ["vm.trace.json.gz"],
        "only": ["remote.trace.json.gz"],
    }


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["vm.xplane.pb", "vm.trace.json.gz"], None),
        (["vm.xplane.pb", "vm.overview_page.pb"], None),
        (
            ["vm.trace.json.gz", "vm.overview_page.pb", "vm.input_pipeline.pb"],
            message("tool_file_not_read", name="vm.overview_page.pb", more=None, instead="vm.trace.json.gz"),
        ),
        (
            ["vm.xplane.pb", f"vm.{FIRST}.pt.trace.json"],
            message("pytorch_trace_not_read", name=f"vm.{FIRST}.pt.trace.json", more=None, instead="vm.xplane.pb"),
        ),
        (
            ["run_metadata.pb", "timeline.json", "step_stats.pb"],
            message("timeline_not_read", name="timeline.json", more=None, instead="run_metadata.pb"),
        ),
    ],
)
def test_what_is_not_read_is_said_where_it_tells_something_else(
    tmp_path: Path, names: list[str], says: Message | None
) -> None:
    (run,) = runs_at(str(touch(tmp_path / "log", *names)))
    assert missing_workers(run) == ((says,) if says else ())
    assert {Path(file.path).name for file in (*run.files, *run.left_out)} == set(names)


def test_other_json_in_a_logdir_is_nobody_s_capture(tmp_path: Path) -> None:
    """A logdir holds configurations, metrics and traces of other tools; one that is given by its path is opened."""
    others = ["config.json", "metrics.json.gz", "trace_of_mine.json", "perfetto_trace.json.gz", "app.trace"]
    touch(tmp_path / "log", *others, "timeline.json", "sub/local.trace", "sub/run_metadata.pb")
    assert read(tmp_path / "log") == {"log": ["timeline.json"], "sub": ["local.trace", "run_metadata.pb"]}
    assert {name: list(read(tmp_path / "log" / name).values()) for name in others[:1]} == {others[0]: [[others[0]]]}


def test_what_cannot_be_read_has_others_of_its_host(tmp_path: Path) -> None:
    """The richest first; what `jax.collect_profile` made is of the only host there is."""

    def others(folder: Path) -> dict[str, list[str]]:
        (run,) = runs_at(str(folder))
        return {Path(file.path).name: [Path(other.path).name for other in file.others] for file in run.files}

    touch(tmp_path / "one", "vm.xplane.pb", "vm.overview_page.pb", "vm.trace.json.gz", "remote.trace.json.gz")
    touch(tmp_path / "two", "a.xplane.pb", "b.xplane.pb", "b.trace.json.gz", "remote.trace.json.gz")
    assert others(tmp_path / "one") == {
        "vm.xplane.pb": ["vm.trace.json.gz", "vm.overview_page.pb", "remote.trace.json.gz"]
    }
    assert others(tmp_path / "two") == {"a.xplane.pb": [], "b.xplane.pb": ["b.trace.json.gz"]}


def test_timelines_that_a_hook_wrote_are_a_run_each(tmp_path: Path) -> None:
    """`tf.compat.v1.train.ProfilerHook(save_steps=5, output_dir="log")`, beside what else the program wrote there."""
    touch(
        tmp_path / "log", "timeline-5.json", "timeline-15.json", "graph.pbtxt", "model.ckpt-15.meta", "timeline-a.json"
    )
    assert read(tmp_path) == {"log (step 5)": ["timeline-5.json"], "log (step 15)": ["timeline-15.json"]}
    touch(tmp_path / "both", "timeline-5.json", "vm.xplane.pb")
    assert read(tmp_path / "both") == {"both": ["vm.xplane.pb"], "both (step 5)": ["timeline-5.json"]}


def test_what_servers_and_kineto_on_demand_write_is_taken_by_its_name(tmp_path: Path) -> None:
    """SGLang: one name a profile, a file a process, and all of them merged into one. Kineto: a file a process."""
    first = ["1720000000.1-TP-0.trace.json.gz", "1720000000.1-TP-1-EP-1.trace.json.gz"]
    touch(tmp_path / "s", *first, "merged-1720000000.1.trace.json.gz", "1720000900.25-TP-0.trace.json.gz")
    touch(tmp_path / "k", "libkineto_activities_12.json", "libkineto_activities_13.json")
    touch(tmp_path / "m", "merged-1720000000.1.trace.json.gz")
    runs = {run.name: run for run in runs_at(str(tmp_path))}
    assert {name: [Path(file.path).name for file in run.files] for name, run in runs.items()} == {
        "s #1": first,
        "s #2": ["1720000900.25-TP-0.trace.json.gz"],
        "k": ["libkineto_activities_12.json", "libkineto_activities_13.json"],
        "m": ["merged-1720000000.1.trace.json.gz"],
    }
    assert runs["s #1"].hosts == ("TP-0", "TP-1-EP-1")
    assert runs["s #2"].captured_ns == 1_720_000_900_250_000_000


def test_workers_of_ascend_s_profiler_have_a_folder_each(tmp_path: Path) -> None:
    """As torch_npu's `tensorboard_trace_handler("log")` writes them, of two cycles, beside much that is no capture."""
    workers = ["vm_7_20230628101435", "vm_8_20230628101436", "vm_7_20230628101505123", "vm_8_20230628101505124"]
    for worker in workers:
        folder = f"log/{worker}_ascend_pt"
        touch(tmp_path, f"{folder}/ASCEND_PROFILER_OUTPUT/trace_view.json", f"{folder}/profiler_info_0.json")
        touch(tmp_path, f"{folder}/ASCEND_PROFILER_OUTPUT/kernel_details.csv", f"{folder}/FRAMEWORK/torch.op_range")
    runs = {run.name: run for run in runs_at(str(tmp_path))}
    assert {name: run.hosts for name, run in runs.items()} == {"log #1": ("vm_7", "vm_8"), "log #2": ("vm_7", "vm_8")}
    assert runs["log #2"].captured_ns - runs["log #1"].captured_ns == 29_124_000_000
    assert [workers[2] in file.path or workers[3] in file.path for file in runs["log #2"].files] == [True, True]
    alone = [runs_at(str(tmp_path / f"log/{workers[0]}_ascend_pt{below}")) for below in ("", "/ASCEND_PROFILER_OUTPUT")]
    assert [(run.name, run.hosts) for (run,) in alone] == [("ASCEND_PROFILER_OUTPUT", ("vm_7",))] * 2


def test_pieces_of_sagemaker_s_debugger_follow_one_another(tmp_path: Path) -> None:
    """In a folder an hour a file each time that one is full or a minute old, of TensorFlow and of Python apart."""
    ends = {"model_timeline": (1594662614815222, 1594662624558411), "pythontimeline": (1594662624718694,)}
    names = [f"{us}_9-vm_{kind}.json" for kind, all_us in ends.items() for us in all_us]
    touch(
        tmp_path / "framework/pevents/2020071317",
        *names,
        f"{ends['pythontimeline'][0] + 1}_9-vm_pythontimeline.json.tmp",
    )
    hour = "framework/pevents/2020071317"
    assert read(tmp_path) == {f"{hour} #1": names[:1], f"{hour} #2": names[1:]}
    newest = runs_at(str(tmp_path))[0]
    assert (newest.hosts, newest.captured_ns) == (("9-vm_model_timeline", "9-vm_pythontimeline"), 1594662624718694000)


def test_sessions_of_tensorflow_2_1_are_dated_too(tmp_path: Path) -> None:
    """Seen: their names have dashes, and what was copied later came first."""
    touch(tmp_path, "plugins/profile/2020-04-07_18-20-33/local.trace", at_s=1_900_000_000)
    touch(tmp_path, "plugins/profile/2020_05_16_03_41_16/vm.xplane.pb", at_s=1_600_000_000)
    assert list(read(tmp_path)) == ["2020_05_16_03_41_16", "2020-04-07_18-20-33"]


def write_rank(path: Path, rank: int, ranks: int = 2, at_us: int = FIRST // 1000) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    events = [{"ph": "X", "name": "aten::mm", "ts": at_us, "dur": 5, "pid": 1, "tid": 1}]
    of = {"rank": rank, "world_size": ranks, "backend": "nccl"}
    path.write_text(json.dumps({"schemaVersion": 1, "distributedInfo": of, "traceEvents": events}))


@pytest.mark.parametrize("name", ["node_4{rank}.{FIRST}.pt.trace.json", "vm.pt.trace.json"])
def test_a_folder_for_each_rank_is_one_run(tmp_path: Path, name: str) -> None:
    for rank in (0, 1):
        write_rank(tmp_path / "logs" / f"rank{rank}" / name.format(rank=rank, FIRST=FIRST), rank)
    (run,) = runs_at(str(tmp_path / "logs"))
    assert (run.name, len(run.files)) == ("logs", 2)
    (run,) = runs_at(str(tmp_path / "logs" / "rank1"))
    assert len(run.files) == 1


@pytest.mark.parametrize("second", [(0, 2), (1, 4), (-1, 0)])
def test_folders_of_other_programs_are_runs_of_their_own(tmp_path: Path, second: tuple[int, int]) -> None:
    """The same rank again, one of another number of ranks, one that is not distributed."""
    write_rank(tmp_path / "iteration_10" / "rank0_trace.json", 0)
    write_rank(tmp_path / "iteration_20" / "rank0_trace.json", *second)
    assert sorted(read(tmp_path)) == ["iteration_10", "iteration_20"]


def test_names_by_rank_are_captures_where_the_content_is(tmp_path: Path) -> None:
    """As TorchTitan names them; a dump of NCCL's flight recorder has such a name, too."""
    folder = tmp_path / "profile_traces" / "iteration_10"
    for rank in (0, 1):
        write_rank(folder / f"rank{rank}_trace.json", rank)
        (folder / f"nccl_trace_rank_{rank}.json").write_text('{"version": "2.10", "entries": []}')
    touch(folder / "plain", "rank0.pt.trace.json")
    assert read(tmp_path) == {
        "profile_traces/iteration_10": ["rank0_trace.json", "rank1_trace.json"],
        "profile_traces/iteration_10/plain": ["rank0.pt.trace.json"],
    }
