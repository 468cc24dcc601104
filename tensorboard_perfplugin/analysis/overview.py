"""One host's part of the overview, and what the ops of all hosts took."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ..messages import Message
from ..tables import Options, PlaneKind, ranges, side_by_side
from ..threshold import Threshold
from ..timeline.assignment import Shares, assigned_shares_of
from ..timeline.causes import launches_of, vendor_of_launches
from ..timeline.devices import Activity, devices_of, workers_of
from ..timeline.names.ops import Op
from ..timeline.ops.pytorch import is_mark
from ..timeline.split.split import Split
from ..timeline.timeline import INDEX, Timeline, cached
from ..timeline.tracks import sparse_cores, threads_of
from .activity import OverTime, activity
from .collectives.calls import Calls, calls
from .collectives.efficiency import Linked, linked
from .collectives.negotiations import Negotiations, negotiations
from .devices.peaks import Device, Used, device, used
from .devices.tpu import OpaqueCalls, TpuHost, opaque_calls_of, tpu
from .devices.tracks import Runs, device_tracks, runs_of_programs
from .functions import Functions, functions_of, is_of_functions
from .hosts.environment import DriverStart, Edges, Loss, TopSlice, driver_start, edges, environment, loss, top_slice
from .hosts.workers import Turns, turns
from .idle import Idle, idle_causes
from .input.copies import RepeatedCopy, repeated_copy
from .input.stages import InputStages, input_stages
from .kernels.families import chosen_kernels
from .kernels.host import HostKernels
from .memory.systems import System, systems
from .ops.rows import Key, OpRow, OpTable, is_of_model, op_table, ranked
from .ops.use import Padded, padded
from .round_trips import RoundTrips, round_trips
from .steps.means import STEPS_FROM, HostSteps, host_steps, slow_spans
from .steps.summary import StepSummary, step_summary
from .tf_data.partial import Contention, contention_in

# A timeline → what the overview needs to know of one host: small, and independent of all other hosts.

EXPOSED = Threshold(
    "exposed collectives",
    0.05,
    "share",
    "of the steps; the calls of a host that waits less for them are left to the pod viewer",
)
LITTLE = Threshold(
    "little time in ops",
    0.1,
    "share",
    "of a host's time; where ops have less, it is asked what else was recorded there",
)
LATE = Threshold(
    "late launches",
    0.05,
    "share",
    "of the steps; where less is lost to launches, threads that hinder these do not count",
)
#: How many of a device's longest idle stretches are kept as evidence.
_STRETCHES = 3


class DeviceUse(msgspec.Struct, frozen=True):
    """One device: what it is, and what it did. idle: its longest idle stretches between work, (begin, end) in ps.
    tracks: those on which it ran something, `3.5-7`.

    part_of: the device that stands for its chip, where it is a core beside that, as a SparseCore is.
    """

    name: str
    kind: str
    attributes: Device
    streams: int
    events: int
    busy_ps: int
    idle_ps: int
    idle: tuple[tuple[int, int], ...]
    tracks: str
    part_of: str = ""

    @property
    def part(self) -> bool:
        return bool(self.part_of)


class Host(msgspec.Struct, frozen=True):
    """One host's part of the overview.

    loss: what is missing of its file. runs: of XLA's programs, and how many the devices lost. launches: host events
    that launched a kernel or copy; unmatched_launches: those whose kernel is not in the capture. idle: why GPUs stood
    still, of PyTorch's captures. negotiations: of a Horovod timeline. memory: its systems. round_trips: of tensors
    between a GPU and the host; repeated_copy: that at the same place of each step. turns: whether devices compute at
    once. calls: of collectives, where steps wait for these; links: what carries them. top_slice: of a host without
    devices whose ops have little or no time. kernels: those that the overview may have to name; None without a GPU.
    driver_start, edges: of a host without steps. padded: of TPUs the ops whose products are padded; opaque_calls: those
    whose costs are not known. functions: of a profile of Python functions, which has nothing else. memory_only: whether
    the file holds memory alone: what ran, and in what of a step, is not known. contention: of tf.data's threads with
    launches, where these are late. launch_vendor: whose runtime launched what is not in the capture.
    """

    name: str
    start_ns: int | None
    threads: int
    events_in_file: int
    events_kept: int
    loss: Loss
    launches: int
    unmatched_launches: int
    devices: tuple[DeviceUse, ...]
    environment: dict[str, str | Message]
    ops: OpTable
    activity: OverTime | None
    steps: HostSteps
    step_summary: StepSummary
    input: InputStages
    assigned: Shares
    used: tuple[Used, ...]
    runs: Runs
    tpu: TpuHost | None
    idle: tuple[Idle, ...]
    negotiations: Negotiations
    memory: tuple[System, ...]
    round_trips: RoundTrips | None
    turns: Turns | None
    calls: Calls
    links: tuple[Linked, ...]
    top_slice: TopSlice | None
    kernels: HostKernels | None
    driver_start: DriverStart
    edges: Edges
    padded: dict[Op, Padded]
    opaque_calls: dict[Op, OpaqueCalls]
    functions: Functions | None = None
    memory_only: bool = False
    contention: Contention | None = None
    launch_vendor: str = ""
    repeated_copy: RepeatedCopy | None = None


def host(timeline: Timeline, options: Options) -> Host:
    """One host's part of the overview. Raises ArgumentError."""
    parts = partial(_of_steps, timeline, options), partial(_of_all, timeline)
    of_steps, of_all = side_by_side(len(timeline.capture.events), *parts)
    return Host(**of_steps, **of_all)


def _of_steps(timeline: Timeline, options: Options) -> dict[str, Any]:
    """What depends on the steps."""
    steps, choice = host_steps(timeline, options), str(options[STEPS_FROM.name])
    split = steps.split
    parts = partial(step_summary, timeline, split), partial(_beside_summary, timeline, steps, choice)
    summary, beside = side_by_side(len(timeline.capture.events), *parts)
    return {"steps": steps, "step_summary": summary, **beside}


def _beside_summary(timeline: Timeline, steps: HostSteps, choice: str) -> dict[str, Any]:
    """What of that needs no summary of the steps."""
    split = steps.split
    has_collectives = split.union_ps[:, :, INDEX["collective"]].any()
    return {
        "input": input_stages(timeline, slow_spans(split.steps)),
        "assigned": assigned_shares_of(timeline, choice),
        "used": used(timeline, split),
        "tpu": tpu(timeline, choice),
        "round_trips": round_trips(timeline, split),
        "turns": turns(timeline, split),
        "calls": cached(timeline, calls) if has_collectives else Calls(),
        "links": linked(timeline, split),
        "driver_start": DriverStart() if len(split.steps) else driver_start(timeline),
        "edges": Edges() if len(split.steps) else edges(timeline),
        "contention": contention_in(timeline, steps, LATE.value),
        "repeated_copy": repeated_copy(timeline, split),
    }


def _of_all(timeline: Timeline) -> dict[str, Any]:
    """What does not."""
    capture, ops, chips = timeline.capture, op_table(timeline).without_steps(), _chips(timeline)
    return {
        "name": timeline.host,
        "start_ns": capture.start_ns,
        "threads": len(np.unique(threads_of(timeline))),
        "events_in_file": capture.quality.events_in_file,
        "events_kept": capture.quality.events_kept,
        "loss": loss(timeline),
        "launches": launches_of(timeline).host,
        "unmatched_launches": launches_of(timeline).unmatched_host,
        "devices": tuple(_device_use(timeline, activity, chips) for activity in devices_of(timeline)),
        "environment": environment(timeline),
        "ops": ops,
        "activity": activity(timeline),
        "runs": runs_of_programs(timeline),
        "idle": cached(timeline, idle_causes) if capture.capabilities.has_operators else (),
        "negotiations": cached(timeline, negotiations),
        "memory": cached(timeline, systems),
        "top_slice": top_slice(timeline) if not ops.devices and _is_little(ops) else None,
        "kernels": chosen_kernels(timeline),
        "padded": padded(timeline),
        "opaque_calls": opaque_calls_of(timeline),
        "functions": functions_of(timeline) if is_of_functions(capture) else None,
        "memory_only": capture.capabilities.is_aside,
        "launch_vendor": vendor_of_launches(capture, launches_of(timeline).lost),
    }


def _is_little(ops: OpTable) -> bool:
    return not ops.rows or ops.host_op_ps < LITTLE.value * ops.window_ps


def waits_for_collectives(split: Split) -> bool:
    exposed = split.exposed_ps
    return bool(exposed[:, :, INDEX["collective"]].sum() >= EXPOSED.value * max(exposed.sum(), 1))


def _chips(timeline: Timeline) -> dict[int, int]:
    """The SparseCores that count for no device, each with its chip's TensorCore: not one that worked alone."""
    workers = {worker.plane for worker in workers_of(timeline)}
    return {plane: chip for plane, chip in sparse_cores(timeline.capture).items() if plane not in workers}


def _device_use(timeline: Timeline, activity: Activity, chips: dict[int, int]) -> DeviceUse:
    capture, plane = timeline.capture, activity.plane
    kind = PlaneKind(int(capture.planes.kind[plane]))
    return DeviceUse(
        name=capture.strings[int(capture.planes.name[plane])],
        kind=kind.name,
        attributes=device(kind, capture.plane_values(plane)),
        streams=activity.tracks,
        events=activity.events,
        busy_ps=activity.busy_ps,
        idle_ps=activity.idle_ps,
        idle=tuple(activity.longest_gaps(_STRETCHES)),
        tracks=ranges(device_tracks(timeline, plane)),
        part_of=capture.strings[int(capture.planes.name[chips[plane]])] if plane in chips else "",
    )


# Ops of all hosts → what those of one side, devices or hosts, took together, and which took most.


class SideOps(NamedTuple):
    """Self times, in ps. wait_ps: of ops that only wait, as far as that is known. copies_ps: of memory copies.
    known_ps,
    eager_ps: of ops in steps of which is known whether they ran eagerly, and those that did, but for asking for input,
    logging and saving. hardest: the op that works for longest; waits: the one that waits for longest; None without ops.
    in_steps: whether these are of steps."""

    self_ps: float
    wait_ps: float
    copies_ps: float
    known_ps: float
    eager_ps: float
    hardest: tuple[Op, OpRow] | None
    waits: tuple[Op, OpRow] | None
    in_steps: bool = False

    @property
    def wait_share(self) -> float:
        return self.wait_ps / (self.self_ps or 1)

    @property
    def copies_share(self) -> float:
        return self.copies_ps / (self.self_ps or 1)

    @property
    def eager_share(self) -> float:
        return self.eager_ps / (self.known_ps or 1)


def side_ops(rows: Mapping[Key, OpRow], side: str) -> SideOps:
    """side: `device` or `host`."""
    ops = ranked(rows, side)
    works = [pair for pair in ops if not is_mark(pair[0])] or ops
    return SideOps(
        self_ps=sum(row.self_ps for _, row in ops),
        wait_ps=sum(row.wait_ps for _, row in ops),
        copies_ps=sum(row.self_ps for op, row in ops if op.type.startswith("Memcpy")),
        known_ps=sum(row.of_steps.known_ps for _, row in ops),
        eager_ps=sum(row.of_steps.eager_ps for op, row in ops if is_of_model(op.type)),
        hardest=max(works, key=lambda pair: pair[1].self_ps - pair[1].wait_ps, default=None),
        waits=max(ops, key=lambda pair: pair[1].wait_ps, default=None),
        in_steps=any(row.in_steps is not None for _, row in ops),
    )
