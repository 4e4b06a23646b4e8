import {
  formatScope,
  heldAt,
  type Memory,
  type MemoryId,
  type OutdatedMark,
  type RememberInput,
  type ScopeText,
  tenantId,
} from "@loci/domain";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const now = Date.UTC(2026, 0, 1);
const day = 86_400_000;
const scopes = ["user:ann", "user:bob", "team:north"] as const satisfies readonly ScopeText[];
const wanted = { field: "tags", operator: "contains", value: "wanted" } as const;

const scope = fc.constantFrom("user:ann", "user:ann", ...scopes);
const tags = fc.constantFrom<readonly string[]>(["wanted"], ["wanted"], []);
const instant = fc.integer({ min: -4, max: 2 }).map((days) => now + days * day);

/** A memory of one of two places in a session, or of none. */
const remembered = fc.record({
  kind: fc.constantFrom("turn", "turn", "capture", "capture", "correction", "other"),
  scope,
  position: fc.nat({ max: 1 }),
  tags,
  validTo: fc.option(instant, { nil: undefined }),
  expiresAt: fc.constantFrom(undefined, undefined, now + day),
  /** Which of them took its place, by its number. */
  by: fc.option(fc.nat({ max: 11 }), { nil: undefined }),
  isForgotten: fc.constantFrom(false, false, false, true),
});

type Remembered = typeof remembered extends fc.Arbitrary<infer Value> ? Value : never;

function inputOf({ kind, scope: of, position, tags: named, expiresAt }: Remembered, number: number): RememberInput {
  const provenance = { sourceId: "conversation:s-1", kind: "conversation", position } as const;
  return {
    text: `We talked about the garden, number${number}.`,
    scope: of,
    tags: named,
    createdAt: now - 10 * day + number,
    expiresAt,
    ...(kind === "other" ? {} : { provenance }),
    ...(kind === "capture" || kind === "correction" ? { origin: kind } : {}),
  };
}

/** Who asks, and for what. */
interface Asked {
  readonly scopes: readonly ScopeText[];
  readonly isFiltered: boolean;
  readonly evaluationTime: number;
  readonly validAt?: number | undefined;
}

function isVisible({ scope: of, tags: named, state, expiresAt }: Memory, asked: Asked): boolean {
  return (
    state === "active" &&
    asked.scopes.includes(formatScope(of)) &&
    (!asked.isFiltered || named.includes("wanted")) &&
    (expiresAt === undefined || expiresAt > asked.evaluationTime)
  );
}

function holds(memory: Memory, asked: Asked): boolean {
  const { validAt, evaluationTime } = asked;
  const isReplaced = memory.supersededBy !== undefined && validAt === undefined;
  return isVisible(memory, asked) && !isReplaced && heldAt(memory, validAt ?? evaluationTime);
}

/** What a turn is to be marked with, read off all that there is. */
function markOf(turn: Memory, all: ReadonlyMap<MemoryId, Memory>, asked: Asked): OutdatedMark | undefined {
  const closed = [...all.values()].filter(
    (one) =>
      (one.origin === "capture" || one.origin === "correction") &&
      formatScope(one.scope) === formatScope(turn.scope) &&
      one.provenance?.position === turn.provenance?.position &&
      isVisible(one, asked) &&
      one.validTo !== undefined &&
      one.validTo <= (asked.validAt ?? asked.evaluationTime),
  );
  if (closed.length === 0) return undefined;
  const replacedBy = closed.flatMap(({ supersededBy }) => {
    for (let id = supersededBy, steps = 0; id !== undefined && steps < 20; steps++) {
      const one = all.get(id);
      if (one !== undefined && holds(one, asked)) return [id];
      id = one?.supersededBy;
    }
    return [];
  });
  return { since: Math.min(...closed.map(({ validTo }) => validTo!)), isInPart: true, replacedBy };
}

test("a hit is marked by all that the caller may see, and by nothing else", async () => {
  await using opened = await TestEngine.open();
  let number = 0;
  const asking = fc.record({
    scopes: fc.uniqueArray(scope, { minLength: 2 }),
    isFiltered: fc.boolean(),
    evaluationTime: instant,
    validAt: fc.option(instant, { nil: undefined, freq: 3 }),
  });
  let marked = 0;
  let named = 0;
  const property = fc.asyncProperty(
    fc.array(remembered, { minLength: 6, maxLength: 12 }),
    asking,
    async (given, asked) => {
      // A tenant of its own each time; the same is known of another one, to which nothing of it belongs.
      const tenant = tenantId(`garden-${++number}`);
      const loci = opened.as({ tenant });
      const inputs = given.map(inputOf);
      const made = inputs.length === 0 ? [] : await loci.memories.rememberMany(inputs);
      for (const [index, { validTo, by }] of given.entries()) {
        const [memory, newer] = [made[index]!, by === undefined ? undefined : made[by]];
        const supersededBy = validTo === undefined || newer?.id === memory.id ? undefined : newer?.id;
        const isClosed = validTo !== undefined && given[index]!.kind !== "turn";
        if (isClosed) await loci.memories.update(memory.id, { validTo, supersededBy }, { etag: memory.etag });
      }
      for (const [index, { isForgotten }] of given.entries())
        if (isForgotten) await loci.memories.forget(made[index]!.id);
      const { memories } = await loci.memories.list({
        scopes: [...scopes],
        pageSize: 100,
        evaluationTime: 0,
        states: ["active", "deleted"],
      });
      const all = new Map(memories.map((memory) => [memory.id, memory]));
      const reader = opened.as({ tenant, scopePatterns: asked.scopes });
      const { hits } = await reader.recall({
        query: "What about the garden?",
        scopes: asked.scopes,
        where: asked.isFiltered ? wanted : undefined,
        evaluationTime: asked.evaluationTime,
        validAt: asked.validAt,
        relevanceFloor: 0,
        limit: 100,
      });
      for (const { memory, outdated } of hits) {
        const isTurn = memory.origin === "manual" && memory.provenance !== undefined;
        const expected = isTurn ? markOf(memory, all, asked) : undefined;
        expect(outdated && { ...outdated, replacedBy: [...outdated.replacedBy].toSorted() }).toEqual(
          expected && { ...expected, replacedBy: [...new Set(expected.replacedBy)].toSorted() },
        );
        marked += outdated === undefined ? 0 : 1;
        named += outdated?.replacedBy.length ?? 0;
        for (const id of outdated?.replacedBy ?? []) {
          const at = hits.findIndex((hit) => hit.memory.id === id);
          const turn = hits.findIndex((hit) => hit.memory.id === memory.id);
          const isTurnToo = at >= 0 && hits[at]!.outdated !== undefined;
          expect(isTurnToo || at < turn).toBe(true);
        }
      }
    },
  );
  await fc.assert(property, { seed: 11, numRuns: 300 });
  // The property says something only where there are marks.
  expect(marked).toBeGreaterThan(40);
  expect(named).toBeGreaterThan(10);
});

async function talked(opened: TestEngine, turns: number): Promise<void> {
  await opened.loci.memories.rememberConversation({
    session: "s-1",
    scope: "user:ann",
    turns: Array.from({ length: turns }, (_, number) => ({
      id: String(number),
      speaker: "Ann",
      content: `The garden of house number${number} has roses.`,
      at: now - day + number,
    })),
  });
  await opened.loci.settled();
}

test("a context that is filled by two searches looks each turn up once", async () => {
  await using opened = await TestEngine.open();
  await talked(opened, 300);
  const atPositions = vi.spyOn(opened.ledger, "atPositions");
  const search = vi.spyOn(opened.textIndex, "search");
  const { receipt } = await opened.loci.assemble({
    model: "gpt-4o",
    query: "Which garden has roses?",
    recall: { scopes: ["user:ann"] },
    evaluationTime: now,
  });
  expect(receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome !== "dropped")).toHaveLength(300);
  expect(search.mock.calls.length).toBeGreaterThan(2);
  // Neighbours are looked for by the places beside the turns, which are not known: only marks leave something out.
  const places = atPositions.mock.calls.flatMap(([, , asked]) => asked).filter(({ besides }) => besides !== undefined);
  expect(places).toHaveLength(300);
  expect(new Set(places.map(({ besides }) => besides)).size).toBe(300);
});

test("where no turn is found nothing is looked up", async () => {
  await using opened = await TestEngine.open();
  await opened.loci.memories.remember({ text: "The garden has roses.", scope: "user:ann" });
  await opened.loci.settled();
  const atPositions = vi.spyOn(opened.ledger, "atPositions");
  const { hits } = await opened.loci.recall({ query: "Which garden has roses?", scopes: ["user:ann"] });
  expect(hits).toHaveLength(1);
  expect(atPositions).not.toHaveBeenCalled();
});

test("a cancelled recall does not wait for its marks", async () => {
  await using opened = await TestEngine.open();
  await talked(opened, 1);
  const atPositions = opened.ledger.atPositions.bind(opened.ledger);
  const stopped = new AbortController();
  vi.spyOn(opened.ledger, "atPositions").mockImplementation(async (tenant, scopesOf, places, call) => {
    if (places.some(({ besides }) => besides !== undefined)) stopped.abort();
    return atPositions(tenant, scopesOf, places, call);
  });
  const asked = { query: "Which garden has roses?", scopes: ["user:ann"] } as const;
  await expect(opened.loci.recall(asked, { signal: stopped.signal })).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(stopped.signal.aborted).toBe(true);
});
