"""Products that could run on tensor cores and are known not to → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.devices.peaks import latest_generation
from ....analysis.kernels.host import KernelDevice
from ....analysis.kernels.merged import Merged, kernel_key, missed_tensor_cores
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from ..kernel_families import tensor_units

MISSED = Threshold(
    "products without tensor cores",
    0.05,
    "share",
    "a smaller part of the kernel time gains less than captures of one program differ",
    "chosen on the captures of the tests and public ones",
)
MUCH = Threshold("many products without tensor cores", 0.2, "share", "of the kernel time; less is a note", CHOSEN)


def tensor_cores_missed(merged: Merged) -> Iterator[Finding]:
    missed = missed_tensor_cores(merged)
    if missed is None or missed.total_ps < MISSED.value * merged.total_ps:
        return
    yield Finding(
        code="tensor_cores_missed",
        params={
            "total_ps": missed.total_ps,
            "share": missed.share,
            "kernel": missed.longest.short,
            "kernel_ps": missed.longest.total_ps,
            "units": tensor_units(missed.longest.device.is_amd),
            "tf32": _takes_tf32(missed.longest.device),
            "bf16": missed.longest.device.is_amd or _takes_tf32(missed.longest.device),
        },
        severity="warning" if missed.total_ps >= MUCH.value * merged.total_ps else "note",
        share=missed.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, missed.longest.row)),
        match="row",
    )


def _takes_tf32(device: KernelDevice) -> bool:
    """What takes TF32 takes bfloat16 too. Of AMD's devices no framework does it by the setting that the text names."""
    about = latest_generation(device.attributes)
    return about is not None and about.cycle.tf32 is not None and not device.is_amd
