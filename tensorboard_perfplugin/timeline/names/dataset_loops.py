"""Names of iterators of a loop over a dataset in a tf.function, or of its `reduce` → what they are to the program.

TensorFlow writes `for x in dataset` as a stage of a pipeline, `ReduceIterator::Root::Prefetch::Scan`, that runs the
body of the loop for each element of the stage before it; with `break` there is a `TakeWhile` around that.
`dataset.reduce` calls its function itself: `ReduceIterator::Root::Prefetch`.
"""

from __future__ import annotations

import re

#: What lies around the stage that runs the body, that stage, and the one that it asks for an element.
OUTSIDE_BODY = re.compile(r"ReduceIterator(?:::Root)?(?:::Prefetch)?(?:::TakeWhile)?")
BODY = re.compile(rf"{OUTSIDE_BODY.pattern}::Scan(?:\[\d+\])?")
FEEDS_BODY = re.compile(rf"{BODY.pattern}::\w+(?:\[\d+\])?")
_LOOP = "ReduceIterator::"
_BEFORE_BODY = re.compile(rf"{BODY.pattern}::(.*)", re.DOTALL)


def has_body(names: list[str]) -> bool:
    """Whether one of these runs the body of such a loop."""
    return any(name.startswith(_LOOP) and BODY.fullmatch(name) for name in names)


def iterator_name(name: str, body: bool) -> str:
    """The name that an iterator has where a program asks for its elements; empty for what is part of the loop.

    body: whether a stage of the loop runs its body.

    >>> iterator_name("ReduceIterator::Root::Prefetch::Scan::MapAndBatch::Range", True)
    'Iterator::MapAndBatch::Range'
    >>> iterator_name("ReduceIterator::Root::Prefetch", True)
    ''
    >>> iterator_name("ReduceIterator::Root::Prefetch", False)
    'Iterator::Root::Prefetch'
    """
    if not name.startswith(_LOOP):
        return name
    if not body:
        return name[len("Reduce") :]
    before = _BEFORE_BODY.fullmatch(name)
    return f"Iterator::{before[1]}" if before else ""
