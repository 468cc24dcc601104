"""Every line about a machine in words: code → its subject, whether devices will be recorded, what is there, a fix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ...messages import Param

State = Literal["ok", "FAIL", "unknown"]


class Line(msgspec.Struct, frozen=True):
    """Templates for one code. state: whether it lets devices be recorded. example: parameters as they may be."""

    subject: str
    state: State
    found: str
    fix: str = ""
    example: Mapping[str, Param] = msgspec.field(default_factory=dict)


_TRAINING = "run this with the Python of the training: /path/to/its/python -m tensorboard_perfplugin check"
_FRAMEWORKS = {
    "frameworks": Line(
        "frameworks",
        "ok",
        "{names}; Python {python} at {executable}",
        example={"names": "tensorflow 2.21.0, jax 0.10.2", "python": "3.12.1", "executable": "/usr/bin/python"},
    ),
    "no_framework": Line(
        "frameworks",
        "unknown",
        "no TensorFlow, JAX or PyTorch in Python {python} at {executable}",
        _TRAINING,
        {"python": "3.12.1", "executable": "/usr/bin/python"},
    ),
    "tensorflow_with_cuda": Line(
        "TensorFlow", "ok", "{name} was built for CUDA[ {major}]", example={"name": "tensorflow", "major": 12}
    ),
    "tensorflow_without_cuda": Line(
        "TensorFlow",
        "FAIL",
        "{name} {version} was built without CUDA",
        "pip uninstall -y {name} && pip install 'tensorflow\\[and-cuda]'",
        {"name": "tensorflow-cpu", "version": "2.21.0"},
    ),
    "tensorflow_build_unknown": Line(
        "TensorFlow",
        "unknown",
        "{name} does not say whether it was built for CUDA",
        example={"name": "tensorflow"},
    ),
    "jax_with_cuda": Line("JAX", "ok", "its plugin for CUDA {major} is installed", example={"major": 12}),
    "jax_without_cuda": Line(
        "JAX",
        "FAIL",
        "jax {version} is here without its plugin for CUDA",
        "pip install --upgrade 'jax\\[cuda13]', or 'jax\\[cuda12]' for a driver older than 580",
        {"version": "0.10.2"},
    ),
    "torch_with_cuda": Line(
        "PyTorch", "ok", "torch {version} was built for CUDA {major}", example={"version": "2.13.0", "major": 12}
    ),
    "torch_without_cuda": Line(
        "PyTorch",
        "FAIL",
        "torch {version} was built without CUDA",
        "install the build of PyTorch for CUDA: pip install --force-reinstall torch, from the index for your CUDA",
        {"version": "2.13.0+cpu"},
    ),
    "torch_build_unknown": Line(
        "PyTorch",
        "unknown",
        "torch {version} does not say whether it was built for CUDA",
        example={"version": "2.13.0"},
    ),
}

_GPUS = "{gpus:count GPU}[: {models}][; driver {driver}]"
_GPUS_SEEN: Mapping[str, Param] = {"gpus": 1, "models": "NVIDIA H100 80GB HBM3", "driver": "550.54.15"}
_NVIDIA = {
    "nvidia_card_without_driver": Line(
        "GPU",
        "FAIL",
        "{cards:count NVIDIA card} on the bus, and no driver of theirs (/proc/driver/nvidia is missing)",
        "install NVIDIA's driver, or load it: sudo modprobe nvidia; in a container: docker run --gpus all",
        {"cards": 1},
    ),
    "wsl": Line(
        "GPU",
        "unknown",
        "WSL 2: whether kernels are recorded depends on Windows's driver",
        "in Windows: NVIDIA Control Panel, Developer, Manage GPU Performance Counters, allow all users",
    ),
    "gpus_not_in_container": Line(
        "GPU",
        "FAIL",
        "the driver has {gpus:count GPU}, and none is given to this container (no /dev/nvidia0)",
        "docker run --gpus all, or the GPUs in the job's request",
        {"gpus": 8},
    ),
    "gpus": Line("GPU", "ok", _GPUS, example=_GPUS_SEEN),
    "nvidia_smi_mismatch": Line(
        "GPU",
        "FAIL",
        _GPUS + "; nvidia-smi says: {message}",
        "reboot: the driver was updated while it ran",
        {**_GPUS_SEEN, "message": "Failed to initialize NVML: Driver/library version mismatch"},
    ),
    "nvidia_smi_fails": Line(
        "GPU",
        "FAIL",
        _GPUS + "; nvidia-smi says: {message}",
        "nvidia-smi must work first",
        {**_GPUS_SEEN, "message": "No devices were found"},
    ),
    "driver_too_old": Line(
        "driver",
        "FAIL",
        "driver {version} is older than CUDA {major} needs, for which {framework} was built: {needed}",
        "update the driver to {needed} or later, or install {framework} for an older CUDA",
        {"version": "470.182.03", "major": 12, "framework": "TensorFlow", "needed": "525.60.13"},
    ),
}

#: One of folder and package is given.
_FETCH = (
    "[export LD_LIBRARY_PATH={folder}:$LD_LIBRARY_PATH, before the training starts]"
    "[pip install {package}, or CUDA {major}'s toolkit with its extras/CUPTI/lib64 in LD_LIBRARY_PATH]"
)
_PACKAGE: Mapping[str, Param] = {"folder": None, "package": "nvidia-cuda-cupti-cu12", "major": 12}
_CUPTI = {
    "cupti": Line(
        "CUPTI",
        "ok",
        "libcupti {version} at {path}",
        example={"version": "2024.1.1", "path": "/usr/lib/libcupti.so.12"},
    ),
    "cupti_of_another_cuda": Line(
        "CUPTI",
        "FAIL",
        "{framework} was built for CUDA {major}, and the libcupti that is found is of another: {others}",
        _FETCH,
        {**_PACKAGE, "framework": "JAX", "others": "/usr/lib/libcupti.so.11 (11)"},
    ),
    "cupti_not_looked_for": Line(
        "CUPTI",
        "FAIL",
        "libcupti is at {path}, where no program looks for it",
        _FETCH,
        {"path": "/opt/cuda/lib64/libcupti.so.12", "folder": "/opt/cuda/lib64", "package": None, "major": 12},
    ),
    "no_cupti": Line(
        "CUPTI",
        "FAIL",
        "no libcupti: not among this Python's packages, in LD_LIBRARY_PATH, ldconfig's list, or /usr/local/cuda",
        _FETCH,
        _PACKAGE,
    ),
}

_UNLOCK = (
    "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf"
    " && sudo update-initramfs -u && sudo reboot (dracut -f where there is no update-initramfs); "
    "in a container: docker run --cap-add=SYS_ADMIN, in Kubernetes securityContext.capabilities.add: \\[SYS_ADMIN]"
)
_NO_ADMIN = "RmProfilingAdminOnly is 1, and this process has not CAP_SYS_ADMIN"
_PERMISSION = {
    "permission_unknown": Line(
        "permission",
        "unknown",
        "/proc/driver/nvidia/params does not say whether profiling is kept for administrators",
        f"if kernels are missing: {_UNLOCK}",
    ),
    "everyone_may_profile": Line("permission", "ok", "every user may profile (RmProfilingAdminOnly: 0)"),
    "administrator": Line(
        "permission",
        "ok",
        "kept for administrators, which this process is ({capability})",
        example={"capability": "CAP_SYS_ADMIN"},
    ),
    "nothing_without_administrator": Line(
        "permission",
        "FAIL",
        _NO_ADMIN + "; CUPTI {cupti} then records nothing (CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)",
        _UNLOCK,
        {"cupti": 10},
    ),
    "no_counters_without_administrator": Line(
        "permission",
        "unknown",
        _NO_ADMIN + ": hardware counters are refused; kernels are recorded all the same, but in some containers",
        f"if kernels are missing: {_UNLOCK}",
    ),
}

_OTHER_DEVICES = {
    "amd_not_in_container": Line(
        "GPU",
        "FAIL",
        "{gpus:count AMD GPU}, and no /dev/kfd in this container",
        "docker run --device=/dev/kfd --device=/dev/dri",
        {"gpus": 8},
    ),
    "amd_not_permitted": Line(
        "GPU",
        "FAIL",
        "{gpus:count AMD GPU}, and this user may not open /dev/kfd",
        "sudo usermod -aG render,video $USER, and log in again",
        {"gpus": 8},
    ),
    "amd_without_tracer": Line(
        "GPU",
        "FAIL",
        "{gpus:count AMD GPU}, and no rocprofiler or roctracer in /opt/rocm/lib",
        "install ROCm's rocprofiler-sdk and roctracer packages",
        {"gpus": 8},
    ),
    "amd": Line(
        "GPU",
        "ok",
        "{gpus:count AMD GPU}; {tracer}",
        example={"gpus": 8, "tracer": "/opt/rocm/lib/librocprofiler-sdk.so.0"},
    ),
    "tpu_without_library": Line(
        "TPU",
        "FAIL",
        "{chips:count TPU chip}, and no libtpu in this Python",
        "pip install 'jax\\[tpu]', or tensorflow-tpu",
        {"chips": 4},
    ),
    "tpu": Line("TPU", "ok", "{chips:count TPU chip}; {library}", example={"chips": 4, "library": "libtpu 0.0.40"}),
    "no_devices": Line(
        "devices",
        "ok",
        "no GPU and no TPU: profiles will hold the host alone (in a container that should have one: "
        "docker run --gpus all)",
    ),
}

_PROFILERS = {
    "processes_not_visible": Line("other profilers", "unknown", "/proc shows no processes"),
    "no_other_profiler": Line(
        "other profilers",
        "ok",
        "none among the {processes:count process|processes} here",
        example={"processes": 300},
    ),
    "profiler_holds_cupti": Line(
        "other profilers",
        "FAIL",
        "{program} runs, which holds CUPTI of the program that it started",
        "end it, or record a run that it did not start",
        {"program": "nsys"},
    ),
    "profiler_holds_counters": Line(
        "other profilers",
        "unknown",
        "{program} runs, which holds the GPUs' counters where it watches profiling metrics",
        "dcgmi profile --pause",
        {"program": "nv-hostengine"},
    ),
}


def _variable(state: State, name: str, effect: str) -> Line:
    return Line("environment", state, f"{{name}}={{value}}: {effect}", "unset {name}", {"name": name, "value": "1"})


_ENVIRONMENT = {
    "environment": Line("environment", "ok", "no variable here that keeps a profiler from recording"),
    "profiling_disabled": _variable(
        "FAIL", "TF_DISABLE_PROFILING", "the profilers of TensorFlow and JAX refuse to start"
    ),
    "profiler_injected": _variable(
        "FAIL",
        "CUDA_INJECTION64_PATH",
        "another profiler is put into every program that uses CUDA, and holds CUPTI",
    ),
    "gpus_hidden": _variable("FAIL", "CUDA_VISIBLE_DEVICES", "hides every GPU"),
    "jax_on_cpu": _variable("FAIL", "JAX_PLATFORMS", "JAX uses no GPU"),
    "no_activity_records": _variable(
        "FAIL", "TF_GPU_CUPTI_USE_ACTIVITY_API", "TensorFlow and JAX do not record kernels by CUPTI's records"
    ),
    "launches_block": _variable(
        "unknown", "CUDA_LAUNCH_BLOCKING", "each launch waits for its kernel: times are not those without it"
    ),
    "kernels_serialized": _variable(
        "unknown", "TF_GPU_CUPTI_FORCE_CONCURRENT_KERNEL", "kernels are recorded one after the other"
    ),
    "profiler_daemon": _variable(
        "unknown", "KINETO_USE_DAEMON", "a daemon (dynolog) may start PyTorch's profiler at any time"
    ),
}

MACHINE_LINES: Mapping[str, Line] = {
    **_FRAMEWORKS,
    **_NVIDIA,
    **_CUPTI,
    **_PERMISSION,
    **_OTHER_DEVICES,
    **_PROFILERS,
    **_ENVIRONMENT,
}
