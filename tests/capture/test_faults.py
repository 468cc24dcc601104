"""Everything that can go wrong with a server, from outside: what is said of it, and that nothing is left behind."""

from __future__ import annotations

import os
import resource
import socket
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_perfplugin.capture import Address, CaptureError, Options, run

from .fake_server import SMALL, FakeProfiler, answering, listening, serving
from .http2 import ClosedError, Stream, header, prefixed

OPTIONS = Options(duration_ms=20, retries=0, budget_bytes=16 << 20)
REPLY = b"\x42" + bytes([0x8B, 0x02]) + SMALL


def failed(address: Address, logdir: Path, options: Options = OPTIONS) -> tuple[str, str]:
    """Kind and message, without the address before it."""
    with pytest.raises(CaptureError) as caught:
        run([address], logdir, options)
    (outcome,) = caught.value.hosts
    assert outcome.message.isprintable()
    assert not list(logdir.iterdir())
    return outcome.kind, outcome.message.removeprefix(f"{address}: ")


def test_the_reply_that_faults_are_made_of_is_a_good_one(tmp_path: Path) -> None:
    with listening(answering(lambda stream: stream.answer(REPLY))) as address:
        (outcome,) = run([address], tmp_path, OPTIONS).hosts
    assert (outcome.kind, outcome.size_bytes) == ("ok", len(SMALL))


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        (
            "busy",
            "busy",
            (
                "another profile is being recorded there, by someone else or by the program itself. "
                "Try again when it has ended"
            ),
        ),
        (
            "empty",
            "empty",
            (
                "no event in 20 ms of recording. Record for longer, while the program computes; check that it was not "
                "started with TF_DISABLE_PROFILING, and on a GPU, that it may use CUPTI (run `perfplugin check` there)"
            ),
        ),
        (
            # Neither a capture nor that there was nothing.
            b"",
            "old_server",
            (
                "this profiler server is too old to send a capture back: it only writes files on its own machine. "
                "Update the program to TensorFlow 2.21 or JAX 0.9. Without an update, a TensorFlow program that does "
                "not load JAX can be captured on its own machine by its own user, and any program can record itself "
                "with tensorboard_perfplugin.profile"
            ),
        ),
        (b"garbage!", "wrong_answer", "the answer is not a profiler's: the answer cannot be read from byte 0 of 8 on"),
        (
            REPLY[:-1],
            "wrong_answer",
            "the answer is not a profiler's: the answer ends within a field, after 266 bytes of it",
        ),
        (
            b"\x40\x05",
            "wrong_answer",
            "the answer is not a profiler's: field 8 has an unexpected type",
        ),
        (
            ("INTERNAL", "TensorFlow Profiler is permanently disabled by env var TF_DISABLE_PROFILING."),
            "failed",
            (
                "the server failed: TensorFlow Profiler is permanently disabled by env var TF_DISABLE_PROFILING "
                "(INTERNAL). Start the program without that variable in its environment"
            ),
        ),
        (
            ("INTERNAL", "CUPTI: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"),
            "failed",
            (
                "the server failed: CUPTI: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (INTERNAL). "
                "Run `perfplugin check` on that machine to see how to permit GPU tracing"
            ),
        ),
        (("UNKNOWN", ""), "failed", "the server failed: no reason given (UNKNOWN)"),
        (("UNAVAILABLE", "no\nroom\x1b[2J"), "failed", "the server failed: no room?[2J (UNAVAILABLE)"),
        (("DATA_LOSS", "x" * 20_000), "failed", f"the server failed: {'x' * 299}… (DATA_LOSS)"),
    ],
)
def test_what_a_profiler_answers_instead(
    fault: str | bytes | tuple[str, str], kind: str, message: str, tmp_path: Path
) -> None:
    with serving(FakeProfiler(faults=[fault])) as address:
        assert failed(address, tmp_path) == (kind, message)


def test_an_empty_result_of_levels_that_are_all_off(tmp_path: Path) -> None:
    off = Options(duration_ms=20, retries=0, host_tracer_level=0, device_tracer_level=0, advanced={"x": 1})
    with serving(FakeProfiler()) as address:
        assert failed(address, tmp_path, off) == (
            "empty",
            "no event in 20 ms of recording. All tracer levels are 0: set that of the host, the device or Python",
        )


def half(stream: Stream) -> None:
    """A message of 1 MiB of which some comes."""
    stream.begin()
    stream.send(prefixed(b"\x42\x80\x80\x40" + bytes(5000), length=1 << 20))


def closes(stream: Stream) -> None:
    half(stream)
    raise ClosedError


def resets(stream: Stream) -> None:
    half(stream)
    stream.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise ClosedError


def resets_the_call(stream: Stream) -> None:
    half(stream)
    stream.frame(3, 0, stream.number, b"\x00\x00\x00\x02")


def says_that_it_was_all(stream: Stream) -> None:
    half(stream)
    stream.end()


def no_message(stream: Stream) -> None:
    stream.begin()
    stream.end()


def compressed(stream: Stream) -> None:
    stream.begin()
    stream.send(prefixed(REPLY, compressed=True))
    stream.end()


def headers_that_are_none(stream: Stream) -> None:
    stream.frame(1, 4, stream.number, b"\xff\xff\xff\xff")


def a_web_page(stream: Stream) -> None:
    stream.send_headers((":status", "503"), ("content-type", "text/html"))
    stream.send(b"<html>")


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        (closes, "cut"),
        (resets, "cut"),
        (resets_the_call, "cut"),
        (says_that_it_was_all, "cut"),
        (no_message, "cut"),
        (compressed, "wrong_answer"),
        (headers_that_are_none, "wrong_answer"),
        (a_web_page, "not_grpc"),
    ],
)
def test_what_comes_over_the_connection_instead(script: Callable[[Stream], None], kind: str, tmp_path: Path) -> None:
    with listening(answering(script)) as address:
        assert failed(address, tmp_path)[0] == kind


def test_a_result_of_3_gb_is_refused_by_its_length(tmp_path: Path) -> None:
    """What comes before the refusal is what the first windows hold, not what the budget allows."""
    streams: list[Stream] = []

    def huge(stream: Stream) -> None:
        streams.append(stream)
        stream.begin()
        stream.send(prefixed(b"", length=3 << 30))
        for _ in range(3 << 10):
            stream.send(bytes(1 << 20))

    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with listening(answering(huge)) as address:
        kind, message = failed(address, tmp_path, Options(duration_ms=20))
    assert (kind, message) == (
        "too_large",
        (
            "the result (3 GiB) exceeds the budget of 512 MiB. Record for a shorter time, lower the host tracer "
            "level, turn the Python tracer off, or raise the budget"
        ),
    )
    assert streams[0].sent <= 16 << 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb <= 64 << 10


def test_a_header_that_is_endless_is_not_held(tmp_path: Path) -> None:
    def endless(stream: Stream) -> None:
        stream.frame(1, 0, stream.number, header(":status", "200"))
        while True:
            stream.frame(9, 0, stream.number, header("x", "y" * 100) * 100)

    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with listening(answering(endless)) as address:
        kind, _ = failed(address, tmp_path)
    assert kind in ("cut", "failed", "wrong_answer")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb <= 64 << 10


def test_a_server_that_crashes_while_it_records(tmp_path: Path) -> None:
    def crashes(stream: Stream) -> None:
        raise ClosedError

    with listening(answering(crashes)) as address:
        kind, message = failed(address, tmp_path)
    assert kind == "cut"
    assert message.endswith("The program may have ended")


def test_files_of_others_stay(tmp_path: Path) -> None:
    """A failure takes back what it made, and no more."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "events.out").write_text("x")
    with serving(FakeProfiler(faults=["empty"])) as address, pytest.raises(CaptureError):
        run([address], tmp_path, OPTIONS)
    assert sorted(os.listdir(tmp_path)) == ["events.out", "plugins"]
    assert not os.listdir(tmp_path / "plugins")
