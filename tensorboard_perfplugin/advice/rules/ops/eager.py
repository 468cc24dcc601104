"""The ops of a side → that TensorFlow runs much of them one by one."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops.sides import OpSide
from ....threshold import Threshold
from ...finding import Finding
from .sides import op_params

EAGER = Threshold(
    "eager ops",
    0.25,
    "share",
    "of the op time of which it is known; most captures show a little of it, as of initialisation",
    "public captures",
)


def eager(side: OpSide) -> Iterator[Finding]:
    ran = side.eager()
    if not ran.known_ps or ran.eager_ps < EAGER.value * ran.known_ps:
        return
    share = min(ran.eager_ps / ran.known_ps, 1.0)
    yield Finding(
        code="ops_eager",
        params={**op_params(ran.op), "side": side.side, "share": share, "in_steps": ran.in_steps},
        severity="note",
        share=share,
        tool="trace_viewer",
        search="EagerExecute",
        match="exact",
    )
