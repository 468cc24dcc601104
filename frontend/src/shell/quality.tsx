// How much of what the file held is shown, and why not all.
import { splitWarnings } from "../range";
import type { Quality } from "../types";
import { counted, grouped, percent } from "../units";
import { FilesDetails } from "./files";
import { Popover } from "./popover";

type Level = "good" | "fair" | "bad";

/** good: everything is shown. bad: nothing, or less than half. */
export function level(quality: Quality): Level {
  const { events_in_file: all, events_kept: kept } = quality;
  if (all === 0 || kept < all / 2) return "bad";
  return kept < all || splitWarnings(quality).others.length ? "fair" : "good";
}

/** Whether something not compiled read a file, of whatever format: the best there is for each is called compiled. */
export function isSlow({ decoder }: Quality): boolean {
  return decoder.split(",").some((name) => name !== "" && name !== "compiled");
}

const WORDS: Readonly<Record<Level, string>> = {
  good: "complete",
  fair: "some events are missing",
  bad: "most events are missing",
};

function Details({ quality }: { quality: Quality }) {
  const lost = Object.entries(quality.dropped).filter(([, count]) => count > 0);
  const share = quality.events_in_file ? quality.events_kept / quality.events_in_file : 0;
  return (
    <div class="quality-details">
      <h2>Capture quality: {WORDS[level(quality)]}</h2>
      <p>
        {grouped(quality.events_kept)} of {counted(quality.events_in_file, "event")} in the file are shown (
        {percent(share)}).
      </p>
      {lost.length > 0 && (
        <ul>
          {lost.map(([reason, count]) => (
            <li key={reason}>
              {grouped(count)} left out: {reason}
            </li>
          ))}
        </ul>
      )}
      {quality.warnings.length > 0 && (
        <ul>
          {quality.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {quality.files.length > 0 && <FilesDetails files={quality.files} />}
      {isSlow(quality) && (
        <p>
          Read by the slow decoder because the compiled one is not installed. The numbers are the same, but large
          captures take several times as long. To build it: install a C compiler, then{" "}
          <code>pip install --force-reinstall --no-deps --no-binary tensorboard-perfplugin tensorboard-perfplugin</code>
        </p>
      )}
    </div>
  );
}

export function QualityButton({ quality }: { quality: Quality }) {
  const { events_kept: kept, events_in_file: all } = quality;
  const warnings = splitWarnings(quality).others;
  const notes = [
    // Their total stands below; here tabs need the room.
    kept === all ? counted(kept, "event") : `${grouped(kept)} of ${counted(all, "event")}`,
    ...(warnings.length ? [counted(warnings.length, "warning")] : []),
    ...(isSlow(quality) ? ["slow decoder"] : []),
  ];
  const button = (
    <>
      <i class={`dot ${level(quality)}`} aria-hidden="true">
        ●
      </i>{" "}
      <span class="quality-text">{notes.join(" · ")}</span>
    </>
  );
  return (
    <Popover label={`Capture quality: ${WORDS[level(quality)]}`} button={button} class="right" isText>
      {() => <Details quality={quality} />}
    </Popover>
  );
}
