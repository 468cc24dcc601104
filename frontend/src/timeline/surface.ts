// The two canvases of a timeline: WebGL below, texts above. Where no graphics card does WebGL, or while it is lost, the
// upper one has everything.
import { PainterGl } from "./gl/painter";
import type { Inks } from "./inks";
import { Picture, piecesOf } from "./picture";
import { Raster } from "./raster";
import type { Scene } from "./scene";
import type { Ctx } from "./texts";
import { drawOverlay } from "./overlay";
import type { Painter } from "./painter";

/** `painter` paints this context's canvas or another that lies below. */
function draw(ctx: Ctx, painter: Painter, picture: Picture, scene: Scene, inks: Inks, ratio: number): void {
  if (!scene.width || !scene.height) return;
  const rows = piecesOf(scene, ratio);
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  picture.paint(painter, scene, inks, rows, ratio);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawOverlay(ctx, scene, inks, rows, picture.tints);
}

const ATTRIBUTES: WebGLContextAttributes = {
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
  failIfMajorPerformanceCaveat: true,
};
/** What calls itself so computes WebGL on the processor: our own drawing in memory is a hundred times as fast. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function isSoftware(gl: WebGL2RenderingContext): boolean {
  const names = [gl.getParameter(gl.RENDERER) as unknown];
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  if (info) names.push(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
  return names.some((name) => SOFTWARE.test(String(name)));
}

/** WebGL of a graphics card; null where there is none. */
function cardOf(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  const gl = canvas.getContext("webgl2", ATTRIBUTES);
  if (!gl || !isSoftware(gl)) return gl;
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return null;
}

function fitted(canvas: HTMLCanvasElement, width: number, height: number): void {
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
}

export class Surface {
  private readonly picture = new Picture();
  private readonly ctx: Ctx;
  private readonly raster: Raster;
  private readonly gl: WebGL2RenderingContext | null;
  private painter: PainterGl | null;

  /** `changed`: what is drawn must be drawn again. */
  constructor(
    private readonly above: HTMLCanvasElement,
    private readonly below: HTMLCanvasElement,
    private readonly changed: () => void,
  ) {
    this.ctx = above.getContext("2d")!;
    this.raster = new Raster(this.ctx);
    this.gl = cardOf(below);
    this.painter = this.gl && PainterGl.on(this.gl);
    below.addEventListener("webglcontextlost", this.lost);
    below.addEventListener("webglcontextrestored", this.restored);
    this.show();
  }

  dispose(): void {
    this.below.removeEventListener("webglcontextlost", this.lost);
    this.below.removeEventListener("webglcontextrestored", this.restored);
    // A page has few contexts: this one must not wait for the garbage collector.
    this.gl?.getExtension("WEBGL_lose_context")?.loseContext();
  }

  private readonly lost = (event: Event): void => {
    // Without this the browser never gives it back.
    event.preventDefault();
    this.painter = null;
    this.show();
    this.changed();
  };

  private readonly restored = (): void => {
    this.painter = this.gl && PainterGl.on(this.gl);
    this.show();
    this.changed();
  };

  private show(): void {
    this.below.hidden = !this.painter;
    this.above.dataset["painter"] = this.painter ? "webgl" : "raster";
  }

  paint(scene: Scene, inks: Inks): void {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
    fitted(this.above, width, height);
    if (this.painter) fitted(this.below, width, height);
    draw(this.ctx, this.painter ?? this.raster, this.picture, scene, inks, ratio);
  }
}
