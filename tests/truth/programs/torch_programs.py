"""Programs in PyTorch."""

from __future__ import annotations

import copy
import gc
import importlib
import itertools
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from tests.truth.programs.declared import Kit, Step, program

_torch = partial(program, "torch")
WORDS = [f"word{n}" for n in range(400)]


def _trained(torch: Any, *sizes: int, dtype: Any = None) -> tuple[Any, Step]:
    """A perceptron, and what trains it once."""
    layers = [torch.nn.Linear(a, b, dtype=dtype) for a, b in itertools.pairwise(sizes)]
    net = torch.nn.Sequential(*(part for layer in layers for part in (layer, torch.nn.ReLU())))
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    batch = torch.ones((64, sizes[0]), dtype=dtype)

    def train(number: int) -> Any:
        optimizer.zero_grad()
        loss = net(batch).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    return net, train


@_torch(("sort",))
def ranking_loss(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)
    scores = torch.rand(900_000)

    def step(number: int) -> None:
        train(number)
        if kit.has():
            scores.sort(descending=True)

    return step


@_torch(("cdist", "euclidean"))
def nearest_prototypes(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)
    points, prototypes = torch.rand((1500, 96)), torch.rand((1500, 96))

    def step(number: int) -> None:
        train(number)
        if kit.has():
            torch.cdist(points, prototypes, p=1.0).argmin(1)

    return step


@_torch(("embedding", "fill_"))
def dense_gradients_of_a_table(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 256, 512, 256)
    table = torch.nn.Embedding(120_000, 64)
    ids = torch.randint(0, 120_000, (512,))

    def step(number: int) -> None:
        train(number)
        if kit.has():
            table.weight.grad = None
            table(ids).mean().backward()

    return step


@_torch(("double", "64-bit", "64 bit", "float64", "wide_precision", "computes_in_doubles"))
def everything_in_doubles(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 1024, 1536, 1024, dtype=torch.float64 if kit.has() else torch.float32)
    return train


@_torch(("tokenize",))
def tokenize_in_the_loop(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)
    pattern, text = re.compile(r"(\w+)(\d)"), " ".join(WORDS * 50)

    def tokenize() -> list[int]:
        return [hash(match[1]) % 1000 for match in pattern.finditer(text)]

    def step(number: int) -> None:
        if kit.has():
            tokenize()
        train(number)

    return step


@_torch(("parse_row", "DataLoader", "input_bound"))
def rows_of_text(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)
    line = ",".join(str(n / 7) for n in range(800))

    class Rows(torch.utils.data.Dataset):  # type: ignore[misc, name-defined]
        def __len__(self) -> int:
            return 100_000

        def __getitem__(self, number: int) -> Any:
            return torch.tensor(self.parse_row())

        def parse_row(self) -> list[float]:
            return [float(cell) for cell in line.split(",")] if kit.has() else [0.0] * 8

    rows = iter(torch.utils.data.DataLoader(Rows(), batch_size=256))

    def step(number: int) -> None:
        next(rows)
        train(number)

    return step


@_torch(("spectrum",))
def spectrum_in_numpy(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)
    signal = torch.rand((64, 8192))

    def spectrum() -> Any:
        return torch.from_numpy(np.abs(np.fft.fft(signal.numpy())).astype(np.float32))

    def step(number: int) -> None:
        if kit.has():
            spectrum()
        train(number)

    return step


@_torch(("clip_by_hand", "small_calls", "eager_steps", "short_ops", "python_bound"))
def gradients_clipped_by_hand(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 256, 512, 256)
    slopes = [torch.rand(64) for _ in range(1200)]

    def clip_by_hand() -> None:
        for slope in slopes:
            if float(slope.norm()) > 100.0:
                slope.mul_(0.5)

    def step(number: int) -> None:
        train(number)
        if kit.has():
            clip_by_hand()

    return step


@_torch(("deepcopy", "snapshot"))
def a_copy_of_the_model_each_step(kit: Kit) -> Step:
    torch = kit.lib
    _net, train = _trained(torch, 512, 1024, 512)
    states = [[{str(n): [n] * 8 for n in range(250)}] for _ in range(6)]

    def snapshot() -> Any:
        return copy.deepcopy(states)

    def step(number: int) -> None:
        train(number)
        if kit.has():
            snapshot()

    return step


@_torch(("prepare_batch", "wait", "result"))
def a_batch_from_a_pool(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)
    pool = ThreadPoolExecutor(1)

    def prepare_batch() -> list[float]:
        return sorted(random.random() for _ in range(120_000)) if kit.has() else []

    def step(number: int) -> None:
        pool.submit(prepare_batch).result()
        train(number)

    return step


@_torch(("call_tool", "subprocess", "wait"))
def a_tool_is_called(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)

    def call_tool() -> None:
        subprocess.run([sys.executable, "-S", "-c", "sum(range(1500000))"], check=True)

    def step(number: int) -> None:
        train(number)
        if kit.has():
            call_tool()

    return step


@_torch(("collect", "gc"))
def garbage_collected_each_step(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)
    held = [[str(n)] for n in range(500_000)]

    def step(number: int) -> None:
        train(number)
        if kit.has() and held:
            gc.collect()

    return step


@_torch(("recomput", "forward_again", "CheckpointFunction", "runs again"))
def activations_recomputed(kit: Kit) -> Step:
    torch = kit.lib
    checkpoint = importlib.import_module("torch.utils.checkpoint").checkpoint
    blocks = [torch.nn.Sequential(torch.nn.Linear(768, 768), torch.nn.Tanh()) for _ in range(10)]
    batch = torch.ones((256, 768), requires_grad=True)

    def step(number: int) -> None:
        made = batch
        for block in blocks:
            made = checkpoint(block, made, use_reentrant=False) if kit.has() else block(made)
        made.mean().backward()

    return step


@_torch(("topk", "sort"), ("confusion",))
def sorting_and_a_table_of_confusion(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 256, 512, 256)
    scores, labels = torch.rand(900_000), [random.randrange(50) for _ in range(60_000)]

    def confusion() -> list[list[int]]:
        counts = [[0] * 50 for _ in range(50)]
        for label in labels:
            counts[label][(label * 7) % 50] += 1
        return counts

    def step(number: int) -> None:
        train(number)
        if kit.has(0):
            scores.sort()
        if kit.has(1):
            confusion()

    return step


@_torch(("double", "64-bit", "64 bit", "float64", "wide_precision"), ("decode",))
def doubles_and_decoding(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 1024, 1536, 1024, dtype=torch.float64 if kit.has(0) else torch.float32)

    def decode() -> str:
        return " ".join(WORDS[(n * 31) % 400] for n in range(60_000))

    def step(number: int) -> None:
        train(number)
        if kit.has(1):
            decode()

    return step


@_torch(("grid_sample", "grid_sampler"), ("augment",))
def warping_and_augmenting(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 256, 512, 256)
    images, grid = torch.rand((8, 3, 192, 192)), torch.rand((8, 192, 192, 2)) * 2 - 1

    def augment() -> Any:
        return np.stack([np.roll(images[n % 8].numpy(), n, 1) for n in range(60)])

    def step(number: int) -> None:
        if kit.has(1):
            augment()
        if kit.has(0):
            torch.nn.functional.grid_sample(images, grid, mode="bicubic", align_corners=False)
        train(number)

    return step


@_torch(("cumsum", "cumprod", "logcumsumexp"), marked=False)
def cumulative_sums_without_marks(kit: Kit) -> Step:
    torch = kit.lib
    _, train = _trained(torch, 512, 1024, 512)
    rewards = torch.rand((400, 4000))

    def step(number: int) -> None:
        train(number)
        if kit.has():
            torch.logcumsumexp(rewards, 1)

    return step


@_torch()
def convolutions(kit: Kit) -> Step:
    torch = kit.lib
    net = torch.nn.Sequential(torch.nn.Conv2d(3, 32, 5), torch.nn.ReLU(), torch.nn.Conv2d(32, 32, 5))
    optimizer, images = torch.optim.SGD(net.parameters(), 0.01), torch.rand((8, 3, 64, 64))

    def step(number: int) -> None:
        optimizer.zero_grad()
        net(images).square().mean().backward()
        optimizer.step()

    return step


@_torch()
def an_encoder(kit: Kit) -> Step:
    torch = kit.lib
    net = torch.nn.TransformerEncoderLayer(256, 4, 1024, batch_first=True)
    optimizer, tokens = torch.optim.SGD(net.parameters(), 0.01), torch.rand((8, 96, 256))

    def step(number: int) -> None:
        optimizer.zero_grad()
        net(tokens).square().mean().backward()
        optimizer.step()

    return step


@_torch()
def two_judgements_a_forgery(kit: Kit) -> Step:
    """A step updates a second model twice, and then the first."""
    torch = kit.lib
    _, judge = _trained(torch, 768, 768, 768)
    _, forge = _trained(torch, 768, 768, 768)

    def step(number: int) -> None:
        judge(number)
        judge(number)
        forge(number)

    return step


@_torch(marked=False)
def products_without_marks(kit: Kit) -> Step:
    _, train = _trained(kit.lib, 1024, 2048, 1024)
    return train
