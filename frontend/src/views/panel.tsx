// A titled part of a page, which breaks alone.
import type { ComponentChildren } from "preact";
import { Boundary } from "./boundary";

interface Props {
  /** What it is called; empty for what speaks for itself. */
  title: string;
  /** Its content draws the title. */
  bare?: boolean;
  help?: string;
  class?: string;
  children: ComponentChildren;
}

export function Panel({ title, bare = false, help, class: extra = "", children }: Props) {
  return (
    <Boundary what={title}>
      <section class={`panel ${extra}`} aria-label={title}>
        {title && !bare && <h2 title={help}>{title}</h2>}
        {children}
      </section>
    </Boundary>
  );
}
