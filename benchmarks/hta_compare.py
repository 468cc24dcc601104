"""`python -m benchmarks.hta_compare FILE…`: one rank a file, our split of the GPU's time beside HTA's, in µs.

Both over what was launched up to the end of the last step; HTA with its last step and without rounding to whole µs.
PERFPLUGIN_HTA names HTA's environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.idle import CAUSES, gaps_of
from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.tables.arrays import I64
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.devices import workers_of
from tensorboard_perfplugin.timeline.split.device import category_of_kernel
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, Timeline
from tensorboard_perfplugin.timeline.tracks import device_rows

from .kineto import found_hta
from .report import table

HTA = """
import json, logging, sys, warnings
warnings.filterwarnings("ignore"); logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis
files = dict(enumerate(sys.argv[1:]))
found = TraceAnalysis(trace_files=files, trace_dir="", include_last_profiler_step=True)
split = found.get_temporal_breakdown(visualize=False).to_dict("records")
overlap = found.get_comm_comp_overlap(visualize=False).to_dict("records")
idle = found.get_idle_time_breakdown(ranks=list(files), visualize=False)[0].to_dict("records")
for rank in files:
    mine = next(row for row in split if row["rank"] == rank)
    shown = {name: mine[f"{name}_time(us)"] for name in ("idle", "compute", "non_compute")}
    shown["hidden %"] = next(row["comp_comm_overlap_pctg"] for row in overlap if row["rank"] == rank)
    for cause in ("host_wait", "kernel_wait", "other"):
        rows = [row for row in idle if row["rank"] == rank and row["idle_category"] == cause]
        shown[cause] = sum(row["idle_time"] or 0 for row in rows)
    print(json.dumps(shown))
"""
_PS_PER_US = 1e6
_GROUPS = np.array([*(category.group for category in CATEGORIES), "copy"])


def ours(file: str) -> dict[str, float]:
    """The same by our timeline: what ran, of which class, and what launched it."""
    timeline = Timeline(decode.read(file), Path(file).name)
    events, strings = timeline.capture.events, timeline.capture.strings
    rows = np.concatenate([device_rows(timeline, device.plane) for device in workers_of(timeline)])
    launch = launches_of(timeline).rows[rows]
    steps = [i for i in timeline.capture.names_used.tolist() if strings[i].startswith("ProfilerStep#")]
    if len(steps) > 1:
        ends = (events.start_ps + events.duration_ps)[np.isin(events.name, steps)]
        kept = (launch >= 0) & (events.start_ps[launch] <= ends.max())
        rows, launch = rows[kept], launch[kept]
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    group = _GROUPS[[category_of_kernel(strings[i]) for i in events.name[rows].tolist()]]
    compute, exchange = (
        intervals.union(begin[group == name], end[group == name]) for name in ("compute", "collective")
    )
    busy = intervals.union(begin, end)
    hidden = intervals.intersection(compute, exchange).total
    found = {
        "idle": int(busy.end[-1] - busy.begin[0]) - busy.total,
        "compute": compute.total,
        "non_compute": busy.total - compute.total,
        **_idle(timeline, rows),
    }
    shown = {name: ps / _PS_PER_US for name, ps in found.items()}
    return shown | {"hidden %": 100 * hidden / exchange.total if exchange.total else float("nan")}


def _idle(timeline: Timeline, rows: I64) -> dict[str, int]:
    """Gaps of each stream by cause, as the pod viewer's table `idle` has them."""
    found = dict.fromkeys(("host_wait", "kernel_wait", "other"), 0)
    plane = timeline.capture.tracks.plane[timeline.capture.events.track[rows]]
    for device in workers_of(timeline):
        for one in gaps_of(timeline, device.plane, rows[plane == device.plane]):
            if one.track >= 0:
                ps = np.bincount(one.cause, one.when.end - one.when.begin, len(CAUSES))
                found["host_wait"] += int(ps[0])
                found["kernel_wait"] += int(ps[1])
                found["other"] += int(ps[2:].sum())
    return found


def main(files: list[str]) -> None:
    hta = found_hta()
    if hta is None:
        raise SystemExit("PERFPLUGIN_HTA names no environment with HolisticTraceAnalysis")
    environment = {**os.environ, "HTA_DISABLE_NS_ROUNDING": "1"}
    command = [str(hta / "bin" / "python"), "-c", HTA, *files]
    said = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment).stdout
    rows = []
    for file, line in zip(files, said.splitlines(), strict=True):
        theirs, mine = json.loads(line), ours(file)
        cells = [f"{mine[name]:,.2f} / {value:,.2f}" if value == value else "–" for name, value in theirs.items()]
        rows.append([Path(file).name[:40], *cells])
    print("\n".join(table(["ours / HTA's, µs", *json.loads(said.splitlines()[0])], rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
