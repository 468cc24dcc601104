"""`perfplugin check`: machines in a folder, each with one thing that keeps devices from being recorded."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import doctor
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.doctor import Machine, MachineCheck, check_machine
from tensorboard_perfplugin.doctor.machine import run_program

USER, ADMIN, PERFMON = "0000000000000000", "0000000000200000", "0000004000000000"
BUILT = "build_info = collections.OrderedDict([('cuda_version', '12.5.1'), ('is_cuda_build', True)])\n"
UNBUILT = "build_info = collections.OrderedDict([('is_cuda_build', False)])\n"


@dataclass
class Seed:
    """A machine to be: files below its root, a package's files, versions of packages, environment, programs."""

    files: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    environ: dict[str, str] = field(default_factory=dict)
    programs: dict[str, tuple[int, str]] = field(default_factory=dict)

    def made(self, folder: Path) -> Machine:
        for name, text in self.files.items():
            write(folder / "root" / name, text)
        for name, text in self.packages.items():
            write(folder / "packages" / name, text)
        for name, target in self.links.items():
            (folder / name).symlink_to(target)
        return Machine(
            str(folder / "root"),
            self.environ,
            (str(folder / "packages"),),
            self.ran,
            lambda name: self.versions.get(name),
        )

    def ran(self, command: Sequence[str]) -> tuple[int, str] | None:
        return self.programs.get(command[0])

    def without(self, *names: str) -> Seed:
        for each in (self.files, self.links, self.packages, self.versions, self.programs):
            for name in [name for name in each if name.startswith(names)]:
                del each[name]
        return self

    def adding(self, **more: Mapping[str, object]) -> Seed:
        for name, values in more.items():
            getattr(self, name).update(values)
        return self


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def driver(version: str) -> dict[str, str]:
    return {
        "proc/driver/nvidia/version": f"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  {version}  Release\n"
    }


def caps(held: str) -> dict[str, str]:
    return {"proc/self/status": f"Name:\tpython\nCapPrm:\t{ADMIN}\nCapEff:\t{held}\n"}


def switch(value: int) -> dict[str, str]:
    return {"proc/driver/nvidia/params": f"ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: {value}\n"}


def trainer() -> Seed:
    """A machine with an H100 on which all is as it should be."""
    return Seed(
        files={
            "proc/driver/nvidia/gpus/0000:17:00.0/information": "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ: 1\n",
            "dev/nvidia0": "",
            "proc/1/comm": "init\n",
            **driver("550.54.15"),
            **switch(0),
            **caps(USER),
        },
        packages={
            "nvidia/cuda_cupti/lib/libcupti.so.2024.1.1": "",
            "tensorflow/python/platform/build_info.py": BUILT,
            "torch/version.py": "__version__ = '2.13.0'\ncuda: Optional[str] = '12.8'\n",
        },
        links={"packages/nvidia/cuda_cupti/lib/libcupti.so.12": "libcupti.so.2024.1.1"},
        versions={
            "tensorflow": "2.21.0",
            "jax": "0.10.2",
            "jaxlib": "0.10.2",
            "jax-cuda12-plugin": "0.10.2",
            "torch": "2.13.0",
        },
        programs={"nvidia-smi": (0, "NVIDIA H100 80GB HBM3, 550.54.15\n")},
    )


def troubles(machine: Machine) -> list[MachineCheck]:
    return [each for each in check_machine(machine) if each.state != "ok"]


def test_a_machine_where_all_is_well(tmp_path: Path) -> None:
    machine = trainer().made(tmp_path)
    wheel = tmp_path / "packages/nvidia/cuda_cupti/lib/libcupti.so.12"
    found = check_machine(machine)
    assert {each.state for each in found} == {"ok"}
    assert found[1:] == [
        MachineCheck("gpus", {"gpus": 1, "models": "NVIDIA H100 80GB HBM3", "driver": "550.54.15"}),
        MachineCheck("tensorflow_with_cuda", {"name": "tensorflow", "major": 12}),
        MachineCheck("jax_with_cuda", {"major": 12}),
        MachineCheck("torch_with_cuda", {"version": "2.13.0", "major": 12}),
        MachineCheck("cupti", {"version": "2024.1.1", "path": str(wheel)}),
        MachineCheck("everyone_may_profile"),
        MachineCheck("no_other_profiler", {"processes": 1}),
        MachineCheck("environment"),
    ]


CUPTI = ("packages/nvidia", "nvidia/")
HOME = "usr/local/cuda-12.4/extras/CUPTI/lib64"
PCI = "sys/bus/pci/devices/0000:17:00.0"
#: What is wrong → the machine, the code of the only line that is not ok, and its numbers and names but paths.
SEEDS: dict[str, tuple[Seed, str, dict[str, Any]]] = {
    "kept for administrators": (
        trainer().adding(files=switch(1)),
        "no_counters_without_administrator",
        {},
    ),
    "kept for administrators, CAP_PERFMON before driver 565": (
        trainer().adding(files={**switch(1), **caps(PERFMON)}),
        "no_counters_without_administrator",
        {},
    ),
    "kept for administrators, CUPTI of CUDA 10": (
        Seed(
            {**trainer().files, **switch(1), "opt/cuda10/libcupti.so.10.1": ""},
            versions={"torch": "1.5"},
            environ={"LD_LIBRARY_PATH": "/opt/cuda10"},
            packages={"torch/version.py": "cuda = '10.1'\n"},
        ),
        "nothing_without_administrator",
        {"cupti": 10},
    ),
    "not told who may profile": (
        trainer().without("proc/driver/nvidia/params"),
        "permission_unknown",
        {},
    ),
    "no libcupti": (
        trainer().without(*CUPTI),
        "no_cupti",
        {"major": 12, "folder": None, "package": "nvidia-cuda-cupti-cu12"},
    ),
    "libcupti where nobody looks": (
        trainer().without(*CUPTI).adding(files={f"{HOME}/libcupti.so.12": ""}),
        "cupti_not_looked_for",
        {"major": 12, "package": None},
    ),
    "libcupti of another CUDA": (
        trainer()
        .without("torch", "jax")
        .adding(packages={"nvidia/cuda_cupti/lib/libcupti.so.11": ""})
        .without("packages/nvidia"),
        "cupti_of_another_cuda",
        {"framework": "TensorFlow", "major": 12, "folder": None, "package": "nvidia-cuda-cupti-cu12"},
    ),
    "a driver too old": (
        trainer().without("torch", "jax").adding(files=driver("470.182.03")),
        "driver_too_old",
        {"version": "470.182.03", "major": 12, "framework": "TensorFlow", "needed": "525.60.13"},
    ),
    "Nsight Systems runs": (
        trainer().adding(files={"proc/77/comm": "nsys\n"}),
        "profiler_holds_cupti",
        {"program": "nsys"},
    ),
    "DCGM runs": (
        trainer().adding(files={"proc/77/comm": "nv-hostengine\n"}),
        "profiler_holds_counters",
        {"program": "nv-hostengine"},
    ),
    "a profiler is injected": (
        trainer().adding(environ={"CUDA_INJECTION64_PATH": "/opt/nsys/libToolsInjection64.so"}),
        "profiler_injected",
        {"name": "CUDA_INJECTION64_PATH", "value": "/opt/nsys/libToolsInjection64.so"},
    ),
    "profiling is off": (
        trainer().adding(environ={"TF_DISABLE_PROFILING": "1"}),
        "profiling_disabled",
        {"name": "TF_DISABLE_PROFILING", "value": "1"},
    ),
    "GPUs are hidden": (
        trainer().adding(environ={"CUDA_VISIBLE_DEVICES": ""}),
        "gpus_hidden",
        {"name": "CUDA_VISIBLE_DEVICES", "value": ""},
    ),
    "JAX is told to use the CPU": (
        trainer().adding(environ={"JAX_PLATFORMS": "cpu"}),
        "jax_on_cpu",
        {"name": "JAX_PLATFORMS", "value": "cpu"},
    ),
    "a container without GPUs": (
        trainer().without("dev/nvidia0"),
        "gpus_not_in_container",
        {"gpus": 1},
    ),
    "nvidia-smi does not work": (
        trainer().adding(programs={"nvidia-smi": (18, "Failed to initialize NVML: Driver/library version mismatch\n")}),
        "nvidia_smi_mismatch",
        {
            "gpus": 1,
            "models": "NVIDIA H100 80GB HBM3",
            "driver": "550.54.15",
            "message": "Failed to initialize NVML: Driver/library version mismatch",
        },
    ),
    "TensorFlow for the CPU": (
        trainer()
        .without("tensorflow")
        .adding(versions={"tensorflow-cpu": "2.21.0"}, packages={"tensorflow/python/platform/build_info.py": UNBUILT}),
        "tensorflow_without_cuda",
        {"name": "tensorflow-cpu", "version": "2.21.0"},
    ),
    "JAX without its plugin": (
        trainer().without("jax-cuda12"),
        "jax_without_cuda",
        {"version": "0.10.2"},
    ),
    "PyTorch for the CPU": (
        trainer().adding(
            versions={"torch": "2.13.0+cpu"}, packages={"torch/version.py": "cuda: Optional[str] = None\n"}
        ),
        "torch_without_cuda",
        {"version": "2.13.0+cpu"},
    ),
    "a card without a driver": (
        Seed({f"{PCI}/vendor": "0x10de\n", f"{PCI}/class": "0x030200\n", "proc/1/comm": ""}, versions={"jax": "1"}),
        "nvidia_card_without_driver",
        {"cards": 1},
    ),
    "an AMD card that the container lacks": (
        Seed(
            {"sys/class/kfd/kfd/topology/nodes/1/properties": "cpu_cores_count 0\nsimd_count 440\n", "proc/1/comm": ""},
            versions={"jax": "1"},
        ),
        "amd_not_in_container",
        {"gpus": 1},
    ),
    "a TPU without libtpu": (
        Seed({"dev/accel0": "", "dev/accel1": "", "proc/1/comm": ""}, versions={"jax": "1"}),
        "tpu_without_library",
        {"chips": 2},
    ),
    "WSL": (
        Seed(
            {
                "dev/dxg": "",
                "usr/lib/wsl/lib/libcuda.so.1": "",
                "usr/lib/wsl/lib/libcupti.so.12": "",
                "proc/1/comm": "",
            },
            versions={"torch": "2.13.0"},
            environ={"LD_LIBRARY_PATH": "/usr/lib/wsl/lib"},
            packages={"torch/version.py": "cuda = '12.8'\n"},
        ),
        "wsl",
        {},
    ),
    "no framework": (
        trainer().without("tensorflow", "jax", "torch"),
        "no_framework",
        {},
    ),
}


@pytest.mark.parametrize("name", SEEDS)
def test_one_thing_is_wrong(name: str, tmp_path: Path) -> None:
    seed, code, params = SEEDS[name]
    (wrong,) = troubles(seed.made(tmp_path))
    assert (wrong.code, {**wrong.params, **params}) == (code, wrong.params)


def test_a_libcupti_that_nothing_looks_for_is_the_one_to_name(tmp_path: Path) -> None:
    (wrong,) = troubles(SEEDS["libcupti where nobody looks"][0].made(tmp_path))
    folder = str(tmp_path / "root" / HOME)
    assert (wrong.params["path"], wrong.params["folder"]) == (f"{folder}/libcupti.so.12", folder)


@pytest.mark.parametrize(("held", "version"), [(ADMIN, "550.54.15"), (PERFMON, "565.57.01")])
def test_an_administrator_may_profile(held: str, version: str, tmp_path: Path) -> None:
    machine = trainer().adding(files={**switch(1), **caps(held), **driver(version)}).made(tmp_path)
    assert troubles(machine) == []


def test_ldconfig_is_asked(tmp_path: Path) -> None:
    seed = trainer().without(*CUPTI).adding(files={"usr/lib/x86_64-linux-gnu/libcupti.so.12": ""})
    seed.programs["ldconfig"] = (0, "\tlibcupti.so.12 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libcupti.so.12\n")
    assert troubles(seed.made(tmp_path)) == []


def test_a_machine_without_devices(tmp_path: Path) -> None:
    seed = Seed({"proc/1/comm": ""}, versions={"jax": "0.10.2"}, environ={"CUDA_VISIBLE_DEVICES": ""})
    lines = check_machine(seed.made(tmp_path))
    assert [each.code for each in lines] == ["frameworks", "no_devices", "no_other_profiler", "environment"]


def test_amd_and_tpu_that_are_well(tmp_path: Path) -> None:
    seed = Seed(
        {
            "sys/class/kfd/kfd/topology/nodes/0/properties": "simd_count 0\n",
            "sys/class/kfd/kfd/topology/nodes/1/properties": "simd_count 440\n",
            "dev/kfd": "",
            "opt/rocm/lib/librocprofiler-sdk.so.0": "",
            "dev/accel0": "",
            "proc/1/comm": "",
        },
        versions={"jax": "0.10.2", "libtpu": "0.0.40"},
    )
    assert check_machine(seed.made(tmp_path))[1:3] == [
        MachineCheck("amd", {"gpus": 1, "tracer": "/opt/rocm/lib/librocprofiler-sdk.so.0"}),
        MachineCheck("tpu", {"chips": 1, "library": "libtpu 0.0.40"}),
    ]


def test_odd_files_are_survived(tmp_path: Path) -> None:
    """Bytes that are no text, a folder where a file should be, a number that is none, a program without an end."""
    seed = trainer().without("proc/self", "proc/driver/nvidia/version")
    machine = seed.made(tmp_path)
    root = tmp_path / "root"
    (root / "proc/driver/nvidia/params").write_bytes(b"\xff\xfeRmProfilingAdminOnly: 99999999999999999999\n" * 10_000)
    (root / "proc/driver/nvidia/version").mkdir()
    (root / "proc/1/comm").write_bytes(b"\x1b[31m\x00")
    assert {each.state for each in troubles(machine)} <= {"unknown"}
    assert run_program(("no-such-program-anywhere",)) is None


@pytest.mark.parametrize(("second", "state", "code"), [("launches_block", "unknown", 0), ("gpus_hidden", "FAIL", 3)])
def test_the_command(
    second: str, state: str, code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"name": "A", "value": "what\x1b[2J is here"}
    made = [MachineCheck("everyone_may_profile"), MachineCheck(second, given)]
    monkeypatch.setattr(doctor, "check_machine", lambda: made)
    assert main(["check"]) == code
    first, line, fix = capsys.readouterr().out.splitlines()
    assert first == "ok       permission: every user may profile (RmProfilingAdminOnly: 0)"
    assert line.startswith(f"{state.ljust(7)}  environment: A=what\\x1b[2J is here: ")
    assert fix == "         fix: unset A"


def test_the_command_on_this_machine() -> None:
    """Whatever this machine is: it ends with a code of its own, and imports no framework."""
    code = (
        "import sys; from tensorboard_perfplugin.cli import main; code = main(['check']); "
        "sys.exit(9 if {'jax', 'tensorflow', 'torch'} & set(sys.modules) else code)"
    )
    environ = {**os.environ, "TF_DISABLE_PROFILING": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environ, check=False)
    assert (done.returncode, done.stderr) == (3, "")
    assert "FAIL     environment: TF_DISABLE_PROFILING=1: " in done.stdout
