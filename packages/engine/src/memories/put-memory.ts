import {
  authorize,
  LociError,
  type Memory,
  type MemoryPatch,
  type MemoryRecord,
  parseMemoryKey,
  type RememberInput,
  throwIfAborted,
} from "@loci/domain";
import { keyTaken } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { isErased, isKeyTaken, isVersionConflict } from "../calls/version-conflict.ts";
import { isScreened, refuseSecrets } from "../validation/refuse-secrets.ts";
import { secretWarnings, withWarnings } from "../validation/warn-of-secrets.ts";
import { commitMemories, type MemoryWrite, unused } from "./commit-memories.ts";
import { memoryWithKey, type NamedKey } from "./existing-memory.ts";
import type { MemoryServices } from "./memory-services.ts";
import type { MemoryUpdate } from "./memory-update.ts";
import { patchedMemory } from "./patched-memory.ts";
import { newMemory } from "./remember.ts";
import { checkMemoryPatch } from "./validate-memory-patch.ts";
import { checkRememberInput } from "./validate-remember-input.ts";
import { isWithheld } from "./withheld-memory.ts";

/**
 * Changes the memory that has the key, or makes it: in one commit, which is tried again on what there is then when somebody was
 * quicker.
 *
 * @throws LociError `INVALID_REQUEST` without a key, `MEMORY_EXISTS` when the one that has it may not be seen
 */
export async function putMemory(
  services: MemoryServices,
  call: Call,
  { which, patch, precondition }: MemoryUpdate,
): Promise<Memory> {
  if (typeof which !== "object")
    throw new LociError("INVALID_REQUEST", {
      message: "precondition.allowMissing is given with an id, and ids are made by Loci.",
      field: "precondition.allowMissing",
      advice: "Name the memory by scope and key, or pass its etag.",
    });
  const { principal, signal } = call;
  const named = parseMemoryKey(which);
  const checked = checkMemoryPatch(patch);
  services.metadata.checkMetadata(checked.metadata, "metadata");
  authorize(principal, "write", [named.scope]);
  const texts = [named.key, ...(checked.text === undefined ? [] : [checked.text])];
  const turn = (): Promise<void> | undefined => services.thread.next(principal.tenant, signal);
  const warnings = await secretWarnings(services.detection, turn)(texts);
  const idempotency = idempotencyOf("update", [which, patch, precondition], call.options);
  for (;;) {
    const write = await nextVersion(services, call, named, checked);
    if (write.memory.version > 1 && isScreened(write.memory.origin))
      await refuseSecrets({ texts, field: "text" }, services.detection, turn);
    try {
      const [memory] = await commitMemories(services, call, [write], { idempotency });
      if (memory === undefined) throw new LociError("INTERNAL", { message: "The memory was lost on the way." });
      return withWarnings(memory, warnings);
    } catch (error) {
      if (!isVersionConflict(error) && !isKeyTaken(error) && !isErasedMeanwhile(error)) throw error;
      throwIfAborted(signal);
    }
  }
}

async function nextVersion(
  services: MemoryServices,
  call: Call,
  named: NamedKey,
  patch: MemoryPatch,
): Promise<MemoryWrite> {
  const now = services.clock();
  const existing = await memoryWithKey(services, call, named);
  if (existing === undefined) return { memory: madeOf(services, named, patch), usage: unused };
  if (await isWithheld(services, call, existing)) throw keyTaken(named.scope, named.key);
  return { memory: patchedMemory(existing.memory, patch, now), usage: existing.usage };
}

/** The first version: what the patch says, and else what a memory is that says no more than that. */
function madeOf(services: MemoryServices, named: NamedKey, patch: MemoryPatch): MemoryRecord {
  const { supersededBy, ...content } = patch;
  const given = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  const now = services.clock();
  const memory = newMemory(services.ids.next(now), now, checkRememberInput({ ...given, ...named } as RememberInput));
  return supersededBy === undefined || supersededBy === null ? memory : { ...memory, supersededBy };
}

/** The memory that had the key, and not what this request has stored once. */
function isErasedMeanwhile(error: unknown): boolean {
  return isErased(error) && error.resource !== undefined;
}
