"""`python -m benchmarks.kineto`: a large trace of PyTorch's profiler, made here: load and operator table beside HTA's.

HolisticTraceAnalysis runs in an environment of its own, whose folder PERFPLUGIN_HTA names; without it only this package
is measured. Each figure is of a fresh process with nothing cached, from `python` to the table's last byte.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import IO, Any

from .process import run
from .report import MB, table, tell

CACHE = Path(__file__).parents[1] / ".cache" / "bench" / "kineto"
#: What of HTA a user runs for the same: its table of kernels by name, of a trace that it loads for it.
HTA = """
import json, logging, sys, warnings
warnings.filterwarnings("ignore"); logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis
found = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir="", include_last_profiler_step=True)
kinds, kernels = found.get_gpu_kernel_breakdown(visualize=False, num_kernels=100)
print(json.dumps({"kernels": len(kernels)}))
"""
#: An operator with its launch and kernel; of every 50th the kernel is a collective.
PER_OP, OPS_A_STEP, NAMES = 4, 1000, 60
HEAD = ["load and operator table", "time: median", "all", "peak memory"]


def events(count: int) -> Iterator[dict[str, Any]]:
    """About so many: steps of 1,000 operators one after another, each with an inner one, its launch and its kernel."""
    ops = max(count // PER_OP, 1)
    for i in range(ops):
        at = 1_700_000_000_000_000 + 100 * i
        step, name = i // OPS_A_STEP, f"aten::op_{i % NAMES}"
        if not i % OPS_A_STEP:
            length = 100 * min(OPS_A_STEP, ops - i)
            yield event(f"ProfilerStep#{step}", "user_annotation", at, length, {"External id": ops * 3 + step})
        shapes = {"Input Dims": [[64, i % 7 + 1], [64]], "Input type": ["float", "float"]}
        yield event(name, "cpu_op", at + 1, 60, {"External id": 2 * i + 1, "Sequence number": i, **shapes})
        yield event(f"{name}_inner", "cpu_op", at + 5, 50, {"External id": 2 * i + 2, **shapes})
        launch = {"External id": 2 * i + 2, "cbid": 211, "correlation": i + 1}
        yield event("cudaLaunchKernel", "cuda_runtime", at + 10, 8, launch)
        kernel = f"void at::native::kernel_{i % NAMES}<float>(int, float*)" if i % 50 else _NCCL
        yield event(kernel, "kernel", at + 30, 40, {**_KERNEL, "External id": 2 * i + 2, "correlation": i + 1}, 0, 7)


_NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
_KERNEL = {
    "device": 0,
    "context": 1,
    "stream": 7,
    "registers per thread": 32,
    "shared memory": 0,
    "queued": 0,
    "blocks per SM": 1.5,
    "warps per SM": 12,
    "grid": [162, 1, 1],
    "block": [256, 1, 1],
    "est. achieved occupancy %": 19,
}


def event(
    name: str, category: str, at: int, length: int, args: dict[str, Any], pid: int = 100, tid: int = 100
) -> dict[str, Any]:
    return {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid, "ts": at, "dur": length, "args": args}


def write(file: Path, count: int) -> None:
    """Event by event; a file that was not finished is not kept."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    with part.open("w") as out:
        out.write(f'{{"schemaVersion": 1, "deviceProperties": {json.dumps([{"id": 0, "name": "built"}])},\n')
        out.write('"distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1},\n"traceEvents": [\n')
        for i, one in enumerate(events(count)):
            out.write((",\n" if i else "") + json.dumps(one))
        out.write("\n]}\n")
    part.rename(file)


def made(count: int) -> Path:
    file = CACHE / f"{count}" / "rank0.1700000000000.pt.trace.json"
    if not file.exists():
        tell(f"making a trace of {count:,} events in {file.parent}")
        write(file, count)
    return file


def kineto_table(count: int, repeats: int, hta: Path | None, errors: IO[bytes]) -> Iterator[str]:
    """A row for each, and one of ratios; what the environment lacks is said."""
    file = made(count)
    yield f"{file.name}: {count:,} events, {file.stat().st_size / MB:.0f} MB"
    ours = [measured(_ours(file), errors) for _ in _told("ours", repeats)]
    rows = [_cells("ours: `perfplugin op_stats`", ours)]
    if hta is None:
        yield "HolisticTraceAnalysis is left out: PERFPLUGIN_HTA names no environment with it"
    else:
        theirs = [measured([str(hta / "bin" / "python"), "-c", HTA, str(file)], errors) for _ in _told("HTA", 1)]
        time = median(taken for taken, _ in theirs) / median(taken for taken, _ in ours)
        memory = max(peak for _, peak in theirs) / max(peak for _, peak in ours)
        rows += [_cells("HTA: TraceAnalysis, get_gpu_kernel_breakdown", theirs)]
        rows += [["HTA ÷ ours (at least 20 ×, 2 ×)", f"{time:.1f} ×", "", f"{memory:.1f} ×"]]
    yield from table(HEAD, rows)


def _told(who: str, repeats: int) -> Iterable[int]:
    for turn in range(repeats):
        tell(f"kineto, {who}: turn {turn + 1}")
        yield turn


def _ours(file: Path) -> list[str]:
    return [sys.executable, "-m", "tensorboard_perfplugin", "op_stats", str(file), "--json"]


def measured(command: list[str], errors: IO[bytes]) -> tuple[float, int]:
    """Seconds and peak bytes of a fresh process. Raises RuntimeError where it fails or answers nothing."""
    with tempfile.TemporaryDirectory() as cache:
        done = run(command, errors, XDG_CACHE_HOME=cache)
    if not done.output.strip():
        raise RuntimeError(f"{command[0]} answers nothing")
    return done.seconds, done.peak_bytes


def _cells(what: str, found: list[tuple[float, int]]) -> list[str]:
    seconds = sorted(time for time, _ in found)
    peak = max(peak for _, peak in found)
    return [what, f"{median(seconds):.1f} s", ", ".join(f"{time:.1f}" for time in seconds), f"{peak / MB:,.0f} MB"]


def found_hta() -> Path | None:
    """The environment that PERFPLUGIN_HTA names, where it holds a Python."""
    named = os.environ.get("PERFPLUGIN_HTA", "")
    folder = Path(named).expanduser()
    return folder if named and (folder / "bin" / "python").exists() else None


def main() -> None:
    parser = argparse.ArgumentParser(description="Load and operator table of a large PyTorch trace, beside HTA.")
    parser.add_argument("--events", type=int, default=1_000_000, help="of the trace that is made")
    parser.add_argument("--repeats", type=int, default=3, help="of ours; HTA runs once (default: %(default)s)")
    args = parser.parse_args()
    with tempfile.TemporaryFile() as errors:
        print("\n".join(kineto_table(args.events, args.repeats, found_hta(), errors)))


if __name__ == "__main__":
    main()
