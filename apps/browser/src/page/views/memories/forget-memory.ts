import type { Memory } from "@loci/api-web";
import { memories, newRequestId } from "../../api/calls.ts";
import { changes } from "../../state/changes.ts";
import { notice } from "../../state/notice.ts";

/** Forgets a memory as it is on the screen: one that was changed meanwhile stays. */
export async function forgetMemory({ id, etag, version }: Memory): Promise<void> {
  await memories.deleteMemory({ id, etag, requestId: newRequestId() });
  changes.value++;
  notice.value = {
    text: "The memory is forgotten.",
    undo: async () => {
      await restoreVersion(id, version);
      notice.value = { text: "The memory is back." };
    },
  };
}

/** Makes an older version the newest. */
export async function restoreVersion(id: string, version: bigint): Promise<void> {
  await memories.restoreMemory({ id, version, requestId: newRequestId() });
  changes.value++;
}
