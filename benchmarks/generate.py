"""Takes a number of events, gives the bytes of an XSpace like that of a training run on one GPU.

`python -m benchmarks.generate LOGDIR`. A step: `train` with its number, the wait for a tf.data iterator whose element
another thread prepares, one copy to the device, and 500 ops of four kernels; every tenth op allocates a tensor that
lives until the next such op. Each kernel has a launch on the host with its correlation id, its launch details and its
op as interned text. Kernels run on two streams, in order, never before their launch. 976 steps are 4.5 million events,
11 million stats, about 150 MB.

Messages are laid out as rows of a byte matrix with a mask, so that numpy writes all events of a line at once.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tests.build_capture import Plane, chunk, number, text

I64: TypeAlias = NDArray[np.int64]

OPS = 500
KERNELS = 4
#: Ops from one that allocates to the next.
APART = 10
INPUT = 5
EVENTS_PER_STEP = OPS * (1 + 2 * KERNELS) + 5 + INPUT + 2 * (OPS // APART)
START_NS = 1_800_000_000_000_000_000
US = 10**6
ITERATOR = "Iterator::Root"
#: Kernel, op, type of op: what a transformer's forward and backward pass are mostly made of.
KINDS = (
    ("ampere_sgemm_128x64_nn", "dense/MatMul", "MatMul"),
    ("ampere_h16816gemm_256x128_ldg8_stages_32x3_tn", "attention/einsum/Einsum", "Einsum"),
    ("void softmax_warp_forward<float, float, float, 10, false>(float*, float const*, int, int)", "softmax", "Softmax"),
    ("void layer_norm_kernel<float, 256>(float const*, float*, int)", "norm/FusedBatchNormV3", "FusedBatchNormV3"),
    ("void vectorized_elementwise_kernel<4, AddFunctor<float>>(int, AddFunctor<float>)", "bias/BiasAdd", "BiasAdd"),
    ("void reduce_kernel<512, 1, ReduceOp<float, MeanOps<float>>>(ReduceOp<float>)", "loss/Mean", "Mean"),
    ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long)", "sync/NcclAllReduce", "NcclAllReduce"),
    ("void apply_adam_kernel<float>(int, float*, float*, float*)", "adam/ResourceApplyAdam", "ResourceApplyAdam"),
)


@dataclass(frozen=True)
class Rows:
    """One message a row: its bytes are the cells where the mask is set."""

    cells: NDArray[np.uint8]
    mask: NDArray[np.bool_]

    @property
    def sizes(self) -> I64:
        sizes: I64 = self.mask.sum(axis=1, dtype=np.int64)
        return sizes

    def only(self, rows: NDArray[np.bool_]) -> Rows:
        """The same, empty in all other rows."""
        return Rows(self.cells, self.mask & rows[:, None])

    def bytes(self) -> bytes:
        return self.cells[self.mask].tobytes()


def varints(values: I64) -> Rows:
    """A base-128 varint a row, of values from 0 on."""
    width = max(1, -(-int(values.max(initial=0)).bit_length() // 7))
    groups = values[:, None] >> np.arange(0, 7 * width, 7)
    more = groups >= 0x80
    mask = np.concatenate([np.ones((len(values), 1), bool), more[:, :-1]], axis=1)
    return Rows((groups & 0x7F | more << 7).astype(np.uint8), mask)


def side_by_side(parts: Iterable[Rows]) -> Rows:
    cells, masks = zip(*((part.cells, part.mask) for part in parts), strict=True)
    return Rows(np.concatenate(cells, axis=1), np.concatenate(masks, axis=1))


def same(data: bytes, count: int) -> Rows:
    cells = np.broadcast_to(np.frombuffer(data, np.uint8), (count, len(data)))
    return Rows(cells, np.ones(cells.shape, bool))


def numbers(field: int, values: I64) -> Rows:
    return side_by_side([same(bytes([field << 3]), len(values)), varints(values)])


def chunks(field: int, payload: Rows) -> Rows:
    return side_by_side([same(bytes([field << 3 | 2]), len(payload.cells)), varints(payload.sizes), payload])


def doubles(key: int, values: I64) -> Rows:
    """A stat a row: a share, from per mille."""
    bits = np.ascontiguousarray(values / 1000).view(np.uint8).reshape(-1, 8)
    value = side_by_side([same(b"\x11", len(values)), Rows(bits, np.ones(bits.shape, bool))])
    return chunks(4, side_by_side([same(number(1, key), len(values)), value]))


def stats(key: int, field: int, values: I64) -> Rows:
    """A stat a row. field: 3 uint64, 4 int64, 7 interned text."""
    return chunks(4, side_by_side([same(number(1, key), len(values)), numbers(field, values)]))


def line(id: int, name: str, kinds: I64, starts: I64, durations: I64, more: Iterable[Rows] = ()) -> bytes:
    """A plane's line with its events, in batches so that the matrices stay small."""
    extra = side_by_side(more) if (more := list(more)) else same(b"", len(kinds))
    out = [number(1, id), text(2, name), number(3, START_NS)]
    for begin in range(0, len(kinds), 100_000):
        part = slice(begin, begin + 100_000)
        fields = [numbers(1, kinds[part]), numbers(2, starts[part]), numbers(3, durations[part])]
        out.append(chunks(4, side_by_side([*fields, Rows(extra.cells[part], extra.mask[part])])).bytes())
    return chunk(3, b"".join(out))


@dataclass(frozen=True)
class Times:
    """When everything runs, in ps. Axes of launches and kernels: step, op, kernel; of ops: step, op; else step."""

    step: I64
    step_ps: I64
    op: I64
    launch: I64
    kernel: I64
    kernel_ps: I64


def play(steps: int, seed: int = 7) -> Times:
    """Plays the steps: the host launches without waiting, a stream runs its kernels in order, a step ends with both."""
    rng = np.random.default_rng(seed)
    kernel_ps = (rng.lognormal(0.5, 0.5, (steps, OPS, KERNELS)) * US).astype(np.int64)
    op_at = 60 * US + np.arange(OPS) * (KERNELS + 1) * US
    launch = (op_at[:, None] + (np.arange(KERNELS) * US + US // 2)) + np.zeros((steps, 1, 1), np.int64)
    launch = launch + rng.integers(0, US // 4, launch.shape)
    kernel = np.empty_like(launch)
    for part in (slice(0, 3), slice(3, KERNELS)):
        shape = kernel[:, :, part].shape
        busy = kernel_ps[:, :, part].reshape(steps, -1) + US // 10
        before = np.cumsum(busy, axis=1) - busy
        ready = launch[:, :, part].reshape(steps, -1) + 3 * US
        kernel[:, :, part] = (before + np.maximum.accumulate(ready - before, axis=1)).reshape(shape)
    step_ps = np.maximum((kernel + kernel_ps).reshape(steps, -1).max(axis=1), op_at[-1] + 5 * US) + 8 * US
    step = US * 1000 + np.cumsum(step_ps + 3 * US) - step_ps
    at = step[:, None, None]
    return Times(step, step_ps, op_at + at[:, :, 0], launch + at, kernel + at, kernel_ps)


def gpu_plane(times: Times) -> bytes:
    facts: dict[str, int | str] = {"device_vendor": "Nvidia", "compute_cap_major": 8, "compute_cap_minor": 0}
    facts |= {"clock_rate": 1_410_000, "core_count": 108, "memory_size": 40 * 2**30, "memory_bandwidth": 1555 * 10**9}
    plane = Plane("/device:GPU:0", 1, {**facts})
    steps = len(times.step)
    kinds = np.array([[plane.kind(kernel_name(o, k)) for k in range(KERNELS)] for o in range(OPS)])
    details = np.array([[plane.stat_id(launch_details(o, k)) for k in range(KERNELS)] for o in range(OPS)])
    ops = np.array([[plane.stat_id(op_name(o))] * KERNELS for o in range(OPS)])
    ids = correlation_ids(steps)
    lines = []
    for stream, part in ((13, slice(0, 3)), (14, slice(3, KERNELS))):
        each = [np.broadcast_to(a, ids.shape)[:, :, part].ravel() for a in (kinds, details, ops)]
        own = [
            stats(plane.stat_id("correlation_id"), 3, ids[:, :, part].ravel()),
            stats(plane.stat_id("kernel_details"), 7, each[1]),
            stats(plane.stat_id("tf_op"), 7, each[2]),
        ]
        starts, durations = times.kernel[:, :, part].ravel(), times.kernel_ps[:, :, part].ravel()
        lines.append(line(stream, f"Stream #{stream}(Compute)", each[0], starts, durations, own))
    copy = plane.kind("MemcpyH2D")
    detail = plane.stat_id("kind_src:pageable kind_dst:device size:4194304 dest:0 async:1")
    own = [
        stats(plane.stat_id("correlation_id"), 3, copy_ids(steps)),
        stats(plane.stat_id("memcpy_details"), 7, np.full(steps, detail)),
    ]
    lines.append(
        line(15, "Stream #15(MemcpyH2D)", np.full(steps, copy), times.step + 8 * US, np.full(steps, 40 * US), own)
    )
    return chunk(1, plane.bytes() + b"".join(lines))


def host_plane(times: Times) -> bytes:
    plane = Plane("/host:CPU")
    steps = len(times.step)
    head = ["train", "IteratorGetNext:IteratorGetNext", ITERATOR, f"{ITERATOR}::Prefetch", "PrefetchConsume"]
    head += ["cuMemcpyHtoDAsync_v2", "FunctionRun"]
    n = len(head)
    per_op = [[plane.kind(op_name(o))] + [plane.kind("cuLaunchKernel")] * KERNELS for o in range(OPS)]
    kinds = np.tile([*map(plane.kind, head), *np.ravel(per_op)], steps)
    at = np.concatenate([times.op[:, :, None], times.launch], axis=2).reshape(steps, -1)
    begin = np.array([0, 10, 12, 14, 48, 60, 550]) * US // 10
    starts = np.concatenate([times.step[:, None] + begin, at], axis=1).ravel()
    each = np.ravel([[(KERNELS + 1) * US - US // 10] + [US * 7 // 10] * KERNELS] * OPS)
    lengths = np.tile(np.concatenate([np.array([0, 40, 37, 34, 0, 80, 0]) * US // 10, each]), (steps, 1))
    lengths[:, 0] = times.step_ps
    lengths[:, n - 1] = OPS * (KERNELS + 1) * US + 6 * US
    ids = np.zeros((steps, n + at.shape[1]), np.int64)
    ids[:, n - 2] = copy_ids(steps)
    ids[:, n:].reshape(steps, OPS, KERNELS + 1)[:, :, 1:] = correlation_ids(steps)
    place = np.arange(ids.size) % ids.shape[1]
    launches, first = ids.ravel() > 0, place == 0
    number_of = np.repeat(np.arange(steps), ids.shape[1])
    own = [
        stats(plane.stat_id("correlation_id"), 3, ids.ravel()).only(launches),
        stats(plane.stat_id("device_id"), 3, np.zeros(ids.size, np.int64)).only(launches),
        stats(plane.stat_id("step_num"), 4, number_of).only(first),
        stats(plane.stat_id("_r"), 4, np.ones(ids.size, np.int64)).only(first),
        stats(plane.stat_id("id"), 4, place - 1).only((place == 2) | (place == 3)),
        stats(plane.stat_id("parent_id"), 4, np.ones(ids.size, np.int64)).only(place == 3),
        stats(plane.stat_id("element_id"), 4, number_of).only(place == 4),
    ]
    threads = [line(4711, "python", kinds, starts, lengths.ravel(), own), input_thread(plane, times)]
    threads.append(memory_marks(plane, times))
    return chunk(1, plane.bytes() + b"".join(threads))


def input_thread(plane: Plane, times: Times) -> bytes:
    """Prepares the element of the next step, while this one runs."""
    steps = len(times.step)
    kinds = np.tile([plane.kind("PrefetchProduce"), plane.kind(f"{ITERATOR}::Prefetch::ParallelMapV2")], steps)
    starts = (times.step[:, None] + np.array([-900 * US, -899 * US])).ravel()
    lengths = np.tile(np.array([600, 598]) * US, steps)
    inner = np.arange(2 * steps) % 2 == 1
    own = [
        stats(plane.stat_id("element_id"), 4, np.repeat(np.arange(steps), 2)).only(~inner),
        stats(plane.stat_id("id"), 4, np.full(2 * steps, 3)).only(inner),
        stats(plane.stat_id("parent_id"), 4, np.full(2 * steps, 2)).only(inner),
    ]
    return line(4712, "tf_data_prefetch", kinds, starts, lengths, own)


def memory_marks(plane: Plane, times: Times) -> bytes:
    """Instants at which every tenth op allocates 1 to 5 MiB, and the tensor of the one before is freed."""
    steps, each = len(times.step), OPS // APART
    kinds = np.tile([plane.kind("MemoryAllocation"), plane.kind("MemoryDeallocation")], steps * each)
    at = times.op[:, ::APART, None] + np.array([US // 4, US // 2])
    size = np.broadcast_to((1 + np.arange(each) % 5) * 2**20, (steps, each)).ravel()
    before = np.roll(size, 1)
    held = 2**30 + np.stack([size + before, size], axis=1).ravel()
    sizes, ops = np.stack([size, before], axis=1).ravel(), np.repeat(np.tile(np.arange(0, OPS, APART), steps), 2)
    address = 2**40 + (np.arange(steps * each)[:, None] + np.array([0, -1])).ravel() % each * 2**24
    named = np.array([plane.stat_id(op_name(op).partition(":")[0]) for op in range(OPS)])
    mine = np.arange(len(sizes)) % 2 == 0
    own = [
        stats(plane.stat_id("allocator_name"), 7, np.full(len(sizes), plane.stat_id("GPU_0_bfc"))),
        stats(plane.stat_id("bytes_reserved"), 4, np.zeros(len(sizes), np.int64)),
        stats(plane.stat_id("bytes_allocated"), 4, held),
        stats(plane.stat_id("bytes_available"), 4, 2**35 - held),
        doubles(plane.stat_id("fragmentation"), sizes >> 18),
        stats(plane.stat_id("peak_bytes_in_use"), 4, np.maximum.accumulate(held)),
        stats(plane.stat_id("requested_bytes"), 4, sizes - 100),
        stats(plane.stat_id("allocation_bytes"), 4, sizes),
        stats(plane.stat_id("addr"), 4, address),
        stats(plane.stat_id("tf_op"), 7, named[ops]).only(mine),
        stats(plane.stat_id("region_type"), 7, np.full(len(sizes), plane.stat_id("output"))).only(mine),
        stats(plane.stat_id("data_type"), 4, np.ones(len(sizes), np.int64)).only(mine),
        stats(plane.stat_id("shape"), 7, np.full(len(sizes), plane.stat_id("[32,1024]"))).only(mine),
    ]
    return line(4713, "tf_Compute/1", kinds, at.ravel(), np.zeros(len(sizes), np.int64), own)


def correlation_ids(steps: int) -> I64:
    return np.arange(1, steps * OPS * KERNELS + 1).reshape(steps, OPS, KERNELS)


def copy_ids(steps: int) -> I64:
    return steps * OPS * KERNELS + 1 + np.arange(steps)


def kernel_name(op: int, kernel: int) -> str:
    name = KINDS[op % len(KINDS)][0]
    return name if kernel == 0 else f"{name.removeprefix('void ').split('<')[0].split('(')[0]}_part{kernel}"


def op_name(op: int) -> str:
    _, name, kind = KINDS[op % len(KINDS)]
    return f"model/block_{op // len(KINDS)}/{name}:{kind}"


def launch_details(op: int, kernel: int) -> str:
    registers, shared, grid = 32 + 8 * ((op + kernel) % 6), 1024 * ((op + kernel) % 4), 1 + (op * 7 + kernel) % 640
    occupancy = (100, 75, 50, 25)[(op + kernel) % 4]
    block = 128 << (op + kernel) % 3
    memory = f"regs:{registers} static_shared:{shared} dynamic_shared:0"
    return f"{memory} grid:{grid},1,1 block:{block},1,1 occ_pct:{occupancy}"


def training_run(events: int) -> bytes:
    """The bytes of an XSpace with about so many events, one step of 4,505 at least."""
    times = play(max(1, round(events / EVENTS_PER_STEP)))
    return gpu_plane(times) + host_plane(times) + text(4, "bench")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a large capture into a logdir.")
    parser.add_argument("logdir", type=Path)
    parser.add_argument("--events", type=int, default=4_500_000)
    args = parser.parse_args()
    folder = args.logdir / "plugins" / "profile" / "train"
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / "bench.xplane.pb.tmp"
    part.write_bytes(training_run(args.events))
    os.replace(part, folder / "bench.xplane.pb")


if __name__ == "__main__":
    main()
