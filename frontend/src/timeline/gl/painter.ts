// The picture by WebGL2: a draw call a track and layer, over buffers that were filled when the answer came.
import { barOf, type Box, lanesIn, type Painter, type Strip } from "../painter";
import { length } from "../scale";
import type { Rgb, Tints } from "../tints";
import { BYTES, Cache, words } from "./cache";
import { FRAGMENT, VERTEX } from "./shader";

const UNIFORMS = ["origin", "fraction", "scale", "band", "size", "under"] as const;
type Places = Record<(typeof UNIFORMS)[number], WebGLUniformLocation | null>;
/** Slices between two lanes' ranges that are rather drawn, off the screen, than skipped by another call. */
const BRIDGED = 512;

function compiled(gl: WebGL2RenderingContext, kind: number, source: string): WebGLShader {
  const shader = gl.createShader(kind)!;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

/** Null where the browser's graphics refuse the program. */
function linked(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  const shaders = [compiled(gl, gl.VERTEX_SHADER, VERTEX), compiled(gl, gl.FRAGMENT_SHADER, FRAGMENT)];
  for (const shader of shaders) gl.attachShader(program, shader);
  gl.linkProgram(program);
  for (const shader of shaders) gl.deleteShader(shader);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}

export class PainterGl implements Painter {
  private readonly cache: Cache;
  private readonly places: Places;
  private height = 0;

  private constructor(
    private readonly gl: WebGL2RenderingContext,
    program: WebGLProgram,
  ) {
    this.cache = new Cache(gl);
    gl.useProgram(program);
    this.places = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)])) as Places;
    gl.bindVertexArray(gl.createVertexArray());
    for (const location of [0, 1]) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribDivisor(location, 1);
    }
    gl.disable(gl.BLEND);
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.SCISSOR_TEST);
  }

  static on(gl: WebGL2RenderingContext): PainterGl | null {
    const program = linked(gl);
    return program && new PainterGl(gl, program);
  }

  begin(width: number, height: number, background: Rgb): void {
    const { gl, places } = this;
    this.height = height;
    this.cache.nextFrame();
    gl.viewport(0, 0, width, height);
    gl.uniform2f(places.size, width, height);
    gl.uniform3f(places.under, background.red / 255, background.green / 255, background.blue / 255);
    this.fill({ left: 0, top: 0, right: width, bottom: height }, background);
  }

  private within({ left, top, right, bottom }: Box): boolean {
    if (right <= left || bottom <= top) return false;
    this.gl.scissor(left, this.height - bottom, right - left, bottom - top);
    return true;
  }

  fill(box: Box, { red, green, blue }: Rgb): void {
    if (!this.within(box)) return;
    this.gl.clearColor(red / 255, green / 255, blue / 255, 1);
    this.gl.clear(this.gl.COLOR_BUFFER_BIT);
  }

  strip(strip: Strip, tints: Tints): void {
    if (!this.within(strip.box)) return;
    const { gl, places, cache } = this;
    const { slices, view, width, ratio, top, lane } = strip;
    let bound = false;
    const bind = (): void => {
      bound = true;
      const origin = Math.floor(view.start);
      gl.uniform2ui(places.origin, ...words(origin - slices.window.start));
      gl.uniform1f(places.fraction, view.start - origin);
      gl.uniform1f(places.scale, width / length(view));
      gl.uniform4f(places.band, top, lane, barOf(lane), ratio);
      cache.bindTints(tints);
      cache.bindSlices(slices);
    };
    let [from, to] = [0, 0];
    const send = (): void => {
      if (to <= from) return;
      if (!bound) bind();
      gl.vertexAttribIPointer(0, 4, gl.UNSIGNED_INT, BYTES, BYTES * from);
      gl.vertexAttribIPointer(1, 2, gl.UNSIGNED_INT, BYTES, BYTES * from + 16);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, to - from);
    };
    lanesIn(strip, (_, first, end) => {
      if (first - to > BRIDGED) {
        send();
        from = first;
      } else if (to === 0) from = first;
      to = end;
    });
    send();
  }

  end(): void {
    this.gl.flush();
  }
}
