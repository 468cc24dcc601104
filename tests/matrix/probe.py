"""Opens a capture in the Python that runs this file, by command line and through a real TensorBoard; prints one JSON.

    ENVIRONMENT/bin/python probe.py LOGDIR

Only the standard library, and nothing of the project's tests: it runs where just the wheel is installed. Exits with 1
and one line on stderr where something does not answer.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode

PREFIX = "data/plugin/perfplugin/"
#: What users profile, and the other profiler: named in the report where it is installed.
PROFILED = ("tensorflow-cpu", "tensorflow_cpu", "jax", "xprof")
START_SECONDS = 60
SCAN_SECONDS = 30


@contextlib.contextmanager
def tensorboard(logdir: str) -> Iterator[str]:
    """A TensorBoard on a free port; gives its address."""
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", logdir, "--port", "0", "--load_fast=false"]
    with tempfile.TemporaryFile("w+") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:
        try:
            yield _address(process, output)
        finally:
            process.terminate()


def _address(process: subprocess.Popen[bytes], output: IO[str]) -> str:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        output.seek(0)
        said = output.read()
        if found := re.search(r"TensorBoard .* at (http://\S+)", said):
            return found[1]
        if process.poll() is not None:
            sys.exit(f"TensorBoard ended: {said.strip().splitlines()[-1:]}")
        time.sleep(0.1)
    sys.exit(f"TensorBoard is not ready after {START_SECONDS} s")


def get(address: str) -> tuple[int, Any]:
    """Status and JSON body."""
    try:
        with urllib.request.urlopen(address, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def first_run(address: str) -> str:
    """The first run of the listing, once the scan has found one."""
    end = time.monotonic() + SCAN_SECONDS
    while time.monotonic() < end:
        status, body = get(address + PREFIX + "runs")
        if status != 200:
            sys.exit(f"runs: {body['error']['message']}")
        if body["runs"]:
            return str(body["runs"][0]["name"])
        time.sleep(0.2)
    sys.exit(f"no run found after {SCAN_SECONDS} s")


def by_http(logdir: str) -> dict[str, Any]:
    """What a browser gets: our entry in the list of plugins, and the overview of the first run."""
    with tensorboard(logdir) as address:
        _, plugins = get(address + "data/plugins_listing")
        if "perfplugin" not in plugins:
            sys.exit(f"TensorBoard lists no perfplugin: {sorted(plugins)}")
        with urllib.request.urlopen(address + PREFIX + "static/index.js", timeout=60) as response:
            module_bytes = len(response.read())
        status, answer = get(address + PREFIX + "data?" + urlencode({"run": first_run(address), "tool": "overview"}))
    if status != 200:
        sys.exit(f"overview: {answer['error']['message']}")
    return {"tab": plugins["perfplugin"]["tab_name"], "module_bytes": module_bytes, "answer": answer}


def by_command(logdir: str) -> dict[str, Any]:
    """What `perfplugin overview` prints."""
    command = [str(Path(sys.executable).absolute().parent / "perfplugin"), "overview", logdir, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"perfplugin overview exits with {done.returncode}: {done.stderr.strip()}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def main(logdir: str) -> None:
    web, command = by_http(logdir), by_command(logdir)
    if web["answer"]["summary"] != command["summary"]:
        sys.exit("the command line and the browser get different numbers")
    installed = {(each.metadata["Name"] or "").lower(): each.version for each in importlib.metadata.distributions()}
    report = {
        "python": sys.version.split()[0],
        **{name: installed[name] for name in ("tensorboard", "numpy", "protobuf")},
        "beside": ", ".join(f"{name} {installed[name]}" for name in PROFILED if name in installed),
        "tab": web["tab"],
        "module_bytes": web["module_bytes"],
        "decoder": command["quality"]["decoder"],
        "events": command["quality"]["events_kept"],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    capture = str(Path(sys.argv[1]).resolve())
    # `python -m` puts the current folder in front, which may be a checkout: what is installed is what is asked.
    os.environ.pop("PYTHONPATH", None)
    os.chdir(tempfile.gettempdir())
    main(capture)
