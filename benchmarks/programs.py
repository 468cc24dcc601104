"""Takes a recorded XLA program and a number of kernels, gives the bytes of an XSpace like that of a run on one GPU.

`python -m benchmarks.programs RECORDED.xplane.pb LOGDIR`. Each run of the program is a kernel an instruction that ran
in the recording, one after the other on a stream; each names its instruction, its module and its program.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

from benchmarks.generate import US, line, stats
from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.programs.reader import instructions_of, programs_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Plane, Space, StatValue, chunk, text


def recorded(file: Path) -> tuple[str, list[str], bytes]:
    """The largest program of a capture: `module(id)`, the names of its instructions that ran, and its message."""
    timeline = Timeline(decode.read(str(file)), "bench")
    programs = programs_of(timeline)
    named = [(programs.called(one.module, one.program), one.instruction) for one in instructions_of(timeline).named]
    key = max({key for key, _ in named}, key=lambda key: len(programs.blobs.get(key, b"")))
    return key, [name for of, name in named if of == key], programs.blobs[key]


def gpu_plane(key: str, names: list[str], runs: int) -> bytes:
    module, _, number = key.rstrip(")").partition("(")
    facts: dict[str, int | str] = {"device_vendor": "Nvidia", "compute_cap_major": 8, "compute_cap_minor": 0}
    facts |= {"clock_rate": 1_410_000, "core_count": 108, "memory_size": 40 * 2**30, "memory_bandwidth": 1555 * 10**9}
    plane = Plane("/device:GPU:0", 1, {**facts})
    count = runs * len(names)
    lengths = (np.random.default_rng(7).lognormal(1.5, 0.5, count) * US).astype(np.int64)
    starts = np.cumsum(lengths + US // 2) - lengths
    kinds = np.tile([plane.kind(f"kernel_{name.partition('.')[0]}_{i % 40}") for i, name in enumerate(names)], runs)
    instructions = np.tile([plane.stat_id(name) for name in names], runs)
    own = [
        stats(plane.stat_id("correlation_id"), 3, np.arange(1, count + 1)),
        stats(plane.stat_id("hlo_op"), 7, instructions),
        stats(plane.stat_id("hlo_module"), 7, np.full(count, plane.stat_id(module))),
        stats(plane.stat_id("program_id"), 3, np.full(count, int(number))),
    ]
    stream = line(13, "Stream #13(Compute)", kinds, starts, lengths, own)
    return chunk(1, plane.bytes() + stream)


def programs_plane(key: str, message: bytes) -> bytes:
    space = Space()
    held: dict[str, StatValue] = {"Hlo Proto": message, "program_id": int(key.rstrip(")").partition("(")[2])}
    space.plane("/host:metadata").kind(key, stats=held)
    return space.bytes()


def xla_run(file: Path, kernels: int) -> bytes:
    """The bytes of an XSpace with about so many kernels, those of one run at least."""
    key, names, message = recorded(file)
    return gpu_plane(key, names, max(1, round(kernels / len(names)))) + programs_plane(key, message) + text(4, "bench")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a large capture of an XLA program into a logdir.")
    parser.add_argument("recorded", type=Path)
    parser.add_argument("logdir", type=Path)
    parser.add_argument("--kernels", type=int, default=2_000_000)
    args = parser.parse_args()
    folder = args.logdir / "plugins" / "profile" / "xla"
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / "bench.xplane.pb.tmp"
    part.write_bytes(xla_run(args.recorded, args.kernels))
    os.replace(part, folder / "bench.xplane.pb")


if __name__ == "__main__":
    main()
