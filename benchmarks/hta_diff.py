"""`python -m benchmarks.hta_diff BASE NEW`: kernels of two captures of PyTorch, ours beside those of HTA's TraceDiff.

Of the same steps on each side: those that the mean is of, by their numbers. HTA counts what was launched in a step,
`compare` what began in it. PERFPLUGIN_HTA names HTA's environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import tensorboard_perfplugin
from tensorboard_perfplugin.tools import Answer

from .kineto import found_hta
from .report import table

HTA = """
import json, logging, sys, warnings
warnings.filterwarnings("ignore"); logging.disable(logging.CRITICAL)
from hta.trace_diff import DeviceType, LabeledTrace, TraceDiff
folders, steps = sys.argv[1:3], [json.loads(text) for text in sys.argv[3:5]]
sides = [LabeledTrace(label, trace_dir=folder) for label, folder in zip(("base", "new"), folders)]
found = TraceDiff.compare_traces(*sides, None, None, *steps, DeviceType.GPU)
columns = ["base_counts", "base_total_duration", "new_counts", "new_total_duration"]
print(json.dumps({name: [float(row[column]) for column in columns] for name, row in found.iterrows()}))
"""
#: Of a sum in µs: HTA rounds each event to whole µs.
NEAR = 1e-3
Sums = dict[str, tuple[float, float, float, float]]


def ours(answer: Answer, many: tuple[int, int]) -> Sums:
    """By kernel, over all steps: runs and µs of base, runs and µs of new."""
    found: Sums = {}
    columns = answer.result.tables["kernels"]
    names = ("name", "was", "base_times", "base_ms", "new_times", "new_ms")
    for name, was, base_times, base_ms, new_times, new_ms in zip(*(columns[c] for c in names), strict=True):
        base = (float(base_times) * many[0], float(base_ms) * many[0] * 1e3)
        new = (float(new_times) * many[1], float(new_ms) * many[1] * 1e3)
        for key, numbers in ((was or name, (*base, 0.0, 0.0)), (name, (0.0, 0.0, *new))):
            before = found.get(str(key), (0.0, 0.0, 0.0, 0.0))
            found[str(key)] = tuple(x + y for x, y in zip(before, numbers, strict=True))  # type: ignore[assignment]
    return found


def steps_of(answer: Answer, side: str) -> list[int]:
    steps = answer.result.tables["steps"]
    rows = zip(steps["side"], steps["number"], strict=True)
    return [int(number) for which, number in rows if which == side]


def theirs(hta: Path, files: tuple[str, str], steps: tuple[list[int], list[int]]) -> Sums:
    with tempfile.TemporaryDirectory() as folder:
        for side, file in zip(("base", "new"), files, strict=True):
            (Path(folder) / side).mkdir()
            (Path(folder) / side / Path(file).name).symlink_to(Path(file).resolve())
        command = [str(hta / "bin" / "python"), "-c", HTA, f"{folder}/base", f"{folder}/new", *map(json.dumps, steps)]
        environment = {**os.environ, "HTA_DISABLE_NS_ROUNDING": "1"}
        said = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=environment).stdout
    return {name: tuple(numbers) for name, numbers in json.loads(said.splitlines()[-1]).items()}


def main(base: str, new: str) -> None:
    hta = found_hta()
    if hta is None:
        raise SystemExit("PERFPLUGIN_HTA names no environment with HolisticTraceAnalysis")
    answer = tensorboard_perfplugin.compare(base, new)
    steps = steps_of(answer, "base"), steps_of(answer, "new")
    mine, other = ours(answer, (len(steps[0]), len(steps[1]))), theirs(hta, (base, new), steps)
    none = (0.0, 0.0, 0.0, 0.0)
    rows, unlike = [], 0
    for name in sorted({*mine, *other}, key=lambda name: -max(mine.get(name, none)[1], other.get(name, none)[1])):
        a, b = mine.get(name, none), other.get(name, none)
        same = all(abs(x - y) <= max(NEAR * max(x, y), 1.0) for x, y in zip(a[1::2], b[1::2], strict=True))
        same = same and [round(x) for x in a[::2]] == [round(x) for x in b[::2]]
        unlike += not same
        rows.append([name[:60], *(f"{x:,.1f} / {y:,.1f}" for x, y in zip(a, b, strict=True)), "" if same else "differ"])
    print("\n".join(table(["kernel, ours / HTA's", "base runs", "base µs", "new runs", "new µs", ""], rows)))
    print(f"\n{len(rows) - unlike} of {len(rows)} kernels have the same runs and sums; steps {steps[0]} and {steps[1]}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
