// The search over all pages of a run: a field, and what it finds by group; Enter opens the page with the row filtered.
import { useEffect, useMemo, useState } from "preact/hooks";
import { apiFor } from "../api";
import type { Navigate, Selection } from "../page";
import { rangeOf } from "../range";
import type { Answer, ToolSpec } from "../types";
import { counted } from "../units";
import { Dialog } from "./dialog";
import { type Found, findAll, SEARCHED } from "./search";

interface Props {
  tools: readonly ToolSpec[];
  missing: Readonly<Record<string, string>>;
  selection: Selection;
  navigate: Navigate;
  /** Opens the help of a page at one of its numbers. */
  explain: (column: string) => void;
  close: () => void;
}

/** The answers of the pages that are searched, one by one as they come; how many are still to come, and how many failed. */
function useAnswers({ tools, missing, selection }: Props) {
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const [done, setDone] = useState({ count: 0, failed: 0 });
  const asked = useMemo(
    () => tools.filter(({ name }) => SEARCHED.includes(name) && missing[name] === undefined).map(({ name }) => name),
    [],
  );
  useEffect(() => {
    const abort = new AbortController();
    const range = rangeOf(selection.params);
    const ask = async (): Promise<void> => {
      for (const tool of selection.run ? asked : []) {
        try {
          const answer = await apiFor({ ...selection, tool }, range).data({}, abort.signal);
          setAnswers((before) => [...before, answer]);
          setDone(({ count, failed }) => ({ count: count + 1, failed }));
        } catch {
          if (abort.signal.aborted) return;
          setDone(({ count, failed }) => ({ count: count + 1, failed: failed + 1 }));
        }
      }
    };
    void ask();
    return () => abort.abort();
  }, []);
  return { answers, left: (selection.run ? asked.length : 0) - done.count, failed: done.failed };
}

function Option({ found, id, isAt, open }: { found: Found; id: string; isAt: boolean; open: () => void }) {
  return (
    <div role="option" id={id} aria-selected={isAt} class={isAt ? "at" : ""} title={found.title} onClick={open}>
      <b>{found.title}</b> <span class="soft">{found.detail}</span>
    </div>
  );
}

interface ListProps {
  found: readonly Found[];
  at: number;
  open: (found: Found) => void;
}

function Results({ found, at, open }: ListProps) {
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <div role="listbox" id="search-results" aria-label="Results" class="search-results">
      {groups.map((group) => (
        <div key={group} role="group" aria-label={group}>
          <p class="soft" aria-hidden="true">
            {group}
          </p>
          {found.map(
            (one, i) =>
              one.group === group && (
                <Option key={i} id={`search-${i}`} found={one} isAt={i === at} open={() => open(one)} />
              ),
          )}
        </div>
      ))}
    </div>
  );
}

function statusOf(text: string, count: number, left: number, failed: number): string {
  const coming = left > 0 ? `; ${counted(left, "page")} still being read` : "";
  const lost = failed > 0 ? `; ${counted(failed, "page")} could not be read` : "";
  return text.trim()
    ? `${counted(count, "result")}${coming}${lost}`
    : `Ops, kernels, findings, pages, and what numbers mean${coming}${lost}`;
}

export function SearchBox(props: Props) {
  const { tools, navigate, explain, close } = props;
  const { answers, left, failed } = useAnswers(props);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = useMemo(() => findAll(text, tools, answers), [text, tools, answers]);
  const here = Math.min(at, found.length - 1);
  useEffect(() => document.getElementById(`search-${here}`)?.scrollIntoView({ block: "nearest" }), [here]);
  const open = ({ way, column }: Found): void => {
    close();
    navigate(way);
    if (column) explain(column);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) setAt((here + step + found.length) % found.length);
    else if (event.key === "Enter" && found[here]) open(found[here]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Search all pages" class="help search-all" close={close}>
      <input
        type="text"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={found.length ? "search-results" : undefined}
        aria-activedescendant={found.length ? `search-${here}` : undefined}
        aria-label="Search all pages of the run"
        placeholder="Search all pages of the run"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <p class="soft" role="status">
        {statusOf(text, found.length, left, failed)}
      </p>
      {found.length > 0 && <Results {...{ found, open }} at={here} />}
    </Dialog>
  );
}
