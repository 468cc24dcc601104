// The fields of the dialog.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Switch } from "../views/switch";
import type { CaptureOffer } from "./capture_api";
import type { Check } from "./capture_check";
import { advancedProblem, type Form, presetOf, withPreset } from "./capture_form";
import { CheckedHosts } from "./capture_hosts";
import { HowToServe } from "./capture_button";

/** Of the control that has the focus first in a view: when the dialog opens, and when the view comes later. */
export const FOCUSED = { autofocus: true, ref: (element: HTMLElement | null) => element?.focus() };

interface Editing {
  offer: CaptureOffer;
  form: Form;
  change: (change: Partial<Form>) => void;
}

interface FieldProps {
  label: string;
  help: string;
  unit?: string;
  children: ComponentChildren;
}

/** A label over what it names. */
function Field({ label, help, unit, children }: FieldProps) {
  return (
    <label class="field" title={help}>
      <span>{label}</span>
      <span class="with-unit">
        {children}
        {unit && <span class="soft">{unit}</span>}
      </span>
    </label>
  );
}

type Texts = { [K in keyof Form]: Form[K] extends string ? K : never }[keyof Form];

interface NumberProps extends Editing {
  name: Texts;
  range: string;
  /** What one of the field's unit is in the range's. */
  one?: number;
  step?: number | "any";
}

function NumberField({ offer, form, change, name, range, one = 1, step = 1 }: NumberProps) {
  const [low, high] = offer.ranges[range] ?? [0, Infinity];
  return (
    <input
      type="number"
      required
      min={low / one}
      max={Number.isFinite(high) ? Math.floor(high / one) : undefined}
      step={step}
      value={form[name]}
      onInput={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
}

function LevelField({ form, change, name, levels }: Editing & { name: Texts; levels: readonly string[] }) {
  return (
    <select value={form[name]} onChange={(event) => change({ [name]: event.currentTarget.value })}>
      {levels.map((words, level) => (
        <option key={words} value={String(level)}>
          {words}
        </option>
      ))}
    </select>
  );
}

const MOST_LINES = 6;

/** Enter begins, as in any field of one line; a new line is Shift Enter, or is pasted. */
function submitOnEnter(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

export function Addresses({ form, change, check }: Editing & { check: Check }) {
  const lines = Math.min(MOST_LINES, form.addresses.split("\n").length);
  return (
    <div class="addresses">
      <label class="field">
        <span>Profiler servers</span>
        <textarea
          required
          {...FOCUSED}
          rows={lines}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          placeholder="localhost:6009, other:6009"
          aria-describedby="capture-check"
          aria-invalid={check.problem !== ""}
          value={form.addresses}
          onInput={(event) => change({ addresses: event.currentTarget.value })}
          onKeyDown={submitOnEnter}
        />
      </label>
      <div id="capture-check" class={check.isAsking ? "check dimmed" : "check"} aria-live="polite">
        {check.problem && <p class="problem">{check.problem}</p>}
        {check.isAsking && !check.hosts.length && <p class="soft late">Checking the profiler servers…</p>}
        {check.hosts.length > 0 && <CheckedHosts hosts={check.hosts} />}
      </div>
      <details class="how">
        <summary>How to start a profiler server</summary>
        <p>Add one line to your program before its work starts, with a port of your choice:</p>
        <HowToServe />
        <p class="soft">The address is then the machine’s name and that port. A server takes one capture at a time.</p>
        <p class="soft">
          A Cloud TPU by its name: <code>perfplugin capture --tpu NAME</code>
        </p>
      </details>
    </div>
  );
}

export function Presets({ offer, form, change }: Editing) {
  const chosen = presetOf(form, offer.presets);
  const pick = (name: string): void => {
    const preset = offer.presets.find((each) => each.name === name);
    if (preset) change(withPreset(form, preset));
  };
  return (
    <div class="presets">
      <Switch
        label="What to record"
        values={offer.presets.map(({ name, title, help }) => [name, title, help] as const)}
        value={chosen?.name ?? ""}
        choose={pick}
      />
      <p class="soft">{chosen?.help ?? "Custom settings."}</p>
    </div>
  );
}

const HOST_LEVELS = ["off", "steps and markers", "ops", "all ops"];

export function Levels(editing: Editing) {
  return (
    <div class="fields">
      <Field label="Duration" help="How long to record. Ten steps are usually enough." unit="s">
        <NumberField {...editing} name="seconds" range="duration_ms" one={1000} step="any" />
      </Field>
      <Field label="Host" help="Detail of the CPU events.">
        <LevelField {...editing} name="host" levels={HOST_LEVELS} />
      </Field>
      <Field label="Device" help="Kernels, copies and programs on GPUs and TPUs.">
        <LevelField {...editing} name="device" levels={["nothing", "all"]} />
      </Field>
      <Field
        label="Python"
        help="Records every Python call: slows the program, and the profile is about ten times larger."
      >
        <LevelField {...editing} name="python" levels={["off", "every call"]} />
      </Field>
      <Field label="Retries" help="Attempts after a server was busy or returned an empty profile.">
        <NumberField {...editing} name="retries" range="retries" />
      </Field>
      <Field label="Session" help="Name of the new run; default: the current time.">
        <input
          type="text"
          maxLength={128}
          spellcheck={false}
          autocomplete="off"
          placeholder="current time"
          value={editing.form.session}
          onInput={(event) => editing.change({ session: event.currentTarget.value })}
        />
      </Field>
    </div>
  );
}

/** Where it is put: of several roots one is chosen; those that cannot be written say why. */
export function Place({ offer, form, change }: Editing) {
  const [only] = offer.roots;
  if (offer.roots.length < 2)
    return (
      <p class="soft">
        Write to <code>{only?.path}</code>
      </p>
    );
  return (
    <div class="place">
      <label class="field">
        <span>Write to</span>
        <select value={form.root} onChange={(event) => change({ root: event.currentTarget.value })}>
          {offer.roots.map(({ name, path, why }) => (
            <option key={name} value={name} disabled={why !== ""} title={why}>
              {name} – {path}
            </option>
          ))}
        </select>
      </label>
      {offer.roots
        .filter(({ why }) => why)
        .map(({ name, why }) => (
          <p key={name} class="soft">
            Not {name}: {why}.
          </p>
        ))}
    </div>
  );
}

export function Advanced(editing: Editing) {
  const { form, change } = editing;
  const details = useRef<HTMLDetailsElement>(null);
  // A field that is folded away cannot be pointed at.
  const unfold = (): void => details.current?.setAttribute("open", "");
  return (
    <details ref={details} onInvalidCapture={unfold}>
      <summary>More</summary>
      <div class="fields">
        <Field label="Delay" help="How long to wait before recording." unit="s">
          <NumberField {...editing} name="delay" range="delay_ms" one={1000} step="any" />
        </Field>
        <Field
          label="Largest result"
          help="Larger profiles are refused, which protects the memory of TensorBoard."
          unit="MiB"
        >
          <NumberField {...editing} name="budget" range="budget_bytes" one={2 ** 20} />
        </Field>
        <label
          class="together"
          title="All servers start at the same time of their clocks, at least one second from now."
        >
          <input
            type="checkbox"
            checked={form.together}
            onChange={(event) => change({ together: event.currentTarget.checked })}
          />
          start all servers together
        </label>
      </div>
      <label class="field">
        <span>Options of the device’s profiler, name=value, a line each</span>
        <textarea
          rows={2}
          spellcheck={false}
          placeholder="gpu_max_activity_api_events=4194304"
          value={form.advanced}
          // Also of what was remembered.
          ref={(field) => field?.setCustomValidity(advancedProblem(form.advanced))}
          onInput={(event) => change({ advanced: event.currentTarget.value })}
        />
      </label>
    </details>
  );
}
