"""The merged kernels and copies → what distinguishes one row from the others, and the rate of a copy."""

from __future__ import annotations

from ...tables import Scalar
from ...timeline import UNATTRIBUTED
from .configuration import Dimensions
from .copies import bus_gb_s
from .merged import Merged
from .rows import UNKNOWN

FLAGS = {UNKNOWN: None, 0: False, 1: True}


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def place_of(merged: Merged, device: int) -> tuple[str | None, str | None]:
    about = merged.devices[device]
    return (about.host if merged.by != "kernel" else None, about.name if merged.by == "device" else None)


def kernel_key(merged: Merged, i: int) -> dict[str, Scalar]:
    """What distinguishes a row of `kernels` from the others, as the table declares it."""
    k = merged.kernels
    op, launch = k.ops[int(k.op[i])], k.launches[int(k.launch[i])]
    host, device = place_of(merged, int(k.device[i]))
    known = op.type != UNATTRIBUTED
    return {
        "name": merged.names[int(k.name[i])],
        "host": host,
        "device": device,
        "op_name": op.name if known else None,
        "op_type": op.type if known else None,
        "module": op.module if known else None,
        "registers": launch.registers,
        "static_shared_bytes": launch.static_shared,
        "dynamic_shared_bytes": launch.dynamic_shared,
        "shared_bytes": launch.shared,
        "grid": joined(launch.grid),
        "block": joined(launch.block),
        "in_graph": FLAGS[int(k.in_graph[i])],
    }


def copy_key(merged: Merged, i: int) -> dict[str, Scalar]:
    """What distinguishes a row of `copies` from the others."""
    c = merged.copies
    kind, (host, device) = c.kinds[int(c.kind[i])], place_of(merged, int(c.device[i]))
    return {
        "kind": kind.kind,
        "host": host,
        "device": device,
        "source": kind.source,
        "destination": kind.destination,
        "async": kind.is_async,
        "to_device": kind.to_device,
    }


def joined(shape: Dimensions | None) -> str | None:
    return None if shape is None else ",".join(map(str, shape))


def copy_rate(merged: Merged, i: int) -> tuple[float | None, float | None]:
    """Achieved GB/s of a row of copies, and what its way carries."""
    c = merged.copies
    device = merged.devices[int(c.device[i])]
    rate = ratio(float(c.size[i]) * 1e3, float(c.sized_ps[i]))
    return rate, bus_gb_s(c.kinds[int(c.kind[i])].kind, device.attributes, device.bandwidth_gb_s)
