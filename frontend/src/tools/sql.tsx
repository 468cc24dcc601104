// Questions of a person's own: a query, what it may be about, and its rows.
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { type Keys, type PageProps, setParams } from "../page";
import { rangeOf } from "../range";
import { runsIn, runsText } from "../selection";
import { Popover } from "../shell/popover";
import { KnownRuns } from "../shell/run_groups";
import { RunList } from "../shell/run_list";
import type { Question } from "../sql/api";
import { Examples, Tables } from "../sql/beside";
import { Editor, insert, write } from "../sql/editor";
import { Refused, Shown } from "../sql/shown";
import { useRows, useSchema, useText } from "../sql/use_query";
import type { Runs } from "../types";
import { counted } from "../units";
import { Failure } from "../views/states";

export const keys: Keys = [
  ["Ctrl Enter", "run the query", ".sql-editor"],
  ["Ctrl Space", "complete the word, or say what may come next", ".sql-editor"],
  ["↑ ↓, Enter or Tab, Esc", "in the list of completions: choose, take, close", ".sql-editor"],
];

/** As the server takes them. */
const MOST_RUNS = 64;

/** Runs that a query is about, the one that is shown first; and those of the chosen hosts that all of them have. */
function askedOf({ selection }: PageProps, runs: Runs | null): Omit<Question, "query"> {
  const { run, hosts, params } = selection;
  const names = [...new Set([run, ...runsIn(params["others"] ?? "")])].slice(0, MOST_RUNS);
  if (names.length === 1) return { runs: names, hosts };
  const all = runs?.runs.filter(({ name }) => names.includes(name)) ?? [];
  return {
    runs: names,
    hosts: hosts.filter((host) => all.every((one) => one.hosts.some(({ name }) => name === host))),
  };
}

function OtherRuns({ page, runs, names }: { page: PageProps; runs: Runs; names: readonly string[] }) {
  const [own, ...others] = names;
  if (runs.runs.length < 2) return null;
  const toggle = (picked: string): void => {
    const next = others.includes(picked) ? others.filter((one) => one !== picked) : [...others, picked];
    setParams(page, { others: runsText(next.filter((one) => one !== own).slice(0, MOST_RUNS - 1)) });
  };
  return (
    <Popover
      label="Also of other runs"
      class="base-picker"
      button={
        <>
          {others.length ? `and ${counted(others.length, "other run")}` : "+ other runs"} <i aria-hidden="true">▾</i>
        </>
      }
    >
      {() => (
        <RunList
          label="Other runs"
          runs={runs}
          selected={own!}
          pick={toggle}
          note="A press, or Enter: its rows are in all tables, too, or no longer."
          several={{ chosen: names, toggle, help: "Its rows are in all tables, too" }}
        />
      )}
    </Popover>
  );
}

/** How long a query has been running. */
function Elapsed({ since }: { since: number }) {
  const [now, tick] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => tick(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return <span class="soft">{Math.max(0, (now - since) / 1000).toFixed(1)} s</span>;
}

/** Params of a query that is run; another one's rows are sorted, filtered and drawn anew. */
function paramsOf({ selection: { params } }: PageProps, query: string): Record<string, string> {
  const isSame = params["query"] === query;
  const kept = Object.entries(params).filter(([name]) => isSame || !/^(result\..*|bars_of)$/.test(name));
  return { ...Object.fromEntries(kept), query, ran: "true" };
}

export default function Sql(page: PageProps) {
  const { selection, navigate } = page;
  const { params } = selection;
  const runs = useContext(KnownRuns);
  const [schema, error, again] = useSchema();
  const [text, setText, keep] = useText(page);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isNew] = useState(!text);
  const asked = askedOf(page, runs);
  const off = schema?.why_not ?? "";
  const isAsked = schema && !off && params["ran"] === "true" && params["query"];
  const known = runs?.runs.find(({ name }) => name === selection.run)?.hosts ?? [];
  const hosts = asked.hosts.length ? asked.hosts : known.map(({ name }) => name);
  const rows = useRows(isAsked ? { query: params["query"]!, ...asked } : null, hosts.length === 1 ? hosts[0]! : "");
  const run = (query = text): void => {
    if (!schema || off || !query.trim()) return;
    const isSame = params["ran"] === "true" && params["query"] === query;
    setText(query);
    navigate({ params: paramsOf(page, query) }, "replace");
    if (isSame) rows.again();
  };
  const show = (query: string): void => {
    const { current } = field;
    if (current) write(current, 0, current.value.length, query);
    run(query);
  };
  const put = (name: string): void => void (field.current && insert(field.current, name));
  const range = Object.keys(rangeOf(params)).length > 0;
  return (
    <div class="page sql-page">
      <h1 class="offscreen">SQL</h1>
      <div class="stack">
        {off && (
          <p class="panel sql-off" role="status">
            {off.charAt(0).toUpperCase() + off.slice(1)}.
          </p>
        )}
        {error && <Failure error={error} again={again} />}
        <section class="panel" aria-label="Query">
          <Editor {...{ field, text, setText, schema }} run={() => run()} left={keep} />
          <div class="sql-bar">
            <button type="button" class="sql-run" disabled={!schema || !!off || !text.trim()} onClick={() => run()}>
              Run
            </button>
            {rows.since !== null && (
              <>
                <span role="status">Running…</span> <Elapsed since={rows.since} />
                <button type="button" onClick={rows.cancel}>
                  Cancel
                </button>
              </>
            )}
            {runs && <OtherRuns page={page} runs={runs} names={asked.runs} />}
            {range && <span class="soft">Queries are of whole captures, whatever steps are chosen.</span>}
            <span class="soft sql-keys" id="sql-keys">
              Ctrl Enter runs it, Ctrl Space completes
            </span>
          </div>
        </section>
        {!off && !rows.result && !rows.error && rows.since === null && (
          <p class="soft sql-hint">
            Press an example, or write a query: tables and columns are offered as you type. Rows with a time lead into
            the trace.
          </p>
        )}
        {rows.error && rows.since === null && <Refused error={rows.error} again={rows.again} />}
        {rows.result && (
          <div class={rows.since === null ? "" : "dimmed"} aria-busy={rows.since !== null}>
            <Shown page={page} result={rows.result} tables={[...(schema?.views ?? []), ...(schema?.tables ?? [])]} />
          </div>
        )}
      </div>
      {schema && (
        <aside class="stack" aria-label="Examples and tables">
          <Examples examples={schema.examples} isOpen={isNew} pick={show} />
          <Tables schema={schema} insert={put} show={off ? null : show} />
        </aside>
      )}
    </div>
  );
}
