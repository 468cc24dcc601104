"""Steps → how the wall time of each divides among categories, per device."""

from ._categories import CATEGORIES, INDEX, Category
from ._model import Split, Unit
from ._split import split

__all__ = ["CATEGORIES", "INDEX", "Category", "Split", "Unit", "split"]
