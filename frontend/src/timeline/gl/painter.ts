// One slice → one rectangle of whole pixels. Times stay 64-bit integers until the view's begin is taken off them, so that
// nothing trembles however far a capture is zoomed into. `../painter.ts` says the same for pixels in memory.
//
// The picture by WebGL2: a draw call a track and layer, over buffers that were filled when the answer came.
import { barOf, type Box, EDGE, GAP_FROM, lanesIn, type Painter, type Strip } from "../painter";
import { length } from "../scale";
import { type Rgb, type Tints, TINTS_WIDTH } from "../tints";
import { BYTES, Cache, words } from "./cache";

const VERTEX = `#version 300 es
precision highp float;
precision highp int;

layout(location = 0) in uvec4 time;   // start and duration, each low and high word
layout(location = 1) in uvec2 look;   // depth << 8 | weight, name
uniform uvec2 origin;                 // the view's begin, from the window's, rounded down
uniform float fraction;               // what rounding took
uniform float scale;                  // pixels a picosecond
uniform vec4 band;                    // CSS pixels: first lane's top, lane's height, bar's height; device pixels a CSS pixel
uniform vec2 size;                    // of the canvas
uniform vec3 under;                   // background
uniform sampler2D tints;
flat out vec3 colour;

uvec2 plus(uvec2 a, uvec2 b) {
  uint low = a.x + b.x;
  return uvec2(low, a.y + b.y + uint(low < a.x));
}

uvec2 minus(uvec2 a, uvec2 b) {
  return uvec2(a.x - b.x, a.y - b.y - uint(a.x < b.x));
}

float real(uvec2 a) {
  if ((a.y & 0x80000000u) == 0u) return float(a.y) * 4294967296.0 + float(a.x);
  uvec2 b = minus(uvec2(0u), a);
  return -(float(b.y) * 4294967296.0 + float(b.x));
}

void main() {
  uvec2 begin = minus(time.xy, origin);
  float from = (real(begin) - fraction) * scale;
  float to = (real(plus(begin, time.zw)) - fraction) * scale;
  float left = floor(clamp(from + ${EDGE}, -64.0, size.x + 64.0));
  float right = max(ceil(clamp(to - ${EDGE}, -64.0, size.x + 64.0)), left + 1.0);
  if (right - left > ${GAP_FROM}.0 * band.w) right -= floor(band.w + 0.5);
  float y = band.x + float(look.x >> 8) * band.y;
  float top = floor(y * band.w + 0.5);
  float bottom = floor((y + band.z) * band.w + 0.5);
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? left : right, (gl_VertexID & 2) == 0 ? top : bottom);
  gl_Position = vec4(corner.x / size.x * 2.0 - 1.0, 1.0 - corner.y / size.y * 2.0, 0.0, 1.0);
  int name = int(look.y);
  vec4 tint = texelFetch(tints, ivec2(name % ${TINTS_WIDTH}, name / ${TINTS_WIDTH}), 0);
  colour = mix(under, tint.rgb, float(look.x & 255u) / 255.0 * tint.a);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
flat in vec3 colour;
out vec4 pixel;

void main() {
  pixel = vec4(colour, 1.0);
}`;

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
