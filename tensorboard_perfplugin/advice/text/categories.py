"""What the categories of a step's time are called: as titles with their definitions, and within sentences.

`category.KEY`: the title, of which the detail is the definition; `time_in.KEY`: the same within a sentence.
"""

from ...timeline import CATEGORIES
from .entry import Text, Variant

#: Threads of any program are not Python's, and of most of its slices nothing shows what kind of work they are.
_ANY = {
    "python": Variant("Without a slice", "No slice but the step's own runs on its threads."),
    "runtime": Variant("In slices", "A slice runs whose kind of work is unknown."),
}
_ANY_TIME = {"python": Variant("time without a slice"), "runtime": Variant("time in slices")}


def _within(title: str) -> str:
    return title if title == "Python" else title[:1].lower() + title[1:]


CATEGORY_TITLES = {
    f"category.{c.key}": Text(c.title, c.help, variants={"any": _ANY[c.key]} if c.key in _ANY else {})
    for c in CATEGORIES
} | {
    f"time_in.{c.key}": Text(_within(c.title), variants={"any": _ANY_TIME[c.key]} if c.key in _ANY_TIME else {})
    for c in CATEGORIES
}
