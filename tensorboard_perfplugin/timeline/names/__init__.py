"""What names and texts in a capture mean: ops, kernels, functions of Python, datasets."""

from .copies import CopyDetails, copy_details
from .dataset_loops import BODY, FEEDS_BODY, OUTSIDE_BODY, has_body, iterator_name
from .driver import ALLOCATES, BLOCKING_COPY, SYNCHRONIZES
from .kernels import kernel_name
from .op_names import UNATTRIBUTED, Op, copy_op, device_op, eager_op, host_op_of, is_tensorflow, names_an_op, xla_op
from .pattern import name_matcher
from .python import python_name
from .tensor_cores import TENSOR_CORE_RULES, multiplies, tensor_core_rule, uses_tensor_cores

__all__ = [
    "ALLOCATES",
    "BLOCKING_COPY",
    "BODY",
    "FEEDS_BODY",
    "OUTSIDE_BODY",
    "SYNCHRONIZES",
    "TENSOR_CORE_RULES",
    "UNATTRIBUTED",
    "CopyDetails",
    "Op",
    "copy_details",
    "copy_op",
    "device_op",
    "eager_op",
    "has_body",
    "host_op_of",
    "is_tensorflow",
    "iterator_name",
    "kernel_name",
    "multiplies",
    "name_matcher",
    "names_an_op",
    "python_name",
    "tensor_core_rule",
    "uses_tensor_cores",
    "xla_op",
]
