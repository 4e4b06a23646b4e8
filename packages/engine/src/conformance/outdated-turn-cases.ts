import assert from "node:assert/strict";
import type { BehaviourFile } from "./behaviour-case.ts";
import { at, captured, key, memoriesOf, scope, talk, turnsOf } from "./spoken-sessions.ts";

/** What every Loci does in a context about turns of which something is over. */
export const outdatedTurnCases: BehaviourFile = {
  covers: ["assemble"],
  cases: [
    {
      name: "a turn says in a context that something of it is over, until that is undone",
      run: async ({ loci }) => {
        await loci.sessions.create({ ...key, capture: "off", rememberTurns: true });
        await loci.sessions.append(key, { expectedLast: 0, turns: turnsOf("user: I work at Corvid as a nurse") });
        await captured(loci);
        const shown = async (): Promise<string> => {
          const asked = { query: "Where do I work?", evaluationTime: at + 90_000_000, memoryDates: true } as const;
          const { text } = await loci.assemble({ ...asked, recall: { scopes: [scope] } });
          return text;
        };
        assert.match(await shown(), /<memory source="conversation:s-1"[^>]*>\nuser: I work at Corvid/u);
        assert.doesNotMatch(await shown(), /outdated/u);
        const later = turnsOf("user: I work at Lumen now").map((turn) => ({ ...turn, at: at + 86_400_000 }));
        await talk(loci, "s-2", later);
        const job = await captured(loci, "s-2");
        const text = await shown();
        assert.match(text, / outdated="in part since 2026-01-02">\nuser: I work at Corvid/u);
        assert.ok(text.indexOf("at Lumen") < text.indexOf("at Corvid"));
        await loci.captures.undo(job.id);
        assert.doesNotMatch(await shown(), /outdated/u);
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
          hits.map(({ memory }) => memory.provenance?.position),
          [0],
        );
        const { text } = await loci.assemble({ query, recall });
        assert.ok(text.indexOf("Nights in Tromso.") < text.indexOf("at Corvid"));
        assert.ok(text.includes("Tromso") && !text.includes("clinic"));
        const one = await loci.assemble({ query, recall: { ...recall, limit: 1 } });
        assert.ok(one.text.includes("at Corvid") && !one.text.includes("Tromso"));
        const known = await loci.memories.get(third.id);
        await loci.memories.forget(third.id, { etag: known.etag });
        const without = await loci.assemble({ query, recall });
        assert.ok(without.text.includes(' outdated="in part">') && !without.text.includes("Tromso"));
      },
    },
  ],
};
