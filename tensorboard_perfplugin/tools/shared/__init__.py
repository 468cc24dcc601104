"""What the declarations of several tools share."""

from __future__ import annotations

from ...analysis.functions import Wait
from ...tables import Column

# Scalars that several tools' summaries have: each is one number on all pages, declared once.

#: Why the step times below are unknown where steps are.
NO_WHOLE_STEP = "no step is whole: the capture lacks a begin or an end, or where the next step begins"
HOST_COUNT = Column.count("host_count", "Hosts whose captures are shown.")
STEP_COUNT = Column.count("step_count", "Steps of the run, of any host, cut ones too.")
STEP_TIME = Column.ms("step_time_ms", "Begin of a step to the begin of the next; mean over whole steps.")
STEP_TIME_SD = Column.ms("step_time_sd_ms", "Standard deviation (n - 1) of the step times.")
STEP_TIME_MIN = Column.ms("step_time_min_ms", "The shortest step time.")
STEP_TIME_MAX = Column.ms("step_time_max_ms", "The longest step time.")
DEVICE_IDLE = Column.ms("device_idle_ms", "Time in which a device ran nothing, summed over the devices that ran some.")
DEVICE_IDLE_SHARE = Column.share("device_idle_share", "Idle ÷ (busy + idle) of these devices.")
HOST_OP_TIME = Column.ms("host_op_ms", "Wall time in which at least one op ran on a host, summed over hosts.")
PEAK_TFLOPS = Column.number("peak_tflops", "Peak rate of a device, best of 16-bit and 32-bit, in 10¹² FLOP/s.")
PEAK_GB_S = Column.number("peak_gb_s", "Peak bandwidth of a device's memory in GB/s (10⁹ bytes).")
FLOP_SHARE = Column.share(
    "flop_share", "FLOPs ÷ what the devices' peak allows in the same time, of the instructions of which both are known."
)
MEMORY_SHARE = Column.share("memory_share", "Bytes of the devices' memory ÷ what its bandwidth allows, likewise.")


# What a Python function waits for → the word for it in a cell.

WAIT_WORDS = {
    Wait.GPU: "device",
    Wait.PEERS: "other ranks",
    Wait.OTHERS: "threads, processes",
    Wait.SLEEP: "sleep",
}
