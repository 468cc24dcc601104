// Rows of tracks ↔ words of an address: `3.5-7` of one host, `a:3.5-7,b:2` of several.

/** What names rows of one host. A plus is read as a dot. */
export const ROWS = "\\d+(?:-\\d+)?(?:[.+]\\d+(?:-\\d+)?)*";

/** `5, 3, 6, 7` → `3.5-7`. A dot is what no address has to escape. */
export function rowsText(rows: Iterable<number>): string {
  const ranges: [first: number, last: number][] = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const before = ranges[ranges.length - 1];
    if (before && row <= before[1] + 1) before[1] = row;
    else ranges.push([row, row]);
  }
  return ranges.map(([first, last]) => (last > first ? `${first}-${last}` : String(first))).join(".");
}

/** At most so many of the rows that a text names. */
export function rowsOf(text: string, most: number): number[] {
  const rows: number[] = [];
  for (const part of text.split(/[.+]/)) {
    const [first = NaN, last = first] = part.split("-").map(Number);
    for (let row = first; row <= last && rows.length < most; row++) rows.push(row);
  }
  return rows;
}
