// Two runs: how much a step changed from one to the other, whether that is more than noise, and what accounts for it.
import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import { useAnswer } from "../answer";
import type { ColumnOf } from "../generated/columns";
import { type Api, type Keys, type Options, type PageProps, type Part, setParams } from "../page";
import { baseRangeOf, ofBase, type Range } from "../range";
import { KnownRuns, runBefore } from "../shell/run_groups";
import { categoryIn, type Wanted, withPair } from "../timeline/pair";
import { PairOfTraces, shownOf, type Side } from "../timeline/pair_view";
import type { Answer, Runs, TableData } from "../types";
import { counted } from "../units";
import { BothSides } from "../views/both_sides";
import { titleOf } from "../views/category";
import { ChangeFlame } from "../views/change_flame";
import { type By, type Piece, SUMS, waterfallOf } from "../views/compared";
import { AllFigures } from "../views/figures";
import { FoldedFindings } from "../views/findings";
import { KEYS as FLAME_KEYS } from "../views/flame_view";
import { addresses } from "../views/limited";
import { eventsInTrace } from "../views/links";
import { given } from "../views/options";
import { Boundary, Panel } from "../views/panel";
import { Conclusion } from "../views/report";
import { number, rowsOf } from "../views/rows";
import { Sides, sidesIn } from "../views/sides";
import { Late } from "../views/states";
import { Repeats, StepTimes } from "../views/step_times";
import { ShownSteps, StepsFrom } from "../views/steps_from";
import { Switch } from "../views/switch";
import { Links } from "../views/table";
import { TablePart } from "../views/table_panel";
import { tableState, withTableState } from "../views/table_state";
import { Waterfall } from "../views/waterfall";

export const keys: Keys = [
  ["W S A D", "in both traces: zoom in, out, move left, right", ".pair"],
  ["[ ]", "in both traces: the previous, next step of the one that has the focus", ".pair"],
  [", . ↑ ↓", "in both traces: the slice before, after, above, below the selected one", ".pair"],
  ["N, Shift N", "in both traces: the next, the previous event of what is looked for", ".pair"],
  ...FLAME_KEYS,
];

/** Asks for the comparison of all runs of both sides. */
function ofSides(api: Api, bases: readonly string[], repeats: readonly string[], range: Range): Api {
  const all = (options: Options): Options => ({ base: bases, repeat: repeats, ...range, ...options });
  return {
    url: (options) => api.url(all(options)),
    data: (options, signal) => api.data(all(options), signal),
    columns: (options, signal) => api.columns(all(options), signal),
  };
}

function NoBase({ page, runs }: { page: PageProps; runs: Runs }) {
  const others = runs.runs.filter(({ name }) => name !== page.selection.run);
  return (
    <section class="empty">
      <h1>Choose a run to compare with</h1>
      <p>
        {others.length
          ? "No run of the same folder was captured before this one. Choose any other above."
          : "There is no other run in the logdir yet. Capture the program again: this page keeps searching."}
      </p>
    </section>
  );
}

const BY = [
  ["op", "op", "One bar per op"],
  ["category", "category", "One bar per category of a step's time"],
] as const;

/** The way from A's step to B's. */
function Change({ answer, page }: Part) {
  const { params } = page.selection;
  const by: By = params["by"] === "category" ? "category" : "op";
  const table = by === "op" ? "ops" : "categories";
  const { step_time_base_ms: base, step_time_new_ms: next } = answer.summary;
  const data = answer.tables[table];
  const waterfall = useMemo(() => data && waterfallOf(data, by, number(base), number(next)), [data, by, base, next]);
  if (!waterfall) return null;
  const pick = ({ filter }: Piece): void => {
    const old = tableState(params, "ops");
    const state = { ...old, filter: old.filter === filter ? "" : filter };
    page.navigate({ params: withTableState(params, "ops", state) }, "replace");
  };
  const title = "From A's step to B's";
  return (
    <Panel title={title} bare>
      <div class="lines-bar change-bar">
        <b>{title}</b>
        <span class="grow" />
        <Switch
          label="by"
          values={BY}
          value={by}
          choose={(value) => setParams(page, { by: value === "category" ? value : "" })}
        />
        <Links {...addresses(page, table)} />
      </div>
      <Waterfall title={title} data={waterfall} isNoise={answer.summary["verdict"] === "noise"} pick={pick} />
      {!waterfall.pieces.length && <p class="soft">No part of a step has changed.</p>}
    </Panel>
  );
}

const OPS: readonly ColumnOf<"compare", "ops">[] = [
  "name",
  "type",
  "change_ms",
  "change_of_step_share",
  "base_ms",
  "new_ms",
  "category",
  "found_as",
  "was",
];
const KERNELS: readonly ColumnOf<"compare", "kernels">[] = [
  "name",
  "change_ms",
  "base_ms",
  "new_ms",
  "base_times",
  "new_times",
  "found_as",
  "was",
];

function isRest({ columns }: TableData, row: number): boolean {
  return String(columns["match"]?.[row]) in SUMS;
}

/** What of a category lies in no op has no name of its own. */
function withRests(answer: Answer): Answer {
  const ops = answer.tables["ops"];
  if (!ops) return answer;
  const { name = [], category = [] } = ops.columns;
  const named = name.map((one, row) => {
    const key = String(category[row] ?? "");
    const sum = SUMS[String(ops.columns["match"]?.[row])];
    return sum ? `(${titleOf(key) ?? key}, ${sum})` : one;
  });
  return { ...answer, tables: { ...answer.tables, ops: { columns: { ...ops.columns, name: named } } } };
}

/** Names of one op on A and on B; empty where it is not there. Of kernels no category is known. */
interface Names {
  a: string;
  b: string;
  category: string;
}

/** Events of exactly this name; of a name cut in its middle those that begin and end alike. */
function wanted(name: string): Partial<Wanted> {
  const { search = "", match = "text" } = name ? (eventsInTrace(name).params ?? {}) : {};
  return { search, match: match as Wanted["match"] };
}

/** Ways into both traces. */
function useBoth({ answer, page }: Part, sides: readonly [Side, Side]) {
  const { params } = page.selection;
  const isOpened = useRef(false);
  const open = (a: Partial<Wanted>, b: Partial<Wanted>, more: Record<string, string> = {}): void => {
    isOpened.current = true;
    page.navigate({ params: { ...withPair(params, a, b), ...more } });
  };
  // What was asked for is brought into view, also where it is open already; a link's page begins at its top.
  useEffect(() => {
    if (isOpened.current) document.querySelector(".pair")?.scrollIntoView({ block: "start" });
    isOpened.current = false;
  }, [params]);
  const [inA, inB] = sides.map((side) => (category: string): Partial<Wanted> => {
    const { step } = shownOf(answer, side, params);
    return step && category ? categoryIn(category, step, params["steps_from"]) : {};
  }) as [(category: string) => Partial<Wanted>, (category: string) => Partial<Wanted>];
  return {
    // Where it is not, what else there is of its category.
    op({ a, b, category }: Names): void {
      const words = [a ? wanted(a) : inA(category), b ? wanted(b) : inB(category)] as const;
      const absent = { ...(a ? {} : { "A.absent": b }), ...(b ? {} : { "B.absent": a }) };
      open(...words, absent);
    },
    category: (category: string): void => open(inA(category), inB(category)),
    steps: (): void => open({}, {}),
  };
}

type Both = ReturnType<typeof useBoth>;

interface DifferencesProps extends Part {
  table: "ops" | "kernels";
  base: string;
  both: Both;
}

/** Rows of a table of what is in both runs, each a way into both traces. */
function Differences({ table, base, both, ...part }: DifferencesProps) {
  const { answer, page } = part;
  const { selection, navigate } = page;
  const text = (data: TableData, column: "name" | "was" | "category", row: number): string =>
    String(data.columns[column]?.[row] ?? "");
  const isIn = (column: "base_ms" | "new_ms", row: number, data: TableData): boolean =>
    !!data.columns[column]?.[row] && !isRest(data, row);
  const namesOf = (row: number, data: TableData): Names => {
    const name = text(data, "name", row);
    return {
      a: isIn("base_ms", row, data) ? text(data, "was", row) || name : "",
      b: isIn("new_ms", row, data) ? name : "",
      category: text(data, "category", row),
    };
  };
  const inA = (row: number, data: TableData): void => {
    const way = eventsInTrace(namesOf(row, data).a);
    const own = ofBase(selection.params);
    const range = Object.keys(own).length ? { steps: "", time: "", ...own } : {};
    navigate({ run: base, hosts: selection.hosts, ...way, params: { ...way.params, ...range } });
  };
  const inB = (row: number, data: TableData): void => navigate(eventsInTrace(namesOf(row, data).b));
  const inBoth = (row: number, data: TableData): void => {
    if (isRest(data, row)) both.category(text(data, "category", row));
    else both.op(namesOf(row, data));
  };
  const shown = useMemo(() => withRests(answer), [answer]);
  const data = shown.tables[table];
  return (
    <TablePart
      page={page}
      answer={shown}
      table={table}
      show={table === "ops" ? OPS : KERNELS}
      what="Both traces ▸"
      open={inBoth}
      also={[
        { what: "In A's trace ▸", can: (row, data) => isIn("base_ms", row, data), open: inA },
        { what: "In B's trace ▸", can: (row, data) => isIn("new_ms", row, data), open: inB },
      ]}
      {...(data && {
        cells: {
          columns: ["base_ms", "new_ms"],
          what: "Show it in both traces",
          open: (row) => inBoth(row, data),
        },
      })}
      class={table === "ops" ? "main-table" : "first-table"}
    />
  );
}

/** What else differs, each with the columns that it starts with. */
const BESIDE = {
  counts: ["title", "of", "unit", "base", "new", "change", "change_of_base_share"],
  inputs: ["name", "kind", "base_ms", "new_ms", "change_ms", "base_wait_ms", "new_wait_ms", "match"],
  collectives: ["name", "base_ms", "new_ms", "change_ms", "base_times", "new_times", "base_bytes", "new_bytes"],
  hosts: ["name", "own_base_ms", "own_new_ms", "own_change_ms", "base_ms", "new_ms", "change_ms"],
  memory: ["name", "kind", "base_bytes", "new_bytes", "change_bytes"],
} as const;
const TABLES_BESIDE = Object.keys(BESIDE) as (keyof typeof BESIDE)[];

function Beside({ answer, page, both }: Part & { both: Both }) {
  const event = (row: number, data: TableData): string => String(data.columns["event"]?.[row] ?? "");
  // One host is what the whole is.
  const tables = TABLES_BESIDE.filter((table) => rowsOf(answer, table) > (table === "hosts" ? 1 : 0));
  return (
    <>
      {tables.map((table) => (
        <TablePart
          key={table}
          page={page}
          answer={answer}
          table={table}
          show={BESIDE[table]}
          class="first-table"
          {...(answer.tables[table]!.columns["event"] && {
            what: "Both traces ▸",
            can: (row: number, data: TableData) => event(row, data) !== "",
            open: (row: number, data: TableData) => both.op({ a: event(row, data), b: event(row, data), category: "" }),
          })}
        />
      ))}
    </>
  );
}

interface ReportProps extends Part {
  sides: readonly [Side, Side];
}

function Report({ sides, ...part }: ReportProps) {
  const { answer, page } = part;
  const hasSteps = rowsOf(answer, "steps") > 0;
  // Without steps of a side all of the other would be new.
  const isKnown = number(answer.summary["step_time_change_ms"]) !== null;
  const both = useBoth(part, sides);
  const base = sides[0].runs[0]!;
  return (
    <>
      <Conclusion {...part}>
        <FoldedFindings findings={answer.findings.slice(1)} answer={answer} page={page} />
        <LeftOut {...{ answer, sides }} />
        {page.selection.params["both"] !== "true" && <FromVerdict {...{ answer, both }} />}
      </Conclusion>
      {page.selection.params["both"] === "true" && <PairOfTraces {...part} sides={sides} />}
      <div class="columns compared">
        {hasSteps && (
          <div class="stack">
            {isKnown && <Change {...part} />}
            <Panel title="Step times">
              <StepTimes title="Step times" answer={answer} />
              <Repeats answer={answer} />
            </Panel>
          </div>
        )}
        <Panel title="Both sides" bare>
          <div class="lines-bar change-bar">
            <b>Both sides</b>
            <span class="grow" />
            {["unknown", "unlike"].includes(String(answer.summary["verdict"])) && (
              <StepsFrom answer={null} page={page} />
            )}
            <AllFigures answer={answer} columns={page.tool.summary} />
          </div>
          <BothSides answer={answer} columns={page.tool.summary} />
        </Panel>
      </div>
      <Boundary what="By scope">
        <ChangeFlame
          {...part}
          act={(names) => <InBoth open={() => both.op(names)} />}
          actOf={(category) => <InBoth open={() => both.category(category)} />}
        />
      </Boundary>
      {isKnown && <Differences {...part} {...{ base, both }} table="ops" />}
      {isKnown && <Differences {...part} {...{ base, both }} table="kernels" />}
      {isKnown && <Beside {...part} both={both} />}
    </>
  );
}

function InBoth({ open }: { open: () => void }) {
  return (
    <button type="button" class="link" onClick={open}>
      Both traces ▸
    </button>
  );
}

/** The row of the largest change, where that is more than noise. */
function firstRow({ summary, tables }: Answer): TableData | null {
  const data = tables["ops"];
  const isChange = summary["verdict"] !== "noise" && number(summary["step_time_change_ms"]) !== null;
  return isChange && data && number(data.columns["change_ms"]?.[0]) ? data : null;
}

/** From the verdict to what changed most; where nothing did, to the steps. */
function FromVerdict({ answer, both }: { answer: Answer; both: Both }) {
  const first = firstRow(answer);
  const at = (column: "name" | "was" | "match" | "category"): string => String(first?.columns[column]?.[0] ?? "");
  const [name, match, category] = [at("name"), at("match"), at("category")];
  const title = first
    ? `At ${name || (titleOf(category) ?? category)}, which changed most`
    : "At a typical step of each";
  const open = (): void => {
    if (!first) both.steps();
    else if (match in SUMS) both.category(category);
    else both.op({ a: match === "new" ? "" : at("was") || name, b: match === "gone" ? "" : name, category });
  };
  return (
    <p class="ways">
      <button type="button" title={title} onClick={open}>
        Both traces, aligned by step ▸
      </button>
    </p>
  );
}

/** Repeats that could not be read count on no side. */
function LeftOut({ answer: { summary }, sides }: { answer: Answer; sides: readonly [Side, Side] }) {
  const captures = [summary["captures_base"], summary["captures_new"]];
  const words = sides.flatMap(({ letter, runs }, i) => {
    const left = runs.length - Number(captures[i]);
    return left > 0 ? [`${left} of ${counted(runs.length, "run")} of ${letter}`] : [];
  });
  if (!words.length) return null;
  return <p class="left-out">{words.join(" and ")} cannot be read: the quality mark at the top says why.</p>;
}

interface ComparedProps {
  page: PageProps;
  bases: readonly string[];
  repeats: readonly string[];
  runs: Runs;
}

function Compared({ page, bases, repeats, runs }: ComparedProps) {
  const asked = useAnswer(page.api, given(page));
  const { run, hosts } = page.selection;
  const sides = [
    { letter: "A", runs: bases, hosts: hostsIn(runs, bases, hosts) },
    { letter: "B", runs: [run, ...repeats], hosts },
  ] as const;
  return (
    <ShownSteps asked={asked} page={page}>
      {(answer: Answer) => <Report answer={answer} page={page} sides={sides} />}
    </ShownSteps>
  );
}

/** Those of the chosen hosts that all of some runs have; where that is none, all. */
function hostsIn({ runs }: Runs, names: readonly string[], hosts: readonly string[]): readonly string[] {
  const of = runs.filter(({ name }) => names.includes(name));
  return hosts.filter((host) => of.every((run) => run.hosts.some(({ name }) => name === host)));
}

export default function Compare(page: PageProps) {
  const runs = useContext(KnownRuns);
  const { selection } = page;
  const before = runs && !runs.scanning ? (runBefore(runs.runs, selection.run)?.name ?? "") : "";
  const { bases, repeats } = sidesIn(selection, before);
  const stamps = runs?.runs.filter(({ name }) => bases.includes(name) || repeats.includes(name));
  const range = baseRangeOf(selection.params);
  const key = JSON.stringify([bases, repeats, range, stamps?.map(({ modified_ms }) => modified_ms)]);
  const api = useMemo(() => ofSides(page.api, bases, repeats, range), [page.api, key]);
  if (!runs) return null;
  return (
    <div class="page compare-page">
      <Sides {...{ page, runs, bases, repeats }} isChosen={!!selection.params["base"]} />
      {bases.length > 0 && <Compared page={{ ...page, api }} {...{ bases, repeats, runs }} />}
      {!bases.length && (runs.scanning ? <Late text="Looking for runs…" /> : <NoBase {...{ page, runs }} />)}
    </div>
  );
}
