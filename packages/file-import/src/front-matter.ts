import type { Instant } from "@loci/domain";

/** The lines between `---` that a document begins with. */
export const frontMatter: RegExp = /^---\r?\n[\s\S]*?\r?\n---\r?\n/u;

/** Front matter is short: what stands farther behind is not looked at. */
const longestFrontMatter = 10_000;

const dateLine =
  /^date:[ \t]*["']?(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}))?(?:\.\d+)?[ \t]*(Z|[+-]\d{2}:?\d{2})?)?["']?[ \t]*\r?$/imu;

/** The `date` of a document's front matter: a day, or a day and a time. Without a zone it is UTC. */
export function frontMatterDate(document: string): Instant | undefined {
  const [head] = frontMatter.exec(document.slice(0, longestFrontMatter)) ?? [];
  const [, day, time = "00:00", seconds = "00", zone = "Z"] = (head === undefined ? null : dateLine.exec(head)) ?? [];
  if (day === undefined) return undefined;
  const at = Date.parse(`${day}T${time}:${seconds}${zone === "Z" ? zone : zone.replace(/^(...):?/u, "$1:")}`);
  return Number.isNaN(at) ? undefined : at;
}
