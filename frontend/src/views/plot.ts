// A uPlot in its box: as wide as that, drawn again when the theme changes, made anew when what it draws is another.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { onTheme } from "../theme";

/** What is drawn: the options for a width, and columns of points. */
interface Plotted {
  options: (width: number) => uPlot.Options;
  points: readonly unknown[];
}

/** `make` is asked when `inputs` change; null draws nothing. `end` is called when a plot goes. */
export function usePlot(make: () => Plotted | null, inputs: readonly unknown[], end?: () => void) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const [element, made] = [box.current, make()];
    if (!made || !element) return undefined;
    const fit = (): void => {
      const width = Math.floor(element.clientWidth);
      if (width <= 0) return;
      if (plot.current) plot.current.setSize({ width, height: plot.current.height });
      else plot.current = new uPlot(made.options(width), made.points as uPlot.AlignedData, element);
    };
    const sizes = new ResizeObserver(fit);
    sizes.observe(element);
    const forget = onTheme(() => plot.current?.redraw(false, true));
    fit();
    return () => {
      sizes.disconnect();
      forget();
      plot.current?.destroy();
      plot.current = null;
      end?.();
    };
  }, inputs);
  return { box, plot };
}
