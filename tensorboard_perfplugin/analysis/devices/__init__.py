"""Devices: attributes, peak rates, what they reached, and TPUs' own accounts."""

from .attributes import Attributes, Device, device
from .peaks import Used, used, utilization
from .tpu import Core, TpuHost, program_rows, tpu
from .tpu_wire import fields
from .tracks import device_tracks

__all__ = [
    "Attributes",
    "Core",
    "Device",
    "TpuHost",
    "Used",
    "device",
    "device_tracks",
    "fields",
    "program_rows",
    "tpu",
    "used",
    "utilization",
]
