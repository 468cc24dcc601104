"""Segments and blocks of a memory snapshot → tables; and what each device has in use and reserved at the end."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import tables
from ...tables import I64, BlockState
from ..common.places import Pool
from . import words
from .machine import Machine

#: Of all sizes, so that sums fit 64 bits.
_MOST = 1 << 60
_DEVICES = 10_000
_SEGMENT = {name: i for i, name in enumerate(words.SEGMENTS)}
_BLOCK = {name: i for i, name in enumerate(words.BLOCKS)}


class Division:
    """segment: of each block its segment; blocks that lie in none are left out, as are segments without a list.

    stack: of each block. device: of each segment.
    """

    def __init__(self, machine: Machine, columns: dict[str, Any]) -> None:
        given, blocks = columns["segments"], columns["blocks"]
        order = np.lexsort((given[:, _SEGMENT["address"]], given[:, _SEGMENT["device"]]))
        self.given = given[order]
        lists = self.given[:, _SEGMENT["blocks"]]
        by_list = np.argsort(lists, kind="stable")
        owner = blocks[:, _BLOCK["owner"]]
        place = np.searchsorted(lists[by_list], owner)
        segment = by_list[np.minimum(place, max(len(lists) - 1, 0))] if len(lists) else np.zeros(len(owner), np.int64)
        known = (owner >= 0) & (lists[segment] == owner if len(lists) else np.zeros(len(owner), bool))
        kept = np.flatnonzero(known)
        kept = kept[np.argsort(segment[kept], kind="stable")]
        self.lost = len(blocks) - len(kept)
        self.blocks, self.segment = blocks[kept], segment[kept]
        self.device = np.clip(self.given[:, _SEGMENT["device"]], 0, _DEVICES)
        self.stack = self.blocks[:, _BLOCK["stack"]]
        most = _MOST // max(len(self.blocks) + len(self.given), 1)
        self.size = np.clip(self.blocks[:, _BLOCK["size"]], 0, most)
        asked = self.blocks[:, _BLOCK["requested_size"]]
        self.state = self._states(machine)
        self.requested = np.where(
            self.state == BlockState.FREE, 0, np.clip(np.where(asked < 0, self.size, asked), 0, most)
        )
        self.total = np.clip(self.given[:, _SEGMENT["total_size"]], 0, most)

    def _states(self, machine: Machine) -> I64:
        """By how the texts begin: `active_pending_free` was `active_awaiting_free` once."""
        code = self.blocks[:, _BLOCK["state"]]
        used, at = np.unique(code, return_inverse=True)
        names = [machine.texts[i] for i in used.tolist()]
        states: list[int] = [
            BlockState.IN_USE
            if name in (b"active_allocated", b"active")
            else BlockState.WAITS
            if name.startswith(b"active")
            else BlockState.FREE
            for name in names
        ]
        return np.array(states or [0], np.int64)[at.reshape(-1)]

    def ends(self, devices: int) -> I64:
        """Of each device bytes in use and reserved when the file was written; -1 without segments."""
        found = np.full((devices, 2), -1, np.int64)
        has = np.unique(self.device[self.device < devices])
        found[has] = 0
        of_block = self.device[self.segment]
        np.add.at(found[:, 0], of_block, self.requested)
        np.add.at(found[:, 1], self.device, self.total)
        return found

    def tables(self, machine: Machine, pool: Pool, kind: I64) -> tuple[tables.Segments, tables.Blocks]:
        """kind: of each block."""
        count = np.bincount(self.segment, minlength=len(self.given))
        end = np.cumsum(count)
        column = {name: self.given[:, i] for name, i in _SEGMENT.items()}
        pools = [pool.add("" if pair == (0, 0) else f"{pair[0]}, {pair[1]}") for pair in machine.pairs]
        segments = {
            "device": self.device,
            "address": column["address"],
            "size": self.total,
            "stream": column["stream"],
            "pool": np.array(pools, np.int64)[column["pool"]],
            "is_large": column["segment_type"] == machine.text_id(b"large"),
            "is_expandable": column["is_expandable"] == 1,
            "blocks_begin": end - count,
            "blocks_end": end,
        }
        blocks = {
            "address": self._addresses(end - count),
            "size": self.size,
            "requested": self.requested,
            "state": self.state,
            "kind": kind,
        }
        return tables.Segments.from_columns(segments), tables.Blocks.from_columns(blocks)

    def _addresses(self, begin: I64) -> I64:
        """Where they are not given: one after the other from the segment's."""
        given = self.blocks[:, _BLOCK["address"]]
        before = np.cumsum(self.size) - self.size
        first = before[np.minimum(begin, max(len(before) - 1, 0))] if len(before) else begin
        own: I64 = (
            self.given[:, _SEGMENT["address"]][self.segment] + before - first[self.segment] if len(given) else given
        )
        return np.where(given >= 0, given, own)
