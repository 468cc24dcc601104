// All that is known of an instruction of an XLA program, with what it reads and what uses it as links.
import { useAnswer } from "../answer";
import type { PageProps, Part } from "../page";
import type { Answer, Scalar, SummaryName, TableData } from "../types";
import { formatNumber, grouped, percent } from "../units";
import { CopyButton } from "./copy_button";
import { type HloNode, shortShape } from "./hlo_graph";
import { searchInTrace } from "./links";
import { Name } from "./name";
import { Shown } from "./states";

/** The page's own words in the address, that depend on the instruction. */
const OF_INSTRUCTION = ["at", "open"];

type Say = (name: SummaryName) => Scalar;

export function summaryOf({ summary }: Answer): Say {
  return (name) => summary[name] ?? null;
}

/** The address with another instruction in the middle. */
export function useWays(page: PageProps) {
  const { params } = page.selection;
  const set = (change: Record<string, string>, how?: "replace"): void => {
    const next = Object.entries({ ...params, ...change }).filter(([, value]) => value);
    page.navigate({ params: Object.fromEntries(next) }, how);
  };
  const centre = (instruction: string): void =>
    set({ instruction, ...Object.fromEntries(OF_INSTRUCTION.map((name) => [name, ""])) });
  return { set, centre };
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
  const { name = [], opcode = [], shape = [], through = [], program_share = [], operand = [] } = data?.columns ?? {};
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
              {typeof program_share[i] === "number" && <span>{percent(Number(program_share[i]))}</span>}
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
  ["program_share", "Share"],
  ["executions", "Executions"],
];

function shownValue(name: SummaryName, value: Scalar): string {
  if (value === null || value === "") return "";
  if (name === "self_us") return formatNumber(Number(value), "us");
  if (name === "program_share") return percent(Number(value));
  return typeof value === "number" ? grouped(value) : String(value);
}

/** All that is known of the selected instruction. */
export function Details({ answer, page, pick, node, open }: Part & PartOfDetails) {
  const say = summaryOf(answer);
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
export function OtherDetails({ name, ...rest }: Omit<Part, "answer"> & PartOfDetails & { name: string }) {
  const { page } = rest;
  const { program = "" } = page.selection.params;
  const asked = useAnswer(page.api, { program, instruction: name, nodes: "1", radius: "0" });
  return <Shown asked={asked}>{(answer) => <Details answer={answer} {...rest} />}</Shown>;
}
