"""What ops account for on the devices, beside what these can do → rates that no device reaches, and are not shown."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.devices.peaks import ABOVE, above_peaks
from ....messages import Param
from ...finding import Finding
from .facts import Facts


def impossible_rates(facts: Facts) -> Iterator[Finding]:
    """Of the steps: what follows from such rates is withdrawn."""
    if facts.case is None:
        return
    found = above_peaks([device for host in facts.hosts for device in host.used])
    for name, above in found.items():
        if above.rate < ABOVE.value * above.peak:
            continue
        kind = "flops" if name.startswith("flop") else "bytes"
        params: dict[str, Param] = {f"{kind}_per_s": above.rate, f"{kind}_peak": above.peak}
        yield Finding(code=f"rate_above_peak.{kind}", params=params, severity="note", tool="op_stats")
