"""Collectives of XLA programs: what the instruction in the capture says of kind, devices and bytes."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.collectives.calls import calls
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.build_capture import StatValue, chunk, number
from tests.build_program import computation, instruction, packed, program, shape, tuple_of
from tests.timeline.timelines import timeline
from tests.tools.collectors import H100, Cuda, details, xla
from tests.tools.devices.test_devices import trained

US = 1000
#: A kernel's name that tells nothing, as RCCL has them.
GENERIC = "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"
PART, WHOLE = shape("f32", 256, 8), shape("f32", 1024, 8)
TWO_BY_TWO = packed(1, (0, 1)), packed(1, (2, 3))
#: CollectiveDeviceListProto: `{{0,1},{2,3}}`, and `[4,2]<=[2,4]T(1,0)`.
LISTED = chunk(87, b"".join(chunk(1, one) for one in TWO_BY_TWO))
COUNTED = chunk(87, chunk(2, number(1, 4) + number(2, 2) + packed(3, (2, 4)) + packed(4, (1, 0))))
OLD = b"".join(chunk(49, one) for one in TWO_BY_TWO)


def ran(*instructions: bytes, name: str) -> Timeline:
    """A kernel of NCCL that runs one instruction of a program."""
    cuda = Cuda(H100, 1)
    few = details("24,1,1", "512,1,1", 25, 96)
    run = xla("jit_f", 7, name, "jit(f)/shard_map")
    cuda.launch(0, 20, GENERIC, (10 * US, 12 * US), (20 * US, 40 * US), few, run, 25.0)
    body = computation(
        9, [instruction(1, "x", "parameter", PART), instruction(2, "y", "parameter", WHOLE), *instructions]
    )
    told: dict[str, StatValue] = {"Hlo Proto": program(body, entry=9, name="jit_f"), "program_id": 7}
    cuda.space.plane("/host:metadata").kind("jit_f(7)", stats=told)
    return timeline(cuda.space)


@pytest.mark.parametrize(
    ("one", "kind", "ranks", "size", "carried"),
    [
        (instruction(5, "c.1", "all-reduce", PART, (1,)) + LISTED, "all-reduce", "{{0,1},{2,3}}", 2, 8192),
        (instruction(5, "c.1", "all-reduce-start", PART, (1,)) + OLD, "all-reduce", "{{0,1},{2,3}}", 2, 8192),
        (
            instruction(5, "c.1", "all-gather-start", tuple_of(PART, WHOLE), (1,)) + COUNTED,
            *("all-gather", "[4,2]<=[2,4]T(1,0)", 2, 32768),
        ),
        (instruction(5, "c.1", "reduce-scatter", PART, (2,)) + LISTED, "reduce-scatter", "{{0,1},{2,3}}", 2, 32768),
        (instruction(5, "c.1", "all-to-all", tuple_of(PART, PART), (1, 1)), "all-to-all", "", 0, 16384),
        (
            instruction(5, "c.1", "collective-permute-start", tuple_of(PART, PART), (1,)),
            "collective-permute",
            "",
            0,
            8192,
        ),
    ],
)
def test_an_instruction_tells_what_its_kernel_exchanges(
    one: bytes, kind: str, ranks: str, size: int, carried: int
) -> None:
    found = calls(ran(one, name="c.1"))
    assert [(what.kind, *what.group) for what in found.whats] == [(kind, "", ranks, size)]
    assert found.bytes.tolist() == [carried]


def test_an_instruction_that_no_program_holds_leaves_the_name() -> None:
    found = calls(ran(name="c.1"))
    assert ([what.kind for what in found.whats], found.bytes.tolist()) == (["other"], [-1])


def test_eight_gpus_of_one_host() -> None:
    """GPU g's part of the four all-reduces of 32 MiB takes 1182 − 20·g µs, so that the last GPU comes last."""
    options = POD_VIEWER.parse({})
    found = POD_VIEWER.combine([POD_VIEWER.per_host(trained(), options)], options)
    names = ("kind", "workers", "count", "bytes", "collective_count", "skew_us", "last_worker", "algorithm_gb_s")
    row = [found.tables["collectives"][name][0] for name in names]
    assert row == ["all-reduce", 8, 32, 32 * 2**25, 4, 140.0, "h/GPU:7", pytest.approx(2**25 / 1042e3)]
