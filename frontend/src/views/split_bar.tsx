// Where the time of a step goes, as one bar; a press on a part opens the step of which it takes most.
import { useRef } from "preact/hooks";
import type { Answer, ColumnName, SummaryName, TableData } from "../types";
import { counted, exactValue, formatNumber, grouped, percent } from "../units";
import { categoryOf, namesOfNone } from "./category";
import type { Opener } from "./proof";
import { stretchOf } from "./stacked";
import { useWidth } from "./use_canvas";
import type { PageProps } from "../page";
import { Switch } from "./switch";

interface Part {
  key: string;
  group: string;
  title: string;
  ms: number;
  share: number;
  hidden: number;
  help: string;
}

function partsOf({ columns }: TableData): Part[] {
  const number = (name: ColumnName, row: number): number => Number(columns[name]?.[row] ?? 0);
  return (columns["category"] ?? []).map((key, row) => ({
    key: String(key),
    group: String(columns["group"]?.[row] ?? ""),
    title: String(columns["title"]?.[row] ?? key),
    ms: number("step_ms", row),
    share: number("share", row),
    hidden: number("overlapped_ms", row),
    help: String(columns["help"]?.[row] ?? ""),
  }));
}

/** The step, of those that the bar is of, that has most of the part: its row, its name, its time. */
function stepFor(column: ColumnName | "", steps: TableData | undefined, of: string) {
  const values = (steps?.columns[column] ?? []).map(Number);
  const cell = (name: ColumnName, row: number) => steps!.columns[name]?.[row];
  const isOf = (row: number): boolean =>
    of === "all" || (!cell("cut", row) && (cell("pace", row) === "slow") === (of === "slow"));
  const rows = [...values.keys()].filter(isOf);
  if (!steps || !rows.length) return null;
  const row = rows.reduce((best, i) => (values[i]! > values[best]! ? i : best));
  const cells = (name: ColumnName) => (steps.columns[name] ?? []).map((cell) => (cell === null ? null : Number(cell)));
  const stretch = stretchOf({ starts: cells("start_ms"), lengths: cells("duration_ms") }, row);
  return stretch && { data: steps, row, name: String(steps.columns["name"]?.[row] ?? ""), stretch };
}

const LETTER_PX = 6.8;
const PADDING_PX = 16;
/** What is well hidden behind compute; that hosts work while devices do goes without saying. */
const WORTH_HIDING = ["collective", "copy", "input"];
/** Hidden parts below this share of the step are not worth a word. */
const LEAST_HIDDEN = 0.01;

/** The longest of the texts that there is room for. */
function fitting(texts: readonly string[], px: number): string {
  return texts.find((text) => text.length * LETTER_PX + PADDING_PX <= px) ?? "";
}

interface SegmentProps {
  part: Part;
  text: string;
  steps: TableData | undefined;
  of: string;
  open: Opener;
}

function Segment({ part, text, steps, of, open }: SegmentProps) {
  const { key, title, ms, share, hidden, help } = part;
  const column = `${key}_ms` as ColumnName;
  const step = stepFor(column, steps, of);
  const variable = categoryOf(key);
  const titleLines = [
    `${title}: ${exactValue(ms, "ms")} per step, ${percent(share)}`,
    help,
    hidden > 0 ? `Another ${formatNumber(hidden, "ms")} overlaps with other parts.` : "",
    step ? `Click to show ${step.name}, which has most of it, in the trace.` : "",
  ].filter(Boolean);
  return (
    <button
      type="button"
      title={titleLines.join("\n")}
      style={{ flexGrow: share, background: `var(${variable})`, color: `var(${variable}-text)` }}
      onClick={() => step && open({ ...step, column }, step.stretch)}
    >
      <span aria-hidden="true">{text}</span>
      <span class="offscreen">{titleLines[0]}</span>
    </button>
  );
}

interface Props {
  answer: Answer;
  /** From a row of the table of steps. */
  open: Opener;
  /** Which steps the answer's split is of: `all`, `typical` or `slow`. */
  of: string;
}

export function SplitBar({ answer, open, of }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const all = partsOf(answer.tables["split"] ?? { columns: {} });
  const shown = all.filter(({ ms }) => ms > 0).sort((a, b) => b.ms - a.ms);
  if (!shown.length) return null;
  const texts = new Map(
    shown.map((part) => {
      const ms = formatNumber(part.ms, "ms");
      const full = `${part.title} ${ms}`;
      return [part, fitting([`${full} · ${percent(part.share)}`, full, ms], part.share * width)];
    }),
  );
  const unsaid = shown.filter((part) => !texts.get(part)!.startsWith(part.title));
  const step = shown.reduce((sum, { ms }) => sum + ms, 0);
  const hidden = all.filter((part) => WORTH_HIDING.includes(part.group) && part.hidden > LEAST_HIDDEN * step);
  const none = all.filter(({ ms, hidden: also }) => ms <= 0 && also <= 0);
  const names = namesOfNone(
    none.map(({ key, title }) => [key, title]),
    shown.map(({ key }) => key),
  );
  return (
    <div class="split">
      <div class="split-bar" ref={box} role="group" aria-label="Where a step's time goes">
        {shown.map((part) => (
          <Segment key={part.key} {...{ part, of, open }} text={texts.get(part)!} steps={answer.tables["steps"]} />
        ))}
      </div>
      <p class="legend">
        {unsaid.map((part) => (
          <span key={part.key} title={part.help}>
            <i style={{ background: `var(${categoryOf(part.key)})` }} />
            {part.title} {formatNumber(part.ms, "ms")}
          </span>
        ))}
        {hidden.map((part) => (
          <span key={`+${part.key}`} title={`${part.help}\nIt overlaps with another part of the step.`}>
            <i class="hatched" style={{ "--of": `var(${categoryOf(part.key)})` }} />+ {formatNumber(part.hidden, "ms")}{" "}
            {part.title.toLowerCase()} overlapped
          </span>
        ))}
        {names.length > 0 && (
          <span class="soft none" title={none.map(({ title, help }) => `${title}: ${help}`).join("\n")}>
            +{counted(names.length, "zero category")}
          </span>
        )}
      </p>
    </div>
  );
}

const OPTION = "split_of";

/** `all`, `typical` or `slow`, as the address says. */
export function splitOf({ selection }: Pick<PageProps, "selection">): string {
  return selection.params[OPTION] ?? "all";
}

export function SplitOf({ answer, page }: { answer: Answer; page: PageProps }) {
  const { summary } = answer;
  const number = (name: SummaryName): number => Number(summary[name] ?? 0);
  const slow = number("slow_step_count");
  const chosen = splitOf(page);
  if (!slow && chosen === "all") return null;
  const all = number("step_count") - number("steps_not_counted");
  const choose = (value: string): void =>
    page.navigate({ params: { ...page.selection.params, [OPTION]: value === "all" ? "" : value } });
  return (
    <div class="split-of">
      <Switch
        label="Steps"
        values={[
          ["all", `all ${grouped(all)}`, "Mean of all counted steps"],
          ["typical", `${grouped(all - slow)} typical`, "Without the slow steps"],
          ["slow", `${grouped(slow)} slow`, "Only the slow steps"],
        ]}
        value={chosen}
        choose={choose}
      />
      <span class="soft">mean of {String(summary["split_steps"] ?? "")}</span>
    </div>
  );
}
