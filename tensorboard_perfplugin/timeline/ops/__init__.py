"""Which events are executions of ops, and what follows from that: costs, memory, waits, collectives."""

from .async_ops import async_ops_of
from .calls import ANNOTATION, RUNTIMES, STEPS, grouped_ops_of, is_mark
from .collectives import collective_ends, collective_ops, exchanges, library_calls
from .costs import (
    CMEM_SPACE,
    HBM_SPACE,
    VMEM_SPACE,
    OpCosts,
    by_memory,
    costs_of_events,
    device_costs_of,
    has_costs,
    in_hbm,
    instruction_costs_of,
    moved_by_memory,
    op_costs_of,
)
from .eager import is_eager, reported_eager
from .executed import device_instructions, host_instructions, instructions_as_ops
from .executions import kernel_begins_of, launching_runs, program_runs, runs_once
from .memory import CallMemory, call_memory
from .model import OpEvents, Ops
from .modules import ModuleCalls, module_calls
from .operators import BACKWARD, MODULE, are_calls, forward_calls, modules
from .ops import device_calls_of, host_self_ps_of, op_around_of, ops_of
from .stacks import stacks
from .tpu import kind_facts
from .waits import device_waits_of, host_waits_of, kind_waits, waits_for_device

__all__ = [
    "ANNOTATION",
    "BACKWARD",
    "CMEM_SPACE",
    "HBM_SPACE",
    "MODULE",
    "RUNTIMES",
    "STEPS",
    "VMEM_SPACE",
    "CallMemory",
    "ModuleCalls",
    "OpCosts",
    "OpEvents",
    "Ops",
    "are_calls",
    "async_ops_of",
    "by_memory",
    "call_memory",
    "collective_ends",
    "collective_ops",
    "costs_of_events",
    "device_calls_of",
    "device_costs_of",
    "device_instructions",
    "device_waits_of",
    "exchanges",
    "forward_calls",
    "grouped_ops_of",
    "has_costs",
    "host_instructions",
    "host_self_ps_of",
    "host_waits_of",
    "in_hbm",
    "instruction_costs_of",
    "instructions_as_ops",
    "is_eager",
    "is_mark",
    "kernel_begins_of",
    "kind_facts",
    "kind_waits",
    "launching_runs",
    "library_calls",
    "module_calls",
    "modules",
    "moved_by_memory",
    "op_around_of",
    "op_costs_of",
    "ops_of",
    "program_runs",
    "reported_eager",
    "runs_once",
    "stacks",
    "waits_for_device",
]
