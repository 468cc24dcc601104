"""Opens captures in the Python that runs this file, by command line and through a real TensorBoard, and takes one.

    ENVIRONMENT/bin/python probe.py LOGDIR…

Prints one JSON, of the first logdir. Only the standard library and what comes with the wheel, nothing of the project's
tests: it runs where just the wheel is installed. Exits with 1 and one line on stderr where something does not answer.
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
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
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


def perfplugin(*words: str) -> str:
    """What the command prints."""
    command = [str(Path(sys.executable).absolute().parent / "perfplugin"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"perfplugin {words[0]} exits with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def opened(logdir: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the browser gets, and what the command line does: the same numbers."""
    web, command = by_http(logdir), json.loads(perfplugin("overview", logdir, "--json"))
    if web["answer"]["summary"] != command["summary"]:
        sys.exit("the command line and the browser get different numbers")
    return web, command


@contextlib.contextmanager
def profiler(recording: bytes) -> Iterator[str]:
    """The address of a profiler's server, by gRPC's library as it is installed, that records this XSpace."""
    import grpc

    # Field 8 of the answer holds the XSpace: its number and kind, its length, itself.
    *low, high = (len(recording) >> shift & 127 for shift in range(0, len(recording).bit_length(), 7))
    reply = b"\x42" + bytes([*(part | 128 for part in low), high]) + recording

    class Server(grpc.GenericRpcHandler):  # type: ignore[misc]
        def service(self, details: Any) -> Callable[..., Any]:
            handler: Callable[..., Any] = grpc.unary_unary_rpc_method_handler(lambda request, context: reply)
            return handler

    server = grpc.server(ThreadPoolExecutor(2), handlers=(Server(),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(0).wait()


def captured(recording: bytes) -> None:
    """`perfplugin capture` brings a recording home whole."""
    with tempfile.TemporaryDirectory() as logdir, profiler(recording) as address:
        perfplugin("capture", address, "--logdir", logdir, "--duration", "10ms")
        written = [path.read_bytes() for path in Path(logdir).rglob("*.xplane.pb")]
    if written != [recording]:
        sys.exit(f"a capture of {len(recording)} bytes came as files of {[len(each) for each in written]}")


def main(logdirs: list[str]) -> None:
    (web, command), *_ = [opened(logdir) for logdir in logdirs]
    captured(next(Path(logdirs[0]).rglob("*.xplane.pb")).read_bytes())
    installed = {(each.metadata["Name"] or "").lower(): each.version for each in importlib.metadata.distributions()}
    report = {
        "python": sys.version.split()[0],
        **{name: installed[name] for name in ("tensorboard", "numpy", "protobuf", "msgspec", "grpcio")},
        "beside": ", ".join(f"{name} {installed[name]}" for name in PROFILED if name in installed),
        "tab": web["tab"],
        "module_bytes": web["module_bytes"],
        "decoder": command["quality"]["decoder"],
        "events": command["quality"]["events_kept"],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    given = [str(Path(word).resolve()) for word in sys.argv[1:]]
    # `python -m` puts the current folder in front, which may be a checkout: what is installed is what is asked.
    os.environ.pop("PYTHONPATH", None)
    os.chdir(tempfile.gettempdir())
    main(given)
