"""Rules on GPU kernels, copies and CUDA graphs: which take the time, and what makes them cheaper."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

from ...analysis.devices.peaks import latest_generation
from ...analysis.kernels.families import (
    REMATERIALIZED,
    attention_of_ops,
    in_doubles,
    layout_conversions,
    rematerialized_ps,
    unaligned,
)
from ...analysis.kernels.host import SHORT_KERNEL, KernelDevice
from ...analysis.kernels.merged import (
    Copy,
    Kernel,
    Merged,
    copy_key,
    exposed_copy_ps,
    gpu_ps,
    heaviest,
    kernel_key,
    kernel_totals,
    largest_copies,
    largest_name,
    missed_tensor_cores,
    uses_graphs,
    whole_graphs,
)
from ...analysis.model import OptimizerSteps
from ...analysis.ops.sides import OpsOfKernels
from ...messages import Message, Param, Params
from ...tables import row_text
from ...threshold import Threshold
from ...timeline.names.ops import UNATTRIBUTED, Op
from ...timeline.split.device import category_of_kernel
from ...timeline.timeline import INDEX
from ..finding import KERNELS, PLACES, Finding, by_severity
from .ops import Around, op_params, remedy, tensor_units

# Products on tensor cores whose sizes are no multiples of what fits 16 bytes → a finding.

ALIGNMENT_WORTH = Threshold(
    "products of odd sizes",
    0.05,
    "share",
    "of the kernel time; padded sizes make up for part of it, and less is lost in the differences between captures",
)
ALIGNMENT_MUCH = Threshold("many products of odd sizes", 0.2, "share", "of the kernel time; less is a note")
#: Sizes that are named.
_SIZES = 3


def odd_sizes(merged: Merged) -> Iterator[Finding]:
    found = unaligned(merged)
    if found is None or found.share < ALIGNMENT_WORTH.value:
        return
    longest, call = found.longest, found.call
    params: dict[str, Param] = {
        "total_ps": found.total_ps,
        "share": found.share,
        "multiple": found.multiple,
        "kernel": longest.short,
        "kernel_ps": longest.total_ps,
    }
    if call is not None:
        odd = call.odd[:_SIZES]
        padded = -(-odd[0] // found.multiple) * found.multiple
        params |= {"op": call.op, "shapes": call.shapes, "odd": ", ".join(map(str, odd)), "size": odd[0]}
        params |= {"padded": padded}
    yield Finding(
        code="odd_sizes",
        params=params,
        severity="warning" if found.share >= ALIGNMENT_MUCH.value else "note",
        share=found.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, longest.row)),
        match="row",
    )


# Attention that runs as products around a softmax → a finding.

ATTENTION_WORTH = Threshold(
    "attention that is not fused",
    0.05,
    "share",
    "of the kernel time; a fused kernel takes a part of it, and less is lost in the differences between captures",
)
ATTENTION_MUCH = Threshold("much attention that is not fused", 0.2, "share", "of the kernel time; less is a note")


def attention_unfused(merged: Merged) -> Iterator[Finding]:
    """As PyTorch's calls show it, or the equations in JAX's names of ops."""
    parts = [part.model.attention for part in merged.parts]
    by_name = attention_of_ops(merged)
    total_ps = sum(part.total_ps for part in parts) + (by_name.total_ps if by_name else 0.0)
    if not total_ps or total_ps < ATTENTION_WORTH.value * merged.total_ps:
        return
    share = min(total_ps / merged.total_ps, 1.0)
    yield Finding(
        code="attention_unfused.math" if any(part.math for part in parts) else "attention_unfused",
        params={"total_ps": total_ps, "share": share, "calls": sum(part.calls for part in parts) or None},
        severity="warning" if share >= ATTENTION_MUCH.value else "note",
        share=share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, by_name.longest.row)) if by_name else "",
        match="row" if by_name else "text",
        evidence=tuple(itertools.chain.from_iterable(part.places for part in parts))[:PLACES],
    )


# Kernels and the calls that launched them → that the clocks of host and device disagree.

MISFITS = Threshold(
    "kernels before their launch",
    0.01,
    "share",
    "of the kernels whose launch call is known; clocks that differ by microseconds misplace a few",
)


def clocks_disagree(merged: Merged) -> Iterator[Finding]:
    totals = kernel_totals(merged)
    kernels = totals.misfits + totals.latencies
    if totals.misfits > MISFITS.value * kernels:
        yield Finding(code="clocks_disagree", params={"misfits": totals.misfits, "kernels": kernels})


# Copies and fills → those that are slow, and how long no kernel runs beside them.

LISTED = Threshold(
    "a row of copies", 0.01, "share", "of the time of all kernels and copies; copies of less are not worth a line"
)
#: By the way that most of them go, the code of what is said of exposed copies; else they stay on devices.
_EXPOSED = {"H2D": "copies_exposed", "D2H": "copies_exposed.back"}
#: So many of the largest rows are looked at.
_MOST_COPIES = 5
COPIES_HEAVY = Threshold(
    "slow copies to warn of", 0.05, "share", "of the time of all kernels and copies; less is a note"
)
EXPOSED = Threshold(
    "copies beside no kernel",
    0.05,
    "share",
    "of the time of all kernels and copies; less gains no more than captures of one program differ",
)
SLOW = Threshold(
    "a slow copy", 0.3, "share", "of what PCIe carries; large copies of pinned memory reach well over half of it"
)
FAST = Threshold(
    "a fast copy of pageable memory",
    0.8,
    "share",
    "of what PCIe carries; what reaches so much is not copied twice, whatever the capture calls its memory",
)
FEW = Threshold("small copies", 10, "copies", "fewer cannot be made one to any gain")
SMALL = Threshold("a small copy", 64 << 10, "bytes", "below it starting a copy takes longer than its bytes")


def slow_copies(merged: Merged) -> Iterator[Finding]:
    """Between host and device: of pageable memory, or far below what the bus carries."""
    for copy in largest_copies(merged, LISTED.value, _MOST_COPIES):
        rate, bus = copy.bytes_per_s, copy.bus_bytes_per_s
        if copy.kind.kind not in ("H2D", "D2H") or rate is None:
            continue
        of_bus = rate / bus if bus else None
        pageable = "pageable" in (copy.kind.source, copy.kind.destination)
        pageable = pageable and not (of_bus is not None and of_bus > FAST.value)
        worth = copy.average_bytes >= SMALL.value or copy.executions >= FEW.value
        if worth and (pageable or (of_bus is not None and of_bus < SLOW.value)):
            yield _slow(merged, copy, pageable)


def _slow(merged: Merged, copy: Copy, pageable: bool) -> Finding:
    memory = "pageable" if pageable else "host"
    params: dict[str, Param] = {
        "kind": copy.kind.kind,
        "source": memory if copy.kind.kind == "H2D" else "device",
        "destination": "device" if copy.kind.kind == "H2D" else memory,
        "total_ps": copy.total_ps,
        "bytes_per_s": copy.bytes_per_s,
        "bus_bytes_per_s": copy.bus_bytes_per_s,
    }
    code = "copies_slow.pageable" if pageable else "copies_slow"
    if copy.average_bytes < SMALL.value:
        code = "copies_slow.small"
        params |= {"executions": copy.executions, "average_bytes": copy.average_bytes}
    else:
        params["to_device"] = copy.kind.kind == "H2D"
    return Finding(
        code=code,
        params=params,
        severity="warning" if copy.share >= COPIES_HEAVY.value else "note",
        share=copy.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.copies.total_us", **copy_key(merged, copy.row)),
        match="row",
    )


def exposed_copies(merged: Merged) -> Iterator[Finding]:
    everything, by_way = gpu_ps(merged), exposed_copy_ps(merged)
    exposed_ps = sum(by_way.values())
    if everything and exposed_ps >= EXPOSED.value * everything:
        most = max(by_way, key=lambda way: by_way[way])
        share = min(exposed_ps / everything, 1.0)
        yield Finding(
            code=_EXPOSED.get(most, "copies_exposed.within"),
            params={"exposed_ps": exposed_ps, "share": share},
            severity="note",
            share=share,
            tool="trace_viewer",
        )


# Kernels that compute in 64-bit floats → a finding.

DOUBLES_WORTH = Threshold(
    "kernels in 64 bits",
    0.05,
    "share",
    "of the kernel time; in fewer bits they take half of it or less, and less is lost in the differences between "
    "captures",
)
DOUBLES_MUCH = Threshold("many kernels in 64 bits", 0.2, "share", "of the kernel time; less is a note")


def computes_in_doubles(merged: Merged) -> Iterator[Finding]:
    found = in_doubles(merged)
    if found is None or found.share < DOUBLES_WORTH.value:
        return
    yield Finding(
        code="computes_in_doubles",
        params={
            "total_ps": found.total_ps,
            "share": found.share,
            "kernel": found.longest.short,
            "kernel_ps": found.longest.total_ps,
        },
        severity="warning" if found.share >= DOUBLES_MUCH.value else "note",
        share=found.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, found.longest.row)),
        match="row",
    )


# CUDA graphs → that the kernels of some were not traced.


def graphs_traced_whole(merged: Merged) -> Iterator[Finding]:
    whole = whole_graphs(merged)
    if whole is None:
        return
    device, graph = whole.device, whole.largest
    yield Finding(
        code="graphs_not_by_node",
        params={"launches": whole.launches, "graphs": whole.graphs, "total_ps": whole.total_ps},
        severity="note",
        tool="trace_viewer",
        search=row_text(
            "kernel_stats.graphs.total_us", host=device.host, device=device.name, graph=graph.graph, level=graph.level
        ),
        match="row",
    )


# Kernels → which takes most of the GPU's time, and how many make up most of it.

MOST = Threshold(
    "most of the kernel time",
    0.8,
    "share",
    "the names that together take so much are those to look at; the rest is a long tail",
    "convention: 80 of 100",
)


def largest_kernel(merged: Merged, ops: OpsOfKernels) -> Iterator[Finding]:
    """The kernel by name that takes most time, with what makes its op cheaper. ops: of all hosts."""
    top = largest_name(merged, MOST.value)
    if top is None:
        return
    op = ops.called.get(top.first.op, top.first.op)
    params: dict[str, Param] = {
        "kernel": top.first.short,
        "share": top.share,
        "total_ps": top.total_ps,
        "executions": top.executions,
        "remedy": _remedy(op, ops),
    }
    if top.few < top.names:
        params |= {"few": top.few, "names": top.names, "part": MOST.value}
    if op.type != UNATTRIBUTED:
        params |= op_params(op)
    yield Finding(
        code="kernel_takes_most",
        params=params,
        share=top.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.names.total_us", short_name=top.first.short),
        match="row",
    )


def _remedy(op: Op, ops: OpsOfKernels) -> Message | None:
    """As the page of ops gives it; None of an op that is not among them."""
    row = ops.rows.get(("device", op))
    return None if row is None else remedy(op, row, Around("device", ops.graphs, ops.kernels.get(op)))


# Kernels that only rearrange tensors for convolutions → a finding, where they take much of the kernel time.

LAYOUTS_WORTH = Threshold(
    "conversions of layout",
    0.05,
    "share",
    "of the kernel time; without them a program gains less than its captures differ",
)
LAYOUTS_MUCH = Threshold("many conversions of layout", 0.1, "share", "of the kernel time; less is a note")


def layouts_converted(merged: Merged) -> Iterator[Finding]:
    found = layout_conversions(merged)
    if found is None or found.share < LAYOUTS_WORTH.value:
        return
    yield Finding(
        code="layouts_converted",
        params={
            "total_ps": found.total_ps,
            "share": found.share,
            "executions": found.executions,
            "kernel": found.most,
            "kernel_ps": found.most_ps,
            **({"miopen": True} if found.by_amd else {}),
        },
        severity="warning" if found.share >= LAYOUTS_MUCH.value else "note",
        share=found.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.names.total_us", short_name=found.most),
        match="row",
    )


# Heavy kernels → those that fill their device badly.
#
# Those for tensor cores are made to need few threads, and those that exchange data between devices few blocks.

OCCUPANCY_HEAVY = Threshold(
    "a heavy kernel",
    0.05,
    "share",
    "of the kernel time; a faster kernel of less is lost in the differences between captures",
)
FILLS = Threshold(
    "a grid that fills its device",
    0.75,
    "share",
    "of the multiprocessors that have a block; the rest gains less than captures of one program differ",
)
LOW = Threshold(
    "low occupancy",
    0.25,
    "share",
    "of the threads that a multiprocessor can hold; with fewer it hides little of its memory's latency",
    "chosen on the captures of the tests; products on tensor cores, which run well with less, are left out",
)


def badly_filled(merged: Merged) -> Iterator[Finding]:
    """That a kernel's grid, or its occupancy, leaves much of the device idle; of each name the heaviest."""
    named: dict[tuple[str, str], Finding] = {}
    for kernel in heaviest(merged, OCCUPANCY_HEAVY.value):
        finding = _badly_filled(merged, kernel)
        if finding is not None:
            named.setdefault((finding.code, kernel.short), finding)
    yield from list(named.values())[:KERNELS]


def _badly_filled(merged: Merged, kernel: Kernel) -> Finding | None:
    if category_of_kernel(kernel.name) == INDEX["collective"]:
        return None
    multiprocessors = kernel.device.multiprocessors or 0
    if kernel.blocks is not None and kernel.blocks < FILLS.value * multiprocessors:
        params: dict[str, Param] = {
            "idle": multiprocessors - kernel.blocks,
            "multiprocessors": multiprocessors,
            "blocks": kernel.blocks,
            "waves": kernel.waves,
        }
        return _of_kernel(merged, kernel, "grid_too_small", params)
    if math.isnan(kernel.occupancy) or kernel.occupancy >= LOW.value or kernel.uses_tensor_cores:
        return None
    params = {
        "occupancy": kernel.occupancy,
        "registers": kernel.launch.registers or None,
        "shared": kernel.launch.shared or None,
    }
    return _of_kernel(merged, kernel, "occupancy_low", params)


def _of_kernel(merged: Merged, kernel: Kernel, code: str, params: Params) -> Finding:
    return Finding(
        code=code,
        params={"kernel": kernel.short, "share": kernel.share, **params},
        severity="note",
        share=kernel.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, kernel.row)),
        match="row",
    )


# An optimizer of PyTorch that updates one parameter after another → a finding.

OPTIMIZER_WORTH = Threshold(
    "updates one by one",
    0.05,
    "share",
    "of the time from the first to the last kernel; one kernel for all parameters takes a small part of it",
)
OPTIMIZER_MUCH = Threshold("many updates one by one", 0.15, "share", "of that time; less is a note")
OPTIMIZER_MANY = Threshold(
    "many updates", 50, "kernels", "a step; fewer are launched within half a millisecond", "5 to 10 µs a launch"
)
MOSTLY = Threshold(
    "mostly updates", 0.5, "share", "of the kernel time of a step; an optimizer with less of them computes more"
)
#: Classes of torch.optim with one kernel for all parameters on GPUs, and those with one for each operation.
_FUSED = ("Adam", "AdamW", "SGD")
_FOREACH = ("Adadelta", "Adagrad", "Adamax", "ASGD", "NAdam", "RAdam", "RMSprop", "Rprop")


def optimizer_one_by_one(merged: Merged) -> Iterator[Finding]:
    """The one that takes most of its host's time."""
    slow = [each for part in merged.parts for each in part.model.optimizers if _is_slow(each)]
    worst = max(slow, key=lambda each: each.share, default=None)
    if worst is None:
        return
    way = "fused" if worst.name in _FUSED else "foreach" if worst.name in _FOREACH else "own"
    yield Finding(
        code=f"optimizer_one_by_one.{way}",
        params={
            "optimizer": worst.name,
            "kernels": worst.kernels / worst.steps,
            "step_ps": worst.device_ps / worst.steps,
            "kernel_ps": worst.kernel_ps / worst.steps,
            "share": worst.share,
        },
        severity="warning" if worst.share >= OPTIMIZER_MUCH.value else "note",
        share=worst.share,
        tool="trace_viewer",
        evidence=worst.places,
    )


def _is_slow(each: OptimizerSteps) -> bool:
    many = each.kernels >= OPTIMIZER_MANY.value * each.steps
    return many and each.kernel_ps >= MOSTLY.value * each.all_ps and each.share >= OPTIMIZER_WORTH.value


# Kernels of the forward pass that run again in the backward pass → a finding.

RECOMPUTED_WORTH = Threshold(
    "kernels run again", 0.1, "share", "of the kernel time; where memory is short, less is well spent"
)


def forward_again(merged: Merged) -> Iterator[Finding]:
    """As PyTorch's calls show it, or XLA's names of ops."""
    parts = [part.model.recomputed for part in merged.parts]
    by_name = rematerialized_ps(merged)
    total_ps = sum(part.total_ps for part in parts) + by_name
    if not total_ps or total_ps < RECOMPUTED_WORTH.value * merged.total_ps:
        return
    share = min(total_ps / merged.total_ps, 1.0)
    yield Finding(
        code="forward_again",
        params={"total_ps": total_ps, "share": share, "times": sum(part.times for part in parts) or None},
        share=share,
        tool="trace_viewer",
        search=REMATERIALIZED if by_name else "",
        evidence=tuple(itertools.chain.from_iterable(part.places for part in parts))[:PLACES],
    )


# Durations and launches of kernels → that many run no longer than their launch takes.

SHORT_MANY = Threshold("many kernels", 100, "kernels", "fewer say nothing of how a program launches")
SHORT = Threshold(
    "short kernels", 0.5, "share", "from half of all kernels on launching sets the pace", "convention: the majority"
)
STARVED = Threshold(
    "kernels that found their stream idle",
    0.5,
    "share",
    "from half of the kernels on it is the GPU that waits for the host",
    "convention: the majority",
)


def short_kernels(merged: Merged) -> Iterator[Finding]:
    """Of those that the host launches one by one: nodes of a graph are launched together."""
    totals = kernel_totals(merged)
    share, time_share = totals.launched_short_share, totals.launched_short_time_share
    if totals.launched < SHORT_MANY.value or share is None or time_share is None or share < SHORT.value:
        return
    starved = totals.starved_share is not None and totals.starved_share >= STARVED.value
    yield Finding(
        code="kernels_short",
        params={
            "share": share,
            "kernels": totals.launched,
            "limit_ps": SHORT_KERNEL.value,
            "time_share": time_share,
            "starved": starved,
            "starved_share": totals.starved_share,
            **({"graphs": True} if uses_graphs(merged) else {}),
        },
        severity="warning" if starved else "note",
        share=min(time_share, 1.0),
        tool="trace_viewer",
    )


# Products that could run on tensor cores and are known not to → a finding.

MISSED = Threshold(
    "products without tensor cores",
    0.05,
    "share",
    "a smaller part of the kernel time gains less than captures of one program differ",
)
TENSORCORES_MUCH = Threshold("many products without tensor cores", 0.2, "share", "of the kernel time; less is a note")


def tensor_cores_missed(merged: Merged) -> Iterator[Finding]:
    missed = missed_tensor_cores(merged)
    if missed is None or missed.total_ps < MISSED.value * merged.total_ps:
        return
    yield Finding(
        code="tensor_cores_missed",
        params={
            "total_ps": missed.total_ps,
            "share": missed.share,
            "kernel": missed.longest.short,
            "kernel_ps": missed.longest.total_ps,
            "units": tensor_units(missed.longest.device.is_amd),
            "tf32": _takes_tf32(missed.longest.device),
            "bf16": missed.longest.device.is_amd or _takes_tf32(missed.longest.device),
        },
        severity="warning" if missed.total_ps >= TENSORCORES_MUCH.value * merged.total_ps else "note",
        share=missed.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, missed.longest.row)),
        match="row",
    )


def _takes_tf32(device: KernelDevice) -> bool:
    """What takes TF32 takes bfloat16 too. Of AMD's devices no framework does it by the setting that the text names."""
    about = latest_generation(device.attributes)
    return about is not None and about.cycle.tf32 is not None and not device.is_amd


# Hosts without GPU work → why they have none.


def no_gpu_work(merged: Merged) -> Iterator[Finding]:
    """Each reason once, whatever the number of hosts."""
    for reason in dict.fromkeys(p.unavailable for p in merged.parts if p.unavailable):
        code = reason.code.partition(".")[0]
        yield Finding(code=code, params={"reason": reason}, severity="note", tool="op_stats")


#: Of equal severity and share the earlier rule's finding comes first.
RULES: tuple[Callable[[Merged], Iterator[Finding]], ...] = (
    no_gpu_work,
    short_kernels,
    tensor_cores_missed,
    layouts_converted,
    odd_sizes,
    attention_unfused,
    optimizer_one_by_one,
    computes_in_doubles,
    forward_again,
    badly_filled,
    slow_copies,
    exposed_copies,
    graphs_traced_whole,
    clocks_disagree,
)


def kernel_findings(merged: Merged, ops: OpsOfKernels) -> tuple[Finding, ...]:
    """What can be changed before what takes most, and of that what concerns most of the time. ops: of all hosts."""
    return by_severity((*largest_kernel(merged, ops), *(finding for rule in RULES for finding in rule(merged))))
