// No runs: where was looked, what was found, why, and what to do. It keeps looking.
import { Fragment } from "preact";
import type { Diagnosis, Runs } from "../types";
import { counted } from "../units";
import { CopyButton } from "../views/copy_button";
import { CaptureButton, HowToServe } from "./capture_button";
import { Notes } from "./notes";
import type { Capture } from "./use_capture";

function Case({ diagnosis }: { diagnosis: Diagnosis }) {
  const { path, found, cause, fix, ok } = diagnosis;
  return (
    <li class={ok ? "ok" : "bad"}>
      <dl>
        <dt>Path</dt>
        <dd>
          <code>{path}</code>
        </dd>
        <dt>Contents</dt>
        <dd>{found}</dd>
        {cause && (
          <>
            <dt>{ok ? "Result" : "Cause"}</dt>
            <dd>{cause}</dd>
          </>
        )}
        {fix && (
          <>
            <dt>Fix</dt>
            <dd class="fix">
              <code>{fix}</code>
              <CopyButton text={() => fix} label="Copy" />
            </dd>
          </>
        )}
      </dl>
    </li>
  );
}

/** Where captures are looked for. */
export function Roots({ roots }: Pick<Runs, "roots">) {
  return roots.map(({ path }, i) => (
    <Fragment key={path}>
      {i > 0 && ", "}
      <code>{path}</code>
    </Fragment>
  ));
}

/** Notes about other paths than those whose trouble is shown above. */
function unexplained(runs: Runs): string[] {
  const diagnosed = (runs.diagnosis ?? []).map(({ path }) => `${path}: `);
  return runs.notes.filter((note) => !diagnosed.some((path) => note.startsWith(path)));
}

/** The other way to a capture: a program that runs is asked for one. */
function CaptureNow({ capture }: { capture: Capture }) {
  return (
    <section class="capture-now">
      <h2>Or capture a running program</h2>
      <p>Start a profiler server: add one line to the program before its work starts, then press the button:</p>
      <HowToServe />
      <CaptureButton capture={capture} />
    </section>
  );
}

export function Empty({ runs, capture }: { runs: Runs; capture: Capture }) {
  if (runs.scanning)
    return (
      <p class="empty" role="status">
        Searching for captures: {counted(runs.folders, "folder")} so far…
      </p>
    );
  return (
    <section class="empty">
      <h1>No profile to show yet</h1>
      <p class="soft">This page keeps searching: new captures appear within seconds, without a restart.</p>
      <ul class="cases">
        {(runs.diagnosis ?? []).map((diagnosis) => (
          <Case key={diagnosis.case + diagnosis.path} diagnosis={diagnosis} />
        ))}
      </ul>
      {!runs.diagnosis?.length && (
        <p>
          Searched in <Roots roots={runs.roots} />
        </p>
      )}
      <Notes notes={unexplained(runs)} />
      <CaptureNow capture={capture} />
    </section>
  );
}
