"""Devices of a TensorFlow 1 step that CUPTI saw (`/device:GPU:0/stream:14`) → planes of GPUs, of streams and lanes.

TensorFlow up to 1.13 calls them `stream:14` and `memcpy`, later ones `context#0/stream#1:Kernel`. `stream:all` repeats
all of them and `memcpy` the copies: where what they repeat is there they are derived. `sync` is the host that waits.
A node is called `scope/name:Type`, a copy `tensor:MEMCPYHtoD`; its label gives the kernel, or how much was copied.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ...tables import PlaneKind, TrackKind
from ..common.build import Builder
from ..common.launches import Launch, launch_in
from ..common.places import Value

_GPU = re.compile(
    r"(?:.*/)?(?:device:)?(?:gpu|GPU):(?P<number>\d{1,9})/"
    r"(?P<part>stream:(?:all|\d+)|memcpy(?::\w+)?|sync|(?:context#\d+/)?stream#\d+(?::\w+)?)"
)
_SINGLE = re.compile(r"stream:\d+|.*stream#.*")
#: `MEMCPYHtoD 4096 bytes (Pageable to Device)`.
_COPY = re.compile(r"MEMCPY(?P<kind>\w+)(?: (?P<bytes>\d{1,18}) bytes \((?P<from>\w+) to (?P<to>\w+)\))?")
#: Behind a kernel's name: `regs:32 shm:0 grid:1,1,1 block:256,1,1`.
_DETAILS = re.compile(r"(?P<kernel>.*?)\s+(?P<details>regs:\d.*)", re.DOTALL)


class GpuPart(NamedTuple):
    """Which part of which GPU a device of step stats is."""

    number: int
    part: str

    @property
    def single(self) -> bool:
        """Whether it is one stream, not what several of them hold."""
        return bool(_SINGLE.fullmatch(self.part))


@dataclasses.dataclass
class Ran:
    """One execution of a node. label: as the node has it. start, length: in ns, start from the step's."""

    name: str
    label: str
    start: int
    length: int
    stats: dict[str, Value]


Lanes = Callable[[list[Ran]], list[list[Ran]]]


def gpu_of(device: str) -> GpuPart | None:
    """The part of a GPU that a device of this name is, or None."""
    match = _GPU.fullmatch(device)
    return GpuPart(int(match["number"]), match["part"]) if match else None


def kind_of(part: GpuPart, all_parts: Iterable[GpuPart]) -> TrackKind:
    """A stream, or derived where it repeats others of the same GPU, or is no work of it."""
    single = any(other.single for other in all_parts if other.number == part.number)
    repeats = (single and not part.single) or part.part == "sync"
    return TrackKind.DERIVED if repeats else TrackKind.STREAM


def gpu_planes(builder: Builder, parts: Mapping[GpuPart, list[Ran]], lanes: Lanes, ps: int) -> int:
    """A plane a GPU, a track a stream and lane; how many nodes were left out. ps: to a unit of the nodes' times."""
    given = sum(map(len, parts.values()))
    parts = _once(parts)
    for number in sorted({part.number for part in parts}):
        plane = builder.plane(f"/device:GPU:{number}", PlaneKind.GPU, number)
        of_gpu = sorted((part for part in parts if part.number == number), key=lambda part: part.part)
        for i, part in enumerate(of_gpu):
            for lane_number, lane in enumerate(lanes(parts[part])):
                name = part.part if not lane_number else f"{part.part} ({lane_number + 1})"
                track = builder.track(plane, i << 10 | lane_number, name, kind_of(part, parts))
                for ran in lane:
                    event, stats, launch = described(ran.name, ran.label)
                    track.event(event, ran.start * ps, ran.length * ps, {**ran.stats, **stats}, launch)
    return given - sum(map(len, parts.values()))


def _once(parts: Mapping[GpuPart, list[Ran]]) -> dict[GpuPart, list[Ran]]:
    """Without copies that `stream:all` holds as well, where there are no single streams."""
    by_part = dict(parts)
    for part, nodes in parts.items():
        everything = GpuPart(part.number, "stream:all")
        single = any(other.single and other.number == part.number for other in parts)
        if part.part == "memcpy" and everything in parts and not single:
            known = {(ran.name, ran.start, ran.length) for ran in parts[everything]}
            by_part[part] = [ran for ran in nodes if (ran.name, ran.start, ran.length) not in known]
    return {part: nodes for part, nodes in by_part.items() if nodes}


def described(name: str, label: str) -> tuple[str, dict[str, Value], Launch | None]:
    """What a node of a GPU is called, and what its name holds: its op, a kernel's launch, what was copied."""
    copy = _COPY.fullmatch(label) or _COPY.fullmatch(name.rpartition(":")[2])
    if copy:
        return f"MEMCPY{copy['kind']}", _copied(copy, name.rpartition(":")[0]), None
    text, _, op = label.partition("@@")
    if not op:
        op, _, text = name.partition("@@")
    op = op.partition("#")[0]
    stats: dict[str, Value] = {"tf_op": op} if ":" in op else {}
    launch, details = None, _DETAILS.fullmatch(text)
    if details:
        text, stats["kernel_details"] = details["kernel"], details["details"]
        launch = launch_in(details["details"])
    return text.strip() or name, stats, launch


def _copied(copy: re.Match[str], tensor: str) -> dict[str, Value]:
    stats: dict[str, Value] = {"tensor": tensor} if tensor else {}
    if copy["bytes"]:
        sides = f"kind_src:{copy['from'].lower()} kind_dst:{copy['to'].lower()}"
        stats["memcpy_details"] = f"{sides} size:{int(copy['bytes'])} dest:0 async:0"
    return stats
