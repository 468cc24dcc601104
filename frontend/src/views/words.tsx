// A sentence in which `names` stand between backticks, or that names another page, which is then a link.

export function Words({ text }: { text: string }) {
  return text.split("`").map((part, i) => (i % 2 ? <code key={i}>{part}</code> : part));
}

/** Titles of tools: name → title. `what ran is on the page of ops`, `it is on the input pipeline's page`. */
export function WordsWithPages({
  text,
  titles,
  open,
}: {
  text: string;
  titles: Readonly<Record<string, string>>;
  open: (tool: string) => void;
}) {
  const any = Object.values(titles)
    .map((title) => title.replace(/\W/g, "."))
    .join("|");
  return text.split(new RegExp(`(the page of (?:${any})\\b|the (?:${any})'s page)`, "i")).map((part, i) => {
    const title = part.replace(/^the (page of )?|'s page$/g, "").toLowerCase();
    const tool = Object.keys(titles).find((name) => titles[name]!.toLowerCase() === title);
    if (i % 2 === 0 || !tool) return <Words key={i} text={part} />;
    return (
      <button key={i} type="button" class="link" onClick={() => open(tool)}>
        {part}
      </button>
    );
  });
}
