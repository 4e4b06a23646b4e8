// Whatever a tenant holds, what was exported and imported answers the same as where it came from.
import { exportedTypes, type Loci, LociError, roles, type ScopeText, tenantId, type TurnInput } from "@loci/domain";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tenantAnswers } from "../../src/conformance/tenant-answers.ts";
import { TestEngine } from "../support/test-engine.ts";

const runs = Number(process.env["LOCI_PROPERTY_RUNS"] ?? 25);
const owners: readonly ScopeText[] = ["user:alice", "user:bob"];
const scopes: readonly ScopeText[] = [...owners, "project:atlas", "global"];
const sayings = [
  "I live in Oslo.",
  "I moved to Bergen, so I no longer live in Oslo.",
  "I work at Corvid as a nurse",
  "I quit Corvid and work at Heron now.",
  "please never call me before noon",
  "My sister is called Ada.",
  "I prefer window seats",
  "what's the weather like?",
  "We decided to deploy Atlas on Thursday.",
  "Thanks!",
];

let opened: TestEngine;
beforeAll(async () => {
  opened = await TestEngine.open();
});
afterAll(() => opened[Symbol.asyncDispose]());

/** One thing that happens to a tenant; numbers choose what it happens to. */
type Step = readonly [kind: (typeof kinds)[number], first: number, second: number];
const kinds = [
  "remember",
  "change",
  "forget",
  "write",
  "propose",
  "decide",
  "drop",
  "talk",
  "close",
  "state",
  "capture",
  "undo",
  "learn",
] as const;

const steps = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(99), fc.nat(99)), {
  minLength: 15,
  maxLength: 45,
  size: "max",
});
/** What each tenant begins with, so that what follows has something to happen to. */
const beginning: readonly Step[] = [
  ["write", 0, 0],
  ["write", 1, 0],
  ["talk", 0, 0],
  ["talk", 1, 2],
];

async function perform(loci: Loci, [kind, first, second]: Step): Promise<void> {
  const scope = scopes[first % scopes.length] ?? "global";
  const owner = owners[first % owners.length] ?? "user:alice";
  const label = ["human", "persona", "core_memory"][second % 3] ?? "human";
  const session = { scope: owner, id: `s-${second % 2}` } as const;
  const saying = sayings[second % sayings.length] ?? "";
  const { memories } = await loci.memories.list({ scopes, pageSize: 1_000 });
  const memory = memories[first % Math.max(1, memories.length)];
  switch (kind) {
    case "remember":
      await loci.memories.remember({
        text: saying,
        scope,
        tags: second % 2 === 0 ? ["said"] : [],
        ...(second % 3 === 0 ? { key: `k-${first % 4}` } : {}),
        ...(second % 5 === 0 ? { slot: "city", validFrom: opened.now - 5_000, validTo: opened.now + first } : {}),
        metadata: { number: first },
      });
      return;
    case "change":
      if (memory !== undefined)
        await loci.memories.update(
          memory.id,
          { tags: [`t-${second}`], isPinned: second % 7 === 0 },
          { etag: memory.etag },
        );
      return;
    case "forget":
      if (memory !== undefined) await loci.memories.forget(memory.id);
      return;
    case "write":
      await write(loci, owner, label, second);
      return;
    case "propose":
      await loci.blocks.propose({
        owner,
        label: "human",
        operations: [{ op: second % 2 === 0 ? "append" : "remove", field: "facts", value: sayings[first % 5] ?? "" }],
      });
      return;
    case "decide": {
      const [edit] = (await loci.blocks.listEdits({ owner })).edits;
      if (edit === undefined) return;
      const { preview } = await loci.blocks.getEdit({ id: edit.id });
      if (second % 3 === 0 || preview === undefined) await loci.blocks.reject(edit.id);
      else await loci.blocks.approve({ id: edit.id, ...pick(preview) });
      return;
    }
    case "drop":
      await loci.blocks.delete({ owner, label });
      return;
    case "talk":
      await talk(loci, session, [saying, sayings[first % sayings.length] ?? ""]);
      return;
    case "close":
      await (second % 2 === 0 ? loci.sessions.close(session) : loci.sessions.reopen(session));
      return;
    case "state":
      await loci.sessions.turnState.recordDecision(session, { decision: saying, rationale: "because" });
      return;
    case "capture":
      await loci.captures.wait((await loci.captures.start({ session })).id);
      return;
    case "undo": {
      const { captures } = await loci.captures.list({ session });
      await loci.captures.undo(captures[first % captures.length]?.id ?? "");
      return;
    }
    case "learn":
      await loci.captures.recordPostMortem({ scope, failure: saying, lesson: "Ask before you deploy." });
  }
}

function pick({ baseVersion, contentHash }: { baseVersion: number; contentHash: string }): {
  baseVersion: number;
  contentHash: string;
} {
  return { baseVersion, contentHash };
}

async function write(loci: Loci, owner: ScopeText, label: string, number: number): Promise<void> {
  const block = (await loci.blocks.list({ owner })).find((known) => known.label === label);
  if (label === "human" && block !== undefined) {
    const value = sayings[number % sayings.length] ?? "";
    await loci.blocks.update(
      { owner, label },
      { operations: [{ op: "append", field: "facts", value }], reason: `Because of ${number}` },
      { etag: block.etag },
    );
  } else if (label === "human") await loci.blocks.create({ owner, label, values: { name: `Ann ${number}` } });
  else if (label === "persona" && block === undefined)
    await loci.blocks.create({ owner, label, values: { role: `guide ${number}` }, description: "who answers" });
  else if (block === undefined) await loci.blocks.create({ owner, label, policy: "auto" });
}

async function talk(loci: Loci, key: { scope: ScopeText; id: string }, said: readonly string[]): Promise<void> {
  const known = await loci.sessions.get(key).catch(() => undefined);
  const { lastTurn } = known ?? (await loci.sessions.create({ ...key, capture: "off", project: "atlas" }));
  const turns: TurnInput[] = said.flatMap((content) => [
    { role: "user", content, at: opened.now },
    { role: "assistant", content: "Noted.", at: opened.now + 1 },
  ]);
  await loci.sessions.append(key, { expectedLast: lastTurn, turns });
}

let tenants = 0;
/** How many lines there were of each type. */
const seen = new Map<string, number>();

test(
  `${runs} random tenants answer the same once they were exported and imported, in pieces and in any order`,
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 3, max: 200 }), fc.boolean(), async (taken, atOnce, isShuffled) => {
        const name = `t${++tenants}`;
        const admin = (tenant: string): Loci => opened.as({ tenant: tenantId(tenant), roles, subject: "operator" });
        const from = admin(name);
        for (const step of [...beginning, ...taken]) {
          opened.now += 1_000;
          try {
            await perform(from, step);
          } catch (error) {
            // It does not apply to what is there.
            if (!LociError.is(error)) throw error;
          }
        }
        await from.settled();
        const lines: string[] = [];
        for await (const { type, line } of from.maintenance.exportRecords()) {
          lines.push(line);
          seen.set(type, (seen.get(type) ?? 0) + 1);
        }
        const to = admin(`${name}-copy`);
        for (let first = 0; first < lines.length; first += atOnce) {
          const some = lines.slice(first, first + atOnce);
          const { leftOut } = await to.maintenance.importRecords(isShuffled ? some.toReversed() : some);
          expect(leftOut).toBeUndefined();
        }
        await to.settled();
        const answers = await tenantAnswers(from, scopes, owners);
        expect(await tenantAnswers(to, scopes, owners)).toEqual(answers);
        const head = await opened.ledger.head(tenantId(`${name}-copy`));
        for (let first = 0; first < lines.length; first += atOnce)
          await to.maintenance.importRecords(lines.slice(first, first + atOnce));
        expect(await opened.ledger.head(tenantId(`${name}-copy`))).toBe(head);
      }),
      { numRuns: runs, endOnFailure: true },
    );
    // What was compared was something.
    for (const type of exportedTypes.filter((each) => each !== "blockSchema"))
      expect([type, (seen.get(type) ?? 0) > 0]).toEqual([type, true]);
  },
  60_000 + runs * 2_000,
);
