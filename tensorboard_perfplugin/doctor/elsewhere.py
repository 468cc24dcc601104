"""Takes files that are no captures, names the viewers of those that `profile` writes for others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..messages import Param
from .diagnosis import Diagnosis, quoted

#: The beginning of a marshalled dict whose first key is a tuple of three, as cProfile dumps it.
_PSTATS = re.compile(rb"[\x7b\xfb][\x29\xa9]\x03|[\x7b\xfb][\x28\xa8]\x03\0\0\0")


def opened_elsewhere(code: str, root: str, paths: Sequence[str], params: Mapping[str, Param]) -> Diagnosis | None:
    """The diagnosis of that code where every one of the files is a profile of cProfile; None otherwise."""
    if not paths or not all(map(_is_pstats, paths)):
        return None
    return Diagnosis(code, root, {**params, "file": quoted(min(paths))})


def _is_pstats(path: str) -> bool:
    if not path.endswith(".prof"):
        return False
    try:
        with open(path, "rb") as file:
            return bool(_PSTATS.match(file.read(8)))
    except OSError:
        return False
