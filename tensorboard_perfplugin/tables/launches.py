"""How kernels were launched: distinct launch configurations, and which events and aggregates were launched so."""

from __future__ import annotations

import dataclasses

import numpy as np

from .arrays import F64, I32, I64
from .columns import Table, column

#: A table by row is quicker than a search as long as it has at most so many cells for each row that is looked up.
_CELLS_PER_ROW = 8


@dataclasses.dataclass(frozen=True, eq=False)
class Launches(Table):
    """A row is a launch configuration; rows may repeat. -1, and nan of percentages, is what the file does not record.

    Sizes are of a block. `shared_bytes` is static and dynamic memory together.
    """

    registers: I64 = column("int64", "count", "Registers a thread.")
    static_shared_bytes: I64 = column("int64", "bytes", "Shared memory of a block, as compiled.")
    dynamic_shared_bytes: I64 = column("int64", "bytes", "Shared memory of a block, as asked for by the launch.")
    shared_bytes: I64 = column("int64", "bytes", "Shared memory of a block, static and dynamic.")
    grid_x: I64 = column("int64", "count", "Blocks of the grid, first dimension.")
    grid_y: I64 = column("int64", "count", "Blocks of the grid, second dimension.")
    grid_z: I64 = column("int64", "count", "Blocks of the grid, third dimension.")
    block_x: I64 = column("int64", "count", "Threads of a block, first dimension.")
    block_y: I64 = column("int64", "count", "Threads of a block, second dimension.")
    block_z: I64 = column("int64", "count", "Threads of a block, third dimension.")
    occupancy_percent: F64 = column(
        "float64", "percent", "Theoretical occupancy: warps that fit ÷ the most there can be."
    )
    achieved_percent: F64 = column("float64", "percent", "Occupancy that the profiler estimates, the grid considered.")


@dataclasses.dataclass(frozen=True, eq=False)
class Launched(Table):
    """A row is an event, or an aggregate, that is a kernel of which the file shows how it was launched; ascending."""

    row: I64 = column("int64", "", "Row of `events`, or of `aggregates`.")
    launch: I32 = column("int32", "", "Row of `launches`.")

    def launch_of(self, rows: I64) -> I32:
        """The launch of each of some rows; -1 where the file gives none."""
        if not len(self):
            return np.full(len(rows), -1, np.int32)
        low, high = int(self.row[0]), int(self.row[-1])
        if high - low < _CELLS_PER_ROW * len(rows):
            # One more at each end, for rows beyond.
            table = np.full(high - low + 3, -1, np.int32)
            table[self.row - (low - 1)] = self.launch
            found: I32 = table[np.clip(rows, low - 1, high + 1) - (low - 1)]
            return found
        at = np.minimum(np.searchsorted(self.row, rows), len(self) - 1)
        return np.where(self.row[at] == rows, self.launch[at], np.int32(-1))


@dataclasses.dataclass(frozen=True, eq=False)
class KernelLaunches:
    """launches: the configurations. events, aggregates: which were launched how."""

    launches: Launches
    events: Launched
    aggregates: Launched

    @classmethod
    def none(cls) -> KernelLaunches:
        return cls(Launches.empty(), Launched.empty(), Launched.empty())

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.launches, self.events, self.aggregates

    def check(self, events: int, aggregates: int) -> None:
        """Raise AssertionError unless every row is of an event, or aggregate, and of a configuration there is."""
        for table in self.tables:
            table.check()
        for launched, count in ((self.events, events), (self.aggregates, aggregates)):
            assert (launched.row[1:] > launched.row[:-1]).all(), "launched rows do not ascend"
            assert not len(launched) or (launched.row[0] >= 0 and launched.row[-1] < count), "launched row"
            assert ((launched.launch >= 0) & (launched.launch < len(self.launches))).all(), "launch"
        for name, values in self.launches.columns().items():
            if name.endswith("_percent"):
                assert (np.isnan(values) | ((values >= 0) & (values <= 100))).all(), name
            else:
                assert (values >= -1).all(), name
