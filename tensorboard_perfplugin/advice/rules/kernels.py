"""The merged kernels and copies → what they mean: sentences with their number, cause and action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ...analysis.kernels import KernelDevice, Merged, copy_key, copy_rate, kernel_key, size
from ...analysis.ops import called
from ...tables import Scalar, row_text
from ...timeline import INDEX, UNATTRIBUTED
from ...timeline.split import category_of_kernel
from ...units import duration, percent
from ..finding import Finding
from .kernel_actions import action_for

#: Below these shares of kernel time nothing is worth a sentence.
_WORTH = 0.05
_MUCH = 0.3
#: So many kernels say something about how a program launches.
_MANY = 100
_LOW_OCCUPANCY = 25.0
_SLOW_BUS, _FAST_BUS, _SMALL_BYTES = 0.3, 0.8, 64 << 10
_TRACE = "trace_viewer"


def kernel_findings(merged: Merged, facts: Mapping[str, Scalar]) -> tuple[Finding, ...]:
    found = [*_top(merged), *_nothing(merged)]
    if len(merged.kernels):
        found += [*_launches(merged, facts), *_tensor_cores(merged), *_occupancy(merged)]
    found += [*_copies(merged), *_graphs(merged, facts), *_clocks(facts)]
    return tuple(sorted(found, key=_leads))


def _leads(finding: Finding) -> float:
    """What can be changed and concerns much of the time comes first, most of it before less; the rest in its order."""
    share = finding.share or 0.0
    return -share if finding.severity == "warning" and share >= _MUCH else 0.0


def _top(merged: Merged) -> Iterator[Finding]:
    """The answer: the kernel by name that takes most, and how many make up most of the time."""
    if not merged.total_ps:
        return
    k = merged.kernels
    by_name: dict[str, float] = {}
    of_name = np.bincount(k.name, k.total_ps, len(k.names))
    for short, ps in zip(merged.shorts, of_name.tolist(), strict=True):
        by_name[short] = by_name.get(short, 0.0) + ps
    name, ps = max(by_name.items(), key=lambda item: item[1])
    totals = np.cumsum(np.sort(np.array(list(by_name.values())))[::-1])
    few = int(np.searchsorted(totals, 0.8 * merged.total_ps * (1 - 1e-9))) + 1
    share = min(ps / merged.total_ps, 1.0)
    rest = f"; {few} of {len(by_name):,} names make up 80 %" if few < len(by_name) else ""
    title = f"{name} takes {percent(share)} of GPU kernel time: {duration(ps)}{rest}"
    first = next(i for i in range(len(k)) if merged.shorts[int(k.name[i])] == name)
    op = k.ops[int(k.op[first])]
    told = "" if op.type == UNATTRIBUTED else f", most for the op {called(op)}"
    detail = f"{_count(merged, name):,} executions{told}."
    kernel, units = k.names[int(k.name[first])], _units(merged.devices[int(k.device[first])])
    action = action_for(kernel, bool(merged.uses[first] == 1), units)
    search = row_text("kernel_stats.names.total_us", short_name=name)
    yield Finding(title, share=share, detail=detail, action=action, tool=_TRACE, search=search, match="row")


def _units(device: KernelDevice) -> str:
    return "matrix cores" if device.is_amd else "tensor cores"


def _count(merged: Merged, short: str) -> int:
    k = merged.kernels
    mine = np.array([s == short for s in merged.shorts], bool)
    return int(k.occurrences[mine[k.name]].sum())


def _nothing(merged: Merged) -> Iterator[Finding]:
    for why in dict.fromkeys(p.nothing for p in merged.parts if p.nothing):
        title, _, detail = why.partition("; ")
        yield Finding(_begun(title), "note", detail=_begun(detail), tool="op_stats")


def _begun(words: str) -> str:
    return words[:1].upper() + words[1:]


def _launches(merged: Merged, facts: Mapping[str, Scalar]) -> Iterator[Finding]:
    """Short kernels, whose launches take as long as they do."""
    short, time, starved = (facts[key] for key in ("short_kernel_share", "short_kernel_time_share", "starved_share"))
    count = facts["kernel_count"]
    if not isinstance(short, float) or not isinstance(time, float) or not isinstance(count, int) or count < _MANY:
        return
    waits = isinstance(starved, float) and starved >= 0.5
    if short < 0.5:
        return
    title = f"{percent(short)} of {count:,} kernels run less than 10 µs, in {percent(time)} of kernel time"
    detail = "Launching a kernel takes the host some 5 µs: it can launch such kernels no faster than they run."
    if isinstance(starved, float):
        detail += f" For {percent(starved)} of the kernels the stream was idle when they were launched."
    yield Finding(
        title + (": the GPU waits for the host to launch" if waits else ""),
        "warning" if waits else "note",
        share=min(time, 1.0),
        detail=detail,
        action="Launch fewer, longer kernels: fuse ops (XLA: `jit_compile=True`, `jax.jit` around the whole step), "
        "replay the step as a CUDA graph, or use a larger batch.",
        tool=_TRACE,
    )


def _tensor_cores(merged: Merged) -> Iterator[Finding]:
    """Products that could run on tensor cores and are known not to."""
    k, missed = merged.kernels, merged.missed
    ps = float(k.total_ps[missed].sum())
    if not merged.total_ps or ps < _WORTH * merged.total_ps:
        return
    share, top = min(ps / merged.total_ps, 1.0), int(np.argmax(np.where(missed, k.total_ps, -1)))
    name = merged.shorts[int(k.name[top])]
    device = merged.devices[int(k.device[top])]
    units = _units(device)
    recent = device.capability is not None and device.capability >= (8, 0) and not device.is_amd
    allow = "allow TF32 for 32-bit floats (TensorFlow's default; `jax_default_matmul_precision`), or " if recent else ""
    yield Finding(
        f"Matrix products and convolutions take {duration(ps)} ({percent(share)} of kernel time) without {units}",
        "warning",
        share=share,
        detail=f"The longest is {name}, {duration(float(k.total_ps[top]))}.",
        action=f"Let them use {units}: {allow}compute in 16 bits (Keras: `mixed_float16` or `mixed_bfloat16`), with "
        "sizes that are multiples of 8.",
        tool=_TRACE,
        search=_row(merged, top),
        match="row",
    )


def _occupancy(merged: Merged) -> Iterator[Finding]:
    """Heavy kernels that fill the device badly; those for tensor cores are made to need few threads, and those that
    exchange data between devices few blocks.
    """
    k = merged.kernels
    heavy = np.flatnonzero(k.total_ps >= max(_WORTH * merged.total_ps, 1))[:20].tolist()
    for i in (i for i in heavy if category_of_kernel(k.names[int(k.name[i])]) != INDEX["collective"]):
        share, name = min(float(k.total_ps[i]) / merged.total_ps, 1.0), merged.shorts[int(k.name[i])]
        waves, occupancy = merged.waves(i), float(k.occupancy[i])
        launch, device = k.launches[int(k.launch[i])], merged.devices[int(k.device[i])]
        units = device.multiprocessors or 0
        search = _row(merged, i)
        if launch.grid is not None and size(launch.grid) < units:
            yield Finding(
                f"{name} ({percent(share)} of kernel time) leaves {units - size(launch.grid)} of "
                f"{units} multiprocessors idle: its grid has {size(launch.grid):,} blocks",
                "note",
                share=share,
                detail=f"{waves:.2g} waves." if waves is not None else "",
                action="Give it more work at once: a larger batch, or fused with its neighbours.",
                tool=_TRACE,
                search=search,
                match="row",
            )
        elif occupancy < _LOW_OCCUPANCY and merged.uses[i] != 1:
            yield Finding(
                f"{name} ({percent(share)} of kernel time) fills at most {occupancy:.0f} % of a multiprocessor",
                "note",
                share=share,
                detail=f"{_needs(launch.registers, launch.shared)} That is theory; what was achieved no capture tells.",
                action="Registers, shared memory or block size limit it: try another block size or algorithm.",
                tool=_TRACE,
                search=search,
                match="row",
            )


def _needs(registers: int | None, shared: int | None) -> str:
    told = [f"{registers} registers a thread"] if registers else []
    told += [f"{shared:,} bytes of shared memory a block"] if shared else []
    return f"It takes {' and '.join(told)}." if told else ""


def _copies(merged: Merged) -> Iterator[Finding]:
    c = merged.copies
    everything = merged.total_ps + float(c.total_ps.sum())
    if not everything:
        return
    exposed = float((c.total_ps - c.compute_ps).sum())
    for i in np.flatnonzero(c.total_ps >= max(_WORTH / 5 * everything, 1))[:5].tolist():
        yield from _copy(merged, i, everything)
    if exposed >= _WORTH * everything:
        share = min(exposed / everything, 1.0)
        yield Finding(
            f"Copies and fills take {duration(exposed)} without a kernel beside them: {percent(share)} of GPU work",
            "note",
            share=share,
            action="Copy while kernels run: prefetch input to the device, from pinned memory, on another stream.",
            tool=_TRACE,
        )


def _copy(merged: Merged, i: int, everything: float) -> Iterator[Finding]:
    c = merged.copies
    kind, ps, count = c.kinds[int(c.kind[i])], float(c.total_ps[i]), int(c.occurrences[i])
    rate, bus = copy_rate(merged, i)
    share = min(ps / everything, 1.0)
    slow = rate is not None and bus is not None and rate < _SLOW_BUS * bus
    pageable = "pageable" in (kind.source, kind.destination) and not (rate and bus and rate > _FAST_BUS * bus)
    if kind.kind not in ("H2D", "D2H") or not (pageable or slow) or rate is None:
        return
    average = float(c.size[i]) / max(int(c.sized[i]), 1)
    small = average < _SMALL_BYTES
    of = f" of the {bus:g} GB/s that PCIe carries" if bus else ""
    way = f"{kind.kind} copies {'from' if kind.kind == 'H2D' else 'to'} {'pageable' if pageable else 'host'} memory"
    cause = (
        f"{count:,} copies of {average:,.0f} bytes on average."
        if small
        else "Pageable memory is copied twice." * pageable
    )
    yield Finding(
        f"{way} take {duration(ps)} at {rate:.3g} GB/s{of}",
        "warning" if share >= _WORTH else "note",
        share=share,
        detail=cause,
        action="Copy more at once." if small else "Copy from pinned memory (`pin_memory=True`, `cudaHostRegister`).",
        tool=_TRACE,
        search=row_text("kernel_stats.copies.total_us", **copy_key(merged, i)),
        match="row",
    )


def _graphs(merged: Merged, facts: Mapping[str, Scalar]) -> Iterator[Finding]:
    alone = [row for p in merged.parts for row in p.graphs if row.level == "graph"]
    if not alone:
        return
    ps = sum(row.total_ps for row in alone)
    launches = sum(row.launches for row in alone)
    yield Finding(
        f"{launches:,} launches of {len(alone)} CUDA graph{'s' * (len(alone) > 1)}, {duration(ps)}, were traced whole",
        "note",
        detail="Their kernels are in no table here: shares are of the other kernels.",
        action="Profile with graphs traced node by node, where the profiler offers it.",
        tool=_TRACE,
        search=row_text("kernel_stats.graphs.total_us", **_graph(merged)),
        match="row",
    )


def _graph(merged: Merged) -> dict[str, Scalar]:
    """The key of the graph that takes most, of those of which only launches were traced."""
    alone = [(p.devices[row.device], row) for p in merged.parts for row in p.graphs if row.level == "graph"]
    device, row = max(alone, key=lambda pair: pair[1].total_ps)
    return {"host": device.host, "device": device.name, "graph": row.graph, "level": row.level}


def _row(merged: Merged, i: int) -> str:
    return row_text("kernel_stats.kernels.total_us", **kernel_key(merged, i))


def _clocks(facts: Mapping[str, Scalar]) -> Iterator[Finding]:
    misfits, count = facts["clock_misfit_count"], facts["latency_count"]
    if isinstance(misfits, int) and isinstance(count, int) and misfits > (misfits + count) / 100:
        yield Finding(
            f"{misfits:,} of {misfits + count:,} kernels begin before the call that launched them",
            "note",
            detail="The capture's clocks of host and device disagree; latency and queueing are of the other kernels.",
        )
