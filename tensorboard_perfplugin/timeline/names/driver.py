"""Names of calls of CUDA's, ROCm's and Ascend's drivers and runtimes that return when a device is done."""

from __future__ import annotations

#: Copies between host and device without `Async`, `hipMemcpyWithStream` too. Those on a device or between devices need
#: not last until they are done.
BLOCKING_COPY = r"(?:cu|cuda|hip)Memcpy(?!\w*(?:Async|DtoD|Peer))\w*"
SYNCHRONIZES = rf"(?:cu|cuda|hip|AscendCL@aclrt)\w*Synchronize\w*|{BLOCKING_COPY}"
