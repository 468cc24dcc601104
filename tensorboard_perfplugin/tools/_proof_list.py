"""Every table whose numbers the trace can prove, and how."""

from __future__ import annotations

from typing import TypeAlias

from ..errors import ArgumentError
from ..timeline import Timeline
from . import _proof_collectives, _proof_idle, _proof_input, _proof_kernels, _proof_ops
from ._proof import Marked, Prover, Stretches
from ._proof_steps import StepTime, step_time
from ._row_key import RowKey

Found: TypeAlias = Marked | Stretches | StepTime

PROVERS: dict[str, Prover] = {
    "kernel_stats.kernels": _proof_kernels.kernels,
    "kernel_stats.names": _proof_kernels.names,
    "kernel_stats.copies": _proof_kernels.copies,
    "kernel_stats.graphs": _proof_kernels.graphs,
    "kernel_stats.durations": _proof_kernels.durations,
    "kernel_stats.devices": _proof_kernels.devices,
    "op_stats.ops": _proof_ops.op,
    "op_stats.types": _proof_ops.op_type,
    "op_stats.scopes": _proof_ops.scope,
    "overview.device_ops": _proof_ops.top_op,
    "overview.host_ops": _proof_ops.top_op,
    "overview.programs": _proof_ops.program,
    "overview.hosts": _proof_ops.host,
    "overview.devices": _proof_ops.device,
    "input_pipeline.ops": _proof_input.stage,
    "tf_data.pipelines": _proof_input.pipeline,
    "pod_viewer.collectives": _proof_collectives.collective,
    "pod_viewer.idle": _proof_idle.idle,
}
#: Tables of steps, whose numbers are means over hosts.
STEP_TABLES = ("overview.steps", "overview.split", "input_pipeline.steps", "pod_viewer.steps", "pod_viewer.workers")


def prove(timeline: Timeline, key: RowKey) -> Found:
    """What one host gives for a cell. Raises ArgumentError for a table that is not known here."""
    if key.name in STEP_TABLES:
        return step_time(timeline, key)
    if key.name not in PROVERS:
        accepted = ", ".join(sorted((*PROVERS, *STEP_TABLES)))
        raise ArgumentError(f"search={key.name}: of that table no events are known; accepted are {accepted}")
    return PROVERS[key.name](timeline, key)
