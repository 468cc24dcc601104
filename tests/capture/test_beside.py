"""A server that sends nothing back, and writes: where its capture can be taken from, and where nothing is made."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tensorboard_perfplugin.capture import CaptureError, Options, check, run
from tensorboard_perfplugin.capture.request import WorkerError
from tensorboard_perfplugin.capture.server import client
from tensorboard_perfplugin.capture.server.beside import Folder

from .fake_server import SMALL, FakeProfiler, serving

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names of folders")
SHORT = Options(duration_ms=20, retries=0)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where folders for servers are made; in the end there is none."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def tensorflow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever listens here runs TensorFlow."""
    monkeypatch.setattr(client, "runs_tensorflow_alone", lambda port: True)


@pytest.mark.usefixtures("tensorflow")
def test_what_it_writes_on_this_machine_is_the_capture(tmp_path: Path) -> None:
    profiler = FakeProfiler(old="here")
    with serving(profiler) as address:
        found = check(address)
        made = run(str(address), tmp_path / "logs", SHORT)
    assert (found.ok, found.message.partition("; this release")[0]) == (True, f"{address}: profiler server ready")
    assert (Path(made.path) / made.hosts[0].file).read_bytes() == SMALL
    assert profiler.recorded[0].repository_root.startswith(f"/proc/{os.getpid()}/fd/")


@pytest.mark.usefixtures("tensorflow")
def test_on_another_machine_there_is_no_such_folder(tmp_path: Path) -> None:
    profiler = FakeProfiler(old="elsewhere")
    with serving(profiler) as address, pytest.raises(CaptureError) as caught:
        run(str(address), tmp_path / "logs", SHORT)
    assert ([host.kind for host in caught.value.hosts], profiler.recorded) == (["old_server"], [])


def test_what_is_not_known_to_be_tensorflow_is_not_recorded() -> None:
    """Servers of JAX 0.6 and 0.8 end their program, or stop it, when they have recorded."""
    profiler = FakeProfiler(old="here")
    with serving(profiler) as address:
        assert check(address).kind == "old_server"
    assert len(profiler.requests) == 1


@pytest.mark.usefixtures("tensorflow")
def test_a_larger_one_is_not_read(tmp_path: Path) -> None:
    profiler = FakeProfiler(b"\x0a\x80\x80\x80\x01" + bytes(2 << 20), old="here")
    with (
        serving(profiler) as address,
        pytest.raises(CaptureError, match="exceeds the budget of 1 MiB"),
    ):
        run(str(address), tmp_path / "logs", Options(duration_ms=20, budget_bytes=1 << 20))


def test_a_link_is_no_capture(temporary: Path) -> None:
    with Folder() as folder:
        Path(folder.root, "h.xplane.pb").symlink_to("/etc/hostname")
        assert folder.capture(1 << 20) is None


@pytest.mark.parametrize(("others", "found"), [(64, b"\n\0"), (65, None)])
def test_a_capture_behind_so_many_files_is_looked_for(others: int, found: bytes | None) -> None:
    with Folder() as folder:
        for i in range(others):
            Path(folder.root, f"{i}.txt").touch()
        Path(folder.root, "below").mkdir()
        Path(folder.root, "below", "h.xplane.pb").write_bytes(b"\n\0")
        capture = folder.capture(1 << 20)
        assert (capture and bytes(capture)) == found


def test_no_room_for_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(WorkerError, match=r"No such file or directory.*set TMPDIR") as caught:
        Folder()
    assert caught.value.kind == "read_only"


def test_who_listens_at_a_port() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        assert client.listeners(port) == (os.getpid(),)
    assert client.listeners(port) == ()


@pytest.mark.parametrize(
    ("mapped", "alone"),
    [
        ([b"7f /v/tensorflow/libtensorflow_framework.so.2\n"], True),
        ([b"7f /v/jaxlib/xla_extension.so\n"], False),
        ([b"7f /v/tensorflow/libtensorflow_cc.so.2\n7f /v/jaxlib/_jax.so\n"], False),
        ([b"7f /v/tensorflow/libtensorflow_cc.so.2\n", b"7f /usr/bin/ssh\n"], False),
        ([b""], False),
        ([], False),
    ],
)
def test_whether_tensorflow_listens(mapped: list[bytes], alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "listeners", lambda port: tuple(range(len(mapped))))
    monkeypatch.setattr(client, "_read", lambda path: mapped[int(path.split("/")[2])])
    assert client.runs_tensorflow_alone(6009) is alone


@pytest.mark.parametrize(("drawn", "number"), [(lambda below: 0, 512), (lambda below: below - 1, 895)])
def test_its_number_is_high_and_below_the_common_limit(
    drawn: Callable[[int], int], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secrets, "randbelow", drawn)
    with Folder() as folder:
        assert folder.root.endswith(f"/fd/{number}")
