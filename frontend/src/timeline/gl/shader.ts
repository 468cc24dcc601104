// One slice → one rectangle of whole pixels. Times stay 64-bit integers until the view's begin is taken off them, so that
// nothing trembles however far a capture is zoomed into. `painter.ts` says the same for pixels in memory.
import { EDGE, GAP_FROM } from "../painter";
import { TINTS_WIDTH } from "../tints";

export const VERTEX = `#version 300 es
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

export const FRAGMENT = `#version 300 es
precision highp float;
flat in vec3 colour;
out vec4 pixel;

void main() {
  pixel = vec4(colour, 1.0);
}`;
