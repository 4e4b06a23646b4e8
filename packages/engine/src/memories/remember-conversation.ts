import {
  authorize,
  checkIdentifier,
  type ConversationInput,
  type ConversationTurn,
  formatScope,
  hasRole,
  type Instant,
  LociError,
  type Memory,
  type MemoryId,
  type Principal,
  sameScope,
} from "@loci/domain";
import type { CommitBatch, Committed, StoredMemory } from "@loci/ledger";
import { withoutContent } from "../calls/answers-to-writers.ts";
import type { Call } from "../calls/call.ts";
import { type CommitContent, commitWithMemories, memoriesOfResults, unused } from "./commit-memories.ts";
import { sha256 } from "../calls/content-hash.ts";
import type { MemoryServices } from "./memory-services.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { isErased, isVersionConflict } from "../calls/version-conflict.ts";
import { memoryViews } from "./memory-views.ts";
import { newMemory } from "./remember.ts";
import type { TurnId } from "./turn-ids.ts";
import { type CheckedConversation, checkConversation } from "./validate-conversation.ts";
import { secretsRedacted } from "../validation/redact-secrets.ts";
import { checkStoredText } from "../validation/validate-text.ts";
import { withWarnings } from "../validation/warn-of-secrets.ts";
import { secondsWarnings } from "../validation/warn-of-seconds.ts";

/**
 * Stores each turn as a memory of its own, in one transaction. A turn's id is made from its time and its name in the
 * conversation, so that a turn which is sent again is found instead of being stored twice, and one that was erased is not
 * stored again: the others are.
 *
 * @returns them as they are, also those that were there before
 */
export async function rememberConversation(
  services: MemoryServices,
  call: Call,
  input: ConversationInput,
): Promise<readonly Memory[]> {
  return (await commitConversation(services, call, input)).memories;
}

/** What is committed together with the memories of turns, in any case. */
export type BesideTurns = Pick<CommitBatch, "expect" | "changes" | "idempotency">;

/**
 * Stores turns as {@link rememberConversation} does, with something beside them.
 *
 * @param beside its idempotency is that of all that is committed. Default nothing, and the call's own
 * @returns `committed` is absent where there was nothing to commit
 * @throws LociError `VERSION_CONFLICT`, `MEMORY_ERASED` with the `resource` of what is beside them, or of its request
 */
export async function commitConversation(
  services: MemoryServices,
  call: Call,
  input: ConversationInput,
  beside?: BesideTurns,
): Promise<{ readonly memories: readonly Memory[]; readonly committed?: Committed }> {
  const { principal } = call;
  const checked = checkConversation(input);
  authorize(principal, "write", [checked.scope]);
  const session = checked.session ?? nameOf(checked.turns);
  const sourceId = checkIdentifier(`conversation:${session}`, "session");
  const place = [principal.tenant, formatScope(checked.scope), session];
  for (const [index, turn] of checked.turns.entries()) checkStoredText(textOf(turn), `turns[${index}].content`);
  const ids = (await services.turnIds(principal.tenant)).of(place, checked.turns);
  let idempotency =
    beside === undefined ? idempotencyOf("rememberConversation", input, call.options) : beside.idempotency;
  let erased: ReadonlySet<MemoryId> = new Set();

  // One writer at a time for each conversation, so that two calls never give the same positions.
  return services.conversations.run(JSON.stringify(place), async () => {
    // Turns of a session were looked at when it got them, or are to be kept as they are.
    const turns = beside === undefined ? await turnsWithoutSecrets(services, call, checked) : checked.turns.map(textOf);
    for (;;) {
      const known = await knownTurns(services, call, checked, ids);
      const last = await services.ledger.lastPosition(principal.tenant, checked.scope, sourceId);
      let position = last === undefined ? 0 : last + 1;
      const now = services.clock();
      const writes = ids.flatMap(({ id }, index) => {
        if (known[index] !== undefined || erased.has(id)) return [];
        const memory = turnMemory(checked, {
          id,
          now,
          index,
          text: turns[index] as string,
          sourceId,
          position: position++,
        });
        return [{ memory, usage: unused }];
      });
      try {
        const hasNothing = writes.length === 0 && beside === undefined;
        const { committed, written } = hasNothing
          ? { committed: undefined, written: [] }
          : await commitTurns(services, call, { writes, resources: beside, idempotency });
        const memories = await answer(services, principal, ids, { known, written });
        const warned = memories.map((memory) => withWarnings(memory, secondsWarnings(memory)));
        return { memories: warned, ...(committed === undefined ? {} : { committed }) };
      } catch (error) {
        // Whoever commits something else together with the turns knows what to do.
        if (beside !== undefined && LociError.is(error) && isOf(beside, error)) throw error;
        // Of a request that was answered before, what was erased since stays so; the turns tell themselves what is missing.
        if (isErased(error) && error.resource === undefined) idempotency = undefined;
        else if (isErased(error)) erased = await erasedTurns(services, call, ids);
        // Another process has stored one of the turns meanwhile.
        else if (!isVersionConflict(error)) throw error;
      }
    }
  });
}

/**
 * The turns that are there, each in its place; `erased` for one of before there was a key.
 *
 * @throws LociError `MEMORY_EXISTS` when one's id belongs to a memory of another scope, whose text is nobody's business here
 */
async function knownTurns(
  { ledger }: MemoryServices,
  { principal: { tenant }, signal }: Call,
  { scope }: CheckedConversation,
  ids: readonly TurnId[],
): Promise<readonly (StoredMemory | "erased" | undefined)[]> {
  const formerIds = ids.flatMap(({ former }) => former ?? []);
  const found = await ledger.memories(tenant, [...ids.map(({ id }) => id), ...formerIds], { signal });
  const missing = formerIds.filter((id) => !found.has(id));
  const purged = missing.length === 0 ? [] : await ledger.purged(tenant, { refs: missing, limit: missing.length });
  const erased = new Set(purged.map(({ ref }) => ref));
  return ids.map(({ id, former }) => {
    const before = former === undefined ? undefined : found.get(former);
    if (before !== undefined && sameScope(before.memory.scope, scope)) return before;
    if (former !== undefined && erased.has(former)) return "erased";
    const stored = found.get(id);
    if (stored === undefined || sameScope(stored.memory.scope, scope)) return stored;
    throw new LociError("MEMORY_EXISTS", {
      message: "The id of a turn belongs to a memory of another scope.",
      advice: "Give the conversation another session.",
    });
  });
}

async function erasedTurns(
  { ledger }: MemoryServices,
  { principal: { tenant }, signal }: Call,
  ids: readonly TurnId[],
): Promise<ReadonlySet<MemoryId>> {
  const refs = ids.map(({ id }) => id);
  return new Set((await ledger.purged(tenant, { refs, limit: refs.length }, { signal })).map(({ ref }) => ref));
}

/** Whether an error is about what is committed beside the turns: its resources, or its request, which names none. */
function isOf({ expect }: BesideTurns, { resource, reason }: LociError): boolean {
  return resource === undefined ? reason === "MEMORY_ERASED" : expect.some(({ ref }) => ref === resource);
}

async function commitTurns(
  services: MemoryServices,
  call: Call,
  content: CommitContent,
): Promise<{ readonly committed: Committed; readonly written: readonly Memory[] }> {
  const { committed, memories } = await commitWithMemories(services, call, content);
  const written = memories ?? (await memoriesOfResults(services, call.principal.tenant, committed.results));
  return { committed, written };
}

interface TurnsOfCall {
  readonly known: readonly (StoredMemory | "erased" | undefined)[];
  readonly written: readonly Memory[];
}

/**
 * The turns in the order of the call: those just written, and the current versions of those known before, of which who may not read
 * is told the names.
 */
async function answer(
  services: MemoryServices,
  principal: Principal,
  ids: readonly TurnId[],
  { known, written }: TurnsOfCall,
): Promise<readonly Memory[]> {
  const stored = known.filter((one) => typeof one === "object");
  const views = await memoryViews(services.ledger, principal.tenant, services.space, stored);
  const told = hasRole(principal, "read") ? views : views.map((memory) => withoutContent(memory, []));
  const memories = new Map([...told, ...written].map((memory) => [memory.id, memory]));
  return ids.flatMap(({ id }, index) => {
    const before = known[index];
    return memories.get(typeof before === "object" ? before.memory.id : id) ?? [];
  });
}

interface NewTurn {
  readonly id: MemoryId;
  readonly now: Instant;
  /** Among the turns of the call. */
  readonly index: number;
  readonly text: string;
  readonly sourceId: string;
  /** In the conversation. */
  readonly position: number;
}

function turnMemory(
  { scope, turns }: CheckedConversation,
  { id, now, index, text, sourceId, position }: NewTurn,
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

async function turnsWithoutSecrets(
  { thread, detection }: MemoryServices,
  { principal, signal }: Call,
  { turns }: CheckedConversation,
): Promise<readonly string[]> {
  const clean = secretsRedacted(detection, () => thread.next(principal.tenant, signal));
  const texts: string[] = [];
  for (const turn of turns) texts.push(textOf({ ...turn, content: await clean(turn.content) }));
  return texts;
}

function textOf({ speaker, content }: ConversationTurn): string {
  return `${speaker}: ${content}`;
}

/** The same turns make the same conversation. */
function nameOf(turns: readonly ConversationTurn[]): string {
  return sha256(JSON.stringify(turns.map(({ id, at }) => [id, at]))).slice(0, 32);
}
