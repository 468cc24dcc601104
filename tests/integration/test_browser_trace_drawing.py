"""The trace's two ways to draw, WebGL of a graphics card and our own pixels where there is none: one picture."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.integration._board import Board
from tests.integration._browser import Tab, open_tab
from tests.integration.test_tensorboard import GPU_RUN

#: The browser of these tests has no graphics card: what computes WebGL on the processor says that it is one.
CARD = """{
  const told = WebGL2RenderingContext.prototype.getParameter;
  WebGL2RenderingContext.prototype.getParameter = function (what) {
    const value = told.call(this, what);
    return typeof value === "string" && /swiftshader|llvmpipe/i.test(value) ? "a card" : value;
  };
}"""
#: Draws anew and reads, in the same frame, what both canvases show together. Gives who painted.
READ = """name => new Promise(done => {
  window.dispatchEvent(new Event("resize"));
  requestAnimationFrame(() => {
    const [below, above] = [".trace-picture", ".trace-canvas"].map(what => document.querySelector(what));
    const copy = new OffscreenCanvas(above.width, above.height).getContext("2d");
    if (!below.hidden) copy.drawImage(below, 0, 0);
    copy.drawImage(above, 0, 0);
    window[name] = copy.getImageData(0, 0, above.width, above.height).data;
    done(above.dataset.painter);
  });
})"""
#: How many colour values of two readings differ by more than rounding; how many colours the first has.
COMPARE = """([a, b]) => {
  const [one, other] = [window[a], window[b]];
  if (one.length !== other.length) return [one.length, 0];
  let different = 0;
  for (let i = 0; i < one.length; i++) if (Math.abs(one[i] - other[i]) > 2) different++;
  return [different, new Set(new Uint32Array(one.buffer)).size];
}"""
EXTENSION = "document.querySelector('.trace-picture').getContext('webgl2').getExtension('WEBGL_lose_context')"


def painted(tab: Tab, painter: str, name: str) -> None:
    tab.frame.wait_for_function(f"() => document.querySelector('.trace-canvas')?.dataset.painter === '{painter}'")
    assert tab.frame.evaluate(READ, name) == painter


def test_both_painters_fill_the_same_pixels_and_a_lost_card_loses_nothing(
    browser: Browser, samples_board: Board
) -> None:
    # Reading WebGL's canvas back is what the browser warns of: only this test does so.
    state = {"run": GPU_RUN, "tool": "trace_viewer"}
    # The script stays in its context: no other test may have it.
    tab = open_tab(browser, samples_board, state, allowed=("ReadPixels",))
    tab.settle()
    painted(tab, "raster", "first")
    tab.page.context.add_init_script(CARD)
    tab.page.reload()
    tab.settle()
    # Steps and what is asked for ahead came, too.
    tab.page.wait_for_load_state("networkidle")
    painted(tab, "webgl", "card")
    # Kept, because a lost context gives no extension.
    tab.frame.evaluate(f"() => {{ window.context = {EXTENSION}; window.context.loseContext(); }}")
    painted(tab, "raster", "lost")
    tab.frame.evaluate("() => window.context.restoreContext()")
    painted(tab, "webgl", "again")
    different, colours = tab.frame.evaluate(COMPARE, ["card", "lost"])
    assert different == 0
    assert colours > 10
    assert tab.frame.evaluate(COMPARE, ["card", "again"])[0] == 0
    tab.watch.check()
    tab.page.context.close()
