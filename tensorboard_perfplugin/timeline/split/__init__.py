"""How the wall time of steps divides into categories, per device."""

from ..categories import CATEGORIES, INDEX, Category
from .device import category_of_instruction, category_of_kernel, device_runs, device_sets, instruction_of_kind
from .exposures import EventParts, Exposed, exposed, exposed_by, exposed_by_unit, parts_by_event
from .host_names import GETS_INPUT, HostClass, class_of_name, class_of_op
from .model import Split, Unit
from .own_loops import own_loops_of
from .precision import precision_of_element, precision_of_instruction, precision_of_kernel
from .sets import union
from .slices import SliceTransfer, slice_transfers_of
from .span import OutsideSteps, chosen_outside, divided, time_outside_steps
from .split import chosen_split, split_of, split_steps, units_of
from .windows import step_windows

__all__ = [
    "CATEGORIES",
    "GETS_INPUT",
    "INDEX",
    "Category",
    "EventParts",
    "Exposed",
    "HostClass",
    "OutsideSteps",
    "SliceTransfer",
    "Split",
    "Unit",
    "category_of_instruction",
    "category_of_kernel",
    "chosen_outside",
    "chosen_split",
    "class_of_name",
    "class_of_op",
    "device_runs",
    "device_sets",
    "divided",
    "exposed",
    "exposed_by",
    "exposed_by_unit",
    "instruction_of_kind",
    "own_loops_of",
    "parts_by_event",
    "precision_of_element",
    "precision_of_instruction",
    "precision_of_kernel",
    "slice_transfers_of",
    "split_of",
    "split_steps",
    "step_windows",
    "time_outside_steps",
    "union",
    "units_of",
]
