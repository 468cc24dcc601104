// How the steps were found, and the control that finds them in another way.
import type { ComponentChildren } from "preact";
import type { Asked } from "../answer";
import type { PageProps } from "../page";
import { Popover } from "../shell/popover";
import type { Answer, SummaryName } from "../types";
import { counted } from "../units";
import { Panel } from "./panel";
import { Shown } from "./states";
import { Words } from "./words";

const OPTION = "steps_from";

interface Props {
  answer: Answer | null;
  page: PageProps;
}

function text(answer: Answer | null, name: SummaryName): string {
  return String(answer?.summary[name] ?? "");
}

/** Rule, how sure it is, what was seen; or why there are no steps. */
function How({ answer }: { answer: Answer }) {
  const { summary, unknown } = answer;
  const title = text(answer, "step_rule_title") || text(answer, "step_rule");
  const left = Number(summary["steps_not_counted"] ?? 0);
  if (!title && summary["step_count"]) return null;
  if (!title)
    return (
      <p>
        <Words text={unknown["step_count"] ?? unknown["step_time_ms"] ?? "No steps were detected."} />
      </p>
    );
  return (
    <>
      <p>
        <b>{title}</b> <span class="soft">{text(answer, "step_confidence")}</span>
      </p>
      <p>
        <Words text={text(answer, "step_evidence")} />
      </p>
      {left > 0 && (
        <p class="soft">
          {counted(left, "step")} of {String(summary["step_count"])} not in the mean: cut by the capture, or without a
          successor.
        </p>
      )}
    </>
  );
}

function Choose({ page }: { page: PageProps }) {
  const option = page.tool.options.find(({ name }) => name === OPTION);
  const chosen = page.selection.params[OPTION] ?? "auto";
  const choose = (value: string): void =>
    page.navigate({ params: { ...page.selection.params, [OPTION]: value === "auto" ? "" : value.trim() } });
  const offers = option?.offers ?? [];
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    choose(String(new FormData(event.currentTarget as HTMLFormElement).get(OPTION) ?? "") || "auto");
  };
  return (
    <>
      <h2>Detect steps by</h2>
      <p class="offers">
        {offers.map((offer) => (
          <button key={offer} type="button" aria-pressed={offer === chosen} onClick={() => choose(offer)}>
            {offer}
          </button>
        ))}
      </p>
      <form onSubmit={onSubmit}>
        <label title={option?.help}>
          or an event name or /regular expression/
          <input
            type="text"
            name={OPTION}
            spellcheck={false}
            placeholder="train_step or /^train.*/"
            defaultValue={offers.includes(chosen) ? "" : chosen}
          />
        </label>{" "}
        <button type="submit">Apply</button>
      </form>
    </>
  );
}

export function StepsFrom({ answer, page }: Props) {
  const rule = text(answer, "step_rule_title") || text(answer, "step_rule");
  const sure = text(answer, "step_confidence");
  const buttonText = rule ? `steps from: ${rule}${sure && sure !== "certain" ? ` (${sure})` : ""}` : "steps from …";
  return (
    <Popover
      label="How steps are detected"
      button={
        <>
          {buttonText} <i aria-hidden="true">▸</i>
        </>
      }
      class="right steps-from"
    >
      {() => (
        <div class="quality-details">
          {answer && <How answer={answer} />}
          <Choose page={page} />
        </div>
      )}
    </Popover>
  );
}

/** As `Shown`; what cannot be read of the way to find steps is shown beside its control, over the answer before. */
export function ShownSteps({
  asked,
  page,
  children,
}: {
  asked: Asked;
  page: PageProps;
  children: (answer: Answer) => ComponentChildren;
}) {
  const { answer, error } = asked;
  const isOfSteps = error?.kind === "bad_argument" && page.selection.params[OPTION] !== undefined;
  return (
    <>
      {isOfSteps && (
        <Panel title="" class="refused">
          <p role="alert">{error.message}</p>
          <StepsFrom answer={null} page={page} />
        </Panel>
      )}
      {(!isOfSteps || answer) && <Shown asked={isOfSteps ? { ...asked, error: null } : asked}>{children}</Shown>}
    </>
  );
}
