"""A loop in PyTorch, profiled by `torch.profiler`.

Models: `small`, `tiny` (the same with nothing planted), `dense`, `convolution`, `lstm`. Flags: `workers` (a DataLoader
with two processes), `stack` (Python's frames are recorded), `no_loader` (a plain iterator in place of a DataLoader),
`accumulate` (four micro-batches a step), `unmarked` (nobody calls `profile.step()`), `inference` (no gradients), `gan`
(a second model, with an optimizer of its own, is updated twice before the first, which it judges).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch
from tests.truth.costs import WORK, Meter, spend, spend_at, until
from tests.truth.declared import STEPS, WARM, Case

BATCH, CLASSES = 16, 8
#: What a sample of each model is.
SHAPES = {"small": (64,), "tiny": (64,), "dense": (1024,), "convolution": (3, 48, 48), "lstm": (64, 128)}


def main(case: Case, folder: Path, watch: Stopwatch, meter: Meter) -> None:
    torch = importlib.import_module("torch")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    torch.autograd.set_detect_anomaly(case.plant("anomaly") is not None)
    profiler = torch.profiler
    options = {"with_stack": case.has("stack"), "with_modules": case.has("stack"), "profile_memory": True}
    write = profiler.tensorboard_trace_handler(str(folder), worker_name="trainer")
    loop = Loop(torch, case, meter, folder)
    if case.has("unmarked"):
        for number in range(-WARM, 0):
            loop.step(number)
        profile = profiler.profile(activities=[profiler.ProfilerActivity.CPU], **options)
        profile.start()
        loop.record(watch, lambda number: None)
        profile.stop()
        write(profile)
        return
    schedule = profiler.schedule(wait=1, warmup=WARM - 1, active=STEPS, repeat=1)
    with profiler.profile(
        activities=[profiler.ProfilerActivity.CPU], schedule=schedule, on_trace_ready=write, **options
    ) as profile:
        for number in range(-WARM, 0):
            loop.step(number)
            profile.step()
        loop.record(watch, lambda number: profile.step())


class Loop:
    """The steps of a case."""

    def __init__(self, torch: Any, case: Case, meter: Meter, folder: Path) -> None:
        self.torch, self.case, self.meter = torch, case, meter
        self.net = model(torch, case.model)
        self.rival = model(torch, case.model) if case.has("gan") else None
        models = (self.rival, self.net) if self.rival else (self.net,)
        #: What a step updates, in order, with their optimizers.
        self.turn = [(net, torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)) for net in models]
        self.turn[:0] = self.turn[:-1]
        self.loss = torch.nn.CrossEntropyLoss()
        self.beside = beside(torch, self.net, folder)
        self.given = batches(torch, case, meter)
        hook = case.plant("hook")
        if hook:
            self.net.register_forward_hook(lambda *given: spend(meter, hook, hook.seconds))
        on_gradient = case.plant("gradient_hook")
        if on_gradient:
            self.net[0].weight.register_hook(lambda slope: spend(meter, on_gradient, on_gradient.seconds))

    def record(self, watch: Stopwatch, ended: Callable[[int], None]) -> None:
        self.meter.on = True
        for number in range(STEPS):
            watch.begin(number)
            self.step(number)
            watch.end(number)
            ended(number)
        self.meter.on = False

    def step(self, number: int) -> None:
        with self.meter.clock("waits"):
            samples, labels = next(self.given)
        if self.case.has("inference"):
            with self.torch.no_grad():
                self.net(samples).argmax(-1)
            spend_at(self.meter, self.case, "inside", number)
        else:
            self.train(number, samples, labels)
        for plant in self.case.plants:
            if plant.where in self.beside and plant.seconds_at(number):
                with self.meter.clock(plant.name):
                    until(plant.seconds_at(number), self.beside[plant.where])
        spend_at(self.meter, self.case, "between", number)

    def train(self, number: int, samples: Any, labels: Any) -> None:
        for net, optimizer in self.turn:
            optimizer.zero_grad()
            for _ in range(4 if self.case.has("accumulate") else 1):
                loss = self.loss(net(samples), labels)
                if net is self.net and self.rival:
                    loss = loss + self.rival(samples).mean()
                spend_at(self.meter, self.case, "inside", number)
                loss.backward()
            optimizer.step()


def beside(torch: Any, net: Any, folder: Path) -> dict[str, Callable[[], object]]:
    """What a loop does with tensors beside its model, once."""
    small, large = torch.ones((8,)), torch.ones((2 << 20,))
    numbers = [float(n % 97) for n in range(2000)]
    weights = {name: torch.ones((256, 256)) for name in "abcd"}

    def evaluate() -> None:
        with torch.no_grad():
            net(torch.ones((BATCH, *SHAPES["small"])))

    return {
        "tiny_ops": lambda: torch.tanh(small + 0.5),
        "item": lambda: small[3].item(),
        "tensor": lambda: torch.tensor([numbers] * 4),
        "clone": lambda: large.clone(),
        "updates": lambda: small.mul_(0.9).add_(small, alpha=0.1),
        "checkpoint": lambda: torch.save(weights, folder / "checkpoint.bin"),
        "state": lambda: torch.save([net.state_dict(), weights], folder / "checkpoint.bin"),
        "evaluate": evaluate,
    }


def batches(torch: Any, case: Case, meter: Meter) -> Iterator[Any]:
    if case.has("no_loader"):
        return _plain(torch, case, meter)
    return iter(loader(torch, case, meter))


def _plain(torch: Any, case: Case, meter: Meter) -> Iterator[Any]:
    made = torch.ones((BATCH, *SHAPES[case.model])), torch.zeros((BATCH,), dtype=torch.int64)
    while True:
        for plant in case.plants:
            if plant.where == "feed":
                spend(meter, plant, plant.seconds)
        yield made


def loader(torch: Any, case: Case, meter: Meter) -> Any:
    """Clocks of a worker process are its own: what it spends is measured by what the loop waits."""
    sample, slow, collate = torch.ones(SHAPES[case.model]), case.plant("dataset"), case.plant("collate")
    workers = 2 if case.has("workers") else 0

    class Samples(torch.utils.data.Dataset):  # type: ignore[misc]
        def __len__(self) -> int:
            return BATCH * (WARM + STEPS + 8)

        def __getitem__(self, number: int) -> tuple[Any, int]:
            if slow:
                # As many processes as there are share it.
                WORK[slow.what](slow.seconds / BATCH * max(workers, 1))
            return sample, number % CLASSES

    def joined(samples: list[Any]) -> Any:
        if collate:
            WORK[collate.what](collate.seconds * max(workers, 1))
        return torch.utils.data.default_collate(samples)

    return torch.utils.data.DataLoader(Samples(), batch_size=BATCH, collate_fn=joined, num_workers=workers)


def model(torch: Any, name: str) -> Any:
    nn = torch.nn
    if name == "lstm":

        class Sequence(nn.Module):  # type: ignore[misc, name-defined]
            def __init__(self) -> None:
                super().__init__()
                self.inner, self.head = nn.LSTM(128, 256, batch_first=True), nn.Linear(256, CLASSES)

            def forward(self, x: Any) -> Any:
                return self.head(self.inner(x)[0][:, -1])

        return Sequence()
    if name == "convolution":
        body = [nn.Conv2d(3, 24, 5), nn.ReLU(), nn.Conv2d(24, 24, 5), nn.AdaptiveAvgPool2d(4), nn.Flatten()]
        return nn.Sequential(*body, nn.Linear(24 * 16, CLASSES))
    width, inner = (1024, 2048) if name == "dense" else (64, 64)
    return nn.Sequential(
        nn.Linear(width, inner), nn.ReLU(), nn.Linear(inner, inner), nn.ReLU(), nn.Linear(inner, CLASSES)
    )
