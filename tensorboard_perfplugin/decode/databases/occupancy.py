"""How a kernel was launched, and what a multiprocessor holds → theoretical occupancy, as CUDA's documents compute it.

Of a multiprocessor's warps those that fit at once: by threads, blocks, registers and shared memory. Registers are given
to warps 256 at a time and on four schedulers; shared memory by 128 bytes from compute capability 7.0 on (by 256
before), and from 8.0 on the system takes 1 KiB a block.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ...tables import I64
from ..common.rows import distinct
from .words import LAUNCH

_WARP, _SCHEDULERS, _REGISTER_UNIT = 32, 4, 256
_MOST = 1 << 40


def occupancies(limits: Callable[[int], tuple[int, ...]], device: I64, columns: Mapping[str, I64]) -> I64:
    """By kernel in millionths, 0 where it is unknown. limits: of a device."""
    given = [columns[name] for name in LAUNCH]
    if not len(device):
        return device
    unique, which = distinct(device, *given)
    found = np.zeros(len(unique), np.int64)
    for number in np.unique(unique[:, 0]).tolist():
        mine = unique[:, 0] == number
        found[mine] = _occupancy(limits(number), np.clip(unique[mine, 1:], -1, _MOST))
    return found[which]


def _occupancy(limits: tuple[int, ...], launches: I64) -> I64:
    warps_held, blocks_held, registers_held, shared_held, capability = limits
    registers, static, dynamic = launches[:, 0], launches[:, 1], launches[:, 2]
    block = launches[:, 6:9].astype(float).prod(axis=1)
    if min(warps_held, blocks_held, registers_held, shared_held) <= 0 or capability < 30:
        return np.zeros(len(launches), np.int64)
    warps = np.ceil(np.clip(block, 0, 4096) / _WARP).astype(np.int64)
    per_warp = -(-np.clip(registers, 1, 1024) * _WARP // _REGISTER_UNIT) * _REGISTER_UNIT
    by_registers = registers_held // per_warp // _SCHEDULERS * _SCHEDULERS // np.maximum(warps, 1)
    unit, reserved = (128 if capability >= 70 else 256), (1024 if capability >= 80 else 0)
    shared = -(-(np.maximum(static, 0) + np.maximum(dynamic, 0) + reserved) // unit) * unit
    by_shared = np.where(shared > 0, shared_held // np.maximum(shared, 1), blocks_held)
    by_warps = warps_held // np.maximum(warps, 1)
    blocks = np.minimum(np.minimum(by_registers, by_shared), np.minimum(by_warps, blocks_held))
    known = (warps > 0) & (registers > 0) & (static >= 0) & (dynamic >= 0) & (blocks > 0)
    share = np.minimum(blocks * warps / warps_held, 1.0)
    return np.where(known, np.round(share * 1e6), 0).astype(np.int64)
