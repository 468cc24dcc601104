"""What ran on GPUs, by device, process, context and stream → planes and tracks of devices."""

from __future__ import annotations

import dataclasses
import enum
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ...tables import I64, PlaneKind, TrackKind
from ..common.places import Plane, Track, Value
from ..common.rows import distinct
from .few import Gathered
from .sheet import Sheet, Stat


class Row(enum.IntEnum):
    """What a track of a device holds."""

    STREAM = 0
    #: How long the host waited for the stream.
    WAITS = 1
    COUNTERS = 2


@dataclasses.dataclass
class OnDevice:
    """Some events: by each its device, process, context and stream (-1 where it has none), name, times, stats."""

    row: Row
    device: I64
    process: I64
    context: I64
    stream: I64
    name: I64
    start_ns: I64
    end_ns: I64
    stats: Sequence[Stat] = ()


class Devices(Gathered[OnDevice]):
    """Gathers what ran on devices, then adds planes and tracks to a sheet."""

    def lay(
        self,
        sheet: Sheet,
        facts: Callable[[int], Mapping[str, Value]],
        stream_name: Callable[[int, int, int], str] = lambda process, context, stream: "",
    ) -> None:
        """A plane a device, in their order. facts: attributes of a device's plane. stream_name: empty for none."""
        if not self.parts:
            return
        unique, place = distinct(*self._few(sheet))
        planes: dict[int, int] = {}
        ids = []
        several = _Several(unique)
        for device, kind, process, context, stream in unique.tolist():
            if device not in planes:
                stats = {"device_vendor": "Nvidia", **facts(device)}
                vendor = str(stats["device_vendor"])
                plane = Plane(f"/device:GPU:{device}", PlaneKind.GPU, max(device, -1), vendor, stats=stats)
                planes[device] = sheet.plane(plane)
            name = stream_name(process, context, stream) or f"Stream #{stream}"
            name += several.told(device, process, context, stream)
            ids.append(sheet.track(_track(planes[device], Row(kind), stream, name)))
        self._put(sheet, np.array(ids, np.int64)[place])

    def _where(self) -> list[I64]:
        """Device, row, process, context and stream of all events."""
        device, *others = self._all("device", "process", "context", "stream")
        # What does not say where it ran did so on the first device.
        known = device[device >= 0]
        device = np.where(device >= 0, device, known.min() if len(known) else 0)
        return [device, np.concatenate([np.full(len(part.name), part.row, np.int64) for part in self.parts]), *others]


def _track(plane: int, row: Row, stream: int, name: str) -> Track:
    if row == Row.COUNTERS:
        return Track(plane, -1, "counters", TrackKind.COUNTER, 1 << 40)
    waits = row == Row.WAITS
    name = f"{name} (waits)" if stream >= 0 else "Waits"
    name = name if waits else name.removesuffix(" (waits)")
    return Track(plane, stream, name, TrackKind.DERIVED if waits else TrackKind.STREAM, int(row))


class _Several:
    """What tells streams of one number apart: the process, where a device has several, and the context."""

    def __init__(self, unique: I64) -> None:
        streams = unique[unique[:, 1] == Row.STREAM]
        self._processes = Counter(np.unique(streams[:, [0, 2]], axis=0)[:, 0].tolist())
        self._contexts: dict[tuple[int, int, int], set[int]] = {}
        for device, _, process, context, stream in streams.tolist():
            self._contexts.setdefault((device, process, stream), set()).add(context)

    def told(self, device: int, process: int, context: int, stream: int) -> str:
        parts = [f"process {process}"] if self._processes[device] > 1 else []
        parts += [f"context {context}"] if len(self._contexts.get((device, process, stream), ())) > 1 else []
        return f" ({', '.join(parts)})" if parts else ""
