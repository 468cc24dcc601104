"""Many hosts, many requests at once: what is held in memory and done again stays bounded."""

from __future__ import annotations

import gc
import threading
import weakref
from dataclasses import replace

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.answers.library import MOST_COMPUTED_AT_A_TIME, Library, Side
from tensorboard_perfplugin.answers.many import fit_in_memory, sample_hosts
from tensorboard_perfplugin.answers.memo import Memo
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, Options
from tensorboard_perfplugin.tools.compare import COMPARE
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT


def test_sizes_of_a_few_values_are_taken_when_one_comes() -> None:
    """They were of all: an overview of 1,000 hosts took half a minute, of 10,000 an hour."""
    asked: list[int] = []

    def size(value: int) -> int:
        asked.append(value)
        return 1

    memo: Memo[int] = Memo(1000, size)
    for key in range(200):
        memo.get(key, lambda key=key: (key, True))  # type: ignore[misc]
    assert len(asked) < 200 * 3


def test_values_that_grow_after_they_came_are_dropped_in_time() -> None:
    sizes = {"a": 1, "b": 1, "c": 1}
    made: list[str] = []
    memo: Memo[str] = Memo(10, sizes.__getitem__)

    def get(key: str) -> None:
        def make() -> tuple[str, bool]:
            made.append(key)
            return key, True

        memo.get(key, make)

    get("a")
    sizes["a"] = 9
    get("b")  # 9 + 1 fit
    get("c")  # 9 + 1 + 1 do not
    get("b")
    get("a")
    assert made == ["a", "b", "c", "a"]


def test_many_requests_for_many_captures_hold_few_timelines(make_logdir: MakeLogdir) -> None:
    """Each held its own while it computed, however few were kept."""
    files: dict[str, Space | bytes] = {f"r{i}/h.xplane.pb": one_event() for i in range(40)}
    runs = runs_at(str(make_logdir(files)))
    lock, pause = threading.Lock(), threading.Event()
    inside, most, answers = 0, 0, list[Answer]()

    def per_host(timeline: Timeline, options: Options) -> object:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        pause.wait(0.002)
        with lock:
            inside -= 1
        return COUNT.per_host(timeline, options)

    library, tool = Library(max_bytes=1), replace(COUNT, per_host=per_host)
    threads = [
        threading.Thread(target=lambda run=run: answers.append(library.answer(tool, run, None, {}))) for run in runs
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(answers) == 40
    assert 1 <= most <= MOST_COMPUTED_AT_A_TIME


def test_of_many_hosts_no_timeline_stays(make_logdir: MakeLogdir) -> None:
    """Each was kept and pushed out another: 256 captures of 3 MB held 2 GB when their overview was done."""
    files: dict[str, Space | bytes] = {f"r/{i:03}.xplane.pb": one_event() for i in range(17)}
    (run,) = runs_at(str(make_logdir(files)))
    kept: list[weakref.ref[Timeline]] = []

    def per_host(timeline: Timeline, options: Options) -> object:
        kept.append(weakref.ref(timeline))
        return COUNT.per_host(timeline, options)

    library, tool = Library(), replace(COUNT, per_host=per_host)
    library.answer(tool, run, list(run.hosts)[:16], {})
    assert all(each() for each in kept)
    kept.clear()
    library.answer(tool, run, list(run.hosts)[16:], {})
    assert all(each() for each in kept)
    kept.clear()
    Library().answer(tool, run, None, {})
    gc.collect()
    assert [each() for each in kept] == [None] * 17


def one_event() -> Space:
    space = Space()
    space.plane("/host:CPU").line(1).event("op", 0, 1)
    return space


def test_timelines_that_do_not_fit_beside_one_another_do_not_stay(make_logdir: MakeLogdir) -> None:
    (run,) = runs_at(str(make_logdir({f"r/{i}.xplane.pb": one_event() for i in range(2)})))
    size = sum(file.size_bytes for file in run.files)
    assert fit_in_memory(run.files, 4 * size)
    assert not fit_in_memory(run.files, 4 * size - 1)
    assert fit_in_memory(run.files[:1], 0)


def test_one_side_of_a_comparison_is_not_held_beside_the_other_where_nobody_asks_again(make_logdir: MakeLogdir) -> None:
    """Two of 143 MB were, while only the second was at work. A server keeps them: the next page is of one of them."""
    files: dict[str, Space | bytes] = {f"r{i}/h.xplane.pb": one_event() for i in range(2)}
    before, after = ([Side(run.name, run.files)] for run in runs_at(str(make_logdir(files))))
    for ahead, held in ((False, 0), (True, 2)):
        library = Library(ahead=ahead)
        library.compared(COMPARE, before, after, {}, "")
        assert len(library._timelines._values) == held


def test_of_very_many_hosts_some_are_asked_what_a_run_lacks(make_logdir: MakeLogdir) -> None:
    """Every host was read, since no trace has what a page on Python profiles shows."""
    files: dict[str, Space | bytes] = {f"r/{i:03}.xplane.pb": one_event() for i in range(48)}
    (run,) = runs_at(str(make_logdir(files)))
    assert [file.host for file in sample_hosts(run.files)] == [f"{3 * i:03}" for i in range(16)]
    assert sample_hosts(run.files[:16]) == run.files[:16]
    reads: list[str] = []

    def read(path: str) -> Capture:
        reads.append(path)
        return decode.read(path)

    missing = Library(read=read).missing(run, None)
    assert missing["python_profile"]
    assert missing["overview"] is None
    assert len(reads) == 16
