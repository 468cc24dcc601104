// The overview.
import { useAnswer } from "../answer";
import type { PageProps } from "../page";

export default function Overview({ api }: PageProps) {
  const { answer } = useAnswer(api);
  return <pre>{JSON.stringify(answer?.summary, null, 1)}</pre>;
}
