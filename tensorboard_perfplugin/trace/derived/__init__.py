"""Derived lines of devices as tracks of the trace: beside those of the capture, and numbered beyond them."""

from .event import derived_details, derived_related
from .model import Derived, derived_of, tracks_max

__all__ = ["Derived", "derived_details", "derived_of", "derived_related", "tracks_max"]
