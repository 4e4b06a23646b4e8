import type { Instant } from "@loci/domain";
import { linesOf, trimmed } from "./block-white-space.ts";

/** How long a line counts as changed of late, in milliseconds: 30 days. */
const recently = 2_592_000_000;

/** The lines of a document by when they came into it. */
export interface LineAges {
  /** Changed within the last 30 days. */
  readonly recent: readonly string[];
  /** Older: the first to be demoted when there is no room. */
  readonly older: readonly string[];
}

/**
 * Which lines of a document have stood there for long. Headings and blank lines are left out. A line is as old as the first
 * of the versions that have held it without a break until now.
 *
 * @param versions newest first; the first is the document as it stands, or as somebody wants it
 */
export function lineAges(versions: readonly { readonly text: string; readonly at: Instant }[], now: Instant): LineAges {
  const [newest] = versions;
  const since = new Map<string, Instant>();
  let unbroken = new Set(linesOf(newest?.text ?? "").filter((line) => trimmed(line) !== "" && !line.startsWith("#")));
  const lines = [...unbroken];
  for (const { text, at } of versions) {
    if (unbroken.size === 0) break;
    const held = new Set(linesOf(text));
    unbroken = new Set([...unbroken].filter((line) => held.has(line)));
    for (const line of unbroken) since.set(line, at);
  }
  const isRecent = (line: string): boolean => now - (since.get(line) ?? now) <= recently;
  return { recent: lines.filter((line) => isRecent(line)), older: lines.filter((line) => !isRecent(line)) };
}
