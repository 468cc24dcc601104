"""A device without work: kernels that are launched late or begin late, and ops that only a host runs."""

from __future__ import annotations

from ....messages import Param
from ....threshold import Threshold
from .case import Answer, Case, Cause, bare, largest, work_a_step

FIRST = Threshold("launch_first", 0.2, "share", "launching, of which larger kernels need less")
HOST_OPS_FIRST = Threshold("host_ops_first", 0.2, "share", "a device that waits for ops on the host")
LAUNCH_PS = Threshold(
    "launch_ps",
    50_000_000,
    "ps",
    "from a launch's call to its kernel's begin it takes no longer where nothing else holds the kernel up",
    "5 to 20 µs in captures of GPUs that had nothing else to do",
)
LOADED = Threshold(
    "loaded",
    0.5,
    "share",
    "of the time of launching; where calls of 1 ms and more take so much, they load kernels or modules, or start the "
    "driver, which happens once",
)


def _launches(case: Case, ps: float) -> Answer:
    loading = case.summary.loading
    if case.step.device and loading.times and loading.ps >= LOADED.value * case.of_all(ps):
        return Answer("kernels_loaded", {"calls": loading.times, "each_ps": loading.ps / loading.times})
    rare = sum(spent.ps for spent in case.summary.first_calls.values())
    if case.step.device and rare >= LOADED.value * case.of_all(ps):
        name, spent = largest(case.summary.first_calls)
        return Answer("launch_bound.first_calls", {"op": name, "times": spent.times, "each_ps": spent.ps / spent.times})
    work = case.summary.all_work
    each_ps = case.of_all(ps) / work.times if work.times else 0.0
    long = each_ps > LAUNCH_PS.value
    params: dict[str, Param] = {"each_ps": each_ps if long else None, "graphs": bool(case.summary.graphs) or None}
    if not case.step.device:
        return Answer("launch_bound.device_unseen", params)
    params["kernels"] = work_a_step(case, "kernels_a_step")
    begin_late = case.summary.stalled_ps > case.summary.late_ps
    return Answer("kernels_start_late" if long and begin_late else "launch_bound", params)


def _host_ops(case: Case, ps: float) -> Answer:
    name = largest(case.summary.host_work)[0]
    return Answer("host_ops_bound", {"op": name}, "op_stats", bare(name))


LAUNCH = Cause("launch", ("launch",), FIRST, _launches)
HOST_OPS = Cause("host ops", ("host_compute",), HOST_OPS_FIRST, _host_ops)
