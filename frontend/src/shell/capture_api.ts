// Captures over HTTP: the bodies, as the Python side has them, and the requests. tests/test_static.py compares the fields.
import { address, get, post } from "../api";

export interface CaptureOptions {
  duration_ms: number;
  delay_ms: number;
  together: boolean;
  host_tracer_level: number;
  device_tracer_level: number;
  python_tracer_level: number;
  retries: number;
  budget_bytes: number;
  session: string;
  advanced: Record<string, string | number | boolean>;
}

export interface Preset {
  name: string;
  title: string;
  help: string;
  options: CaptureOptions;
}

export interface CaptureRoot {
  name: string;
  path: string;
  why: string;
}

export interface CaptureOffer {
  schema: number;
  enabled: boolean;
  why: string;
  allowed: string;
  flag: string;
  roots: CaptureRoot[];
  defaults: CaptureOptions;
  ranges: Record<string, [low: number, high: number]>;
  presets: Preset[];
  job: string;
}

export interface Checked {
  address: string;
  kind: string;
  message: string;
  ok: boolean;
}

/** `problem`: why the text holds no addresses. */
interface CheckedAddresses {
  schema: number;
  hosts: Checked[];
  problem: string;
}

/** While it goes on; at its end the state holds `HostOutcome`s. `kind` is a phase until the host has ended. */
export interface HostState {
  address: string;
  kind: string;
  message: string;
  received_bytes: number;
  attempts: number;
  left_s: number;
}

export interface HostOutcome {
  address: string;
  kind: string;
  message: string;
  file: string;
  size_bytes: number;
  attempts: number;
  seconds: number;
}

export interface CaptureState {
  schema: number;
  job: string;
  phase: string;
  elapsed_s: number;
  total_s: number;
  hosts: (HostState | HostOutcome)[];
  done: boolean;
  run: string;
  path: string;
  error: { kind: string; message: string } | null;
}

export interface CaptureRequest {
  addresses: string;
  options: CaptureOptions;
  root: string;
}

const route = (name: string): string => address(`capture/${name}`, []);

export function getOffer(signal?: AbortSignal): Promise<CaptureOffer> {
  return get(route("options"), signal);
}

export function checkAddresses(addresses: string, signal?: AbortSignal): Promise<CheckedAddresses> {
  return post(route("check"), { addresses }, signal);
}

export function startCapture(request: CaptureRequest): Promise<{ job: string }> {
  return post(route("start"), request);
}

export function getCapture(job: string, signal?: AbortSignal): Promise<CaptureState> {
  return get(address("capture/state", [["job", job]]), signal);
}

export function cancelCapture(job: string): Promise<CaptureState> {
  return post(route("cancel"), { job });
}
