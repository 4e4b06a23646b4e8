// What docs/guides/follow-changes.md shows; a test runs it.
import type { Loci, Memory, MemoryId } from "@loci/loci";

/** Where a program keeps its copy: a search page, a cache, an audit trail. */
export interface Copy {
  readonly memories: Map<MemoryId, Memory>;
  /** Behind which change the copy stands. Keep it with the copy: in one transaction, if it has any. */
  cursor: string | undefined;
}

export async function follow(loci: Loci, copy: Copy, signal: AbortSignal): Promise<void> {
  const since = copy.cursor ?? "beginning";
  for await (const change of loci.memories.watch({ scopes: "*", since }, { signal })) {
    if (change.type === "written") copy.memories.set(change.memory.id, change.memory);
    if (change.type === "removed") copy.memories.delete(change.id);
    copy.cursor = change.cursor;
  }
}
