"""What an S3 server on loopback and fsspec's memory hold is found and read as files are; faults are named."""

from __future__ import annotations

import asyncio
import functools
import importlib
import itertools
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin as perfplugin
from tensorboard_perfplugin import decode, stores
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.doctor import diagnose
from tensorboard_perfplugin.errors import NotFoundError, PerfpluginError, RemoteError, UnreadableError
from tensorboard_perfplugin.logdir import Logdir, runs_at
from tensorboard_perfplugin.logdir import logdir as logdirs
from tensorboard_perfplugin.stores import remote, remote_file
from tensorboard_perfplugin.stores.trouble import StoreError, store_error
from tests.build_capture import Space

from .s3 import S3

SAMPLES = Path(__file__).parents[1] / "samples"
SESSION = "logs/plugins/profile/2026_11_20_09_00_00"
WAIT_S = 60


def capture(name: str = "work", events: int = 3) -> bytes:
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "line")
    for i in range(events):
        line.event(name, start_ps=1000 * i, duration_ps=500)
    return space.bytes()


def filled(store: S3, sample: str) -> str:
    for path in (SAMPLES / sample).rglob("*"):
        if path.is_file():
            store.put("b", f"logs/{path.relative_to(SAMPLES)}", path.read_bytes())
    return f"s3://b/logs/{sample}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("s3://b/x", True),
        ("gs://b", True),
        ("memory://", True),
        ("/a/s3://b", False),
        ("C://x", True),
        ("a b://c", False),
        ("://x", False),
        ("s3:/b", False),
    ],
)
def test_what_is_a_url(path: str, expected: bool) -> None:
    assert stores.is_url(path) is expected


def test_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert [stores.absolute(path) for path in ("s3://b/x//", "memory://", "x")] == [
        "s3://b/x",
        "memory://",
        str(tmp_path / "x"),
    ]


def test_a_status_and_a_listing(store: S3) -> None:
    url = store.put("b", "f/one", b"abc")
    store.put("b", "f/two/x", b"")
    now = stores.status(url)
    assert (now.st_size, now.st_mtime_ns % 10**9) == (3, 0)
    assert stores.entries("s3://b/f") == [("one", False), ("two", True)]
    # The listing says more of the time than the head, and is of the same content.
    assert stores.status(url) == now
    store.put("b", "f/one", b"abd")
    assert stores.status(url).st_ino != now.st_ino


def test_long_listings_come_whole(store: S3) -> None:
    store.page = 10
    for i in range(25):
        store.put("b", f"f/{i:03}", b"")
    assert len(stores.entries("s3://b/f")) == 25


def test_ranges(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_file, "BLOCK_BYTES", 1000)
    data = random.Random(1).randbytes(12_345)
    url = store.put("b", "x", data)
    with stores.open_remote(url) as file:
        assert (file.seek(-5, 2), file.read(), file.seek(7), file.read(3)) == (12_340, data[-5:], 7, data[7:10])
    with stores.open_remote(url, ahead=True) as file:
        assert file.readall() == data
        assert (file.seek(5_500), file.read(2_000)) == (5_500, data[5_500:6_000])
        whole = bytearray(len(data))
        file.fill(memoryview(whole))
        assert whole == data


def test_a_head_is_one_small_request(store: S3) -> None:
    url = store.put("b", "x", bytes(1 << 20))
    with stores.open_remote(url) as file:
        assert file.read(100) == bytes(100)
    assert [method for method, _ in store.asked] == ["HEAD", "GET"]


@pytest.mark.parametrize("sample", ["two_hosts", "torch_train", "jax_memory", "keras_fit"])
def test_a_logdir_gives_the_answers_of_a_local_one(store: S3, sample: str) -> None:
    there, here = perfplugin.open(filled(store, sample)), perfplugin.open(SAMPLES / sample)
    assert there.hosts == here.hosts
    for tool in ("overview", "op_stats"):
        assert there.tool(tool).to_dict()["tables"] == here.tool(tool).to_dict()["tables"]


def test_a_file_of_many_blocks_is_read_as_a_local_one(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_file, "BLOCK_BYTES", 4096)
    samples = [path for path in (SAMPLES / "torch_train").iterdir() if ".pt.trace.json" in path.name]
    for local in (*samples, *(SAMPLES / "gpu_streams").rglob("*.xplane.pb")):
        there, here = decode.read(store.put("b", local.name, local.read_bytes())), decode.read(str(local))
        there.check()
        assert (there.events.start_ps == here.events.start_ps).all()
        assert list(there.strings) == list(here.strings)


def test_in_memory(memory: Any, capsys: pytest.CaptureFixture[str]) -> None:
    memory.pipe(f"/{SESSION}/h.xplane.pb", capture())
    for path in ("memory://", "memory://logs", f"memory://{SESSION}/h.xplane.pb"):
        [run] = runs_at(path)
        assert run.hosts == ("h",)
        assert main(["overview", path, "--json"]) == 0
    assert main(["runs", "memory://logs"]) == 0
    assert "2026_11_20_09_00_00" in capsys.readouterr().out
    assert main(["overview", "memory://other"]) == 3
    assert "no such file, folder or bucket" in capsys.readouterr().err


def test_the_logdir_of_tensorboard(store: S3) -> None:
    filled(store, "two_hosts")
    logdir = Logdir.from_flags("s3://b/logs")
    snapshot = logdir.snapshot(WAIT_S)
    assert ([run.name for run in snapshot.runs], snapshot.notes) == (["two_hosts/2026_11_20_09_00_00"], ())
    assert snapshot.runs[0].hosts == ("worker-0", "worker-1")


def test_runs_stay_while_the_store_fails(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TTL_S", "MAX_TTL_S", "REMOTE_TTL_S"):
        monkeypatch.setattr(logdirs, name, 0.0)
    filled(store, "two_hosts")
    logdir = Logdir.from_flags("s3://b/logs")
    assert len(logdir.snapshot(WAIT_S).runs) == 1
    store.fault = lambda method, bucket, key: "InternalError"
    snapshot = logdir.snapshot(WAIT_S)
    assert len(snapshot.runs) == 1
    assert "the store failed" in snapshot.notes[0]
    store.fault = lambda method, bucket, key: None
    store.buckets["b"].clear()
    assert logdir.snapshot(WAIT_S).runs == ()


def test_reads_that_fail_now_and_then_are_tried_again(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    """One in a hundred, of each kind; of blocks so small that some are met."""
    monkeypatch.setattr(remote_file, "BLOCK_BYTES", 2048)
    [path] = (SAMPLES / "gpu_streams").rglob("*.xplane.pb")
    url = store.put("b", "h.xplane.pb", path.read_bytes())
    count = itertools.count()
    faults: Iterator[str | float] = itertools.cycle(["InternalError", "cut", "reset", 0.2, "SlowDown"])
    met: list[str | float] = []

    def fault(method: str, bucket: str, key: str) -> str | float | None:
        if next(count) % 100 != 50:
            return None
        met.append(next(faults))
        return met[-1]

    store.fault = fault
    there = decode.read(url)
    assert there.quality == decode.read(str(path)).quality
    assert len(met) >= 2


def failing(store: S3, code: str | float) -> str:
    url = store.put("b", f"{SESSION}/h.xplane.pb", capture())
    store.fault = lambda method, bucket, key: code
    return url


@pytest.mark.parametrize(
    ("fault", "error", "text"),
    [
        ("AccessDenied", UnreadableError, "may not read it"),
        ("ExpiredToken", UnreadableError, "expired"),
        ("InternalError", RemoteError, "the store failed"),
        ("reset", RemoteError, "the store"),
    ],
)
def test_what_the_store_refuses_is_one_sentence(store: S3, fault: str, error: type[PerfpluginError], text: str) -> None:
    url = failing(store, fault)
    with pytest.raises(error, match=text) as raised:
        decode.read(url)
    assert str(raised.value).startswith(f"{url}: ")
    assert "\n" not in str(raised.value)


def test_a_slow_store(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "TIMEOUT_S", 0.3)
    with pytest.raises(RemoteError, match="does not answer in time"):
        decode.read(failing(store, 3.0))


def test_a_store_that_hangs_is_given_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of three tries took 90 s."""
    monkeypatch.setattr(remote, "TIMEOUT_S", 0.2)
    tries = []

    def hangs(store: remote._Store, path: str) -> None:
        tries.append(path)
        time.sleep(0.2)
        raise asyncio.TimeoutError

    with pytest.raises(StoreError, match=r"does not answer in time \(90 s with all tries\); check the network"):
        remote.asked("memory://b/h.xplane.pb", hangs)
    assert len(tries) == 1


def test_nothing_there(store: S3) -> None:
    store.put("b", "x", b"")
    for url, text in (
        ("s3://b/nothing", "no such file, folder or bucket"),
        ("s3://none/x", "there is no bucket 'none'"),
        ("s3://b/x", "not named like a capture"),
        ("foo://b/x", "foo:// is not read"),
    ):
        with pytest.raises(NotFoundError, match=text):
            runs_at(url)
    with pytest.raises(NotFoundError, match="no such file"):
        decode.read("s3://b/h.xplane.pb")


def test_no_credentials(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put("b", "h.xplane.pb", capture())
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(UnreadableError, match="s3fs finds no usable credentials"):
        decode.read("s3://b/h.xplane.pb")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, store: S3) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    registry = importlib.import_module("fsspec.registry")
    monkeypatch.delitem(registry._registry, "s3", raising=False)
    with pytest.raises(NotFoundError, match=r"pip install 'tensorboard-perfplugin\[remote\]' s3fs"):
        runs_at("s3://b/logs")
    monkeypatch.setitem(sys.modules, "fsspec.registry", None)
    with pytest.raises(NotFoundError, match=r"pip install 'tensorboard-perfplugin\[remote\]'"):
        runs_at("memory://logs")


def test_a_file_that_is_replaced_while_it_is_read(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_file, "BLOCK_BYTES", 64)
    monkeypatch.setattr(remote_file, "AT_A_TIME", 1)
    one, other = capture("one", 20), capture("two", 20)
    url = store.put("b", "h.xplane.pb", one)
    gets = itertools.count()

    def replace(method: str, bucket: str, key: str) -> None:
        if method == "GET" and next(gets) == 1:
            store.put("b", "h.xplane.pb", other)

    store.fault = replace
    with pytest.raises(RemoteError, match="replaced while it was read"):
        decode.read(url)
    assert "two" in list(decode.read(url).strings)


def test_a_file_that_is_cut_shorter_while_it_is_read(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_file, "BLOCK_BYTES", 64)
    monkeypatch.setattr(remote_file, "AT_A_TIME", 1)
    url = store.put("b", "h.xplane.pb", capture(events=50))
    gets = itertools.count()

    def cut(method: str, bucket: str, key: str) -> None:
        if method == "GET" and next(gets) == 1:
            store.put("b", "h.xplane.pb", capture(events=50)[:80])

    store.fault = cut
    with pytest.raises(RemoteError, match="replaced while it was read"):
        decode.read(url)


def test_a_truncated_file_says_what_is_lost(store: S3) -> None:
    url = store.put("b", "h.xplane.pb", capture(events=50)[:-40])
    assert any(warning.code.startswith("xplane") for warning in decode.read(url).quality.warnings)


def test_a_host_that_cannot_be_read_is_named_and_the_others_are_shown(store: S3) -> None:
    url = filled(store, "two_hosts")
    profile = perfplugin.open(url)
    store.fault = lambda method, bucket, key: "AccessDenied" if "worker-1" in key and method == "GET" else None
    answer = profile.overview()
    assert answer.hosts == ("worker-0",)
    assert any(w.code == "host_left_out" for w in answer.quality.warnings)
    store.fault = lambda method, bucket, key: None
    assert profile.overview().hosts == ("worker-0", "worker-1")


def test_a_second_look_reads_no_capture(store: S3) -> None:
    url = filled(store, "two_hosts")
    first = perfplugin.open(url).overview().to_dict()
    store.asked.clear()
    assert perfplugin.open(url).overview().to_dict() == first
    assert not [path for method, path in store.asked if method == "GET" and "xplane" in path]
    # Another content of the same size is another file.
    [key] = [key for key in store.buckets["b"] if "worker-1" in key]
    store.put("b", key, capture())
    assert perfplugin.open(url).overview().to_dict() != first


def test_few_requests_open_a_session(store: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "KNOWN_S", 60.0)
    perfplugin.open(filled(store, "two_hosts")).overview()
    assert len(store.asked) <= 20


def test_the_doctor(store: S3, memory: Any) -> None:
    found = diagnose(filled(store, "two_hosts"))
    assert [each.code for each in found] == ["ok"]
    assert [each.code for each in diagnose("s3://b/none")] == ["remote_path"]
    store.put("b", "empty/x.txt", b"")
    assert [each.code for each in diagnose("s3://b/empty")] == ["remote_without_captures"]
    store.put("b", "bad/h.xplane.pb", b"")
    assert [each.case for each in diagnose("s3://b/bad")] == ["still_being_written"]
    store.buckets["b"]["bad/h.xplane.pb"].modified_s -= 3600
    assert [each.case for each in diagnose("s3://b/bad")] == ["empty_file"]
    store.fault = lambda method, bucket, key: "AccessDenied"
    assert "may not read" in diagnose("s3://b/logs")[0].cause


def test_many_folders_at_a_time(store: S3) -> None:
    for i in range(40):
        store.put("b", f"logs/r{i}/plugins/profile/s/h.xplane.pb", b"x")
    assert len(runs_at("s3://b/logs")) == 40


class _OfGoogleError(Exception):
    pass


@pytest.mark.parametrize(
    ("url", "error", "text", "passes"),
    [
        ("gs://b/x", type("DefaultCredentialsError", (Exception,), {})("none"), "gcsfs finds no usable", False),
        ("az://b/x", type("ClientAuthenticationError", (Exception,), {})("no"), "adlfs finds no usable", False),
        ("hf://d/x", type("RepositoryNotFoundError", (OSError,), {})("404"), "there is no bucket", False),
        ("gs://b/x", PermissionError("Anonymous caller does not have access"), "no usable credentials", False),
        ("gs://b/x", type("ServerTimeoutError", (Exception,), {})(), "in time", True),
        ("gs://b/x", _OfGoogleError("odd\nmore"), "the store failed: odd", True),
        ("gs://b/x", _OfGoogleError("x" * 500), "…", True),
    ],
)
def test_errors_of_other_libraries(url: str, error: Exception, text: str, passes: bool) -> None:
    found = store_error(url, error)
    assert text in str(found.strerror)
    assert (found.passes, "\n" in str(found.strerror)) == (passes, False)


def test_mistakes_in_code_are_not_hidden(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(memory), "info", functools.partialmethod(lambda self, path: self.nothing))
    with pytest.raises(AttributeError):
        stores.status("memory://x")
