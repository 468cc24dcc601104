// What is drawn as large as its box, and again when that or the theme changes.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { onTheme } from "../theme";

interface Size {
  width: number;
  height: number;
}

/** Asks `fit` now and whenever the box has another size. */
function useFit(element: RefObject<HTMLElement | null>, fit: (box: HTMLElement) => void): void {
  useEffect(() => {
    const box = element.current;
    if (!box) return undefined;
    const sizes = new ResizeObserver(() => fit(box));
    sizes.observe(box);
    fit(box);
    return () => sizes.disconnect();
  }, []);
}

/** Of a box; zero before its first layout. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useFit(element, (box) => setSize({ width: box.clientWidth, height: box.clientHeight }));
  return size;
}

/** The same of what only another width changes. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useFit(element, (box) => setWidth(box.clientWidth));
  return width;
}

/** A canvas that is drawn after every change, also of the theme, and by `draw`; not where it has no room. */
export function useCanvas(size: Size, paint: (context: CanvasRenderingContext2D) => void) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef({ size, paint });
  latest.current = { size, paint };
  const draw = useRef((): void => {
    const context = canvas.current?.getContext("2d");
    const { width, height } = latest.current.size;
    if (!context || !width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (context.canvas.width !== wide) context.canvas.width = wide;
    if (context.canvas.height !== high) context.canvas.height = high;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    latest.current.paint(context);
  });
  useEffect(() => draw.current());
  useEffect(() => onTheme(() => draw.current()), []);
  return { canvas, draw: draw.current };
}
