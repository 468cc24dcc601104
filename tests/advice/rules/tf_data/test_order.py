"""Rules on the order of transformations: each on both sides of its thresholds."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rule import findings_of
from tensorboard_perfplugin.advice.rules.tf_data import RULES, maps_each
from tensorboard_perfplugin.analysis.input.bottleneck import Stage
from tensorboard_perfplugin.analysis.tf_data.partial import Run
from tensorboard_perfplugin.messages import Message
from tests.advice.rules.tf_data.test_rules import MS, pipeline, run_of

US = 1e6
OF_ORDER = ("tf_data_map_each", "tf_data_shard_late", "tf_data_shuffles_batches", "tf_data_grows_early")
WAITS = Message("tf_data_costs.wait", {"share": 0.5})


def stage(chain: str, work_ms: float = 0.0, calls: int = 0, **given: Any) -> Stage:
    """Of ten steps; its function works where it is called. settings: as its events write them."""
    settings = {key: str(value) for key, value in given.pop("settings", {}).items()}
    name = f"Iterator::Root::{chain}" if chain else "Iterator::Root"
    work: dict[str, Any] = {"function_ps": work_ms * MS, "calls": calls} if calls else {"self_ps": work_ms * MS}
    kind = name.rpartition("::")[2]
    return Stage(name, kind, "preprocessing", settings=settings, **{"count": 10} | work | given)


def found(*stages: Stage, wait_ms: float = 5.0, root: Any = None) -> list[Finding]:
    """Of ten steps of 10 ms, in a capture of 100 ms."""
    of: Run = run_of(pipeline("images", wait_ms, stages=(stage("", settings=root or {}), *stages)))
    return of_order(of)


def of_order(run: Run) -> list[Finding]:
    return list(findings_of([rule for rule in RULES if any(map(rule.gives, OF_ORDER))], run))


def codes(*stages: Stage, **given: Any) -> list[str]:
    return [finding.code for finding in found(*stages, **given)]


def images(chain: str, shape: str = "[28,28]", **given: Any) -> Stage:
    return stage(chain, settings={"shapes": shape, "types": "uint8"}, **given)


def map_each(
    work_us: float = 40, batch: int = 8, rest_ms: float = 0, chain: str = "Batch::Map", **given: Any
) -> list[Stage]:
    """A map that 100 elements in all go through, before batches."""
    names = chain.split("::")
    behind = [stage("::".join(names[:i]), settings={"batch_size": batch}) for i in range(1, len(names))]
    mapped = stage(chain, 100 * work_us / 1000, calls=100, settings={"batch_size": batch}, **given)
    return [*behind, mapped, images(f"{chain}::TensorSlice"), stage(f"{chain}::TensorSlice::Other", rest_ms)]


def test_a_cheap_map_of_each_element_could_take_batches() -> None:
    [finding] = found(*map_each())
    assert (finding.code, finding.severity, finding.share) == ("tf_data_map_each", "note", 0.5)
    assert finding.params == {
        "pipeline": "images",
        "stage": "Map",
        "batch": 8,
        "calls": 10,
        "work": 40 * US,
        "cost": WAITS,
    }
    assert "op=Iterator%3A%3ARoot%3A%3ABatch%3A%3AMap&" in finding.search


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"work_us": 50}, True),
        ({"work_us": 51}, False),
        ({"batch": 8}, True),
        ({"batch": 7}, False),
        ({"rest_ms": 9.3}, True),
        ({"rest_ms": 9.4}, False),
        ({"chain": "Prefetch::MapAndBatch"}, True),
        ({"chain": "ParallelBatch::Prefetch::Shuffle::ParallelMapV2"}, True),
        ({"chain": "ParallelBatch::Filter::Map"}, False),
        ({"chain": "BatchV2::ParallelInterleaveV4::Map"}, False),
        ({"chain": "PaddedBatch::Map"}, False),
        ({"chain": "Prefetch::Map"}, False),
        ({"ran": (("EagerPyFunc", 1.0),)}, False),
        ({"ran": (("DecodeJpeg", 1.0),)}, False),
        ({"ran": (("ReadFile", 1.0),)}, False),
        ({"ran": (("DecodeRaw", 1.0),)}, True),
    ],
)
def test_which_maps_could_take_batches(given: dict[str, Any], said: bool) -> None:
    assert codes(*map_each(**given)) == (["tf_data_map_each"] if said else [])


@pytest.mark.parametrize("shape", ["[?,28]", "<unknown>", "[28,28", ""])
def test_elements_of_several_shapes_cannot_be_batched_before_a_map(shape: str) -> None:
    batch, mapped, *_ = map_each()
    assert codes(batch, mapped, images("Batch::Map::TensorSlice", shape)) == []


def test_a_map_of_batches_takes_batches_already() -> None:
    """Batches of batches, as of a loader that gives batches."""
    assert codes(*map_each(), stage("Batch::Map::TensorSlice::BatchV2")) == []


@pytest.mark.parametrize(("wait_ms", "said"), [(0.49, False), (0.5, True)])
def test_a_pipeline_that_nobody_waits_for_is_well_as_it_is(wait_ms: float, said: bool) -> None:
    assert bool(codes(*map_each(), wait_ms=wait_ms)) is said


def test_maps_are_judged_by_typical_steps_and_shuffles_which_fill_in_slow_ones_by_all() -> None:
    of = run_of(pipeline("images", 5.0, stages=(filled("Shuffle"), stage("Shuffle::Batch"), *map_each())))
    slow = structs.replace(of, typical={"h": (0.09, 1.0)})
    assert [finding.code for finding in of_order(of)] == ["tf_data_map_each", "tf_data_shuffles_batches"]
    assert [finding.code for finding in of_order(slow)] == ["tf_data_shuffles_batches"]


@pytest.mark.parametrize(("work_ms", "said"), [(95.9, False), (96, True)])
def test_but_not_one_that_takes_half_of_the_cores(work_ms: float, said: bool) -> None:
    """4 ms of the map and 96 ms are half of the time of two cores."""
    late = [stage("Shard", settings={"num_shards": 2}), stage("Shard::Range", work_ms)]
    findings = found(*map_each(), *late, wait_ms=0.1, root={"cpu_budget": 2})
    cost = Message("tf_data_costs.cores", {"share": 0.5, "cores": 2})
    assert [f.params["cost"] for f in findings if f.code == "tf_data_shard_late"] == ([cost] if said else [])


def test_the_order_of_three_pipelines_is_looked_at() -> None:
    of = run_of(*(pipeline(f"p{i}", 5.0, stages=tuple(map_each())) for i in range(4)))
    assert [finding.params["pipeline"] for finding in maps_each(of)] == ["p0", "p1", "p2"]


@pytest.mark.parametrize(("dropped_ms", "said"), [(1.32, False), (1.34, True)])
def test_what_a_shard_drops_is_a_tenth_of_the_work(dropped_ms: float, said: bool) -> None:
    """Three of four elements: of 1.33 ms that is 1 ms, of 10 ms in all."""
    made = stage("Batch::Shard::Map", dropped_ms, calls=100)
    rest = stage("Batch", 10 - dropped_ms), stage("Batch::Shard", settings={"num_shards": 4})
    expected = {"pipeline": "images", "stage": "Map", "shards": 4, "thrown": 0.75 * dropped_ms / 10 * MS, "cost": WAITS}
    assert [(f.code, f.params) for f in found(made, *rest)] == ([("tf_data_shard_late", expected)] if said else [])


@pytest.mark.parametrize("shards", ["1", "many", ""])
def test_one_shard_drops_nothing(shards: str) -> None:
    assert codes(stage("Shard", settings={"num_shards": shards}), stage("Shard::Map", 10.0)) == []


def filled(chain: str, fill_ms: float = 0.0, **settings: Any) -> Stage:
    given = {"buffer_size": 1000, **settings}
    return stage(chain, settings=given, fill_ps=fill_ms * MS, fills=2 if fill_ms else 0)


@pytest.mark.parametrize(("fill_ms", "filling"), [(4.9, {}), (5, {"fills": 2, "fill": 5 * MS, "fill_share": 0.05})])
def test_batches_are_shuffled(fill_ms: float, filling: dict[str, Any]) -> None:
    [finding] = found(filled("Shuffle", fill_ms), stage("Shuffle::BatchV2", settings={"batch_size": 64}))
    assert (finding.code, finding.severity) == ("tf_data_shuffles_batches", "note" if filling else "info")
    assert finding.params == {"pipeline": "images", "cost": WAITS, "elements": 1000, "batch": 64, **filling}


@pytest.mark.parametrize("between", ["Unbatch", "FlatMap", "Rebatch"])
def test_batches_that_are_taken_apart_are_shuffled_by_element(between: str) -> None:
    assert codes(filled("Shuffle"), stage(f"Shuffle::{between}"), stage(f"Shuffle::{between}::Batch")) == []


@pytest.mark.parametrize(("fill_ms", "rest_ms", "said"), [(4.9, 0, False), (5, 0, True), (5, 4, True), (5, 4.1, False)])
def test_a_buffer_is_filled_with_what_a_function_makes(fill_ms: float, rest_ms: float, said: bool) -> None:
    findings = found(
        filled("Batch::Shuffle", fill_ms),
        stage("Batch::Shuffle::Map", 4.0, calls=10),
        stage("Batch::Shuffle::Map::Range", rest_ms),
    )
    assert [f.code for f in findings] == (["tf_data_shuffles_made"] if said else [])
    assert [f.params["stage"] for f in findings] == (["Map"] if said else [])


@pytest.mark.parametrize(
    ("held", "before", "said"),
    [
        (1 << 10, "[1024,512]", "note"),
        ((1 << 10) - 1, "[1024,512]", "info"),
        (16, "[1024,512]", "info"),
        (15, "[1024,512]", ""),
        (1 << 10, "[1024,513]", ""),
    ],
)
def test_a_buffer_holds_what_a_function_made_large(held: int, before: str, said: str) -> None:
    """Elements of 1 MiB, of which the function takes half."""
    of: dict[str, Any] = {"shapes": "[1024,1024]", "types": "uint8", "buffered_elements": held}
    stages = filled("Shuffle", **of), stage("Shuffle::Map"), images("Shuffle::Map::Range", before)
    findings = found(*stages)
    assert [(f.code, f.severity) for f in findings] == ([("tf_data_shuffles_made.large", said)] if said else [])
    for finding in findings:
        assert finding.params["bytes"] == held << 20
        assert (finding.params["each"], finding.params["before"]) == (1 << 20, 1 << 19)


def test_recorded_megabytes_of_a_buffer_count_before_shapes() -> None:
    of: dict[str, Any] = {"shapes": "[1024,1024]", "types": "uint8", "buffered_elements": 1, "buffered_bytes_MB": 2048}
    [finding] = found(filled("Shuffle", **of), stage("Shuffle::Map"), images("Shuffle::Map::Range"))
    assert finding.params["bytes"] == 2 << 30


@pytest.mark.parametrize(
    ("chain", "said"),
    [("Shuffle::ForeverRepeat", True), ("ForeverRepeat::Shuffle", False), ("ShuffleAndRepeat", False)],
)
def test_epochs_are_shuffled_together(chain: str, said: bool) -> None:
    first, _, second = chain.partition("::")
    findings = found(filled(first), filled(chain), stage(f"{chain}::Range")) if second else found(filled(first))
    assert [f.code for f in findings] == (["tf_data_shuffles_epochs"] if said else [])
    assert [f.severity for f in findings] == (["info"] if said else [])


@pytest.mark.parametrize(
    ("work_ms", "type", "said"), [(1.0, "float", True), (0.9, "float", False), (1.0, "half", True)]
)
def test_elements_grow_before_functions_that_work_on_them(work_ms: float, type: str, said: bool) -> None:
    """The function behind has a tenth of all work."""
    findings = found(
        stage("Map", work_ms, calls=10),
        stage("Map::ParallelMapV2", 9.0, calls=10, settings={"shapes": "[28,28]", "types": type}),
        images("Map::ParallelMapV2::Range"),
    )
    assert [f.code for f in findings] == (["tf_data_grows_early"] if said else [])
    for finding in findings:
        assert (finding.params["casts"], finding.params["before"]) == (True, 784)
        assert (finding.params["stage"], finding.params["behind"]) == ("ParallelMapV2", "Map")


@pytest.mark.parametrize(("kept", "said"), [("[28,55]", False), ("[28,56]", True)])
def test_elements_that_a_function_makes_larger_are_no_cast(kept: str, said: bool) -> None:
    larger, smaller = images("Map::Map", kept, work_ms=4.0, calls=10), images("Map::Map::Range")
    findings = found(stage("Map", 4.0, calls=10), larger, smaller)
    assert [f.params["casts"] for f in findings] == ([False] if said else [])
