"""The page of an XLA program around one instruction: pressed, walked, opened, searched, read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.integration._board import Board, tensorboard
from tests.integration._browser import Theme, open_tab, tab_of
from tests.integration.test_browser_views import NAMELESS, SIDEWAYS

RUN = "s"
F32 = shape("f32", 8, 4)
#: x → fusion.1 (tanh, then negate) → add.2 → copy.3, and 120 users of x.
PROGRAM = program(
    computation(
        1,
        [
            instruction(1, "p", "parameter", F32),
            instruction(2, "tanh.1", "tanh", F32, (1,)),
            instruction(3, "neg<b>", "negate", F32, (2,)),
        ],
        root=3,
    ),
    computation(
        2,
        [
            instruction(1, "x", "parameter", F32),
            instruction(2, "fusion.1", "fusion", F32, (1,), calls=(1,), op_name="jit(f)/neg"),
            instruction(3, "add.2", "add", F32, (2, 2), op_name="jit(f)/add", source=("model.py", 7)),
            instruction(4, "copy.3", "copy", F32, (3,)),
            *(instruction(10 + i, f"dot.{i}", "dot", F32, (1, 1)) for i in range(120)),
        ],
        root=4,
    ),
    entry=2,
)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("graph")
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": PROGRAM})
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, (name, us) in enumerate((("add.2", 6), ("fusion.1", 3), ("copy.3", 1))):
        stats: dict[str, StatValue] = {"hlo_op": name, "hlo_module": "jit_f", "program_id": 5}
        line.event(f"kernel_{name}", i * 10**7, us * 10**6, stats)
    session = folder / "logs/plugins/profile/s"
    session.mkdir(parents=True)
    (session / "h.xplane.pb").write_bytes(space.bytes())
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs()
        yield board


@pytest.mark.parametrize(("theme", "size"), [("light", (1440, 900)), ("dark", (800, 900))])
def test_the_sentence_says_what_it_reads_and_what_uses_it(
    browser: Browser, board: Board, theme: Theme, size: tuple[int, int]
) -> None:
    tab = open_tab(browser, board, {"run": RUN, "tool": "graph_viewer"}, theme, size)
    tab.settle()
    heading = "add.2 of jit_f takes 60.0 % of the program’s time, 6.00 µs: it reads fusion.1 and is used by copy.3."
    expect(tab.inside.get_by_role("heading", level=1).first).to_have_text(heading)
    assert tab.frame.evaluate(SIDEWAYS) == 0
    assert tab.frame.evaluate(NAMELESS) == []
    tab.watch.check()
    tab.page.context.close()


def test_a_press_shows_an_instruction_and_two_go_there(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="graph_viewer") as tab:
        tab.settle()
        fusion = tab.inside.get_by_role("button", name=re.compile("^fusion.1: fusion"))
        fusion.click()
        tab.settle()
        expect(fusion).to_have_attribute("aria-pressed", "true")
        details = tab.inside.get_by_role("region", name="Instruction fusion.1")
        expect(details).to_contain_text("%fusion.1 = f32[8,4]{1,0} fusion(f32[8,4]{1,0} %x), calls=")
        details.get_by_role("button", name="Show around this").click()
        tab.settle()
        assert "instruction=fusion.1" in tab.address()
        tab.inside.get_by_role("button", name=re.compile("^x: parameter")).dblclick()
        tab.settle()
        assert "instruction=x" in tab.address()
        expect(tab.inside.locator("main")).to_contain_text("the nearest 100 of 123")


def test_keys_walk_open_and_centre(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="graph_viewer", radius="1") as tab:
        tab.settle()
        add = tab.inside.get_by_role("button", name=re.compile("^add.2: add"))
        add.focus()
        tab.page.keyboard.press("ArrowUp")
        tab.settle()
        expect(tab.inside.get_by_role("button", name=re.compile("^fusion.1: "))).to_be_focused()
        tab.page.keyboard.press("o")
        tab.settle()
        expect(tab.inside.get_by_role("button", name=re.compile("^neg<b>: negate"))).to_be_visible()
        tab.page.keyboard.press("ArrowDown")
        tab.page.keyboard.press("c")
        tab.settle()
        assert tab.inside.locator(".hlo-node.middle").count() == 1


def test_a_word_finds_an_instruction(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="graph_viewer") as tab:
        tab.settle()
        tab.inside.get_by_role("searchbox", name=re.compile("^Find an instruction")).fill("neg")
        tab.inside.locator(".hlo-found").get_by_role("button", name=re.compile("neg<b>")).click()
        tab.settle()
        expect(tab.inside.get_by_role("region", name="Instruction neg<b>")).to_contain_text("fusion.1")


def test_the_text_is_read_where_the_instruction_is(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="graph_viewer", text="1") as tab:
        tab.settle()
        text = tab.inside.get_by_role("region", name=re.compile("^Text of the program"))
        expect(text.locator(".here")).to_contain_text("%add.2 = f32[8,4]{1,0} add(%fusion.1, %fusion.1)")
        # Of 130 lines only those that are seen exist.
        assert text.locator(".hlo-line").count() < 70
        text.locator(".here").get_by_role("button", name="%fusion.1").first.click()
        tab.settle()
        expect(text.locator(".here")).to_contain_text("%fusion.1 = ")
        tab.watch.check()


def test_what_is_downloaded(browser: Browser, board: Board, tmp_path: Path) -> None:
    with tab_of(browser, board, run=RUN, tool="graph_viewer") as tab:
        tab.settle()
        for link, name, begin in (
            ("text", "jit_f_5.hlo.txt", b"HloModule"),
            ("dot", "jit_f_5.dot", b"digraph"),
            ("proto", "jit_f_5.hlo_proto.pb", PROGRAM[:20]),
        ):
            with tab.page.expect_download() as download:
                tab.inside.get_by_role("link", name=link, exact=True).click()
            download.value.save_as(tmp_path / name)
            assert download.value.suggested_filename == name
            assert (tmp_path / name).read_bytes().startswith(begin)


def test_names_of_files_are_text(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="graph_viewer", instruction="neg<b>", text="1") as tab:
        tab.settle()
        assert tab.frame.evaluate("document.querySelectorAll('.hlo-node b:not(.number), .hlo-code b').length") == 0
        tab.watch.check()
