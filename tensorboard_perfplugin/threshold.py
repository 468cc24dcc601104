"""A number that decides something, with its unit, its reason and where it comes from; and the list of all.

    WORTH = Threshold("worth", 0.05, "share", "below it a cause is noise between captures", "five captures")
    …
    if share >= WORTH.value:

The number is read by name, `.value`. A subclass of float would be shorter to use, but msgspec refuses to write one,
numpy widens float32 columns by it, and a slice takes none. Where `.value` is forgotten, the type checker says so.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Generic, NamedTuple, TypeVar

Number = TypeVar("Number", int, float)


@dataclasses.dataclass(frozen=True)
class Threshold(Generic[Number]):
    """Declared as a constant of the module that decides by it.

    `unit` is `share` (0 to 1), `times`, `ps`, `bytes`, or what is counted; `why` says what the number
    separates, `source` where it comes from: a measurement, a document, a convention; most were chosen so that the
    findings of real captures are right."""

    name: str
    value: Number
    unit: str
    why: str
    source: str = "chosen on the captures of tests/samples and public ones"
    #: The module that declares it.
    module: str = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # As namedtuple does: the caller of the generated __init__ is the declaring module.
        object.__setattr__(self, "module", sys._getframe(2).f_globals.get("__name__", ""))


class Declared(NamedTuple):
    module: str
    constant: str
    threshold: Threshold[int] | Threshold[float]


def declared(package: ModuleType) -> list[Declared]:
    """Every threshold of a package, by module and then in the order declared. Imports all of its modules."""
    return [
        Declared(module.__name__, constant, value)
        for module in sorted(_modules(package), key=lambda module: module.__name__)
        for constant, value in vars(module).items()
        if isinstance(value, Threshold) and value.module == module.__name__
    ]


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not found.name.endswith(".__main__"):
            yield importlib.import_module(found.name)
