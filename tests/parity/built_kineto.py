"""A trace as PyTorch writes of a program on a GPU, drawn at random but the same each time: → a file, for recounts.

Five steps: operators within operators, some that call another of their own name; on two threads; kernels on three
streams that overlap, begin late and wait for each other; copies in each direction; memory given out by operators and
between them. Times have three decimals, as the profiler writes them.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.tools.kineto import Event, saved

#: Operators, each with those that it calls and with the kernels that it launches itself.
OPERATORS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "aten::linear": (("aten::addmm",), ()),
    "aten::addmm": ((), ("ampere_bf16_s16816gemm", "splitKreduce_kernel")),
    "aten::relu": (("aten::clamp_min",), ()),
    "aten::clamp_min": (("aten::clamp_min_",), ("vectorized_elementwise_kernel",)),
    "aten::clamp_min_": ((), ()),
    "aten::contiguous": (("aten::contiguous",), ()),
    "aten::sum": ((), ("reduce_kernel",)),
    "c10d::allreduce_": ((), ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL",)),
}
#: Names of copies with their categories.
COPIES = (
    ("Memcpy HtoD (Pinned -> Device)", "gpu_memcpy"),
    ("Memcpy DtoH (Device -> Pageable)", "gpu_memcpy"),
    ("Memcpy DtoD (Device -> Device)", "gpu_memcpy"),
    ("Memset (Device)", "gpu_memset"),
)
MAIN, BACKWARD = 100, 101
GAP_US, CALL_US = 2.0, 3.5


class Program:
    """Writes events while its clocks go on: one of each thread, one of each stream."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.events: list[Event] = []
        self.free_us = {7: 0.0, 13: 0.0, 20: 0.0}
        self.number = 0
        self.allocated = 0
        self.held: list[tuple[int, int]] = []

    def next_number(self) -> int:
        self.number += 1
        return self.number

    def event(self, name: str, category: str, place: tuple[int, int], begin: float, length: float, **args: Any) -> None:
        at = {"ph": "X", "cat": category, "name": name, "pid": place[0], "tid": place[1]}
        self.events.append(at | {"ts": round(begin, 3), "dur": round(length, 3), "args": args})

    def started(self, name: str, category: str, at: float, external: int, on: tuple[int, int], **args: Any) -> None:
        """A call of 1.5 µs on a thread, and what it starts once the stream is free."""
        thread, stream = on
        correlation = self.next_number() + 10_000
        call = "cudaLaunchKernel" if category == "kernel" else "cudaMemcpyAsync"
        ids = {"correlation": correlation, "External id": external}
        self.event(call, "cuda_runtime", (MAIN, thread), at, 1.5, **ids)
        begin = max(at + self.random.uniform(2, 9), self.free_us[stream])
        length = round(self.random.uniform(0.8, 12), 3)
        self.free_us[stream] = round(begin, 3) + length
        self.event(name, category, (0, stream), begin, length, device=0, stream=stream, **ids, **args)

    def memory(self, thread: int, at: float, size: int, address: int) -> None:
        self.allocated += size
        args = {"Bytes": size, "Total Allocated": self.allocated, "Total Reserved": 1 << 26, "Addr": address}
        args |= {"Device Id": 0, "Device Type": 1}
        of = {"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": MAIN, "tid": thread}
        self.events.append(of | {"ts": round(at, 3), "args": args})

    def allocate(self, thread: int, at: float) -> None:
        size, address = 512 * self.random.randint(1, 4000), 4096 * self.next_number()
        self.held.append((size, address))
        self.memory(thread, at, size, address)

    def release(self, thread: int, at: float) -> None:
        size, address = self.held.pop(self.random.randrange(len(self.held)))
        self.memory(thread, at, -size, address)

    def operator(self, name: str, thread: int, at: float, stream: int) -> float:
        """Writes a call and what it calls; gives its end."""
        called, kernels = OPERATORS[name]
        external, begin = self.next_number(), at
        # One that calls another of its own name does so once.
        for inner in called if (name,) != called or self.random.random() < 0.5 else ():
            at = self.operator(inner, thread, at + 1, stream) if inner != name else self.same(name, thread, at + 1)
        if kernels:
            self.allocate(thread, at + 0.5)
        for kernel in kernels:
            shape: dict[str, Any] = {
                "grid": [self.random.randint(1, 9) * 12, 1, 1],
                "block": [self.random.choice((128, 256)), 1, 1],
            }
            shape |= {"registers per thread": self.random.choice((32, 64)), "shared memory": 0}
            self.started(kernel, "kernel", at + 1, external, (thread, stream), **shape)
            at += CALL_US
        self.event(name, "cpu_op", (MAIN, thread), begin, at + 1 - begin, **{"External id": external})
        return at + 1

    def same(self, name: str, thread: int, at: float) -> float:
        self.event(name, "cpu_op", (MAIN, thread), at, 2, **{"External id": self.next_number()})
        return at + 2

    def copy(self, thread: int, at: float, stream: int) -> float:
        external = self.next_number()
        name, category = self.random.choice(COPIES)
        self.started(name, category, at + 1, external, (thread, stream), bytes=self.random.randint(4, 1 << 20))
        self.event("aten::copy_", "cpu_op", (MAIN, thread), at, 4, **{"External id": external})
        return at + 4

    def step(self, number: int, begin: float) -> float:
        at = begin + 1
        for _ in range(12):
            if self.random.random() < 0.3:
                at = self.copy(MAIN, at, 13)
            else:
                at = self.operator(self.random.choice([*OPERATORS][:-1]), MAIN, at, 7)
            if self.held and self.random.random() < 0.5:
                self.release(MAIN, at + 1)
            at += self.random.uniform(GAP_US, 40)
        self.event(f"ProfilerStep#{number}", "user_annotation", (MAIN, MAIN), begin, at - begin)
        back = begin + 30
        for name in ("aten::addmm", "c10d::allreduce_", "aten::sum"):
            back = self.operator(name, BACKWARD, back, 20 if name.startswith("c10d") else 7) + GAP_US
        return at


def write(folder: Path) -> Path:
    program, at = Program(7), 1_000_000.0
    for number in range(3, 8):
        at = program.step(number, at) + 5
    return saved(folder, *sorted(program.events, key=lambda event: float(event["ts"])))
