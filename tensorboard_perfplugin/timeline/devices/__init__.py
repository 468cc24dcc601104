"""When each device ran something, and for how long."""

from .activity import Activity, devices_of, host_busy_of, planes_at_work, units_at_work_of, workers_of
from .clock import clocked
from .own_clock import OwnClock, own_clock, timed_by
from .spans import device_spans_of

__all__ = [
    "Activity",
    "OwnClock",
    "clocked",
    "device_spans_of",
    "devices_of",
    "host_busy_of",
    "own_clock",
    "planes_at_work",
    "timed_by",
    "units_at_work_of",
    "workers_of",
]
