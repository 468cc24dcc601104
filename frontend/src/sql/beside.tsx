// Beside the query: questions with their queries, and the tables with their columns; a press puts one into the query.
import { useMemo, useState } from "preact/hooks";
import { Words } from "../views/words";
import type { Named, Schema } from "./api";
import { quoted } from "./complete";

interface ExamplesProps {
  examples: Schema["examples"];
  isOpen: boolean;
  pick: (query: string) => void;
}

export function Examples({ examples, isOpen, pick }: ExamplesProps) {
  return (
    <details class="panel sql-examples" open={isOpen}>
      <summary>
        <h2>Examples</h2>
      </summary>
      <ul>
        {examples.map(({ question, query }) => (
          <li key={question}>
            <button type="button" class="link" title={query} onClick={() => pick(query)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Tables whose name has the text, with all columns; then others with the columns that have it. */
export function tablesWith(text: string, tables: readonly Named[]): Named[] {
  const part = text.trim().toLowerCase();
  if (!part) return [...tables];
  const isNamed = ({ name }: Named): boolean => name.toLowerCase().includes(part);
  const others = tables.filter((one) => !isNamed(one));
  const within = others.flatMap((one) => {
    const columns = one.columns.filter(({ name, help }) => `${name} ${help}`.toLowerCase().includes(part));
    return columns.length ? [{ ...one, columns }] : [];
  });
  return [...tables.filter(isNamed), ...within];
}

interface TableProps {
  table: Named;
  isOpen: boolean;
  insert: (name: string) => void;
  show: ((query: string) => void) | null;
}

function Table({ table: { name, help, columns }, isOpen, insert, show }: TableProps) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details
      open={isOpen}
      // Thousands of columns are drawn when they are looked at.
      onToggle={(event) => event.currentTarget.open && setOpened(true)}
    >
      <summary title={help.replaceAll("`", "")}>
        <code>{name}</code>
      </summary>
      {(wasOpened || isOpen) && (
        <>
          <p class="soft">
            <Words text={help} />
          </p>
          <p class="sql-acts">
            <button type="button" onClick={() => insert(name)}>
              Insert the name
            </button>
            {show && (
              <button type="button" onClick={() => show(`from ${name} limit 100`)}>
                Show rows
              </button>
            )}
          </p>
          <ul>
            {columns.map((column) => (
              <li key={column.name}>
                <button type="button" class="link" title="Insert it" onClick={() => insert(quoted(column.name))}>
                  <code>{column.name}</code>
                </button>{" "}
                <span class="soft">
                  {column.unit && <b>{column.unit}</b>} <Words text={column.help} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

interface TablesProps extends Omit<TableProps, "table" | "isOpen"> {
  schema: Schema;
}

/** Of a search with few results the columns are seen at once. */
const FEW = 3;

export function Tables({ schema, ...acts }: TablesProps) {
  const [text, setText] = useState("");
  const all = useMemo(
    () => [...schema.tables.filter(isPlain), ...schema.views, ...schema.tables.filter(isOfTool)],
    [schema],
  );
  const found = useMemo(() => tablesWith(text, all), [text, all]);
  const part = text.trim().toLowerCase();
  const isFew = part !== "" && found.length <= FEW;
  return (
    <section class="panel sql-tables" aria-label="Tables">
      <h2>Tables</h2>
      <input
        type="search"
        aria-label="Search tables and columns"
        placeholder="Search tables and columns"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="sql-list" tabIndex={0} role="group" aria-label="Tables and their columns">
        {found.map((table) => {
          const isOpen = isFew || table.name === part;
          return <Table key={`${table.name} ${isOpen}`} table={table} isOpen={isOpen} {...acts} />;
        })}
        {!found.length && <p class="soft">Nothing matches.</p>}
      </div>
    </section>
  );
}

function isOfTool({ name }: Named): boolean {
  return name.includes(".");
}

function isPlain(one: Named): boolean {
  return !isOfTool(one);
}
