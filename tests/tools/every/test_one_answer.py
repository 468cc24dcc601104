"""The first finding of each page agrees with the overview's on what limits a step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.api import Profile
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.tools import Finding
from tests.tools.kineto import Event, launched, on_host, saved, step

SAMPLES = Path(__file__).parents[2] / "samples"


def runs() -> Iterator[Path]:
    for file in sorted(SAMPLES.rglob("*")):
        if file.name.endswith((".xplane.pb", ".pt.trace.json.gz", ".pt.trace.json")):
            yield file


def first(profile: Profile, tool: str) -> Finding:
    return profile.tool(tool).result.findings[0]


@pytest.mark.parametrize("file", list(runs()), ids=lambda file: str(file.relative_to(SAMPLES)))
def test_pages_on_input_warn_where_the_overview_does(file: Path) -> None:
    profile = tensorboard_perfplugin.open(file)
    overview = [each for each in profile.tool("overview").result.findings if each.severity == "warning"]
    waits = any(each.code.startswith("input_bound") for each in overview)
    slow = any(each.code.startswith("slow_step") for each in overview)
    for tool in ("input_pipeline", "tf_data"):
        finding = first(profile, tool)
        if finding.severity == "warning":
            assert waits or (slow and finding.code.startswith("slow_step"))
        if finding.code.startswith("not_input_bound"):
            assert not waits


def two_streams(folder: Path, beside_us: int) -> Path:
    """Steps of eight kernels in a row, for which the host waits, and one for so long on another stream."""
    events: list[Event] = []
    for number in range(4):
        at = 200 * number
        events += [step(number, at, 190), on_host("aten::all_gather", at + 1, 5)]
        events += launched("side", at + 2, at + 10, beside_us, 100 * number + 1, stream=9)
        for i in range(8):
            begin = at + 10 + 20 * i
            events.append(on_host(f"aten::part{i}", at + 10 + 2 * i, 2))
            events += launched(f"kernel{i}", at + 10 + 2 * i, begin + 15, 20, 100 * number + 2 + i)
        events.append(on_host("cudaDeviceSynchronize", at + 30, 158, "cuda_runtime", correlation=100 * number + 50))
    return saved(folder, *events)


@pytest.mark.parametrize(("beside_us", "is_beside"), [(150, True), (176, False)])
def test_a_kernel_beside_the_critical_path_is_named_with_what_it_costs(
    tmp_path: Path, beside_us: int, is_beside: bool
) -> None:
    """The largest op and kernel: steps end later only if it does."""
    profile = tensorboard_perfplugin.open(two_streams(tmp_path, beside_us))
    op = next(each for each in profile.tool("op_stats").result.findings if each.code == "op_takes_most")
    kernel = next(each for each in profile.tool("kernel_stats").result.findings if each.code == "kernel_takes_most")
    assert (op.params["op"], kernel.params["kernel"]) == ("aten::all_gather", "side")
    said = Message("beside_path", {"share": 0.0}) if is_beside else None
    assert op.params.get("on_path") == kernel.params.get("on_path") == said
    assert op.title.endswith("; it is only 0 % of the critical path") == is_beside
