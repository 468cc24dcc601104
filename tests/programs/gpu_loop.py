"""Training loops on a GPU, one planted cost each → a capture, `stopwatch.json` and, of PyTorch, `key_averages.json`.

`python -m tests.programs.gpu_loop OUT [--device cpu] [PROGRAM …]` writes `OUT/PROGRAM/`. Needs PyTorch with CUDA or JAX
with CUDA; all but `torch_graph` run on `--device cpu` as well. Imports nothing of this project.

A step ends when the device is done, so that its time on the stopwatch is its time on the device, too. `planted` in
`stopwatch.json` says what each step costs by design: ms of sleep in the input, bytes that are copied, kernels that are
launched.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Steps that are run and not profiled, that the profiler throws away, and that it keeps.
WARM, WARMUP, STEPS = 4, 2, 8
BATCH, WIDTH, LAYERS = 512, {"cuda": 2048, "cpu": 128}, 3
SLEEP_SECONDS, SLEEPS = 0.008, "input"
#: Kernels of one element; a GPU takes about 2 µs for each, the host about 5.
TINY_KERNELS = 300
_FLAGS = {
    "train": {},
    "train_memory": {"record_shapes": True, "profile_memory": True},
    "train_stack": {"record_shapes": True, "profile_memory": True, "with_stack": True, "with_modules": True},
    "input": {},
    "launch": {},
    "fp32": {},
    "graph": {},
    "compile": {},
}
TORCH = tuple(f"torch_{name}" for name in _FLAGS)
JAX = ("jax_train", "jax_input", "jax_launch", "jax_fp32")


@dataclass
class Stopwatch:
    """Steps by two clocks: `perf_counter_ns`, which never jumps, and `time_ns`, which the capture's start is on."""

    program: str
    planted: dict[str, float] = field(default_factory=dict)
    rows: list[dict[str, int]] = field(default_factory=list)

    @contextlib.contextmanager
    def step(self, number: int, done: Callable[[], Any]) -> Iterator[None]:
        """done: waits for the device."""
        begin, begin_epoch = time.perf_counter_ns(), time.time_ns()
        yield
        done()
        end = time.perf_counter_ns()
        row = {"step": number, "begin_ns": begin, "end_ns": end, "begin_epoch_ns": begin_epoch}
        self.rows.append({**row, "end_epoch_ns": begin_epoch + end - begin})

    def write(self, out: Path, first: int, **producer: Any) -> None:
        kept = [row for row in self.rows if row["step"] >= first]
        log = {"producer": {"program": self.program, **producer}, "planted": self.planted, "steps": kept}
        (out / "stopwatch.json").write_text(json.dumps(log, indent=1) + "\n")


# ---------------------------------------------------------------- PyTorch


class Torch:
    """One program. What a step does is `self.compute(batch)`; batches come from a `DataLoader` that may sleep."""

    def __init__(self, program: str, device: str) -> None:
        self.torch = importlib.import_module("torch")
        self.cause = program.removeprefix("torch_").split("_")[0]
        self.width, self.device, self.flags = (
            WIDTH[device],
            self.torch.device(device),
            _FLAGS[program.removeprefix("torch_")],
        )
        self.on_gpu, self.watch = device != "cpu", Stopwatch(program)
        self.torch.manual_seed(0)
        matmul = self.torch.backends.cuda.matmul
        matmul.allow_tf32 = False
        self.type = self.torch.float32 if self.cause == "fp32" else self.torch.bfloat16
        self.net = self.network()
        self.optimizer = self.torch.optim.SGD(self.net.parameters(), 0.01, momentum=0.9, foreach=False)
        self.compute = self.program()

    def program(self) -> Callable[[Any], Any]:
        """What a step computes of a batch."""
        if self.cause == "launch":
            return self.tiny
        if self.cause == "graph":
            return self.graph()
        return self.compiled() if self.cause == "compile" else self.train

    def network(self) -> Any:
        nn, parts = self.torch.nn, []
        for _ in range(LAYERS):
            parts += [nn.Linear(self.width, self.width), nn.ReLU()]
        return nn.Sequential(*parts, nn.Linear(self.width, 16)).to(self.device)

    def loss(self, batch: Any) -> Any:
        with self.torch.autocast(self.device.type, dtype=self.torch.bfloat16, enabled=self.type != self.torch.float32):
            return self.net(batch).float().square().mean()

    def train(self, batch: Any) -> Any:
        """Forward, backward and an update of each parameter by kernels of its own."""
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(batch)
        loss.backward()
        self.optimizer.step()
        return loss

    def tiny(self, batch: Any) -> Any:
        """So many kernels of one element that the host cannot launch them as fast as they run."""
        total = batch.flatten()[:1].clone()
        for _ in range(TINY_KERNELS):
            total.add_(1.0)
        return total

    def graph(self) -> Callable[[Any], Any]:
        """The step as one CUDA graph that is launched again and again."""
        cuda, static = self.torch.cuda, self.torch.zeros(BATCH, self.width, device=self.device)
        side = cuda.Stream()
        side.wait_stream(cuda.current_stream())
        with cuda.stream(side):
            for _ in range(3):
                self.train(static)
        cuda.current_stream().wait_stream(side)
        graph = cuda.CUDAGraph()
        self.optimizer.zero_grad(set_to_none=True)
        with cuda.graph(graph):
            loss = self.loss(static)
            loss.backward()
            self.optimizer.step()

        def replay(batch: Any) -> Any:
            static.copy_(batch)
            graph.replay()
            return loss

        return replay

    def compiled(self) -> Callable[[Any], Any]:
        loss = self.torch.compile(self.loss)

        def step(batch: Any) -> Any:
            self.optimizer.zero_grad(set_to_none=True)
            value = loss(batch)
            value.backward()
            self.optimizer.step()
            return value

        return step

    def batches(self, count: int) -> Any:
        torch, slow = self.torch, self.cause == SLEEPS
        batch = torch.full((BATCH, self.width), 0.001)

        class Batches(torch.utils.data.Dataset):  # type: ignore[misc, name-defined]
            def __len__(self) -> int:
                return count

            def __getitem__(self, number: int) -> Any:
                if slow:
                    time.sleep(SLEEP_SECONDS)
                return batch

        return torch.utils.data.DataLoader(Batches(), batch_size=None, pin_memory=False)

    def step(self, batches: Iterator[Any]) -> float:
        """Take a batch, copy it to the device, compute, and copy the loss back."""
        return float(self.compute(next(batches).to(self.device)).sum().item())

    def done(self) -> None:
        if self.on_gpu:
            self.torch.cuda.synchronize()

    def plant(self) -> None:
        """What a step costs by design; the batch goes to the device once, and four bytes of loss come back."""
        self.watch.planted["input_ms"] = SLEEP_SECONDS * 1e3 if self.cause == SLEEPS else 0.0
        self.watch.planted["copy_in_bytes"] = 4 * BATCH * self.width
        self.watch.planted["copy_out_bytes"] = 4
        if self.cause == "launch":
            self.watch.planted["tiny_kernels"] = TINY_KERNELS

    def run(self, out: Path) -> None:
        profiler, first = self.torch.profiler, WARM + WARMUP
        kinds = [profiler.ProfilerActivity.CPU, *([profiler.ProfilerActivity.CUDA] if self.on_gpu else [])]
        write = profiler.tensorboard_trace_handler(str(out), worker_name="trainer")

        def ready(profile: Any) -> None:
            write(profile)
            (out / "key_averages.json").write_text(json.dumps(averages(profile, bool(self.flags))))

        schedule = profiler.schedule(wait=WARM, warmup=WARMUP, active=STEPS, repeat=1)
        batches = iter(self.batches(first + STEPS))
        with profiler.profile(activities=kinds, schedule=schedule, on_trace_ready=ready, **self.flags) as profile:
            for number in range(first + STEPS):
                with self.watch.step(number, self.done):
                    self.step(batches)
                profile.step()
        self.plant()
        name = self.torch.cuda.get_device_name() if self.on_gpu else "cpu"
        versions = {"torch": self.torch.__version__, "cuda": self.torch.version.cuda}
        self.watch.write(out, first, device=name, **versions)


def averages(profile: Any, shapes: bool) -> dict[str, list[dict[str, Any]]]:
    """`key_averages()` by operator, with shapes by input shape, too; times in µs, memory in bytes.

    From PyTorch 2.13 on it counts Python's frames as if they were operators; they are left out before it sums.
    """
    events = profile.events()
    events[:] = [event for event in events if not getattr(event, "is_python_function", False)]
    for event in events:
        event.cpu_children, event.cpu_parent = [], None
    events._build_tree()
    sums = {"op": [row(one) for one in events.key_averages()]}
    if shapes:
        sums["shape"] = [row(one) for one in events.key_averages(group_by_input_shapes=True)]
    return sums


def row(one: Any) -> dict[str, Any]:
    names = {
        "total_us": "cpu_time_total",
        "self_us": "self_cpu_time_total",
        "device_us": "device_time_total",
        "self_device_us": "self_device_time_total",
        "cpu_bytes": "cpu_memory_usage",
        "self_cpu_bytes": "self_cpu_memory_usage",
        "device_bytes": "device_memory_usage",
        "self_device_bytes": "self_device_memory_usage",
    }
    values = {name: getattr(one, attribute, None) for name, attribute in names.items()}
    device = str(getattr(one, "device_type", "")).rpartition(".")[2]
    return {"key": one.key, "shapes": one.input_shapes or "", "count": one.count, "device": device, **values}


# ---------------------------------------------------------------- JAX


class Jax:
    def __init__(self, program: str, device: str) -> None:
        self.jax = importlib.import_module("jax")
        # Source files stand in the programs by their base name only.
        self.jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
        self.jax.config.update("jax_platforms", "cpu" if device == "cpu" else "cuda,cpu")
        self.width, self.cause, self.watch = WIDTH[device], program.removeprefix("jax_"), Stopwatch(program)
        self.numpy = importlib.import_module("numpy")
        self.update = self.jax.jit(self.train)

    def state(self) -> Any:
        jax = self.jax
        type_ = jax.numpy.float32 if self.cause == "fp32" else jax.numpy.bfloat16
        keys = jax.random.split(jax.random.key(0), LAYERS)
        return [jax.random.normal(key, (self.width, self.width), type_) * 0.02 for key in keys]

    def train(self, weights: list[Any], batch: Any) -> tuple[list[Any], Any]:
        jax = self.jax

        def loss(weights: list[Any]) -> Any:
            hidden = batch.astype(weights[0].dtype)
            for weight in weights:
                hidden = jax.nn.relu(jax.numpy.dot(hidden, weight, precision="highest"))
            return (hidden.astype(jax.numpy.float32) ** 2).mean()

        value, slopes = jax.value_and_grad(loss)(weights)
        return [weight - 0.01 * slope for weight, slope in zip(weights, slopes, strict=True)], value

    def tiny(self, weights: list[Any], batch: Any) -> tuple[list[Any], Any]:
        """No jit: each operation is dispatched alone."""
        total = self.jax.numpy.zeros(())
        for _ in range(TINY_KERNELS):
            total = total + 1.0
        return weights, total

    def batches(self) -> Iterator[Any]:
        while True:
            if self.cause == SLEEPS:
                time.sleep(SLEEP_SECONDS)
            yield self.numpy.full((BATCH, self.width), 0.001, self.numpy.float32)

    def run(self, out: Path) -> None:
        jax, step, batches = self.jax, self.tiny if self.cause == "launch" else self.update, self.batches()
        weights = self.state()
        for _ in range(WARM):
            weights, value = step(weights, jax.device_put(next(batches)))
            jax.block_until_ready((weights, value))
        options = jax.profiler.ProfileOptions()
        # Without Python's calls nothing in a capture of JAX shows the input.
        options.python_tracer_level = int(self.cause == SLEEPS)
        with jax.profiler.trace(str(out), profiler_options=options):
            for number in range(STEPS):
                with self.watch.step(number, lambda: None), jax.profiler.StepTraceAnnotation("train", step_num=number):
                    weights, value = step(weights, jax.device_put(next(batches)))
                    jax.block_until_ready((weights, value))
                    float(value)
        self.watch.planted["input_ms"] = SLEEP_SECONDS * 1e3 if self.cause == SLEEPS else 0.0
        self.watch.planted["copy_in_bytes"] = 4 * BATCH * self.width
        self.watch.planted["copy_out_bytes"] = 4
        if self.cause == "launch":
            self.watch.planted["tiny_kernels"] = TINY_KERNELS
        self.watch.write(out, 0, device=jax.devices()[0].device_kind, jax=jax.__version__)


def main() -> None:
    parser = argparse.ArgumentParser(description="Training loops on a GPU, each with one planted cost.")
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join((*TORCH, *JAX))}; all by default"
    )
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    given = parser.parse_intermixed_args()
    if unknown := set(given.programs) - {*TORCH, *JAX}:
        parser.error(f"no program {', '.join(sorted(unknown))}")
    for program in given.programs or (*TORCH, *JAX):
        out = given.out / program
        out.mkdir(parents=True, exist_ok=True)
        (Torch if program in TORCH else Jax)(program, given.device).run(out)


if __name__ == "__main__":
    main()
