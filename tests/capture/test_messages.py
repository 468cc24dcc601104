"""Options → requests, field by field; replies → where the capture lies, or what is wrong with them."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2
from hypothesis import example, given
from hypothesis import strategies as st

from tensorboard_perfplugin.capture import Options
from tensorboard_perfplugin.capture.request import WorkerError
from tensorboard_perfplugin.capture.server import status
from tensorboard_perfplugin.capture.server.status import read_reply
from tests.build_capture import chunk, number
from tests.decode.test_descriptor import in_descriptor, in_proto

from .fake_server import SMALL

FOLDER = Path(status.__file__).parent


def test_descriptor_is_that_of_the_proto() -> None:
    (file,) = descriptor_pb2.FileDescriptorSet.FromString((FOLDER / "profiler_service.desc").read_bytes()).file
    text = (FOLDER / "profiler_service.proto").read_text()
    declared = in_proto(text)
    assert len(declared) == 12
    assert in_descriptor(file) == declared
    assert (file.syntax, file.package) == ("proto3", re.findall(r"^package (.*);", text, re.MULTILINE)[0])


def test_every_level_is_sent_and_both_durations() -> None:
    """Version 0 would make the server take levels of its own; older servers read the duration of the request."""
    options = Options(duration_ms=1500, advanced={"a": "x", "b": True, "c": -1})
    request = status.profile_request(options, "id", "trainer:6009", start_ns=7)
    assert str(request) == (
        "duration_ms: 1500\n"
        "max_events: 1000000\n"
        'tools: "xplane.pb"\n'
        "opts {\n"
        "  include_dataset_ops: true\n"
        "  host_tracer_level: 2\n"
        "  device_tracer_level: 1\n"
        "  version: 1\n"
        "  enable_hlo_proto: true\n"
        "  start_timestamp_ns: 7\n"
        "  duration_ms: 1500\n"
        '  advanced_configuration {\n    key: "a"\n    value {\n      text: "x"\n    }\n  }\n'
        '  advanced_configuration {\n    key: "b"\n    value {\n      flag: true\n    }\n  }\n'
        '  advanced_configuration {\n    key: "c"\n    value {\n      number: -1\n    }\n  }\n'
        "}\n"
        'session_id: "id"\n'
        'host_name: "trainer:6009"\n'
        "emit_xspace: true\n"
    )


def test_a_probe_asks_for_no_time_of_nothing() -> None:
    assert str(status.probe_request("id")) == (
        "opts {\n  version: 1\n  device_type: 1\n}\n"
        'repository_root: "/dev/null/perfplugin"\nsession_id: "id"\nhost_name: "probe"\nemit_xspace: true\n'
    )


@pytest.mark.parametrize(
    "reply",
    [
        chunk(8, SMALL),
        chunk(99, b"later") + number(98, 1) + chunk(8, SMALL) + number(7, 0),
        # Parts of a message are, by protobuf's rules, its fields one after the other.
        chunk(8, SMALL[:0]) + chunk(8, SMALL),
        number(99, 1) * 4095 + chunk(8, SMALL),
        # Servers of Cloud TPUs give a capture as a tool's result.
        chunk(6, chunk(1, b"overview.pb") + chunk(2, b"x")) + chunk(6, chunk(1, b"xplane.pb") + chunk(2, SMALL)),
    ],
)
def test_the_capture_is_found_in_a_reply(reply: bytes) -> None:
    found = read_reply(reply)
    assert (bytes(found.xspace or b""), found.empty) == (SMALL, False)


def test_the_capture_is_not_copied() -> None:
    data = chunk(8, SMALL)
    xspace = read_reply(data).xspace
    assert xspace is not None
    assert xspace.obj is data


@pytest.mark.parametrize(
    ("reply", "xspace", "empty"),
    [(b"", None, False), (number(7, 1), None, True), (number(7, 1) + chunk(8, b""), b"", True)],
)
def test_a_reply_without_events(reply: bytes, xspace: bytes | None, empty: bool) -> None:
    found = read_reply(reply)
    assert (None if found.xspace is None else bytes(found.xspace), found.empty) == (xspace, empty)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (b"garbage!", "the answer cannot be read from byte 0 of 8 on"),
        (chunk(8, SMALL)[:-1], "the answer ends within a field, after 266 bytes of it"),
        (b"\x42\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "the answer ends within a field, after 0 bytes of it"),
        (number(8, 5), "field 8 has an unexpected type"),
        (chunk(7, b"x"), "field 7 has an unexpected type"),
        (chunk(8, chunk(5, b"x")), "field 5 of the capture is not a field of an XSpace"),
        (chunk(8, number(1, 3)), "field 1 of the capture is not a field of an XSpace"),
        (chunk(8, SMALL[:-1]), "the capture in it ends within a field, after 6 bytes of it"),
        (chunk(8, b"<html>"), "the capture in it cannot be read from byte 0 of 6 on"),
        (number(99, 1) * 4097, "the answer has more than 4096 fields"),
    ],
)
def test_what_is_no_profilers_reply_is_named(reply: bytes, problem: str) -> None:
    with pytest.raises(WorkerError) as caught:
        read_reply(reply)
    assert caught.value.kind == "wrong_answer"
    assert caught.value.message == f"the answer is not a profiler's: {problem}"


@given(st.binary(max_size=60).map(lambda data: chunk(8, SMALL)[:40] + data) | st.binary(max_size=60))
@example(b"\x43" * 200)
def test_any_bytes_are_a_reply_or_refused(data: bytes) -> None:
    with suppress(WorkerError):
        assert isinstance(read_reply(data).empty, bool)
