"""A real Chromium on TensorBoard's page: opens our tab, and notes everything that a page must not do."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import quote, urlsplit
from weakref import WeakKeyDictionary

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Frame,
    FrameLocator,
    Locator,
    Page,
    Request,
    Response,
    WebError,
    expect,
)

from tests.integration._board import Board

Value = TypeVar("Value")

#: The one without windows first: it draws the same with a fifth less work.
_INSTALLED = [path for path in map(Path, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium")) if path.exists()]
CHROMIUM = Path(os.environ.get("PERFPLUGIN_CHROMIUM") or next(iter(_INSTALLED), "/usr/bin/chromium"))
#: No name but loopback's resolves, no address but loopback's is reached.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
IFRAME = 'iframe[src*="perfplugin"]'
#: How long a page may take before it counts as stuck.
PATIENCE_MS = 120_000
WIDE, NARROW = (1440, 900), (800, 900)
Theme = Literal["light", "dark"]

#: TensorBoard's own page at any prefix, and what shows our document in its place as it does: most tests need a
#: quarter less work so.
_PAGE = re.compile(r"http://[\d.]+:\d+/([^?#]*/)?(\?[^#]*)?(#.*)?$")
_FRAME = """<!doctype html><meta charset="utf-8"><title>TensorBoard</title><body><header></header>
<style>body { margin: 0 } header { height: 64px } iframe { border: 0; width: 100%; height: calc(100vh - 64px) }</style>
<iframe src="data/plugin_entry.html?name=perfplugin" style="display: block"></iframe>"""

#: Asked at each frame: whether for some frames the page has shown what its address asks for, and waited for no answer.
#: What a promise brings would be taken as it comes the first time.
SETTLED = """() => {
  const root = document.documentElement?.dataset;
  if (!root) return false;
  const said = hash => new Map(hash.slice(1).split("&").filter(part => part.startsWith("p.perfplugin."))
    .map(part => part.split("=").map(decodeURIComponent)).filter(([key, value]) => value && !key.endsWith(".host")));
  const [asked, shown] = [said(parent.location.hash), said(root.shown ?? "")];
  const isShown = asked.size === shown.size && [...asked].every(([key, value]) => shown.get(key) === value);
  const isEmpty = !document.querySelector("[aria-current=page]") && document.querySelector("main .empty");
  const rests = (isShown || isEmpty) && !Number(root.asking ?? 0) && !document.querySelector("[aria-busy=true]");
  const { answered, frames } = window.rested ?? {};
  window.rested = { answered: root.answered, frames: rests && answered === root.answered ? frames + 1 : 0 };
  return window.rested.frames > 3;
}"""


#: How many colours the largest canvas shows.
COLOURS = """() => {
  const [canvas] = [...document.querySelectorAll("canvas")].sort((a, b) => b.width * b.height - a.width * a.height);
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
  copy.drawImage(canvas, 0, 0);
  return new Set(new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
}"""


#: Of one who was here before: the hint of the first visit is gone.
SEEN = "try { localStorage.setItem('perfplugin.hint', 'seen'); } catch {}"
#: A script of `tab_of`: the first visit.
NEW = "/* first visit */"


@dataclass
class Watch:
    """What went wrong in a browser context so far.

    What TensorBoard's own page does is not ours, unless it leaves this machine: under a prefix it misses its fonts.
    """

    origin: str
    allowed: tuple[str, ...] = ()
    problems: list[str] = field(default_factory=list)

    def attach(self, context: BrowserContext) -> None:
        context.on("console", self.console)
        context.on("weberror", self.error)
        context.on("request", self.request)
        context.on("requestfailed", self.failed)
        context.on("response", self.response)

    def detach(self, context: BrowserContext) -> None:
        context.remove_listener("console", self.console)
        context.remove_listener("weberror", self.error)
        context.remove_listener("request", self.request)
        context.remove_listener("requestfailed", self.failed)
        context.remove_listener("response", self.response)

    def console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert") and self.is_ours(message.location["url"]):
            self.problems.append(f"console {message.type}: {message.text} ({message.location['url']})")

    def error(self, error: WebError) -> None:
        self.problems.append(f"uncaught: {error.error.message}\n{error.error.stack or ''}")

    def request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme not in ("data", "blob") and f"{url.scheme}://{url.netloc}" != self.origin:
            self.problems.append(f"foreign request: {request.url}")

    def failed(self, request: Request) -> None:
        # A question whose answer nobody waits for any more is aborted by the page itself.
        if request.failure != "net::ERR_ABORTED" and self.is_ours(asked_by(request)):
            self.problems.append(f"failed request: {request.url}: {request.failure}")

    def response(self, response: Response) -> None:
        if response.status >= 400 and self.is_ours(asked_by(response.request)):
            self.problems.append(f"status {response.status}: {response.url}")

    def is_ours(self, url: str) -> bool:
        return "plugin/perfplugin/" in url or "plugin_entry" in url or not url

    def check(self) -> None:
        left = [problem for problem in self.problems if not any(text in problem for text in self.allowed)]
        assert not left, "\n".join(left)


def asked_by(request: Request) -> str:
    """The address of the document that asked, or of the one that is asked for."""
    return request.url if request.is_navigation_request() else request.frame.url


@dataclass(frozen=True)
class Tab:
    """TensorBoard's page with our tab open in it."""

    page: Page
    board: Board
    watch: Watch

    @property
    def inside(self) -> FrameLocator:
        """Our document."""
        return self.page.frame_locator(IFRAME)

    @property
    def frame(self) -> Frame:
        """Our document, for scripts."""
        frame = self.page.locator(IFRAME).element_handle().content_frame()
        assert frame is not None
        return frame

    def settle(self) -> None:
        """Wait until the page shows an answer to its newest question. Fails when it shows an error."""
        self.frame.evaluate("delete window.rested")
        self.frame.wait_for_function(SETTLED)
        expect(self.inside.get_by_role("alert")).to_have_count(0)

    def enter(self) -> None:
        """Move the focus from the top of TensorBoard's page into ours, by the Tab key."""
        self.page.locator("body").focus()
        for _ in range(20):
            self.page.keyboard.press("Tab")
            if self.frame.evaluate("document.hasFocus() && document.activeElement !== document.body"):
                return
        raise AssertionError("20 presses of Tab do not reach our page")

    def address(self) -> str:
        """Once it rests: the page writes what changes often into its address a few times a second at the most."""
        seen, rests = "", 0
        while rests < 2:
            now = str(self.page.evaluate("location.hash"))
            seen, rests = now, rests + 1 if now == seen else 0
            self.page.wait_for_timeout(100 if rests < 2 else 0)
        return urlsplit(self.page.url).fragment

    def go(self, **state: str) -> None:
        """Change our part of the address, as following a link does."""
        self.page.evaluate("hash => { location.hash = hash }", fragment(state))

    def screenshot(self, name: str) -> None:
        folder = os.environ.get("PERFPLUGIN_SCREENS")
        if folder is not None:
            self.page.screenshot(path=Path(folder) / f"{name}.png")


def fragment(state: Mapping[str, str]) -> str:
    return "#" + "&".join(
        ["perfplugin", *(f"p.perfplugin.{key}={quote(value, safe='')}" for key, value in state.items())]
    )


def open_tab(
    browser: Browser,
    board: Board,
    state: Mapping[str, str],
    theme: Theme = "light",
    size: tuple[int, int] = WIDE,
    allowed: tuple[str, ...] = (),
    script: str = "",
    tensorboards: bool = True,
) -> Tab:
    """A new page of TensorBoard at our tab, with the address that a shared link has.

    script: runs in every document before its own. tensorboards: in its page, not in one that holds ours alone.
    """
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    context.set_default_timeout(PATIENCE_MS)
    if script != NEW:
        context.add_init_script(SEEN)
    if script:
        context.add_init_script(script)
    if not tensorboards:
        context.route(_PAGE, lambda route: route.fulfill(content_type="text/html", body=_FRAME))
    return _visit(context.new_page(), board, state, theme, allowed)


def _visit(page: Page, board: Board, state: Mapping[str, str], theme: Theme, allowed: tuple[str, ...]) -> Tab:
    url = urlsplit(board.url)
    watch = Watch(f"{url.scheme}://{url.netloc}", allowed)
    watch.attach(page.context)
    page.goto(f"{board.url}?darkMode={'true' if theme == 'dark' else 'false'}{fragment(state)}")
    return Tab(page, board, watch)


#: Empty pages that tests had, by browser, script and whether in TensorBoard's page. TensorBoard in one of them is a
#: third of the work that it is in a new one: 1 s of a processor, not 3.
_idle: WeakKeyDictionary[Browser, dict[tuple[str, bool], list[Page]]] = WeakKeyDictionary()


def tab_of(
    browser: Browser, board: Board, allowed: tuple[str, ...] = (), script: str = "", **state: str
) -> AbstractContextManager[Tab]:
    """Our tab, light and wide, where nothing is stored; what the page must not do fails the test at its end.

    It is in a page that only holds our document: `whole_tab_of` is for what TensorBoard's own page has a part in.
    """
    return _lent(browser, board, allowed, script, False, state)


def whole_tab_of(
    browser: Browser, board: Board, allowed: tuple[str, ...] = (), script: str = "", **state: str
) -> AbstractContextManager[Tab]:
    """As `tab_of`, in TensorBoard's own page."""
    return _lent(browser, board, allowed, script, True, state)


@contextmanager
def _lent(
    browser: Browser, board: Board, allowed: tuple[str, ...], script: str, tensorboards: bool, state: Mapping[str, str]
) -> Iterator[Tab]:
    idle = _idle.setdefault(browser, {}).setdefault((script, tensorboards), [])
    if idle:
        tab = _visit(idle.pop(), board, state, "light", allowed)
    else:
        tab = open_tab(browser, board, state, allowed=allowed, script=script, tensorboards=tensorboards)
    yield tab
    tab.watch.check()
    _empty(tab)
    idle.append(tab.page)


def _empty(tab: Tab) -> None:
    """Leaves nothing in a page that the next test would see. That of a test that failed is not used again."""
    context = tab.page.context
    for page in context.pages:
        if page != tab.page:
            page.close()
    tab.page.unroute_all()
    tab.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    tab.page.goto("about:blank")
    tab.watch.detach(context)
    tab.page.mouse.move(0, 0)
    tab.page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})


def after_routes(page: Page, value: Callable[[], Value]) -> Value:
    """Called while the page is waited for: its routes are called in no other moment."""
    page.wait_for_timeout(50)
    return value()


def run_button(tab: Tab) -> Locator:
    """What shows the run, and opens the list of runs."""
    return tab.inside.get_by_role("banner").get_by_role("button", name=re.compile("^Run: "))


def host_button(tab: Tab) -> Locator:
    """What shows the hosts, and opens the list of hosts."""
    return tab.inside.get_by_role("banner").get_by_role("button", name=re.compile("^Host: "))
