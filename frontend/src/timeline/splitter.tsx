// What lies below the board, and the edge by which it is made higher.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

/** Pixels at first, a press of a key, the least; of the window at most. */
const [FIRST, STEP, LEAST, MOST] = [288, 24, 96, 0.75];
/** As it was left when another page was looked at. */
let kept: number | null = null;

export function Splitter({ children }: { children: ComponentChildren }) {
  const [height, setHeight] = useState(kept ?? Math.min(FIRST, Math.round(window.innerHeight * 0.45)));
  const drag = useRef<{ y: number; height: number } | null>(null);
  const most = Math.max(LEAST, Math.round(window.innerHeight * MOST));
  const set = (next: number): void => {
    kept = Math.min(most, Math.max(LEAST, next));
    setHeight(kept);
  };
  return (
    <div class="trace-below" style={{ height: `${height}px` }}>
      <div
        class="trace-split"
        role="separator"
        tabIndex={0}
        aria-orientation="horizontal"
        aria-label="Height of the panel below"
        aria-valuenow={height}
        aria-valuemin={LEAST}
        aria-valuemax={most}
        onPointerDown={(event) => {
          drag.current = { y: event.clientY, height };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => drag.current && set(drag.current.height + drag.current.y - event.clientY)}
        onPointerUp={() => (drag.current = null)}
        onPointerCancel={() => (drag.current = null)}
        onDblClick={() => set(FIRST)}
        onKeyDown={(event) => {
          const by = event.key === "ArrowUp" ? STEP : event.key === "ArrowDown" ? -STEP : 0;
          if (!by) return;
          set(height + by);
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {children}
    </div>
  );
}
