// The top bar: run, host, tools, quality.
import { embedded } from "../embedded";
import type { Navigate, Selection } from "../page";
import { ALL_RUNS, changed } from "../selection";
import type { Quality, Run, Runs, ToolSpec } from "../types";
import { CopyButton } from "../views/copy_button";
import { CaptureButton } from "./capture_button";
import { HostPicker, NewRun, RunPicker } from "./pickers";
import { QualityButton } from "./quality";
import { RangePicker } from "./range_picker";
import type { Capture } from "./use_capture";
import { preload } from "./use_page";
import { linkTo } from "../state";

interface Props {
  runs: Runs;
  run: Run | undefined;
  tools: readonly ToolSpec[];
  missing: Readonly<Record<string, string>>;
  quality: Quality | null;
  selection: Selection;
  navigate: Navigate;
  help: () => void;
  search: () => void;
  capture: Capture;
}

interface TabProps extends Pick<Props, "missing" | "selection" | "navigate"> {
  tool: ToolSpec;
  /** Where it stands for all pages of its group: what these are called, and whether one of them is open. */
  group?: { words: string; isOpen: boolean };
}

function Tab({ tool, group, missing, selection, navigate }: TabProps) {
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate({ tool: tool.name });
  };
  const reason = missing[tool.name];
  const here = selection.tool === tool.name ? "page" : undefined;
  return (
    <a
      href={linkTo(changed(selection, { tool: tool.name }))}
      target="_top"
      class={reason ? "tab missing" : "tab"}
      aria-current={group ? group.isOpen || undefined : here}
      title={reason ? `Nothing to show: ${reason}` : tool.question}
      onPointerEnter={() => preload(tool.name)}
      onFocus={() => preload(tool.name)}
      onClick={open}
    >
      {group?.words ?? tool.title}
    </a>
  );
}

type OfTools = Pick<Props, "tools" | "missing" | "selection" | "navigate">;

/** The pages one by one, and those of a group as one tab, which leads to the first that has something to show. */
function Tabs({ tools, ...rest }: OfTools) {
  const groups = new Set<string>();
  return (
    <nav aria-label="Tools">
      {tools.map((tool) => {
        if (!tool.group) return <Tab key={tool.name} tool={tool} {...rest} />;
        if (groups.has(tool.group)) return null;
        groups.add(tool.group);
        const inside = tools.filter(({ group }) => group === tool.group);
        const isOpen = inside.some(({ name }) => name === rest.selection.tool);
        const first = inside.find(({ name }) => !rest.missing[name]) ?? tool;
        return <Tab key={tool.group} tool={first} group={{ words: tool.group, isOpen }} {...rest} />;
      })}
    </nav>
  );
}

/** The pages of the group that is open. */
export function GroupTabs({ tools, ...rest }: OfTools) {
  const group = tools.find(({ name }) => name === rest.selection.tool)?.group;
  const inside = group ? tools.filter((tool) => tool.group === group) : [];
  if (inside.length < 2) return null;
  return (
    <nav class="group-tabs" aria-label={group}>
      {inside.map((tool) => (
        <Tab key={tool.name} tool={tool} {...rest} />
      ))}
    </nav>
  );
}

/** The way to the table of all runs. */
function AllRunsTab({ selection, navigate }: Pick<Props, "selection" | "navigate">) {
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    navigate({ tool: ALL_RUNS });
  };
  return (
    <a
      id="all-runs"
      href={linkTo(changed(selection, { tool: ALL_RUNS }))}
      target="_top"
      class="tab all-runs"
      aria-label="All runs"
      aria-current={selection.tool === ALL_RUNS ? "page" : undefined}
      title="All runs: step time, change, first finding of each (Shift A)"
      onClick={open}
    >
      ▤<span> All runs</span>
    </a>
  );
}

export function TopBar(props: Props) {
  const { runs, run, tools, missing, quality, selection, navigate, help, search, capture } = props;
  return (
    <header class="top-bar">
      {!embedded && (runs.runs.length > 1 || selection.tool === ALL_RUNS) && (
        <AllRunsTab {...{ selection, navigate }} />
      )}
      <RunPicker runs={runs} selection={selection} navigate={navigate} />
      <NewRun runs={runs} selection={selection} navigate={navigate} />
      {run && <HostPicker run={run} selection={selection} navigate={navigate} />}
      {run && !embedded && <RangePicker selection={selection} navigate={navigate} />}
      {!embedded && <CaptureButton capture={capture} />}
      {(run || selection.run) && <Tabs {...{ tools, missing, selection, navigate }} />}
      <div class="top-right">
        {quality && <QualityButton quality={quality} />}
        <CopyButton text={() => linkTo(selection)} label="Copy link" title="Copy a link to exactly this page" />
        <button
          type="button"
          title="Search all pages of the run (Ctrl K)"
          aria-label="Search all pages"
          onClick={search}
        >
          ⌕
        </button>
        <button type="button" title="Keys and help (?)" aria-label="Help" onClick={() => help()}>
          ?
        </button>
      </div>
    </header>
  );
}
