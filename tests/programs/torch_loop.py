"""A small training loop of PyTorch on CPU → `OUT/*.pt.trace.json`, `OUT/key_averages.json`, `OUT/stopwatch.json`.

`python -m tests.programs.torch_loop OUT [stack]`. Needs PyTorch; imports nothing of this project.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

#: Steps that pass, that are recorded and thrown away, and that are kept, where nothing else is asked for.
WAIT, WARMUP, ACTIVE = 1, 1, 4
BATCH, WIDTH, CLASSES = 16, 32, 8
#: How long the loader takes for a sample: most of a step, so that its length is known.
SAMPLE_SECONDS = 0.003


def main(out: Path, stack: bool = False, active: int = ACTIVE) -> None:
    """stack: Python's frames and modules, too. active: steps to keep."""
    torch = importlib.import_module("torch")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    profiler = torch.profiler
    write = profiler.tensorboard_trace_handler(str(out), worker_name="trainer")

    def ready(profile: Any) -> None:
        write(profile)
        (out / "key_averages.json").write_text(json.dumps(averages(profile)))

    schedule = profiler.schedule(wait=WAIT, warmup=WARMUP, active=active, repeat=1)
    options = {"record_shapes": True, "profile_memory": True, "with_stack": stack, "with_modules": stack}
    with profiler.profile(
        activities=[profiler.ProfilerActivity.CPU], schedule=schedule, on_trace_ready=ready, **options
    ) as profile:
        steps = train(torch, profile, WAIT + WARMUP + active)
    kept = [{"step": n, "begin_ns": begin, "end_ns": end} for n, begin, end in steps if n >= WAIT + WARMUP]
    (out / "stopwatch.json").write_text(json.dumps({"producer": {"torch": torch.__version__}, "steps": kept}, indent=1))


def train(torch: Any, profile: Any, count: int) -> list[tuple[int, int, int]]:
    """Number, begin and end of each step, in ns of one clock."""
    net = model(torch)
    optimizer, loss = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9), torch.nn.CrossEntropyLoss()
    steps, begin = [], time.perf_counter_ns()
    for number, (samples, labels) in enumerate(torch.utils.data.DataLoader(data(torch, count), batch_size=BATCH)):
        optimizer.zero_grad()
        with torch.profiler.record_function("noise"):
            samples = samples + torch.randn(samples.shape)
        loss(net(samples), labels).backward()
        optimizer.step()
        steps.append((number, begin, time.perf_counter_ns()))
        profile.step()
        begin = time.perf_counter_ns()
    return steps


def data(torch: Any, steps: int) -> Any:
    class Slow(torch.utils.data.Dataset):  # type: ignore[misc]
        def __len__(self) -> int:
            return steps * BATCH

        def __getitem__(self, number: int) -> tuple[Any, int]:
            time.sleep(SAMPLE_SECONDS)
            return torch.full((WIDTH,), float(number)), number % CLASSES

    return Slow()


def model(torch: Any) -> Any:
    """Two blocks of one kind, which share nothing, and a head."""
    nn = torch.nn

    class Block(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.inner, self.norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH)

        def forward(self, x: Any) -> Any:
            return self.norm(torch.relu(self.inner(x))) + x

    class Net(nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second, self.head = Block(), Block(), nn.Linear(WIDTH, CLASSES)

        def forward(self, x: Any) -> Any:
            return self.head(self.second(self.first(x)))

    return Net()


def averages(profile: Any) -> dict[str, list[dict[str, Any]]]:
    """`key_averages()` by operator and by input shape, in µs and bytes.

    From 2.13 on it counts Python's frames as if they were operators; they are left out before it sums.
    """
    events = profile.events()
    events[:] = [event for event in events if not getattr(event, "is_python_function", False)]
    for event in events:
        event.cpu_children, event.cpu_parent = [], None
    events._build_tree()
    return {
        "op": [row(one) for one in events.key_averages()],
        "shape": [row(one) for one in events.key_averages(group_by_input_shapes=True)],
    }


def row(one: Any) -> dict[str, Any]:
    return {
        "key": one.key,
        "shapes": one.input_shapes or "",
        "count": one.count,
        "total_us": one.cpu_time_total,
        "self_us": one.self_cpu_time_total,
        "cpu_bytes": one.cpu_memory_usage,
        "self_cpu_bytes": one.self_cpu_memory_usage,
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), "stack" in sys.argv[2:])
