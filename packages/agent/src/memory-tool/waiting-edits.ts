import { type BlocksApi, formatScope, type ProposedBlockEdit, type Scope } from "@loci/domain";
import { isMemoryFileLabel } from "@loci/domain";
import { memoryFileLabel } from "./memory-file.ts";
import { isWithin, shownPath } from "./memory-path.ts";
import type { MemoryTree } from "./memory-tree.ts";

/** How many edits of the file at a path wait for a person. */
export async function waitingForFile(
  blocks: BlocksApi,
  owner: Scope,
  path: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  const request = { owner: formatScope(owner), label: memoryFileLabel(path), pageSize: 1_000 };
  return (await blocks.listEdits(request, { signal })).edits.length;
}

/** How many edits of files in a directory wait for a person, those that would make files among them. */
export async function waitingWithin(
  blocks: BlocksApi,
  owner: Scope,
  { directory, tree }: { readonly directory: string; readonly tree: MemoryTree },
  signal: AbortSignal | undefined,
): Promise<number> {
  if ([...tree.blocks.values()].every(({ policy }) => policy === "auto")) return 0;
  let count = 0;
  for (let pageToken: string | undefined; ;) {
    const request = { owner: formatScope(owner), pageSize: 1_000, pageToken };
    const page = await blocks.listEdits(request, { signal });
    count += page.edits.filter((edit) => isWithin(pathOf(edit, tree), directory)).length;
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return count;
  }
}

/** The path that an edit is about; nothing for edits of other blocks. */
function pathOf({ label, operations }: ProposedBlockEdit, tree: MemoryTree): string {
  if (!isMemoryFileLabel(label)) return "";
  const named = operations.find(({ op, field, value }) => op === "set" && field === "path" && value !== "");
  const path = named?.value ?? tree.blocks.get(label)?.values["path"];
  return typeof path === "string" ? path.slice(shownPath("").length + 1) : "";
}

/** What a model is told of edits that wait, at the end of an answer; nothing when none do. */
export function waitingNotice(count: number, what: string): string {
  if (count === 0) return "";
  return `\n\n${count} ${count === 1 ? "edit" : "edits"} of ${what} ${count === 1 ? "waits" : "wait"} until a person approves.`;
}
