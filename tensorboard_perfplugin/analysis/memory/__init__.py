"""Allocations, what is live at the peak, growth by step, and profiles of one moment."""

from .categories import BEFORE as BEFORE_RECORD
from .categories import CATEGORIES, of_kinds, of_series
from .events import UNKNOWN, Events, SystemName, has_any, memory_events
from .facts import Held, Keeper, MemoryFacts
from .forest import Call, Forest, InUse, KindInUse, all_holders, forest, in_use
from .growth import Growth, StepUse, kept_window
from .host import Host, host, op_codes
from .live import live_at_peak
from .parts import BEFORE, FREED_LATER, NOT_FREED, OP, STACK, UNEXPLAINED, Live, bytes_of
from .recorded import recorded_at_peak
from .series import Series, series
from .stacks import Frame, Holder, Samples, Stacks, frame_of, is_memory_profile, stacks_of, stacks_of_samples
from .stretches import Stretches, stretches
from .systems import System, keeps, system_of, systems
from .use import LIFETIMES_US, Lifetimes, OpUse, lifetimes, op_uses, with_recorded
from .why import missing, why

__all__ = [
    "BEFORE",
    "BEFORE_RECORD",
    "CATEGORIES",
    "FREED_LATER",
    "LIFETIMES_US",
    "NOT_FREED",
    "OP",
    "STACK",
    "UNEXPLAINED",
    "UNKNOWN",
    "Call",
    "Events",
    "Forest",
    "Frame",
    "Growth",
    "Held",
    "Holder",
    "Host",
    "InUse",
    "Keeper",
    "KindInUse",
    "Lifetimes",
    "Live",
    "MemoryFacts",
    "OpUse",
    "Samples",
    "Series",
    "Stacks",
    "StepUse",
    "Stretches",
    "System",
    "SystemName",
    "all_holders",
    "bytes_of",
    "forest",
    "frame_of",
    "has_any",
    "host",
    "in_use",
    "is_memory_profile",
    "keeps",
    "kept_window",
    "lifetimes",
    "live_at_peak",
    "memory_events",
    "missing",
    "of_kinds",
    "of_series",
    "op_codes",
    "op_uses",
    "recorded_at_peak",
    "series",
    "stacks_of",
    "stacks_of_samples",
    "stretches",
    "system_of",
    "systems",
    "why",
    "with_recorded",
]
