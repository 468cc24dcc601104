"""What data sheets say of devices: one declared table, which all that derives or advises asks."""

from .find import (
    CHIPS,
    GENERATIONS,
    chip,
    chips_of,
    generation,
    generation_by_code,
    link,
    not_after,
)
from .model import NO_RATES, Chip, Generation, Rates

__all__ = [
    "CHIPS",
    "GENERATIONS",
    "NO_RATES",
    "Chip",
    "Generation",
    "Rates",
    "chip",
    "chips_of",
    "generation",
    "generation_by_code",
    "link",
    "not_after",
]
