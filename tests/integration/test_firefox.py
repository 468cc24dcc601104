"""In Firefox: nothing a person set is lost, a failed request is no fact, and what takes long says how far it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration._board import Board
from tests.integration._firefox import FIREFOX, Firefox, firefox

RUN = "torch_train"
FILTER = "document.querySelector('main input[type=search]')"
ENTER = "\ue007"
ALERT = "document.querySelector('[role=alert]')?.innerText"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    if not FIREFOX:
        pytest.skip("no Firefox: `apt-get install firefox-esr`, or name another in PERFPLUGIN_FIREFOX")
    with firefox(tmp_path_factory.mktemp("firefox")) as window:
        yield window


def tool(title: str) -> str:
    return f"[...document.querySelectorAll('nav a')].find(link => link.textContent === '{title}')"


def button(name: str) -> str:
    return f"[...document.querySelectorAll('button')].find(each => each.textContent.startsWith('{name}'))"


def test_what_a_person_set_is_there_after_another_page_and_a_reload(window: Firefox, samples_board: Board) -> None:
    samples_board.runs()
    window.open(samples_board, run=RUN, tool="op_stats")
    window.settle()
    window.click(FILTER)
    window.type("addmm")
    window.wait_for_address("tool=op_stats.*ops.filter=addmm")
    window.click(tool("Overview"))
    window.wait_for_address("tool=overview.*op_stats~ops.filter=addmm")
    window.reload()
    window.settle()
    window.click(tool("Trace"))
    window.wait_for_address("tool=trace_viewer")
    window.settle()
    window.click(FILTER)
    window.type("addmm")
    window.wait("document.querySelectorAll('section[aria-label=Hits] li').length")
    window.type(ENTER)
    window.wait("document.querySelector('section[aria-label=\"Selected slice\"]') !== null")
    window.ask("document.querySelector('.trace-canvas').focus()")
    window.type("m")
    window.wait_for_address("tool=trace_viewer.*marks=")
    window.click(tool("Ops"))
    window.wait_for_address("tool=op_stats")
    window.settle()
    assert window.ask(f"{FILTER}.value") == "addmm"
    window.click(tool("Trace"))
    window.wait(f"Boolean({button('Marks 1')})")
    window.close(samples_board)


@pytest.mark.parametrize("page", ["overview", "trace_viewer", "kernel_stats"])
def test_a_page_whose_server_went_away_says_so_and_is_whole_when_it_is_back(
    window: Firefox, samples_board: Board, page: str
) -> None:
    run = "gpu_streams/2026_11_20_09_00_00"
    samples_board.runs()
    window.open(samples_board, run=run, tool=page)
    window.settle()
    whole = window.ask("document.querySelector('main').innerText")
    with window.routed({r"/plugin/perfplugin/data\?": "fail"}):
        window.reload()
        window.wait(ALERT, lambda text: bool(text) and "TensorBoard does not respond" in text)
    # Nobody presses anything.
    window.settle()
    window.wait("document.querySelector('main').innerText", lambda text: text == whole)
    assert window.ask(ALERT) is None
    window.close(samples_board)


def test_an_answer_that_takes_long_says_how_far_it_is_and_is_called_off(window: Firefox, samples_board: Board) -> None:
    samples_board.runs()
    window.open(samples_board, run=RUN, tool="overview")
    window.settle()
    state = {"schema": 1, "stage": "analysing", "host": "h3", "hosts": 8, "hosts_done": 2}
    state |= {"size_bytes": 80_000_000, "done_bytes": 20_000_000, "elapsed_s": 4.0}
    with window.routed({r"/data\?.*tool=op_stats": "hold", r"/progress\?": state}):
        window.click(tool("Ops"))
        told = window.wait(
            "[...document.querySelectorAll('[role=status]')].map(each => each.innerText).find(text => /h3/.test(text))"
        )
        assert "analysing h3, 2 of 8 hosts" in told
        assert "20.0 MB of 80.0 MB" in told
        window.click(button("Cancel"))
        window.wait(ALERT, lambda text: bool(text) and "Cancelled" in text)
        assert any(url.endswith("/progress/cancel") for url in window.asked)
    window.click(button("Try again"))
    window.settle()
    assert window.ask("document.querySelector('section[aria-label=Ops]') !== null")
    window.close(samples_board)
