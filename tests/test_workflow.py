"""The workflow of a release: what it names is there, and it builds each platform's wheels."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / ".github" / "workflows" / "wheels.yml"


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    read: dict[str, dict[str, Any]] = yaml.safe_load(WORKFLOW.read_text())
    return read["jobs"]


def commands(jobs: dict[str, Any]) -> list[str]:
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


def test_every_platform_has_its_wheels(jobs: dict[str, Any]) -> None:
    machines = {(of["system"].partition("-")[0], of["archs"]) for of in jobs["wheels"]["strategy"]["matrix"]["include"]}
    assert machines == {
        ("ubuntu", "x86_64"),
        ("ubuntu", "aarch64"),
        ("macos", "x86_64"),
        ("macos", "arm64"),
        ("windows", "AMD64"),
    }


def test_jobs_wait_for_jobs_that_there_are(jobs: dict[str, Any]) -> None:
    needed = {name for job in jobs.values() for name in job.get("needs", [])}
    assert needed == jobs.keys() - {"publish"}
    assert all({"runs-on", "steps"} <= job.keys() for job in jobs.values())
    assert all(("uses" in step) != ("run" in step) for job in jobs.values() for step in job["steps"])


def test_only_what_publishes_may_write(jobs: dict[str, Any]) -> None:
    assert [name for name, job in jobs.items() if "write" in job.get("permissions", {}).values()] == ["publish"]


def test_files_that_its_commands_name_are_there(jobs: dict[str, Any]) -> None:
    text = "\n".join(commands(jobs)) + (ROOT / "pyproject.toml").read_text().partition("[tool.cibuildwheel]")[2]
    paths = set(re.findall(r"(?<![\w/])(?:tests|tensorboard_perfplugin)/[\w/.]+", text))
    assert "tests/matrix/probe.py" in paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
    for module in re.findall(r"python -m (tests\.\w+)", text):
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file()


def test_its_commands_are_shell(jobs: dict[str, Any]) -> None:
    for command in commands(jobs):
        plain = re.sub(r"\$\{\{[^}]*\}\}", "x", command)
        done = subprocess.run(["bash", "-n"], input=plain, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), command


def test_a_release_is_published_by_its_own_repository_and_tag(jobs: dict[str, Any]) -> None:
    """The lines that it looks for are those of the files."""
    patterns = re.findall(r'grep -qx "(.*)" (\S+)$', "\n".join(commands(jobs)), re.MULTILINE)
    known = {"${GITHUB_REF_NAME#v}": "1.0.0", "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY": "https://host.example/us/it"}
    assert [path for _, path in patterns] == ["tensorboard_perfplugin/_version.py", "pyproject.toml"]
    for pattern, path in patterns:
        for name, value in known.items():
            pattern = pattern.replace(name, value)
        begin = pattern.replace("\\", "").partition('"')[0]
        assert re.search(rf'^{re.escape(begin)}"[^"]+"$', (ROOT / path).read_text(), re.MULTILINE)
