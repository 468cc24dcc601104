// The dialog: what to capture; how it goes; what came of it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asApiError, useAttempts, useRetry } from "../answer";
import type { ApiError } from "../api";
import { counted } from "../units";
import { type CaptureOffer, type CaptureState, getOffer } from "./capture_api";
import { useCheck } from "./capture_check";
import { Addresses, Advanced, FOCUSED, Levels, Place, Presets } from "./capture_fields";
import { type Form, formOf, optionsOf, recall, remember, secondsLeft } from "./capture_form";
import { CapturedHosts } from "./capture_hosts";
import type { Capture } from "./use_capture";

/** What can be captured here, asked for each time the dialog opens. */
function useOffer(): [CaptureOffer | null, ApiError | null] {
  const [offer, setOffer] = useState<CaptureOffer | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, again] = useAttempts();
  useRetry(error, again);
  useEffect(() => {
    const abort = new AbortController();
    const settle = (next: CaptureOffer | null, why: ApiError | null): void => {
      if (abort.signal.aborted) return;
      setOffer(next);
      setError(why);
    };
    getOffer(abort.signal).then(
      (next) => settle(next, null),
      (reason: unknown) => settle(null, asApiError(reason)),
    );
    return () => abort.abort();
  }, [attempt]);
  return [offer, error];
}

function firstForm(offer: CaptureOffer): Form {
  const writable = offer.roots.filter(({ why }) => !why).map(({ name }) => name);
  const form = recall(formOf(offer.defaults, "", writable[0] ?? ""));
  return writable.includes(form.root) ? form : { ...form, root: writable[0] ?? "" };
}

function Problem({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="failure" role="alert">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}

function FormView({ offer, capture, close }: { offer: CaptureOffer; capture: Capture; close: () => void }) {
  const [form, set] = useState(() => firstForm(offer));
  const [error, setError] = useState<ApiError | null>(null);
  const [isStarting, setStarting] = useState(false);
  const [looked, look] = useState(0);
  const check = useCheck(form.addresses, looked);
  const change = (part: Partial<Form>): void => set((old) => ({ ...old, ...part }));
  const editing = { offer, form, change };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isStarting) return;
    setStarting(true);
    setError(null);
    remember(form);
    try {
      await capture.start({ addresses: form.addresses, options: optionsOf(form), root: form.root });
    } catch (reason) {
      setError(asApiError(reason));
      setStarting(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Addresses {...editing} check={check} />
      <Presets {...editing} />
      <Levels {...editing} />
      <Place {...editing} />
      <Advanced {...editing} />
      {error && <Problem title="Not started">{error.message}</Problem>}
      <div class="buttons">
        <button type="button" disabled={check.isAsking || !form.addresses.trim()} onClick={() => look(looked + 1)}>
          Check again
        </button>
        <span class="grow" />
        <button type="button" onClick={close}>
          Close
        </button>
        <button type="submit" class="primary" disabled={isStarting}>
          {isStarting ? "Starting…" : "Capture"}
        </button>
      </div>
    </form>
  );
}

const PHASES: Readonly<Record<string, string>> = {
  checking: "Checking the profiler servers",
  waiting: "Waiting for the start",
  recording: "Recording",
  receiving: "Receiving the profiles",
  writing: "Writing to the logdir",
  done: "Writing to the logdir",
};

function left(state: CaptureState): string {
  const seconds = state.total_s - state.elapsed_s;
  return seconds > 0 ? `about ${secondsLeft(seconds)}` : "";
}

function GoingView({ state, capture, close }: { state: CaptureState | null; capture: Capture; close: () => void }) {
  const [isCalledOff, setCalledOff] = useState(false);
  const callOff = (): void => {
    setCalledOff(true);
    capture.cancel();
  };
  const phase = isCalledOff ? "Cancelling" : (PHASES[state?.phase ?? "checking"] ?? state?.phase);
  return (
    <>
      <div class="progress">
        <p>
          <span role="status">{phase}…</span>
          <span class="soft number">{state && !isCalledOff ? left(state) : ""}</span>
        </p>
        <progress
          aria-label="Capture"
          max={1}
          // Without a value it says that something goes on, and not how far it is.
          value={state && left(state) ? state.elapsed_s / state.total_s : undefined}
        />
      </div>
      {state && <CapturedHosts hosts={state.hosts} />}
      {capture.error && <p class="problem">{capture.error.message}</p>}
      <div class="buttons">
        <span class="grow" />
        <button type="button" title="The capture continues; its button shows the progress" {...FOCUSED} onClick={close}>
          Hide
        </button>
        <button type="button" disabled={isCalledOff} onClick={callOff}>
          Cancel the capture
        </button>
      </div>
    </>
  );
}

function resultInWords({ hosts }: CaptureState): string {
  const asked = hosts.filter(({ kind }) => kind !== "same").length;
  const ok = hosts.filter(({ kind }) => kind === "ok").length;
  return ok === asked ? counted(ok, "profile") : `${ok} of ${counted(asked, "profile")}`;
}

function Ended({ state }: { state: CaptureState }) {
  if (state.phase === "cancelled")
    return (
      <div class="outcome" role="status">
        <strong>Cancelled</strong>
        <p>Nothing was written.</p>
      </div>
    );
  if (state.error)
    return (
      <Problem title="Nothing was captured">
        {state.hosts.length ? "Reason for each server:" : state.error.message}
      </Problem>
    );
  return (
    <div class="outcome" role="status">
      <strong>{resultInWords(state)} captured</strong>
      <p>
        {state.run ? (
          <>
            Run <code>{state.run}</code>, written to <code>{state.path}</code>
          </>
        ) : (
          <>
            Written to <code>{state.path}</code>; it appears in the list of runs shortly.
          </>
        )}
      </p>
    </div>
  );
}

interface EndedProps {
  state: CaptureState;
  capture: Capture;
  close: () => void;
  show: (run: string) => void;
}

function EndedView({ state, capture, close, show }: EndedProps) {
  const isThere = state.phase === "done";
  const look = (): void => {
    if (state.run) show(state.run);
    close();
  };
  const [again, end] = isThere ? [{}, { ...FOCUSED, class: "primary" }] : [{ ...FOCUSED, class: "primary" }, {}];
  return (
    <>
      <Ended state={state} />
      <CapturedHosts hosts={state.hosts} />
      <div class="buttons">
        <button type="button" {...again} onClick={capture.clear}>
          {isThere ? "Capture another" : "Change and try again"}
        </button>
        <span class="grow" />
        <button type="button" {...end} onClick={look}>
          {state.run ? "Open" : "Close"}
        </button>
      </div>
    </>
  );
}

/** What a page of before has lost sight of. */
function LostView({ error, capture }: { error: ApiError; capture: Capture }) {
  return (
    <>
      <Problem title="The state of the capture is unknown">{error.message}</Problem>
      <div class="buttons">
        <span class="grow" />
        <button type="button" {...FOCUSED} onClick={capture.clear}>
          Back
        </button>
      </div>
    </>
  );
}

function NotHere({ why, close }: { why: string; close: () => void }) {
  return (
    <>
      <Problem title="Captures are not available here">{why}</Problem>
      <div class="buttons">
        <span class="grow" />
        <button type="button" class="primary" {...FOCUSED} onClick={close}>
          Close
        </button>
      </div>
    </>
  );
}

interface Props {
  capture: Capture;
  /** Opens a run. */
  show: (run: string) => void;
}

function View({ capture, close, show }: Props & { close: () => void }) {
  const [offer, failure] = useOffer();
  const { job, state, error, follow } = capture;
  useEffect(() => {
    if (offer?.job && !job) follow(offer.job);
  }, [offer]);
  if (job && error && error.kind !== "unreachable") return <LostView error={error} capture={capture} />;
  if (state?.done) return <EndedView state={state} capture={capture} close={close} show={show} />;
  if (job) return <GoingView state={state} capture={capture} close={close} />;
  if (failure) return <NotHere why={failure.message} close={close} />;
  if (!offer) return <p class="soft late">Loading the capture options…</p>;
  if (!offer.enabled) return <NotHere why={offer.why} close={close} />;
  return <FormView offer={offer} capture={capture} close={close} />;
}

/** Where the dialog was opened from another page than is there now, the focus goes to the button of this one. */
function keepFocus(): void {
  if (document.activeElement === document.body) document.getElementById("capture-button")?.focus();
}

export function CaptureDialog({ capture, show }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // Once the dialog is gone, and with it what had the focus.
    return () => void setTimeout(keepFocus);
  }, []);
  return (
    <dialog
      ref={dialog}
      class="capture"
      aria-labelledby="capture-title"
      onClose={capture.close}
      // Letters are keys of the page below.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h1 id="capture-title">Capture a profile</h1>
      <View capture={capture} close={() => dialog.current?.close()} show={show} />
    </dialog>
  );
}
