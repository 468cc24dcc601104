"""When each device ran something, and for how long."""

from .activity import Activity, devices_of, host_busy_of, planes_at_work, units_at_work_of, workers_of
from .clock import clocked
from .spans import device_spans_of

__all__ = [
    "Activity",
    "clocked",
    "device_spans_of",
    "devices_of",
    "host_busy_of",
    "planes_at_work",
    "units_at_work_of",
    "workers_of",
]
