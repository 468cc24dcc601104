"""Devices: attributes, peak rates, what they reached, and TPUs' own accounts."""

from .attributes import Attributes, Device, device
from .lost import Runs, runs_of_programs
from .peaks import Used, used, utilization
from .tpu import Core, TpuHost, program_rows, tpu
from .tpu_wire import fields
from .tracks import device_tracks

__all__ = [
    "Attributes",
    "Core",
    "Device",
    "Runs",
    "TpuHost",
    "Used",
    "device",
    "device_tracks",
    "fields",
    "program_rows",
    "runs_of_programs",
    "tpu",
    "used",
    "utilization",
]
