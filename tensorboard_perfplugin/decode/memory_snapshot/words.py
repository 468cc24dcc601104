"""Names of what a memory snapshot of PyTorch holds, and numbers that stand for them while it is read.

Fields are those of `torch.cuda.memory._snapshot` (torch/csrc/cuda/memory_snapshot.cpp and Module.cpp) since PyTorch
1.13; those of XPU, MTIA and Ascend's NPUs have the same.
"""

from __future__ import annotations

#: Keys of dictionaries whose values are kept; a key's number is its place. The first is the empty text.
KEYS = (
    "",
    "action",
    "addr",
    "size",
    "stream",
    "time_us",
    "frames",
    "device_free",
    "compile_context",
    "user_metadata",
    "pool_id",
    "category",
    "filename",
    "line",
    "name",
    "address",
    "requested_size",
    "state",
    "history",
    "real_size",
    "device",
    "total_size",
    "allocated_size",
    "active_size",
    "segment_type",
    "segment_pool_id",
    "is_expandable",
    "blocks",
    "fx_node_name",
)
#: Columns of `Machine.wide`, `.narrow`, `.blocks` and `.segments`, a row an entry, a block, a segment.
WIDE = ("addr", "size", "time_us", "stream")
NARROW = ("action", "stack", "compile_context", "user_metadata", "pool", "category", "owner")
BLOCKS = ("address", "size", "requested_size", "state", "stack", "owner")
SEGMENTS = (
    "device",
    "address",
    "total_size",
    "stream",
    "segment_type",
    "allocated_size",
    "active_size",
    "requested_size",
    "pool",
    "is_expandable",
    "stack",
    "blocks",
    "owner",
)
#: What a value is, in its lowest four bits; the rest is a number, or the place of what it stands for.
NONE, BOOL, INT, PYTHON, TEXT, OBJECT = range(6)
#: What an object has turned out to be.
NEW_LIST, NEW_DICT, ANY_LIST, ANY_DICT, FRAME, STACK, ENTRY, ENTRIES, BLOCK, BLOCK_LIST, SEGMENT, SEGMENT_LIST, PAIR = (
    range(13)
)
HISTORY, HISTORIES = 13, 14
#: Why reading stopped.
RUNS, DONE, CUT, REFUSED, DAMAGED, TOO_MUCH = range(6)
#: What a number is where the file does not give it.
UNKNOWN = -1
