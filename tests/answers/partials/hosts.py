"""A run of several hosts, and what is gathered of it by an executor."""

from __future__ import annotations

from pathlib import Path

from tensorboard_perfplugin.answers.encode import to_json
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.answers.many import Hosts
from tensorboard_perfplugin.answers.partials.gather import Executor
from tensorboard_perfplugin.answers.partials.store import Store
from tensorboard_perfplugin.logdir import Run, runs_at
from tensorboard_perfplugin.tools import find_tool
from tests.build_capture import Space
from tests.conftest import MakeLogdir

TOOLS = ("overview", "kernel_stats")


def host(number: int, steps: int = 3) -> Space:
    """A host with a GPU that runs an op a step; each host's takes another time."""
    space = Space(hostnames=[f"h{number}"])
    gpu = space.plane("/device:GPU:0").line(1, "Stream #1(Compute)")
    train = space.plane("/host:CPU").line(1, "python")
    for step in range(steps):
        begin = step * 1_000_000
        train.event("train", begin, 900_000, stats={"step_num": step, "_r": 1})
        stats = {"tf_op": f"layer/op{step % 2}:MatMul"}
        gpu.event(f"kernel_{step % 2}", begin + 1000, 500_000 + 1000 * number, stats=stats)
    return space


def many(make_logdir: MakeLogdir, count: int, **others: Space | bytes) -> Run:
    files: dict[str, Space | bytes] = {f"r/h{i}.xplane.pb": host(i) for i in range(count)}
    files |= {f"r/{name}.xplane.pb": data for name, data in others.items()}
    (run,) = runs_at(str(make_logdir(files)))
    return run


def answered(run: Run, tool: str, executor: Executor | None, store: Path | None = None) -> str:
    """The answer as JSON. Without an executor: as of few hosts, whose timelines stay."""
    stored = Store(lambda: str(store)) if store else None
    hosts = Hosts(executor, lambda: stored) if executor else None
    answer = Library(hosts=hosts).answer(find_tool(tool), run, None, {})
    answer.check()
    return to_json(answer.to_dict())
