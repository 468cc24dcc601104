"""rocprofv3's databases, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.advice.text.catalogue import words
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tests.decode.databases import Tables

US = 10**6
_SCHEMA = {
    "rocpd_string": "id guid string",
    "rocpd_info_node": "id guid hostname",
    "rocpd_info_process": "id guid nid pid command",
    "rocpd_info_thread": "id guid nid pid tid name",
    "rocpd_info_agent": "id guid nid type type_index name vendor_name product_name model_name",
    "rocpd_info_kernel_symbol": "id guid kernel_name display_name arch_vgpr_count",
    "rocpd_event": "id guid category_id stack_id parent_stack_id correlation_id",
    "rocpd_region": "id guid nid pid tid start end name_id event_id extdata",
    "rocpd_kernel_dispatch": "id guid nid pid tid agent_id kernel_id queue_id stream_id start end group_segment_size "
    "workgroup_size_x workgroup_size_y workgroup_size_z grid_size_x grid_size_y grid_size_z event_id",
    "rocpd_memory_copy": "id guid nid pid tid start end name_id dst_agent_id src_agent_id size stream_id event_id",
    "rocpd_sample": "id guid track_id timestamp event_id",
}
ENDING = "_00012345_abcd"


class Rocpd(Tables):
    """Of each process of `pids` the same: a range with a call in it, which launches a kernel, and a copy back."""

    def __init__(self, *pids: int, ending: str = ENDING) -> None:
        endings = [ending + (f"{i}" if i else "") for i in range(len(pids))]
        super().__init__({name + each: columns for each in endings for name, columns in _SCHEMA.items()})
        for pid, self.ending in zip(pids, endings, strict=True):
            self._process(pid)

    def put(self, table: str, **cells: Any) -> None:
        self.row(f"rocpd_{table}{self.ending}", **cells)

    def _process(self, pid: int) -> None:
        texts = (
            "HIP_RUNTIME_API_EXT",
            "MARKER_CORE_RANGE_API",
            "KERNEL_DISPATCH",
            "hipLaunchKernel",
            "roctxRangePushA",
        )
        for i, text in enumerate((*texts, "MEMORY_COPY_DEVICE_TO_HOST")):
            self.put("string", id=i + 1, string=text)
        self.put("info_node", id=1, hostname="mi300")
        self.put("info_process", id=1, pid=pid, command="python train.py")
        self.put("info_thread", id=1, pid=1, tid=pid, name="main")
        self.put("info_agent", id=1, type="CPU", type_index=0, product_name="EPYC")
        self.put("info_agent", id=5, type="GPU", type_index=0, product_name="AMD Instinct MI300X")
        self.put("info_kernel_symbol", id=9, kernel_name="_Z3addPf.kd", display_name="add(float*)", arch_vgpr_count=24)
        for id, category, stack in ((1, 2, 70), (2, 1, 71), (3, 3, 71), (4, 3, 72)):
            self.put("event", id=id, category_id=category, stack_id=stack)
        at = {"pid": 1, "tid": 1}
        self.put("region", **at, start=1000, end=9000, name_id=5, event_id=1, extdata='{"message":"train 3"}')
        self.put("region", **at, start=2000, end=3000, name_id=4, event_id=2, extdata="{}")
        shape = {f"workgroup_size_{axis}": size for axis, size in (("x", 64), ("y", 2), ("z", 1))}
        shape |= {f"grid_size_{axis}": size for axis, size in (("x", 1000), ("y", 2), ("z", 1))}
        self.put(
            "kernel_dispatch", **at, agent_id=5, kernel_id=9, stream_id=2, start=4000, end=6000, event_id=3,
            group_segment_size=512, **shape,
        )  # fmt: skip
        self.put(
            "memory_copy", **at, start=6000, end=7000, name_id=6, src_agent_id=5, dst_agent_id=1, size=64, stream_id=2
        )


def opened(made: Rocpd) -> Capture:
    capture = decode.read_bytes(made.bytes(), "42_results.db")
    capture.check()
    return capture


def rows(capture: Capture) -> list[tuple[str, str, str, int, int]]:
    events, tracks = capture.events, capture.tracks
    planes = capture.strings.texts(capture.planes.name[tracks.plane[events.track]])
    named = (planes, capture.strings.texts(tracks.name[events.track]), capture.strings.texts(events.name))
    return list(zip(*named, events.start_ps.tolist(), events.duration_ps.tolist(), strict=True))


@pytest.mark.parametrize("ending", ["", ENDING])
def test_ranges_calls_kernels_and_copies(ending: str) -> None:
    capture = opened(Rocpd(42, ending=ending))
    assert rows(capture) == [
        ("/host:CPU", "main", "train 3", 0, 8 * US),
        ("/host:CPU", "main", "hipLaunchKernel", 1 * US, 1 * US),
        ("/device:GPU:0", "Stream #2", "add(float*)", 3 * US, 2 * US),
        ("/device:GPU:0", "Stream #2", "Memcpy DtoH (Device -> Host)", 5 * US, 1 * US),
    ]
    assert (capture.format, capture.hostname, capture.start_ns, capture.quality.warnings) == (
        "rocpd",
        "mi300",
        None,
        (),
    )
    assert dict(capture.event_values(1)) == {"correlation_id": 71}
    details = "regs:24 static_shared:512 grid:16,1,1 block:64,2,1"
    assert dict(capture.event_values(2)) == {"kernel_details": details, "correlation_id": 71}
    assert dict(capture.event_values(3))["memcpy_details"] == "kind_src:device kind_dst:host size:64"
    [gpu] = [i for i in range(len(capture.planes)) if capture.strings.texts(capture.planes.name)[i] == "/device:GPU:0"]
    assert dict(capture.plane_values(gpu)) == {"device_vendor": "AMD", "gpu_device_name": "AMD Instinct MI300X"}


def test_a_merged_file_has_tables_a_process() -> None:
    capture = opened(Rocpd(42, 43))
    assert {row[0] for row in rows(capture)} == {"/host:CPU", "/host:CPU (python train.py process 43)", "/device:GPU:0"}
    assert {row[1] for row in rows(capture)} == {"main", "Stream #2 (process 42)", "Stream #2 (process 43)"}


def test_what_is_not_shown_is_said() -> None:
    made = Rocpd(42)
    made.put("sample", id=1, timestamp=5)
    assert opened(made).quality.warnings == (message("database_not_shown", what="samples"),)


def test_tables_that_lack_what_others_refer_to() -> None:
    made = Rocpd(42)
    for table in ("string", "info_agent", "info_thread", "event", "info_kernel_symbol"):
        made.connection.execute(f'DROP TABLE "rocpd_{table}{ENDING}"')
    assert len(opened(made).events) == 4


def test_in_a_folder_it_is_told_from_other_databases(tmp_path: Path) -> None:
    (tmp_path / "42_results.db").write_bytes(Rocpd(42).bytes())
    (tmp_path / "study_results.db").write_bytes(Tables({"trials": "id value"}).bytes())
    assert [file.name for run in runs_at(str(tmp_path)) for file in run.every_file] == ["42_results.db"]


def test_its_words_are_roctx_and_not_nvtx() -> None:
    vocabulary = str(opened(Rocpd(7)).capabilities.vocabulary)
    params = {"reasons": (message("no_steps.no_match", pattern="loop"),)}
    action = words("no_steps", params, vocabulary).action
    assert "roctxRangePush" in action
    assert "NVTX" not in action
