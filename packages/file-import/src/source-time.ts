import { stat } from "node:fs/promises";
import type { Instant } from "@loci/domain";
import { commitTime } from "./commit-time.ts";
import { frontMatterDate } from "./front-matter.ts";

/** Where the time of a document was found: what it says itself, its last commit, or when its file was changed. */
export type TimeSource = "frontMatter" | "git" | "file";

export interface SourceTime {
  readonly at: Instant;
  readonly from: TimeSource;
}

/** When a document is from, by the first of its front matter's `date`, its last commit in git, and its file's own time. */
export async function sourceTime(file: string, text: string, signal: AbortSignal | undefined): Promise<SourceTime> {
  const said = frontMatterDate(text);
  if (said !== undefined) return { at: said, from: "frontMatter" };
  const committed = await commitTime(file, signal);
  if (committed !== undefined) return { at: committed, from: "git" };
  return { at: Math.floor((await stat(file)).mtimeMs), from: "file" };
}
