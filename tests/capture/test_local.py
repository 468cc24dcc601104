"""`profile` without a framework: windows, ends of all kinds, sessions of many processes, a stand-in of PyTorch.

TensorFlow, Keras and JAX are real in test_profile_programs.py. PyTorch's module here is a stand-in of a few lines, with
the names and the order of calls of torch 2.13: it weighs too much to be installed for tests.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import gzip
import json
import os
import pstats
import random
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tensorboard_perfplugin import profile
from tensorboard_perfplugin.capture import ProfileWarning, Profiling
from tensorboard_perfplugin.capture.local.frameworks import chosen, device_owner
from tensorboard_perfplugin.capture.local.recorders import TensorFlowRecorder
from tensorboard_perfplugin.capture.local.recorders import counted as counted_in
from tensorboard_perfplugin.capture.request import Options
from tensorboard_perfplugin.errors import ArgumentError, RemoteError
from tensorboard_perfplugin.logdir import runs_at
from tests.build_capture import chunk

FAR = 10**6


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs these tests: no launcher's variables, no session's name, no profiler of a coverage tool."""
    for name in list(os.environ):
        if name.startswith(("SLURM_", "OMPI_", "PMI", "PERFPLUGIN_SESSION", "TF_")) or name in ("RANK", "WORLD_SIZE"):
            monkeypatch.delenv(name)


def counted() -> int:
    return 1


def trained(recording: Profiling, steps: int) -> None:
    for _ in range(steps):
        counted()
        recording.step()


def failing(recording: Profiling, steps: int) -> None:
    with recording:
        trained(recording, steps)
        raise ZeroDivisionError


def calls(recording: Profiling) -> int:
    """How many steps are in the file."""
    [path] = recording.files
    stats: Any = pstats.Stats(path)
    return sum(row[0] for (_, _, name), row in stats.stats.items() if name == "counted")


def left(logdir: Path) -> list[str]:
    return sorted(path.name for path in logdir.rglob("*") if path.is_file())


@pytest.mark.parametrize(("steps", "recorded"), [((0, 0), 1), ((3, 6), 4), ((9, 9), 1), ((7, FAR), 3), (None, 10)])
def test_a_window_of_a_loop(steps: tuple[int, int] | None, recorded: int, tmp_path: Path) -> None:
    with profile(tmp_path, steps=steps) as recording:
        trained(recording, 10)
    assert calls(recording) == recorded
    assert (recording.frameworks, recording.error) == (("python",), None)
    assert recording.notes == ()
    [file] = recording.files
    assert Path(file).parent == tmp_path / "plugins" / "profile" / recording.session
    assert [entry.name for entry in (tmp_path / "plugins").iterdir()] == ["profile"]


def test_without_a_with(tmp_path: Path) -> None:
    recording = profile(tmp_path, steps=(2, 3))
    trained(recording, 10)
    assert calls(recording) == 2
    recording.stop()
    assert len(recording.files) == 1


def test_twice_with_one_object(tmp_path: Path) -> None:
    recording = profile(tmp_path, steps=(2, 3), session="both")
    for name in ("both", "both_2"):
        with recording:
            trained(recording, 10)
        assert (recording.session, calls(recording)) == (name, 2)


def test_without_a_logdir_the_result_is_there_and_no_file_is_left() -> None:
    with profile() as p:
        trained(p, 3)
    result, folder = p.result, Path(p.logdir)
    assert "counted" in " ".join(result.functions.function)
    assert (result.python_profile().result.summary["calls"] or 0) >= 3
    del p
    gc.collect()
    assert folder.exists()
    del result
    gc.collect()
    assert not folder.exists()
    with pytest.raises(RemoteError, match="nothing was recorded: the profile is new"):
        profile().result  # noqa: B018


def test_an_exception_in_the_block(tmp_path: Path) -> None:
    """What there is is written, and the exception is the program's own, with `strict` too."""
    recording = profile(tmp_path, strict=True)
    with pytest.raises(ZeroDivisionError):
        failing(recording, 3)
    assert calls(recording) == 3


def test_the_program_ends_too_early(tmp_path: Path) -> None:
    recording = profile(tmp_path / "logs", steps=(10, 20))
    with (
        pytest.warns(ProfileWarning, match="ended after 5 steps, before the end of steps 10 to 20") as caught,
        recording,
    ):
        trained(recording, 5)
    assert (recording.files, str(caught[0].message)) == ((), str(recording.error))
    assert not (tmp_path / "logs").exists()
    with pytest.raises(RemoteError, match="ended after 0 steps"), profile(tmp_path, steps=(10, 20), strict=True):
        pass
    with pytest.warns(ProfileWarning), pytest.raises(ZeroDivisionError):
        failing(profile(tmp_path, steps=(10, 20), strict=True), 5)


def test_another_profiler_runs(tmp_path: Path) -> None:
    sys.setprofile(lambda *_: None)
    try:
        recording = profile(tmp_path / "logs")
        with pytest.warns(ProfileWarning, match="did not start: .*already running.*stop the other"), recording:
            trained(recording, 5)
        with pytest.raises(RemoteError, match="already running"), profile(tmp_path / "logs", strict=True):
            pass
    finally:
        sys.setprofile(None)
    assert not (tmp_path / "logs").exists()


def test_what_killed_programs_left_goes_after_a_day(tmp_path: Path) -> None:
    plugins = tmp_path / "plugins"
    made = {name: plugins / f".perfplugin-{name}" for name in ("0123456789abcdef", "job-0123456789abcdef.1", "other")}
    for path in made.values():
        path.mkdir(parents=True) if path.name.endswith("f") else path.parent.joinpath(path.name).write_text("")
        os.utime(path, (1, 1))
    (plugins / ".perfplugin-fedcba9876543210").mkdir()
    with profile(tmp_path) as recording:
        trained(recording, 1)
    assert sorted(path.name for path in plugins.iterdir()) == [
        ".perfplugin-fedcba9876543210",
        ".perfplugin-other",
        "profile",
    ]


def test_one_at_a_time(tmp_path: Path) -> None:
    with profile(tmp_path) as recording, pytest.raises(ArgumentError, match="already recording"):
        recording.start()
    assert recording.files


def test_a_logdir_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    recording = profile(tmp_path / "file" / "logs")
    with pytest.warns(ProfileWarning, match="this logdir is not writable"), recording:
        trained(recording, 5)
    assert recording.files == ()


def test_an_empty_logdir_of_the_users_stays(tmp_path: Path) -> None:
    with pytest.warns(ProfileWarning), profile(tmp_path, frameworks=["jax"]):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"steps": (5, 3)}, "5 to 3 is not a range"),
        ({"steps": (-1, 3)}, "-1 to 3 is not a range"),
        ({"steps": 5}, "5 is not the first and last step"),
        ({"steps": (1, 2, 3)}, "is not the first and last step"),
        ({"steps": (1, True)}, "is not the first and last step"),
        ({"session": "../up"}, "is not a valid name"),
        ({"host_tracer_level": 9}, "host_tracer_level: 9 is not from 0 to 3"),
        ({"logdir": "gs://bucket/logs"}, "must be a local folder"),
        ({"logdir": ""}, "must be a local folder"),
        ({"frameworks": "jax"}, "is not a list of names"),
    ],
)
def test_arguments_that_cannot_be_meant(given: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=says):
        profile(**{"logdir": tmp_path, **given})


def test_keras_that_is_not_imported(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="Keras is not imported"):
        profile(tmp_path).keras()


def modules(**parts: dict[str, Any]) -> dict[str, ModuleType]:
    made: dict[str, ModuleType] = {}
    for name, given in parts.items():
        made[name] = ModuleType(name)
        vars(made[name]).update(given)
    return made


def jax_module(runs: bool, backend: str = "cpu", processes: int = 1) -> dict[str, ModuleType]:
    jax = {"profiler": 1, "default_backend": lambda: backend, "process_count": lambda: processes}
    bridge = ModuleType("jax._src.xla_bridge")
    vars(bridge)["backends_are_initialized"] = lambda: runs
    return {**modules(jax={**jax, "process_index": lambda: 1}), "jax._src.xla_bridge": bridge}


def tf_module(runs: bool) -> dict[str, ModuleType]:
    context = ModuleType("tensorflow.python.eager.context")
    vars(context)["_context"] = SimpleNamespace(_context_handle=object() if runs else None)
    config = SimpleNamespace(list_physical_devices=lambda _: [])
    return {**modules(tensorflow={"profiler": 1, "config": config}), "tensorflow.python.eager.context": context}


def torch_module(cuda: bool) -> dict[str, ModuleType]:
    return modules(torch={"profiler": 1, "cuda": SimpleNamespace(is_initialized=lambda: cuda)})


@pytest.mark.parametrize(
    ("imported", "names", "owner"),
    [
        ({}, ["python"], "python"),
        ({"jax": ModuleType("jax")}, ["python"], "python"),  # it is being imported
        (jax_module(False), ["jax"], "jax"),
        ({**jax_module(False), **tf_module(False)}, ["tensorflow"], "tensorflow"),
        ({**jax_module(True), **tf_module(False)}, ["jax"], "jax"),
        ({**jax_module(True), **tf_module(True)}, ["jax", "tensorflow"], "jax"),
        ({**jax_module(False), **torch_module(True)}, ["pytorch"], "pytorch"),
        ({**jax_module(True), **torch_module(True)}, ["jax", "pytorch"], "pytorch"),
        ({**jax_module(True, "gpu"), **torch_module(True)}, ["jax", "pytorch"], "jax"),
    ],
)
def test_what_runs_is_recorded(imported: dict[str, ModuleType], names: list[str], owner: str) -> None:
    assert chosen(None, imported) == names
    assert device_owner(names, imported) == owner


def test_frameworks_that_are_asked_for() -> None:
    imported = {**jax_module(True), **tf_module(True)}
    assert chosen(["tensorflow", "python"], imported) == ["tensorflow", "python"]
    with pytest.raises(ArgumentError, match="pytorch not imported: use one of jax, tensorflow, python"):
        chosen(["pytorch"], imported)


class Torch(ModuleType):
    """As much of PyTorch as is called. said: the calls, in their order."""

    def __init__(self, events: list[dict[str, Any]], broken: str = "") -> None:
        super().__init__("torch")
        self.said: list[str] = []
        self.events, self.broken = events, broken
        self.cuda = SimpleNamespace(is_initialized=lambda: True)
        kinds = SimpleNamespace(CPU="CPU", CUDA="CUDA")
        self.profiler = SimpleNamespace(
            ProfilerActivity=kinds,
            supported_activities=lambda: {"CPU", "CUDA"},
            profile=self.profile,
            record_function=self.record_function,
        )

    def profile(self, activities: list[str], with_stack: bool) -> Torch:
        self.said.append(f"profile {','.join(activities)} {with_stack}")
        return self

    def start(self) -> None:
        self.said.append("start")

    def stop(self) -> None:
        self.said.append("stop")
        if self.broken:
            raise RuntimeError(self.broken)

    def export_chrome_trace(self, path: str) -> None:
        with gzip.open(path, "wt") as file:
            json.dump({"traceEvents": self.events}, file)

    @contextlib.contextmanager
    def record_function(self, name: str) -> Iterator[None]:
        self.said.append(name)
        yield
        self.said.append(f"end {name}")


TRACE = {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)"}
OP = {"ph": "X", "cat": "cpu_op", "name": "aten::mm"}


def test_pytorch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = Torch([TRACE, OP])
    monkeypatch.setitem(sys.modules, "torch", torch)
    with profile(tmp_path, steps=(1, 2), python_tracer_level=1) as recording:
        trained(recording, 5)
    assert torch.said == [
        "profile CPU,CUDA True",
        "start",
        "ProfilerStep#1",
        "end ProfilerStep#1",
        "ProfilerStep#2",
        "end ProfilerStep#2",
        "stop",
    ]
    [file] = recording.files
    assert Path(file).name.endswith(".pt.trace.json.gz")
    assert recording.notes == ()
    assert [run.hosts for run in runs_at(str(tmp_path))] == [(Path(file).name.split(".")[0],)]


@pytest.mark.parametrize(
    ("torch", "says"),
    [(Torch([TRACE]), "nothing was recorded: no framework ran"), (Torch([OP], "CUPTI is gone"), "CUPTI is gone")],
)
def test_pytorch_that_gives_nothing(torch: Torch, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch)
    with pytest.warns(ProfileWarning, match=says), profile(tmp_path) as recording:
        trained(recording, 2)
    assert (left(tmp_path), recording.session) == ([], "")


@pytest.mark.parametrize(("size", "kept"), [(60_000, False), (70_000, True)])
def test_a_large_trace_of_pytorch_holds_events(
    size: int, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of which nobody looks: the text is one that does not compress, so the file is a little larger than `size`."""
    text = base64.b64encode(random.Random(0).randbytes(size)).decode()
    monkeypatch.setitem(sys.modules, "torch", Torch([TRACE, {"ph": "M", "name": text}]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(tmp_path) as recording:
            trained(recording, 1)
    assert bool(recording.files) is kept


def test_a_large_xplane_file_holds_events(tmp_path: Path) -> None:
    """A hostname is no event."""
    for size in (1_000_000, 1_100_000):
        (tmp_path / f"{size}.xplane.pb").write_bytes(chunk(4, b"h" * size))
    assert [events > 10**9 for events in counted_in(str(tmp_path)).values()] == [False, True]


def test_functions_of_python_in_tensorflow_need_its_server(monkeypatch: pytest.MonkeyPatch) -> None:
    experimental = SimpleNamespace(ProfilerOptions=lambda **_: None, start=lambda *_: None)
    module = SimpleNamespace(profiler=SimpleNamespace(experimental=experimental))
    monkeypatch.setitem(sys.modules, "tensorflow", module)
    notes = [TensorFlowRecorder().start("", Options(python_tracer_level=level), device=False) for level in (0, 1)]
    assert notes[0] == ""
    assert "perfplugin capture localhost:6009 --preset python" in notes[1]
