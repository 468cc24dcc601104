// The window whose address we keep: TensorBoard's, around our frame, or our own when opened alone.
import { embedded } from "./embedded";

function host(): Window {
  // What shows a report is not TensorBoard.
  const frame = !embedded && window.frameElement;
  return frame ? window.parent : window;
}

/** Same origin always: TensorBoard serves both. */
export const outer: Window = host();

/** False while another tab is shown: TensorBoard then gives the frame no height. */
export function isShown(): boolean {
  return document.visibilityState === "visible" && window.innerHeight > 0;
}

/** Keys reach the page without a press on it first, unless something around it has the focus. */
export function takeFocus(): void {
  if (outer === window || !isShown()) return;
  const { activeElement, body } = outer.document;
  if (!activeElement || activeElement === body) window.focus();
}

/** TensorBoard calls this when its reload button is pressed, and in its automatic reload. */
export function onReload(callback: () => void): void {
  const frame = window.frameElement as (Element & { reload?: () => void }) | null;
  if (frame) frame.reload = callback;
}
