"""Views of captures in a real browser: light and dark, wide and narrow, under a path prefix, offline.

Each page is seen once in each theme; `make test-all` sees all pages of all samples and real captures.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser, expect

from tensorboard_perfplugin.tools import NAMES as TOOLS
from tests.conftest import SHARED_CAPTURES, slow_unless
from tests.integration._board import Board, tensorboard
from tests.integration._browser import COLOURS, NARROW, WIDE, Tab, Theme, fragment, open_tab, run_button
from tests.integration.conftest import PREFIX, SAMPLES

Look: TypeAlias = tuple[Theme, tuple[int, int]]
LOOKS: tuple[Look, ...] = tuple(itertools.product(("light", "dark"), (WIDE, NARROW)))


def look_id(look: Look) -> str:
    return f"{look[0]}-{look[1][0]}"


def runs_under(folder: Path) -> list[str]:
    """The folders that hold captures, as run names are made of them."""
    sessions = {path.parent for path in folder.rglob("*.xplane.pb*")}
    names = (str(session.relative_to(folder)) for session in sessions)
    return sorted(name.replace("plugins/profile/", "") for name in names)


@pytest.fixture(scope="module")
def shared_board(tmp_path_factory: pytest.TempPathFactory, shared_captures: Path) -> Iterator[Board]:
    log = tmp_path_factory.mktemp("board") / "log"
    with tensorboard(log, "--logdir", str(shared_captures / "xplane"), "--path_prefix", PREFIX) as board:
        yield board


@pytest.fixture(scope="module")
def sample_tab(request: pytest.FixtureRequest, browser: Browser, prefixed_board: Board) -> Iterator[Tab]:
    yield from one_tab(browser, prefixed_board, *request.param)


@pytest.fixture(scope="module")
def torch_tab(browser: Browser, prefixed_board: Board) -> Iterator[Tab]:
    yield from one_tab(browser, prefixed_board, *LOOKS[3])


@pytest.fixture(scope="module")
def shared_tab(request: pytest.FixtureRequest, browser: Browser, shared_board: Board) -> Iterator[Tab]:
    yield from one_tab(browser, shared_board, *request.param)


def one_tab(browser: Browser, board: Board, theme: Theme, size: tuple[int, int]) -> Iterator[Tab]:
    """One page for many views, changed by its address only."""
    board.runs()
    tab = open_tab(browser, board, {}, theme, size)
    tab.settle()
    assert tab.frame.evaluate("document.documentElement.dataset.theme") == theme
    yield tab
    tab.page.context.close()


def check_view(tab: Tab, run: str, tool: str) -> None:
    """The view shows what it is of, nothing failed, nothing scrolls sideways, and every control has a name."""
    title = next(t["title"] for t in tab.board.ask("tools")["tools"] if t["name"] == tool)
    tab.go(run=run, tool=tool)
    expect(run_button(tab)).to_contain_text(run.rpartition("/")[2][-10:])
    expect(tab.inside.locator("[aria-current=page]").last).to_contain_text(title)
    tab.settle()
    CONTENT[tool](tab, run)
    theme, width = tab.frame.evaluate("() => [document.documentElement.dataset.theme, innerWidth]")
    tab.screenshot(f"{run.replace('/', '_')}-{tool}-{theme}-{width}")
    assert tab.frame.evaluate(SIDEWAYS) == 0
    assert tab.frame.evaluate(NAMELESS) == []
    tab.watch.check()


def check_overview(tab: Tab, run: str) -> None:
    hosts = tab.board.ask("data", run=run, tool="overview")["summary"]["host_count"]
    environment = tab.inside.get_by_role("region", name="Environment")
    expect(environment).to_contain_text(f"{hosts} host{'s' if hosts != 1 else ''} · ")
    check_finding(tab, run, "overview")


def check_finding(tab: Tab, run: str, tool: str) -> None:
    """The page's answer is its heading; where steps were found, they are drawn."""
    answer = tab.board.ask("data", run=run, tool=tool)
    heading = answer["findings"][0]["title"].replace("`", "")
    expect(tab.inside.get_by_role("heading", name=heading)).to_be_visible()
    if any(answer["tables"]["steps"]["columns"]["duration_ms"]):
        expect(tab.inside.get_by_role("slider").first).to_be_visible()


def check_input_pipeline(tab: Tab, run: str) -> None:
    check_finding(tab, run, "input_pipeline")


def check_pod_viewer(tab: Tab, run: str) -> None:
    check_finding(tab, run, "pod_viewer")


def check_op_stats(tab: Tab, run: str) -> None:
    columns = tab.board.ask("data", run=run, tool="op_stats")["tables"]["ops"]["columns"]
    table = tab.inside.get_by_role("region", name="Ops").get_by_role("table")
    expect(table).to_have_attribute("aria-rowcount", str(len(columns["name"]) + 1))
    first = table.locator("tbody tr").first
    # What a narrow column leaves out of names is in their titles.
    for column in ("name", "type"):
        expect(first.get_by_title(columns[column][0]).first).to_be_visible()


def check_kernel_stats(tab: Tab, run: str) -> None:
    missing = next(t["missing"] for t in tab.board.ask("tools", run=run)["tools"] if t["name"] == "kernel_stats")
    if missing is not None:
        expect(tab.inside.get_by_role("heading", name=re.compile("nothing to show"))).to_be_visible()
        return
    columns = tab.board.ask("data", run=run, tool="kernel_stats")["tables"]["names"]["columns"]
    if columns["short_name"]:
        table = tab.inside.get_by_role("region", name=re.compile("^Kernels? by name$")).get_by_role("table")
        expect(table).to_have_attribute("aria-rowcount", str(len(columns["short_name"]) + 1))
        expect(table.locator("tbody tr").first).to_contain_text(columns["short_name"][0])


def check_trace_viewer(tab: Tab, run: str) -> None:
    tracks = tab.board.ask("data", run=run, tool="trace_viewer")["tables"]["tracks"]["columns"]
    expect(tab.inside.locator("main")).to_contain_text(tracks["process"][0])
    expect(tab.inside.get_by_role("img", name=re.compile("Timeline of"))).to_be_visible()
    tab.frame.wait_for_function(f"() => ({COLOURS})() > 5")


def check_memory_profile(tab: Tab, run: str) -> None:
    if has_something(tab, run, "memory_profile"):
        expect(tab.inside.get_by_role("slider", name="Memory over time")).to_be_visible()
        tab.frame.wait_for_function(f"() => ({COLOURS})() > 5")


def check_tf_data(tab: Tab, run: str) -> None:
    if has_something(tab, run, "tf_data"):
        rows = len(tab.board.ask("data", run=run, tool="tf_data")["tables"]["graph"]["columns"]["name"])
        expect(tab.inside.locator(".graph-node")).to_have_count(rows)


def check_hlo_stats(tab: Tab, run: str) -> None:
    if has_something(tab, run, "hlo_stats"):
        columns = tab.board.ask("data", run=run, tool="hlo_stats")["tables"]["instructions"]["columns"]
        table = tab.inside.get_by_role("region", name=re.compile("^Instructions?$")).get_by_role("table")
        expect(table).to_have_attribute("aria-rowcount", str(len(columns["instruction"]) + 1))
        expect(table.locator("tbody tr").first).to_contain_text(columns["category"][0])


def check_roofline(tab: Tab, run: str) -> None:
    if has_something(tab, run, "roofline"):
        columns = tab.board.ask("data", run=run, tool="roofline")["tables"]["ops"]["columns"]
        table = tab.inside.get_by_role("region", name=re.compile("on the roofline$")).get_by_role("table")
        expect(table).to_have_attribute("aria-rowcount", str(len(columns["name"]) + 1))


def check_op_profile(tab: Tab, run: str) -> None:
    if has_something(tab, run, "op_profile"):
        columns = tab.board.ask("data", run=run, tool="op_profile")["tables"]["profile"]["columns"]
        tree = tab.inside.get_by_role("treegrid", name="Op profile")
        expect(tree.locator("tbody tr").first).to_contain_text(columns["name"][0][:20])


def check_memory_viewer(tab: Tab, run: str) -> None:
    if has_something(tab, run, "memory_viewer"):
        answer = tab.board.ask("data", run=run, tool="memory_viewer")
        expect(tab.inside.get_by_role("slider", name="Memory in program order")).to_have_count(
            int(bool(answer["tables"]["curve"]["columns"]["event"]))
        )
        largest = answer["tables"]["buffers"]["columns"]["instruction"][0]
        expect(tab.inside.get_by_role("list", name="Buffers that are live").locator("li").first).to_contain_text(
            largest
        )


def check_graph_viewer(tab: Tab, run: str) -> None:
    missing = next(t["missing"] for t in tab.board.ask("tools", run=run)["tools"] if t["name"] == "graph_viewer")
    if missing is not None:
        expect(tab.inside.get_by_role("heading", name=re.compile("nothing to show"))).to_be_visible()
        return
    answer = tab.board.ask("data", run=run, tool="graph_viewer")
    expect(tab.inside.get_by_role("heading", level=1).first).to_contain_text(answer["summary"]["instruction"])
    expect(tab.inside.locator(".hlo-node")).to_have_count(len(answer["tables"]["nodes"]["columns"]["name"]))


def check_python_profile(tab: Tab, run: str) -> None:
    if has_something(tab, run, "python_profile"):
        answer = tab.board.ask("data", run=run, tool="python_profile")
        expect(tab.inside.get_by_role("table").first).to_contain_text(
            answer["tables"]["functions"]["columns"]["name"][0]
        )


def has_something(tab: Tab, run: str, tool: str) -> bool:
    """The page of a capture with nothing for the tool says that; of any other, its first finding is the heading."""
    [declared] = [t for t in tab.board.ask("tools", run=run)["tools"] if t["name"] == tool]
    if declared["missing"] is None:
        title = tab.board.ask("data", run=run, tool=tool)["findings"][0]["title"].replace("`", "")
        expect(tab.inside.get_by_role("heading", name=title)).to_be_visible()
        return True
    expect(tab.inside.get_by_role("heading", name=f"{declared['title']}: nothing to show")).to_be_visible()
    return False


CONTENT = {
    "overview": check_overview,
    "input_pipeline": check_input_pipeline,
    "pod_viewer": check_pod_viewer,
    "op_stats": check_op_stats,
    "kernel_stats": check_kernel_stats,
    "memory_profile": check_memory_profile,
    "tf_data": check_tf_data,
    "graph_viewer": check_graph_viewer,
    "trace_viewer": check_trace_viewer,
    "roofline": check_roofline,
    "hlo_stats": check_hlo_stats,
    "op_profile": check_op_profile,
    "memory_viewer": check_memory_viewer,
    "python_profile": check_python_profile,
}
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, select, [role=button], [tabindex='0']")]
  .filter(e => !(e.ariaLabel || e.textContent.trim() || e.title || e.labels?.length))
  .map(e => e.outerHTML.slice(0, 200))"""


#: Runs that `make test` looks at: of Keras and GPUs in light, of PyTorch and JAX in dark.
USUAL = (
    (LOOKS[0], "keras_fit/train/2026_11_20_11_21_29"),
    (LOOKS[0], "gpu_streams/2026_11_20_09_00_00"),
    (LOOKS[3], "torch_train"),
    (LOOKS[3], "jax_train/2026_11_20_11_20_57"),
)


def looked_at(runs: list[str], looks: Sequence[Look]) -> list[object]:
    """Each run in each look: one page, in which all views are visited."""
    return [
        pytest.param(look, run, id=f"{look_id(look)}-{run}", marks=slow_unless((look, run) in USUAL))
        for look, run in itertools.product(looks, runs)
    ]


@pytest.mark.parametrize(
    ("sample_tab", "run"), looked_at([*runs_under(SAMPLES), "torch_train"], LOOKS), indirect=["sample_tab"]
)
def test_views_of_a_sample(sample_tab: Tab, run: str) -> None:
    for tool in TOOLS:
        check_view(sample_tab, run, tool)


def test_an_operator_of_pytorch_leads_to_its_stacks_and_modules_are_a_tree(torch_tab: Tab) -> None:
    torch_tab.go(run="torch_train", tool="op_stats", group="scope")
    torch_tab.settle()
    for module in ("Net_0", "Block_1", "CrossEntropyLoss_0"):
        expect(torch_tab.inside.get_by_role("treegrid")).to_contain_text(module)
    torch_tab.go(run="torch_train", tool="op_stats", **{"ops.filter": "addmm"})
    torch_tab.settle()
    row = torch_tab.inside.get_by_role("table").locator("tbody tr").first
    row.click()
    torch_tab.inside.get_by_role("button", name="Show stacks").click()
    torch_tab.settle()
    expect(row).to_contain_text("aten::addmm ← ")
    # Names that one line does not hold are wrapped, not cut.
    name = row.locator(".name.wrapped")
    expect(name).to_contain_text("torch_loop.py")
    assert name.evaluate("e => e.clientHeight > 20 && e.scrollHeight <= e.clientHeight")


def test_back_leads_to_an_event_of_the_run_before(torch_tab: Tab) -> None:
    """The picture that stood until the other run's was there looked for the event in its own run: not found."""
    hits = torch_tab.board.ask("data", run="torch_train", tool="trace_viewer", search="AddmmBackward0", match="exact")
    torch_tab.go(run="torch_train", tool="trace_viewer", event=f"trainer:{hits['tables']['hits']['columns']['row'][0]}")
    torch_tab.settle()
    selected = torch_tab.inside.get_by_role("region", name="Selected slice")
    expect(selected.get_by_role("heading", name="AddmmBackward0")).to_be_visible()
    expect(selected.get_by_role("region", name="Called from").get_by_role("listitem").first).to_be_visible()
    torch_tab.address()
    torch_tab.go(run="gpu_streams/2026_11_20_09_00_00", tool="trace_viewer")
    torch_tab.settle()
    expect(selected).to_have_count(0)
    torch_tab.address()
    torch_tab.page.go_back()
    torch_tab.settle()
    expect(selected.get_by_role("heading", name="AddmmBackward0")).to_be_visible()
    torch_tab.watch.check()


#: Timers of 300 ms, after which a view is written into the address, are kept in `held`; `still`: frames since the last.
HOLD = """() => {
  const { setTimeout } = window;
  let frames = 0;
  window.held = [];
  window.still = () => frames++;
  window.release = () => { window.setTimeout = setTimeout; };
  window.setTimeout = (call, ms, ...given) => {
    if (ms !== 300) return setTimeout(call, ms, ...given);
    frames = 0;
    window.held.push(call);
    return 0;
  };
}"""


def test_what_a_run_writes_late_is_not_put_into_the_next_ones_address(torch_tab: Tab) -> None:
    """An event of the run before, selected in another one that has a host of the same name."""
    hits = torch_tab.board.ask("data", run="torch_train", tool="trace_viewer", search="AddmmBackward0", match="exact")
    event = f"trainer:{hits['tables']['hits']['columns']['row'][0]}"
    torch_tab.go(run="torch_train", tool="trace_viewer", event=event)
    torch_tab.settle()
    torch_tab.address()
    # The view moves, and what would write that is held until the address has changed and nothing is drawn yet.
    torch_tab.frame.evaluate(HOLD)
    torch_tab.inside.get_by_role("button", name="Zoom in").first.click()
    torch_tab.frame.wait_for_function("() => window.held.length && window.still() > 5")
    torch_tab.page.evaluate(
        """hash => {
          const inside = document.querySelector("iframe[src*=perfplugin]").contentWindow;
          addEventListener("hashchange", () => inside.held.at(-1)(), { once: true });
          location.hash = hash;
        }""",
        fragment({"run": "gpu_streams/2026_11_20_09_00_00", "tool": "trace_viewer"}),
    )
    torch_tab.settle()
    torch_tab.frame.evaluate("release()")
    assert "event" not in torch_tab.address()
    torch_tab.watch.check()


@pytest.mark.parametrize(
    ("shared_tab", "run"),
    looked_at(runs_under(SHARED_CAPTURES / "xplane") or ["none"], (LOOKS[0], LOOKS[3])),
    indirect=["shared_tab"],
)
def test_views_of_a_real_capture(shared_tab: Tab, run: str) -> None:
    for tool in TOOLS:
        check_view(shared_tab, run, tool)
