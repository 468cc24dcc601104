"""Names of NVTX ranges → PyTorch's operators, where `torch.autograd.profiler.emit_nvtx()` wrote them, and what apex's
`pyprof` noted of calls.

`aten::addmm, seq = 12, op_id = 7, sizes = [[4], [2, 3], [3, 4]], input_op_ids = [...]` is a call of `aten::addmm` with
these inputs; autograd's node of a call has its sequence number. Older ones: `addmm, seq = 12`. pyprof's are dicts in
Python's notation: `{'traceMarker': ['train.py:12', …]}` of the call stack, `{'mod': 'torch', 'op': 'linear', …}` of a
function of Python. They are not evaluated.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...tables import I64, StatKind
from .database import NONE, Texts
from .sheet import Mask, Stat

OPERATOR, ANNOTATION, FRAME = "cpu_op", "user_annotation", "Call stack"
#: Of a name so much is looked at: the sizes of inputs of many tensors have some thousand letters.
_HEAD = 8000
_PART = re.compile(r", (?:seq|op_id|sizes|input_op_ids) = ")
_NUMBERS = re.compile(r"(?:, seq = (\d{1,18}))?(?:, op_id = (\d{1,18}))?")
#: What emit_nvtx writes of an operator without a number.
_BARE = re.compile(r"(?:aten|c10d|torch::autograd|autograd)::\S[^{}]{0,300}")
_STACK = re.compile(r"\{'traceMarker': \[([^\]]*)\]")
_CALL = re.compile(r"\{'mod': '([^']{0,200})', 'op': '([^']{1,200})'")


class _Read(NamedTuple):
    """name and stack: texts. dims: of the inputs. sequence: autograd's number, -1 where there is none."""

    name: str
    is_operator: bool = False
    sequence: int = NONE
    dims: str = ""
    stack: str = ""


class Ranges(NamedTuple):
    """By range the id of its name, and stats. is_torch: whether PyTorch wrote operators among them."""

    name: I64
    stats: list[Stat]
    is_torch: bool


def read_names(texts: Texts, ids: I64) -> Ranges:
    """What names of ranges say; ids: of the names, NONE without one."""
    unique, which = np.unique(ids, return_inverse=True)
    which = which.reshape(-1)
    read = [_read(texts[i][:_HEAD]) for i in unique.tolist()]
    is_torch = any(each.is_operator for each in read)
    if not is_torch and not any(each.stack for each in read):
        return Ranges(ids, [], False)
    name = np.array([texts.add(each.name) for each in read], np.int64)[which]
    category = np.array([texts.add(OPERATOR if each.is_operator else ANNOTATION) for each in read], np.int64)[which]
    sequence = np.array([each.sequence for each in read], np.int64)[which]
    dims, stack = (
        np.array([texts.add(text) if text else NONE for text in column], np.int64)[which]
        for column in ([each.dims for each in read], [each.stack for each in read])
    )
    stats = [
        Stat("category", category, None if is_torch else np.zeros(len(ids), bool), StatKind.TEXT),
        Stat("Sequence number", sequence, sequence >= 0),
        Stat("Input Dims", dims, dims >= 0, StatKind.TEXT),
        Stat(FRAME, stack, stack >= 0, StatKind.TEXT),
    ]
    return Ranges(name, stats, is_torch)


def _read(text: str) -> _Read:
    if text.startswith("{'"):
        return _marker(text)
    part = _PART.search(text)
    if part is None or not part.start():
        return _Read(text, is_operator=bool(_BARE.fullmatch(text)))
    at = part.start()
    numbers = _NUMBERS.match(text, at)
    if numbers is None or numbers.end() == at:
        return _Read(text)
    _, _, rest = text[numbers.end() :].partition(", sizes = ")
    dims = rest.partition(", input_op_ids")[0]
    return _Read(text[:at], True, int(numbers[1]) if numbers[1] else NONE, dims)


def _marker(text: str) -> _Read:
    """pyprof's: the innermost frame of a stack, or the function of Python that is called."""
    if stack := _STACK.match(text):
        frames = re.findall(r"'([^']*)'", stack[1])
        return _Read(frames[-1] if frames else "traceMarker", stack=";\n".join(reversed(frames)))
    if call := _CALL.match(text):
        return _Read(f"{call[1]}.{call[2]}")
    return _Read(text)


def of_calls(texts: Texts, is_driver: Mask, is_torch: bool) -> list[Stat]:
    """The category of calls of CUDA's, as PyTorch's profiler has it; none of other programs."""
    if not is_torch:
        return []
    driver, runtime = texts.add("cuda_driver"), texts.add("cuda_runtime")
    return [Stat("category", np.where(is_driver, driver, runtime), None, StatKind.TEXT)]
