"""The button that captures, in a real browser on a real TensorBoard, from faked profilers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.capture.fake_server import FakeProfiler, NoProfiler, serving, small_xspace
from tests.integration._board import Board, tensorboard, until
from tests.integration._browser import NARROW, Tab, Theme, open_tab, run_button, tab_of
from tests.integration.test_tensorboard import put

THEMES: tuple[Theme, Theme] = ("light", "dark")


@dataclass(frozen=True)
class Place:
    """A TensorBoard on a logdir that holds one run."""

    logdir: Path
    board: Board

    def files(self) -> set[Path]:
        """Everything that is in the logdir, hidden folders as well."""
        return set(self.logdir.rglob("*"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("capture")
    put(folder / "logs/old/plugins/profile/s1/h.xplane.pb")
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs()
        yield Place(folder / "logs", board)


@contextmanager
def profilers(*faked: FakeProfiler | NoProfiler) -> Iterator[list[str]]:
    """Their addresses."""
    with ExitStack() as stack:
        yield [str(stack.enter_context(serving(each))) for each in faked]


def trainer() -> FakeProfiler:
    return FakeProfiler(small_xspace("trainer"))


def opened(tab: Tab) -> Locator:
    """The dialog, once its form is there."""
    tab.inside.get_by_role("button", name="Capture profile").click()
    dialog = tab.inside.get_by_role("dialog", name="Capture a profile")
    expect(addresses(dialog)).to_be_focused()
    return dialog


def addresses(dialog: Locator) -> Locator:
    return dialog.get_by_role("textbox", name="Profiler servers")


def host_line(dialog: Locator, address: str) -> Locator:
    return dialog.get_by_role("list", name="Profiler servers").get_by_role("listitem").filter(has_text=address)


def test_from_the_empty_page_to_the_run_by_keys_alone(browser: Browser, tmp_path: Path, log: Path) -> None:
    profiler = trainer()
    with (
        profilers(profiler, FakeProfiler(small_xspace("other"))) as (one, two),
        tensorboard(log, "--logdir", str(tmp_path / "logs")) as board,
        tab_of(browser, board) as tab,
    ):
        expect(tab.inside.get_by_text("jax.profiler.start_server(6009)")).to_be_visible()
        expect(tab.inside.get_by_role("heading", name="No profile to show yet")).to_be_visible()
        tab.enter()
        tab.page.keyboard.press("Shift+C")
        dialog = tab.inside.get_by_role("dialog", name="Capture a profile")
        expect(addresses(dialog)).to_be_focused()
        tab.page.keyboard.type(f"{one}, grpc://{two}")
        expect(host_line(dialog, one)).to_contain_text("ready")
        expect(host_line(dialog, two)).to_contain_text("ready")
        tab.screenshot("capture_checked")
        tab.page.keyboard.press("Enter")
        expect(dialog.get_by_role("progressbar", name="Capture")).to_be_visible()
        expect(dialog.get_by_text(re.compile(r"about \d\.\d s left"))).to_be_visible()
        expect(host_line(dialog, two)).to_contain_text(re.compile(r"Recording, \d\.\d s left"))
        tab.screenshot("capture_goes_on")
        look = dialog.get_by_role("button", name="Open")
        expect(look).to_be_focused()
        expect(dialog.get_by_role("status")).to_contain_text("2 profiles captured")
        for address in (one, two):
            expect(host_line(dialog, address)).to_contain_text(re.compile(r"\d+ B in \d"))
        (run,) = board.runs()
        # The run is open, below the dialog, before anybody asks for it.
        expect(run_button(tab)).to_contain_text(run["name"][-10:])
        tab.screenshot("capture_ended")
        tab.page.keyboard.press("Enter")
        expect(dialog).to_have_count(0)
        tab.settle()
        expect(tab.inside.get_by_role("button", name="Capture profile")).to_be_focused()
        expect(tab.inside.locator("main")).to_contain_text("Steps take 10")
        assert f"p.perfplugin.run={run['name']}" in tab.address()
        (asked,) = profiler.recorded
        levels = (asked.opts.host_tracer_level, asked.opts.device_tracer_level, asked.opts.python_tracer_level)
        assert (asked.opts.duration_ms, *levels) == (2000, 2, 1, 0)
        # The next time the addresses are there, also after a reload.
        tab.page.reload()
        expect(addresses(opened(tab))).to_have_value(f"{one}, grpc://{two}")
        job = board.post("capture/start", {"addresses": one, "options": {"duration_ms": 600_000}})["job"]
        until(lambda: board.ask("capture/state", job=job), lambda state: state["phase"] == "recording", "recording")
    # TensorBoard has ended: the profiler was told, and what was begun is gone.
    assert profiler.terminated == [profiler.recorded[1].session_id]
    assert [path.name for path in (tmp_path / "logs/plugins").iterdir()] == ["profile"]


def test_presets_fill_the_fields_which_are_then_sent(browser: Browser, place: Place) -> None:
    profiler = trainer()
    with profilers(profiler) as (one,), tab_of(browser, place.board) as tab:
        dialog = opened(tab)
        addresses(dialog).fill(one)
        dialog.get_by_role("button", name="Python stacks").click()
        expect(dialog.get_by_role("combobox", name="Python")).to_have_value("1")
        dialog.get_by_label("Duration").fill("0.3")
        expect(dialog.get_by_role("button", name="Python stacks")).to_have_attribute("aria-pressed", "false")
        dialog.get_by_role("combobox", name="Host").select_option("steps and markers")
        dialog.get_by_label("Session").fill("mine")
        dialog.get_by_text("More", exact=True).click()
        dialog.get_by_role("textbox", name=re.compile("name=value")).fill("gpu_enable_nvtx_tracking")
        dialog.get_by_text("More", exact=True).click()
        dialog.get_by_role("button", name="Capture", exact=True).click()
        # What is wrong is unfolded, and nothing is begun.
        advanced = dialog.get_by_role("textbox", name=re.compile("name=value"))
        expect(advanced).to_be_focused()
        assert advanced.evaluate("e => e.validationMessage") == "“gpu_enable_nvtx_tracking” is not name=value"
        advanced.fill("gpu_enable_nvtx_tracking=true\na=-3")
        dialog.get_by_role("button", name="Capture", exact=True).click()
        dialog.get_by_role("button", name="Open").click()
        expect(run_button(tab)).to_contain_text("mine")
        (asked,) = profiler.recorded
        opts = asked.opts
        assert (opts.duration_ms, opts.host_tracer_level, opts.python_tracer_level) == (300, 1, 1)
        sent = {entry.key: entry.value for entry in opts.advanced_configuration}
        assert (sent["gpu_enable_nvtx_tracking"].flag, sent["a"].number) == (True, -3)


def test_each_address_is_told_what_is_wrong_with_it(browser: Browser, place: Place) -> None:
    with profilers(NoProfiler()) as (no_profiler,), tab_of(browser, place.board) as tab:
        dialog = opened(tab)
        addresses(dialog).fill(f"{no_profiler}\n127.0.0.1:1 10.0.0.5:6009 nosuch.invalid:6009")
        expect(host_line(dialog, no_profiler)).to_contain_text("without a profiler")
        expect(host_line(dialog, "127.0.0.1:1")).to_contain_text("nothing listens", ignore_case=True)
        expect(host_line(dialog, "10.0.0.5:6009")).to_contain_text("--perfplugin_capture_allow=loopback,10.0.0.5:6009")
        expect(host_line(dialog, "nosuch.invalid:6009").get_by_role("img", name="no")).to_be_visible()
        addresses(dialog).fill("localhost")
        expect(addresses(dialog)).to_have_attribute("aria-invalid", "true")
        expect(dialog.get_by_text("'localhost': the port of the profiler server is missing")).to_be_visible()
        tab.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(tab.inside.get_by_role("button", name="Capture profile")).to_be_focused()


def test_what_fails_says_why_and_lets_it_be_changed(browser: Browser, place: Place) -> None:
    profiler, before = FakeProfiler(faults=["empty"]), place.files()
    with (
        profilers(profiler) as (one,),
        tab_of(browser, place.board, ("status 400", "400 (BAD REQUEST)")) as tab,
    ):
        dialog = opened(tab)
        addresses(dialog).fill(f"{one} 127.0.0.1:1")
        dialog.get_by_label("Duration").fill("0.2")
        dialog.get_by_label("Retries").fill("0")
        dialog.get_by_label("Session").fill("../up")
        dialog.get_by_role("button", name="Capture", exact=True).click()
        expect(dialog.get_by_role("alert")).to_contain_text("session: '../up' is not a valid name")
        dialog.get_by_label("Session").fill("")
        tab.page.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text("Nothing was captured")
        expect(host_line(dialog, "127.0.0.1:1")).to_contain_text("nothing listens", ignore_case=True)
        expect(host_line(dialog, one).get_by_role("img", name="no")).to_be_visible()
        tab.screenshot("capture_failed")
        assert place.files() == before
        expect(dialog.get_by_role("button", name="Change and try again")).to_be_focused()
        tab.page.keyboard.press("Enter")
        expect(addresses(dialog)).to_have_value(f"{one} 127.0.0.1:1")
        expect(addresses(dialog)).to_be_focused()
        tab.page.keyboard.press("Enter")
        expect(dialog.get_by_role("status")).to_contain_text("1 of 2 profiles captured")


def test_a_capture_is_called_off(browser: Browser, place: Place) -> None:
    profiler, before = trainer(), place.files()
    with profilers(profiler) as (one,), tab_of(browser, place.board) as tab:
        dialog = opened(tab)
        addresses(dialog).fill(one)
        dialog.get_by_label("Duration").fill("600")
        dialog.get_by_role("button", name="Capture", exact=True).click()
        expect(dialog.get_by_role("status")).to_have_text("Recording…")
        dialog.get_by_role("button", name="Cancel the capture").click()
        expect(dialog.get_by_role("status")).to_contain_text("Cancelled")
        assert place.files() == before
        assert len(profiler.terminated) == len(profiler.recorded) == 1


def test_one_that_is_hidden_goes_on_and_is_found_again(browser: Browser, place: Place) -> None:
    """A reader of another run keeps their page; another page of the same TensorBoard sees the capture as well."""
    profiler = trainer()
    with profilers(profiler) as (one,), tab_of(browser, place.board, run="old/s1", tool="overview") as tab:
        tab.settle()
        dialog = opened(tab)
        addresses(dialog).fill(one)
        dialog.get_by_label("Duration").fill("600")
        dialog.get_by_role("button", name="Capture", exact=True).click()
        expect(dialog.get_by_role("status")).to_have_text("Recording…")
        tab.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        with tab_of(browser, place.board) as second:
            second.inside.get_by_role("button", name="Capture profile").click()
            expect(second.inside.get_by_role("dialog").get_by_role("status")).to_have_text("Recording…")
        profiler.finish()
        expect(tab.inside.get_by_role("button", name="The capture has finished")).to_be_visible()
        expect(run_button(tab)).to_contain_text("s1")
        tab.inside.get_by_role("button", name="The capture has finished").click()
        dialog.get_by_role("button", name="Open").click()
        expect(run_button(tab)).not_to_contain_text("s1")
        expect(tab.inside.get_by_role("button", name="Capture profile")).to_be_visible()


@pytest.mark.slow
def test_of_several_roots_one_is_chosen(browser: Browser, tmp_path: Path, log: Path) -> None:
    (tmp_path / "file").write_text("")
    spec = f"first:{tmp_path}/first,second:{tmp_path}/second,none:{tmp_path}/file"
    with (
        profilers(trainer()) as (one,),
        tensorboard(log, "--logdir_spec", spec) as board,
        tab_of(browser, board) as tab,
    ):
        dialog = opened(tab)
        expect(dialog.get_by_text("Not none: ")).to_contain_text("is not a folder")
        dialog.get_by_label("Write to").select_option("second")
        addresses(dialog).fill(one)
        dialog.get_by_label("Duration").fill("0.2")
        dialog.get_by_role("button", name="Capture", exact=True).click()
        dialog.get_by_role("button", name="Open").click()
        (run,) = board.runs()
        assert run["name"].startswith("second/")


@pytest.mark.parametrize("theme", THEMES)
def test_the_dialog_fits_a_narrow_window(browser: Browser, place: Place, theme: Theme) -> None:
    tab = open_tab(browser, place.board, {}, theme, NARROW)
    dialog = opened(tab)
    dialog.get_by_text("More", exact=True).click()
    dialog.get_by_text("How to start a profiler server").click()
    long = "a-name-that-is-longer-than-others." * 7 + "invalid:6009"
    addresses(dialog).fill(f"{long} [::1]:1\n127.0.0.1:1 10.0.0.5:6009")
    expect(host_line(dialog, "10.0.0.5:6009")).to_be_visible()
    tab.screenshot(f"capture_narrow_{theme}")
    box = dialog.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= NARROW[0]
    assert dialog.evaluate("e => e.scrollWidth <= e.clientWidth")
    dialog.get_by_role("button", name="Close").click()
    expect(tab.inside.get_by_role("button", name="Capture profile")).to_be_focused()
    tab.watch.check()
    tab.page.context.close()
