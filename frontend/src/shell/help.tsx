// The keys, and what the page answers.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Keys as KeyList } from "../page";
import type { ToolSpec } from "../types";
import { label } from "../units";
import { Words } from "../views/words";
import { ACTS } from "./page_help";

const KEYS: KeyList = [
  ["?", "this help"],
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

export function Help({ tool, keys, close }: Props) {
  const [pageKeys, all] = useMemo(() => [here(keys), here(KEYS)], []);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Its only button has the focus and lies at its end: it is read from its begin.
    dialog.current?.scrollTo(0, 0);
  }, []);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-label="Help"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div>
        {tool && (
          <>
            <h2>{tool.title}</h2>
            <p>{tool.question}</p>
            <p class="soft">{tool.help}</p>
          </>
        )}
        {tool && <Acts name={tool.name} />}
        {tool && <PanelsHere tool={tool} close={close} />}
        {tool && <Meanings tool={tool} />}
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
      </div>
    </dialog>
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
function Meanings({ tool }: { tool: ToolSpec }) {
  const drawn = tool.views.every((view) => view.kind === "page");
  const groups = [{ title: "The numbers at the top", columns: tool.summary }, ...tool.tables];
  if (drawn) return null;
  return (
    <>
      <h2>What the numbers mean</h2>
      {groups.map(({ title, columns }) => (
        <details key={title}>
          <summary>{title}</summary>
          <dl>
            {columns.map((column) => (
              <div key={column.name}>
                <dt title={column.name}>{label(column)}</dt>
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
