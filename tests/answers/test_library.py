"""Decoded once, answered once, remembered in memory and on disk; several hosts, some of which fail."""

from __future__ import annotations

import csv
import io
import json
import os
import queue
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode, tools
from tensorboard_perfplugin.answers.disk import SEAL_BYTES, Disk, sealed, user_folder
from tensorboard_perfplugin.answers.encode import to_csv, to_json
from tensorboard_perfplugin.answers.export import export
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.answers.many import Prefetcher
from tensorboard_perfplugin.answers.memo import Memo
from tensorboard_perfplugin.errors import ArgumentError, NotFoundError, UnreadableError
from tensorboard_perfplugin.logdir import RECORD, Record, Run, Worker, runs_at
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture, Quality
from tensorboard_perfplugin.tables.intervals import Intervals
from tensorboard_perfplugin.timeline.split.split import Split, split_of
from tensorboard_perfplugin.timeline.timeline import Timeline, cached
from tensorboard_perfplugin.tools import Answer, Evidence, Finding, Result
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.decode.pprofs import Pprof
from tests.small_tool import COUNT, space


class Reads:
    """Reads like decode, and remembers what was read."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    def __call__(self, path: str) -> Capture:
        self.paths.append(os.path.basename(path))
        capture = decode.read(path)
        capture.check()
        return capture


@pytest.fixture
def run(make_logdir: MakeLogdir) -> Run:
    """Two hosts: a ran x and y, b ran x."""
    files: dict[str, Space | bytes] = {"r/a.xplane.pb": space("x", "y"), "r/b.xplane.pb": space("x")}
    return runs_at(str(make_logdir(files)))[0]


def table(answer: Answer) -> dict[str, object]:
    answer.check()
    return {name: list(cells) for name, cells in answer.result.tables["names"].items()}


def test_who_is_missing_from_a_capture_is_told(run: Run, tmp_path: Path) -> None:
    """Also once an answer without it was kept in memory and on disk."""
    library = Library(disk=Disk(lambda: str(tmp_path / "cache")))
    assert library.answer(COUNT, run, None, {}).quality.warnings == ()
    workers = (Worker("a:1", "ok", file="a.xplane.pb"), Worker("c:1", "closed", "nothing listens on this port"))
    (Path(run.files[0].path).parent / RECORD).write_text(Record("r", workers).to_json())
    told = (message("worker_missing", address="c:1", message="nothing listens on this port"),)
    assert library.answer(COUNT, run, None, {}).quality.warnings == told
    assert Library(disk=Disk(lambda: str(tmp_path / "cache"))).answer(COUNT, run, ["a"], {}).quality.warnings == told


def test_hosts_are_combined(run: Run) -> None:
    answer = Library().answer(COUNT, run, None, {})
    assert table(answer) == {"name": ["x", "y"], "event_count": [2, 1], "mean_us": [2.0, 2.0]}
    assert answer.hosts == ("a", "b")
    assert answer.quality == Quality(events_in_file=3, events_kept=3)
    assert answer.decoder == ("compiled" if decode.COMPILED else "protobuf")


def test_where_a_file_cannot_be_read_another_of_its_host_is_and_that_is_said(make_logdir: MakeLogdir) -> None:
    """JAX writes both; the first was cut."""
    trace = {"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "name": "x"}]}
    folder = make_logdir({"r/a.xplane.pb": b"\xff" * 999, "r/a.trace.json": json.dumps(trace).encode()})
    (run,) = runs_at(str(folder))
    answer = Library().answer(COUNT, run, None, {})
    assert (answer.hosts, table(answer)["name"]) == (("a",), ["x"])
    warning = answer.quality.warnings[0]
    assert (warning.code, warning.params["name"]) == ("read_instead", "a.trace.json")
    Path(run.files[0].others[0].path).unlink()
    with pytest.raises(UnreadableError, match=r"a\.xplane\.pb"):
        Library().answer(COUNT, run, None, {})


def test_chosen_hosts_come_once_in_the_runs_order(run: Run) -> None:
    library = Library()
    assert table(library.answer(COUNT, run, ["b"], {}))["event_count"] == [1]
    assert library.answer(COUNT, run, ["b", "a", "b"], {}).hosts == ("a", "b")
    with pytest.raises(NotFoundError, match="its hosts are a, b"):
        library.answer(COUNT, run, ["c"], {})


def test_a_file_is_decoded_once_for_all_questions(run: Run) -> None:
    reads = Reads()
    library = Library(read=reads)
    library.answer(COUNT, run, None, {})
    library.answer(COUNT, run, ["a"], {"backwards": "true"})
    library.timeline(run.file("b"))
    assert reads.paths == ["a.xplane.pb", "b.xplane.pb"]


def test_threads_that_ask_together_share_one_decode(run: Run) -> None:
    """The first read waits until the other threads have asked; they must wait for it, not read for themselves."""
    inside, go, paths = threading.Event(), threading.Event(), []

    def read(path: str) -> Capture:
        paths.append(path)
        inside.set()
        assert go.wait(10)
        return decode.read(path)

    library, got = Library(read=read), []
    threads = [threading.Thread(target=lambda: got.append(library.timeline(run.file("a")))) for _ in range(4)]
    threads[0].start()
    assert inside.wait(10)
    for thread in threads[1:]:
        thread.start()
    go.set()
    for thread in threads:
        thread.join(10)
    assert (len(paths), len(got), len(set(map(id, got)))) == (1, 4, 1)


def test_beyond_the_bound_the_least_recently_used_is_decoded_again(run: Run) -> None:
    reads = Reads()
    library = Library(max_bytes=1, read=reads)
    for host in "aabba":
        library.timeline(run.file(host))
    assert reads.paths == ["a.xplane.pb", "b.xplane.pb", "a.xplane.pb"]


def test_steps_are_prepared_when_an_answer_was_made(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = threading.Semaphore(0)
    split = split_of

    def noted(timeline: Timeline, choice: str = "auto") -> Split:
        found = split(timeline, choice)
        prepared.release()
        return found

    monkeypatch.setattr("tensorboard_perfplugin.answers.many.split_of", noted)
    Library().answer(COUNT, run, ["a"], {})
    assert not prepared.acquire(timeout=0.2), "nobody asked for it"
    Library(ahead=True).answer(COUNT, run, ["a"], {})
    assert prepared.acquire(timeout=60)


def test_what_a_tool_wants_is_prepared_for_every_host(run: Run) -> None:
    prepared: queue.Queue[str] = queue.Queue()
    tool = replace(COUNT, ahead=lambda timeline: prepared.put(timeline.host))
    Library(ahead=True).answer(tool, run, None, {})
    assert [prepared.get(timeout=60), prepared.get(timeout=60)] == ["a", "b"]


def test_behind_a_kept_answer_the_capture_is_read(run: Run, tmp_path: Path) -> None:
    """The first window after such a first screen took as long as the decoding."""
    prepared: queue.Queue[str] = queue.Queue()
    tool = replace(COUNT, ahead=lambda timeline: prepared.put(timeline.host))
    disk = Disk(lambda: str(tmp_path / "kept"))
    Library(disk=disk).answer(tool, run, ["a"], {})
    reads = Reads()
    Library(disk=disk, read=reads).answer(tool, run, ["a"], {})
    assert reads.paths == []
    Library(disk=disk, read=reads, ahead=True).answer(tool, run, ["a"], {})
    assert prepared.get(timeout=60) == "a"
    assert reads.paths == ["a.xplane.pb"]


def test_other_pages_are_prepared_in_a_pause(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    order: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr("tensorboard_perfplugin.answers.many.split_of", lambda timeline: order.put("split"))
    tool = replace(COUNT, ahead=lambda timeline: order.put("ahead"))
    library, looking = Library(), Prefetcher(quiet_s=0.01)
    timeline = library.timeline(run.file("a"))
    looking.prepare(tool, [None, timeline])
    assert [order.get(timeout=60), order.get(timeout=60)] == ["ahead", "split"]
    looking.prepare(tool, [timeline])
    with pytest.raises(queue.Empty):
        order.get(timeout=0.1)


def test_a_file_that_changed_is_read_again(run: Run) -> None:
    library = Library()
    assert table(library.answer(COUNT, run, ["b"], {}))["name"] == ["x"]
    Path(run.file("b").path).write_bytes(space("x", "y", "z").bytes())
    assert table(library.answer(COUNT, run, ["b"], {}))["name"] == ["x", "y", "z"]


def test_what_was_read_while_the_file_changed_is_not_kept(run: Run) -> None:
    path = Path(run.file("a").path)

    def read(name: str) -> Capture:
        capture = decode.read(name)
        path.write_bytes(space("later").bytes())
        return capture

    library = Library(read=read)
    assert table(library.answer(COUNT, run, ["a"], {}))["name"] == ["x", "y"]
    assert table(library.answer(COUNT, run, ["a"], {}))["name"] == ["later"]


def test_a_host_that_fails_is_left_out_and_named(run: Run) -> None:
    Path(run.file("a").path).write_bytes(b"")
    answer = Library().answer(COUNT, run, None, {})
    assert (answer.hosts, table(answer)["name"]) == (("b",), ["x"])
    assert [(each.code, each.params["host"]) for each in answer.quality.warnings] == [("host_left_out", "a")]


def test_a_host_without_what_was_asked_for_is_left_out_and_named(run: Run) -> None:
    answer = Library().answer(COUNT, run, None, {"name": "y"})
    assert (answer.hosts, answer.quality.warnings) == (
        ("a",),
        (message("host_left_out", host="b", error="no event y"),),
    )


def test_when_every_host_fails_the_first_error_is_raised(run: Run) -> None:
    for file in run.files:
        Path(file.path).write_bytes(b"<!doctype html><html>")
    with pytest.raises(UnreadableError, match=r"a\.xplane\.pb"):
        Library().answer(COUNT, run, None, {})


def test_a_file_that_is_gone(run: Run) -> None:
    os.remove(run.file("a").path)
    answer = Library().answer(COUNT, run, None, {})
    assert answer.hosts == ("b",)
    with pytest.raises(NotFoundError, match=r"a\.xplane\.pb"):
        Library().answer(COUNT, run, ["a"], {})


def test_options_are_checked_before_anything_is_read(run: Run) -> None:
    reads = Reads()
    with pytest.raises(ArgumentError, match="count has no option 'nmae'"):
        Library(read=reads).answer(COUNT, run, None, {"nmae": "x"})
    assert reads.paths == []


def test_failures_are_not_remembered(run: Run) -> None:
    """After a failure and a repair that leaves size and times as they were, the next question is answered."""
    fail = [True]

    def read(path: str) -> Capture:
        if fail.pop() if fail else False:
            raise UnreadableError("not now")
        return decode.read(path)

    library = Library(read=read)
    assert library.answer(COUNT, run, None, {}).hosts == ("b",)
    assert library.answer(COUNT, run, None, {}).hosts == ("a", "b")


def test_of_many_memory_profiles_one_tells_what_they_have_nothing_for(make_logdir: MakeLogdir) -> None:
    profile = Pprof().sample(100, ["main a.py:1"], kind="buffer").bytes()
    reads = Reads()
    files: dict[str, Space | bytes] = {f"r/{i}.memory.prof": profile for i in range(3)}
    found = runs_at(str(make_logdir(files)))[0]
    missing = Library(read=reads).missing(found, None)
    assert (missing["memory_profile"], reads.paths) == (None, ["0.memory.prof"])
    assert missing["overview"] == "a device memory profile has no timeline"


def test_missing_asks_the_hosts_until_one_has_data(make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "TOOLS", (COUNT,))
    files: dict[str, Space | bytes] = {"r/a.xplane.pb": b"", "r/b.xplane.pb": space(), "r/c.xplane.pb": space("x")}
    run = runs_at(str(make_logdir({**files, "r/d.xplane.pb": space("x")})))[0]
    reads = Reads()
    library = Library(read=reads)
    assert library.missing(run, ["b"]) == {"count": "the capture has no events"}
    assert library.missing(run, None) == {"count": None}
    assert "d.xplane.pb" not in reads.paths
    unreadable = library.missing(run, ["a"])["count"]
    assert unreadable is not None
    assert "a.xplane.pb" in unreadable


def test_what_a_run_lacks_is_known_without_another_turn(run: Run) -> None:
    """Each page asks for it first: it waited for whatever was being computed."""
    library = Library()
    known = library.missing(run, None)
    library._computing._free = 0
    assert library.missing(run, None) == known


def test_memo_measures_again_what_grew() -> None:
    memo: Memo[list[int]] = Memo(max_bytes=10, size=len)
    first = memo.get("a", lambda: ([1], True))
    first.extend(range(10))
    memo.get("b", lambda: ([2], True))
    assert memo.get("a", lambda: ([3], True)) == [3]
    assert memo.get("b", lambda: ([4], True)) == [2]


def test_memo_drops_when_it_is_told_to_measure() -> None:
    memo: Memo[list[int]] = Memo(max_bytes=10, size=len)
    memo.get("a", lambda: ([1], True))
    grows = memo.get("b", lambda: ([2], True))
    memo.measure(grows)
    assert memo.peek("a") == [1]
    grows.extend(range(10))
    memo.measure(grows)
    assert (memo.peek("a"), memo.peek("b")) == (None, grows)


def test_what_tools_keep_of_a_timeline_counts(run: Run) -> None:
    """Each of the two fits beside the other until a tool has derived something of the second."""
    reads = Reads()
    library = Library(max_bytes=100_000, read=reads)
    for host in ("a", "b"):
        library.use(run.file(host), lambda timeline: None)

    def derive(timeline: Timeline) -> Intervals:
        return Intervals(np.zeros(5_000, np.int64), np.zeros(5_000, np.int64))

    assert library.use(run.file("b"), lambda t: cached(t, derive) is cached(t, derive))
    assert library.use(run.file("b"), lambda t: (t.derived_bytes, t.nbytes - t.capture.nbytes)) == (80_000, 80_000)
    library.timeline(run.file("a"))
    assert reads.paths == ["a.xplane.pb", "b.xplane.pb", "a.xplane.pb"]


def test_an_export_beyond_the_bound_reads_each_host_twice(run: Run) -> None:
    """Once to put the hosts on one axis, once to write; where neither tells what a window holds, once more."""
    reads = Reads()
    library = Library(max_bytes=1, read=reads)
    "".join(export(library, run, None, {}).text())
    assert reads.paths == ["a.xplane.pb", "b.xplane.pb"] * 2
    reads.paths.clear()
    # Within the 1 µs between two events of a.
    between = {"start_ps": "2200000", "end_ps": "2800000", "tracks": "a:0"}
    with pytest.raises(NotFoundError, match="nothing to export"):
        export(library, run, None, between)
    assert reads.paths == ["a.xplane.pb", "b.xplane.pb", "a.xplane.pb"]


class TestDisk:
    """Answers that another process finds again."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        return tmp_path / "user" / "cache"

    def ask(self, folder: Path, run: Run, reads: Reads, **given: str) -> Answer:
        """As a new process would."""
        return Library(disk=Disk(lambda: str(folder)), read=reads).answer(COUNT, run, None, given)

    def test_the_second_process_reads_no_capture(self, folder: Path, run: Run) -> None:
        reads = Reads()
        first, second = self.ask(folder, run, reads), self.ask(folder, run, reads)
        second.check()
        assert reads.paths == ["a.xplane.pb", "b.xplane.pb"]
        assert second.to_dict() == first.to_dict()
        assert (folder.stat().st_mode & 0o777, [f.suffix for f in folder.iterdir()]) == (0o700, [".json"])
        assert not [f for f in Path(run.files[0].path).parent.iterdir() if not f.name.endswith(".xplane.pb")]

    def test_options_with_few_values_have_their_own_entries(self, folder: Path, run: Run) -> None:
        reads = Reads()
        for _ in range(2):
            assert table(self.ask(folder, run, reads, backwards="true"))["name"] == ["y", "x"]
            assert table(self.ask(folder, run, reads))["name"] == ["x", "y"]
        assert (len(reads.paths), len(list(folder.iterdir()))) == (4, 2)

    def test_a_search_text_is_not_worth_an_entry(self, folder: Path, run: Run) -> None:
        self.ask(folder, run, Reads(), name="x")
        assert not folder.exists()

    def test_a_changed_file_has_another_entry(self, folder: Path, run: Run) -> None:
        reads = Reads()
        self.ask(folder, run, reads)
        Path(run.file("b").path).write_bytes(space("new").bytes())
        assert table(self.ask(folder, run, reads))["name"] == ["new", "x", "y"]

    @pytest.mark.parametrize(
        "body", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"schema":1}', b"[" * 100_000, b'{"quality":{"warnings":1}}']
    )
    def test_a_damaged_entry_is_removed_and_made_again(self, folder: Path, run: Run, body: bytes) -> None:
        reads = Reads()
        first = self.ask(folder, run, reads)
        (entry,) = folder.iterdir()
        entry.write_bytes(sealed(body))
        assert self.ask(folder, run, reads).to_dict() == first.to_dict()
        assert (len(reads.paths), json.loads(entry.read_bytes()[SEAL_BYTES:])) == (
            4,
            json.loads(to_json(first.to_dict())),
        )

    def test_an_entry_of_another_shape_is_removed(self, folder: Path, run: Run) -> None:
        first = self.ask(folder, run, Reads())
        (entry,) = folder.iterdir()
        wrong = first.to_dict()
        wrong["summary"].pop("idle_share")
        entry.write_bytes(sealed(json.dumps(wrong).encode()))
        assert self.ask(folder, run, Reads()).to_dict() == Library().answer(COUNT, run, None, {}).to_dict()

    def test_failures_and_partial_answers_are_not_stored(self, folder: Path, run: Run) -> None:
        Path(run.file("a").path).write_bytes(b"")
        assert self.ask(folder, run, Reads()).hosts == ("b",)
        assert not folder.exists()

    def test_where_nothing_can_be_written_nothing_is_lost(self, folder: Path, run: Run) -> None:
        """A file stands where the folder should be; that fails for root as well."""
        folder.parent.mkdir()
        folder.write_bytes(b"")
        assert table(self.ask(folder, run, Reads()))["name"] == ["x", "y"]
        assert Library(disk=Disk(lambda: None)).answer(COUNT, run, None, {}).hosts == ("a", "b")

    def test_the_least_recently_used_entries_go(self, folder: Path, run: Run) -> None:
        answer = Library().answer(COUNT, run, None, {})
        size = len(to_json(answer.to_dict())) + SEAL_BYTES
        disk = Disk(lambda: str(folder), max_bytes=2 * size)
        for age_s, key in ((30, ("old",)), (20, ("older use",))):
            before = set(folder.glob("*"))
            disk.store(key, answer)
            (path,) = set(folder.glob("*")) - before
            os.utime(path, (1e9 - age_s, 1e9 - age_s))
        assert disk.load(("old",), COUNT)
        disk.store(("new",), answer)
        assert [bool(disk.load((key,), COUNT)) for key in ("old", "older use", "new")] == [True, False, True]

    def test_the_users_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", "/c")
        assert user_folder() == "/c/perfplugin"
        monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
        monkeypatch.setenv("HOME", "/home/u")
        assert user_folder() == "/home/u/.cache/perfplugin"

    def test_findings_come_back(self, folder: Path, run: Run) -> None:
        answer = Library().answer(COUNT, run, None, {})
        params = {"shown": 1, "steps": 2}
        evidence = (Evidence("a", 1, 2),)
        finding = Finding(code="steps_table_cut", params=params, severity="warning", share=0.5, evidence=evidence)
        told = replace(answer, result=replace(answer.result, findings=(finding,)))
        disk = Disk(lambda: str(folder))
        disk.store(("k",), told)
        loaded = disk.load(("k",), COUNT)
        assert loaded
        assert loaded.result.findings == (finding,)


def made_up(names: list[str], means: object) -> Answer:
    """An answer of COUNT with these rows."""
    cells = {"name": names, "event_count": np.arange(len(names)), "mean_us": means}
    result = Result({"event_count": 1, "idle_share": None}, {"names": cells}, {"idle_share": "never"})  # type: ignore[dict-item]
    return Answer(COUNT, "r", ("h",), result, Quality(), "compiled")


def test_json_has_no_number_that_is_not_finite() -> None:
    assert to_json({"a": [1, float("nan")], "b": (float("inf"), "NaN")}) == '{"a":[1,null],"b":[null,"NaN"]}'
    answer = made_up(["x", "y"], np.array([np.nan, 1.5]))
    assert json.loads(to_json(answer.to_dict()))["tables"]["names"]["columns"]["mean_us"] == [None, 1.5]


def test_csv_is_rfc_4180_and_no_formula_survives() -> None:
    names = ['a,"b"', "two\r\nlines", "=1+1", "+x", "-x", "@x", "\t=1", "a=1", ""]
    text = to_csv(made_up(names, [None, float("nan"), -1.5, 2, True, 0, 1e300, 1, 1]))
    assert text.split("\r\n")[:2] == ["name,event_count,mean_us", '"a,""b""",0,']
    rows = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert [row[0] for row in rows] == [*names[:2], "'=1+1", "'+x", "'-x", "'@x", "'\t=1", "a=1", ""]
    assert [row[2] for row in rows] == ["", "", "-1.5", "2", "true", "0", "1e+300", "1", "1"]


def test_csv_of_a_table_that_is_not_there() -> None:
    with pytest.raises(NotFoundError, match=r"count has no table '../x': its tables are names"):
        to_csv(made_up([], []), "../x")
