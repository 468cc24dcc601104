"""`Timeline`: a `Capture` with what follows from it: nesting and self time, launches joined to kernels."""

from ._activity import Activity, clocked
from ._assign import Assignment, How, Share, Shares
from ._call_memory import CallMemory, call_memory
from ._calls import STEPS, is_mark
from ._collectives import collective_ends
from ._costs import OpCosts, in_hbm
from ._dataset_loops import has_body, iterator_name
from ._executions import begins as execution_begins
from ._launches import Launches
from ._loops import COMPILED, Nesting
from ._module_calls import ModuleCalls, module_calls
from ._op_names import UNATTRIBUTED, Op, copy_op, is_tensorflow
from ._ops import OpEvents, Ops
from ._pattern import name_matcher
from ._python_names import python_name
from ._tensor_cores import tensor_core_rule
from ._timeline import Timeline
from ._waits import kind_waits
from .split import CATEGORIES, INDEX, Category, Exposed, Split, Unit, exposed
from .split._host_names import ALLOCATES, GETS_INPUT
from .steps import RULES, Cut, Rule, Steps

__all__ = [
    "ALLOCATES",
    "CATEGORIES",
    "COMPILED",
    "GETS_INPUT",
    "INDEX",
    "RULES",
    "STEPS",
    "UNATTRIBUTED",
    "Activity",
    "Assignment",
    "CallMemory",
    "Category",
    "Cut",
    "Exposed",
    "How",
    "Launches",
    "ModuleCalls",
    "Nesting",
    "Op",
    "OpCosts",
    "OpEvents",
    "Ops",
    "Rule",
    "Share",
    "Shares",
    "Split",
    "Steps",
    "Timeline",
    "Unit",
    "call_memory",
    "clocked",
    "collective_ends",
    "copy_op",
    "execution_begins",
    "exposed",
    "has_body",
    "in_hbm",
    "is_mark",
    "is_tensorflow",
    "iterator_name",
    "kind_waits",
    "module_calls",
    "name_matcher",
    "python_name",
    "tensor_core_rule",
]
