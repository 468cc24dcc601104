"""Names of calls of CUDA's, ROCm's and Ascend's drivers: those that return when a device is done, and for memory."""

from __future__ import annotations

import re

#: Copies between host and device without `Async`, `hipMemcpyWithStream` too. Those on a device or between devices need
#: not last until they are done.
BLOCKING_COPY = r"(?:cu|cuda|hip)Memcpy(?!\w*(?:Async|DtoD|Peer))\w*"
SYNCHRONIZES = rf"(?:cu|cuda|hip|AscendCL@aclrt)\w*Synchronize\w*|{BLOCKING_COPY}"
#: For memory.
ALLOCATES = re.compile(r"(?:cuda|hip)(?:Host)?(?:Malloc|Free|Alloc)\w*|(?:cu|hip)Mem(?:Alloc|Free|Create|Map|Unmap)\w*")
