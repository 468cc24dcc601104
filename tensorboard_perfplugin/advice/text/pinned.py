"""What is said of copies from and to pageable memory: how each framework pins it, and copies ahead."""

from .entry import Variant

_IN_TORCH = "`DataLoader(…, pin_memory=True)` and `batch.to(device, non_blocking=True)`."
_IN_SESSIONS = (
    "`tf.compat.v1.ConfigProto(gpu_options=tf.compat.v1.GPUOptions(force_gpu_compatible=True))`, and prefetch batches "
    "to the device."
)
#: To the device.
PIN_INPUT = (
    "TensorFlow: end the pipeline with `tf.data.experimental.prefetch_to_device('/GPU:0')`; in sessions, "
    "`GPUOptions(force_gpu_compatible=True)`. JAX: `jax.device_put` the next batch while the step works on this one."
)
PIN_INPUT_VARIANTS = {
    "pytorch": Variant(action=_IN_TORCH),
    "any": Variant(action="Copy from pinned memory, ahead, on a stream of its own."),
    "tf1": Variant(action=_IN_SESSIONS),
}
_BACK = "Read results less often, several at once, and while the device works (JAX: `copy_to_host_async()`)."
_BACK_IN_TORCH = (
    "Read results less often; copy them into pinned memory: `torch.empty_like(x, device='cpu', pin_memory=True)"
    ".copy_(x, non_blocking=True)`."
)
_BACK_ELSEWHERE = "Read results less often, several at once, into pinned memory."


def _either(to_device: str, back: str) -> str:
    return f"[{{to_device?}}{to_device}|{back}]"


#: Either way, as `to_device` says.
PIN = _either(PIN_INPUT, _BACK)
PIN_VARIANTS = {
    "pytorch": Variant(action=_either(_IN_TORCH, _BACK_IN_TORCH)),
    "any": Variant(action=_either("Copy from pinned memory, ahead, on a stream of its own.", _BACK_ELSEWHERE)),
    "tf1": Variant(action=_either(_IN_SESSIONS, _BACK_ELSEWHERE)),
}
