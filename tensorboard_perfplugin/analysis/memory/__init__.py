"""Allocations, what is live at the peak, growth by step, and profiles of one moment."""

from .columns import LIFETIMES, OPS, PEAK, STACKS, STEPS, SUMMARY, SYSTEMS, TIMELINE
from .events import Events, SystemName, has_any, memory_events
from .growth import StepUse, kept_window, step_table
from .host import Host, host
from .line import time_table
from .live import peak_table
from .recorded import bytes_of, recorded_peak, with_recorded
from .series import Series, series
from .stacks import Frame, Holder, Stacks, is_memory_profile, stacks_of
from .systems import RULE, SystemRow, keeps, system_row
from .use import lifetime_table, op_table
from .why import missing, why
from .words import BEFORE, OP, PS_PER_MS, RESERVED, UNEXPLAINED, size

__all__ = [
    "BEFORE",
    "LIFETIMES",
    "OP",
    "OPS",
    "PEAK",
    "PS_PER_MS",
    "RESERVED",
    "RULE",
    "STACKS",
    "STEPS",
    "SUMMARY",
    "SYSTEMS",
    "TIMELINE",
    "UNEXPLAINED",
    "Events",
    "Frame",
    "Holder",
    "Host",
    "Series",
    "Stacks",
    "StepUse",
    "SystemName",
    "SystemRow",
    "bytes_of",
    "has_any",
    "host",
    "is_memory_profile",
    "keeps",
    "kept_window",
    "lifetime_table",
    "memory_events",
    "missing",
    "op_table",
    "peak_table",
    "recorded_peak",
    "series",
    "size",
    "stacks_of",
    "step_table",
    "system_row",
    "time_table",
    "why",
    "with_recorded",
]
