// Hosts with several files: which of them a page is of, which are not used and why, and how to choose another.
import { embedded } from "../embedded";
import type { Navigate, Selection } from "../page";
import type { FileUse, Run } from "../types";
import { counted } from "../units";

/** What the hosts of a selection have, as their first files and those aside: `trace · Python functions · memory`. */
export function kindsOf(host: Run["hosts"][number]): string {
  return host.files.length ? [...new Set(host.files.map(({ kind }) => kind))].join(" · ") : host.format;
}

/** By kind of file: its files, whether they are used, and the reason of the first. */
export function byKind(files: readonly FileUse[]): (FileUse & { names: string[]; selects: string[] })[] {
  const kinds = new Map<string, FileUse & { names: string[]; selects: string[] }>();
  for (const file of files) {
    const key = `${file.used} ${file.kind}`;
    const known = kinds.get(key) ?? { ...file, names: [], selects: [] };
    known.names.push(file.file);
    if (file.select) known.selects.push(file.select);
    kinds.set(key, known);
  }
  return [...kinds.values()].sort((a, b) => Number(b.used) - Number(a.used));
}

/** The files of the kind that the clock's is of, where that is none of the hosts' first: a link into their trace. */
export function filesOfClock(run: Run | undefined, { hosts, tool, params }: Selection): string[] | null {
  const clock = params["clock"];
  if (tool !== "trace_viewer" || !clock || !run || run.hosts.some(({ name }) => name === clock)) return null;
  const aside = run.hosts.flatMap((host) => host.files.slice(1).map((file) => ({ ...file, host: host.name })));
  const kind = aside.find(({ name }) => name === clock)?.kind;
  if (!kind || hosts.includes(clock)) return null;
  return aside
    .filter((file) => file.kind === kind && (!hosts.length || hosts.includes(file.host) || file.name === clock))
    .map(({ name }) => name);
}

/** Whether an answer is of files that are not their hosts' first: its places are in their traces. */
export function isOfFilesAside(run: Run | undefined, hosts: readonly string[]): boolean {
  if (!run) return false;
  const names = new Set(run.hosts.map(({ name }) => name));
  return hosts.some((name) => !names.has(name));
}

function some(names: readonly string[]): string {
  return names.length > 2 ? `${names[0]} and ${counted(names.length - 1, "more file")}` : names.join(", ");
}

interface Props {
  files: readonly FileUse[];
  navigate: Navigate;
}

/** One line above a page. */
export function FilesUsed({ files, navigate }: Props) {
  const kinds = byKind(files);
  const used = kinds.filter((each) => each.used);
  if (!used.length || used.length === kinds.length) return null;
  return (
    <p class="files-used soft">
      From {used.map(({ names, kind }) => `${some(names)} (${kind})`).join(", ")}.
      {kinds
        .filter((each) => !each.used)
        .map(({ kind, names, why, selects }) => (
          <span key={kind} title={`${names.join(", ")}: ${why}`}>
            {" "}
            Not used: {some(names)} ({kind})
            {selects.length > 0 && !embedded && (
              <>
                {" "}
                <button type="button" class="link" onClick={() => navigate({ hosts: selects })}>
                  use instead
                </button>
              </>
            )}
            .
          </span>
        ))}
    </p>
  );
}

export function FilesDetails({ files }: { files: readonly FileUse[] }) {
  return (
    <>
      <h2>Files of the hosts</h2>
      <ul>
        {byKind(files).map(({ used, kind, names, why }) => (
          <li key={`${used} ${kind}`}>
            {used ? "Used" : "Not used"}: {some(names)} ({kind}){why && `: ${why}`}
          </li>
        ))}
      </ul>
    </>
  );
}
