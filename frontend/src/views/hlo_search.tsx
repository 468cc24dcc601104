// A word → the instructions of a program that have it in their name, opcode or op, to go to one of them.
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import type { PageProps } from "../page";
import { grouped, percent } from "../units";
import { useWays } from "./hlo_details";

const SEARCH_MS = 200;
const FOUND = 20;

/** Words that are looked for, and what was found; the address keeps them. */
export function Search({ page }: { page: PageProps }) {
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
  const { answer, error, again } = useAnswer(page.api, { program, search: word, nodes: "1", radius: "0" });
  if (error)
    return (
      <p class="hlo-found" role="alert">
        {error.message}{" "}
        <button type="button" class="link" onClick={again}>
          Try again
        </button>
      </p>
    );
  if (!answer) return null;
  const { name = [], opcode = [], program_share = [], op = [] } = answer.tables["matches"]?.columns ?? {};
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
            {typeof program_share[i] === "number" && <b>{percent(Number(program_share[i]))}</b>}
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
