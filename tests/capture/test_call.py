"""`tensorboard_perfplugin.capture`: one name for the room and for the function."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin import capture
from tensorboard_perfplugin.capture import CaptureError, Options, Progress
from tensorboard_perfplugin.errors import ArgumentError, RemoteError

from .fake_server import FakeProfiler, serving


def test_a_capture(tmp_path: Path) -> None:
    seen: list[Progress] = []
    with serving(FakeProfiler()) as address:
        captured = tensorboard_perfplugin.capture(
            f"grpc://{address}", tmp_path / "logs", duration_ms=50, session="mine", progress=seen.append
        )
    assert (captured.session, [host.kind for host in captured.hosts]) == ("mine", ["ok"])
    steps = tensorboard_perfplugin.open(captured.path).tool("overview").result.tables["steps"]
    assert list(steps["name"]) == ["train 0", "train 1", "train 2"]
    assert seen[-1].phase == "done"


def test_what_may_not_be_asked(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="not among the allowed addresses") as refused:
        capture(["127.0.0.1:1"], tmp_path, allowed="10.0.0.0/8")
    assert isinstance(refused.value, RemoteError)
    assert [host.kind for host in refused.value.hosts] == ["refused"]
    with pytest.raises(ArgumentError, match="duration_ms: 0 is not from 1"):
        capture("localhost:1", tmp_path, duration_ms=0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'duration'"):
        capture("localhost:1", tmp_path, duration=1)  # type: ignore[call-arg]
    assert list(tmp_path.iterdir()) == []


def test_the_room_and_the_function_are_one() -> None:
    import tensorboard_perfplugin.capture as room

    assert room is tensorboard_perfplugin.capture
    assert room.Options is capture.Options is Options
    assert inspect.signature(room) == inspect.signature(room.capture)
    assert "one new session of the logdir" in (inspect.getdoc(room.__call__) or "")


def test_its_keywords_are_the_options() -> None:
    given = inspect.signature(capture.capture).parameters
    options = Options()
    for each in fields(Options):
        assert given[each.name].default == (None if each.name == "advanced" else getattr(options, each.name))


def test_it_costs_nothing_before_it_is_used() -> None:
    code = (
        "import sys, tensorboard_perfplugin as t; t.capture; t.profile; "
        "print([n for n in ('grpc', 'numpy', 'google.protobuf', 'cProfile') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
