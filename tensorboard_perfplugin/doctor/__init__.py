"""Takes a path as a person gives it, says why nothing shows there: what was found, the likely cause, what helps."""

from ._diagnose import diagnose
from ._diagnosis import Diagnosis

__all__ = ["Diagnosis", "diagnose"]
