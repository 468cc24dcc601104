"""Programs that JAX compiles here: their memory is what XLA itself writes of it, to the byte.

`…-memory-usage-report.txt` has the total of all allocations, thread-local ones included; `…-buffer-assignment.txt`
every buffer with allocation, offset and size; `…-live-range.txt` the order of instructions and when each buffer is
live. The peak follows from the last two without the heap simulation that ours replays: the most bytes of the temporary
allocation that live buffers cover at one instruction, and all other allocations. Pointers of tuples are in no
simulation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tensorboard_perfplugin.analysis.buffers.memory import ProgramMemory, Use
from tensorboard_perfplugin.timeline.programs.reader import Program
from tensorboard_perfplugin.wire import Budget
from tests.integration._programs import Ran, folder_of, run_programs
from tests.tools.answered import rows_of

#: Programs and their least number of temporary buffers.
PROGRAMS = {
    "jit_train_step": 20,
    "jit_scanned": 5,
    "jit_looped": 5,
    "jit_given": 1,
    "jit_branched": 3,
    "jit_spread": 1,
    "jit_first": 3,
}
LIVE = re.compile(r"^    (\S+?):(\d+)-(\d+)$", re.M)
ORDER = re.compile(r"^    (\d+):(\S+)$", re.M)
VALUE = re.compile(r"value: <\d+ (\S+)(?: \(phi\))? @0> \(size=(\d+),offset=(\d+)\): (.*)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("buffers")
    run_programs(out, ["xla_buffers"])
    return folder_of(out, "xla_buffers")


@dataclass(frozen=True)
class Written:
    """What XLA wrote of one program."""

    base: str

    def text(self, kind: str) -> str:
        return Path(f"{self.base}-{kind}.txt").read_text()

    def total(self) -> int:
        found = re.search(r"Total bytes: (\d+)", self.text("memory-usage-report"))
        assert found
        return int(found[1])

    def order(self) -> list[str]:
        return [name for _, name in sorted((int(at), name) for at, name in ORDER.findall(self.text("live-range")))]

    def lives(self) -> dict[str, tuple[int, int]]:
        found = LIVE.findall(self.text("live-range"))
        return {name.removesuffix("{}"): (int(first), int(last)) for name, first, last in found}

    def allocations(self) -> Iterator[tuple[str, int, list[tuple[str, int, int, str]]]]:
        """First line, size, and values: name, size, offset, shape."""
        for block in re.split(r"^(?=allocation \d)", self.text("buffer-assignment"), flags=re.M):
            if found := re.match(r"allocation \d+: size (\d+)", block):
                values = [
                    (name.removesuffix("{}"), int(s), int(o), shape) for name, s, o, shape in VALUE.findall(block)
                ]
                yield block.partition("\n")[0], int(found[1]), values

    def peak(self) -> tuple[int, int]:
        """Bytes, and the place of the first instruction that needs them."""
        lives, always = self.lives(), 0
        spans: list[tuple[int, int, int, int]] = []
        for line, size, values in self.allocations():
            if "preallocated-temp" in line:
                spans += [(*lives[name], at, at + s) for name, s, at, shape in values if not shape.startswith("(")]
            elif "thread-local" not in line:
                always += size
        sums = [_covered([one[2:] for one in spans if one[0] <= at <= one[1]]) for at in range(len(self.order()))]
        most = max(sums)
        return always + most, sums.index(most)


def _covered(intervals: list[tuple[int, ...]]) -> int:
    total = end = 0
    for low, high in sorted(intervals):
        total += max(0, high - max(low, end))
        end = max(end, high)
    return total


def programs(folder: Path) -> list[tuple[str, Written, ProgramMemory, Use]]:
    found = []
    for file in sorted((folder / "dump").glob("*.cpu_after_optimizations.hlo.pb")):
        memory = ProgramMemory(Program(file.read_bytes(), Budget(10_000_000)))
        name = file.name.split(".")[1]
        found.append((name, Written(str(file).removesuffix(".hlo.pb")), memory, memory.use(0)))
    return found


def test_totals_and_peaks_are_xlas(folder: Path) -> None:
    seen = set()
    for name, written, memory, use in programs(folder):
        space = use.space()
        assert space.allocated_bytes + space.by_kind["thread-local"] == written.total(), name
        peak, place = written.peak()
        assert space.peak_bytes == peak, name
        if space.simulated:
            assert use.peak_place == place, name
            seen.add(name)
        assert [one.instruction.name for one in memory.order.placed] == written.order(), name
    assert seen >= set(PROGRAMS)


def test_buffers_are_where_xla_puts_them_and_live_as_long(folder: Path) -> None:
    for name, written, memory, use in programs(folder):
        lives = written.lives()
        buffers = memory.assignment.buffers
        told = sorted(
            (size, at, shape)
            for line, _, values in written.allocations()
            for _, size, at, shape in values
            if "thread-local" not in line
        )
        ours = sorted(
            (buffers[key].size, at, memory.written(buffers[key]).text)
            for one in memory.assignment.allocations
            for key, at in one.assigned
            if not one.is_thread_local
        )
        assert [one[:2] for one in ours] == [one[:2] for one in told], name
        # Of what a reduction runs nothing has a place in the order of instructions.
        assert not Counter(one for one in ours if one[2]) - Counter(told), name
        rows = [row for row in use.held() if row.buffer in use.replay.lives]
        assert len(rows) >= PROGRAMS.get(name, 0), name
        for row in rows:
            parts = [buffers[key] for key in use.replay.lives[row.buffer].buffers]
            named = [memory.name(one) + (f"{{{','.join(map(str, one.part))}}}" if one.part else "") for one in parts]
            first, last = min(lives[one][0] for one in named), max(lives[one][1] for one in named)
            assert (row.first, row.last) == (first, last), (name, named)


def test_what_is_donated_saves_an_output_and_is_not_advised(folder: Path) -> None:
    of = Ran(folder).profile
    given = of.tool("memory_viewer", program="jit_given")
    means = [row[0] for row in rows_of(given, "savings", "means")]
    step = of.tool("memory_viewer", program="jit_train_step")
    assert "donate" in [row[0] for row in rows_of(step, "savings", "means")]
    saved = {row[0] for row in rows_of(step, "buffers", "op", "saves") if row[1] == "donate"}
    assert saved == {f"weights['{name}']" for name in ("down", "k", "q", "up", "v")}
    # The state is donated; `x` has its shape, but no output is left.
    assert "donate" not in means
