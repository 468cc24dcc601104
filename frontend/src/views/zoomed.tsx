// A picture of buttons that is scrolled, dragged and zoomed: the bar above it, and the ground that it lies on.
import type { ComponentChildren, HTMLAttributes, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const [LEAST_ZOOM, MOST_ZOOM] = [0.25, 2];
const ZOOM_STEP = 1.25;
const DRAG_PX = 4;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Props {
  title: string;
  /** The whole picture in words. */
  words: string;
  width: number;
  height: number;
  /** The least zoom that it takes to fit: below this letters are no letters, and it is scrolled instead. */
  readable: number;
  /** How large it is drawn; null: as large as fits. */
  zoom: number | null;
  setZoom: (zoom: number | null) => void;
  /** What it begins with, whenever `placement` is another. */
  middle: Box | undefined;
  placement: unknown;
  /** Whether it goes there also at a zoom that was chosen; else only the first time. */
  follows?: boolean;
  /** Whether a key was for the picture. */
  onKey: (event: KeyboardEvent) => boolean;
  /** In the bar above. */
  bar: ComponentChildren;
  /** Of the ground, besides. */
  ground?: HTMLAttributes<HTMLDivElement>;
  /** Below the picture. */
  legend: ComponentChildren;
  children: ComponentChildren;
}

function clamped(zoom: number): number {
  return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
}

/** As large as fits the box, at most full size, at least readable. */
function fitting(box: HTMLElement | null, { width, height, readable }: Props): number {
  if (!box?.clientWidth || !width) return 1;
  return Math.min(1, Math.max(readable, Math.min(box.clientWidth / width, box.clientHeight / height)));
}

/** Dragging the ground scrolls; a press on a node stays a press. */
function usePan(scroller: RefObject<HTMLDivElement | null>) {
  const held = useRef<{ x: number; y: number; left: number; top: number } | null>(null);
  return {
    onPointerDown: (event: PointerEvent): void => {
      const box = scroller.current!;
      if (event.button !== 0 || event.pointerType === "touch" || (event.target as Element).closest("button")) return;
      held.current = { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop };
    },
    onPointerMove: (event: PointerEvent): void => {
      const [from, box] = [held.current, scroller.current!];
      if (!from) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.abs(dx) + Math.abs(dy) < DRAG_PX) return;
      if (!box.hasPointerCapture(event.pointerId)) box.setPointerCapture(event.pointerId);
      box.scrollTo(from.left - dx, from.top - dy);
    },
    onPointerUp: (): void => void (held.current = null),
    onPointerCancel: (): void => void (held.current = null),
  };
}

export function Zoomed(props: Props) {
  const { title, words, width, height, zoom: chosen, setZoom, middle, placement, follows, onKey } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [fit, setFit] = useState(1);
  useLayoutEffect(() => {
    const measure = (): void => setFit(fitting(scroller.current, props));
    const sizes = new ResizeObserver(measure);
    sizes.observe(scroller.current!);
    measure();
    return () => sizes.disconnect();
  }, [width, height]);
  const zoom = chosen === null ? fit : clamped(chosen);
  const change = (factor: number): void => setZoom(Number(clamped(zoom * factor).toFixed(3)));
  const latest = useRef(change);
  latest.current = change;
  const centred = useRef(false);
  useLayoutEffect(() => {
    const box = scroller.current!;
    if (!middle || (chosen !== null && centred.current && !follows)) return;
    centred.current = true;
    box.scrollLeft = (middle.x + middle.width / 2) * zoom - box.clientWidth / 2;
    box.scrollTop = (middle.y + middle.height / 2) * zoom - box.clientHeight / 2;
  }, [placement, fit]);
  useEffect(() => {
    const box = scroller.current!;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
    };
    box.addEventListener("wheel", onWheel, { passive: false });
    return () => box.removeEventListener("wheel", onWheel);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!onKey(event)) {
      if (event.key === "+") change(ZOOM_STEP);
      else if (event.key === "-") change(1 / ZOOM_STEP);
      else if (event.key === "0") setZoom(null);
      else return;
    }
    event.preventDefault();
  };
  return (
    <div class="graph">
      <div class="table-bar">
        <h2>{title}</h2>
        {props.bar}
        <span class="grow" />
        <button type="button" title="Zoom out (−)" aria-label="Zoom out" onClick={() => change(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" title="Fit (0)" onClick={() => setZoom(null)}>
          {Math.round(100 * zoom)} %
        </button>
        <button type="button" title="Zoom in (+)" aria-label="Zoom in" onClick={() => change(ZOOM_STEP)}>
          +
        </button>
      </div>
      <div
        {...props.ground}
        class={`graph-scroll ${props.ground?.class ?? ""}`}
        ref={scroller}
        role="group"
        aria-label={title}
        aria-description={words}
        onKeyDown={onKeyDown}
        {...usePan(scroller)}
      >
        <div class="graph-room" style={{ width: `${width * zoom}px`, height: `${height * zoom}px` }}>
          <div class="graph-plane" style={{ width: `${width}px`, height: `${height}px`, scale: `${zoom}` }}>
            {props.children}
          </div>
        </div>
      </div>
      {props.legend}
      <p class="offscreen">{words}</p>
    </div>
  );
}
