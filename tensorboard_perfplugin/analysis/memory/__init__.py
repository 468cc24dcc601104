"""Allocations, what is live at the peak, growth by step, and profiles of one moment."""

from .events import UNKNOWN, Events, SystemName, has_any, memory_events
from .facts import Held, Keeper, MemoryFacts
from .forest import Call, Forest, InUse, KindInUse, all_holders, forest, in_use
from .growth import Growth, StepUse, kept_window
from .host import Host, host, op_codes
from .live import live_at_peak
from .parts import BEFORE, FREED_LATER, NOT_FREED, OP, STACK, UNEXPLAINED, Live, bytes_of
from .recorded import recorded_at_peak
from .series import Series, series
from .stacks import Frame, Holder, Stacks, is_memory_profile, stacks_of
from .stretches import Stretches, stretches
from .systems import System, keeps, system_of, systems
from .use import LIFETIMES_US, Lifetimes, OpUse, lifetimes, op_uses, with_recorded
from .why import missing, why

__all__ = [
    "BEFORE",
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
    "Series",
    "Stacks",
    "StepUse",
    "Stretches",
    "System",
    "SystemName",
    "all_holders",
    "bytes_of",
    "forest",
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
    "op_codes",
    "op_uses",
    "recorded_at_peak",
    "series",
    "stacks_of",
    "stretches",
    "system_of",
    "systems",
    "why",
    "with_recorded",
]
