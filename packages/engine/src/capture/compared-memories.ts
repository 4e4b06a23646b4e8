import { isConversationTurn, slotValueOf } from "@loci/core";
import { type NonEmpty, type Principal, type Ref, type Scope } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { recallUnmarked } from "../recall/recall.ts";
import { captureTurn } from "./capture-turn.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";

/** So many of the newest memories of a scope are compared, and of larger scopes besides them */
const newestCompared = 300;
/** so many of the nearest to each statement, */
const nearestCompared = 5;
/** and so many of each of its slots. */
const comparedOfSlot = 20;
/** Most statements for which a large scope is searched. */
const mostSearched = 400;

export interface Compared {
  readonly scopes: NonEmpty<Scope>;
  /** Of the statements. */
  readonly texts: readonly string[];
  /** Besides those that the statements have by their form. */
  readonly slots?: readonly string[] | undefined;
}

/** The memories in force that statements are judged against. Turns of conversations are none: they claim nothing. */
export async function comparedMemories(
  services: CaptureServices,
  call: CaptureCall,
  { scopes, texts, slots: otherSlots = [] }: Compared,
): Promise<readonly StoredMemory[]> {
  if (texts.length === 0) return [];
  const { tenant, signal } = call;
  const evaluationTime = services.clock();
  const newest = await services.ledger.list(tenant, { scopes, evaluationTime, limit: newestCompared }, { signal });
  const found = new Map(newest.map((stored) => [stored.memory.id, stored]));
  if (newest.length === newestCompared) {
    const refs = await nearestRefs(services, call, { scopes, texts });
    const missing = refs.filter((ref) => !found.has(ref));
    for (const [ref, stored] of await services.ledger.memories(tenant, missing, { signal })) found.set(ref, stored);
    const slots = [...new Set([...otherSlots, ...texts.flatMap((text) => slotValueOf(text)?.slot ?? [])])];
    if (slots.length > 0)
      for (const stored of await services.ledger.bySlots(
        tenant,
        { scopes, slots, limitOfEach: comparedOfSlot },
        { signal },
      ))
        found.set(stored.memory.id, stored);
  }
  return [...found.values()].filter(({ memory }) => isInForce(memory, evaluationTime));
}

/** Through recall, so that what was committed a moment ago is found as well. */
async function nearestRefs(
  services: CaptureServices,
  call: CaptureCall,
  { scopes, texts }: Omit<Compared, "slots">,
): Promise<readonly Ref[]> {
  const { tenant, signal } = call;
  const reader: Principal = { tenant, subject: "capture", roles: ["read"], scopePatterns: ["*"] };
  const found = new Set<Ref>();
  for (const query of texts.slice(0, mostSearched)) {
    // A recall takes some milliseconds of the thread, and there may be hundreds.
    await captureTurn(services, call);
    const request = { query, scopes, limit: nearestCompared, recordUsage: "none" } as const;
    const { hits } = await recallUnmarked(services, { principal: reader, signal }, request);
    for (const { memory } of hits) found.add(memory.id);
  }
  return [...found];
}

function isInForce(memory: StoredMemory["memory"], now: number): boolean {
  const { state, validTo, supersededBy } = memory;
  const isOpen = state === "active" && supersededBy === undefined && (validTo === undefined || validTo > now);
  return isOpen && !isConversationTurn(memory);
}
