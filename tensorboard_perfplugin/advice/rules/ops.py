"""Rules on ops: which take the time of hosts and devices, and what makes them cheaper."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import structs

from ...analysis.devices.peaks import ABOVE
from ...analysis.devices.tpu import OpaqueCalls
from ...analysis.ops.rows import Listed, OpRow, OpTable, UnattributedTime
from ...analysis.ops.sides import OpKernel, OpSide, op_sides
from ...analysis.ops.use import Padded
from ...messages import Message, Param, Params
from ...patterns import regex
from ...threshold import Threshold
from ...timeline.names.kernels import ALLOCATES
from ...timeline.names.ops import UNATTRIBUTED, Op
from ...timeline.ops.executions import exchanges
from ...timeline.ops.ops import waits_for_device
from ...timeline.ops.pytorch import RUNTIMES
from ..finding import Finding, by_severity, selection_of, worst_first
from ..rule import TRACE, Fact, Proof, Rule, findings_of, table_row
from ..text.catalogue import ON_PATH

# What the rules on ops share: how an op is named in a finding, and the rows that prove one.

ONE_OP = Threshold(
    "one op",
    0.1,
    "share",
    "of the op time of a side; making an op of less faster is lost in the differences between captures",
)


def op_params(op: Op) -> Mapping[str, str | None]:
    """Its name, and its type where the name does not say it."""
    return {"op": op.name, "type": None if op.type.removeprefix("Dataset::") in op.name else op.type}


def op_row(side: OpSide, op: Op) -> Proof:
    """The row of the op, whose executions the trace shows."""
    key = {"side": side.side, "name": op.name, "type": op.type, "module": op.module, "by": side.by}
    # What PyTorch's loaders and calls of the driver take is a row, and no op.
    whatif = selection_of("op" if side.side == "device" else "event", op.name)
    return table_row("op_stats.ops.self_us", **key)._replace(whatif=whatif)


def type_row(side: OpSide, type: str) -> Proof:
    return table_row(f"op_stats.types.{side.side}_self_us", type=type)


# What the critical path holds of an op → that most of its time costs a step nothing.

BESIDE = Threshold(
    "beside the path",
    0.5,
    "share",
    "of the time of an op in typical steps; where the critical path holds less of it, that time is no measure of what "
    "the op costs a step",
)


def beside_path(row: OpRow | None) -> Mapping[str, Param]:
    """What a finding that names an op by its time has to add."""
    path = row.path if row else None
    if path is None or path.ps >= BESIDE.value * path.ran_ps:
        return {}
    return {ON_PATH: Message("beside_path", {"share": path.ps / path.steps_ps})}


# The ops of a side → that TensorFlow runs much of them one by one.

EAGER = Threshold(
    "eager ops",
    0.25,
    "share",
    "of the op time of which it is known; most captures show a little of it, as of initialisation",
)


def eager(side: OpSide) -> Fact | None:
    ran = side.eager()
    if not ran.known_ps:
        return None
    share = min(ran.eager_ps / ran.known_ps, 1.0)
    params = {**op_params(ran.op), "side": side.side, "share": share, "in_steps": ran.in_steps}
    return Fact(share, params, Proof("trace_viewer", "EagerExecute", "exact"))


# A kernel's name → what it does, and the code of what usually makes such a kernel cheaper.

#: So much of a name is looked at.
_HEAD = 1000
COLLECTIVE = "collective"
#: The first that matches counts.
_FAMILIES = (
    (COLLECTIVE, r"(?i:nccl|rccl)"),
    ("fused_attention", r"(?i:flash|fmha|fused_attention|attention_kernel)"),
    ("softmax", r"(?i:softmax)"),
    ("conversion", r"(?i:(?:wrapped|loop|input)_convert)"),
    (
        "rearrangement",
        r"(?i:transpose|nchwToNhwc|nhwcToNchw|tensorTransform|permute|SwapDimension|ShuffleInTensor)",
    ),
    ("fusion", r"(?:loop|input|wrapped)_\w+|\w*fusion(?:_\d+)?$"),
    (
        "elementwise",
        r"(?i:elementwise|vectorized_|reduce|Eigen|Cwise|BiasN|BatchNorm|bn_(?:fw|bw)|layer_?norm|dropout|scatter|gather)",
    ),
)
_PATTERNS = tuple((family, regex(pattern)) for family, pattern in _FAMILIES)


def family_of(name: str) -> str:
    """Empty where the name does not say what the kernel does."""
    return next((family for family, pattern in _PATTERNS if pattern.search(name[:_HEAD])), "")


def by_family(kernel: OpKernel) -> Message | None:
    """None where the name says nothing, and of what exchanges data, whose advice its op has."""
    family = family_of(kernel.name)
    if kernel.uses_tensor_cores and family != "fused_attention":
        return Message("kernel_remedy.on_tensor_cores", {"units": tensor_units(kernel.is_amd)})
    return Message(f"kernel_remedy.{family}") if family not in ("", COLLECTIVE) else None


def tensor_units(is_amd: bool) -> Message:
    """What a device's vendor calls the units that multiply matrices."""
    return Message("matrix_cores" if is_amd else "tensor_cores")


# What is known of an op → the code of what makes it cheaper, the same on every page.

SHORT = Threshold("a short kernel", 10_000_000, "ps", "launching a kernel, or running an op, costs about as much")
NEAR = Threshold(
    "near the roofline",
    0.6,
    "share",
    "of what the device's peak allows; from here on an op can hardly be faster as it is",
)
FAR = Threshold(
    "far from the roofline", 0.3, "share", "of what the device's peak allows; up to here something else holds an op up"
)
LONG_LAUNCH = Threshold(
    "a long launch",
    20_000_000,
    "ps",
    "a call that launches takes 2 to 10 µs, where it has neither to load the kernel nor to wait for room in the queue",
)
#: What PyTorch calls the time in which a loop asks its loader for a batch.
_LOADER = "enumerate(DataLoader)#"
#: Calls of the driver that launch, and PyTorch's collectives on the host.
_LAUNCHES = regex(r"(?:cu|cuda|hip)\w*Launch\w*")
_GRAPH_LAUNCHES = regex(r"(?:cu|cuda|hip)GraphLaunch\w*")
_LOSS_SCALE = regex(r"(?:.*/)?(?:\w*loss_?scale\w*|LossScale\w*)/.*|_amp_foreach_\w+|aten::_amp_\w+", re.IGNORECASE)
_GATHERS = regex(r"(?:Resource|Sparse)?Gather(?:V2|Nd)?|aten::(?:embedding|index_select)|embedding_lookup\w*")
_EXCHANGE = regex(r"(?:gloo|mpi|ucc|nccl|rccl|xccl|hccl):\w+")


class Around(NamedTuple):
    """What is known beside an op: its side, whether the program launches graphs, and of an op on GPUs its kernel."""

    side: str
    graphs: bool
    kernel: OpKernel | None

    @classmethod
    def of(cls, side: OpSide, op: Op) -> Around:
        return cls(side.side, side.graphs, side.kernels.get(op) if side.side == "device" else None)


def remedy(op: Op, row: OpRow, around: Around) -> Message:
    """The first that applies: by its name, its roofline, how short its kernels are, and what they are."""
    code = _by_name(op, row, around) or _by_numbers(row, around)
    if not code:
        return (by_family(around.kernel) if around.kernel else None) or Message("op_remedy.look")
    return Message(f"op_remedy.{code}", {"graphs": True} if code == "fuse" and around.graphs else {})


def _by_name(op: Op, row: OpRow, around: Around) -> str:
    """By what the op is, and whether it only waits; empty where that decides nothing."""
    on_device = around.side == "device"
    collective = around.kernel is not None and family_of(around.kernel.name) == COLLECTIVE
    cases = (
        (op.name.startswith(_LOADER), "loader"),
        (waits_for_device(op), "device_wait"),
        (ALLOCATES.fullmatch(op.name), "allocation"),
        (_GRAPH_LAUNCHES.fullmatch(op.name), "look"),
        (
            _LAUNCHES.fullmatch(op.name),
            "fuse" if row.self_ps < LONG_LAUNCH.value * row.occurrences else "long_launches",
        ),
        (op.type in RUNTIMES, "runtime"),
        (row.wait_share == 1, "overlap" if on_device else "hand_over"),
        (on_device and op.type.startswith("Memcpy"), "copy"),
        ("PyFunc" in op.type or op.type == "Dataset::Generator", "python"),
        (op.type.startswith("Dataset::"), "dataset"),
        (_LOSS_SCALE.fullmatch(op.name), "loss_scale"),
        (on_device and _GATHERS.fullmatch(op.type), "gather"),
        (exchanges(op.type) or _EXCHANGE.fullmatch(op.name) or collective, "exchange"),
    )
    return next((code for applies, code in cases if applies), "")


def _by_numbers(row: OpRow, around: Around) -> str:
    """By how near it is to its roofline, and how short its kernels are; empty where that decides nothing."""
    roof_share = row.use.roof_share if row.use else None
    if row.use and roof_share is not None:
        if roof_share >= NEAR.value:
            return "near_compute" if row.use.bound_by == "Compute" else "near_memory"
        if roof_share <= FAR.value:
            return "far_from_roof"
    if around.side == "device" and row.kernels and row.total_ps / row.kernels < SHORT.value:
        return "fuse"
    return ""


# The ops of a side → which takes most time, or which type does where no op stands out, and what makes it cheaper.

AGAIN = Threshold(
    "ops that run again and again",
    2,
    "executions",
    "of the median op; where others run so often, an op that runs once is no part of what is repeated",
)
STARTS_PS = Threshold(
    "an op that only takes memory",
    10**9,
    "ps",
    "takes some µs; one that lasts so long starts the driver, or asks it for memory, which happens once",
    "first calls of PyTorch in public captures take 2 ms and more",
)
#: So many ops are added up.
_FIRST = 5
#: Ops of PyTorch that take memory and write nothing into it.
_EMPTY = regex(r"aten::(?:new_)?empty(?:_\w+)?")


def largest_op(side: OpSide) -> Fact:
    """Of no op that stands out, the type that takes most."""
    op, row = side.rows[0]
    share = row.self_ps / side.self_ps
    only_waits = row.wait_share == 1
    if share < ONE_OP.value and not only_waits:
        return _largest_type(side)
    if not only_waits and _is_once(side):
        return _once(side)
    params: dict[str, Param] = {**_taken(side, op, row), "executions": row.occurrences}
    if not only_waits:
        params |= beside_path(row)
    if len(side.rows) > _FIRST:
        params |= {"first": _FIRST, "ops": len(side.rows), "first_share": side.first_ps(_FIRST) / side.self_ps}
    if only_waits:
        most, work_ps = side.works_most()
        if work_ps:
            working, works = side.rows[most]
            work_share = work_ps / side.self_ps
            params |= _working(working, work_share)
            op, row = (working, works) if work_share >= ONE_OP.value else (op, row)
    params["remedy"] = remedy(op, row, Around.of(side, op))
    return Fact(share, params, op_row(side, op), "op_takes_most.waiting" if only_waits else "op_takes_most")


def _taken(side: OpSide, op: Op, row: OpRow) -> dict[str, Param]:
    return {**op_params(op), "side": side.side, "share": row.self_ps / side.self_ps, "self_ps": row.self_ps}


def _working(op: Op, share: float) -> Mapping[str, Param]:
    named = op_params(op)
    return {"working": named["op"], "working_type": named["type"], "working_share": share}


def _is_once(side: OpSide) -> bool:
    """Whether the largest op runs once, and is none of what the program does again and again."""
    op, row = side.rows[0]
    if row.occurrences != 1:
        return False
    starts = _EMPTY.fullmatch(op.name) is not None and row.self_ps >= STARTS_PS.value
    return starts or side.median_executions() >= AGAIN.value


def _once(side: OpSide) -> Fact:
    """It, and of those that repeat and work the largest."""
    op, row = proved = side.rows[0]
    params, code = _taken(side, op, row), Message("op_remedy.once")
    repeats = (pair for pair in side.rows if pair[1].occurrences > 1 and pair[1].wait_share != 1)
    again = next(repeats, None)
    if again is not None:
        share = again[1].self_ps / side.self_ps
        params |= _working(again[0], share)
        proved, code = (again, remedy(*again, Around.of(side, again[0]))) if share >= ONE_OP.value else (proved, code)
    params["remedy"] = code
    return Fact(row.self_ps / side.self_ps, params, op_row(side, proved[0]), "op_takes_most.once")


def _largest_type(side: OpSide) -> Fact:
    largest = side.largest_type()
    share = side.share(largest.self_ps)
    params: dict[str, Param] = {
        "type": largest.type,
        "ops": largest.ops,
        "side": side.side,
        "share": share,
        "self_ps": largest.self_ps,
        "op": largest.op.name,
        "op_share": largest.row.self_ps / side.self_ps,
        "remedy": remedy(largest.op, largest.row, Around.of(side, largest.op)),
    }
    return Fact(share, params, type_row(side, largest.type), "op_type_takes_most")


# Products that TPUs pad → the time that their matrix units multiply padding, and the op that loses most.

LOST = Threshold("products with padding", 0.05, "share", "of the time of TPUs; less gains no more than captures differ")


def padding(tables: Sequence[OpTable], padded: Sequence[dict[Op, Padded]]) -> Fact | None:
    """tables, padded: by host."""
    lost: dict[Op, Padded] = {}
    for host in padded:
        for op, one in host.items():
            lost[op] = lost[op].plus(one) if op in lost else one
    busy = sum(table.busy_ps for table in tables)
    total = sum(one.lost_ps for one in lost.values())
    if not busy or not total:
        return None
    op, worst = max(lost.items(), key=lambda each: each[1].lost_ps)
    rows, summed, columns = worst.product.padded
    params: dict[str, Param] = {
        **op_params(op),
        "share": min(total / busy, 1.0),
        "of_op": worst.lost_ps / total,
        "rows": worst.product.rows,
        "summed": worst.product.summed,
        "columns": worst.product.columns,
        "padded_rows": rows,
        "padded_summed": summed,
        "padded_columns": columns,
        "padding": worst.product.padding_share,
    }
    proof = table_row("op_stats.ops.self_us", side="device", name=op.name, type=op.type, module=op.module)
    return Fact(total / busy, params, proof)


PADDING: Rule[[Sequence[OpTable], Sequence[dict[Op, Padded]]]] = Rule(
    "product_padded", padding, worth=LOST, severity="warning"
)


# Custom calls without costs → that a kernel waits for its own copies for most of its time.

STARVED = Threshold(
    "kernels that wait for copies", 0.1, "share", "of the time of TPUs; less gains no more than captures differ"
)
MOSTLY = Threshold(
    "a kernel that mostly waits",
    0.5,
    "share",
    "of its time; less is where copies and compute take turns",
)


def starved_kernels(tables: Sequence[OpTable], calls: Sequence[dict[Op, OpaqueCalls]]) -> Fact | None:
    """tables, calls: by host. The op that waits longest."""
    waiting = {op: one for op, one in all_calls(calls).items() if (one.waiting_ps or 0) >= MOSTLY.value * one.total_ps}
    busy = sum(table.busy_ps for table in tables)
    if not busy or not waiting:
        return None
    op, one = max(waiting.items(), key=lambda each: each[1].waiting_ps or 0)
    share = sum(each.waiting_ps or 0 for each in waiting.values()) / busy
    params: dict[str, Param] = {
        **op_params(op),
        "share": share,
        "of_op": (one.waiting_ps or 0) / one.total_ps,
        "wait_ps": one.waiting_ps,
        "total_ps": one.total_ps,
    }
    proof = table_row("op_stats.ops.self_us", side="device", name=op.name, type=op.type, module=op.module)
    return Fact(share, params, proof)


def all_calls(hosts: Iterable[dict[Op, OpaqueCalls]]) -> dict[Op, OpaqueCalls]:
    """Of all hosts."""
    calls: dict[Op, OpaqueCalls] = {}
    for host in hosts:
        for op, one in host.items():
            calls[op] = calls[op].plus(one) if op in calls else one
    return calls


CALL_WAITS: Rule[[Sequence[OpTable], Sequence[dict[Op, OpaqueCalls]]]] = Rule(
    "kernel_waits_for_copies", starved_kernels, worth=STARVED, severity="warning", limits=(MOSTLY,)
)


# The ops of a side → the first far from its roofline, the first near that of the memory, and missed tensor cores.

MISSED = Threshold(
    "products without tensor cores",
    0.05,
    "share",
    "of the op time of a side; less gains no more than captures of one program differ",
)


def roofline(side: OpSide) -> Iterator[Fact]:
    """A collective is held up by the way between devices, of which no roofline is drawn."""
    large = [
        (op, row, roof_share)
        for op, row in side.rows
        if not row.wait_ps and not exchanges(op.type) and row.self_ps / side.self_ps >= ONE_OP.value
        for roof_share in [_roof_share(row)]
        if roof_share
    ]
    far = [each for each in large if each[2] <= FAR.value]
    near = [each for each in large if each[2] >= NEAR.value and each[1].use and each[1].use.bound_by == "HBM"]
    for code, ops in (("op_far_from_roof", far), ("op_bound_by_memory", near)):
        for op, row, roof_share in ops[:1]:
            more = {"roof_share": roof_share, **beside_path(row)}
            yield _of_op(side, op, row.self_ps / side.self_ps, more, code)


def impossible(side: OpSide) -> Fact | None:
    """The largest op that is to have computed more than its device can; what follows from its FLOPs is withdrawn."""
    for op, row in side.rows:
        share = row.self_ps / side.self_ps
        if row.use and row.use.is_above_peak and row.use.compute_share and share >= ONE_OP.value:
            return _of_op(side, op, share, {"times": row.use.compute_share})
    return None


def tensor_cores(side: OpSide) -> Fact:
    """The op that loses most by it."""
    missed = [(op, row) for op, row in side.rows if row.use]
    op, row = max(missed, key=lambda each: each[1].tensor_missed_self_ps, default=(Op("", ""), OpRow.of_time(0.0)))
    return _of_op(side, op, row.tensor_missed_self_ps / side.self_ps, beside_path(row))


def _roof_share(row: OpRow) -> float | None:
    return row.use.roof_share if row.use else None


def _of_op(side: OpSide, op: Op, share: float, params: Params, code: str = "") -> Fact:
    return Fact(share, {**op_params(op), "side": side.side, "share": share, **params}, op_row(side, op), code)


# The ops of a side → that much of their time goes to many short executions.

SMALL = Threshold("small ops", 0.3, "share", "of the op time of a side; most captures show a little of it")
MANY = Threshold("many executions", 100, "executions", "fewer small ones are one warm-up")


def small_ops(side: OpSide) -> Fact | None:
    """Beside a device, host ops do little but launch kernels."""
    small = side.small(SHORT.value) if side.first else None
    if small is None or small.executions < MANY.value:
        return None
    more: dict[str, Param] = {
        "executions": small.executions,
        "limit_ps": SHORT.value,
        "ops": small.ops,
        **({"graphs": True} if side.graphs else {}),
    }
    return _of_op(side, small.op, side.share(small.work_ps), more, f"ops_small.{side.side}")


# Kernels that belong to no op → how much of the op time they take, and why they belong to none.

WORTH = Threshold("time without an op", 0.2, "share", "of the op time of a side; most captures show a little of it")


def unattributed(side: OpSide) -> Fact | None:
    kernels = side.unattributed()
    if not kernels:
        return None
    share = side.share(sum(row.self_ps for _, row in kernels))
    params: dict[str, Param] = {
        "share": share,
        "side": side.side,
        "kernels": len(kernels),
        "kernel": kernels[0][0].name,
    }
    return Fact(share, params, type_row(side, UNATTRIBUTED), f"ops_unattributed.{side.cause}")


# The ops of a side → that much of their time is only waiting.

WAITING = Threshold("waiting", 0.2, "share", "of the op time of a side; most captures show a little of it")


def waiting(side: OpSide) -> Fact | None:
    """Not where the finding on the largest op says it already."""
    share, most = side.share(side.wait_ps), side.waits_most()
    if share < WAITING.value or most == 0:
        return None
    op, row = side.rows[most]
    remedy = "device_wait" if waits_for_device(op) else "preparation" if side.side == "host" else "overlap"
    fact = _of_op(side, op, share, {"wait_ps": row.wait_ps, "remedy": Message(f"op_remedy.{remedy}")})
    tool = "input_pipeline" if op.type.startswith("Dataset::") else "trace_viewer"
    return structs.replace(fact, proof=fact.proof._replace(tool=tool))


#: Of equal severity and share the earlier rule's finding comes first.
RULES: tuple[Rule[[OpSide]], ...] = (
    Rule(
        ("op_takes_most", "op_takes_most.waiting", "op_takes_most.once", "op_type_takes_most"),
        largest_op,
        severity="info",
        limits=(ONE_OP, AGAIN, STARTS_PS, SHORT, NEAR, FAR, LONG_LAUNCH, BESIDE),
    ),
    Rule("ops_wait", waiting, limits=(WAITING,)),
    Rule(("ops_small.device", "ops_small.host"), small_ops, worth=SMALL, limits=(MANY, SHORT)),
    Rule(("op_far_from_roof", "op_bound_by_memory"), roofline, limits=(ONE_OP, NEAR, FAR, BESIDE)),
    Rule("rate_above_peak.op", impossible, limits=(ONE_OP, ABOVE)),
    Rule("op_without_tensor_cores", tensor_cores, worth=MISSED, limits=(BESIDE,)),
    Rule("ops_eager", eager, worth=EAGER),
    Rule(
        tuple(f"ops_unattributed.{why}" for why in ("graphs", "outside", "unrecorded", "unseen", "untraced")),
        unattributed,
        worth=WORTH,
    ),
)
NO_OPS: Rule[[]] = Rule("no_ops", lambda: Fact(None, {}, TRACE))


def op_findings(
    parts: Sequence[Listed],
    without_op: Sequence[UnattributedTime] = (),
    graphs: bool = False,
    kernels: Mapping[Op, OpKernel] | None = None,
) -> tuple[Finding, ...]:
    """Of parts that sum up the hosts: what can be changed before what takes most, of devices before hosts. without_op:
    time of kernels, by host; graphs: whether a program launches graphs; kernels: of ops on GPUs the largest ones.
    """
    sides = op_sides(parts, without_op, ONE_OP.value, graphs, kernels)
    findings = worst_first(finding for side in sides for finding in by_severity(findings_of(RULES, side)))
    return findings or tuple(NO_OPS.findings())
