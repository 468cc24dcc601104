"""Every table whose numbers the trace can prove, and how."""

from __future__ import annotations

from typing import TypeAlias

from ...errors import ArgumentError
from ...tables import RowKey
from ...timeline.timeline import Timeline
from . import collectives as proof_collectives
from . import idle as proof_idle
from . import input as proof_input
from . import kernels as proof_kernels
from . import ops as proof_ops
from .proof import Marked, Prover, Stretches
from .steps import StepTime, step_time

Found: TypeAlias = Marked | Stretches | StepTime

PROVERS: dict[str, Prover] = {
    "kernel_stats.kernels": proof_kernels.kernels,
    "kernel_stats.names": proof_kernels.names,
    "kernel_stats.copies": proof_kernels.copies,
    "kernel_stats.graphs": proof_kernels.graphs,
    "kernel_stats.durations": proof_kernels.durations,
    "kernel_stats.devices": proof_kernels.devices,
    "op_stats.ops": proof_ops.op,
    "op_stats.types": proof_ops.op_type,
    "op_stats.scopes": proof_ops.scope,
    "overview.device_ops": proof_ops.top_op,
    "overview.host_ops": proof_ops.top_op,
    "overview.programs": proof_ops.program,
    "overview.hosts": proof_ops.host,
    "overview.devices": proof_ops.device,
    "hlo_stats.instructions": proof_ops.instruction,
    "hlo_stats.categories": proof_ops.instruction,
    "hlo_stats.programs": proof_ops.instruction,
    "op_profile.profile": proof_ops.profile,
    "op_profile.programs": proof_ops.instruction,
    "roofline.programs": proof_ops.instruction,
    "memory_viewer.programs": proof_ops.instruction,
    "graph_viewer.programs": proof_ops.instruction,
    "input_pipeline.ops": proof_input.stage,
    "tf_data.pipelines": proof_input.pipeline,
    "pod_viewer.collectives": proof_collectives.collective,
    "pod_viewer.idle": proof_idle.idle,
}
#: Tables of steps, whose numbers are means over hosts.
STEP_TABLES = ("overview.steps", "overview.split", "input_pipeline.steps", "pod_viewer.steps", "pod_viewer.workers")


def prove(timeline: Timeline, key: RowKey) -> Found:
    """What one host gives for a cell. Raises ArgumentError for a table that is not known here."""
    if key.name in STEP_TABLES:
        return step_time(timeline, key)
    if key.name not in PROVERS:
        tables = sorted((*PROVERS, *STEP_TABLES))
        raise ArgumentError.with_choices(f"search={key.name}: the events of this table are not known", tables)
    return PROVERS[key.name](timeline, key)
