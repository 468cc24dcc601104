"""Collectives between slices of TPUs, which Megascale's runtime on the host carries out: a capture in a few lines."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.split.device import slice_transfers_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.collectors import Tpu
from tests.tools.pod_viewer.test_collectives import ask, rows

US = 1000
DEVICE: dict[str, StatValue] = {"device_type_string": "TPU v5"}
#: As XLA writes them; what ends a transfer has but its channel, as in captures of older programs.
ATTRIBUTES = (
    'frontend_attributes={_xla_host_transfer_handler_name="xla_megascale_runtime",'
    '_xla_host_transfer_rendezvous="psum.7_0",_xla_megascale_reduce_operation="SUM",'
    '_xla_megascale_target="{1,2}x{0:3}",_xla_megascale_transfer_type="ALL_REDUCE"}'
)
STATE = "f32[1000]{0}, u32[]{:S(2)}, token[]"
SEND = f"%send.3 = ({STATE}) send(%x, %a), channel_id=1, is_host_transfer=true, {ATTRIBUTES}"
SENT = f"%send-done.3 = token[] send-done(({STATE}) %send.3), channel_id=1, is_host_transfer=true"
RECV = f"%recv.4 = ({STATE}) recv(%a), channel_id=2, is_host_transfer=true, {ATTRIBUTES}"
GOT = (
    f"%recv-done.4 = (f32[1000]{{0:T(1024)}}, token[]) recv-done(({STATE}) %recv.4), channel_id=2, "
    "is_host_transfer=true"
)
#: A transfer to the host that is no collective, as of `jax.debug.print`.
HOST = (
    "%send.9 = (f32[8], u32[], token[]) send(%y, %a), channel_id=3, is_host_transfer=true, "
    'frontend_attributes={_xla_host_transfer_rendezvous="print"}'
)


def trained(waits_us: int, host: str = "h") -> Timeline:
    """Two steps of 400 µs of a chip: 1 + 2 + 1 µs of sending, 100 of work, then a wait for what is received."""
    tpu = Tpu(DEVICE, 1)
    work = tpu.kind(0, "%fusion.1 = f32[256] fusion(f32[256] %x)", "loop fusion")
    send, recv = tpu.kind(0, SEND, "host send"), tpu.kind(0, RECV, "host recv")
    sent, got = tpu.kind(0, SENT, "host send-done"), tpu.kind(0, GOT, "host recv-done")
    printed = tpu.kind(0, HOST, "host send")
    for step in range(2):
        ops = [(send, US), (sent, 2 * US), (recv, US), (work, 100 * US), (got, waits_us * US), (printed, 5 * US)]
        tpu.step(0, step, (step * 400 * US, (step * 400 + 109 + waits_us) * US), ops)
    return timeline(tpu.space, host)


def test_an_exchange_is_one_collective() -> None:
    names = ("kind", "group", "ranks", "group_size", "workers", "count", "bytes", "total_ms", "mean_us")
    assert [tuple(row.values()) for row in rows(ask(trained(80)), "collectives", *names)] == [
        ("all-reduce", "between slices", "{1,2}x{0:3}", 2, 1, 2, 8000, pytest.approx(0.16), pytest.approx(80))
    ]


def test_slices_show_who_came_late() -> None:
    """The second slice sends 50 µs later: it waits that much less. Both are done at one time."""
    answer = ask(trained(80, "a"), trained(30, "b"))
    [row] = rows(answer, "collectives", "collective_count", "skew_us", "last_worker", "peer_wait_ms")
    assert row["collective_count"] == 2
    assert row["skew_us"] == pytest.approx(50)
    assert row["last_worker"].startswith("b")


def test_all_of_an_exchange_is_time_of_collectives() -> None:
    """1 + 2 + 1 + 80 of 189 µs; what goes to the host for another reason is output."""
    shown = rows(answered(OVERVIEW, trained(80)).to_dict(), "steps", "collective_ms", "output_ms")
    assert [tuple(row.values()) for row in shown] == [(pytest.approx(0.084), pytest.approx(0.005))] * 2


def test_what_ends_a_transfer_is_found_by_its_channel() -> None:
    found = sorted((one.opcode, one.kind, one.slices) for one in slice_transfers_of(trained(80)).values())
    assert found == [(opcode, "all-reduce", 2) for opcode in ("recv", "recv-done", "send", "send-done")]
