"""What is said of rooflines."""

from ....messages import Param
from ..entry import Text, Variant

_WHOLE: dict[str, Param] = {
    "step": True,
    "roof_share": 0.31,
    "bound": "HBM",
    "memory": 0.62,
    "compute": 0.2,
    "ideal": 0.45,
    "idle": 0.1,
    "waits": 0.05,
    "unknown": 0.03,
}
_LEAST: dict[str, Param] = {"step": False, "roof_share": 0.31, "bound": "Compute", "memory": 0.0, "compute": 1.0}
_TITLE = (
    "[{step?}The step runs|{step!}What the devices ran is] at {roof_share:percent} of its roofline, nearest to that of "
    "{bound}"
)
_WHERE = (
    "Op time by what bounds it: memory {memory:percent}, FLOP rate {compute:percent}[, only waiting {waits:percent}]"
    "[, costs unknown {unknown:percent}].[ No op runs in {idle:percent} of the time.][ At their roofs the ops would "
    "take {ideal:percent} of their time.]"
)
_EXAMPLES = (_WHOLE, _LEAST)
_MOVE_LESS = (
    "Move fewer bytes: fuse what follows each other element by element{}, use types of 16 bits, keep what is used "
    "again in one op; larger products compute more for each byte."
)

ROOFLINE = {
    "roofline.memory": Text(
        title=f"{_TITLE}: most op time lies in ops that memory bounds",
        detail=_WHERE,
        action=_MOVE_LESS.format(" (`jax.jit`, `tf.function(jit_compile=True)`)"),
        variants={
            "pytorch": Variant(action=_MOVE_LESS.format(" (`torch.compile`)")),
            "any": Variant(action=_MOVE_LESS.format("")),
        },
        when="A step's peaks and costs are known, and most of its op time lies in ops nearer to the bandwidth than to "
        "the peak rate.",
        examples=_EXAMPLES,
    ),
    "roofline.compute": Text(
        title=f"{_TITLE}: most op time lies in ops that the FLOP rate bounds",
        detail=_WHERE,
        action="Compute in narrower types where the model allows it (16 bits, TF32, 8 bits); make the sizes of "
        "products multiples of what the matrix units take; look at the largest ops that are far below their roof.",
        when="The same, and most of its op time lies in ops nearer to the peak rate.",
        examples=_EXAMPLES,
    ),
    "roofline.waits": Text(
        title=f"{_TITLE}: most op time only waits",
        detail=_WHERE,
        action="See which copies and collectives are waited for; move less, or give the core other work meanwhile.",
        when="The same, and most of its op time lies in ops that only wait for copies, other devices or the host.",
        examples=_EXAMPLES,
    ),
    "roofline.idle": Text(
        title=f"{_TITLE}: no op runs in [{{idle:percent}}|much] of the time",
        detail=_WHERE,
        action="Faster ops change little: see on the overview what the devices wait for.",
        when="No op runs on the devices in half of a step, or more.",
        examples=_EXAMPLES,
    ),
    "roofline.unknown": Text(
        title=f"{_TITLE}, of what is known: the costs of [{{unknown:percent}}|much] of the op time are not",
        detail=_WHERE,
        action="See which ops they are: of kernels and calls of your own, no model knows the costs.",
        variants={
            "pytorch": Variant(
                action="Record shapes (`torch.profiler.profile(record_shapes=True)`), without CUDA graphs, which hide "
                "the operators; of kernels of your own no model knows the costs."
            )
        },
        when="Half of the op time, or more, lies in ops whose FLOPs or bytes are not known.",
        examples=_EXAMPLES,
    ),
    "roofline.no_peaks.device": Text(
        title="The peaks of these devices are not known: the chart has no roofs",
        action="Give `peak_tflops` and `peak_gb_s` of the device's data sheet.",
        when="Costs are known, and neither the capture nor the table of data sheets has the peaks of its devices.",
    ),
    "roofline.no_peaks.host": Text(
        title="The peaks of this CPU are not known: the chart has no roofs",
        action="Give `peak_tflops` (cores × clock × FLOPs a cycle) and `peak_gb_s` (channels × transfers × 8 bytes), "
        "or what a benchmark reaches.",
        when="Nothing ran on a device, and no options give the peaks of the CPU.",
    ),
    "roofline.no_costs": Text(
        title="The FLOPs and bytes of these ops are not known",
        detail="The capture holds no program of XLA's for them.",
        action="Compile with XLA (`tf.function(jit_compile=True)`).",
        variants={
            "pytorch": Variant(
                detail="The capture holds no shapes of its calls.",
                action="Record shapes: `torch.profiler.profile(record_shapes=True)`.",
            ),
            "any": Variant(detail="The capture says neither shapes nor costs.", action=""),
        },
        when="No op of the capture has known costs.",
    ),
}
