"""A column's name, dtype and unit → its title, as pages and the command line head it; cells carry the unit."""

from __future__ import annotations

import re

from ..units import plural, unit_of

#: Titles of names that do not speak for themselves.
NAMED = {
    "algorithm_gb_s": "Algorithm bandwidth",
    "baseline_change_share": "vs baseline",
    "bottleneck_us": "Bottleneck time",
    "bus_gb_s": "Bus bandwidth",
    "captured_ms": "Captured",
    "change_share": "vs before",
    "copy_ms": "Copy time",
    "device_instruction_ms": "Device instruction time",
    "gb_s": "Bandwidth",
    "gflop_s": "FLOP rate",
    "host_instruction_ms": "Host instruction time",
    "host_op_ms": "Host op time",
    "host_wait_ms": "Host launched late",
    "in_use_count": "Buffers in use",
    "kernel_ms": "Kernel time",
    "kernel_wait_ms": "Launch latency",
    "lag_ms": "Lag",
    "lost_ms": "Straggler wait",
    "merged_count": "Merged",
    "model_gflop_s": "Model FLOP rate",
    "more_ps": "Δ self (B − A)",
    "op_ms": "Op time",
    "overlapped_collective_ms": "Overlapped collectives",
    "overlapped_ms": "Overlapped",
    "overlapped_share": "Overlapped %",
    "peak_gb_s": "Peak bandwidth",
    "peak_tflops": "Peak FLOP rate",
    "shown_count": "Shown",
    "starved_share": "Launched late %",
    "step_allocated_bytes": "Allocated per step",
    "step_time_typical_ms": "Typical step time",
    "times_slowest": "Times slowest",
    "unattributed_ms": "Unattributed",
    "undrawn_count": "Not drawn",
    "wait_step_ms": "Wait per step",
    "work_ms": "Excl. communication",
}
_UPPER_CASE = re.compile(r"\b(tf32|mxu|hbm|flop|cpu|gpu|sm|sd)\b")


def title_of(name: str, dtype: str, unit: str) -> str:
    """`self_us` → `Self`, `idle_share` → `Idle %`, `host_count` → `Hosts`."""
    if name in NAMED:
        return NAMED[name]
    shown = unit_of(name, unit)
    ending = f"_{'bytes' if shown == 'memory' else shown}"
    stem = name.removesuffix(ending) if shown else name
    if dtype == "bool" and stem.startswith("tensor_core_"):
        return f"TC {stem.removeprefix('tensor_core_').replace('_', ' ')}"
    if unit == "count" and stem != name:
        stem = plural(stem)
    words = re.sub(r"(\d)bit\b", r"\1-bit", stem.replace("_", " "))
    words = re.sub(r" [ab]$", lambda side: side[0].upper(), words)
    words = _UPPER_CASE.sub(lambda word: word[0].upper(), words, count=1)
    return words[:1].upper() + words[1:] + (" %" if unit in ("share", "percent") else "")
