"""Names and first bytes of PyTorch's memory snapshots."""

from __future__ import annotations

import re

#: A key of a snapshot, soon after the begin of its pickle or JSON; segments of many blocks come before all else.
_KEY = re.compile(rb"(?:segments|device_traces|allocator_settings|total_size|segment_type|active_size)")
_PICKLE = re.compile(rb"\x80[\x00-\x05](?:\x95.{8})?[\]}(]", re.DOTALL)
_JSON = re.compile(rb'\s*\{\s*"(?:segments|device_traces)"\s*:\s*\[')
_HTML = re.compile(rb'"base64"\s*:\s*"')


def memory_snapshot(name: str, head: bytes) -> bool:
    """Whether a file that begins so holds one. Of pickles those called so are none's but torch's here."""
    if _PICKLE.match(head):
        return name.endswith((".pickle", ".pkl")) or bool(_KEY.search(head))
    if _JSON.match(head):
        return True
    return b"MemoryViz.js" in head[:4096] and bool(_HTML.search(head[:4096]))
