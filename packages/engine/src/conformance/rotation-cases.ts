import assert from "node:assert/strict";
import type { Loci, RecallRequest, RecallResult } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const hour = 3_600_000;
const query = "When do deploys happen?";
const [one, two] = ["one", "two"].map((session) => ({ owner: "alice", session })) as [Rotation, Rotation];
type Rotation = NonNullable<RecallRequest["rotation"]>;

/** How stale the best hit is. Asked with `explain`, which leaves no mark. */
async function staleness(loci: Loci, request: Partial<RecallRequest> = {}): Promise<number | undefined> {
  const { hits } = await loci.recall({ query, scopes: [scope], rotation: two, explain: true, ...request });
  return hits[0]?.parts.stale;
}

async function shown(loci: Loci, request: Partial<RecallRequest> = {}): Promise<RecallResult> {
  const result = await loci.recall({ query, scopes: [scope], rotation: one, ...request });
  assert.equal(result.hits.length, 1);
  return result;
}

export const rotationCases: BehaviourFile = {
  covers: ["recall"],
  cases: [
    {
      name: "what one session was shown gives way in the owner's other sessions, and only there",
      run: async ({ loci, as }) => {
        await loci.memories.remember({ text: "Deploys happen on Thursdays.", scope });
        assert.equal(await staleness(loci), 1);
        await shown(loci);
        for (const _ of ["before it is written", "after it is written"]) {
          assert.equal(await staleness(loci), 0.5);
          assert.equal(await staleness(loci, { rotation: one }), 1);
          assert.equal(await staleness(loci, { rotation: { ...two, owner: "bob" } }), 1);
          assert.equal(await staleness(loci, { rotation: undefined }), 1);
          await loci.settled();
        }
        const other = await as({ tenant: "other" as never });
        await other.memories.remember({ text: "Deploys happen on Thursdays.", scope });
        assert.equal(await staleness(other), 1);
      },
    },
    {
      name: "a mark counts for its window, exclusive, and for the factor of the call",
      run: async ({ loci }) => {
        await loci.memories.remember({ text: "Deploys happen on Thursdays.", scope });
        const { evaluationTime: at } = await shown(loci);
        assert.equal(await staleness(loci, { evaluationTime: at + hour - 1 }), 0.5);
        assert.equal(await staleness(loci, { evaluationTime: at + hour }), 1);
        assert.equal(await staleness(loci, { evaluationTime: at - 24 * hour }), 0.5);
        const shorter = { staleWindowMilliseconds: 1000, staleFactor: 0.25 };
        assert.equal(await staleness(loci, { profile: shorter, evaluationTime: at + 999 }), 0.25);
        assert.equal(await staleness(loci, { profile: shorter, evaluationTime: at + 1000 }), 1);
        // The mark of a later time counts.
        await shown(loci, { evaluationTime: at + 10 * hour, recordUsage: "kept" });
        await loci.settled();
        await shown(loci, { evaluationTime: at + 5 * hour, recordUsage: "kept" });
        assert.equal(await staleness(loci, { evaluationTime: at + 11 * hour - 1 }), 0.5);
        assert.equal(await staleness(loci, { evaluationTime: at + 11 * hour }), 1);
      },
    },
    {
      name: "a session can rotate its own memories, but not those that its window holds",
      run: async ({ loci }) => {
        const { id } = await loci.memories.remember({ text: "Deploys happen on Thursdays.", scope });
        await shown(loci);
        assert.equal(await staleness(loci, { rotation: { ...one, key: "session" } }), 0.5);
        assert.equal(await staleness(loci, { rotation: { ...two, key: "session" } }), 1);
        assert.equal(await staleness(loci, { rotation: { ...one, key: "session", inWindow: [id] } }), 1);
        assert.equal(await staleness(loci, { rotation: { ...two, inWindow: [id] } }), 1);
        assert.equal(await staleness(loci, { rotation: { ...two, key: "off" } }), 1);
      },
    },
    {
      name: "looking leaves no mark",
      run: async ({ loci }) => {
        await loci.memories.remember({ text: "Deploys happen on Thursdays.", scope });
        const now = Date.now();
        for (const request of [
          { explain: true },
          { recordUsage: "none" },
          { evaluationTime: now },
          { knownAt: now + hour },
          { rotation: { ...one, key: "off" } },
          { rotation: undefined },
        ] as const)
          await shown(loci, request);
        const context = { query, recall: { scopes: [scope] as const, rotation: one } };
        await loci.assemble({ ...context, recordUsage: "none" });
        await loci.assemble({ ...context, explain: true });
        await loci.assemble({ ...context, evaluationTime: now });
        await loci.settled();
        assert.equal(await staleness(loci), 1);
        // What was known at a time does not go by what was shown since.
        await shown(loci);
        assert.equal(await staleness(loci, { knownAt: now + hour }), 1);
        assert.equal(await staleness(loci), 0.5);
      },
    },
    {
      name: "an assembly marks what it kept, and lets the unseen go first in another session",
      run: async ({ loci }) => {
        const texts = ["Deploys happen on Thursdays, always.", "Deploys happen with two people watching."];
        await loci.memories.rememberMany(texts.map((text) => ({ text, scope })));
        const assembled = async (rotation: Rotation): Promise<readonly string[]> => {
          const { receipt, text } = await loci.assemble({ query, recall: { scopes: [scope], rotation, limit: 1 } });
          assert.equal(receipt.items.filter(({ kind }) => kind === "memory").length, 1);
          return texts.filter((one) => text.includes(one));
        };
        const first = await assembled(one);
        assert.deepEqual(await assembled(one), first);
        const second = await assembled(two);
        assert.notDeepEqual(second, first);
        assert.deepEqual(await assembled(two), second);
      },
    },
    {
      name: "rotation refuses bad input, naming the field",
      run: async ({ loci }) => {
        const bad: readonly (readonly [object, Parameters<typeof refuses>[1], string])[] = [
          [{ owner: "" }, "INVALID_IDENTIFIER", "rotation.owner"],
          [{ owner: "a\u0000" }, "INVALID_IDENTIFIER", "rotation.owner"],
          [{ session: "x".repeat(201) }, "INVALID_IDENTIFIER", "rotation.session"],
          [{ key: "tenant" }, "INVALID_REQUEST", "rotation.key"],
          [{ keys: "owner" }, "INVALID_REQUEST", "rotation.keys"],
          [{ inWindow: ["x' OR 1=1 --"] }, "INVALID_IDENTIFIER", "id"],
        ];
        for (const [fields, reason, field] of bad)
          await refuses(loci.recall({ query, scopes: [scope], rotation: { ...one, ...fields } }), reason, field);
        const profile = { staleWindowMilliseconds: 31 * 24 * hour };
        await refuses(
          loci.recall({ query, scopes: [scope], profile }),
          "INVALID_CONFIGURATION",
          "profile.staleWindowMilliseconds",
        );
      },
    },
  ],
};
