"""Many workers, one session: who is missing, who is asked again, when all begin, what a cancel and an error leave."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.capture import Address, Allowed, CaptureError, Options, Progress, capturing, run, worker
from tensorboard_perfplugin.capture.session import DiskError, Session
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.logdir import record_in
from tests.capture.fake_server import SMALL, FakeProfiler, answering, listening, serving

SHORT = Options(duration_ms=50)
#: Port 1 of loopback: nothing listens there.
CLOSED = Address("127.0.0.1", 1)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "BACK_OFF_S", 0.01)


@pytest.fixture
def two() -> Iterator[list[tuple[FakeProfiler, Address]]]:
    fakes = [FakeProfiler(), FakeProfiler()]
    with ExitStack() as stack:
        yield [(fake, stack.enter_context(serving(fake))) for fake in fakes]


def files(logdir: Path) -> list[str]:
    return sorted(str(path.relative_to(logdir)) for path in logdir.rglob("*"))


def test_workers_are_captured_into_one_session(two: list[tuple[FakeProfiler, Address]], tmp_path: Path) -> None:
    a, b = (address for _, address in two)
    made = run([a, b], tmp_path / "logs", replace(SHORT, session="mine"))
    assert (made.session, made.path) == ("mine", str(tmp_path / "logs/plugins/profile/mine"))
    assert [(each.address, each.kind, each.file, each.size_bytes, each.attempts) for each in made.hosts] == [
        (str(a), "ok", f"{a.stem}.xplane.pb", len(SMALL), 1),
        (str(b), "ok", f"{b.stem}.xplane.pb", len(SMALL), 1),
    ]
    assert sorted(os.listdir(made.path)) == sorted([f"{a.stem}.xplane.pb", f"{b.stem}.xplane.pb", "capture.json"])
    assert {(Path(made.path) / each.file).read_bytes() for each in made.hosts} == {SMALL}


def test_what_is_noted_beside_the_captures(two: list[tuple[FakeProfiler, Address]], tmp_path: Path) -> None:
    before_ns, (_, a) = time.time_ns(), two[0]
    made = run([a, CLOSED], tmp_path, replace(SHORT, python_tracer_level=1), series="hourly")
    record = record_in(made.path)
    assert record
    assert (record.session, record.series) == (made.session, "hourly")
    assert record.options == replace(SHORT, python_tracer_level=1).as_dict()
    assert set(record.versions) == {"perfplugin", "grpcio", "python"}
    assert [(each.address, each.kind, each.file, each.size_bytes, each.attempts) for each in record.workers] == [
        (str(a), "ok", f"{a.stem}.xplane.pb", len(SMALL), 1),
        (str(CLOSED), "closed", "", 0, 1),
    ]
    times = [(record.started_ns, record.ended_ns), *((each.started_ns, each.ended_ns) for each in record.workers)]
    assert all(before_ns <= started <= ended <= time.time_ns() for started, ended in times)
    [warning] = record.warnings()
    assert (warning.code, warning.params["address"]) == ("worker_missing", str(CLOSED))
    assert str(warning.params["message"]).startswith("nothing listens on this port")


def test_the_session_is_named_by_the_time_at_which_it_was_recorded(
    two: list[tuple[FakeProfiler, Address]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    before = time.time()
    made = [run([two[0][1]], tmp_path, SHORT) for _ in range(2)]
    stamps = [time.mktime(time.strptime(each.session[:19], "%Y_%m_%d_%H_%M_%S")) for each in made]
    assert all(before - 1 <= stamp <= time.time() for stamp in stamps)
    assert made[0].session != made[1].session


def test_nobody_gives_anything(tmp_path: Path) -> None:
    with pytest.raises(CaptureError) as raised:
        run([CLOSED, Address("127.0.0.1", 2)], tmp_path / "logs", SHORT)
    assert str(raised.value).startswith(
        "none of 2 workers returned a profile: 127.0.0.1:1: nothing listens on this port. Check the port"
    )
    assert [(each.kind, each.file) for each in raised.value.hosts] == [("closed", ""), ("closed", "")]
    assert files(tmp_path) == []


def test_only_what_is_allowed_is_asked(two: list[tuple[FakeProfiler, Address]], tmp_path: Path) -> None:
    (a, at), (b, other) = two
    made = run([at, other], tmp_path, SHORT, allowed=Allowed.parse(str(at)))
    assert [each.kind for each in made.hosts] == ["ok", "refused"]
    assert (len(a.recorded), b.requests) == (1, [])


@pytest.mark.parametrize("fault", ["busy", "empty"])
def test_one_that_may_have_something_later_is_asked_again(tmp_path: Path, fault: str) -> None:
    fake = FakeProfiler(faults=[fault, fault])
    states: list[str] = []
    with serving(fake) as address:
        made = run([address], tmp_path, SHORT, progress=lambda now: states.append(now.hosts[0].message))
    assert [(each.kind, each.attempts) for each in made.hosts] == [("ok", 3)]
    assert len({request.session_id for request in fake.recorded}) == len(fake.recorded)


@pytest.mark.parametrize("fault", ["busy", "empty"])
def test_and_not_for_ever(tmp_path: Path, fault: str) -> None:
    with serving(FakeProfiler(faults=[fault] * 9)) as address, pytest.raises(CaptureError) as raised:
        run([address], tmp_path, replace(SHORT, retries=2))
    assert [(each.kind, each.attempts) for each in raised.value.hosts] == [(fault, 3)]
    assert files(tmp_path) == []


def test_a_busy_one_is_asked_again_after_1_to_8_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    waited: list[float | None] = []

    class Stop(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(timeout)
            return False

    with serving(FakeProfiler(faults=["busy"] * 6)) as address:
        asking = worker.Worker(address, Options(retries=6), None, Stop())
        asking.check(patient=True)
    assert (asking.outcome, waited) == (None, [1, 2, 4, 8, 8, 8])


def test_where_nothing_is_to_be_recorded_nobody_is_asked(tmp_path: Path) -> None:
    """It took the whole duration to hear of it. What an advanced option turns on is the server's to say."""
    nothing = replace(SHORT, host_tracer_level=0, device_tracer_level=0)
    fake = FakeProfiler()
    with serving(fake) as address:
        with pytest.raises(ArgumentError, match="are all 0: nothing would be recorded"):
            run([address], tmp_path, nothing)
        assert fake.requests == []
        with pytest.raises(CaptureError, match="All tracer levels are 0"):
            run([address], tmp_path, replace(nothing, advanced={"x": 1}, retries=0))
    assert files(tmp_path) == []


def test_what_asking_again_does_not_change_is_not_asked_again(tmp_path: Path) -> None:
    fake = FakeProfiler(faults=[("PERMISSION_DENIED", "no"), ("PERMISSION_DENIED", "no")])
    with serving(fake) as address, pytest.raises(CaptureError, match=r"the server failed: no") as raised:
        run([address], tmp_path, SHORT)
    assert (raised.value.hosts[0].attempts, len(fake.recorded)) == (1, 1)


def test_one_that_is_busy_holds_up_no_other(two: list[tuple[FakeProfiler, Address]], tmp_path: Path) -> None:
    (_, at), (slow, other) = two
    slow.faults = ["busy"]
    recorded, wait = threading.Event(), slow._wait

    def after(request: Any, context: Any) -> None:
        assert not request.opts.duration_ms or recorded.wait(20)
        wait(request, context)

    def watch(now: Progress) -> None:
        if now.hosts[0].kind == "ok":
            recorded.set()

    slow._wait = after  # type: ignore[method-assign]
    made = run([at, other], tmp_path, SHORT, progress=watch)
    assert [(each.kind, each.attempts) for each in made.hosts] == [("ok", 1), ("ok", 2)]


def test_together_all_begin_at_one_time(two: list[tuple[FakeProfiler, Address]], tmp_path: Path) -> None:
    before_ns = time.time_ns()
    made = run([address for _, address in two], tmp_path, replace(SHORT, together=True))
    (start_a,), (start_b,) = ([each.opts.start_timestamp_ns for each in fake.recorded] for fake, _ in two)
    assert start_a == start_b
    assert start_a >= before_ns + 10**9
    assert [each.kind for each in made.hosts] == ["ok", "ok"]


def test_a_delay_is_waited_for_here(tmp_path: Path) -> None:
    """A server that is told to begin later is busy until then, and does not hear of a cancel."""
    fake, phases = FakeProfiler(), []

    def watch(now: Progress) -> None:
        phases.append((now.phase, len(fake.recorded)))

    with serving(fake) as address:
        run([address], tmp_path, replace(SHORT, delay_ms=300), progress=watch)
    assert ("waiting", 0) in phases
    assert ("waiting", 1) not in phases
    assert [each.opts.start_timestamp_ns for each in fake.recorded] == [0]


def test_progress(two: list[tuple[FakeProfiler, Address]], tmp_path: Path) -> None:
    told: list[Progress] = []
    (fake, address), seen = two[0], threading.Event()
    # It records until that was seen, however long it takes.
    fake._wait = lambda request, context: None if not request.opts.duration_ms else seen.wait(20)  # type: ignore[method-assign, assignment]

    def watch(now: Progress) -> None:
        told.append(now)
        if now.phase == "recording":
            seen.set()

    run([address, CLOSED], tmp_path, Options(duration_ms=600_000, delay_ms=300), progress=watch)
    order = list(dict.fromkeys(each.phase for each in told))
    assert [phase for phase in order if phase not in ("receiving", "writing")] == [
        "checking",
        "waiting",
        "recording",
        "done",
    ]
    assert [each.elapsed_s for each in told] == sorted(each.elapsed_s for each in told)
    assert all(each.total_s >= 600.3 for each in told)
    last = told[-1].hosts
    assert [(each.kind, each.received_bytes) for each in last] == [("ok", len(SMALL)), ("closed", 0)]


def cancelled_when(phase: str, addresses: list[Address], logdir: Path, options: Options) -> CaptureError:
    cancel = threading.Event()

    def watch(now: Progress) -> None:
        if now.phase == phase:
            cancel.set()

    with pytest.raises(CaptureError, match="the capture was cancelled; nothing was written") as raised:
        run(addresses, logdir, options, progress=watch, cancel=cancel)
    return raised.value


@pytest.mark.parametrize("phase", ["waiting", "recording"])
def test_a_cancel_leaves_nothing(two: list[tuple[FakeProfiler, Address]], tmp_path: Path, phase: str) -> None:
    options = Options(duration_ms=60_000, delay_ms=60_000 if phase == "waiting" else 0)
    error = cancelled_when(phase, [address for _, address in two], tmp_path / "logs", options)
    assert [each.kind for each in error.hosts] == ["cancelled", "cancelled"]
    assert files(tmp_path) == []
    for fake, _ in two:
        assert fake.terminated == [each.session_id for each in fake.recorded]


def test_a_cancel_takes_back_what_came_from_others(
    two: list[tuple[FakeProfiler, Address]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "BACK_OFF_S", 60)
    (_, at), (busy, other) = two
    busy.faults = ["busy"] * 9
    cancel = threading.Event()

    def watch(now: Progress) -> None:
        if now.hosts[0].kind == "ok":
            cancel.set()

    with pytest.raises(CaptureError) as raised:
        run([at, other], tmp_path / "logs", SHORT, progress=watch, cancel=cancel)
    assert [(each.kind, each.file) for each in raised.value.hosts] == [("cancelled", ""), ("cancelled", "")]
    assert files(tmp_path) == []


def test_an_interrupt_leaves_nothing(two: list[tuple[FakeProfiler, Address]], tmp_path: Path) -> None:
    def interrupted(now: Progress) -> None:
        if now.phase == "recording":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run([address for _, address in two], tmp_path / "logs", Options(duration_ms=60_000), progress=interrupted)
    assert files(tmp_path) == []
    assert [len(fake.terminated) for fake, _ in two] == [1, 1]


def test_a_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it allows: the recording, as long again, half a minute at least, and the budget at 20 MB/s."""
    assert worker.deadline_s(Options(duration_ms=2000, budget_bytes=100_000_000)) == 2 + 30 + 5
    assert worker.deadline_s(Options(duration_ms=100_000, budget_bytes=100_000_000)) == 100 + 100 + 5
    monkeypatch.setattr(worker, "GATHER_S", 0.2)
    monkeypatch.setattr(worker, "SLOWEST_BYTES_PER_S", 1e12)
    never = answering(lambda stream: None)
    with listening(never) as address, pytest.raises(CaptureError, match="no result within") as raised:
        run([address], tmp_path / "logs", SHORT)
    assert [each.kind for each in raised.value.hosts] == ["deadline"]
    assert files(tmp_path) == []


def test_a_deadline_of_one_whose_clock_is_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for a time that has not come there."""
    for name, value in (("GATHER_S", 0.2), ("SLOWEST_BYTES_PER_S", 1e12)):
        monkeypatch.setattr(worker, name, value)
    monkeypatch.setattr(capturing, "AHEAD_S", 0.05)
    with serving(FakeProfiler()) as address, listening(answering(lambda stream: None)) as behind:
        made = run([address, behind], tmp_path, replace(SHORT, together=True))
    assert [each.kind for each in made.hosts] == ["ok", "deadline"]
    assert made.hosts[1].message.endswith("this worker's clock may be behind")


def test_a_logdir_that_cannot_be_written_to_is_found_before(tmp_path: Path) -> None:
    fake = FakeProfiler()
    (tmp_path / "logs").write_text("a file")
    with serving(fake) as address, pytest.raises(DiskError, match="captures cannot be written to this logdir"):
        run([address], tmp_path / "logs", SHORT)
    assert fake.requests == []


def full(monkeypatch: pytest.MonkeyPatch, of: Callable[[str], bool]) -> None:
    """A disk on which the files of some workers find no room."""
    write = Session._write

    def writing(session: Session, name: str, *more: object) -> None:
        if of(name):
            raise OSError(28, "No space left on device")
        write(session, name, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "_write", writing)


def test_a_disk_that_takes_one_of_two(
    two: list[tuple[FakeProfiler, Address]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = (address for _, address in two)
    full(monkeypatch, lambda name: name.startswith(b.stem))
    made = run([a, b], tmp_path, SHORT)
    assert [each.kind for each in made.hosts] == ["ok", "disk_full"]
    assert made.hosts[1].message.startswith(f"{b}: {tmp_path}: the disk is full")
    assert sorted(os.listdir(made.path)) == [f"{a.stem}.xplane.pb", "capture.json"]


@pytest.mark.parametrize("name", [".xplane.pb", "capture.json"])
def test_a_disk_that_takes_nothing(
    two: list[tuple[FakeProfiler, Address]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    full(monkeypatch, lambda file: file.endswith(name))
    with pytest.raises(CaptureError, match="the disk is full") as raised:
        run([address for _, address in two], tmp_path / "logs", SHORT)
    assert {each.kind for each in raised.value.hosts} == {"disk_full"}
    assert files(tmp_path) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_of_ours_loses_only_its_own_worker(
    two: list[tuple[FakeProfiler, Address]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = (address for _, address in two)
    write = Session.write

    def writing(session: Session, stem: str, *more: object) -> str:
        if stem == a.stem:
            raise RuntimeError("a bug")
        return write(session, stem, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "write", writing)
    made = run([a, b], tmp_path, SHORT)
    assert [each.kind for each in made.hosts] == ["failed", "ok"]


def test_no_address(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="no address"):
        run([], tmp_path, SHORT)


def test_a_server_of_two_names_is_asked_once(tmp_path: Path) -> None:
    """It would be recorded once after the other, and be counted as two workers."""
    fake = FakeProfiler()
    with serving(fake) as address:
        made = run(f"{address},localhost:{address.port}", tmp_path, SHORT)
    assert [(each.kind, each.message) for each in made.hosts] == [
        ("ok", ""),
        (
            "same",
            (
                f"localhost:{address.port}: the same server as {address}, which is captured. "
                "Remove one of the two addresses"
            ),
        ),
    ]
    assert (len(fake.recorded), len(list(Path(made.path).glob("*.xplane.pb")))) == (1, 1)


def test_an_address_given_twice_is_asked_once(two: list[tuple[FakeProfiler, Address]], tmp_path: Path) -> None:
    made = run(f"grpc://{two[0][1]},{two[0][1]}", str(tmp_path), SHORT)
    assert len(made.hosts) == 1
