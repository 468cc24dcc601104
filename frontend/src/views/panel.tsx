// A titled part of a page, which breaks alone.
import type { ComponentChildren } from "preact";
import { Boundary } from "./boundary";

interface Props {
  title: string;
  help?: string;
  class?: string;
  children: ComponentChildren;
}

export function Panel({ title, help, class: extra = "", children }: Props) {
  return (
    <Boundary what={title}>
      <section class={`panel ${extra}`} aria-label={title}>
        {title && <h2 title={help}>{title}</h2>}
        {children}
      </section>
    </Boundary>
  );
}
