// Two steps beside each other: what ran in each, by name and by category, and what is more in one.
import { useEffect, useMemo, useState } from "preact/hooks";
import { asApiError, useAttempts, useRetry } from "../answer";
import type { ApiError } from "../api";
import type { PageProps } from "../page";
import type { Answer } from "../types";
import { formatNumber, grouped } from "../units";
import { titleOf } from "../views/category";
import { rowCount } from "../views/rows";
import { Failure } from "../views/states";
import { DataTable } from "../views/table";
import type { TableState } from "../views/table_parts";
import { withCategoryTitles } from "./area";
import type { Board } from "./board";
import { compareOptions, type Compared, differenceInWords, type Side, sideInWords, sidesOf } from "./compare";
import { useFollow } from "./follow";
import { exactTime } from "./ruler";
import { around, length } from "./scale";
import { TabPanel, Tabs } from "./tabs";

const TABS = [
  ["compare_names", "By name", "Every name of either range"],
  ["compare_categories", "By category"],
] as const;
type Tab = (typeof TABS)[number][0];

const PANEL = "trace-compare-part";
const PLAIN: TableState = { filter: "", sort: null, columns: null, rows: "", open: "" };
/** How much of the screen a side takes that was gone to. */
const SHARE = 0.9;

interface Asked {
  answer: Answer | null;
  error: ApiError | null;
  /** What the answer is of. */
  key: string;
}

/** The answer before stays until the next is there. */
function useCompared(board: Board, options: Record<string, string>): Asked & { waiting: boolean; again: () => void } {
  const [asked, setAsked] = useState<Asked>({ answer: null, error: null, key: "" });
  const key = JSON.stringify(options);
  const [attempt, again] = useAttempts();
  useRetry(asked.error, again);
  useEffect(() => {
    const abort = new AbortController();
    const settle = (next: Partial<Asked>): void => {
      if (!abort.signal.aborted) setAsked((old) => ({ ...old, error: null, ...next, key }));
    };
    board.ask(options, abort.signal).then(
      (answer) => settle({ answer }),
      (reason: unknown) => settle({ error: asApiError(reason) }),
    );
    return () => abort.abort();
  }, [board, key, attempt]);
  return { ...asked, waiting: asked.key !== key, again };
}

function SideButton({ board, side, name }: { board: Board; side: Side; name: string }) {
  const { view } = side;
  return (
    <button
      type="button"
      title={`${name}: ${exactTime(view.start - board.origin)}, ${formatNumber(length(view), "ps")}\nClick to show it`}
      onClick={() => {
        board.range = view;
        board.look(around(view.start, view.end, SHARE, board.span));
      }}
    >
      {name} <b>{sideInWords(side)}</b>
      {side.step && <span class="soft"> {formatNumber(length(view), "ps")}</span>}
    </button>
  );
}

interface Props {
  page: PageProps;
  board: Board;
  compared: Compared;
  /** Searches for all events of a name. */
  find: (name: string) => void;
}

function Table({
  page,
  board,
  find,
  answer,
  tab,
  url,
}: Omit<Props, "compared"> & { answer: Answer; tab: Tab; url: Record<string, string> }) {
  const [state, setState] = useState(PLAIN);
  const spec = page.tool.tables.find(({ name }) => name === tab);
  const data = answer.tables[tab];
  const titled = useMemo(() => data && withCategoryTitles(data, (key) => titleOf(key) ?? "unknown category"), [data]);
  if (!spec || !titled || !rowCount(titled)) return <p class="soft trace-hint">Nothing ran in either.</p>;
  const all = Number(answer.summary[`${tab}_rows`] ?? 0);
  const shown = rowCount(titled);
  const name = (row: number): string => String(titled.columns["name"]?.[row] ?? "");
  return (
    <DataTable
      {...{ spec, state, setState }}
      data={titled}
      title={spec.title}
      csv={board.url({ ...url, format: "csv", table: tab })}
      json={board.url(url)}
      more={
        all > shown && (
          <span class="soft">
            the {grouped(shown)} of {grouped(all)} that differ most
          </span>
        )
      }
      {...(tab === "compare_names" ? { what: "Find all ▸", open: (row: number) => find(name(row)) } : {})}
    />
  );
}

export function ComparePanel({ page, board, compared, find }: Props) {
  useFollow(board, ({ steps, isListed }) => [steps, isListed]);
  const [tab, choose] = useState<Tab>("compare_names");
  const { steps } = board;
  const sides = useMemo(() => sidesOf(compared, steps), [compared, steps]);
  const options = compareOptions(sides, board.list.all(), board.hostCount > 1);
  const { answer, error, waiting, again } = useCompared(board, options);
  const categories = answer?.tables["compare_categories"];
  const set = (next: Compared | null): void => {
    board.compared = next;
    board.changed();
  };
  return (
    <section class="trace-part" aria-label="Comparison" aria-busy={waiting}>
      <header>
        <SideButton board={board} side={sides[0]} name="A" />
        <button
          type="button"
          aria-label="Swap A and B"
          title="Swap A and B"
          onClick={() => set({ a: compared.b, b: compared.a })}
        >
          ⇄
        </button>
        <SideButton board={board} side={sides[1]} name="B" />
        <span class="grow" />
        <button type="button" onClick={() => set(null)} aria-label="End the comparison">
          ×
        </button>
      </header>
      {categories && !error && (
        <p class="trace-summary" aria-live="polite">
          {differenceInWords(sides, categories, (key) => titleOf(key) ?? "events without a category")}
        </p>
      )}
      <Tabs id={PANEL} label="Comparison by" tabs={TABS} chosen={tab} choose={choose} />
      {error && <Failure error={error} again={again} />}
      <TabPanel id={PANEL} chosen={tab} class={`trace-scroll trace-table ${waiting ? "dimmed" : ""}`}>
        {answer && !error && <Table key={tab} {...{ page, board, find, answer, tab }} url={options} />}
      </TabPanel>
    </section>
  );
}
