"""Each way in which nothing shows has its own code, and the numbers and names that its words need."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.doctor import Diagnosis, diagnose
from tensorboard_perfplugin.logdir import RECORD, UNFINISHED, Record, Worker
from tests.build_capture import Space, varint
from tests.decode.pprofs import Pprof

LONG_AGO_S = 1_600_000_000
SESSION = "plugins/profile/2026_11_20_10_00_00"


def space(events: int = 3) -> Space:
    built = Space()
    line = built.plane("/host:CPU").line(1, "main")
    for i in range(events):
        line.event("step", start_ps=1000 * i, duration_ps=500)
    return built


def launching(kernel: str, errors: tuple[str, ...] = ()) -> bytes:
    """Three launches on the host, a device plane that holds nothing."""
    built = Space(errors=list(errors))
    thread = built.plane("/host:CPU").line(1, "main")
    for i in range(3):
        thread.event(kernel, start_ps=1000 * i, duration_ps=500, stats={"correlation_id": i + 1})
    built.plane("/device:GPU:0", stats={"core_count": 80}).line(7, "Stream #7(Compute)")
    return built.bytes()


def damaged(data: bytes) -> bytes:
    """One event in the middle claims a length that it has not."""
    at = data.index(varint(4 << 3 | 2), len(data) // 2) + 1
    return data[:at] + b"\xff" + data[at + 1 :]


def write(root: Path, files: dict[str, bytes], at_s: int = LONG_AGO_S) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (at_s, at_s))
    return root


def only(path: Path | str) -> Diagnosis:
    (found,) = diagnose(str(path))
    assert found.path
    assert found.found
    assert found.ok or (found.cause and found.fix)
    return found


#: All files were opened, and none is left out.
WHOLE = {"opened": None, "left_out": None, "many": None, "example": None}


def coded(found: Diagnosis) -> tuple[str, str, dict[str, Any]]:
    return found.case, found.code, dict(found.params)


def test_all_is_well(work: Path) -> None:
    write(
        work,
        {f"{SESSION}/h.xplane.pb": space().bytes(), f"train/{SESSION}/i.xplane.pb.gz": gzip.compress(space().bytes())},
    )
    assert diagnose(str(work)) == [
        Diagnosis("ok", str(work), {"runs": 2, "captures": 2, "events": 6, **WHOLE, "logdir": str(work)})
    ]


def test_a_missing_folder(work: Path) -> None:
    (work / "trian").mkdir()
    found = only(work / "train" / "r1")
    there = {"there": str(work), "gone": "train", "alike": "trian", "logdir": f"{work}/trian"}
    assert coded(found) == ("missing_folder", "missing_like_another", there)
    write(work, {f"other run/{SESSION}/h.xplane.pb": space().bytes()})
    found = only(work / "zzz")
    near = {"there": str(work), "gone": "zzz", "names": 2, "logdir": f"'{work}/other run'"}
    assert coded(found) == ("missing_folder", "missing_near_captures", near)


def test_an_empty_folder(work: Path) -> None:
    assert only(work) == Diagnosis("empty_folder", str(work))
    (work / "inner").mkdir()
    assert only(work) == Diagnosis("empty_folders", str(work), {"folders": 1})
    (work / "inner").rmdir()
    (work / SESSION).mkdir(parents=True)
    found = only(work)
    assert coded(found) == ("empty_folder", "empty_sessions", {"folders": 3, "sessions": 1})


ASKED = Record(
    "s",
    (
        Worker("a:6009", "ok", file="a_6009.xplane.pb", size_bytes=1_200_000),
        Worker("b:6009", "closed", "nothing listens on this port"),
    ),
)


def test_a_session_that_lacks_a_worker(work: Path) -> None:
    files = {f"{SESSION}/a_6009.xplane.pb": space().bytes(), f"{SESSION}/{RECORD}": ASKED.to_json().encode()}
    assert only(write(work, files)) == Diagnosis(
        "worker_missing",
        f"{work}/{SESSION}",
        {
            "missing": 1,
            "workers": 2,
            "message": "nothing listens on this port",
            "names": "b:6009 (closed)",
            "others": None,
            "addresses": "a:6009,b:6009",
            "logdir": str(work),
        },
    )


def test_a_session_whose_captures_are_gone(work: Path) -> None:
    assert only(write(work, {f"{SESSION}/{RECORD}": ASKED.to_json().encode()})) == Diagnosis(
        "emptied_session",
        f"{work}/{SESSION}",
        {
            "workers": 2,
            "files": 1,
            "size": 1_200_000,
            "names": "a_6009.xplane.pb",
            "others": None,
            "addresses": "a:6009,b:6009",
            "logdir": str(work),
        },
    )


def test_a_session_to_which_nothing_came(work: Path) -> None:
    record = Record("s", ASKED.workers[1:])
    found = only(write(work, {f"{SESSION}/{RECORD}": record.to_json().encode()}))
    asked = {"workers": 1, "addresses": "b:6009", "logdir": str(work)}
    assert coded(found) == ("empty_session", "session_without_files", asked)


def test_of_many_workers_the_first_are_named(work: Path) -> None:
    record = Record("s", tuple(Worker(f"h{i}:1", "closed", "gone") for i in range(10)))
    files = {f"{SESSION}/h.xplane.pb": space().bytes(), f"{SESSION}/{RECORD}": record.to_json().encode()}
    found = only(write(work, files))
    assert (found.params["others"], found.params["addresses"]) == (2, "ADDRESSES")
    assert str(found.params["names"]).endswith("h7:1 (closed)")


def test_a_record_cannot_put_words_into_a_command(work: Path) -> None:
    evil = Record("s", (Worker("a:1; rm -rf ~", "closed", "x"), Worker("b:1", "ok", file="b_1.xplane.pb")))
    files = {f"{SESSION}/b_1.xplane.pb": space().bytes(), f"{SESSION}/{RECORD}": evil.to_json().encode()}
    assert only(write(work, files)).fix == f"perfplugin capture 'a:1; rm -rf ~,b:1' --logdir {work}"


def test_a_capture_that_goes_on(work: Path) -> None:
    found = only(write(work, {f"plugins/{UNFINISHED}{'0' * 16}/a_6009.xplane.pb": space().bytes()}))
    assert (found.case, found.code) == ("still_being_written", "temporary_name")


def test_a_file_of_no_bytes(work: Path) -> None:
    write(work, {f"{SESSION}/h.xplane.pb": b"", f"{SESSION}/i.xplane.pb": space().bytes()})
    found = only(work)
    assert (found.code, found.path) == ("empty_file", f"{work}/{SESSION}/h.xplane.pb")
    assert [name for name, value in found.params.items() if value is not None] == ["days"]


@pytest.mark.parametrize("packed", [False, True])
def test_a_truncated_file(work: Path, packed: bool) -> None:
    data = space(1000).bytes()
    data = gzip.compress(data)[:-20] if packed else data[:-2000]
    name = "h.xplane.pb" + packed * ".gz"
    found = only(write(work, {f"{SESSION}/{name}": data}))
    assert (found.code, found.path) == ("truncated_file", f"{work}/{SESSION}/{name}")
    assert found.params["size"] == len(data)
    assert isinstance(found.params["events"], int)


def test_a_file_damaged_in_the_middle(work: Path) -> None:
    found = only(write(work, {"h.xplane.pb": damaged(space(1000).bytes())}))
    assert (found.code, found.found.split("; ")[-1].split(" ")[:2]) == ("damaged_file", ["At", "byte"])


def trace(count: int) -> bytes:
    """Calls of a launch in somebody's trace."""
    events = [{"ph": "X", "name": "cudaLaunchKernel", "pid": "row", "tid": 1, "ts": i, "dur": 1} for i in range(count)]
    return json.dumps({"traceEvents": events}).encode()


def test_a_trace_that_breaks_off_is_cut(work: Path) -> None:
    found = only(write(work, {"h.trace.json": trace(99)[:-9]}))
    assert (found.code, found.params["events"]) == ("truncated_file", 98)


def test_a_packed_trace_that_is_damaged_is_not_cut(work: Path) -> None:
    data = gzip.compress(trace(99), 0)
    assert only(write(work, {"h.trace.json.gz": data[:4000] + b"x" + data[4001:]})).code == "damaged_file"


def test_launches_in_a_trace_of_any_program_ask_for_no_device(work: Path) -> None:
    """Its rows are what they call themselves: kernels may be on one of them."""
    assert diagnose(str(write(work, {"h.trace.json": trace(9)})))[0].code == "ok"


def test_a_level_too_deep_or_beside(work: Path) -> None:
    capture = {f"logs/train/{SESSION}/h.xplane.pb": space().bytes()}
    write(
        work, {**capture, "logs/validation/events.out.tfevents.1.vm": b"x", "logs/train/events.out.tfevents.1.vm": b"x"}
    )
    beside = only(work / "logs/validation")
    assert beside == Diagnosis(
        "captures_elsewhere",
        f"{work}/logs/validation",
        {"event_files": 1, "others": None, "folders": None, "captures": 1, "logdir": f"{work}/logs/train"},
    )
    assert beside.case == "wrong_level"
    event_file = only(work / "logs/train/events.out.tfevents.1.vm")
    params = event_file.params
    assert (event_file.case, event_file.code) == ("wrong_level", "event_file_captures_elsewhere")
    assert (params["size"], params["captures"], params["logdir"]) == (1, 1, f"{work}/logs/train")
    (work / "logs/train/plugins/other").mkdir()
    assert only(work / "logs/train/plugins/other").params["logdir"] == f"{work}/logs/train"


def test_captures_of_several_runs_are_elsewhere(work: Path) -> None:
    write(work, {f"logs/{run}/{SESSION}/h.xplane.pb": space().bytes() for run in ("a", "b")})
    (work / "empty").mkdir()
    near = {"captures": 2, "logdir": f"{work}/logs"}
    assert coded(only(work / "empty")) == ("wrong_level", "empty_folder_captures_elsewhere", near)


def test_captures_in_a_hidden_folder(work: Path) -> None:
    write(work, {f".old/{SESSION}/h.xplane.pb": space().bytes()})
    found = only(work)
    assert (found.code, found.params["logdir"]) == ("captures_elsewhere", f"{work}/.old")


def test_a_run_that_was_never_profiled(work: Path) -> None:
    found = only(write(work, {"train/events.out.tfevents.1.vm": b"x"}))
    assert coded(found) == ("wrong_level", "never_profiled", {"event_files": 1, "others": None, "folders": 1})
    file = only(work / "train/events.out.tfevents.1.vm")
    assert (file.case, file.code, file.params["size"]) == ("wrong_level", "event_file_never_profiled", 1)


def refused_by_patch(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    scandir = os.scandir

    def refusing(path: str) -> Iterator[os.DirEntry[str]]:
        if path == str(folder):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)


def test_no_permission_for_a_folder(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(work, {f"{SESSION}/h.xplane.pb": space().bytes()})
    refused_by_patch(monkeypatch, work / "plugins" / "profile")
    found = only(work)
    at, user = f"{work}/plugins/profile", os.geteuid()
    assert found == Diagnosis("no_permission", at, {"at": at, "mode": "drwxr-xr-x", "owner": user, "user": user})


DIAGNOSE_AS_NOBODY = """
import json, os, sys
from tensorboard_perfplugin.doctor import diagnose
diagnose(os.path.dirname(sys.argv[-1]))  # imports what it needs
if os.geteuid() == 0:
    os.setgroups([])
    os.setegid(65534)
    os.seteuid(65534)
print(json.dumps([[(d.case, d.path, d.params["at"]) for d in diagnose(path)] for path in sys.argv[1:]]))
"""


def test_no_permission_really() -> None:
    """A folder that may not be listed, what is below it, a folder of a readable run, and a file."""
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o755)
        logs = write(folder, {f"logs/{run}/h.xplane.pb": space().bytes() for run in ("closed", "open")}) / "logs"
        (logs / "closed").chmod(0)
        paths = [logs / "closed", logs / "closed/h.xplane.pb", logs, logs / "open/h.xplane.pb"]
        (logs / "open/h.xplane.pb").chmod(0)
        command = [sys.executable, "-c", DIAGNOSE_AS_NOBODY, *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        refused = [[tuple(each) for each in found] for found in json.loads(done.stdout)]
    finally:
        (logs / "closed").chmod(0o755)
        shutil.rmtree(folder)
    closed, file, opened = (str(paths[i]) for i in (0, 1, 3))
    assert refused == [
        [("no_permission", closed, closed)],
        [("no_permission", file, closed)],
        [("no_permission", opened, opened), ("no_permission", closed, closed)],
        [("no_permission", opened, opened)],
    ]


def test_an_unknown_format(work: Path) -> None:
    found = only(write(work, {f"{SESSION}/h.other.json.gz": gzip.compress(b"{}"), f"{SESSION}/z.html": b"<html>"}))
    looks = "h.other.json.gz (gzip data), z.html (an HTML page)"
    contents = {"event_files": None, "others": 2, "folders": 3, "looks": looks}
    assert coded(found) == ("unknown_format", "unknown_files", contents)


def test_a_capture_that_is_no_capture(work: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"
    write(work, {"a.xplane.pb": b"<!doctype html><html>", "b.xplane.pb": pointer})
    page, lfs = diagnose(str(work))
    assert coded(page) == ("unknown_format", "html_page", {"size": 21, "looks": "an HTML page"})
    assert coded(lfs) == ("unknown_format", "git_lfs_pointer", {"size": 63, "looks": "a git-lfs pointer"})


def renaming(found: Diagnosis) -> tuple[Any, Any]:
    assert (found.case, found.code) == ("unknown_format", "misnamed_file")
    return found.params["file"], found.params["wanted"]


def test_a_capture_under_another_name(work: Path) -> None:
    found = only(write(work, {"capture.pb": space().bytes()}) / "capture.pb")
    assert renaming(found) == (f"{work}/capture.pb", f"{work}/capture.xplane.pb")
    heap = Pprof().sample(1, ["f a.py:1"]).bytes()
    found = only(write(work, {"heap.pb": heap}) / "heap.pb")
    assert renaming(found) == (f"{work}/heap.pb", f"{work}/heap.memory.prof")
    assert only(write(work, {"step_3.prof": heap}) / "step_3.prof").ok
    stacks = only(write(work, {"stacks.txt": b"main;step 4\nmain 1\n"}) / "stacks.txt")
    assert renaming(stacks) == (f"{work}/stacks.txt", f"{work}/stacks.txt.collapsed")
    text = only(write(work, {"notes.txt": b"some words"}) / "notes.txt")
    assert coded(text) == ("unknown_format", "unknown_file", {"size": 10, "looks": "text"})


@pytest.mark.parametrize("name", ["h.xplane.pb.tmp", ".h.xplane.pb", "h.tmp.xplane.pb", "h.xplane.pb.tmp.17"])
def test_still_being_written_under_a_temporary_name(work: Path, name: str) -> None:
    path = write(work, {f"{SESSION}/{name}": b"x"}) / SESSION / name
    for given in (work, path):
        found = only(given)
        assert (found.case, found.code, found.path) == ("still_being_written", "temporary_name", str(path))
        assert found.params["size"] == 1


def test_still_being_written_just_now(work: Path) -> None:
    """What is empty, cut or damaged, and changed seconds ago, is not lost."""
    files = {"a": b"", "b": space(1000).bytes()[:-2000], "c": damaged(space(1000).bytes())}
    write(work, {f"{name}.xplane.pb": content for name, content in files.items()})
    for name in files:
        os.utime(work / f"{name}.xplane.pb")
    found = diagnose(str(work))
    assert {each.case for each in found} == {"still_being_written"}
    codes = {Path(each.path).name[0]: each.code for each in found}
    assert codes == {"a": "empty_and_fresh", "b": "incomplete_and_fresh", "c": "incomplete_and_fresh"}


def test_device_planes_are_empty(work: Path) -> None:
    found = only(write(work, {"h.xplane.pb": launching("cuLaunchKernel")}))
    params = {"launches": 3, "planes": 1, "message": None}
    assert found == Diagnosis("device_planes_empty", f"{work}/h.xplane.pb", params)


@pytest.mark.parametrize(
    ("kernel", "error", "code"),
    [
        ("cudaLaunchKernel", "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", "device_tracing_not_permitted"),
        ("cuLaunchKernelEx", "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED", "device_tracing_taken"),
        ("cudaGraphLaunch", "Could not load dynamic library 'libcupti.so.12'", "cupti_not_found"),
        ("hipLaunchKernel", None, "rocm_tracing_not_available"),
        ("hipModuleLaunchKernel", None, "rocm_tracing_not_available"),
        ("urEnqueueKernelLaunch", None, "xpu_tracing_not_available"),
        ("zeCommandListAppendLaunchKernel", None, "xpu_tracing_not_available"),
        ("aclrtLaunchKernel", None, "ascend_tracing_not_available"),
        ("MyOwnLauncher", None, "device_planes_empty"),
    ],
)
def test_why_device_planes_are_empty(work: Path, kernel: str, error: str | None, code: str) -> None:
    found = only(write(work, {"h.xplane.pb": launching(kernel, (error,) if error else ())}))
    assert (found.case, found.code, found.params["message"]) == ("device_planes_empty", code, error)


@pytest.mark.parametrize("call", ["cudaGetDeviceCount", "cuInit", "hipDeviceSynchronize", "zeModuleCreate"])
def test_calls_that_launch_nothing(work: Path, call: str) -> None:
    found = only(write(work, {"h.xplane.pb": launching(call)}))
    assert found == Diagnosis("nothing_launched", f"{work}/h.xplane.pb", {"calls": 3, "message": None})


def test_launches_with_kernels_are_fine(work: Path) -> None:
    built = Space()
    built.plane("/host:CPU").line(1, "main").event("cuLaunchKernel", 0, 5, {"correlation_id": 1})
    built.plane("/device:GPU:0").line(7, "Stream #7(Compute)").event("kernel", 9, 5, {"correlation_id": 1})
    assert only(write(work, {"h.xplane.pb": built.bytes()})).ok


def test_the_native_part_is_missing(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "COMPILED", False)
    found = only(write(work, {"h.xplane.pb": space().bytes()}))
    assert coded(found) == ("native_part_missing",) * 2 + ({"runs": 1, "captures": 1, "events": 3, **WHOLE},)
    assert not found.ok


def test_nothing_was_recorded(work: Path) -> None:
    built = Space(errors=["No trace event was collected"])
    built.plane("/host:CPU")
    found = only(write(work, {"h.xplane.pb": built.bytes()}))
    assert (found.code, found.params["planes"], found.params["message"]) == (
        "nothing_recorded",
        1,
        "No trace event was collected",
    )


def test_many_of_one_trouble_are_counted(work: Path) -> None:
    found = diagnose(str(write(work, {f"{i:02}.xplane.pb": b"<html>" for i in range(50)} | {"z.xplane.pb": b""})))
    assert [(each.case, Path(each.path).name) for each in found] == [
        ("unknown_format", "00.xplane.pb"),
        ("unknown_format", "01.xplane.pb"),
        ("unknown_format", "02.xplane.pb"),
        ("empty_file", "z.xplane.pb"),
    ]
    assert found[2].params == {"size": 6, "looks": "an HTML page", "more": 47}
    assert found[2].found.endswith("; 47 more are like this")


def test_a_pipe_is_not_waited_for(work: Path) -> None:
    os.mkfifo(work / "pipe")
    assert only(work).params["looks"] == "pipe (no regular file)"
    assert only(work / "pipe").params["looks"] == "no regular file"


def test_an_address(work: Path) -> None:
    assert only("gs://bucket/logs").code == "remote_path"


def test_paths_in_commands_are_quoted(work: Path) -> None:
    found = only(write(work, {"it's; rm -rf x/h.xplane.pb": space().bytes()}) / "it's; rm -rf x")
    assert found.fix == f"""tensorboard --logdir '{work}/it'"'"'s; rm -rf x'"""


def test_large_logdirs_are_opened_newest_first_up_to_a_limit(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorboard_perfplugin.doctor.questions.MAX_DECODED_BYTES", 1)
    write(work, {f"{day}/h.xplane.pb": space().bytes() for day in ("2026_11_19_10_00_00", "2026_11_20_10_00_00")})
    opened = only(work).params
    assert (opened["runs"], opened["events"], opened["opened"]) == (2, 3, 1)


def test_real_captures_are_well(shared_captures: Path) -> None:
    assert only(shared_captures / "xplane").ok
    assert only(shared_captures / "corrupt" / "xprof-tpu-inference-2-HEAD").case == "unknown_format"
