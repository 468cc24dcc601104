"""A few numbers → `HostSteps`, as a host's capture would give them; steps and split check themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tensorboard_perfplugin.analysis.steps.means import HostSteps
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.split.split import Split, Unit
from tensorboard_perfplugin.timeline.steps.model import Steps, none
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX

MS = 10**9


def steps(begin_ms: Sequence[float], end_ms: float, numbers: Sequence[int] = (), name: str = "train") -> Steps:
    """Steps that follow each other; the last ends at end_ms and does not count as whole."""
    n = len(begin_ms)
    if not n:
        return none(Message("no_steps.none_held"))
    begin = np.array([round(ms * MS) for ms in begin_ms], np.int64)
    until = np.append(begin[1:], round(end_ms * MS))
    number = np.array(numbers or range(n), np.int64)
    names = tuple(f"{name} {i}" for i in number.tolist())
    i32 = np.zeros(n, np.int32)
    nexts = np.append(begin[1:], -1)
    found = Steps(
        "markers",
        "certain",
        Message("steps_seen.recorded"),
        None,
        number,
        names,
        i32,
        i32,
        begin,
        until,
        nexts,
        np.zeros(n, np.uint8),
    )
    found.check()
    return found


def host(
    name: str,
    of: Steps,
    start_ms: float | None = 0,
    *,
    numbered: bool = True,
    parts_ms: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    ends_ms: Sequence[float] = (),
) -> HostSteps:
    """start_ms: of the capture, after the first one's. parts_ms: device → category → time of each step.

    What the categories leave of a step is Python. Without parts the host has no device.
    """
    devices = parts_ms or {"": {}}
    exposed = np.zeros((len(devices), len(of), len(CATEGORIES)), np.int64)
    for i, categories in enumerate(devices.values()):
        for key, values in categories.items():
            exposed[i, :, INDEX[key]] = [round(ms * MS) for ms in values]
    exposed[:, :, INDEX["python"]] = of.wall_ps - exposed.sum(axis=2)
    units = tuple(
        Unit(i, f"/device:{device}", "gpu") if device else Unit(-1, name, "cpu") for i, device in enumerate(devices)
    )
    split = Split(of, units, exposed, exposed)
    split.check()
    start_ns = None if start_ms is None else 1_800_000_000_000_000_000 + round(start_ms * 1e6)
    ends = np.array([round(ms * MS) for ms in ends_ms], np.int64)
    return HostSteps(name, start_ns, split, numbered, ends)
