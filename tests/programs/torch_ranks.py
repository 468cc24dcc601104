"""Two processes that train together by PyTorch's DistributedDataParallel and gloo, of which one sleeps in every step.

`python -m tests.programs.torch_ranks OUT` → `OUT/log/*.pt.trace.json` and `OUT/arrivals.RANK.json`: when each rank
began each recorded step's backward pass, in ns of one clock. Needs PyTorch; imports nothing of this project.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import sys
import time
from pathlib import Path

RANKS, SLOW, SLEEP_SECONDS = 2, 1, 0.25
#: Steps that are thrown away, and that are kept.
WARMUP, ACTIVE = 1, 4
WIDTH = 64


def main(out: Path) -> None:
    (out / "log").mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    ranks = [context.Process(target=train, args=(rank, out)) for rank in range(RANKS)]
    for one in ranks:
        one.start()
    for one in ranks:
        one.join()
    if any(one.exitcode for one in ranks):
        raise SystemExit(f"ranks ended with {[one.exitcode for one in ranks]}")


def train(rank: int, out: Path) -> None:
    torch = importlib.import_module("torch")
    # They meet in a file: no port can be taken.
    torch.distributed.init_process_group(
        "gloo", init_method=(out / "meeting").absolute().as_uri(), rank=rank, world_size=RANKS
    )
    torch.set_num_threads(1)
    torch.manual_seed(0)
    net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(WIDTH, WIDTH))
    optimizer, samples = torch.optim.SGD(net.parameters(), 0.01), torch.ones(8, WIDTH)
    profiler, arrivals = torch.profiler, []
    with profiler.profile(
        activities=[profiler.ProfilerActivity.CPU],
        schedule=profiler.schedule(wait=0, warmup=WARMUP, active=ACTIVE, repeat=1),
        on_trace_ready=profiler.tensorboard_trace_handler(str(out / "log")),
        record_shapes=True,
    ) as profile:
        for _ in range(WARMUP + ACTIVE):
            optimizer.zero_grad()
            loss = net(samples).square().mean()
            if rank == SLOW:
                time.sleep(SLEEP_SECONDS)
            arrivals.append(time.monotonic_ns())
            loss.backward()
            optimizer.step()
            profile.step()
    (out / f"arrivals.{rank}.json").write_text(json.dumps(arrivals[WARMUP:]))
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
