import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { Loci, Memory, MemoryId, RecallRequest } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const day = 86_400_000;
const nobody = "01a21c80-1183-74b7-b713-a020a14aea24" as MemoryId;
const query = "When do deploys happen?";

async function reasonsOf(
  loci: Loci,
  also: readonly MemoryId[],
  request: Partial<RecallRequest> = {},
): Promise<readonly (string | undefined)[]> {
  const { accounts = [] } = await loci.recall({ query, scopes: [scope], explain: true, also, ...request });
  assert.deepEqual(
    accounts.map(({ id }) => id),
    [...new Set(also)],
  );
  return accounts.map(({ reason }) => reason);
}

/** As long as the ledger's clock stands at the time of the version, something else may be recorded then. */
async function recorded({ recordedAt }: Memory): Promise<number> {
  while (Date.now() <= recordedAt) await setTimeout(1);
  return recordedAt;
}

export const accountCases: BehaviourFile = {
  covers: ["recall"],
  cases: [
    {
      name: "a recall accounts for memories that it is asked about: hits, dropped ones and what was never a candidate",
      run: async ({ loci }) => {
        const now = Date.now();
        const [hit, unlike, expired, other, forgotten, decision] = await loci.memories.rememberMany([
          { text: "Deploys happen on Tuesdays.", scope },
          { text: "The cat sleeps below the piano.", scope },
          { text: "Deploys happen twice this week.", scope, expiresAt: now + 1 },
          { text: "Deploys of Bob happen on Mondays.", scope: "user:bob" },
          { text: "Deploys happened on Sundays.", scope },
          { text: "Deploys happen after the tests.", scope, category: "decision" },
        ]);
        assert.ok(hit && unlike && expired && other && forgotten && decision);
        await loci.memories.forget(forgotten.id);
        const also = [hit.id, unlike.id, expired.id, other.id, forgotten.id, nobody, hit.id];
        const asked = { query, scopes: [scope], explain: true, also, evaluationTime: now + day } as const;
        const result = await loci.recall(asked);
        const { accounts = [], hits, dropped } = result;
        assert.deepEqual(
          accounts.map(({ id, reason }) => [id, reason]),
          [
            [hit.id, undefined],
            [unlike.id, "BELOW_RELEVANCE_FLOOR"],
            [expired.id, "EXPIRED"],
            [other.id, "OTHER_SCOPE"],
            [forgotten.id, "DELETED"],
            [nobody, "OTHER_SCOPE"],
          ],
        );
        const [ofHit, ofUnlike, ofExpired] = accounts;
        const found = hits.find(({ memory }) => memory.id === hit.id);
        assert.deepEqual([ofHit?.score, ofHit?.parts], [found?.score, found?.parts]);
        const { rank, ...candidate } = ofUnlike ?? {};
        assert.deepEqual(
          candidate,
          dropped.find(({ id }) => id === unlike.id),
        );
        assert.ok(ofUnlike?.closeness !== undefined && ofUnlike.floor !== undefined);
        assert.ok(ofUnlike.closeness < ofUnlike.floor);
        const scored = [...hits.map(({ score }) => score), ...dropped.flatMap(({ score }) => score ?? [])];
        assert.equal(rank, 1 + scored.filter((score) => score > (ofUnlike.score ?? 0)).length);
        assert.deepEqual([ofExpired?.score, ofExpired?.rank], [undefined, undefined]);

        await loci.settled();
        const { timings: _, ...settled } = await loci.recall(asked);
        const { timings: __, ...before } = result;
        assert.deepEqual(settled, before);
        const { accounts: ___, ...unasked } = before;
        const { timings: ____, ...without } = await loci.recall({ ...asked, also: undefined });
        assert.deepEqual(without, unasked);
      },
    },
    {
      name: "a recall tells what it was asked to leave out from what it did not find",
      run: async ({ loci }) => {
        const [decision, fact] = await loci.memories.rememberMany([
          { text: "Deploys happen after the tests.", scope, category: "decision" },
          { text: "Deploys happen on Tuesdays.", scope },
        ]);
        assert.ok(decision && fact);
        const also = [decision.id, fact.id];
        assert.deepEqual(await reasonsOf(loci, also, { categories: ["fact"] }), ["FILTERED_OUT", undefined]);
        const where = { field: "category", operator: "equals", value: "decision" } as const;
        assert.deepEqual(await reasonsOf(loci, also, { where }), [undefined, "FILTERED_OUT"]);
        // One that is both: no procedures are looked for.
        const procedure = await loci.memories.remember({
          text: "Deploys need two people.",
          scope,
          category: "procedure",
        });
        assert.deepEqual(await reasonsOf(loci, [procedure.id], { procedureLimit: 0 }), ["NOT_A_CANDIDATE"]);
      },
    },
    {
      name: "a recall of the past tells what had not been recorded then",
      run: async ({ loci }) => {
        const first = await loci.memories.remember({ text: "Deploys happen on Tuesdays.", scope });
        const atFirst = await recorded(first);
        const second = await loci.memories.remember({ text: "Deploys of the web site happen on Fridays.", scope });
        const foreign = await loci.memories.remember({ text: "Deploys happen at night.", scope: "user:bob" });
        const atSecond = await recorded(foreign);
        await loci.memories.forget(first.id);
        const also = [first.id, second.id, foreign.id];
        const known = (knownAt?: number): ReturnType<typeof reasonsOf> => reasonsOf(loci, also, { knownAt });
        assert.deepEqual(await known(atFirst - 1), ["NOT_RECORDED_THEN", "NOT_RECORDED_THEN", "OTHER_SCOPE"]);
        assert.deepEqual(await known(atFirst), [undefined, "NOT_RECORDED_THEN", "OTHER_SCOPE"]);
        assert.deepEqual(await known(atSecond), [undefined, undefined, "OTHER_SCOPE"]);
        assert.deepEqual(await known(), ["DELETED", undefined, "OTHER_SCOPE"]);
      },
    },
    {
      name: "a recall tells nobody of memories that he may not read",
      run: async ({ loci, as }) => {
        const foreign = await loci.memories.remember({ text: "Deploys happen on Tuesdays.", scope: "user:bob" });
        const failure = "The deploy failed on a Friday.";
        const waiting = await loci.captures.recordPostMortem({ scope, failure, lesson: "Deploy on weekdays only." });
        assert.deepEqual(await reasonsOf(loci, [waiting.id]), ["OTHER_SCOPE"]);
        const approver = await as({ roles: ["read", "approve"] });
        assert.deepEqual(await reasonsOf(approver, [waiting.id]), ["NOT_ACTIVE"]);
        const alice = await as({ scopePatterns: ["user:alice"] });
        const elsewhere = await as({ tenant: "acme-corp" as never });
        for (const request of [{}, { knownAt: Date.now() + day }, { fallback: "recent" }] as const) {
          const [ofForeign, ofNobody] = await Promise.all(
            [foreign.id, nobody].map((id) => reasonsOf(alice, [id], request)),
          );
          assert.deepEqual(ofForeign, ofNobody);
          assert.deepEqual(ofForeign, ["OTHER_SCOPE"]);
          assert.deepEqual(await reasonsOf(elsewhere, [foreign.id, waiting.id], request), [
            "OTHER_SCOPE",
            "OTHER_SCOPE",
          ]);
        }
      },
    },
    {
      name: "a recall that explains names the profile in force, and one that does not accounts for nothing",
      run: async ({ loci }) => {
        const ask = { query, scopes: [scope], explain: true } as const;
        const { profile: balanced } = await loci.recall(ask);
        assert.ok(balanced !== undefined);
        assert.equal(balanced.combination, "product");
        const { profile } = await loci.recall({
          ...ask,
          profile: { recencyHalfLifeHours: 5, weights: { recency: 0 } },
        });
        const weights = { ...balanced.weights, recency: 0 };
        assert.deepEqual(profile, { ...balanced, recencyHalfLifeHours: 5, weights });
        const quiet = await loci.recall({ query, scopes: [scope] });
        assert.ok(!("profile" in quiet) && !("accounts" in quiet));
        await refuses(loci.recall({ query, scopes: [scope], also: [nobody] }), "INVALID_REQUEST", "also");
        const many = Array.from({ length: 21 }, () => nobody);
        await refuses(loci.recall({ ...ask, also: many }), "INVALID_REQUEST", "also");
        await refuses(loci.recall({ ...ask, also: ["' OR 1=1 --" as MemoryId] }), "INVALID_IDENTIFIER", "id");
        await refuses(loci.recall({ ...ask, also: [5 as never] }), "INVALID_IDENTIFIER", "id");
        await refuses(loci.recall({ ...ask, also: "all" as never }), "INVALID_REQUEST", "also");
      },
    },
  ],
};
