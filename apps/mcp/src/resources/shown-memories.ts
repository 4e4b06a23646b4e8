import { formatScope, heldAt, type Memory } from "@loci/loci";
import { heldTimes } from "../tools/held-times.ts";
import type { OutdatedSince } from "../tools/outdated-since.ts";
import { asData, dataNotice } from "../tools/tool-result.ts";

/** Memories for a model to read: nothing in them can be taken for structure or an instruction. */
export function shownMemories(memories: readonly (Memory & OutdatedSince)[]): string {
  if (memories.length === 0) return "Nothing is remembered here.";
  return [dataNotice, ...memories.map((memory) => JSON.stringify(shownMemory(memory)))].join("\n");
}

function shownMemory(memory: Memory & OutdatedSince): Record<string, unknown> {
  const { id, text, category, scope, provenance, createdAt, outdated } = memory;
  return {
    id,
    text: asData(text),
    category: asData(category),
    scope: asData(formatScope(scope)),
    ...(provenance === undefined ? {} : { source: asData(provenance.sourceId) }),
    createdAt: new Date(createdAt).toISOString(),
    ...heldTimes(memory),
    ...(heldAt(memory, Date.now()) ? {} : { isOver: true }),
    ...(outdated === undefined ? {} : { outdated }),
  };
}
