// The shell: which run, host and tool; and the page of that tool.
import { useEffect, useMemo, useState } from "preact/hooks";
import { PAGES } from "virtual:pages";
import { apiFor, getRuns, getTools } from "../api";
import { useSelection } from "../state";
import type { Runs, ToolSpec } from "../types";

export function App() {
  const [selection, navigate] = useSelection();
  const [runs, setRuns] = useState<Runs | null>(null);
  const [tools, setTools] = useState<ToolSpec[]>([]);
  useEffect(() => void getRuns().then(setRuns), []);
  useEffect(() => void getTools().then((body) => setTools(body.tools)), []);
  const run = selection.run || runs?.runs[0]?.name || "";
  const tool = tools.find((t) => t.name === (selection.tool || "overview"));
  const hostKey = JSON.stringify(selection.hosts);
  const api = useMemo(() => apiFor({ run, hosts: selection.hosts, tool: tool?.name ?? "" }), [run, hostKey, tool?.name]);
  const Page = tool && PAGES[tool.name]?.default;
  return (
    <div class="app">
      <nav>{tools.map((t) => <button onClick={() => navigate({ tool: t.name })}>{t.title}</button>)}</nav>
      <main>{Page && run && <Page tool={tool} selection={{ ...selection, run }} navigate={navigate} api={api} />}</main>
    </div>
  );
}
