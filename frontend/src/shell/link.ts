// A selection → the address that opens it.
import { formatHash } from "../address";
import { outer } from "../frame";
import type { Selection } from "../page";

export function linkTo(selection: Selection): string {
  const url = new URL(outer.location.href);
  url.hash = formatHash(selection, outer.location.hash);
  return url.href;
}
