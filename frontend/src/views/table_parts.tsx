// The parts of a table: column widths, head, one row, and the bar above.
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { embedded } from "../embedded";
import type { Column, ColumnName, FullNames, Scalar, TableData, TableSpec } from "../types";
import { counted, exactCell, formatCell, formatNumber, grouped, isNumeric, label, UNKNOWN } from "../units";
import { elastic, LETTER_PX, type Width } from "./columns";
import type { Apart } from "./apart";
import { Explain } from "./findings";
import { Name } from "./name";
import { filterProblem, type Sort } from "./rows";
import type { Starts } from "./starts";

/** What a person has set; the page that shows the table keeps it in the address. */
export interface TableState {
  filter: string;
  sort: Sort | null;
  /** Names of the columns to show; null shows those that the page chose. */
  columns: readonly string[] | null;
  /** The rows chosen, as `chosen.ts` writes them; those opened and closed in a tree, as `nested.ts` does. */
  rows: string;
  open: string;
}

/** What a table is the largest rows of. */
export interface Whole {
  count: number;
  /** Asks for more of them. */
  more: () => void;
  words: string;
}

/** Up to here one sees them all: no filter, no count. */
const FEW_ROWS = 12;
/** How narrow the column that takes what room is left may become: the end of a path is still seen. */
const ELASTIC_PX = 240;
/** But the numbers beside it are seen, too, on a phone. */
const ELASTIC_SHARE = 0.5;

const FILTER_HELP = [
  "All words must be in the row; -word must not.",
  'A column\'s whole text: type=MatMul  name="a b"  side!=host',
  "Expressions: /conv.*grad/ in any text, name~^conv in a column's, name!~^conv not.",
  "Comparisons with a column's name or its prefix: self_us>100  self>1.5ms  occ>=10  self_share<5%",
].join("\n");

export function ColumnWidths({ widths }: { widths: readonly Width[] }) {
  const wide = elastic(widths);
  return (
    <colgroup>
      {widths.map(({ column, px }) => (
        <col key={column.name} style={column.name === wide ? {} : { width: `${px}px` }} />
      ))}
    </colgroup>
  );
}

/** Below this the table scrolls sideways. */
export function leastWidth(widths: readonly Width[], room = ELASTIC_PX): number {
  const wide = elastic(widths);
  const most = Math.min(room, ELASTIC_SHARE * window.innerWidth);
  return widths.reduce((sum, { column, px }) => sum + (column.name === wide ? Math.min(px, most) : px), 0);
}

/** A table in a wide window is this wide at least, and so much wider than its texts: eyes follow a row so far. */
const FILLED_PX = 1400;
const SPARE = 1.2;

/** Above this the table ends before its panel does. */
export function mostWidth(widths: readonly Width[], data: TableData): number {
  const wide = elastic(widths);
  const px = widths.reduce((sum, one) => sum + one.px, 0);
  const given = widths.find(({ column }) => column.name === wide)?.px ?? 0;
  return Math.max(FILLED_PX, SPARE * (px + Math.max(0, longestOf(data, wide) * LETTER_PX - given)));
}

function longestOf(data: TableData, column: ColumnName | ""): number {
  return (data.columns[column] ?? []).reduce<number>((most, text) => Math.max(most, String(text).length), 0);
}

/** Beside a table, and within a cell. */
const AROUND_PX = 48;

interface Wrapping {
  lines?: number | undefined;
  room?: number | undefined;
}

/** How many lines the widest text needs, of at most `lines`. */
export function linesOf(widths: readonly Width[], data: TableData, { lines = 1, room }: Wrapping): number {
  if (lines === 1) return 1;
  const wide = elastic(widths);
  const others = widths.reduce((sum, { column, px }) => sum + (column.name === wide ? 0 : px), 0);
  const px = Math.max(leastWidth(widths, room), window.innerWidth - AROUND_PX) - others - AROUND_PX;
  return Math.min(lines, Math.max(1, Math.ceil((longestOf(data, wide) * LETTER_PX) / px)));
}

/** Numbers start with the largest, text with A; a third press gives the answer's own order back. */
function nextSort(sort: Sort | null, column: Column): Sort | null {
  const first = isNumeric(column);
  if (sort?.column !== column.name) return { column: column.name, down: first };
  return sort.down === first ? { column: column.name, down: !first } : null;
}

interface HeadProps {
  columns: readonly Column[];
  sort: Sort | null;
  setSort: (sort: Sort | null) => void;
}

export function Head({ columns, sort, setSort }: HeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => (
          <HeadCell
            key={column.name}
            column={column}
            sort={sort?.column === column.name ? sort : null}
            press={() => setSort(nextSort(sort, column))}
          />
        ))}
      </tr>
    </thead>
  );
}

/** For the pointer; the key ? shows the same, and leaves a head in one step. */
function About({ name, open }: { name: string; open: () => void }) {
  return (
    <button
      type="button"
      class="about"
      tabIndex={-1}
      aria-label={`Help on ${name}`}
      title="What it means"
      onClick={open}
    >
      <i aria-hidden="true">?</i>
    </button>
  );
}

function HeadCell({ column, sort, press }: { column: Column; sort: Sort | null; press: () => void }) {
  const direction = sort ? (sort.down ? "descending" : "ascending") : "none";
  const name = label(column);
  const explain = useContext(Explain);
  return (
    <th
      scope="col"
      data-column={column.name}
      aria-label={name}
      aria-sort={direction}
      class={isNumeric(column) ? "number" : ""}
    >
      <button
        type="button"
        aria-label={`Sort by ${name}`}
        title={`${column.help}\n${column.name}; ? explains it`}
        onClick={press}
      >
        {name}
        <i aria-hidden="true">{sort ? (sort.down ? " ▾" : " ▴") : ""}</i>
      </button>
      {explain && <About name={name} open={() => explain(column.name)} />}
    </th>
  );
}

function shareOf(value: number, unit: string): number | null {
  return unit === "share" ? value : unit === "percent" ? value / 100 : null;
}

/** Texts that are no names: cut at their end. */
const SENTENCES: ReadonlySet<string> = new Set(["why_unknown", "advice", "help"]);
const MARKS: Readonly<Record<string, string>> = { yes: "✓ yes", no: "no" };
const MARK_HELP: Readonly<Record<string, string>> = { [UNKNOWN]: "unknown" };

/** Columns whose cells lead somewhere, and what a press on one does. */
export interface CellsLead {
  columns: readonly string[];
  /** For the pointer. */
  what: string;
  open: (row: number, column: string) => void;
}

interface CellProps {
  column: Column;
  value: Scalar | undefined;
  /** The whole of what is shown shortened. */
  title?: string;
  /** Of how many lines a text may be. */
  lines: number;
  write: ((value: number) => string) | undefined;
  /** Zero is left empty. */
  isQuiet: boolean;
  /** How names of the column are distinguished. */
  names: Apart | undefined;
  /** What a press on its number does, and what that is. */
  lead: { what: string; open: () => void } | null;
}

function Cell({ column, value, title: whole, lines, isQuiet, names, lead, write }: CellProps) {
  const text = write && typeof value === "number" ? write(value) : formatCell(value, column);
  if (column.dtype === "bool") return <td title={MARK_HELP[text]}>{MARKS[text] ?? text}</td>;
  if (SENTENCES.has(column.name))
    return (
      <td class="words" title={whole ?? (text || column.help)}>
        {text}
      </td>
    );
  if (lines > 1)
    return (
      <td class="text" title={whole ?? text}>
        <span class="name wrapped" style={{ "--lines": lines }}>
          {text}
        </span>
      </td>
    );
  if (!isNumeric(column))
    return (
      <td class="text" title={text ? undefined : column.help}>
        <Name text={text} title={whole ?? text} apart={names} />
      </td>
    );
  const exact = exactCell(value, column);
  const title = value === null || value === undefined ? `${exact}\n${column.help}` : exact;
  if (isQuiet && value === 0) return <td class="number" title={title} />;
  const share = typeof value === "number" ? shareOf(value, column.unit) : null;
  return (
    <td class={share === null ? "number" : "number share"} title={title}>
      {share !== null && <b style={{ width: `${100 * Math.min(1, Math.max(0, share))}%` }} />}
      {lead && value !== null && value !== undefined ? (
        <button
          type="button"
          class="link"
          title={`${exact}\n${lead.what}`}
          onClick={(event) => {
            event.stopPropagation();
            lead.open();
          }}
        >
          {text}
        </button>
      ) : (
        <span>{text}</span>
      )}
    </td>
  );
}

interface CellsProps {
  columns: readonly Column[];
  data: TableData;
  row: number;
  full?: FullNames | undefined;
  /** Columns of which zero is left empty: see `sparse`. */
  quiet: ReadonlySet<string>;
  /** Of columns of names that do not all fit, how they are distinguished. */
  names?: ReadonlyMap<string, Apart>;
  /** The column whose text is wrapped, and into how many lines at most. */
  wrapped?: string;
  lines?: number;
  lead?: CellsLead | undefined;
  /** How the times of rows are written, where three digits do not tell them apart. */
  starts?: Starts;
}

export function Cells({ columns, data, row, full = {}, quiet, names, wrapped, lines = 1, lead, starts }: CellsProps) {
  return columns.map((column, place) => {
    const whole = data.columns[full[column.name] ?? ""]?.[row];
    const title = typeof whole === "string" ? { title: whole } : {};
    const given = data.columns[column.name]?.[row];
    // What a row is of is never left blank.
    const value = place === 0 && given === "" ? null : given;
    const leads = lead?.columns.includes(column.name) ? lead : null;
    return (
      <Cell
        key={column.name}
        {...{ column, value, ...title }}
        lines={column.name === wrapped ? lines : 1}
        isQuiet={quiet.has(column.name)}
        write={starts?.get(column.name)}
        names={names?.get(column.name)}
        lead={leads && { what: leads.what, open: () => leads.open(row, column.name) }}
      />
    );
  });
}

interface BarProps {
  title: string;
  spec: TableSpec;
  shown: number;
  total: number;
  whole?: Whole | undefined;
  /** What the rows that are shown take together. */
  sum?: { value: number; unit: string } | null;
  empty: readonly Column[];
  state: TableState;
  setState: (state: TableState) => void;
  /** What the filter says while it is empty. */
  hint?: string;
  /** What can be done with the rows. */
  children: ComponentChildren;
}

function rowsText(shown: number, total: number): string {
  if (shown < total) return `${grouped(shown)} of ${grouped(total)} rows`;
  return total > FEW_ROWS ? `${grouped(total)} rows` : "";
}

/** That there are more rows than were asked for, and the way to them. */
function Shortened({ total, whole }: { total: number; whole: Whole }) {
  return (
    <span class="shortened" title="Only the largest rows are loaded, sorted and filtered. CSV and JSON hold all.">
      showing {grouped(total)} of {grouped(whole.count)}{" "}
      {!embedded && (
        <button type="button" onClick={whole.more}>
          {whole.words}
        </button>
      )}
    </span>
  );
}

export function TableBar(props: BarProps) {
  const { title, spec, shown, total, whole, sum = null, empty, state, setState, hint, children } = props;
  const isShort = whole !== undefined && whole.count > total;
  const problem = filterProblem(state.filter, spec.columns, shown);
  return (
    <div class="table-bar">
      <h2 title={spec.help}>{title}</h2>
      {(total > FEW_ROWS || state.filter) && (
        <input
          type="search"
          class="table-filter"
          spellcheck={false}
          aria-label={`Filter ${title}`}
          value={state.filter}
          aria-invalid={Boolean(problem)}
          placeholder={hint ?? "Filter: conv self>1ms"}
          title={FILTER_HELP}
          onInput={(event) => setState({ ...state, filter: event.currentTarget.value })}
        />
      )}
      <span class="soft" role="status">
        {problem && <span class="problem">{problem} </span>}
        {isShort && shown === total
          ? ""
          : shown || !state.filter
            ? rowsText(shown, total)
            : "No row matches the filter"}
        {sum && shown < total && shown > 0 && `, total ${formatNumber(sum.value, sum.unit)}`}
      </span>
      {state.filter && !shown && (
        <button type="button" onClick={() => setState({ ...state, filter: "" })}>
          Clear the filter
        </button>
      )}
      {isShort && <Shortened total={total} whole={whole} />}
      {empty.length > 0 && (
        <span class="soft" title={empty.map((c) => `${label(c)}: ${c.help}`).join("\n")}>
          {counted(empty.length, "empty column")} hidden
        </span>
      )}
      <div class="table-acts">{children}</div>
    </div>
  );
}
