"""Traces that PyTorch wrote itself (`export_chrome_trace("x.pftrace")`), whose events have no categories → these.

Its args are those of its traces of JSON, and say what an event is. What the program marked and what PyTorch's
operators are is told apart by the name: operators are called as functions of C++ or Python are.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...tables import I64
from .blocks import Block
from .tracks import Tracks

_GPU = re.compile(r"GPU \d{1,6}")
_STAGES = {
    "Kernel": "kernel",
    "Memcpy": "gpu_memcpy",
    "Memset": "gpu_memset",
    "Annotation": "gpu_user_annotation",
}
_OF_OPERATORS = ("Sequence number", "Fwd thread id", "Input Dims", "Concrete Inputs", "Input type")
_OF_PYTORCH = ("External id", "Record function id", "cbid", "Python id", "cuda_sync_kind")
_STREAM = re.compile(r"stream -?\d{1,18} *")
#: `aten::mm`, `autograd::engine::evaluate_function: MmBackward0`, `MmBackward0`, `_grad_sum_to_size`, `<forward op>`.
_OPERATOR = re.compile(r"\w+::\w.*|\w+Backward\d*|_\w+|<\w+ op>", re.DOTALL)
_PLAIN = re.compile(r"\w+")
_NAME = 200


def is_pytorch(block: Block, texts: dict[str, int]) -> bool:
    """Whether PyTorch wrote the track events, without categories."""
    keys = [texts[key] for key in _OF_PYTORCH if key in texts]
    return bool(keys) and not block.category.any() and bool(np.isin(block.keys, keys).any())


def with_categories(block: Block, tracks: Tracks, texts: dict[str, int]) -> None:
    """Gives each track event its category, in place."""
    having = _Having(block, texts)
    names = list(texts)
    used, which = np.unique(block.name, return_inverse=True)
    which = which.reshape(-1)
    heads = [names[i][:_NAME] for i in used.tolist()]

    def named(matches: list[bool]) -> NDArray[np.bool_]:
        return np.array(matches, bool)[which]

    on_gpu = np.array([_is_gpu(tracks, place) for place in range(len(tracks.rows))], bool)[block.row]
    external = having("External id") | having("Record function id")
    is_operator = named([bool(_OPERATOR.fullmatch(head)) for head in heads])
    is_plain = named([bool(_PLAIN.fullmatch(head)) for head in heads])
    described = np.zeros(len(block), bool)
    for key in _OF_OPERATORS:
        described |= having(key)
    overhead = np.array([_process(tracks, place) == "Overhead" for place in range(len(tracks.rows))], bool)[block.row]
    rules = (
        (having("cuda_sync_kind"), "cuda_sync"),
        (having("cbid") & named([head.startswith("cuda") for head in heads]), "cuda_runtime"),
        (having("cbid") & named([head.startswith("hip") for head in heads]), "hip_runtime"),
        (having("cbid"), "cuda_driver"),
        (having("stream") & named([head.startswith("Memcpy") for head in heads]), "gpu_memcpy"),
        (having("stream") & named([head.startswith("Memset") for head in heads]), "gpu_memset"),
        (having("stream") & (having("grid") | having("device")), "kernel"),
        (on_gpu & having("External id"), "gpu_user_annotation"),
        (having("Python id") | having("Python parent id"), "python_function"),
        (external & (is_operator | (is_plain & described)), "cpu_op"),
        (external, "user_annotation"),
        (overhead, "overhead"),
    )
    for mask, category in reversed(rules):
        block.category[mask & (block.phase == ord("X"))] = texts.setdefault(category, len(texts))


def stage_categories(block: Block, texts: dict[str, int]) -> bool:
    """Categories of what ran on GPUs, in place, where PyTorch wrote it; whether it did."""
    if not _Having(block, texts)("stream").any() or not _Having(block, texts)("correlation").any():
        return False
    for stage, category in _STAGES.items():
        if stage in texts:
            block.category[block.category == texts[stage]] = texts.setdefault(category, len(texts))
    return True


def _is_gpu(tracks: Tracks, place: int) -> bool:
    of_gpu = _GPU.fullmatch(_process(tracks, place)[:_NAME])
    return bool(of_gpu or _STREAM.fullmatch(tracks.rows[place].name[:_NAME]))


def _process(tracks: Tracks, place: int) -> str:
    process = tracks.rows[place].process
    return tracks.processes[process].name if process >= 0 else ""


class _Having:
    """Which events have an arg."""

    def __init__(self, block: Block, texts: dict[str, int]) -> None:
        self.block, self.texts = block, texts
        self.ends: I64 = np.cumsum(block.stats)

    def __call__(self, key: str) -> NDArray[np.bool_]:
        found = np.zeros(len(self.block), bool)
        at = np.flatnonzero(self.block.keys == self.texts.get(key, -1))
        found[np.searchsorted(self.ends, at, "right")] = True
        return found
