// An XLA program around one instruction: what it reads, what uses its result, what each took, and the program's text.
import { useMemo } from "preact/hooks";
import { programUrl } from "../api";
import { embedded } from "../embedded";
import type { Navigate, Part } from "../page";
import type { Answer, ColumnName, TableData } from "../types";
import { counted, formatNumber, grouped, percent } from "../units";
import { Details, OtherDetails, summaryOf, useWays } from "../views/hlo_details";
import { type HloGraph, hloGraph, type HloNode } from "../views/hlo_graph";
import { HloGraphView, KEYS } from "../views/hlo_graph_view";
import { Search } from "../views/hlo_search";
import { HloTextView } from "../views/hlo_text_view";
import { Panel } from "../views/panel";
import { ProgramPicker } from "../views/program_picker";
import { answerPage } from "../views/report";
import { rowCount, rowsOf } from "../views/rows";
import { Select } from "../views/select";
import { TablePart } from "../views/table_panel";
import { Flag } from "../views/switch";

export const keys = KEYS;

const RADII = ["1", "2", "3", "4", "6", "10"];
/** Names that a sentence says before it counts. */
const MOST_NAMED = 3;

function Code({ children }: { children: string }) {
  return <code>{children}</code>;
}

/** `a`, `b` and 2 others. */
function Names({ names, pick }: { names: readonly string[]; pick: (name: string) => void }) {
  const distinct = [...new Set(names)];
  const named = distinct.slice(0, distinct.length > MOST_NAMED + 1 ? MOST_NAMED : MOST_NAMED + 1);
  const others = distinct.length - named.length;
  const joint = (i: number): string => (i === 0 ? "" : i === named.length - 1 && !others ? " and " : ", ");
  return (
    <>
      {named.map((name, i) => (
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
  const say = summaryOf(answer);
  const { centre } = useWays(page);
  const [operands, users] = [namesIn(answer.tables["operands"]), namesIn(answer.tables["users"])];
  const share = say("program_share");
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

function graphInWords({ nodes, edges }: HloGraph): string {
  const names = nodes.slice(0, 12).map(({ name, opcode }) => `${name} (${opcode})`);
  return `${counted(nodes.length, "instruction")}, ${counted(edges.length, "operand")}: ${names.join(", ")}`;
}

function Cut({ answer, set }: { answer: Answer; set: (change: Record<string, string>) => void }) {
  const say = summaryOf(answer);
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
function GraphPickers({ answer, page }: Part) {
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
      <Flag
        words="open fusions"
        help="Show the instructions that fusions, calls and loops run, in their place"
        isOn={params["fusions"] === "true"}
        set={(fusions) => set({ fusions }, "replace")}
      />
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

const NODES: readonly ColumnName[] = [
  "name",
  "opcode",
  "category",
  "self_us",
  "program_share",
  "op",
  "source",
  "shape",
];

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
          <GraphPickers {...part} />
        </div>
      </Panel>
      <Picture {...both} />
      {!embedded && <ProgramText {...both} />}
      <Tables {...part} centre={centre} />
    </>
  );
}

export default answerPage(Report, false);
