"""The route that gives one XLA program as a file."""

from __future__ import annotations

import gzip

import pytest

from tests.build_capture import Space
from tests.build_program import computation, instruction, program, shape
from tests.small_tool import space
from tests.web.conftest import OpenBrowser

NEGATE = [
    instruction(1, "x", "parameter", shape("f32", 8)),
    instruction(2, 'ä"<b>\\', "negate", shape("f32", 8), (1,)),
]
PROGRAM = program(computation(1, NEGATE), entry=1, name="jit_f")


def held(*keys: str) -> Space:
    made = Space()
    plane = made.plane("/host:metadata")
    for key in keys:
        plane.kind(key, stats={"Hlo Proto": PROGRAM})
    made.plane("/host:CPU").line(1, "t").event("e", 0, 1)
    return made


def test_a_text(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/a.xplane.pb": held("jit_f(5)")})
    response = browser.get("program", {"run": "r"})
    assert (response.status_code, response.mimetype) == (200, "text/plain")
    assert response.headers["Content-Disposition"] == 'attachment; filename="jit_f_5.hlo.txt"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.text.startswith("HloModule jit_f")
    assert '  ROOT %ä"<b>\\ = f32[8]{0} negate(%x)\n' in response.text
    zipped = browser.get("program", {"run": "r"}, headers={"Accept-Encoding": "gzip"})
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.data) == response.data
    head = browser.client.head("/data/plugin/perfplugin/program?run=r")
    assert (head.status_code, head.data) == (200, b"")


def test_a_graph_quotes_what_a_file_says(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/a.xplane.pb": held("jit_f(5)")})
    response = browser.get("program", {"run": "r", "format": "dot"})
    assert response.mimetype == "text/vnd.graphviz"
    assert '    n1_2 [label="ä\\"<b>\\\\\\nnegate\\nf32[8]{0}", style=bold]\n' in response.text
    assert "  n1_1 -> n1_2\n" in response.text


def test_the_message_itself_of_the_program_that_is_meant(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/a.xplane.pb": held("../x(1)"), "r/b.xplane.pb": held("jit_f(5)")})
    response = browser.get("program", {"run": "r", "format": "pb", "program": "jit_f"})
    assert (response.mimetype, response.data) == ("application/octet-stream", PROGRAM)
    assert response.headers["Content-Disposition"] == 'attachment; filename="jit_f_5.hlo_proto.pb"'
    odd = browser.get("program", {"run": "r", "program": "../x(1)"})
    assert odd.headers["Content-Disposition"] == 'attachment; filename="x_1.hlo.txt"'


@pytest.mark.parametrize(
    ("query", "status", "kind", "message"),
    [
        ({}, 400, "bad_argument", "run is missing"),
        ({"run": "nope"}, 404, "not_found", "nope"),
        ({"run": "r", "format": "html"}, 400, "bad_argument", "use one of text, dot, pb"),
        ({"run": "r", "program": "g"}, 400, "bad_argument", r"program='g': use one of jit_f(5)"),
        ({"run": "r", "nope": "1"}, 400, "bad_argument", "use one of program, format"),
        ({"run": "none"}, 404, "not_found", "holds no XLA program"),
    ],
)
def test_what_is_wrong_is_said(
    open_browser: OpenBrowser, query: dict[str, str], status: int, kind: str, message: str
) -> None:
    browser = open_browser({"r/a.xplane.pb": held("jit_f(5)"), "none/a.xplane.pb": space("x")})
    response = browser.get("program", query)
    error = (response.json or {})["error"]
    assert (response.status_code, error["kind"]) == (status, kind)
    assert message in error["message"]


def test_a_turn_ends_with_the_answer(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/a.xplane.pb": held("jit_f(5)")})
    for _ in range(6):
        response = browser.get("program", {"run": "r"})
        assert (response.status_code, bool(response.data)) == (200, True)
        response.close()
    for _ in range(6):
        assert browser.client.head("/data/plugin/perfplugin/program?run=r").status_code == 200
