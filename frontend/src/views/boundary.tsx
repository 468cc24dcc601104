// One broken panel leaves the rest of the page alive.
import { Component, type ComponentChildren } from "preact";

interface Props {
  what: string;
  children: ComponentChildren;
}

export class Boundary extends Component<Props, { error: string | null }> {
  override state = { error: null };

  static override getDerivedStateFromError(error: unknown): { error: string } {
    return { error: String(error) };
  }

  override componentDidUpdate(previous: Props): void {
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
