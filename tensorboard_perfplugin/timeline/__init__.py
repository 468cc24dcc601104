"""`Timeline`: a `Capture` with what follows from it: nesting and self time, launches joined to kernels."""

from ._activity import Activity
from ._launches import Launches
from ._loops import COMPILED, Nesting
from ._op_names import Op, is_tensorflow
from ._ops import OpEvents, Ops
from ._timeline import Timeline
from ._waits import kind_waits

__all__ = [
    "COMPILED",
    "Activity",
    "Launches",
    "Nesting",
    "Op",
    "OpEvents",
    "Ops",
    "Timeline",
    "is_tensorflow",
    "kind_waits",
]
