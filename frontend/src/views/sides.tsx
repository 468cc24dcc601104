// Which runs are compared, as repeats of one program on each side, and how to change that.
import type { PageProps } from "../page";
import { asBase, isOfAnyRun, ofBase, type Range, rangeOf } from "../range";
import { runsIn, runsText } from "../selection";
import { RunList } from "../shell/run_list";
import { Popover } from "../shell/popover";
import { BaseRangePicker } from "../shell/range_picker";
import { withoutPair } from "../timeline/pair";
import type { Runs } from "../types";
import { counted } from "../units";
import { Name } from "./name";
import { SESSION } from "../shell/run_groups";

/** As the server takes them. */
const MOST = 64;

interface Props {
  page: PageProps;
  runs: Runs;
  /** Runs of A; empty where there is none. */
  bases: readonly string[];
  /** Further runs of B. */
  repeats: readonly string[];
  isChosen: boolean;
}

function toggled(runs: readonly string[], run: string): string[] {
  return runs.includes(run) ? runs.filter((one) => one !== run) : [...runs, run].slice(0, MOST);
}

/** All of a run; without it, a side takes the range of the other side. */
function orAll(range: Range): Range {
  return Object.keys(range).length ? range : { steps: "all" };
}

/** A repeat of one side is none of the other. */
function without(runs: readonly string[], run: string): readonly string[] {
  return runs.filter((one) => one !== run);
}

function more(runs: readonly string[]): string {
  return runs.length > 1 ? ` and ${counted(runs.length - 1, "repeat")}` : "";
}

export function Sides({ page: { selection, navigate }, runs, bases, repeats, isChosen }: Props) {
  const { run, hosts, params } = selection;
  const base = bases[0] ?? "";
  const other = runs.runs.find(({ name }) => name === base);
  const set = (change: Record<string, string>): void => navigate({ params: { ...withoutPair(params), ...change } });
  const own = ofBase(params);
  const isOwn = Object.keys(own).length > 0;
  const swap = (): void => {
    const mine = own["steps"] === "all" ? {} : own;
    const ranges = isOwn ? { steps: "", time: "", ...mine, ...asBase(orAll(rangeOf(params))) } : {};
    navigate({
      run: base,
      hosts: hosts.filter((host) => other?.hosts.some(({ name }) => name === host)),
      params: {
        ...withoutPair(params),
        ...ranges,
        base: runsText([run, ...repeats]),
        repeat: runsText(bases.slice(1)),
      },
    });
  };
  return (
    <div class="sides">
      <span class="side-mark" data-side="B">
        B
      </span>
      <Name text={run} tail={SESSION} />
      <Popover
        label="Repeats of B"
        class="base-picker"
        button={
          <>
            {repeats.length ? `and ${counted(repeats.length, "repeat")}` : "+ repeats"} <i aria-hidden="true">▾</i>
          </>
        }
      >
        {() => {
          const toggle = (picked: string): void => {
            if (picked === run) return;
            set({
              repeat: runsText(toggled(repeats, picked)),
              base: runsText(bases.length > 1 ? without(bases, picked) : bases),
            });
          };
          const several = {
            chosen: [run, ...repeats],
            toggle,
            help: "A repeat of B: the same program, captured again",
          };
          return <RunList label="Repeats of B" runs={runs} selected={run} pick={toggle} several={several} />;
        }}
      </Popover>
      <span class="soft">compared with</span>
      <span class="side-mark" data-side="A">
        A
      </span>
      <Popover
        label="Compare with"
        class="base-picker"
        value={`${base || "choose a run"}${more(bases)}`}
        button={
          <>
            {base ? <Name text={base} tail={SESSION} /> : "choose a run"}
            {more(bases)} <i>▾</i>
          </>
        }
      >
        {(close) => (
          <RunList
            label="Compare with"
            runs={runs}
            selected={base}
            pick={(picked) => {
              // Numbers of steps are of the run that was chosen before.
              set({ base: runsText([picked]), ...(isOfAnyRun(own) ? {} : asBase({})) });
              close();
            }}
            several={{
              chosen: bases,
              toggle: (picked) =>
                set({ base: runsText(toggled(bases, picked)), repeat: runsText(without(repeats, picked)) }),
              help: "A repeat of A: the same program, captured again",
            }}
          />
        )}
      </Popover>
      {base && <BaseRangePicker selection={selection} set={set} />}
      {base && !isChosen && <span class="soft">the run before</span>}
      {other && (base !== run || isOwn) && (
        <button type="button" title="B becomes A, and A becomes B" onClick={swap}>
          ⇄ Swap
        </button>
      )}
    </div>
  );
}

/** What the address says of the sides. */
export function sidesIn({ run, params }: PageProps["selection"], before: string) {
  const bases = runsIn(params["base"] || runsText(before ? [before] : []));
  const repeats = runsIn(params["repeat"] ?? "").filter((one) => one !== run);
  return { bases, repeats };
}
