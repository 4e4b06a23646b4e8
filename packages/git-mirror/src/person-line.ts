import type { Instant } from "@loci/domain";

/** No mail goes there: `.invalid` is never registered. */
const address = "blocks@loci.invalid";

/** What git itself would cut off the ends of a name. */
const marks = new Set(` .,:;"'\\`);

/**
 * Who did it and when, as it stands behind `author` or `committer`: a name, an address and whole seconds, rounded down.
 */
export function personLine(name: string, at: Instant): string {
  return `${personName(name)} <${address}> ${Math.floor(at / 1000)} +0000`;
}

/**
 * A name that cannot end its line or begin an address: control characters, `<` and `>` become `_`, then spaces and marks at
 * the ends go. What is empty then is `unknown`.
 */
export function personName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what must not get through
  const inert = name.replaceAll(/[\u0000-\u001f\u007f-\u009f<>]/g, "_");
  let start = 0;
  let end = inert.length;
  while (start < end && marks.has(inert.charAt(start))) start += 1;
  while (end > start && marks.has(inert.charAt(end - 1))) end -= 1;
  return start === end ? "unknown" : inert.slice(start, end);
}
