// The keys, what the page answers, and how to act on what it says.
import { useMemo } from "preact/hooks";
import type { Keys as KeyList } from "../page";
import type { Finding, ToolSpec } from "../types";
import { label } from "../units";
import { Words } from "../views/words";
import { Dialog } from "./dialog";
import { Documented, Why } from "./why";

/** For each tool what to do with its page, the first thing first. */
const ACTS: Readonly<Record<string, readonly string[]>> = {
  overview: [
    "Read the first sentence: it names what takes most of a step, with the change that helps.",
    "Open its proof, “show in Trace”, before you change anything: it marks the time that the number counts.",
    "Then go down the findings: each share is what a step would take less without that cause, at most.",
  ],
  input_pipeline: [
    "If steps wait for input, the slowest stage is the one to change; its advice stands beside it.",
    "If they do not wait, leave the input alone: making it faster changes nothing.",
  ],
  pod_viewer: [
    "Look for one worker that others wait for: its time without collectives is longer than theirs.",
    "If all workers wait alike, look at the collectives' sizes and how much of them is overlapped.",
  ],
  op_stats: [
    "Sort by self time: an op high in the list is worth a change, one below a few percent is not.",
    "Double click a row to see its executions in the trace; filter by words, or as in `self>1ms`.",
  ],
  kernel_stats: [
    "Sort by total time, and look at kernels that could use tensor cores and do not.",
    "Many short kernels point at launch time: fuse ops, or use CUDA graphs.",
  ],
  memory_profile: [
    "See what is live at the peak, by op: the largest of these decides the batch that fits.",
    "If memory grows from step to step, something keeps references: look at the step table.",
  ],
  tf_data: [
    "Change the stage that the page names as the bottleneck; then capture again, for the next one may be near.",
  ],
  trace_viewer: [
    "Search for a name, or go to a step with [ and ]; a slice says what it waited for and what waited for it.",
    "Shift-drag an area to sum it up; mark what you want to come back to with M, and name it under Marks.",
    "The link of the page holds all of it: view, pins, marks and notes.",
  ],
  roofline: [
    "Ops below the slope wait for memory, below the roof for compute; the far ones with much time come first.",
  ],
  op_profile: ["Open the widest branches: the wasted share says how much a better layout or fusion could save."],
  hlo_stats: ["Sort by self time; an instruction's op and source say which line of the program to change."],
  memory_viewer: ["What is live at the peak stands first; the savings say what recomputing or sharing would free."],
  graph_viewer: ["Go from an instruction to its operands and users; the time of each says where to look next."],
  python_profile: ["Sort by own time for what to make faster, by cumulative time for what calls it too often."],
  compare: [
    "Read whether the change is more than the noise; then the categories, whose parts add up to it.",
    "Open both traces of an op, aligned by step, to see what differs.",
  ],
  sql: [
    "Begin with an example, and change it; the list beside it has all tables, with what their columns mean.",
    "Rows with a time or an event lead into the trace: a double click, or Enter.",
  ],
  runs: ["Choose a run to open it, tick two to compare them, or pin one as the baseline of all."],
};

const KEYS: KeyList = [
  ["?", "this help"],
  ["Ctrl K", "search all pages of the run"],
  ["?, on a column's head", "what its numbers mean", "th[data-column]"],
  ["Shift R", "choose a run"],
  ["Shift A", "all runs", "#all-runs"],
  ["Shift H", "choose a host"],
  ["Shift S", "choose which steps, or which time, all pages are of"],
  ["Shift C", "capture a profile"],
  ["1 … 9", "open a tool"],
  ["/", "filter or search on this page", "main input[type=search]"],
  ["↑ ↓ PgUp PgDn Home End", "move in a table; with Shift select rows", ".table-scroll[tabindex]"],
  ["Enter, or double click", "in a table: the action of the selected row", ".data-table"],
  ["Ctrl C", "copy the selected rows, exact values", ".data-table"],
  ["Esc", "close"],
];

interface Props {
  tool: ToolSpec | undefined;
  keys: KeyList;
  /** The column, or the finding, that is asked about; empty for the page. */
  at: string | Finding;
  close: () => void;
}

function Keys({ keys }: { keys: KeyList }) {
  return (
    <table class="keys">
      <tbody>
        {keys.map(([key, what]) => (
          <tr key={key}>
            <th scope="row">
              <kbd>{key}</kbd>
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Those of what is on the page now. */
function here(keys: KeyList): KeyList {
  return keys.filter(([, , where]) => !where || document.querySelector(where));
}

/** Its only button has the focus and lies at its end: it is read from its begin, or from the column that is asked about. */
function toBegin(dialog: HTMLDialogElement): void {
  dialog.scrollTo(0, 0);
  const meaning = dialog.querySelector<HTMLElement>("[data-at]");
  meaning?.scrollIntoView({ block: "center" });
  meaning?.focus();
}

export function Help({ tool, keys, at, close }: Props) {
  const [pageKeys, all] = useMemo(() => [here(keys), here(KEYS)], []);
  return (
    <Dialog label="Help" class="help" close={close} shown={toBegin}>
      {typeof at !== "string" && <Why finding={at} />}
      {tool && (
        <>
          <h2>{tool.title}</h2>
          <p>{tool.question}</p>
          <p class="soft">{tool.help}</p>
        </>
      )}
      {tool && <Acts name={tool.name} />}
      {tool && <PanelsHere tool={tool} close={close} />}
      {tool && <Meanings tool={tool} at={typeof at === "string" ? at : ""} />}
      {pageKeys.length > 0 && (
        <>
          <h2>Keys on this page</h2>
          <Keys keys={pageKeys} />
        </>
      )}
      <h2>Keys everywhere</h2>
      <Keys keys={all} />
      <p class="soft">Colours on all pages:</p>
      <Legend />
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}

function Acts({ name }: { name: string }) {
  const acts = ACTS[name] ?? [];
  if (!acts.length) return null;
  return (
    <>
      <h2>What to do with it</h2>
      <ol>
        {acts.map((text) => (
          <li key={text}>
            <Words text={text} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The panels that are on the page now, in their order, with what each says. */
function panelsOf(tool: ToolSpec): { title: string; help: string; panel: HTMLElement }[] {
  const panels = [...document.querySelectorAll<HTMLElement>("main section[aria-label]")];
  return panels.flatMap((panel) => {
    const title = panel.getAttribute("aria-label") ?? "";
    const help = tool.tables.find((table) => table.title === title)?.help;
    return help ? [{ title, help, panel }] : [];
  });
}

/** What each panel says; a press shows it. */
function PanelsHere({ tool, close }: { tool: ToolSpec; close: () => void }) {
  const panels = useMemo(() => panelsOf(tool), []);
  if (!panels.length) return null;
  return (
    <>
      <h2>What its panels say</h2>
      <dl>
        {panels.map(({ title, help, panel }) => (
          <div key={title}>
            <dt>
              <button
                type="button"
                class="link"
                onClick={() => {
                  close();
                  panel.scrollIntoView({ block: "start" });
                }}
              >
                {title}
              </button>
            </dt>
            <dd>
              <Words text={help} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** How every number of the tool's page is defined, folded. */
function Meanings({ tool, at }: { tool: ToolSpec; at: string }) {
  const drawn = tool.views.every((view) => view.kind === "page");
  const groups = [
    { title: "The numbers at the top", columns: tool.summary, place: "" },
    ...tool.tables.map((table) => ({ ...table, place: `.${table.name}` })),
  ];
  // The first that declares it.
  const first = groups.findIndex(({ columns }) => columns.some(({ name }) => name === at));
  if (drawn && first < 0) return null;
  return (
    <>
      <h2>What the numbers mean</h2>
      {groups.map(({ title, columns, place }, i) => (
        <details key={title} open={i === first}>
          <summary>{title}</summary>
          <dl>
            {columns.map((column) => (
              <div
                key={column.name}
                {...(i === first && column.name === at ? { "data-at": at, class: "at", tabIndex: -1 } : {})}
              >
                <dt title={column.name}>
                  <Documented at={tool.documentation && `${tool.documentation}${place}.${column.name}`}>
                    {label(column)}
                  </Documented>
                </dt>
                <dd>{column.help}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </>
  );
}

const COLOURS: readonly (readonly [variable: string, what: string])[] = [
  ["--input", "input wait"],
  ["--device", "device compute"],
  ["--device16", "in 16 bits"],
  ["--device8", "in 8 bits"],
  ["--device-any", "of unknown precision"],
  ["--busy", "busy, with what or with waits"],
  ["--launch", "kernel launch"],
  ["--host", "host compute"],
  ["--runtime", "runtime overhead"],
  ["--copy", "copies"],
  ["--collective", "collectives"],
  ["--compile", "compilation"],
  ["--python", "Python"],
  ["--waiting", "waiting"],
  ["--idle", "idle"],
  ["--unknown", "unknown"],
  ["--memory-stack", "memory: stack"],
  ["--memory-heap", "heap"],
  ["--memory-free", "free"],
];

function Legend() {
  return (
    <p class="legend">
      {COLOURS.map(([variable, what]) => (
        <span key={variable}>
          <i style={{ background: `var(${variable})` }} />
          {what}
        </span>
      ))}
    </p>
  );
}
