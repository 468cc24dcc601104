// What the tools' own pages have in common: the page about an answer, its first finding with figures, and the others.
import type { ComponentChildren, ComponentType } from "preact";
import { useAnswer } from "../answer";
import type { PageProps, Part } from "../page";
import { AllFigures, Figures, type Group } from "./figures";
import { Findings, FoldedFindings, Headline } from "./findings";
import { given } from "./options";
import { Panel } from "./panel";
import { Shown } from "./states";
import { ShownSteps } from "./steps_from";

/** A page of one answer; `fits`: its tables scroll within a bound of the window's height. */
export function answerPage(Report: ComponentType<Part>, fits = true): ComponentType<PageProps> {
  return (page) => {
    const asked = useAnswer(page.api, given(page));
    return (
      <div class={fits ? "page fits" : "page"}>
        <Shown asked={asked}>{(answer) => <Report answer={answer} page={page} />}</Shown>
      </div>
    );
  };
}

/** A page whose answer is about steps. */
export function stepsPage(Report: ComponentType<Part>): ComponentType<PageProps> {
  return (page) => {
    const asked = useAnswer(page.api, given(page));
    return (
      <div class="page fits">
        <ShownSteps asked={asked} page={page}>
          {(answer) => <Report answer={answer} page={page} />}
        </ShownSteps>
      </div>
    );
  };
}

/** The finding that answers the page's question, and what stands below it. */
export function Conclusion({ answer, page, children }: Part & { children: ComponentChildren }) {
  const [first] = answer.findings;
  return (
    <Panel title="" class="answer">
      {first && <Headline finding={first} answer={answer} page={page} />}
      {children}
    </Panel>
  );
}

/** The same with the other findings, folded, and all figures. */
export function ShortConclusion({ groups, ...part }: Part & { groups: readonly Group[] }) {
  const { answer, page } = part;
  return (
    <Conclusion {...part}>
      <FoldedFindings findings={answer.findings.slice(1)} answer={answer} page={page} />
      <div class="figures-line">
        <Figures answer={answer} page={page} groups={groups} />
        <AllFigures answer={answer} columns={page.tool.summary} />
      </div>
    </Conclusion>
  );
}

/** All findings but the first, where there are some. */
export function MoreFindings({ answer, page, title = "More findings" }: Part & { title?: string }) {
  const more = answer.findings.slice(1);
  if (!more.length) return null;
  return (
    <Panel title={title}>
      <Findings findings={more} answer={answer} page={page} />
    </Panel>
  );
}
