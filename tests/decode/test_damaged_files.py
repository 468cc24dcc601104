"""Files of each format that are cut and changed at random: a capture that holds together, or a refusal."""

from __future__ import annotations

import random

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import PerfpluginError
from tests.decode import test_call_stacks as stacks
from tests.decode import test_databases as databases
from tests.decode import test_perfetto as perfetto
from tests.decode import test_perfetto_alike as perfetto_alike
from tests.decode import test_perfetto_system as system
from tests.decode import test_speedscope as speedscope
from tests.decode import test_tool_files as tool_files
from tests.decode import test_tool_sums as tool_sums
from tests.decode.perfetto_traces import event, packet
from tests.decode.pprofs import Pprof
from tests.decode.step_stats import memory, node, run_metadata
from tests.decode.test_python_stats import made as python_stats
from tests.decode.test_trace_proto import TRACE
from tests.fuzz.other_mutants import damaged
from tests.snapshots import MIB, Device, pickled, train


def snapshot() -> bytes:
    device = Device(capacity=90 * MIB)
    return pickled([device], train(device, 2, 2))


NODES = [node("a", 0, 9, "a = MatMul(x, w)", 3, memory("cpu", (1, 4096), (7, -4096))), node("b", 3, 9)]
SAMPLES = {
    "collapsed.txt": stacks.COLLAPSED,
    "perf.txt": stacks.PERF,
    "a.austin": stacks.AUSTIN,
    "pyinstrument.json": stacks.session(root_frame=stacks.TREE),
    "vm.speedscope.json": speedscope.written(
        speedscope.sampled([[0, 1], [0, 2]], [0.01, 0.5]), speedscope.evented(("O", 0, 1.0), ("C", 0, 3.0))
    ),
    "memory.prof": Pprof().sample(400, ["main a.py:1", "f a.py:7"], kind="buffer", device="cuda:1").bytes(),
    "heap.pprof": Pprof().sample(30, ["main a.py:1", ["f a.py:8", "g"]], kind="executable").bytes(),
    "h.cprofile": python_stats().bytes(),
    "snapshot.pickle": snapshot(),
    "one.pftrace": perfetto.PROCESS + packet(event(3, 2, "a"), at=1),
    "first.pftrace": perfetto_alike.sample()[:4000],
    "system.pftrace": system.TREE + system.bundle(0, system.switch(1000, 0, 0, 7), system.waking(3500, 7)),
    "nsys.sqlite": databases.a_report().bytes(),
    "nvprof.sqlite": databases.nvprof().bytes(),
    "local.trace": TRACE,
    "run_metadata.pb": run_metadata({"/device:CPU:0": NODES, "/device:GPU:0/stream:all": NODES}),
    "h.overview_page.pb": tool_files.overview_page(),
    "h.kernel_stats.pb": tool_sums.two_kernels(),
    "h.memory_profile.json": tool_sums.memory(a=tool_sums.gpu()),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_cut_and_changed_anywhere_it_opens_or_is_refused(name: str) -> None:
    data, rng = SAMPLES[name], random.Random(7)
    tries = 100 if len(data) < 20_000 else 12
    broken = [data[: len(data) * i // tries] for i in range(tries)]
    read = 0
    for each in [*broken, *(damaged(rng, data, 6) for _ in range(tries))]:
        try:
            decode.read_bytes(each, name).check()
            read += 1
        except PerfpluginError:
            continue
    assert read > 5
