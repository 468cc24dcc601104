// The first stack that a tool declares, as a panel of its page.
import type { PageProps } from "../page";
import type { Answer } from "../types";
import { stretchInTrace } from "./links";
import { given } from "./options";
import { Panel } from "./panel";
import { rowCount } from "./rows";
import { Stack } from "./stack";

interface Props {
  answer: Answer;
  page: PageProps;
  noun: string;
  mean?: number | null;
  height?: number;
  /** What is zero is told elsewhere. */
  quiet?: boolean;
}

export function StepChart({ answer, page, noun, mean = null, ...look }: Props) {
  const view = page.tool.views.find(({ kind }) => kind === "stack");
  const spec = page.tool.tables.find(({ name }) => name === view?.table);
  const data = spec && answer.tables[spec.name];
  if (!view || !spec || !data || !rowCount(data)) return null;
  const title = view.title || spec.title;
  return (
    <Panel title={title} bare>
      <Stack
        {...{ title, view, spec, data, noun, ...look }}
        mean={mean ?? undefined}
        csv={page.api.url({ ...given(page), format: "csv", table: spec.name })}
        json={page.api.url(given(page))}
        open={(...stretch) => page.navigate(stretchInTrace(...stretch))}
      />
    </Panel>
  );
}
