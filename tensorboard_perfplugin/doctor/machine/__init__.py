"""Takes this machine, reports whether a program that trains here will record its devices, and what helps where not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import frameworks, nvidia, others
from .look import Machine, MachineCheck

__all__ = ["Machine", "MachineCheck", "check_machine"]

#: What is asked, in this order: each gives the lines that apply here.
QUESTIONS: tuple[Callable[[Machine], Sequence[MachineCheck]], ...] = (
    frameworks.frameworks,
    nvidia.gpus,
    frameworks.builds,
    nvidia.cupti,
    nvidia.driver,
    nvidia.permission,
    others.amd,
    others.tpu,
    others.nothing,
    others.profilers,
    others.environment,
)


def check_machine(machine: Machine | None = None) -> list[MachineCheck]:
    """What keeps device tracing from working, and what was found in order. Starts nothing but nvidia-smi and ldconfig.

    machine: where to look; this one, in this process's environment, without.
    """
    looked_at = machine or Machine()
    return [line for question in QUESTIONS for line in question(looked_at)]
