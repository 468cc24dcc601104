"""A host with several files over HTTP: named once, its files under names that choose them."""

from __future__ import annotations

import json

from tests.snapshots import FORWARD, MIB, Device, pickled
from tests.web.conftest import OpenBrowser


def test_a_host_has_its_files(open_browser: OpenBrowser) -> None:
    event = {"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "aten::mm", "cat": "cpu_op"}
    trace = json.dumps({"schemaVersion": 1, "traceEvents": [event]}).encode()
    device = Device()
    device.alloc(MIB, FORWARD)
    browser = open_browser({"r/vm.pt.trace.json": trace, "r/snapshot.pickle": pickled([device])})
    [run] = browser.json("runs")["runs"]
    [host] = run["hosts"]
    assert (run["kind"], host["name"], host["format"]) == ("trace", "vm", "trace_events")
    assert run["size_bytes"] == host["size_bytes"] == sum(each["size_bytes"] for each in host["files"])
    assert [(each["name"], each["kind"], each["format"], each["file"]) for each in host["files"]] == [
        ("vm (trace)", "trace", "trace_events", "vm.pt.trace.json"),
        ("vm (memory)", "memory", "memory_snapshot", "snapshot.pickle"),
    ]
    for query in ({"host": "vm"}, {"host": "vm (memory)"}, {}):
        answer = browser.json("data", {"run": "r", "tool": "memory_profile", **query})
        assert answer["hosts"] == ["vm (memory)"]
        assert [(each["file"], each["used"]) for each in answer["quality"]["files"]] == (
            [("vm.pt.trace.json", False), ("snapshot.pickle", True)]
            if query != {"host": "vm (memory)"}
            else [("snapshot.pickle", True), ("vm.pt.trace.json", False)]
        )
    missing = {each["name"]: each["missing"] for each in browser.json("tools", {"run": "r"})["tools"]}
    assert missing["memory_profile"] is missing["overview"] is None
    assert browser.get("data", {"run": "r", "tool": "overview", "host": "vm (nothing)"}).status_code == 404
