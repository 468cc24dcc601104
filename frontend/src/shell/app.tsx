// The shell: which run, host and tool; and the page of that tool.
import { useCallback, useContext, useEffect, useMemo, useState } from "preact/hooks";
import { type ApiError, apiFor, getMissing, getTools } from "../api";
import { wholeHosts } from "../address";
import { asApiError, useAttempts, useRetry } from "../answer";
import { embedded } from "../embedded";
import { tellShown } from "../asking";
import type { Api, Navigate, PageProps, Selection } from "../page";
import { rangeOf } from "../range";
import { ALL_RUNS, FIRST_TOOL } from "../selection";
import { useSelection } from "../state";
import type { Answer, Finding, Quality, Run, Runs, ToolSpec } from "../types";
import { counted } from "../units";
import { Explain, Titles } from "../views/findings";
import { Failure, Late, Reading, reading } from "../views/states";
import { WordsWithPages } from "../views/words";
import { AllRuns, KEYS as RUN_KEYS } from "./all_runs";
import { Empty, Roots } from "./empty";
import { filesOfClock, FilesUsed, isOfFilesAside } from "./files";
import { FirstHint } from "./hint";
import { useKeys } from "./keys";
import { RangeLine } from "./range_picker";
import { SQL } from "./sql_tool";
import { firstRun, KnownRuns } from "./run_groups";
import { GroupTabs, TopBar } from "./top_bar";
import { type Capture, useCapture } from "./use_capture";
import { pageModule, usePage } from "./use_page";
import { type Polled, useRuns } from "./use_runs";
import { Lazy, useLoaded, useSoon } from "./lazy";
import { Boundary } from "../views/panel";

/** How long a scan may go on before the newest run found so far is opened. */
const SCAN_PATIENCE_MS = 1000;

/** What is selected, with what the address left open filled in. */
function useFilledSelection(runs: Runs | null): [Selection, Navigate] {
  const [selection, navigate] = useSelection();
  const [patient, setPatient] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), SCAN_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const newest = runs && !(runs.scanning && patient) ? (firstRun(runs.runs)?.name ?? "") : "";
  const isAll = selection.tool === ALL_RUNS || (!selection.run && !selection.tool && (runs?.runs.length ?? 0) > 1);
  const run = selection.run || (isAll ? "" : newest);
  const tool = selection.tool || (isAll ? ALL_RUNS : FIRST_TOOL);
  const there = runs?.runs.find(({ name }) => name === run)?.hosts;
  const hosts = useMemo(
    () =>
      wholeHosts(
        selection.hosts,
        (there ?? []).map(({ name }) => name),
      ),
    [selection.hosts, there],
  );
  useEffect(() => {
    if ((run || isAll) && (run !== selection.run || tool !== selection.tool || hosts !== selection.hosts))
      navigate({ run, tool, params: selection.params, hosts }, "replace");
  }, [run, tool, hosts, isAll, selection, navigate]);
  return [{ ...selection, run, tool, hosts }, navigate];
}

/** Why there are no tools, and how to ask once more. */
interface Failed {
  error: ApiError;
  again: () => void;
}

/** The tools, and why some have nothing for this run: that needs the capture, so it comes later. */
function useTools(
  run: string,
  hosts: readonly string[],
  stamp: number,
  isAlone: boolean,
): [tools: ToolSpec[], missing: Record<string, string>, failed: Failed | null] {
  const [tools, setTools] = useState<ToolSpec[]>([]);
  const [missing, setMissing] = useState<{ key: string; reasons: Record<string, string> }>({ key: "", reasons: {} });
  const [error, setError] = useState<ApiError | null>(null);
  const key = JSON.stringify([run, hosts, stamp, isAlone]);
  const [attempt, again] = useAttempts();
  const [unknown, setUnknown] = useState<ApiError | null>(null);
  const [asking, ask] = useAttempts();
  useRetry(error, again);
  useRetry(unknown, ask);
  useEffect(() => {
    getTools().then(
      (body) => {
        setTools(embedded ? body.tools : [...body.tools, SQL]);
        setError(null);
      },
      (reason: unknown) => setError(asApiError(reason)),
    );
  }, [attempt]);
  useEffect(() => {
    if (!stamp) return undefined;
    const abort = new AbortController();
    getMissing(run, hosts, abort.signal).then(
      (body) =>
        setMissing({
          key,
          reasons: Object.fromEntries(body.tools.flatMap((t) => (t.missing === null ? [] : [[t.name, t.missing]]))),
        }),
      // The page of the tool says why the capture cannot be read.
      (reason: unknown) => !abort.signal.aborted && setUnknown(asApiError(reason)),
    );
    return () => abort.abort();
  }, [key, asking]);
  return [tools, missing.key === key ? missing.reasons : {}, error && { error, again }];
}

/** The api, telling what it learns about the capture's quality. */
function useApi(selection: Selection, tool: ToolSpec | undefined, stamp: number): [Api, Quality | null, Answer | null] {
  const [seen, setSeen] = useState<{ key: string; answer: Answer } | null>(null);
  const key = JSON.stringify([selection.run, selection.hosts, stamp, rangeOf(selection.params)]);
  const api = useMemo((): Api => {
    // A trace shows all that ran: it asks for its windows itself.
    const { url, data, columns } = apiFor(selection, tool?.in_range === "window" ? {} : rangeOf(selection.params));
    return {
      url,
      columns,
      data: async (options, signal, work) => {
        const answer = await data(options, signal, work);
        setSeen({ key, answer });
        return answer;
      },
    };
  }, [key, selection.tool, tool?.in_range]);
  const answer = seen?.key === key ? seen.answer : null;
  // What was used of several files differs by page.
  return [api, answer && answer.quality, answer?.tool === selection.tool ? answer : null];
}

/** Leads into the trace of the files that the page is of. */
function useInFiles(run: Run | undefined, selection: Selection, answer: Answer | null, navigate: Navigate): Navigate {
  const files = filesOfClock(run, selection);
  const key = files && JSON.stringify(files);
  useEffect(() => {
    if (files) navigate({ hosts: files, params: selection.params }, "replace");
  }, [key]);
  const hosts = answer && isOfFilesAside(run, answer.hosts) ? answer.hosts : null;
  const known = hosts && JSON.stringify(hosts);
  return useCallback<Navigate>(
    (change, how) => navigate(hosts && change.tool === "trace_viewer" ? { hosts, ...change } : change, how),
    [known, navigate],
  );
}

/** The page of a tool, once its code is there. */
function LoadedPage(page: PageProps) {
  const { module, error } = usePage(page.tool.name);
  if (error) return <Failure error={error} again={() => window.location.reload()} />;
  if (!module) return <Late text={`Loading ${page.tool.title}…`} />;
  const Page = module.default;
  return <Page key={page.tool.name} {...page} />;
}

interface PageOfProps {
  tool: ToolSpec;
  reason: string | undefined;
  selection: Selection;
  navigate: Navigate;
  api: Api;
}

function PageOf({ reason, ...page }: PageOfProps) {
  const { tool } = page;
  const titles = useContext(Titles);
  if (reason !== undefined) {
    return (
      <section class="empty">
        <h1>{tool.title}: nothing to show</h1>
        <p>
          <WordsWithPages
            text={`${reason.charAt(0).toUpperCase() + reason.slice(1).replace(/\.+$/, "")}.`}
            titles={titles}
            open={(name) => page.navigate({ tool: name })}
          />
        </p>
        <p class="soft">{tool.help}</p>
      </section>
    );
  }
  return (
    <Boundary what={tool.title}>
      <LoadedPage {...page} />
    </Boundary>
  );
}

function NoRun({ runs, selection, navigate }: { runs: Runs; selection: Selection; navigate: Navigate }) {
  const newest = runs.runs[0]!;
  return (
    <section class="empty">
      <h1>
        Run <code>{selection.run}</code> does not exist (any more)
      </h1>
      <p>
        Searched in <Roots roots={runs.roots} />: {counted(runs.runs.length, "other run")} there.
      </p>
      <p>
        <button type="button" onClick={() => navigate({ run: newest.name })}>
          Open the newest run, {newest.name}
        </button>
      </p>
    </section>
  );
}

/** A link of another version may name a tool that this one does not have. */
function NoTool({ page, tools }: { page: Omit<PageOfProps, "tool">; tools: readonly ToolSpec[] }) {
  const { selection, navigate } = page;
  const first = tools[0]!;
  return (
    <section class="empty">
      <h1>
        There is no tool <code>{selection.tool}</code>
      </h1>
      <p>The tools are {tools.map(({ title }) => title).join(", ")}.</p>
      <p>
        <button type="button" onClick={() => navigate({ tool: first.name })}>
          Open {first.title}
        </button>
      </p>
    </section>
  );
}

function Body(props: {
  runs: Runs;
  run: Run | undefined;
  page: Omit<PageOfProps, "tool">;
  tools: readonly ToolSpec[];
  tool: ToolSpec | undefined;
  failed: Failed | null;
  capture: Capture;
}) {
  const { runs, run, page, tools, tool, failed, capture } = props;
  const isAll = page.selection.tool === ALL_RUNS;
  const isDrawn = !isAll && (run ? !!(failed || tools.length) : !runs.scanning);
  // Effects of what is within come first: they ask for what is needed.
  useEffect(() => {
    if (isDrawn) tellShown(page.selection);
  }, [isDrawn, page.selection]);
  if (isAll) return <AllRuns runs={runs} selection={page.selection} navigate={page.navigate} />;
  if (!run)
    return runs.scanning ? (
      <Empty runs={runs} capture={capture} />
    ) : (
      <NoRun runs={runs} selection={page.selection} navigate={page.navigate} />
    );
  if (failed && !tool) return <Failure {...failed} />;
  if (tool) return <PageOf tool={tool} {...page} />;
  if (tools.length) return <NoTool page={page} tools={tools} />;
  return <Late text="Loading the list of tools…" />;
}

const MAIN = "page";

/** The first stop of the Tab key: past the bar. The address, which is the page's, stays as it is. */
function SkipLink() {
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    document.getElementById(MAIN)?.focus();
  };
  return (
    <a class="skip" href={`#${MAIN}`} onClick={skip}>
      Skip to the page
    </a>
  );
}

interface ShellProps {
  polled: Polled;
  selection: Selection;
  navigate: Navigate;
  capture: Capture;
}

function Away({ error }: { error: ApiError | null }) {
  return (
    error && (
      <p class="banner" role="alert">
        {error.message}
      </p>
    )
  );
}

/** Read when they are first opened. */
const loadHelp = () => import("./help");
const loadSearch = () => import("./search_box");
const loadCapture = () => import("./capture_dialog");

function Shell({ polled, selection, navigate: go, capture }: ShellProps) {
  const { runs, error } = polled;
  const run = runs?.runs.find((r) => r.name === selection.run);
  const stamp = run?.modified_ms ?? 0;
  const [tools, missing, failed] = useTools(selection.run, selection.hosts, stamp, runs?.runs.length === 1);
  const tool = tools.find((t) => t.name === selection.tool || t.aliases.includes(selection.tool));
  const [api, quality, answer] = useApi({ ...selection, tool: tool?.name ?? selection.tool }, tool, stamp);
  const navigate = useInFiles(run, selection, answer, go);
  const [helping, openHelp, closeHelp] = useLoaded<typeof import("./help"), string | Finding>(loadHelp);
  const help = useCallback((column = "") => openHelp(column), []);
  const explain = useCallback((what: Finding | string) => openHelp(what), []);
  const [search, openSearch, closeSearch] = useLoaded<typeof import("./search_box"), null>(loadSearch);
  const searchAll = useCallback(() => openSearch(null), []);
  useKeys(tools, navigate, help, searchAll);
  const titles = useMemo(() => Object.fromEntries(tools.map((t) => [t.name, t.title])), [tools]);
  const keys = selection.tool === ALL_RUNS ? RUN_KEYS : ((tool && pageModule(tool.name)?.keys) ?? []);
  const page = { reason: tool && missing[tool.name], selection, navigate, api };
  if (!runs)
    return (
      <main class="app">
        {error ? <Failure error={error} again={() => void polled.again()} /> : <Late text="Looking for runs…" />}
      </main>
    );
  if (!runs.runs.length)
    return (
      <main class="app">
        <Away error={error} />
        <Empty runs={runs} capture={capture} />
      </main>
    );
  return (
    <Reading.Provider value={reading(run, selection.hosts)}>
      <div class="app">
        <SkipLink />
        <TopBar
          runs={runs}
          run={run}
          tools={tools}
          missing={missing}
          quality={quality}
          selection={selection}
          navigate={navigate}
          help={help}
          search={searchAll}
          capture={capture}
        />
        <GroupTabs {...{ tools, missing, selection, navigate }} />
        <RangeLine {...{ selection, navigate, tool, quality }} />
        <Away error={error} />
        {!embedded && <FirstHint />}
        <main id={MAIN} tabIndex={-1}>
          {answer && answer.tool !== "trace_viewer" && <FilesUsed files={answer.quality.files} navigate={navigate} />}
          <Titles.Provider value={titles}>
            <Explain.Provider value={explain}>
              <KnownRuns.Provider value={runs}>
                <Body runs={runs} run={run} page={page} tools={tools} tool={tool} failed={failed} capture={capture} />
              </KnownRuns.Provider>
            </Explain.Provider>
          </Titles.Provider>
        </main>
        {helping && (
          <helping.module.Help key={tool?.name} tool={tool} at={helping.value} keys={keys} close={closeHelp} />
        )}
        {search && (
          <search.module.SearchBox {...{ tools, missing, selection, navigate }} explain={help} close={closeSearch} />
        )}
      </div>
    </Reading.Provider>
  );
}

export function App() {
  const polled = useRuns();
  const [selection, navigate] = useFilledSelection(polled.runs);
  const show = (run: string): void => {
    if (run !== selection.run) navigate({ run });
  };
  // A capture that is watched opens when it is there; one whose dialog is closed must not take the page away.
  const capture = useCapture((run, isOpen) => void polled.again().then(() => isOpen && run && show(run)));
  useSoon(loadCapture);
  return (
    <>
      <Shell polled={polled} selection={selection} navigate={navigate} capture={capture} />
      {capture.isOpen && (
        <Lazy load={loadCapture}>{({ CaptureDialog }) => <CaptureDialog capture={capture} show={show} />}</Lazy>
      )}
    </>
  );
}
