"""Devices: attributes, peak rates, what they reached, and TPUs' own accounts."""

from .attributes import Attributes, Device, device, generation_of, latest_generation, vendor_of, version_of
from .facts import CHIPS, GENERATIONS, Chip, Generation, Rates
from .lost import Runs, runs_of_programs
from .memories import ON_CHIP, on_chip_peaks
from .peaks import ABOVE, AbovePeak, Used, above_peaks, used, utilization
from .rates import BELIEVED, COMPUTE, HBM, at_most_1, bound_by, giga_per_s, is_above, largest, ratio, starts, waits
from .tpu import Core, TpuHost, program_rows, tpu
from .tpu_wire import fields
from .tracks import device_tracks

__all__ = [
    "ABOVE",
    "BELIEVED",
    "CHIPS",
    "COMPUTE",
    "GENERATIONS",
    "HBM",
    "ON_CHIP",
    "AbovePeak",
    "Attributes",
    "Chip",
    "Core",
    "Device",
    "Generation",
    "Rates",
    "Runs",
    "TpuHost",
    "Used",
    "above_peaks",
    "at_most_1",
    "bound_by",
    "device",
    "device_tracks",
    "fields",
    "generation_of",
    "giga_per_s",
    "is_above",
    "largest",
    "latest_generation",
    "on_chip_peaks",
    "program_rows",
    "ratio",
    "runs_of_programs",
    "starts",
    "tpu",
    "used",
    "utilization",
    "vendor_of",
    "version_of",
    "waits",
]
