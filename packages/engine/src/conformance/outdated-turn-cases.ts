import assert from "node:assert/strict";
import type { Loci, OutdatedMark, RecallRequest } from "@loci/domain";
import type { BehaviourFile } from "./behaviour-case.ts";
import { at, captured, key, memoriesOf, scope, talk, turnsOf } from "./spoken-sessions.ts";

/** What every Loci says, in a recall and in a context, of turns of which something is over. */
export const outdatedTurnCases: BehaviourFile = {
  covers: ["assemble", "recall"],
  cases: [
    {
      name: "a turn says in a context that something of it is over, until that is undone",
      run: async ({ loci }) => {
        await loci.sessions.create({ ...key, capture: "off", rememberTurns: true });
        await loci.sessions.append(key, { expectedLast: 0, turns: turnsOf("user: I work at Corvid as a nurse") });
        await captured(loci);
        const marked = async (): Promise<OutdatedMark | undefined> => {
          const { hits } = await loci.recall({
            query: "Where do I work?",
            scopes: [scope],
            evaluationTime: at + 90_000_000,
          });
          return hits.find(({ text }) => text.startsWith("user: I work at Corvid"))?.outdated;
        };
        const shown = async (): Promise<string> => {
          const asked = { query: "Where do I work?", evaluationTime: at + 90_000_000, memoryDates: true } as const;
          const { text } = await loci.assemble({ ...asked, recall: { scopes: [scope] } });
          return text;
        };
        assert.match(await shown(), /<memory source="conversation:s-1"[^>]*>\nuser: I work at Corvid/u);
        assert.doesNotMatch(await shown(), /outdated/u);
        assert.equal(await marked(), undefined);
        const later = turnsOf("user: I work at Lumen now").map((turn) => ({ ...turn, at: at + 86_400_000 }));
        await talk(loci, "s-2", later);
        const job = await captured(loci, "s-2");
        const text = await shown();
        assert.match(text, / outdated="in part since 2026-01-02">\nuser: I work at Corvid/u);
        assert.ok(text.indexOf("at Lumen") < text.indexOf("at Corvid"));
        const newer = (await memoriesOf(loci)).find(
          ({ origin, text: told }) => origin === "capture" && /Lumen/u.test(told),
        );
        assert.ok(newer);
        assert.deepEqual(await marked(), { since: at + 86_400_000, isInPart: true, replacedBy: [newer.id] });
        await loci.captures.undo(job.id);
        assert.doesNotMatch(await shown(), /outdated/u);
        assert.equal(await marked(), undefined);
      },
    },
    {
      name: "what holds in the place of something that a shown turn says is shown, whether it was found or not, and no more than are wanted",
      run: async ({ loci }) => {
        await loci.sessions.create({ ...key, capture: "off", rememberTurns: true });
        await loci.sessions.append(key, { expectedLast: 0, turns: turnsOf("user: I work at Corvid as a nurse") });
        await captured(loci);
        const [first] = (await memoriesOf(loci)).filter(({ origin }) => origin === "capture");
        const [second, third] = await loci.memories.rememberMany([
          { text: "Days at the clinic.", scope, createdAt: at + 1 },
          { text: "Nights in Tromso.", scope, createdAt: at + 2 },
        ]);
        assert.ok(first && second && third);
        const closed = { validTo: at + 1 };
        await loci.memories.update(first.id, { ...closed, supersededBy: second.id }, { etag: first.etag });
        await loci.memories.update(second.id, { validTo: at + 2, supersededBy: third.id }, { etag: second.etag });
        const query = "Corvid";
        const recall = { scopes: [scope], relevanceFloor: 0.5 } as const;
        const { hits } = await loci.recall({ query, ...recall });
        assert.deepEqual(
          hits.map(({ memory, outdated }) => [memory.provenance?.position, outdated]),
          [[0, { since: at + 1, isInPart: true, replacedBy: [third.id] }]],
        );
        // At a time at which the one between held, it held instead.
        const between = await loci.recall({ query, ...recall, validAt: at + 1 });
        assert.deepEqual(
          between.hits.map(({ outdated }) => outdated?.replacedBy),
          [[second.id]],
        );
        const before = await loci.recall({ query, ...recall, validAt: at });
        assert.ok(before.hits.length > 0 && before.hits.every(({ outdated }) => outdated === undefined));
        const { text } = await loci.assemble({ query, recall });
        assert.ok(text.indexOf("Nights in Tromso.") < text.indexOf("at Corvid"));
        assert.ok(text.includes("Tromso") && !text.includes("clinic"));
        const one = await loci.assemble({ query, recall: { ...recall, limit: 1 } });
        assert.ok(one.text.includes("at Corvid") && !one.text.includes("Tromso"));
        const known = await loci.memories.get(third.id);
        await loci.memories.forget(third.id, { etag: known.etag });
        const without = await loci.assemble({ query, recall });
        assert.ok(without.text.includes(' outdated="in part">') && !without.text.includes("Tromso"));
        const left = await loci.recall({ query, ...recall });
        assert.deepEqual(
          left.hits.map(({ outdated }) => outdated),
          [{ since: at + 1, isInPart: true, replacedBy: [] }],
        );
      },
    },
    {
      name: "a hit whose slot has a newer value says so, and what was found instead stands before a turn",
      run: async ({ loci }) => {
        const [old, newer] = await loci.memories.rememberMany([
          { text: "My favourite editor is Vim.", scope, slot: "editor", createdAt: at },
          { text: "My favourite editor is Zed.", scope, slot: "editor", createdAt: at + 1 },
        ]);
        assert.ok(old && newer);
        const { hits } = await loci.recall({ query: "Which editor is my favourite?", scopes: [scope] });
        assert.deepEqual(
          hits.map(({ memory, outdated }) => [memory.id, outdated]),
          [
            [newer.id, undefined],
            [old.id, { since: at + 1, isInPart: false, replacedBy: [newer.id] }],
          ],
        );
      },
    },
    {
      name: "an older value says so where the newer one is not found, as far as the caller could recall that",
      run: async ({ loci }) => {
        const slot = "editor";
        const [old, newer, newest] = await loci.memories.rememberMany([
          { text: "My favourite editor is Vim.", scope, slot, category: "entity", createdAt: at },
          { text: "Only Zed from the spring on.", scope, slot, createdAt: at + 1, validTo: at + 1_000_000 },
          { text: "Writes in Helix.", scope, slot, createdAt: at + 2, tags: ["tools"], validFrom: at + 500_000 },
          // Another scope is another slot, and what was captured outdates nothing.
          { text: "Emacs, of all things.", scope: "team:north", slot, createdAt: at + 3 },
          { text: "Uses Kate at times.", scope, slot, createdAt: at + 4, origin: "capture" },
        ]);
        assert.ok(old && newer && newest);
        const query = "Which editor is my favourite?";
        const categories = ["entity"];
        const evaluationTime = at + 90_000_000;
        const marks = async (request: Partial<RecallRequest> = {}): Promise<readonly unknown[]> => {
          const { hits } = await loci.recall({
            query,
            scopes: [scope, "team:north"],
            categories,
            evaluationTime,
            ...request,
          });
          return hits.map(({ memory, outdated }) => [memory.id, outdated?.since, outdated?.replacedBy]);
        };
        assert.deepEqual(await marks(), [[old.id, at + 500_000, [newest.id]]]);
        assert.deepEqual(await marks({ validAt: at + 100 }), [[old.id, at + 1, [newer.id]]]);
        assert.deepEqual(await marks({ validAt: at }), [[old.id, undefined, undefined]]);
        const where = { not: { field: "tags", operator: "contains", value: "tools" } } as const;
        assert.deepEqual(await marks({ where }), [[old.id, undefined, undefined]]);
        assert.deepEqual(await marks({ knownAt: Date.now() + 1_000_000 }), [[old.id, at + 500_000, [newest.id]]]);
        const { text } = await loci.assemble({ query, evaluationTime, recall: { scopes: [scope], categories } });
        assert.deepEqual([text.includes('outdated="true"'), text.includes("Helix")], [true, false], text);
        await loci.memories.forget(newest.id);
        assert.deepEqual(await marks(), [[old.id, undefined, undefined]]);
      },
    },
    {
      name: "a mark says nothing of what the caller does not ask for",
      run: async ({ loci, as }) => {
        const team = "team:north";
        await loci.memories.rememberConversation({
          session: "s-9",
          scope,
          turns: [{ id: "1", speaker: "Ann", content: "I work at Corvid as a nurse.", at }],
        });
        const provenance = { sourceId: "conversation:s-9", kind: "conversation", position: 0 } as const;
        const [told, instead] = await loci.memories.rememberMany([
          { text: "Works at Corvid.", scope, origin: "capture", provenance, createdAt: at, tags: ["work"] },
          { text: "Works at Lumen.", scope: team, createdAt: at + 1, tags: ["work"] },
        ]);
        assert.ok(told && instead);
        await loci.memories.update(told.id, { validTo: at + 1, supersededBy: instead.id }, { etag: told.etag });
        const query = "Who works at Corvid?";
        const marks = async (by: Loci, request: Partial<RecallRequest> = {}): Promise<readonly unknown[]> => {
          const { hits } = await by.recall({ query, scopes: [scope], ...request });
          return hits.filter(({ memory }) => memory.provenance !== undefined).map(({ outdated }) => outdated);
        };
        const over = { since: at + 1, isInPart: true };
        const narrow = await as({ scopePatterns: [scope] });
        assert.deepEqual(await marks(narrow), [{ ...over, replacedBy: [] }]);
        assert.deepEqual(await marks(loci), [{ ...over, replacedBy: [] }]);
        assert.deepEqual(await marks(loci, { scopes: [scope, team] }), [{ ...over, replacedBy: [instead.id] }]);
        const where = { not: { field: "tags", operator: "contains", value: "work" } } as const;
        assert.deepEqual(await marks(loci, { scopes: [scope, team], where }), [undefined]);
      },
    },
  ],
};
