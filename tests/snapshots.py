"""A caching allocator in small → memory snapshots with the fields of a version of PyTorch, for tests.

    device = Device("2.9", capacity=64 * MIB)
    a = device.alloc(3 * MIB, FORWARD)
    device.free(a)
    snapshot([device])                     # the dictionary; pickled(…) its bytes

Blocks are of 512 bytes and more, segments of 2 MiB for small ones, of 20 MiB for those below 10 MiB, else of their size
rounded up to 2 MiB; of free blocks the smallest that fits is taken, and what remains is split off.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

KIB, MIB = 1 << 10, 1 << 20
Frames = Sequence[tuple[str, int, str]]

MODULE = "/venv/lib/python3.11/site-packages/torch/nn/modules/module.py"
OPTIM = "/venv/lib/python3.11/site-packages/torch/optim/adam.py"
#: Innermost first, as PyTorch has them.
PARAMETERS: Frames = (
    ("??", 0, "c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc"),
    (MODULE, 1160, "convert"),
    (MODULE, 900, "_apply"),
    ("/home/me/train.py", 12, "build_model"),
    ("/home/me/train.py", 80, "<module>"),
)
INPUT: Frames = (("/home/me/train.py", 30, "to_device"), ("/home/me/train.py", 60, "train"))
FORWARD: Frames = (
    ("/home/me/model.py", 44, "forward"),
    (MODULE, 1553, "_call_impl"),
    ("/home/me/train.py", 62, "train"),
)
ATTENTION: Frames = (("/home/me/model.py", 51, "attention"), *FORWARD)
BACKWARD: Frames = (
    ("/pytorch/torch/csrc/autograd/engine.cpp", 0, "torch::autograd::Engine::evaluate_function"),
    ("??", 0, "std::error_code::default_error_condition"),
)
OPTIMIZER: Frames = (
    (OPTIM, 140, "_init_group"),
    (OPTIM, 210, "step"),
    ("/home/me/train.py", 66, "train"),
)
LOSS: Frames = (("/home/me/train.py", 70, "log_loss"), ("/home/me/train.py", 68, "train"))


@dataclass
class Block:
    address: int
    size: int
    state: str = "inactive"
    requested: int = 0
    frames: Frames = ()


@dataclass
class Segment:
    address: int
    size: int
    large: bool
    blocks: list[Block] = field(default_factory=list)


@dataclass
class Device:
    """version: of PyTorch. history: how many actions are kept, the last; 0 for none."""

    version: str = "2.9"
    capacity: int = 1 << 34
    history: int | None = None
    number: int = 0
    now_us: int = 1_700_000_000_000_000
    step_us: int = 10
    segments: list[Segment] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)
    metadata: str = ""
    next_address: int = 0x7F0000000000
    _shared: dict[Any, Any] = field(default_factory=dict)

    @property
    def reserved(self) -> int:
        return sum(s.size for s in self.segments)

    def frames(self, frames: Frames) -> list[dict[str, Any]]:
        """Each frame is one dictionary, however many stacks have it."""
        return [self._shared.setdefault(f, {"filename": f[0], "line": f[1], "name": f[2]}) for f in frames]

    def act(self, action: str, address: int, size: int, frames: Frames = ()) -> None:
        entry: dict[str, Any] = {"action": action}
        entry["device_free" if action == "oom" else "addr"] = address
        entry |= {"size": size, "stream": 0}
        if self.version >= "2.1":
            entry["time_us"] = self.now_us
        if self.version >= "2.4":
            entry["compile_context"] = "N/A"
        if self.version >= "2.8":
            entry |= {"user_metadata": self.metadata, "pool_id": (0, 0)}
        entry["frames"] = self.frames(frames)
        self.actions.append(entry)
        self.now_us += self.step_us

    def alloc(self, size: int, frames: Frames = ()) -> int:
        """Its address, -1 where there is no room."""
        rounded = max(-(-size // 512) * 512, 512)
        large = rounded > MIB
        fits = [
            (b.size, s, b)
            for s in self.segments
            if s.large == large
            for b in s.blocks
            if b.state == "inactive" and b.size >= rounded
        ]
        if not fits:
            want = 2 * MIB if not large else 20 * MIB if rounded < 10 * MIB else -(-rounded // (2 * MIB)) * 2 * MIB
            if self.reserved + want > self.capacity:
                self.act("oom", self.capacity - self.reserved, size, frames)
                return -1
            segment = Segment(self.next_address, want, large, [Block(self.next_address, want)])
            self.next_address += want
            self.segments.append(segment)
            self.act("segment_alloc", segment.address, want, frames)
            fits = [(want, segment, segment.blocks[0])]
        _, segment, block = min(fits, key=lambda fit: fit[0])
        if block.size - rounded >= (MIB if large else 512):
            rest = Block(block.address + rounded, block.size - rounded)
            segment.blocks.insert(segment.blocks.index(block) + 1, rest)
            block.size = rounded
        block.state, block.requested, block.frames = "active_allocated", size, frames
        self.act("alloc", block.address, size, frames)
        return block.address

    def free(self, address: int, completed: bool = True) -> None:
        segment, block = next((s, b) for s in self.segments for b in s.blocks if b.address == address)
        self.act("free_requested", address, block.requested)
        if not completed:
            block.state = "active_pending_free"
            return
        self.act("free_completed", address, block.requested)
        block.state, block.requested, block.frames = "inactive", 0, ()
        merged: list[Block] = []
        for each in segment.blocks:
            if merged and merged[-1].state == each.state == "inactive":
                merged[-1].size += each.size
            else:
                merged.append(each)
        segment.blocks = merged

    def empty_cache(self) -> None:
        for segment in [s for s in self.segments if all(b.state == "inactive" for b in s.blocks)]:
            self.segments.remove(segment)
            self.act("segment_free", segment.address, segment.size)

    def trace(self) -> list[dict[str, Any]]:
        return self.actions if self.history is None else self.actions[len(self.actions) - self.history :]

    def state(self) -> list[dict[str, Any]]:
        return [self._segment(segment) for segment in self.segments]

    def _segment(self, segment: Segment) -> dict[str, Any]:
        active = [b for b in segment.blocks if b.state != "inactive"]
        made: dict[str, Any] = {
            "device": self.number,
            "address": segment.address,
            "total_size": segment.size,
            "allocated_size": sum(b.size for b in active if b.state == "active_allocated"),
            "active_size": sum(b.size for b in active),
            "stream": 0,
            "segment_type": "large" if segment.large else "small",
        }
        if self.version >= "2.1":
            made |= {"requested_size": sum(b.requested for b in active), "is_expandable": False}
        if self.version >= "2.3":
            made["segment_pool_id"] = (0, 0)
        return made | {"blocks": [self._block(b) for b in segment.blocks]}

    def _block(self, block: Block) -> dict[str, Any]:
        made: dict[str, Any] = {"size": block.size, "requested_size": block.requested, "state": block.state}
        if self.version < "2.1":
            if block.state != "inactive":
                past = {"addr": block.address, "real_size": block.requested, "frames": self.frames(block.frames)}
                made["history"] = [past]
            return made
        return {"address": block.address, **made, "frames": self.frames(block.frames)}


def snapshot(devices: Sequence[Device], notes: Sequence[tuple[str, str, int]] = ()) -> dict[str, Any]:
    """notes: name, stage and time of external annotations of device 0."""
    made: dict[str, Any] = {
        "segments": [segment for device in devices for segment in device.state()],
        "device_traces": [device.trace() for device in devices],
    }
    version = devices[0].version
    if version >= "2.1":
        made["allocator_settings"] = {
            "PYTORCH_CUDA_ALLOC_CONF": "",
            "max_split_size": -1,
            "garbage_collection_threshold": 0.0,
            "expandable_segments": False,
            "roundup_power2_divisions": {"1": 0, "2": 0},
        }
    if version >= "2.6":
        made["external_annotations"] = [
            {"name": name, "stage": stage, "device": 0, "time_us": time} for name, stage, time in notes
        ]
    return made


def pickled(devices: Sequence[Device], notes: Sequence[tuple[str, str, int]] = (), protocol: int = 4) -> bytes:
    return pickle.dumps(snapshot(devices, notes), protocol)


def train(
    device: Device, steps: int = 4, layers: int = 4, layer: int = 3 * MIB, leak: int = 0
) -> list[tuple[str, str, int]]:
    """Some steps of a model; its annotations. leak: bytes that each step keeps."""
    parameters = [device.alloc(layer, PARAMETERS) for _ in range(layers)]
    notes: list[tuple[str, str, int]] = []
    states: list[int] = []
    for step in range(steps):
        notes.append((f"ProfilerStep#{step}", "START", device.now_us))
        batch = device.alloc(MIB, INPUT)
        saved = [device.alloc(2 * layer, ATTENTION if i % 2 else FORWARD) for i in range(layers)]
        scratch = device.alloc(layer, FORWARD)
        device.free(scratch)
        gradients = []
        for activation in reversed(saved):
            gradients.append(device.alloc(layer, BACKWARD))
            device.free(activation)
        if not states:
            states = [device.alloc(layer, OPTIMIZER) for _ in range(2 * layers)]
        if leak:
            device.alloc(leak, LOSS)
        for address in (*gradients, batch):
            device.free(address)
        notes.append((f"ProfilerStep#{step}", "END", device.now_us))
    del parameters
    return notes
