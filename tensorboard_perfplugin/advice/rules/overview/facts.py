"""What the rules of the overview decide by."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ....analysis.kernels.merged import Merged
from ....analysis.ops.rows import called
from ....analysis.overview import Host, SideOps
from ....messages import Message
from ..steps.case import Case


@dataclasses.dataclass(frozen=True)
class Facts:
    """The hosts of a run, the ops of all by side, and the typical step, None where no step was found. eager_steps:
    whether the answer is that steps run eagerly. kernels: of all hosts those that may have to be named, None without a
    GPU.
    """

    hosts: Sequence[Host]
    device: SideOps
    host: SideOps
    case: Case | None
    eager_steps: bool = False
    kernels: Merged | None = None

    @property
    def devices_ran(self) -> bool:
        return any(host.ops.devices for host in self.hosts)

    @property
    def launches(self) -> int:
        return sum(host.launches for host in self.hosts)


def largest_op(ops: SideOps, side: str) -> Message:
    """`dot (dot) takes 29 % of host op time`, of the op that works for longest."""
    if ops.hardest is None or not ops.self_ps:
        return Message("largest_op.none", {"side": side})
    op, row = ops.hardest
    share = row.self_ps / ops.self_ps
    return Message("largest_op", {"op": called(op), "share": share, "side": side, "ps": row.self_ps})
