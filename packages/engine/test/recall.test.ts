import { setImmediate } from "node:timers/promises";
import { LociError, type Principal } from "@loci/domain";
import { expect, onTestFinished, test, vi } from "vitest";
import { authoredBy } from "../src/calls/authored-by.ts";
import { contentHashOf } from "../src/calls/content-hash.ts";
import { UuidGenerator } from "../src/calls/uuid-version-7.ts";
import { everything, TestEngine } from "./support/test-engine.ts";

test("the turn beside the one that matches is found with it", async () => {
  await using opened = await TestEngine.open();
  const says = ["Shall we have lunch?", "Where did you put the survey?", "Under the blue lamp.", "Good night."];
  await opened.loci.memories.rememberConversation({
    session: "s",
    scope: "user:alice",
    turns: says.map((content, index) => ({ id: `${index}`, speaker: "A", content, at: opened.now + index })),
  });
  const { hits } = await opened.loci.recall({ query: "survey", scopes: ["user:alice"], explain: true });
  expect(hits[0]?.memory.text).toBe("A: Where did you put the survey?");
  const { dropped } = await opened.loci.recall({ query: "survey", scopes: ["user:alice"], explain: true });
  const scored = [...hits.map(({ parts }) => parts), ...dropped.map(({ parts }) => parts)];
  expect(scored.filter((parts) => (parts?.neighbours ?? 0) > 0)).not.toHaveLength(0);
});

test("a question of where the work stands is answered by what was left to do, and by what is like it where nothing was", async () => {
  await using opened = await TestEngine.open();
  const { loci } = opened;
  const scopes = ["project:harbour"] as const;
  const answer = async (): Promise<readonly string[]> => {
    const { hits } = await loci.recall({ query: "Morning, where were we?", scopes });
    return hits.map(({ memory }) => memory.text);
  };
  await loci.memories.remember({ text: "Where we were is in the log.", scope: scopes[0] });
  expect(await answer()).not.toContain("Left to do: the seed script");
  const slot = "left to do";
  await loci.memories.remember({ text: "Left to do: the seed script", scope: scopes[0], slot });
  expect(await answer()).toEqual(["Left to do: the seed script"]);
});

test("a question is embedded once, with all its sentences in one batch", async () => {
  await using opened = await TestEngine.open();
  const query = "Where did you put the survey? And who was it that asked for it?";
  await opened.loci.recall({ query, scopes: ["user:alice"] });
  expect(opened.embedder.calls).toEqual([
    { kind: "query", texts: [query, "Where did you put the survey?", "And who was it that asked for it?"] },
  ]);
});

test("a recall that ends before its question is embedded leaves no rejection that nobody handles", async () => {
  await using opened = await TestEngine.open();
  const { loci, ledger, embedder } = opened;
  const scopes = ["user:alice"] as const;
  await loci.recall({ query: "survey", scopes });
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  onTestFinished(() => void process.off("unhandledRejection", unhandled));
  const caller = new AbortController();
  // Behind by so much that reading it takes turns with everything else.
  vi.spyOn(ledger, "changes").mockImplementation(async () => {
    await setImmediate();
    caller.abort();
    await setImmediate();
    throw new LociError("STORE_UNAVAILABLE", { message: "The disk is gone." });
  });
  vi.spyOn(embedder, "embed").mockReturnValue(new Promise(() => undefined));
  const recalling = loci.recall({ query: "Where is the survey?", scopes }, { signal: caller.signal });
  await expect(recalling).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
  await setImmediate();
  expect(unhandled).not.toHaveBeenCalled();
});

test("only candidates that come up for a place have their vectors read, or all of them to explain", async () => {
  await using opened = await TestEngine.open();
  // Unlike each other, or all would be read to find those that are.
  const own = (number: number): string => Array.from({ length: 8 }, (_, at) => `word${number * 8 + at}`).join(" ");
  const texts = Array.from({ length: 400 }, (_, number) => `Survey of the harbour: ${own(number)}.`);
  await opened.loci.memories.rememberMany(texts.map((text) => ({ text, scope: "user:alice" })));
  await opened.indexesCaughtUp();
  const reading = vi.spyOn(opened.ledger, "embeddings");
  const read = async (explain: boolean): Promise<{ readonly vectors: number; readonly found: readonly string[] }> => {
    reading.mockClear();
    const { hits } = await opened.loci.recall({ query: "survey of the harbour", scopes: ["user:alice"], explain });
    const vectors = reading.mock.calls.reduce((sum, [, , hashes]) => sum + hashes.length, 0);
    return { vectors, found: hits.map(({ memory }) => memory.text) };
  };
  const quick = await read(false);
  const explained = await read(true);
  expect(quick.found).toEqual(explained.found);
  expect(quick.vectors).toBeGreaterThanOrEqual(quick.found.length);
  expect(quick.vectors).toBeLessThan(100);
  expect(explained.vectors).toBe(200);
});

test("nearer scopes fill up first in a cascade", async () => {
  await using opened = await TestEngine.open();
  await opened.loci.memories.rememberMany([
    { text: "The theme of the world is Nord.", scope: "global", importance: 1 },
    { text: "A theme is a set of colours that somebody chose.", scope: "user:alice", importance: 0 },
  ]);
  const scopes = ["global", "user:alice"] as const;
  const first = async (strategy: "union" | "cascade"): Promise<string | undefined> =>
    (await opened.loci.recall({ query: "theme of the world", scopes, strategy, limit: 1 })).hits[0]?.memory.text;
  expect(await first("union")).toBe("The theme of the world is Nord.");
  expect(await first("cascade")).toBe("A theme is a set of colours that somebody chose.");
});

test("what was known is looked at up to 20,000 memories, and refused in numbers beyond", async () => {
  await using opened = await TestEngine.open();
  const ids = new UuidGenerator();
  const { ledger, loci, now } = opened;
  const template = await loci.memories.remember({ text: "Number 0.", scope: "user:alice", createdAt: now });
  const { etag: _etag, recordedAt: _recordedAt, usage: _usage, embedding: _embedding, ...record } = template;
  const store = (principal: Principal, from: number, to: number): Promise<unknown> => {
    const changes = Array.from({ length: to - from }, (_, index) => {
      const text = `Number ${from + index}.`;
      const memory = { ...record, id: ids.next(now), text };
      return { type: "memoryWritten", memory, contentHash: contentHashOf(text) } as const;
    });
    return ledger.commit({ ...authoredBy(principal), expect: [], changes });
  };
  await store(everything, 1, 20_000);
  const request = { query: "number 12345", scopes: ["user:alice"], knownAt: now } as const;
  const { hits, timings } = await loci.recall(request);
  expect(hits[0]?.memory.text).toBe("Number 12345.");
  expect(Object.keys(timings)).toContain("scan");
  const signal = AbortSignal.timeout(1);
  await expect(loci.recall(request, { signal })).rejects.toMatchObject({ code: "CANCELLED" });
  await store(everything, 20_000, 20_001);
  await expect(loci.recall(request)).rejects.toMatchObject({
    reason: "TOO_MANY_VERSIONS",
    code: "FAILED_PRECONDITION",
    field: "knownAt",
    details: { limit: "20000" },
  });
});

test("among people what is taken for known is answered by less, and what is not by more the more there is", async () => {
  await using opened = await TestEngine.open();
  const { loci, embedder } = opened;
  embedder.floors = { relevance: 0.5, answer: 0.9 };
  const say = async (session: string, speakers: readonly string[]): Promise<void> => {
    const turns = Array.from({ length: 120 }, (_, index) => {
      const speaker = speakers[index % speakers.length] ?? "";
      return { id: `${index}`, speaker, content: `lunch ${index}`, at: opened.now + index };
    });
    await loci.memories.rememberConversation({ session, scope: `session:${session}`, turns });
    await loci.settled();
  };
  const floor = async (session: string, query: string): Promise<number | undefined> => {
    const { hits, dropped } = await loci.recall({ query, scopes: [`session:${session}`], explain: true });
    expect(hits).toEqual([]);
    return dropped.find(({ reason }) => reason === "BELOW_RELEVANCE_FLOOR")?.floor;
  };
  const known = "Why was the survey moved?";
  const unknown = "Why are surveys moved?";
  await say("people", ["Mara", "Jon"]);
  expect(await floor("people", known)).toBeCloseTo(0.85 * 0.9, 12);
  expect(await floor("people", unknown)).toBeCloseTo(0.5 + (0.4 * Math.log(120)) / Math.log(100), 12);
  await say("assisted", ["Mara", "assistant"]);
  await say("alone", ["Mara"]);
  for (const session of ["assisted", "alone"])
    for (const query of [known, unknown]) expect(await floor(session, query)).toBe(0.9);
});
