"""Memory snapshots: how much of one is read. Literal numbers, on both sides."""

from __future__ import annotations

import base64
import pickle
from types import SimpleNamespace
from typing import Any

import pytest

from tensorboard_perfplugin.decode.memory_snapshot import forms
from tensorboard_perfplugin.errors import UnreadableError
from tests.snapshots import FORWARD, MIB, Device, pickled, snapshot

from .test_memory_snapshots import read


def made() -> dict[str, Any]:
    device = Device()
    device.alloc(3 * MIB, FORWARD)
    return snapshot([device])


@pytest.mark.parametrize(("before", "events"), [(9_999, 2), (10_000, 0)])
def test_ten_thousand_devices_are_read(before: int, events: int) -> None:
    content = made()
    content["device_traces"] = [*([] for _ in range(before)), *content["device_traces"]]
    assert len(read(pickle.dumps(content)).events) == events


@pytest.mark.parametrize(("given", "device"), [(10_000, 10_000), (10_001, 10_000)])
def test_numbers_of_devices_of_segments(given: int, device: int) -> None:
    content = made()
    content["segments"][0]["device"] = given
    allocator = read(pickle.dumps(content)).allocator
    assert allocator is not None
    assert allocator.segments.device.tolist() == [device]


def test_of_settings_a_thousand_are_kept_a_thousand_letters_each() -> None:
    content = made()
    content["allocator_settings"] = {f"{i:04}" + "k" * 997: "v" * 1001 for i in range(1001)}
    allocator = read(pickle.dumps(content)).allocator
    assert allocator is not None
    assert len(allocator.settings) == 1000
    assert {(len(key), len(value)) for key, value in allocator.settings} == {(1000, 1000)}


@pytest.mark.parametrize(("before", "is_found"), [(65_000, True), (66_000, False)])
def test_how_far_a_page_is_looked_at_for_its_snapshot(before: int, is_found: bool) -> None:
    text = (
        b"<!DOCTYPE html>".ljust(before)
        + b'[{"name": "s", "base64": "'
        + base64.b64encode(pickled([Device()]))
        + b'"}]'
    )
    source: Any = SimpleNamespace(data=memoryview(text), head=text[:100], unreadable=lambda: UnreadableError("none"))
    if is_found:
        assert bytes(forms.pickled(source)) == pickled([Device()])
    else:
        with pytest.raises(UnreadableError):
            forms.pickled(source)


@pytest.mark.parametrize(("size", "is_read"), [(1 << 30, True), ((1 << 30) + 1, False)])
def test_a_snapshot_as_json_has_a_gibibyte_at_most(size: int, is_read: bool) -> None:
    class Long(bytes):
        def __len__(self) -> int:
            return size

    source: Any = SimpleNamespace(data=Long(b"{}"), path="")
    if is_read:
        assert pickle.loads(forms._of_json(source)) == {}
    else:
        with pytest.raises(UnreadableError, match="more than 1024 MiB"):
            forms._of_json(source)


@pytest.mark.parametrize(("apart_us", "is_real"), [(10**12, True), (10**12 + 1, False)])
def test_actions_lie_eleven_days_apart_at_most(apart_us: int, is_real: bool) -> None:
    content = made()
    first, last = content["device_traces"][0]
    last["time_us"] = first["time_us"] + apart_us
    capture = read(pickle.dumps(content))
    assert (capture.start_ns is not None) is is_real
    assert capture.events.start_ps.tolist() == [0, apart_us * 10**6 if is_real else 10**6]
