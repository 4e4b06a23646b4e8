import { defaultImportance } from "@loci/core";
import {
  authorize,
  type CallOptions,
  checkList,
  type Instant,
  LociError,
  type Memory,
  type MemoryId,
  type MemoryRecord,
  type Principal,
  type RememberInput,
} from "@loci/domain";
import { commitMemories, unused } from "./commit-memories.ts";
import type { EngineServices } from "./engine-services.ts";
import { idempotencyOf } from "./idempotency.ts";
import { maxMemoriesPerCall } from "./validation/validate-conversation.ts";
import { type CheckedRememberInput, checkRememberInput } from "./validation/validate-remember-input.ts";

/** Stores one memory as given. */
export async function remember(
  services: EngineServices,
  principal: Principal,
  input: RememberInput,
  options: CallOptions | undefined,
  signal: AbortSignal,
): Promise<Memory> {
  const checked = checkRememberInput(input);
  services.metadata.checkMetadata(checked.metadata, "metadata");
  authorize(principal, "write", [checked.scope]);
  const writes = [{ memory: firstVersion(services, checked), usage: unused }];
  const idempotency = idempotencyOf("remember", input, options);
  const [memory] = await commitMemories(services, principal, writes, idempotency, signal);
  if (memory === undefined) throw new LociError("INTERNAL", { message: "The ledger answered for no memory." });
  return memory;
}

/** Stores up to 1,000 memories in one transaction. */
export async function rememberMany(
  services: EngineServices,
  principal: Principal,
  inputs: readonly RememberInput[],
  options: CallOptions | undefined,
  signal: AbortSignal,
): Promise<readonly Memory[]> {
  checkList(inputs, "inputs", { least: 0, most: maxMemoriesPerCall });
  const checked = inputs.map((input, index) => checkRememberInput(input, `inputs[${index}]`));
  for (const [index, { metadata }] of checked.entries())
    services.metadata.checkMetadata(metadata, `inputs[${index}].metadata`);
  authorize(
    principal,
    "write",
    checked.map(({ scope }) => scope),
  );
  if (checked.length === 0) return [];
  const writes = checked.map((input) => ({ memory: firstVersion(services, input), usage: unused }));
  return commitMemories(services, principal, writes, idempotencyOf("rememberMany", inputs, options), signal);
}

/** The record of a new memory, every default filled in. */
function firstVersion(services: EngineServices, input: CheckedRememberInput): MemoryRecord {
  const now = services.clock();
  return newMemory(services.ids.next(now), now, input);
}

export function newMemory(id: MemoryId, now: Instant, input: CheckedRememberInput): MemoryRecord {
  const { category = "fact", origin = "manual", slot, provenance, validFrom, validTo, expiresAt } = input;
  return {
    id,
    text: input.text,
    category,
    scope: input.scope,
    importance: input.importance ?? defaultImportance(category, origin),
    confidence: input.confidence ?? 1,
    isStatic: input.isStatic ?? false,
    tags: input.tags ?? [],
    origin,
    trust: input.trust ?? "trusted",
    metadata: input.metadata ?? {},
    createdAt: input.createdAt ?? now,
    updatedAt: now,
    version: 1,
    state: "active",
    ...(input.isPinned === true ? { isPinned: true } : {}),
    ...(slot === undefined ? {} : { slot }),
    ...(provenance === undefined ? {} : { provenance }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
