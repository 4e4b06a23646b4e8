import {
  authorize,
  type CallOptions,
  checkIdentifier,
  type ConversationInput,
  type ConversationTurn,
  formatScope,
  type Memory,
  type MemoryId,
  type Principal,
} from "@loci/domain";
import { commitMemories, unused } from "./commit-memories.ts";
import { sha256 } from "./content-hash.ts";
import type { EngineServices } from "./engine-services.ts";
import { idempotencyOf } from "./idempotency.ts";
import { isVersionConflict } from "./version-conflict.ts";
import { memoryViews } from "./memory-views.ts";
import { newMemory } from "./remember.ts";
import { uuidOfName } from "./uuid-version-7.ts";
import { type CheckedConversation, checkConversation } from "./validation/validate-conversation.ts";
import { checkStoredText } from "./validation/validate-text.ts";

/**
 * Stores each turn as a memory of its own, in one transaction. A turn's id is made from its time and its name in the
 * conversation, so that a turn which is sent again is found instead of being stored twice.
 */
export async function rememberConversation(
  services: EngineServices,
  principal: Principal,
  input: ConversationInput,
  options: CallOptions | undefined,
  signal: AbortSignal,
): Promise<readonly Memory[]> {
  const checked = checkConversation(input);
  authorize(principal, "write", [checked.scope]);
  const session = checked.session ?? nameOf(checked.turns);
  const sourceId = checkIdentifier(`conversation:${session}`, "session");
  const place = [principal.tenant, formatScope(checked.scope), session];
  const ids = checked.turns.map((turn) => uuidOfName(turn.at, [...place, turn.id]));
  const turns = checked.turns.map((turn, index) => textOf(turn, `turns[${index}].content`));
  const idempotency = idempotencyOf("rememberConversation", input, options);

  // One writer at a time for each conversation, so that two calls never give the same positions.
  return services.conversations.run(JSON.stringify(place), async () => {
    for (;;) {
      const known = await services.ledger.memories(principal.tenant, ids, { signal });
      const last = await services.ledger.lastPosition(principal.tenant, checked.scope, sourceId);
      let position = last === undefined ? 0 : last + 1;
      const now = services.clock();
      const writes = ids.flatMap((id, index) => {
        if (known.has(id)) return [];
        const memory = turnMemory(id, now, checked, index, turns[index] as string, sourceId, position++);
        return [{ memory, usage: unused }];
      });
      try {
        const written =
          writes.length === 0 ? [] : await commitMemories(services, principal, writes, idempotency, signal);
        return await answer(services, principal, ids, written, signal);
      } catch (error) {
        // Another process has stored one of the turns meanwhile.
        if (!isVersionConflict(error)) throw error;
      }
    }
  });
}

/** The turns in the order of the call: those just written, and the current versions of those known before. */
async function answer(
  services: EngineServices,
  { tenant }: Principal,
  ids: readonly MemoryId[],
  written: readonly Memory[],
  signal: AbortSignal,
): Promise<readonly Memory[]> {
  const memories = new Map(written.map((memory) => [memory.id, memory]));
  const others = ids.filter((id) => !memories.has(id));
  const stored = await services.ledger.memories(tenant, others, { signal });
  for (const memory of await memoryViews(services.ledger, tenant, services.space, [...stored.values()]))
    memories.set(memory.id, memory);
  return ids.flatMap((id) => memories.get(id) ?? []);
}

function turnMemory(
  id: MemoryId,
  now: number,
  { scope, turns }: CheckedConversation,
  index: number,
  text: string,
  sourceId: string,
  position: number,
): ReturnType<typeof newMemory> {
  const { at, speaker, role } = turns[index] as ConversationTurn;
  return newMemory(id, now, {
    text,
    scope,
    category: "note",
    // What was said is kept as it is; nobody chose it as worth keeping.
    origin: "import",
    provenance: {
      sourceId,
      kind: "conversation",
      position,
      speaker,
      ...(role === undefined ? {} : { role }),
      createdAt: at,
    },
    createdAt: at,
  });
}

function textOf({ speaker, content }: ConversationTurn, field: string): string {
  return checkStoredText(`${speaker}: ${content}`, field);
}

/** The same turns make the same conversation. */
function nameOf(turns: readonly ConversationTurn[]): string {
  return sha256(JSON.stringify(turns.map(({ id, at }) => [id, at]))).slice(0, 32);
}
