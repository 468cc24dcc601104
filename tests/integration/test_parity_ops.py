"""xprof's table of ops and ours, row by row, to 0.1 %. Where they differ, docs/op_stats.md tells why."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.devices import devices_of
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.conftest import SAMPLES, SHARED_CAPTURES
from tests.parity._peer import peer_ops, tensorflow_stats
from tests.tools.op_answers import ask

Row = dict[str, Any]
#: Its rates in bytes are of 2³⁰, ours of 10⁹, a second.
GIB = (1 << 30) / 1e9
TENSORFLOW = (
    "keras_fit",
    *("custom_loop", "keras_compute_bound", "keras_input_bound", "mirrored", "remote_capture", "remote_multi"),
)
ROCM = "jax-rocm-mi300-tracelens/plugins/profile"


SHARED = SHARED_CAPTURES / "xplane"
#: Samples of which its answers are recorded.
SAMPLED = ("gpu_streams", "jax_train", "keras_fit")


@cache
def _theirs(root: Path) -> dict[str, list[Row]]:
    folders = [root / name for name in SAMPLED] if root == SAMPLES else [root]
    found = peer_ops(sorted(file for folder in folders for file in folder.rglob("*.xplane.pb")))
    return {str(file.relative_to(root)): rows for file, rows in found.items()}


def root_of(name: str) -> Path:
    """A sample's, or that of the captures beside the checkout."""
    if name.split("/")[0] in SAMPLED:
        return SAMPLES
    if not SHARED.is_dir():
        pytest.skip("no ../shared/captures beside this checkout")
    return SHARED


def theirs(name: str) -> list[Row]:
    return _theirs(root_of(name))[name]


def captures(folder: str) -> list[str]:
    names = [name for name in _theirs(root_of(folder)) if name.startswith(f"{folder}/")]
    assert names, folder
    return names


def capture(name: str) -> Capture:
    return decode.read(str(root_of(name) / name))


def ours(name: str) -> dict[tuple[str, str], list[Row]]:
    """By side and op's name: rows that differ in type or module."""
    columns = ask(Timeline(capture(name), "h"), limit="0").to_dict()["tables"]["ops"]["columns"]
    found = defaultdict(list)
    for cells in zip(*columns.values(), strict=True):
        row = dict(zip(columns, cells, strict=True))
        found[row["side"], row["name"]].append(row)
    return found


def pairs(name: str) -> list[tuple[Row, list[Row]]]:
    """Each of their rows with ours of that name."""
    mine = ours(name)
    return [(row, mine.get((row["host_or_device"].lower(), row["operation"]), [])) for row in theirs(name)]


def same(a: float, b: float | None) -> bool:
    return b is not None and a == pytest.approx(b, rel=1e-3, abs=1e-9)


def total(rows: list[Row], column: str) -> float:
    return float(sum(row[column] for row in rows))


def differing(name: str, **columns: Callable[[Row, list[Row]], bool]) -> dict[str, set[str]]:
    """By column: the ops whose values differ. `missing`: those that we have no row of."""
    found: dict[str, set[str]] = defaultdict(set)
    for their, mine in pairs(name):
        if not mine:
            found["missing"].add(their["operation"])
        for column, is_same in columns.items():
            if mine and not is_same(their, mine):
                found[column].add(their["operation"])
    return dict(found)


def times_are(their: Row, mine: list[Row]) -> bool:
    return same(their["total_time"], total(mine, "total_us"))


def self_times_are(their: Row, mine: list[Row]) -> bool:
    return same(their["total_self_time"], total(mine, "self_us"))


def types_are(their: Row, mine: list[Row]) -> bool:
    """A tf.data iterator's type is its last part, where theirs is always `Dataset`."""
    return {row["type"].partition("::")[0] for row in mine} == {their["type"]}


def eager_is(their: Row, mine: list[Row]) -> bool:
    return bool(their["eager"] == "Eager") == any(row["eager_share"] for row in mine)


#: Theirs keeps the time of the ops that a `py_function` runs eagerly; self times would not add up then.
SELF_DIFFERS = {"keras_fit": {"self": {"EagerPyFunc"}}}


@pytest.mark.parametrize("folder", TENSORFLOW)
def test_ops_of_tensorflow_on_cpu(folder: str) -> None:
    for name in captures(folder):
        assert len(theirs(name)) > 10
        by = {"time": times_are, "self": self_times_are, "type": types_are, "eager": eager_is}
        assert differing(name, **by) == SELF_DIFFERS.get(folder, {}), name


@pytest.mark.parametrize("folder", TENSORFLOW)
def test_they_count_an_allocation_as_an_execution(folder: str) -> None:
    for name in captures(folder):
        allocations = allocated(capture(name))
        for their, mine in pairs(name):
            extra = allocations[their["operation"]]
            assert their["occurrences"] == total(mine, "occurrences") + extra, (name, their["operation"])


def allocated(capture: Capture) -> Counter[str]:
    """How many host events that are no op name an op in a stat of theirs."""
    timeline = Timeline(capture, "h")
    value, kind = timeline.stat("tf_op")
    rows = (kind != 0).nonzero()[0].tolist()
    ops = set(ops_of(timeline).host.rows.tolist())
    texts = [capture.strings[int(value[row])].partition(":")[0] for row in rows if row not in ops]
    return Counter(texts)


def test_shares_of_a_host_s_ops(shared_captures: Path) -> None:
    """Where we have the same ops, without those that run by themselves."""
    [name] = captures("keras_compute_bound")
    own = sum(row["total_self_time"] for row in theirs(name))
    for their, mine in pairs(name):
        assert their["host_total_self_time_percent"] == pytest.approx(total(mine, "self_us") / own, rel=1e-3, abs=1e-9)


def test_ops_of_the_sample_on_gpus() -> None:
    [name] = captures("gpu_streams")
    assert len(theirs(name)) > 500
    assert differing(name, time=times_are, type=types_are, tensor=tensor_cores_are, count=counts_are) == {}


def test_kernels_of_several_streams(shared_captures: Path) -> None:
    """Of a GPU's ops the self time differs: ours add up to the busy time, theirs are total times."""
    [name] = captures("synth_gpu_small")
    by = {"time": times_are, "type": types_are, "tensor": tensor_cores_are, "eager": eager_is, "count": counts_are}
    assert differing(name, **by) == {}
    device = [row for row in theirs(name) if row["host_or_device"] == "Device"]
    assert all(row["total_self_time"] == row["total_time"] for row in device)
    busy_ps = sum(d.busy_ps for d in devices_of(Timeline(capture(name), "h")))
    assert total(device, "total_time") * 1e6 > 1.1 * busy_ps
    mine = [row for (side, _), rows in ours(name).items() for row in rows if side == "device"]
    assert total(mine, "self_us") * 1e6 == pytest.approx(busy_ps)


def counts_are(their: Row, mine: list[Row]) -> bool:
    return bool(their["occurrences"] == total(mine, "occurrences"))


def tensor_cores_are(their: Row, mine: list[Row]) -> bool:
    return same(their["gpu_tensorcore_utilization"], mine[0]["tensor_core_share"] or 0.0)


def test_a_gpu_s_first_five_hundred_ops(shared_captures: Path) -> None:
    """They stop at 500 rows a side; of ours, the ops of these have the same times."""
    for name in captures("tfprofiler-demo-gpu-multi-worker"):
        assert differing(name, time=times_are, type=types_are) == {}
        assert len(theirs(name)) == 499
        assert sum(map(len, ours(name).values())) == 6055


def flops_are(their: Row, mine: list[Row]) -> bool:
    return all(same(their["measured_flop_rate"], row["gflop_s"] or 0.0) for row in mine)


def model_flops_are(their: Row, mine: list[Row]) -> bool:
    return all(same(their["model_flop_rate"], row["model_gflop_s"] or 0.0) for row in mine)


def bandwidth_is(their: Row, mine: list[Row]) -> bool:
    return all(same(their["measured_memory_bw"], (row["gb_s"] or 0.0) / GIB) for row in mine)


def intensity_is(their: Row, mine: list[Row]) -> bool:
    return all(same(their["operational_intensity"], row["intensity"] or 0.0) for row in mine)


def bound_is(their: Row, mine: list[Row]) -> bool:
    """Of what only waits, as the end of a copy, ours says nothing."""
    works = [row for row in mine if row["wait_share"] != 1]
    return not works or {row["bound_by"] or "Unknown" for row in works} == {their["bound_by"]}


RATES: dict[str, Callable[[Row, list[Row]], bool]] = {
    "flops": flops_are,
    "model": model_flops_are,
    "bandwidth": bandwidth_is,
    "intensity": intensity_is,
    "bound": bound_is,
}


def test_ops_of_a_tpu(shared_captures: Path) -> None:
    """Copies have their category as type, and none that moves a terabyte in a microsecond has a bandwidth."""
    [name] = captures("xprof-tpu-inference-2")
    found = differing(name, time=times_are, self=self_times_are, count=counts_are, type=types_are, **RATES)
    copies = {row["operation"] for row in theirs(name) if row["operation"].startswith("copy")}
    instant = {row["operation"] for row in theirs(name) if 0 < row["total_time"] < 3}
    assert found.pop("missing") == {"dummy"}
    assert found.pop("type") == copies
    assert found.pop("bandwidth") == instant
    # Four fusions of additions, 100 executions each.
    assert found.pop("count") == {"jit(f)/jit(main)/add"}
    assert found == {"bound": found["bound"]}
    assert found["bound"] <= copies


CONV = "jit(forward_3d_conv)/conv_general_dilated"
OLD_CONV = "jit(forward_3d_conv)/jit(main)/conv_general_dilated"
RUN_TWICE = ("count", "flops", "model", "bandwidth", "intensity")
REDUCED = {"jit(_reduce_max)/reduce_max", "jit(_reduce_sum)/convert_element_type"}
MEAN = {"jit(_mean)/reduce_sum", "jit(_mean)/convert_element_type"}
SUM = {"jit(_reduce_sum)/reduce_sum", "jit(_reduce_sum)/convert_element_type"}
CASTS = {"jit(sqrt)/sqrt", "jit(convert_element_type)/convert_element_type"}
DOT, MATMUL = "jit(dot)/dot_general", "jit(matmul)/dot_general"
#: By capture, by column: the ops of which we say another thing.
ROCM_DIFFERS: dict[str, dict[str, set[str]]] = {
    "jax08_conv": {**{column: {CONV} for column in RUN_TWICE}, "missing": {"XlaModule", "x", "kernel"}},
    "jax_conv_minimal": {**{column: {OLD_CONV} for column in RUN_TWICE}, "missing": {"(null)", "x", "kernel"}},
    "jax08_gemm": {
        **{column: {DOT} for column in ("flops", "model", "bandwidth", "intensity", "bound")},
        "count": {DOT, "jit(broadcast_in_dim)/broadcast_in_dim"},
        "missing": {"XlaModule"},
    },
    "jax08_elementwise": {
        **dict.fromkeys(("flops", "model", "intensity"), MEAN | SUM),
        "missing": {"fusion.5", "XlaModule", "loop_convert_fusion"},
    },
    # Their bandwidth of an MI300X is half of what it moves, so that less is bound by compute.
    "jax08_attention": {
        "bound": {MATMUL},
        **{column: {MATMUL} for column in ("time", "count", "tensor", "bandwidth")},
        **{column: {MATMUL} | REDUCED | CASTS for column in ("flops", "model", "intensity")},
        "missing": {"loop_reduce_fusion", "XlaModule", "loop_convert_fusion", "a"},
    },
}


@pytest.mark.parametrize(
    "folder", ["jax08_attention", "jax08_conv", "jax08_elementwise", "jax08_gemm", "jax_conv_minimal"]
)
def test_ops_of_jax_on_amd(shared_captures: Path, folder: str) -> None:
    [name] = captures(f"{ROCM}/{folder}")
    found = differing(name, time=times_are, count=counts_are, tensor=tensor_cores_are, **RATES)
    assert found == ROCM_DIFFERS[folder]


@pytest.mark.parametrize("folder", ["jax_train", "jax_cpu", "jax_python"])
def test_jax_on_cpu_has_ops_here_only(folder: str) -> None:
    for name in captures(folder):
        assert theirs(name) == []
        assert len(ours(name)) > 1


#: Of what TensorFlow recorded: column → ours. Its iterators are another kind of row here, and have types of their own.
RECORDED = {"occurrences": "occurrences", "total_time_in_us": "total_us", "total_self_time_in_us": "self_us"}


def test_sums_that_tensorflow_recorded_itself(shared_captures: Path) -> None:
    """Each of its rows, and no other."""
    files = sorted((shared_captures / "legacy").rglob("*.tensorflow_stats.pb"))
    found = tensorflow_stats(files)
    assert sum(map(len, found.values())) > 10_000
    for file, recorded in found.items():
        [beside] = file.parent.glob(f"{file.name.removesuffix('.tensorflow_stats.pb')}.overview_page.*")
        columns = ask(Timeline(decode.read(str(beside)), "h"), limit="0").to_dict()["tables"]["ops"]["columns"]
        mine: Counter[tuple[str, ...]] = Counter()
        for cells in zip(*columns.values(), strict=True):
            row = dict(zip(columns, cells, strict=True))
            for column in RECORDED.values():
                mine[row["side"], row["name"], column] += row[column]
        expected: Counter[tuple[str, ...]] = Counter()
        for record in recorded:
            for field, column in RECORDED.items():
                expected[record["host_or_device"].lower(), record["op_name"], column] += record.get(field, 0)
        assert dict(mine) == pytest.approx(dict(expected), rel=1e-3), file
