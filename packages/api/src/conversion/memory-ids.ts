import type { MemoryId } from "@loci/domain";
import { identifierToProto } from "./identifier.ts";
import { type Form, listOf } from "./request-form.ts";

/** Whichever of them is at fault is called by what it is. */
export const memoryIds: Form<readonly MemoryId[], string[]> = listOf<MemoryId, string>({
  write: (id) => identifierToProto(id, "id"),
  read: (id) => id as MemoryId,
});
