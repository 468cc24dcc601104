// The profiler servers of a capture, a line each: what is there, what it is doing, what came of it.
import type { ComponentChildren } from "preact";
import { formatBytes, formatNumber } from "../units";
import { Name } from "../views/name";
import { secondsLeft, withoutAddress } from "./capture_form";
import type { Checked, HostOutcome, HostState } from "./capture_api";

type Mark = "good" | "bad" | "fair" | "";
const SIGNS: Readonly<Record<Mark, string>> = { good: "✓", bad: "✕", fair: "!", "": "…" };
const SPOKEN: Readonly<Record<Mark, string>> = { good: "yes", bad: "no", fair: "not now", "": "unknown yet" };

interface LineProps {
  address: string;
  mark: Mark;
  message?: string;
  children: ComponentChildren;
}

function Line({ address, mark, message, children }: LineProps) {
  return (
    <li class="host-state" title={message}>
      <span class={`mark ${mark}`} role="img" aria-label={SPOKEN[mark]}>
        {SIGNS[mark]}
      </span>
      <Name text={address} />
      <span class="what">{children}</span>
    </li>
  );
}

/** A message, with the flag that it names in one piece. */
function HostMessage({ message, address }: { message: string; address: string }) {
  const parts = withoutAddress(message, address).split(/(--perfplugin_\S+)/);
  return <>{parts.map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part))}</>;
}

export function CheckedHosts({ hosts }: { hosts: readonly Checked[] }) {
  return (
    <ul class="host-states" aria-label="Profiler servers">
      {hosts.map(({ address, kind, message, ok }) => (
        <Line key={address} address={address} message={message} mark={ok ? "good" : kind === "busy" ? "fair" : "bad"}>
          <HostMessage message={message} address={address} />
        </Line>
      ))}
    </ul>
  );
}

const PHASES: Readonly<Record<string, string>> = {
  checking: "Checking …",
  waiting: "Waiting for the start",
  recording: "Recording",
  receiving: "Sending the profile",
  writing: "Profile received",
  done: "Profile received",
};

function isOutcome(host: HostState | HostOutcome): host is HostOutcome {
  return "file" in host;
}

function Outcome({ host }: { host: HostOutcome }) {
  if (host.kind !== "ok") return <HostMessage {...host} />;
  const attempts = host.attempts > 1 ? `, attempt ${host.attempts}` : "";
  return (
    <>
      <span title={host.file}>{formatBytes(host.size_bytes)}</span> in {formatNumber(host.seconds, "s")}
      {attempts}
      {host.message && `. ${withoutAddress(host.message, host.address)}`}
    </>
  );
}

function Going({ host }: { host: HostState }) {
  const message = withoutAddress(host.message, host.address);
  const bytes = host.received_bytes ? `, ${formatBytes(host.received_bytes)}` : "";
  const time = host.kind === "recording" && host.left_s ? `, ${secondsLeft(host.left_s)}` : "";
  const words = PHASES[host.kind]
    ? `${PHASES[host.kind]}${time}${bytes}`
    : host.kind === "ok"
      ? "Profile received"
      : "";
  return <>{[words, message].filter(Boolean).join(": ") || host.kind}</>;
}

/** Called off, or another address of a server that has sent its profile. */
const NOT_BAD: readonly string[] = ["cancelled", "same"];

function markOf({ kind }: HostState | HostOutcome): Mark {
  if (PHASES[kind]) return "";
  return kind === "ok" ? "good" : NOT_BAD.includes(kind) ? "fair" : "bad";
}

export function CapturedHosts({ hosts }: { hosts: readonly (HostState | HostOutcome)[] }) {
  return (
    <ul class="host-states" aria-label="Profiler servers">
      {hosts.map((host) => (
        <Line key={host.address} address={host.address} message={host.message} mark={markOf(host)}>
          {isOutcome(host) ? <Outcome host={host} /> : <Going host={host} />}
        </Line>
      ))}
    </ul>
  );
}
