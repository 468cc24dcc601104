"""Rules on GPU kernels, copies and CUDA graphs: which take the time, and what makes them cheaper."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from ...analysis.devices.peaks import latest_generation
from ...analysis.kernels.families import (
    REMATERIALIZED,
    Family,
    attention_of_ops,
    depthwise,
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
from ...messages import Message, Param
from ...threshold import Threshold
from ...timeline.names.ops import UNATTRIBUTED, Op
from ...timeline.split.device import category_of_kernel, precision_of_kernel
from ...timeline.timeline import INDEX
from ..finding import KERNELS, PLACES, Finding, by_severity, selection_of
from ..rule import TRACE, Fact, Proof, Rule, findings_of, table_row
from .ops import BESIDE, Around, beside_path, op_params, remedy, tensor_units

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


def odd_sizes(merged: Merged) -> Fact | None:
    found = unaligned(merged)
    if found is None:
        return None
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
    return Fact(found.share, params, _row(merged, longest))


def _row(merged: Merged, kernel: Kernel) -> Proof:
    row = table_row("kernel_stats.kernels.total_us", **kernel_key(merged, kernel.row))
    return row._replace(whatif=selection_of("kernel", kernel.short))


def _name_row(short: str) -> Proof:
    return table_row("kernel_stats.names.total_us", short_name=short)._replace(whatif=selection_of("kernel", short))


# Attention that runs as products around a softmax → a finding.

ATTENTION_WORTH = Threshold(
    "attention that is not fused",
    0.05,
    "share",
    "of the kernel time; a fused kernel takes a part of it, and less is lost in the differences between captures",
)
ATTENTION_MUCH = Threshold("much attention that is not fused", 0.2, "share", "of the kernel time; less is a note")


def attention_unfused(merged: Merged) -> Fact | None:
    """As PyTorch's calls show it, or the equations in JAX's names of ops."""
    parts = [part.model.attention for part in merged.parts]
    by_name = attention_of_ops(merged)
    total_ps = sum(part.total_ps for part in parts) + (by_name.total_ps if by_name else 0.0)
    if not total_ps:
        return None
    share = min(total_ps / merged.total_ps, 1.0)
    proof = _row(merged, by_name.longest) if by_name else TRACE
    return Fact(
        share,
        {"total_ps": total_ps, "share": share, "calls": sum(part.calls for part in parts) or None},
        proof._replace(evidence=tuple(itertools.chain.from_iterable(part.places for part in parts))[:PLACES]),
        "attention_unfused.math" if any(part.math for part in parts) else "",
    )


# Kernels and the calls that launched them → that the clocks of host and device disagree.

MISFITS = Threshold(
    "kernels before their launch",
    0.01,
    "share",
    "of the kernels whose launch call is known; clocks that differ by microseconds misplace a few",
)


def clocks_disagree(merged: Merged) -> Fact | None:
    totals = kernel_totals(merged)
    kernels = totals.misfits + totals.latencies
    if totals.misfits <= MISFITS.value * kernels:
        return None
    return Fact(None, {"misfits": totals.misfits, "kernels": kernels})


# Copies and fills → those that are slow, and how long no kernel runs beside them.

LISTED = Threshold(
    "a row of copies", 0.01, "share", "of the time of all kernels and copies; copies of less are not worth a line"
)
#: By the way that most of them go, the code of the finding on exposed copies; else they stay on devices.
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


def slow_copies(merged: Merged) -> Iterator[Fact]:
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


def _slow(merged: Merged, copy: Copy, pageable: bool) -> Fact:
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
    return Fact(copy.share, params, table_row("kernel_stats.copies.total_us", **copy_key(merged, copy.row)), code)


def exposed_copies(merged: Merged) -> Fact | None:
    everything, by_way = gpu_ps(merged), exposed_copy_ps(merged)
    exposed_ps = sum(by_way.values())
    if not everything or not by_way:
        return None
    most = max(by_way, key=lambda way: by_way[way])
    share = min(exposed_ps / everything, 1.0)
    return Fact(share, {"exposed_ps": exposed_ps, "share": share}, TRACE, _EXPOSED.get(most, "copies_exposed.within"))


# Kernels that compute in 64-bit floats → a finding.

DOUBLES_WORTH = Threshold(
    "kernels in 64 bits",
    0.05,
    "share",
    "of the kernel time; in fewer bits they take half of it or less, and less is lost in the differences between "
    "captures",
)
DOUBLES_MUCH = Threshold("many kernels in 64 bits", 0.2, "share", "of the kernel time; less is a note")


def computes_in_doubles(merged: Merged) -> Fact | None:
    return _of_family(merged, in_doubles(merged))


def _of_family(merged: Merged, found: Family | None) -> Fact | None:
    if found is None:
        return None
    params: dict[str, Param] = {
        "total_ps": found.total_ps,
        "share": found.share,
        "kernel": found.longest.short,
        "kernel_ps": found.longest.total_ps,
    }
    return Fact(found.share, params, _row(merged, found.longest))


# CUDA graphs → that the kernels of some were not traced.


def graphs_traced_whole(merged: Merged) -> Fact | None:
    whole = whole_graphs(merged)
    if whole is None:
        return None
    key = {"host": whole.device.host, "device": whole.device.name}
    return Fact(
        None,
        {"launches": whole.launches, "graphs": whole.graphs, "total_ps": whole.total_ps},
        table_row("kernel_stats.graphs.total_us", **key, graph=whole.largest.graph, level=whole.largest.level),
    )


# Kernels → which takes most of the GPU's time, and how many make up most of it.

MOST = Threshold(
    "most of the kernel time",
    0.8,
    "share",
    "the names that together take so much are those to look at; the rest is a long tail",
    "convention: 80 of 100",
)


def largest_kernel(merged: Merged, ops: OpsOfKernels) -> Fact | None:
    """The kernel by name that takes most time, with what makes its op cheaper. ops: of all hosts."""
    top = largest_name(merged, MOST.value)
    if top is None:
        return None
    op = ops.called.get(top.first.op, top.first.op)
    params: dict[str, Param] = {
        "kernel": top.first.short,
        "share": top.share,
        "total_ps": top.total_ps,
        "executions": top.executions,
        "remedy": _remedy(op, ops),
        **beside_path(ops.rows.get(("device", op))),
    }
    if top.few < top.names:
        params |= {"few": top.few, "names": top.names, "part": MOST.value}
    if op.type != UNATTRIBUTED:
        params |= op_params(op)
    return Fact(top.share, params, _name_row(top.first.short))


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


def layouts_converted(merged: Merged) -> Fact | None:
    found = layout_conversions(merged)
    if found is None:
        return None
    params: dict[str, Param] = {
        "total_ps": found.total_ps,
        "share": found.share,
        "executions": found.executions,
        "kernel": found.most,
        "kernel_ps": found.most_ps,
        **({"miopen": True} if found.by_amd else {}),
    }
    return Fact(found.share, params, _name_row(found.most))


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


def badly_filled(merged: Merged, ops: OpsOfKernels) -> list[Fact]:
    """That a kernel's grid, or its occupancy, leaves much of the device idle; of each name the heaviest."""
    by_name: dict[tuple[str, str], Fact] = {}
    for kernel in heaviest(merged, OCCUPANCY_HEAVY.value):
        code, params = _badly_filled(kernel)
        if code:
            row = ops.rows.get(("device", ops.called.get(kernel.op, kernel.op)))
            params = {"kernel": kernel.short, "share": kernel.share, **params, **beside_path(row)}
            by_name.setdefault((code, kernel.short), Fact(kernel.share, params, _row(merged, kernel), code))
    return list(by_name.values())[:KERNELS]


def _badly_filled(kernel: Kernel) -> tuple[str, dict[str, Param]]:
    """The code and its parameters; no code of a kernel that fills its device."""
    if category_of_kernel(kernel.name) == INDEX["collective"]:
        return "", {}
    multiprocessors = kernel.device.multiprocessors or 0
    if kernel.blocks is not None and kernel.blocks < FILLS.value * multiprocessors:
        return "grid_too_small", {
            "idle": multiprocessors - kernel.blocks,
            "multiprocessors": multiprocessors,
            "blocks": kernel.blocks,
            "waves": kernel.waves,
        }
    if math.isnan(kernel.occupancy) or kernel.occupancy >= LOW.value or kernel.uses_tensor_cores:
        return "", {}
    return "occupancy_low", {
        "occupancy": kernel.occupancy,
        "registers": kernel.launch.registers or None,
        "shared": kernel.launch.shared or None,
    }


# Convolutions that take each channel by itself → a finding.

DEPTHWISE_WORTH = Threshold(
    "depthwise convolutions", 0.1, "share", "of the kernel time; less is the price of the FLOPs that they save"
)
DEPTHWISE_MUCH = Threshold("many depthwise convolutions", 0.3, "share", "of the kernel time; less is a note")


def depthwise_convolutions(merged: Merged) -> Fact | None:
    return _of_family(merged, depthwise(merged))


# Batch norms that run op by op, and biases before a batch norm → findings.

NORMS_WORTH = Threshold(
    "batch norms in pieces", 0.05, "share", "of the kernel time; fused they take a part of it, of two passes or three"
)
NORMS_MUCH = Threshold("many batch norms in pieces", 0.2, "share", "of the kernel time; less is a note")
BIASES_WORTH = Threshold(
    "biases before batch norms", 0.02, "share", "of the kernel time, all of which is saved; less is lost in the noise"
)
BIASES_MUCH = Threshold("many biases before batch norms", 0.1, "share", "of the kernel time; less is a note")


def norms_in_pieces(merged: Merged) -> Fact | None:
    total_ps = sum(part.model.norms.pieces_ps for part in merged.parts)
    if not total_ps:
        return None
    share = min(total_ps / merged.total_ps, 1.0)
    layers = max(part.model.norms.layers for part in merged.parts)
    return Fact(share, {"total_ps": total_ps, "share": share, "layers": layers}, TRACE._replace(search="batchnorm/"))


def useless_biases(merged: Merged) -> Fact | None:
    total_ps = sum(part.model.norms.bias_ps for part in merged.parts)
    if not total_ps:
        return None
    share = min(total_ps / merged.total_ps, 1.0)
    return Fact(share, {"total_ps": total_ps, "share": share}, TRACE)


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


def optimizer_one_by_one(merged: Merged) -> Fact | None:
    """The one that takes most of its host's time."""
    slow = [each for part in merged.parts for each in part.model.optimizers if _is_slow(each)]
    worst = max(slow, key=lambda each: each.share, default=None)
    if worst is None:
        return None
    way = "fused" if worst.name in _FUSED else "foreach" if worst.name in _FOREACH else "own"
    params: dict[str, Param] = {
        "optimizer": worst.name,
        "kernels": worst.kernels / worst.steps,
        "step_ps": worst.device_ps / worst.steps,
        "kernel_ps": worst.kernel_ps / worst.steps,
        "share": worst.share,
    }
    return Fact(worst.share, params, TRACE._replace(evidence=worst.places), f"optimizer_one_by_one.{way}")


def _is_slow(each: OptimizerSteps) -> bool:
    return each.kernels >= OPTIMIZER_MANY.value * each.steps and each.kernel_ps >= MOSTLY.value * each.all_ps


# Kernels of the forward pass that run again in the backward pass → a finding.

RECOMPUTED_WORTH = Threshold(
    "kernels run again", 0.1, "share", "of the kernel time; where memory is short, less is well spent"
)


def forward_again(merged: Merged) -> Fact | None:
    """As PyTorch's calls show it, or XLA's names of ops."""
    parts = [part.model.recomputed for part in merged.parts]
    by_name = rematerialized_ps(merged)
    total_ps = sum(part.total_ps for part in parts) + by_name
    if not total_ps:
        return None
    share = min(total_ps / merged.total_ps, 1.0)
    evidence = tuple(itertools.chain.from_iterable(part.places for part in parts))[:PLACES]
    return Fact(
        share,
        {"total_ps": total_ps, "share": share, "times": sum(part.times for part in parts) or None},
        TRACE._replace(search=REMATERIALIZED if by_name else "", evidence=evidence),
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


def short_kernels(merged: Merged) -> Fact | None:
    """Of those that the host launches one by one: nodes of a graph are launched together."""
    totals = kernel_totals(merged)
    share, time_share = totals.launched_short_share, totals.launched_short_time_share
    if totals.launched < SHORT_MANY.value or share is None or time_share is None:
        return None
    starved = totals.starved_share is not None and totals.starved_share >= STARVED.value
    params: dict[str, Param] = {
        "share": share,
        "kernels": totals.launched,
        "limit_ps": SHORT_KERNEL.value,
        "time_share": time_share,
        "starved": starved,
        "starved_share": totals.starved_share,
        **({"graphs": True} if uses_graphs(merged) else {}),
    }
    return Fact(time_share, params, TRACE, severity="warning" if starved else "note", size=share)


# Products that could run on tensor cores and are known not to → a finding.

MISSED = Threshold(
    "products without tensor cores",
    0.05,
    "share",
    "a smaller part of the kernel time gains less than captures of one program differ",
)
TENSORCORES_MUCH = Threshold("many products without tensor cores", 0.2, "share", "of the kernel time; less is a note")


def tensor_cores_missed(merged: Merged) -> Fact | None:
    missed = missed_tensor_cores(merged)
    if missed is None:
        return None
    device = missed.longest.device
    params: dict[str, Param] = {
        "total_ps": missed.total_ps,
        "share": missed.share,
        "kernel": missed.longest.short,
        "kernel_ps": missed.longest.total_ps,
        "units": tensor_units(device.is_amd),
        "tf32": _takes_tf32(device),
        "bf16": device.is_amd or _takes_tf32(device),
        "narrow": precision_of_kernel(missed.longest.name) == "compute_16bit",
    }
    return Fact(missed.share, params, _row(merged, missed.longest))


def _takes_tf32(device: KernelDevice) -> bool:
    """What takes TF32 takes bfloat16 too. Of AMD's devices no framework does it by the setting that the text names."""
    about = latest_generation(device.attributes)
    return about is not None and about.cycle.tf32 is not None and not device.is_amd


# Hosts without GPU work → why they have none.


def no_gpu_work(merged: Merged) -> Iterator[Fact]:
    """Each reason once, whatever the number of hosts."""
    for reason in dict.fromkeys(part.unavailable for part in merged.parts if part.unavailable):
        yield Fact(None, {"reason": reason}, Proof("op_stats"), reason.code.partition(".")[0])


#: Of equal severity and share the earlier rule's finding comes first.
#: Rules whose shares are of the kernel time.
OF_KERNEL_TIME: tuple[Rule[[Merged]], ...] = (
    Rule("tensor_cores_missed", tensor_cores_missed, worth=MISSED, warns=TENSORCORES_MUCH),
    Rule("layouts_converted", layouts_converted, worth=LAYOUTS_WORTH, warns=LAYOUTS_MUCH),
    Rule("odd_sizes", odd_sizes, worth=ALIGNMENT_WORTH, warns=ALIGNMENT_MUCH),
    Rule(
        ("attention_unfused", "attention_unfused.math"), attention_unfused, worth=ATTENTION_WORTH, warns=ATTENTION_MUCH
    ),
    Rule("computes_in_doubles", computes_in_doubles, worth=DOUBLES_WORTH, warns=DOUBLES_MUCH),
    Rule("batch_norm_unfused", norms_in_pieces, worth=NORMS_WORTH, warns=NORMS_MUCH),
    Rule("bias_before_norm", useless_biases, worth=BIASES_WORTH, warns=BIASES_MUCH),
    Rule("convolutions_depthwise", depthwise_convolutions, worth=DEPTHWISE_WORTH, warns=DEPTHWISE_MUCH),
)
#: Its share is of all time.
OPTIMIZER: Rule[[Merged]] = Rule(
    ("optimizer_one_by_one.fused", "optimizer_one_by_one.foreach", "optimizer_one_by_one.own"),
    optimizer_one_by_one,
    worth=OPTIMIZER_WORTH,
    warns=OPTIMIZER_MUCH,
    limits=(OPTIMIZER_MANY, MOSTLY),
)
LARGEST: Rule[[Merged, OpsOfKernels]] = Rule(
    "kernel_takes_most", largest_kernel, severity="info", limits=(MOST, BESIDE)
)
BADLY_FILLED: Rule[[Merged, OpsOfKernels]] = Rule(
    ("grid_too_small", "occupancy_low"), badly_filled, limits=(OCCUPANCY_HEAVY, FILLS, LOW, BESIDE)
)
#: Of equal severity and share the earlier rule's finding comes first.
RULES: tuple[Rule[[Merged]], ...] = (
    Rule(("no_gpu", "no_gpu_work"), no_gpu_work),
    Rule("kernels_short", short_kernels, worth=SHORT, limits=(SHORT_MANY, SHORT_KERNEL, STARVED)),
    *OF_KERNEL_TIME,
    OPTIMIZER,
    Rule("forward_again", forward_again, worth=RECOMPUTED_WORTH, severity="info"),
    Rule(
        ("copies_slow", "copies_slow.pageable", "copies_slow.small"),
        slow_copies,
        warns=COPIES_HEAVY,
        limits=(LISTED, SLOW, FAST, FEW, SMALL),
    ),
    Rule(("copies_exposed", "copies_exposed.back", "copies_exposed.within"), exposed_copies, worth=EXPOSED),
    Rule("graphs_not_by_node", graphs_traced_whole),
    Rule("clocks_disagree", clocks_disagree, severity="info", limits=(MISFITS,)),
)


def kernel_findings(merged: Merged, ops: OpsOfKernels) -> tuple[Finding, ...]:
    """What can be changed before what takes most, and of that what concerns most of the time. ops: of all hosts."""
    largest, badly_filled = (rule.findings(merged, ops) for rule in (LARGEST, BADLY_FILLED))
    return by_severity((*largest, *findings_of(RULES, merged), *badly_filled))
