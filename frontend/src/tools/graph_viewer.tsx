// An XLA program around one instruction: what it reads, what uses its result, what each took, and the program's text.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { programUrl } from "../api";
import type { Navigate, PageProps, Part } from "../page";
import type { Answer, ColumnName, Scalar, SummaryName, TableData } from "../types";
import { counted, formatNumber, grouped, percent } from "../units";
import { CopyButton } from "../views/copy_button";
import { type HloGraph, hloGraph, type HloNode, shortShape } from "../views/hlo_graph";
import { HloGraphView, KEYS } from "../views/hlo_graph_view";
import { HloTextView } from "../views/hlo_text_view";
import { searchInTrace } from "../views/links";
import { Name } from "../views/name";
import { given } from "../views/options";
import { Panel } from "../views/panel";
import { ProgramPicker } from "../views/program_picker";
import { rowCount, rowsOf } from "../views/rows";
import { Shown } from "../views/states";
import { Select } from "../views/select";
import { TablePart } from "../views/table_panel";

export const keys = KEYS;

const RADII = ["1", "2", "3", "4", "6", "10"];
/** Names that a sentence says before it counts. */
const SAID = 3;
const SEARCH_MS = 200;
const FOUND = 20;

/** The page's own words in the address, that depend on the instruction. */
const OF_INSTRUCTION = ["at", "open"];

type Say = (name: SummaryName) => Scalar;

function told({ summary }: Answer): Say {
  return (name) => summary[name] ?? null;
}

/** The address with another instruction in the middle. */
function useWays(page: PageProps) {
  const { params } = page.selection;
  const set = (change: Record<string, string>, how?: "replace"): void => {
    const next = Object.entries({ ...params, ...change }).filter(([, value]) => value);
    page.navigate({ params: Object.fromEntries(next) }, how);
  };
  const centre = (instruction: string): void =>
    set({ instruction, ...Object.fromEntries(OF_INSTRUCTION.map((name) => [name, ""])) });
  return { set, centre };
}

function Code({ children }: { children: string }) {
  return <code>{children}</code>;
}

/** `a`, `b` and 2 others. */
function Names({ names, pick }: { names: readonly string[]; pick: (name: string) => void }) {
  const distinct = [...new Set(names)];
  const said = distinct.slice(0, distinct.length > SAID + 1 ? SAID : SAID + 1);
  const others = distinct.length - said.length;
  const joint = (i: number): string => (i === 0 ? "" : i === said.length - 1 && !others ? " and " : ", ");
  return (
    <>
      {said.map((name, i) => (
        <span key={name}>
          {joint(i)}
          <button type="button" class="link" onClick={() => pick(name)}>
            <Code>{name}</Code>
          </button>
        </span>
      ))}
      {others > 0 && ` and ${counted(others, "other")}`}
    </>
  );
}

function namesIn(data: TableData | undefined): string[] {
  return (data?.columns["name"] ?? []).map(String);
}

/** What the page is about: how much of the time, from what, for what. */
function Sentence({ answer, page }: Part) {
  const say = told(answer);
  const { centre } = useWays(page);
  const [operands, users] = [namesIn(answer.tables["operands"]), namesIn(answer.tables["users"])];
  const share = say("self_share");
  const time = say("self_us");
  const callers = String(say("callers") ?? "");
  return (
    <div class="headline">
      <h1>
        <Code>{String(say("instruction"))}</Code> of <Code>{moduleOf(String(say("program")))}</Code>{" "}
        {typeof share === "number" ? (
          <>
            takes <b>{percent(share)}</b> of the program’s time, {formatNumber(Number(time), "us")}
          </>
        ) : (
          "did not run as an event of its own"
        )}
        : it {operands.length ? "reads " : "reads nothing"}
        {operands.length > 0 && <Names names={operands} pick={centre} />}
        {users.length ? " and is used by " : callers ? "" : " and is the program’s result"}
        {users.length > 0 && <Names names={users} pick={centre} />}
        {!users.length && callers && (
          <>
            {" and gives the result to "}
            <Names names={callers.split(", ")} pick={centre} />
          </>
        )}
        .
      </h1>
    </div>
  );
}

/** `jit_f(7)` → `jit_f`. */
function moduleOf(key: string): string {
  return key.replace(/\(\d+\)$/, "");
}

/** Words that are looked for, and what was found; the address keeps them. */
function Search({ page }: { page: PageProps }) {
  const { set, centre } = useWays(page);
  const [word, setWord] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [asking, setAsking] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsking(word.trim()), SEARCH_MS);
    return () => clearTimeout(timer);
  }, [word]);
  const all = (): void => {
    setOpen(false);
    set({ search: word.trim() }, "replace");
  };
  return (
    <search
      class="hlo-search"
      onFocusOut={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOpen(false)}
      onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
    >
      <input
        type="search"
        placeholder="Find an instruction, opcode or op"
        aria-label="Find an instruction by its name, opcode or framework op"
        value={word}
        onInput={(event) => {
          setWord(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={(event) => event.key === "Enter" && word.trim() && all()}
      />
      {isOpen && asking && <Found page={page} word={asking} pick={centre} all={all} close={() => setOpen(false)} />}
    </search>
  );
}

interface FoundProps {
  page: PageProps;
  word: string;
  pick: (name: string) => void;
  all: () => void;
  close: () => void;
}

function Found({ page, word, pick, all, close }: FoundProps) {
  const { program = "" } = page.selection.params;
  const { answer, error } = useAnswer(page.api, { program, search: word, nodes: "1", radius: "0" });
  if (!answer) return error ? <p class="hlo-found">{error.message}</p> : null;
  const { name = [], opcode = [], self_share = [], op = [] } = answer.tables["matches"]?.columns ?? {};
  const count = Number(answer.summary["matches_rows"] ?? 0);
  return (
    <ul class="hlo-found">
      {!count && <li class="soft">Nothing has “{word}” in its name, opcode or op.</li>}
      {name.slice(0, FOUND).map((one, i) => (
        <li key={String(one)}>
          <button
            type="button"
            onClick={() => {
              pick(String(one));
              close();
            }}
          >
            <code>{String(one)}</code>
            <span>{String(opcode[i])}</span>
            {typeof self_share[i] === "number" && <b>{percent(Number(self_share[i]))}</b>}
            <span class="soft">{String(op[i] ?? "")}</span>
          </button>
        </li>
      ))}
      {count > FOUND && (
        <li>
          <button type="button" class="link" onClick={all}>
            All {grouped(count)} in a table
          </button>
        </li>
      )}
    </ul>
  );
}

/** What an operand follows: its shape. What follows `=` is a computation. */
const AFTER_SHAPE = /[\]})] $/;

/** Text with names of operands as links. */
function Expression({ text, pick }: { text: string; pick: (name: string) => void }) {
  const [head = "", ...rest] = text.split(/(%[^\s,(){}=]+)/);
  return (
    <pre class="hlo-code">
      {head}
      {rest.map((part, i) =>
        i % 2 === 0 && AFTER_SHAPE.test(rest[i - 1] ?? "") ? (
          <button key={i} type="button" class="link" onClick={() => pick(part.slice(1))}>
            {part}
          </button>
        ) : (
          part
        ),
      )}
    </pre>
  );
}

function Near({ title, data, pick }: { title: string; data: TableData | undefined; pick: (name: string) => void }) {
  const { name = [], opcode = [], shape = [], through = [], self_share = [], operand = [] } = data?.columns ?? {};
  return (
    <>
      <h3>
        {title} {name.length > 0 && grouped(name.length)}
      </h3>
      {!name.length && <p class="soft">none</p>}
      <ul class="hlo-near">
        {name.map((one, i) => {
          const way = String(through[i] ?? "");
          const about = `${String(opcode[i])} ${shortShape(String(shape[i] ?? ""))}`;
          return (
            <li key={i} title={`operand ${String(operand[i])}${way ? `, through ${way}` : ""}: ${about}`}>
              <button type="button" class="link" onClick={() => pick(String(one))}>
                {String(one)}
              </button>
              <span class="soft">{about}</span>
              {typeof self_share[i] === "number" && <span>{percent(Number(self_share[i]))}</span>}
            </li>
          );
        })}
      </ul>
    </>
  );
}

const PAIRS: readonly (readonly [SummaryName, string])[] = [
  ["opcode", "Opcode"],
  ["category", "Category"],
  ["shape", "Shape, layout"],
  ["op", "Framework op"],
  ["source", "Source"],
  ["computation", "Computation"],
  ["callers", "Called by"],
  ["self_us", "Self time"],
  ["self_share", "Share"],
  ["executions", "Executions"],
];

function shownValue(name: SummaryName, value: Scalar): string {
  if (value === null || value === "") return "";
  if (name === "self_us") return formatNumber(Number(value), "us");
  if (name === "self_share") return percent(Number(value));
  return typeof value === "number" ? grouped(value) : String(value);
}

/** All that is known of the selected instruction. */
function Details({ answer, page, pick, node, open }: Part & PartOfDetails) {
  const say = told(answer);
  const { centre } = useWays(page);
  const name = String(say("instruction"));
  const isMiddle = !node || node.distance === 0;
  return (
    <>
      <div class="table-bar">
        <h2>
          <Name text={name} />
        </h2>
        <span class="grow" />
        {!isMiddle && (
          <button type="button" title="Put it in the middle (double click, c)" onClick={() => centre(name)}>
            Show around this
          </button>
        )}
        {node && (node.canOpen || node.isOpen) && page.selection.params["fusions"] !== "true" && (
          <button type="button" title="Show or hide the instructions that it runs (o)" onClick={() => open(node)}>
            {node.isOpen ? "Close" : "Open"}
          </button>
        )}
        {typeof say("self_us") === "number" && (
          <button type="button" title="Its events in the trace" onClick={() => page.navigate(searchInTrace(name))}>
            Find in trace ▸
          </button>
        )}
      </div>
      <Expression text={String(say("expression"))} pick={pick} />
      <dl class="pairs">
        {PAIRS.map(([key, words]) => {
          const value = shownValue(key, say(key));
          return value ? (
            <div key={key} title={value}>
              <dt>{words}</dt>
              <dd>
                <Name text={value} />
              </dd>
            </div>
          ) : null;
        })}
      </dl>
      <Near title="Operands" data={answer.tables["operands"]} pick={pick} />
      <Near title="Users" data={answer.tables["users"]} pick={pick} />
      <CopyButton text={() => String(say("expression"))} label="Copy expression" />
    </>
  );
}

interface PartOfDetails {
  pick: (name: string) => void;
  node: HloNode | undefined;
  open: (node: HloNode) => void;
}

/** The same of an instruction beside the middle, which is asked for. */
function OtherDetails({ name, ...rest }: Omit<Part, "answer"> & PartOfDetails & { name: string }) {
  const { page } = rest;
  const { program = "" } = page.selection.params;
  const asked = useAnswer(page.api, { program, instruction: name, nodes: "1", radius: "0" });
  return <Shown asked={asked}>{(answer) => <Details answer={answer} {...rest} />}</Shown>;
}

function graphInWords({ nodes, edges }: HloGraph): string {
  const names = nodes.slice(0, 12).map(({ name, opcode }) => `${name} (${opcode})`);
  return `${counted(nodes.length, "instruction")}, ${counted(edges.length, "operand")}: ${names.join(", ")}`;
}

function Cut({ answer, set }: { answer: Answer; set: (change: Record<string, string>) => void }) {
  const say = told(answer);
  const [out, closed, shown] = [Number(say("left_out")), Number(say("closed")), rowsOf(answer, "nodes")];
  return (
    <>
      {out > 0 && (
        <span class="soft">
          the nearest {grouped(shown)} of {grouped(shown + out)}{" "}
          {shown < 1000 && (
            <button type="button" class="link" onClick={() => set({ nodes: String(Math.min(1000, shown + out)) })}>
              show {grouped(Math.min(1000, shown + out))}
            </button>
          )}
        </span>
      )}
      {closed > 0 && <span class="soft">{counted(closed, "one")} too large to open</span>}
      {say("is_whole") === false && <span class="soft">the program is too large to be read as a whole</span>}
    </>
  );
}

/** Options of the picture, and what of the program can be downloaded. */
function Choices({ answer, page }: Part) {
  const { set } = useWays(page);
  const { params } = page.selection;
  const value = params["radius"] ?? "2";
  // Another program has other instructions.
  const navigate: Navigate = ({ params: next = {} }, how) =>
    page.navigate({ params: { program: next["program"] ?? "" } }, how);
  return (
    <>
      <ProgramPicker answer={answer} page={{ ...page, navigate }} />
      <Search page={page} />
      <Select
        name="steps"
        help="How many steps from operand to user, or back, are shown around the instruction"
        value={value}
        offers={RADII.map((one) => [one, one])}
        choose={(radius) => set({ radius: radius === "2" ? "" : radius }, "replace")}
      />
      <label title="Show the instructions that fusions, calls and loops run, in their place">
        <input
          type="checkbox"
          checked={params["fusions"] === "true"}
          onChange={(event) => set({ fusions: event.currentTarget.checked ? "true" : "" }, "replace")}
        />{" "}
        open fusions
      </label>
    </>
  );
}

function Downloads({ answer, page }: Part) {
  const { run, hosts } = page.selection;
  const url = (format: string): string =>
    programUrl(run, hosts, { program: String(answer.summary["program"]), format });
  return (
    <span class="hlo-downloads soft">
      Download{" "}
      <a href={url("text")} download>
        text
      </a>
      <a href={url("dot")} download title="A graph for Graphviz">
        dot
      </a>
      <a href={url("pb")} download title="The message as XLA keeps it: xla.HloProto">
        proto
      </a>
    </span>
  );
}

function Picture({ answer, page, pick, selected }: Part & { pick: (name: string) => void; selected: string }) {
  const { set, centre } = useWays(page);
  const { params } = page.selection;
  const graph = useMemo(() => hloGraph(answer.tables["nodes"], answer.tables["edges"]), [answer]);
  const words = useMemo(() => graphInWords(graph), [graph]);
  const node = graph.nodes.find(({ name }) => name === selected);
  const open = ({ name, isOpen }: HloNode): void => {
    const names = (params["open"] ?? "").split(",").filter((one) => one && one !== name);
    set({ open: (isOpen ? names : [...names, name]).join(",") }, "replace");
  };
  const details = { page, pick, node, open };
  return (
    <div class="hlo-columns">
      <Panel title="Around the instruction" bare>
        <HloGraphView
          title={counted(graph.nodes.length, "instruction")}
          graph={graph}
          middle={0}
          selected={node?.id ?? null}
          select={({ name }) => set({ at: name }, "replace")}
          centre={({ name }) => centre(name)}
          open={open}
          words={words}
        >
          <Cut answer={answer} set={(change) => set(change, "replace")} />
        </HloGraphView>
      </Panel>
      <Panel title={`Instruction ${selected}`} bare class="hlo-details">
        {selected === answer.summary["instruction"] ? (
          <Details answer={answer} {...details} />
        ) : (
          <OtherDetails name={selected} {...details} />
        )}
      </Panel>
    </div>
  );
}

function ProgramText({ answer, page, pick, selected }: Part & { pick: (name: string) => void; selected: string }) {
  const { set } = useWays(page);
  const isShown = page.selection.params["text"] === "1";
  const { run, hosts } = page.selection;
  const url = programUrl(run, hosts, { program: String(answer.summary["program"]), format: "text" });
  return (
    <Panel title="HLO text" bare>
      <div class="table-bar">
        <h2>HLO text</h2>
        <span class="soft">{counted(Number(answer.summary["instructions"] ?? 0), "instruction")}</span>
        <span class="grow" />
        <Downloads answer={answer} page={page} />
        <button type="button" aria-expanded={isShown} onClick={() => set({ text: isShown ? "" : "1" }, "replace")}>
          {isShown ? "Hide" : "Show"}
        </button>
      </div>
      {isShown && <HloTextView url={url} name={selected} pick={pick} />}
    </Panel>
  );
}

const NODES: readonly ColumnName[] = ["name", "opcode", "category", "self_us", "self_share", "op", "source", "shape"];

function Tables(part: Part & { centre: (name: string) => void }) {
  const { answer, centre } = part;
  const rows = (table: "matches" | "nodes"): number => rowCount(answer.tables[table] ?? { columns: {} });
  const act = {
    what: "Show around this",
    open: (row: number, { columns }: TableData) => centre(String(columns["name"]?.[row] ?? "")),
  };
  return (
    <>
      {rows("matches") > 0 && <TablePart {...part} table="matches" show={NODES} class="tall" {...act} />}
      {rows("nodes") > 1 && <TablePart {...part} table="nodes" show={NODES} class="tall" {...act} />}
    </>
  );
}

function Report(part: Part) {
  const { answer, page } = part;
  const { set, centre } = useWays(page);
  const middle = String(answer.summary["instruction"] ?? "");
  const shown = useMemo(() => new Set(namesIn(answer.tables["nodes"])), [answer]);
  const at = page.selection.params["at"];
  const selected = at !== undefined && shown.has(at) ? at : middle;
  const pick = (name: string): void => (shown.has(name) ? set({ at: name }, "replace") : centre(name));
  if (!middle) return <p class="soft">{answer.unknown["instructions"]}</p>;
  const both = { ...part, pick, selected };
  return (
    <>
      <Panel title="" class="answer">
        <Sentence {...part} />
        <div class="choices">
          <Choices {...part} />
        </div>
      </Panel>
      <Picture {...both} />
      <ProgramText {...both} />
      <Tables {...part} centre={centre} />
    </>
  );
}

export default function GraphViewer(page: PageProps) {
  const asked = useAnswer(page.api, given(page));
  return (
    <div class="page">
      <Shown asked={asked}>{(answer) => <Report answer={answer} page={page} />}</Shown>
    </div>
  );
}
