// A titled part of a page, which breaks alone.
import { Component, type ComponentChildren } from "preact";

interface BoundaryProps {
  what: string;
  children: ComponentChildren;
}

/** One broken panel leaves the rest of the page alive. */
export class Boundary extends Component<BoundaryProps, { error: string | null }> {
  override state = { error: null };

  static override getDerivedStateFromError(error: unknown): { error: string } {
    return { error: String(error) };
  }

  override componentDidUpdate(previous: BoundaryProps): void {
    if (this.state.error !== null && previous.children !== this.props.children) this.setState({ error: null });
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <section class="panel failure" role="alert">
        <h2>{this.props.what} could not be drawn</h2>
        <p>{this.state.error}</p>
        <p>This is a defect of this page; the rest is not affected. The numbers are available as JSON and CSV.</p>
      </section>
    );
  }
}

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
