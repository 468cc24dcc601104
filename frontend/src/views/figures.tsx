// A few figures in plain words, side by side; all the others, and why some are unknown, a press away.
import type { Part } from "../page";
import { Popover } from "../shell/popover";
import type { Answer, Column, SummaryName } from "../types";
import { exactValue, formatCell, label } from "../units";
import { Words } from "./words";

/** Reason → labels of what is unknown for it. */
function reasons(columns: readonly Column<SummaryName>[], unknown: Answer["unknown"]): Map<string, string[]> {
  const byReason = new Map<string, string[]>();
  for (const column of columns) {
    const reason = unknown[column.name];
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), label(column)]);
  }
  return byReason;
}

interface Figure {
  name: SummaryName;
  /** `{} busy`; `{another_ms}` says another of the summary's values. */
  words: string;
  /** The text in its place. */
  of?: (value: number) => number;
  /** Shown also where it is zero or unknown. */
  always?: boolean;
}

export interface Group {
  title: string;
  figures: readonly Figure[];
}

/** Figures by name, in the order to show them: their words, or more of a figure. */
type Declared = Readonly<Partial<Record<SummaryName, string | Omit<Figure, "name">>>>;

export function group(title: string, declared: Declared): Group {
  const figures = Object.entries(declared).map(([name, figure]) => ({
    name: name as SummaryName,
    ...(typeof figure === "string" ? { words: figure } : figure),
  }));
  return { title, figures };
}

interface Props extends Part {
  groups: readonly Group[];
}

function isShown({ name, always }: Figure, { summary, unknown }: Answer): boolean {
  const value = summary[name];
  return always ? value != null || unknown[name] !== undefined : value != null && value !== 0 && value !== "";
}

function One({
  figure,
  answer,
  columns,
}: {
  figure: Figure;
  answer: Answer;
  columns: ReadonlyMap<string, Column<SummaryName>>;
}) {
  const column = columns.get(figure.name);
  if (!column || !isShown(figure, answer)) return null;
  const value = answer.summary[figure.name] ?? null;
  const why = value === null ? `Unknown: ${answer.unknown[figure.name]}` : exactValue(value, column.unit);
  return (
    <span title={`${label(column)}: ${column.help}\n${why}`}>
      {figure.words.split(/[{}]/).map((part, i) => {
        if (i % 2 === 0) return part;
        const value = answer.summary[(part as SummaryName | "") || figure.name] ?? null;
        const shown = typeof value === "number" && figure.of ? figure.of(value) : value;
        return <b key={i}>{formatCell(shown, columns.get(part) ?? column)}</b>;
      })}
    </span>
  );
}

export function Figures({ answer, page, groups }: Props) {
  const columns = new Map(page.tool.summary.map((column) => [column.name, column]));
  const shownGroups = groups.filter(({ figures }) => figures.some((figure) => isShown(figure, answer)));
  return (
    <div class="figures">
      {shownGroups.map(({ title, figures }) => (
        <p key={title}>
          {title && <span class="soft">{title}</span>}
          {figures.map((figure) => (
            <One key={figure.name} figure={figure} answer={answer} columns={columns} />
          ))}
        </p>
      ))}
    </div>
  );
}

export function AllFigures({ answer, columns }: { answer: Answer; columns: readonly Column<SummaryName>[] }) {
  const { summary, unknown } = answer;
  const known = columns.filter(({ name }) => summary[name] != null && summary[name] !== "");
  return (
    <Popover
      label="All figures, and why some are unknown"
      button={
        <>
          all figures <i aria-hidden="true">▸</i>
        </>
      }
      class="right all-figures"
      isText
    >
      {() => (
        <>
          <dl>
            {known.map((column) => (
              <div key={column.name} title={`${column.help}\n${exactValue(summary[column.name], column.unit)}`}>
                <dt>{label(column)}</dt>
                <dd>
                  <Words text={formatCell(summary[column.name], column)} />
                </dd>
              </div>
            ))}
          </dl>
          {[...reasons(columns, unknown)].map(([reason, labels]) => (
            <p key={reason}>
              <b>Unknown</b>, because <Words text={reason} />: <span class="soft">{labels.join(", ")}.</span>
            </p>
          ))}
        </>
      )}
    </Popover>
  );
}
