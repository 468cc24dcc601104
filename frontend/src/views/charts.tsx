// The first chart of a kind that a tool declares, as a panel of its page.
import { type PageProps, type Part, setParams } from "../page";
import { choose } from "../range";
import type { TableData, TableName, TableSpec, View } from "../types";
import { addresses } from "./limited";
import { Lines } from "./lines";
import { openerOf } from "./proof";
import { Panel } from "./panel";
import { rowCount } from "./rows";
import { Stack } from "./stack";

/** A table of the answer as it is declared; null where it has no row. */
export function tableOf({ answer, page }: Part, name: TableName): { spec: TableSpec; data: TableData } | null {
  const spec = page.tool.tables.find((one) => one.name === name);
  const data = answer.tables[name];
  return spec && data && rowCount(data) ? { spec, data } : null;
}

/** The declared view with its table; undefined where that has nothing to draw. */
export function viewOf(
  { answer, page }: Part,
  kind: View["kind"],
  table?: string,
): { view: View; spec: TableSpec; data: TableData } | undefined {
  const view = page.tool.views.find((one) => one.kind === kind && (table ?? one.table) === one.table);
  const spec = page.tool.tables.find(({ name }) => name === view?.table);
  const data = spec && answer.tables[spec.name];
  const isKnown = view?.values.some((name) => data?.columns[name]?.some((cell) => cell !== null));
  return view && spec && data && isKnown && rowCount(data) ? { view, spec, data } : undefined;
}

/** What every chart gets: its title, addresses of its numbers, which bars it shows, and the way into the trace. */
export function common(page: PageProps, view: View, spec: TableSpec) {
  return {
    title: view.title || spec.title,
    ...addresses(page, spec.name),
    bars: page.selection.params["bars"] ?? "",
    setBars: (bars: string): void => setParams(page, { bars }),
    open: openerOf(page, spec),
  };
}

interface StepChartProps extends Part {
  noun: string;
  mean?: number | null;
  height?: number;
  /** What is zero is shown elsewhere. */
  quiet?: boolean;
  hasLegend?: boolean;
}

/** Makes a row of a table of steps a step of the range; undefined where rows are no steps. */
function chooserOf(page: PageProps, data: TableData) {
  const { step } = data.columns;
  if (!step) return undefined;
  return (from: number, to: number): void =>
    page.navigate(choose(page.selection, { steps: `${String(step[from])}-${String(step[to - 1])}` }));
}

export function StepChart({ answer, page, mean = null, ...look }: StepChartProps) {
  const shown = viewOf({ answer, page }, "stack");
  if (!shown) return null;
  const shared = common(page, shown.view, shown.spec);
  return (
    <Panel title={shared.title} bare>
      <Stack {...shown} {...shared} {...look} mean={mean ?? undefined} choose={chooserOf(page, shown.data)} />
    </Panel>
  );
}

export function LineChart(part: Part) {
  const shown = viewOf(part, "lines");
  if (!shown) return null;
  const shared = common(part.page, shown.view, shown.spec);
  return (
    <Panel title={shared.title} bare>
      <Lines {...shown} {...shared} />
    </Panel>
  );
}
