// What was written into the address, and comes back with a later render.

type Params = Readonly<Record<string, string>>;

export function same(a: Params, b: Params): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}

/** How many may be under way: a page that is not drawn any more sees none of them. */
const MOST = 100;

/** Tells what this page wrote itself from what somebody else did: several may be under way before the first is seen. */
export class Echoes {
  private last: Params | null = null;
  private underWay: Params[] = [];

  /** What the address says, or will once it is drawn. */
  get current(): Params {
    return this.last ?? {};
  }

  wrote(params: Params): void {
    this.last = params;
    this.underWay = [...this.underWay, params].slice(-MOST);
  }

  /** Whether `params` are somebody else's, which are the current ones from now on. */
  isOthers(params: Params): boolean {
    const seen = this.underWay.findIndex((one) => same(one, params));
    if (seen >= 0) {
      this.underWay = this.underWay.slice(seen + 1);
      return false;
    }
    if (this.last && same(this.last, params)) return false;
    this.last = params;
    this.underWay = [];
    return true;
  }
}
