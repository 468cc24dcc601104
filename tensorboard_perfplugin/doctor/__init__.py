"""Takes a path, reports why nothing shows there; takes this machine, says whether devices will be recorded on it.

Each says what was found, the likely cause, what helps.
"""

from .machine import Machine, MachineCheck, check_machine
from .questions import diagnose
from .survey import Diagnosis

__all__ = ["Diagnosis", "Machine", "MachineCheck", "check_machine", "diagnose"]
