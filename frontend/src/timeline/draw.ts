// A scene → pixels: the picture, and over it the texts.
import type { Inks } from "./inks";
import { drawOverlay } from "./overlay";
import type { Painter } from "./painter";
import { Picture, piecesOf } from "./picture";
import type { Scene } from "./scene";
import type { Ctx } from "./texts";

export { placeOf } from "./places";

/** `painter` paints this context's canvas or another that lies below. */
export function draw(ctx: Ctx, painter: Painter, picture: Picture, scene: Scene, inks: Inks, ratio: number): void {
  if (!scene.width || !scene.height) return;
  const rows = piecesOf(scene, ratio);
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  picture.paint(painter, scene, inks, rows, ratio);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  drawOverlay(ctx, scene, inks, rows, picture.tints);
}
