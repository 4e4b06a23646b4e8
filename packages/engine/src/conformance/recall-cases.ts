import assert from "node:assert/strict";
import type { RecallRequest, RecallResult, RememberInput } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const day = 86_400_000;
const now = 1_800_000_000_000;

function texts({ hits }: RecallResult): readonly string[] {
  return hits.map(({ memory }) => memory.text);
}

export const recallCases: BehaviourFile = {
  covers: ["recall"],
  cases: [
    {
      name: "recall finds the right one of two alike: newer, although less used words match",
      run: async ({ loci }) => {
        await loci.memories.rememberMany([
          { text: "The dataset for the research report is survey-2024.", scope, createdAt: now - 60 * day },
          { text: "The dataset for the research brief is survey-2025.", scope, createdAt: now - 3 * day },
          { text: "Lunch is at noon.", scope, createdAt: now },
        ]);
        const result = await loci.recall({
          query: "Where is the dataset for the research brief?",
          scopes: [scope],
          evaluationTime: now,
        });
        assert.equal(result.hits[0]?.memory.text, "The dataset for the research brief is survey-2025.");
        assert.equal(result.evaluationTime, now);
        assert.deepEqual(result.degraded, []);
        assert.equal(result.usedFallback, false);
      },
    },
    {
      name: "recall takes yesterday for the day before in the time zone that it is told, and so does an assembly",
      run: async ({ loci }) => {
        // 08:00 of a Friday in UTC, and still midnight in Los Angeles: what was at 02:00 was yesterday there, and is today's here.
        const early = now - 6 * 3_600_000;
        await loci.memories.rememberMany([
          { text: "Nadia called about the boat.", scope, createdAt: early },
          { text: "Bread was out.", scope, createdAt: early - day },
        ]);
        const ask = { query: "What happened yesterday?", scopes: [scope], evaluationTime: now } as const;
        assert.deepEqual(texts(await loci.recall({ ...ask, limit: 1 })), ["Bread was out."]);
        const there = { ...ask, timeZone: "America/Los_Angeles" };
        assert.deepEqual(texts(await loci.recall({ ...there, limit: 1 })), ["Nadia called about the boat."]);
        const assembling = { query: ask.query, evaluationTime: now, recall: { scopes: [scope], limit: 1 } } as const;
        const { text } = await loci.assemble({ ...assembling, timeZone: "America/Los_Angeles" });
        assert.ok(text.includes("Nadia called") && !text.includes("Bread"));
        const own = { ...assembling.recall, timeZone: "UTC" };
        const { text: ofRecall } = await loci.assemble({ ...assembling, timeZone: "America/Los_Angeles", recall: own });
        assert.ok(ofRecall.includes("Bread") && !ofRecall.includes("Nadia called"));
        await refuses(loci.recall({ ...ask, timeZone: "Mars" }), "INVALID_REQUEST", "timeZone");
        const onMars = { ...assembling.recall, timeZone: "Mars" };
        await refuses(loci.assemble({ ...assembling, recall: onMars }), "INVALID_REQUEST", "recall.timeZone");
      },
    },
    {
      name: "recall is deterministic at one evaluation time, before and after the indexes caught up",
      run: async ({ loci }) => {
        const inputs = Array.from({ length: 40 }, (_, index) => ({
          text: `Note ${index} about ${["deploys", "themes", "lunch", "music"][index % 4]} on day ${index % 7}.`,
          scope: scope as "user:alice",
          createdAt: now - index * day,
          tags: [`tag-${index % 5}`],
        }));
        await loci.memories.rememberMany(inputs);
        const request: RecallRequest = {
          query: "What about deploys and music? On which day?",
          scopes: [scope],
          evaluationTime: now,
          limit: 7,
          explain: true,
        };
        const { timings: _first, ...first } = await loci.recall(request);
        await loci.settled();
        const { timings: _second, ...second } = await loci.recall(request);
        assert.equal(JSON.stringify(second), JSON.stringify(first));
        assert.ok(first.hits.length > 0 && first.hits.length <= 7);
        assert.ok(first.dropped.length > 0);
      },
    },
    {
      name: "recall keeps to scopes, categories and filters",
      run: async ({ loci }) => {
        await loci.memories.rememberMany([
          { text: "The theme is Solarized.", scope, metadata: { area: "editor" } },
          { text: "The theme is Gruvbox.", scope, category: "preference", metadata: { area: "terminal" } },
          { text: "The theme is Nord.", scope: "user:bob" },
          { text: "The theme is Dracula.", scope: "global" },
        ]);
        const found = async (request: Partial<RecallRequest>): Promise<readonly string[]> =>
          texts(await loci.recall({ query: "Which theme?", scopes: [scope], ...request })).toSorted();
        assert.deepEqual(await found({}), ["The theme is Gruvbox.", "The theme is Solarized."]);
        assert.deepEqual(await found({ scopes: ["global", "user:bob"] }), [
          "The theme is Dracula.",
          "The theme is Nord.",
        ]);
        assert.deepEqual(await found({ categories: ["preference"] }), ["The theme is Gruvbox."]);
        const where = { field: "metadata.area", operator: "equals", value: "editor" } as const;
        assert.deepEqual(await found({ where }), ["The theme is Solarized."]);
        assert.deepEqual(await found({ where: { not: where } }), ["The theme is Gruvbox."]);
      },
    },
    {
      name: "recall leaves out what is expired, superseded or not true at the time",
      run: async ({ loci }) => {
        const [old, expired] = await loci.memories.rememberMany([
          { text: "Deploys happen on Tuesdays.", scope, validFrom: now - 10 * day, createdAt: now - 10 * day },
          { text: "Deploys happen twice this week.", scope, expiresAt: now, createdAt: now - day },
        ]);
        const fresh = await loci.memories.remember({
          text: "Deploys happen on Thursdays.",
          scope,
          validFrom: now - 2 * day,
          createdAt: now - 2 * day,
        });
        assert.ok(old !== undefined && expired !== undefined);
        await loci.memories.update(old.id, { validTo: now - 2 * day, supersededBy: fresh.id }, { etag: old.etag });
        const request: RecallRequest = {
          query: "When do deploys happen?",
          scopes: [scope],
          evaluationTime: now,
          explain: true,
        };
        const today = await loci.recall(request);
        assert.deepEqual(texts(today), [fresh.text]);
        assert.deepEqual(
          today.dropped.map(({ id, reason }) => [id, reason]),
          [
            [old.id, "SUPERSEDED"],
            [expired.id, "EXPIRED"],
          ],
        );
        assert.deepEqual(
          texts(await loci.recall({ ...request, validAt: now - 5 * day })).toSorted(),
          ["Deploys happen on Tuesdays.", "Deploys happen twice this week."].slice(0, 1),
        );
      },
    },
    {
      name: "recall finds a procedure by its tag, whatever its text says",
      run: async ({ loci }) => {
        await loci.memories.remember({
          text: "Run the checker first.",
          scope,
          category: "procedure",
          tags: ["article-publication"],
        });
        const { hits } = await loci.recall({ query: "How do I publish this article?", scopes: [scope] });
        assert.deepEqual(
          hits.map(({ memory, foundBy }) => [memory.text, foundBy]),
          [["Run the checker first.", "tag"]],
        );
        assert.ok((hits[0]?.parts.tagBoost ?? 0) > 1);
      },
    },
    {
      name: "recall finds a procedure by its tag among very many, the oldest too",
      run: async ({ loci }) => {
        const other = (index: number): RememberInput => ({
          text: `Procedure ${index} of the manual.`,
          scope,
          category: "procedure",
          tags: [`chapter-${index}`, "deploy"],
          createdAt: now + index,
        });
        await loci.memories.rememberMany(Array.from({ length: 600 }, (_, index) => other(index + 1)));
        await loci.memories.remember({
          text: "Run the checker first.",
          scope,
          category: "procedure",
          tags: ["article-publication"],
          createdAt: now - 400 * day,
        });
        const request: RecallRequest = { query: "How do I publish an article after a deploy?", scopes: [scope] };
        const found = await loci.recall({
          ...request,
          evaluationTime: now + day,
          procedureLimit: 1000,
          maxTokens: 100_000,
        });
        assert.ok(texts(found).includes("Run the checker first."));
        assert.ok(texts(found).includes("Procedure 600 of the manual."));
      },
    },
    {
      name: "recall falls back to the newest only when asked to",
      run: async ({ loci }) => {
        await loci.memories.rememberMany([
          { text: "Lunch is at noon.", scope, createdAt: now - day },
          { text: "Dinner is late.", scope, createdAt: now },
        ]);
        const request: RecallRequest = { query: "zeppelin", scopes: [scope], evaluationTime: now };
        assert.deepEqual(texts(await loci.recall(request)), []);
        const fallback = await loci.recall({ ...request, fallback: "recent" });
        assert.equal(fallback.usedFallback, true);
        assert.deepEqual(texts(fallback), ["Dinner is late.", "Lunch is at noon."]);
        assert.ok(fallback.hits.every(({ foundBy }) => foundBy === "recent"));
      },
    },
    {
      name: "recall answers what is known of who asks with the newest that were remembered for themselves",
      run: async ({ loci }) => {
        await loci.memories.rememberConversation({
          scope,
          turns: [{ id: "1", speaker: "Ann", content: "What do you know?", at: now }],
        });
        const request: RecallRequest = { query: "What do you know about me?", scopes: [scope], evaluationTime: now };
        assert.deepEqual(texts(await loci.recall(request)), ["Ann: What do you know?"]);
        await loci.memories.rememberMany([
          { text: "The user is a baker.", scope, createdAt: now - 2 * day },
          { text: "The user lives in Oslo.", scope, createdAt: now - day },
          { text: "The user knows Bergen.", scope: "user:bea", createdAt: now },
        ]);
        const known = await loci.recall({ ...request, explain: true });
        assert.deepEqual(texts(known), ["The user lives in Oslo.", "The user is a baker."]);
        assert.equal(known.usedFallback, true);
        assert.deepEqual(texts(await loci.recall({ ...request, limit: 1 })), ["The user lives in Oslo."]);
        const ofOslo = await loci.recall({ ...request, query: "What do you know about Oslo?" });
        assert.equal(ofOslo.usedFallback, false);
        assert.equal(texts(ofOslo)[0], "The user lives in Oslo.");
      },
    },
    {
      name: "recall keeps to its number and tokens, and cuts long memories",
      run: async ({ loci }) => {
        const long = `The manual says: ${"press the button and wait for the light. ".repeat(100)}`;
        await loci.memories.remember({ text: long, scope });
        const cut = await loci.recall({
          query: "What does the manual say about the button?",
          scopes: [scope],
          maxTokensPerMemory: 50,
        });
        assert.equal(cut.hits[0]?.truncated, true);
        assert.ok((cut.hits[0]?.tokens ?? 99) <= 50);
        assert.match(cut.hits[0]?.text ?? "", /^The manual says: press the button .* \.\.\.$/);
        const none = await loci.recall({ query: "manual", scopes: [scope], maxTokens: 10, limit: 1 });
        assert.ok(none.hits.every(({ tokens }) => tokens <= 10));
      },
    },
    {
      name: "tools in use name procedures, as the query does",
      run: async ({ loci }) => {
        const input = { scope, category: "procedure", tags: ["git-commit"] } as const;
        const { id } = await loci.memories.remember({ ...input, text: "Sign off what you write." });
        const ask = { query: "Ready?", scopes: [scope] } as const;
        assert.deepEqual((await loci.recall(ask)).hits, []);
        const { hits } = await loci.recall({ ...ask, tools: ["shell", "git_commit"] });
        assert.deepEqual(
          hits.map(({ memory, foundBy }) => [memory.id, foundBy]),
          [[id, "tag"]],
        );
        const { receipt } = await loci.assemble({ query: "Ready?", recall: { scopes: [scope], tools: ["git"] } });
        assert.ok(receipt.items.some((item) => item.id === id && item.outcome === "kept"));
        await refuses(loci.recall({ ...ask, tools: [""] }), "INVALID_IDENTIFIER", "tools[0]");
        await refuses(
          loci.recall({ ...ask, tools: Array.from({ length: 129 }, () => "a") }),
          "INVALID_REQUEST",
          "tools",
        );
      },
    },
    {
      name: "recall leaves room for what others have used",
      run: async ({ loci }) => {
        await loci.memories.remember({ text: "The kraken sleeps in Bergen.", scope });
        const ask = { query: "Where does the kraken sleep?", scopes: [scope], maxTokens: 100 } as const;
        const used = (await loci.recall({ ...ask, usedTokens: 50 })).hits[0]?.tokens ?? 99;
        assert.ok(used <= 50);
        assert.equal((await loci.recall({ ...ask, usedTokens: 100 - used })).hits[0]?.truncated, false);
        assert.ok((await loci.recall({ ...ask, usedTokens: 101 - used })).hits.every(({ tokens }) => tokens < used));
        assert.deepEqual((await loci.recall({ ...ask, usedTokens: 100 })).hits, []);
        assert.deepEqual((await loci.recall({ ...ask, usedTokens: 5_000 })).hits, []);
        await refuses(loci.recall({ ...ask, usedTokens: -1 }), "INVALID_NUMBER", "usedTokens");
      },
    },
    {
      name: "who says how many memories are wanted gets as many, however long they are",
      method: "recall",
      run: async ({ loci }) => {
        const pages = Array.from(
          { length: 8 },
          (_, page) =>
            `Chapter ${page} of the kraken. ${`The kraken of sea ${page} sleeps ${page} fathoms deep. `.repeat(60)}`,
        );
        await loci.memories.rememberMany(pages.map((text) => ({ text, scope })));
        await loci.settled();
        const ask = { query: "Where does the kraken sleep?", scopes: [scope], recordUsage: "none" } as const;
        const found = async (limits: object): Promise<number> => (await loci.recall({ ...ask, ...limits })).hits.length;
        assert.deepEqual(
          [
            await found({}),
            await found({ limit: 8 }),
            await found({ limit: 8, maxTokens: 1_500 }),
            await found({ limit: 8, usedTokens: 0 }),
          ],
          [3, 8, 3, 3],
        );
      },
    },
    {
      name: "a call may say how close a memory must come",
      run: async ({ loci }) => {
        await loci.memories.remember({ text: "The kraken sleeps in Bergen, below the old harbour.", scope });
        const ask = { query: "Where do fishermen and other people sleep on Fridays?", scopes: [scope] } as const;
        const found = async (relevanceFloor: number): Promise<number> =>
          (await loci.recall({ ...ask, relevanceFloor })).hits.length;
        assert.deepEqual([await found(0), await found(1)], [1, 0]);
        await refuses(loci.recall({ ...ask, relevanceFloor: 1.1 }), "INVALID_NUMBER", "relevanceFloor");
      },
    },
    {
      name: "a nearer scope's value of a slot overrides farther ones, also when the question does not find it",
      run: async ({ loci }) => {
        const slot = "theme";
        const scopes = [scope, "global"] as const;
        const dark = await loci.memories.remember({ text: "Ada wants everything dark.", scope, slot });
        const general = await loci.memories.remember({ text: "The theme is solarized.", scope: "global", slot });
        const question = { query: "solarized?", scopes, explain: true };
        const { hits, dropped } = await loci.recall(question);
        assert.deepEqual(hits, []);
        const overridden = dropped.find(({ id }) => id === general.id);
        assert.deepEqual([overridden?.reason, overridden?.inFavourOf], ["OVERRIDDEN_BY_SCOPE", dark.id]);
        const shown = async (asked: typeof question | object): Promise<number> =>
          (await loci.recall({ ...question, ...asked })).hits.length;
        // Only what was asked for and holds overrides.
        assert.equal(await shown({ scopes: ["global"] }), 1);
        await loci.memories.forget(dark.id);
        assert.equal(await shown({}), 1);
      },
    },
    {
      name: "of a long memory the passage is shown that was found",
      run: async ({ loci }) => {
        const sentences = Array.from({ length: 500 }, (_, index) => `Step ${index} waits for the light.`);
        sentences[400] = "The kraken sleeps in Bergen harbour.";
        await loci.memories.remember({ text: sentences.join(" "), scope });
        const { hits } = await loci.recall({
          query: "Where does the kraken sleep?",
          scopes: [scope],
          maxTokensPerMemory: 60,
        });
        assert.match(hits[0]?.text ?? "", /^\.\.\. .*The kraken sleeps in Bergen harbour\. .* \.\.\.$/);
        assert.ok((hits[0]?.tokens ?? 99) <= 60);
      },
    },
    {
      name: "nothing in a query acts as an operator or throws",
      run: async ({ loci }) => {
        await loci.memories.remember({ text: "The theme is Solarized.", scope });
        for (const query of [
          "",
          " ",
          "\0",
          "a\ud800b",
          '" OR "1"="1',
          "NEAR(",
          "theme*",
          "-theme",
          "💥".repeat(1_000),
          "AND OR NOT",
        ])
          await loci.recall({ query, scopes: [scope] });
        assert.deepEqual(texts(await loci.recall({ query: '"theme" AND (NOT', scopes: [scope] })), [
          "The theme is Solarized.",
        ]);
      },
    },
    {
      name: "recall refuses bad input, naming the field",
      run: async ({ loci }) => {
        const good: RecallRequest = { query: "theme", scopes: [scope] };
        const bad: readonly (readonly [object, Parameters<typeof refuses>[1], string])[] = [
          [{ scopes: [] }, "SCOPE_REQUIRED", "scopes"],
          [{ scopes: undefined }, "SCOPE_REQUIRED", "scopes"],
          [{ scopes: ["user:a\u0000"] }, "INVALID_IDENTIFIER", "scopes[0].id"],
          [{ query: 7 }, "INVALID_TEXT", "query"],
          [{ query: "x".repeat(1024 * 1024 + 1) }, "TEXT_TOO_LARGE", "query"],
          [{ limit: 0 }, "INVALID_NUMBER", "limit"],
          [{ limit: Number.NaN }, "INVALID_NUMBER", "limit"],
          [{ limit: 1_001 }, "INVALID_NUMBER", "limit"],
          [{ procedureLimit: -1 }, "INVALID_NUMBER", "procedureLimit"],
          [{ maxTokens: 1.5 }, "INVALID_NUMBER", "maxTokens"],
          [{ categories: ["No Category"] }, "INVALID_CATEGORY", "categories[0]"],
          [{ where: { field: "id", operator: "equals", value: 1 } }, "INVALID_FILTER", "where.field"],
          [
            { where: { field: "metadata.area", operator: "equals", value: Number.NaN } },
            "INVALID_FILTER",
            "where.value",
          ],
          [{ profile: { weights: { recency: -1 } } }, "INVALID_CONFIGURATION", "profile.weights.recency"],
          [{ strategy: "all" }, "INVALID_REQUEST", "strategy"],
          [{ evaluationTime: Number.NaN }, "INVALID_INSTANT", "evaluationTime"],
          [{ validAt: 0.5 }, "INVALID_INSTANT", "validAt"],
          [{ limits: 3 }, "INVALID_REQUEST", "request.limits"],
        ];
        for (const [fields, reason, field] of bad) await refuses(loci.recall({ ...good, ...fields }), reason, field);
      },
    },
  ],
};
