"""How many of a kind findings name, and to how many places they lead: all of a few, the first of many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.capture import reported
from tensorboard_perfplugin.advice.rules.hosts import pod_findings
from tensorboard_perfplugin.advice.rules.memory import ELSEWHERE, IN_USE, memory_findings
from tensorboard_perfplugin.advice.rules.overview import losses, without_steps
from tensorboard_perfplugin.analysis.hosts.environment import Loss
from tensorboard_perfplugin.analysis.hosts.workers import PodFacts, pod, straggler
from tensorboard_perfplugin.analysis.memory.stacks import Frame, Holder, InUse, KindInUse
from tensorboard_perfplugin.analysis.memory.systems import Growth
from tensorboard_perfplugin.analysis.memory.use import OpUse
from tensorboard_perfplugin.analysis.overview import DeviceUse
from tensorboard_perfplugin.analysis.steps.means import HostSteps
from tensorboard_perfplugin.analysis.steps.summary import StepSummary
from tests.advice.rules.memory.facts import MIB, system
from tests.advice.rules.memory.facts import facts as memory
from tests.advice.rules.overview.hosts import MS, facts, one, op, row
from tests.advice.rules.steps.cases import findings as step_findings
from tests.advice.rules.steps.cases import judged, means
from tests.tools.host_steps import host, steps

LEAK = Growth(2.0 * MIB, "high", 9, 1.0, 2.0 * MIB)


def of_code(found: Iterable[Finding], code: str) -> list[Finding]:
    return [finding for finding in found if finding.code == code]


def length(found: Iterable[Finding], code: str, name: str) -> int:
    [finding] = of_code(found, code)
    value = finding.params[name]
    assert isinstance(value, tuple | str)
    return len(value)


def compared(parts: Sequence[HostSteps]) -> list[Finding]:
    workers = pod(parts)
    return list(pod_findings(PodFacts(workers, parts, straggler(workers), 9)))


def message(n: int) -> int:
    """Characters of what a profiler reported."""
    return length(reported(Loss("h", 1, {}, ("x" * n,), ())), "profiler_reported", "message")


def hosts_without_steps(n: int) -> int:
    parts = [host("a", steps([0, 1, 2], 3)), *(host(f"w{i}", steps([], 0)) for i in range(n))]
    return length(compared(parts), "hosts_without_steps", "names")


def copies(n: int) -> int:
    """Captures that two hosts hold."""
    parts = [host(f"{i}{one}", steps([0, 10 + i, 20 + i], 30 + i)) for i in range(n) for one in "ab"]
    return len(of_code(compared(parts), "workers_of_one_capture"))


def slow_workers(n: int) -> int:
    slow = [i < n for i in range(2 * n + 2)]
    parts = [host(f"w{i}", steps([0, 10 + late, 20 + 2 * late], 30 + 3 * late)) for i, late in enumerate(slow)]
    return length(compared(parts), "several_slow_workers", "names")


def steps_of_a_straggler(n: int) -> int:
    late = [host(name, steps([i * ms for i in range(n + 1)], (n + 1) * ms)) for name, ms in (("a", 10), ("b", 20))]
    return len(compared(late)[0].evidence)


def ops_that_leak(n: int) -> int:
    ops = [OpUse("first", "recorded", kept_bytes=MIB), *(OpUse(f"op{i}", "recorded", kept_bytes=9) for i in range(n))]
    return length(memory_findings(memory(ops=ops, growth=LEAK)), "memory_grows", "others")


def systems_that_leak(n: int) -> int:
    return len(list(ELSEWHERE.findings([(str(i), system(growth=LEAK)) for i in range(n)])))


def kinds_in_use(n: int) -> int:
    used = InUse(9, 9, 1, tuple(KindInUse(f"kind{i}", 1, 1) for i in range(n)), 0)
    return length(IN_USE.findings(used, [Holder(Frame("f"), 9, 1)]), "memory_in_use", "kinds")


def idle_devices(n: int) -> int:
    devices = [_device(f"gpu{i}", ()) for i in range(n)]
    return length(losses(facts([one(ops={"devices": 1}, devices=devices)])), "devices_unused", "names")


def idle_stretches(n: int) -> int:
    gpu = _device("gpu", tuple((20 * i, 20 * i + 9) for i in range(n)))
    idle = one(ops={"devices": 1, "busy_ps": MS, "idle_ps": 9 * MS}, devices=[gpu])
    return len(next(without_steps(facts([idle], op("dot", "device", row(10))))).evidence)


def _device(name: str, idle: tuple[tuple[int, int], ...]) -> DeviceUse:
    unknown: Any = None
    return DeviceUse(name, "GPU", unknown, 1, 0, 0, 0, idle, "")


def events_that_repeat(n: int) -> int:
    """Beside those that are steps."""
    others = {f"event {i}": 9 for i in range(n)}
    return length(step_findings({"op_compute": 9}, StepSummary(), others=others), "repeats_not_steps", "events")


def slow_steps(n: int) -> int:
    run = [{"op_compute": 10.0}] * (3 * n) + [{"op_compute": 90.0}] * n + [{"op_compute": 10.0}]
    return len(of_code(judged(means([run]), StepSummary(steps=4 * n)), "slow_steps")[0].evidence)


@pytest.mark.parametrize(
    ("shown", "most"),
    [
        (message, 500),
        (hosts_without_steps, 16),
        (copies, 3),
        (slow_workers, 3),
        (steps_of_a_straggler, 5),
        (ops_that_leak, 3),
        (systems_that_leak, 5),
        (kinds_in_use, 8),
        (idle_devices, 16),
        (idle_stretches, 5),
        (events_that_repeat, 8),
        (slow_steps, 3),
    ],
)
def test_what_a_finding_lists_ends(shown: Callable[[int], int], most: int) -> None:
    assert [shown(n) for n in (most - 1, most, most + 1)] == [most - 1, most, most]
