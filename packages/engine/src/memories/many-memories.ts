import {
  authorize,
  checkBoolean,
  checkList,
  checksOf,
  type GetMemoriesRequest,
  type GetMemoriesResult,
  type Memory,
  type MemoryId,
  memoryId,
  optional,
  permitsScope,
} from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { maxPageBytes } from "../calls/read-page.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { isForgotten } from "./existing-memory.ts";
import type { MemoryServices } from "./memory-services.ts";
import { memoryViews } from "./memory-views.ts";
import { isWithheld } from "./withheld-memory.ts";

const mostIds = 500;
const mostTextBytes = 65_536;
/** So many of the largest texts there are take 2 MiB. */
const readAtOnce = 32;

const checkRequest = checksOf<GetMemoriesRequest>()("request", {
  ids: (ids, path) => [...new Set(checkList(ids, path, { least: 1, most: mostIds }).map((id) => memoryId(id)))],
  textBytes: optional((bytes, path) => checkWholeNumber(bytes, path, { least: 1, most: mostTextBytes })),
  withDeleted: (withDeleted = false, path) => checkBoolean(withDeleted, path),
});

/** Memories by their ids, as many as the answer has room for. */
export async function getMemories(
  services: MemoryServices,
  call: Call,
  request: GetMemoriesRequest,
): Promise<GetMemoriesResult> {
  const { principal, signal } = call;
  const { ids, textBytes = Infinity, withDeleted } = checkRequest(request);
  authorize(principal, "read", []);
  const memories: Memory[] = [];
  const cut: MemoryId[] = [];
  const missing: MemoryId[] = [];
  let bytes = 0;
  for (let start = 0; start < ids.length; start += readAtOnce) {
    const some = ids.slice(start, start + readAtOnce);
    const found = await services.ledger.memories(principal.tenant, some, { signal });
    const shown = new Map<MemoryId, StoredMemory>();
    for (const [id, stored] of found)
      if (permitsScope(principal, stored.memory.scope) && (withDeleted || !isForgotten(stored)))
        if (!(await isWithheld(services, call, stored))) shown.set(id, stored);
    const views = await memoryViews(services.ledger, principal.tenant, services.space, [...shown.values()]);
    const viewsById = new Map(views.map((memory) => [memory.id, memory]));
    for (const [index, id] of some.entries()) {
      const memory = viewsById.get(id);
      if (memory === undefined) {
        missing.push(id);
        continue;
      }
      const text = beginningOf(memory.text, textBytes);
      const given = text.length === memory.text.length ? memory : { ...memory, text };
      bytes += Buffer.byteLength(JSON.stringify(given));
      if (memories.length > 0 && bytes > maxPageBytes)
        return { memories, cut, missing, unread: ids.slice(start + index) };
      memories.push(given);
      if (given !== memory) cut.push(id);
    }
  }
  return { memories, cut, missing, unread: [] };
}

/** As much of the text as has room in so many bytes, whole characters only. */
function beginningOf(text: string, bytes: number): string {
  // A unit of UTF-16 takes three bytes at most.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
