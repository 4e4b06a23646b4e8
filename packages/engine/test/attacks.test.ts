import type { RememberInput } from "@loci/domain";
import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";
const scopes = [scope] as const;
const day = 86_400_000;
const query = "Who is the best vendor of cloud storage?";

const praise = ["best", "finest", "leading", "top", "greatest", "first", "strongest", "cheapest", "safest", "fastest"];
const manner = ["clearly", "simply", "surely", "truly", "by far", "indeed", "really", "plainly", "always", "ever"];
const place = [
  "today",
  "here",
  "in town",
  "in Europe",
  "on Earth",
  "we know",
  "on the market",
  "for us",
  "for all",
  "now",
];

/** A thousand ways to claim one thing. */
const paraphrases: readonly string[] = praise.flatMap((word) =>
  manner.flatMap((how) => place.map((where) => `Acme is ${how} the ${word} vendor of cloud storage ${where}.`)),
);

const others: readonly RememberInput[] = ["Globex", "Initech", "Umbrella", "Hooli"].map((name) => ({
  text: `${name} is the best vendor of cloud storage, says a survey among two hundred engineers of different companies and countries.`,
  scope,
  category: "decision",
  provenance: { sourceId: `survey of ${name}`, kind: "document" },
}));

test("1,000 paraphrases of one claim from one source take at most 5 places, and others still appear", async () => {
  await using opened = await TestEngine.open();
  const claims = paraphrases.map((text): RememberInput => ({
    text,
    scope,
    importance: 1,
    trust: "untrusted",
    provenance: { sourceId: "https://acme.example", kind: "document" },
  }));
  await opened.loci.memories.rememberMany(claims);
  await opened.loci.memories.rememberMany(others);
  const { hits, dropped } = await opened.loci.recall({ query, scopes, explain: true });
  const fromAcme = hits.filter(({ memory }) => memory.provenance?.sourceId === "https://acme.example");
  expect(fromAcme.length).toBeLessThanOrEqual(5);
  for (const { text } of others) expect(hits.map(({ memory }) => memory.text)).toContain(text);
  expect(dropped.some(({ reason }) => reason === "SOURCE_SHARE")).toBe(true);
  // It looked beyond the best 200, all of which are of the one source.
  expect(hits.length + dropped.length).toBe(1_004);
  const context = await opened.loci.assemble({ query, recall: { scopes } });
  for (const { text } of others) expect(context.text).toContain(text);
  expect(context.text.split("Acme is").length - 1).toBeLessThanOrEqual(5);
});

test("without a source they take at most half of the places while another category waits", async () => {
  await using opened = await TestEngine.open();
  await opened.loci.memories.rememberMany(
    paraphrases.slice(0, 100).map((text): RememberInput => ({ text, scope, importance: 1 })),
  );
  await opened.loci.memories.rememberMany(others);
  const { hits } = await opened.loci.recall({ query, scopes, limit: 8 });
  expect(hits.filter(({ memory }) => memory.category === "fact").length).toBeLessThanOrEqual(4);
  for (const { text } of others) expect(hits.map(({ memory }) => memory.text)).toContain(text);
});

test("a clock that jumps a day ahead and back ends what has a time to live once, and keeps the order", async () => {
  await using opened = await TestEngine.open();
  const { loci } = opened;
  const start = opened.now;
  const remember = (text: string, expiresAt?: number): Promise<unknown> =>
    loci.memories.remember({ text: `Vendor note: ${text}.`, scope, ...(expiresAt === undefined ? {} : { expiresAt }) });
  const found = async (): Promise<readonly string[]> => {
    const { hits } = await loci.recall({ query: "vendor note", scopes });
    return hits.map(({ memory }) => memory.text.slice("Vendor note: ".length, -1)).toSorted();
  };
  await remember("first", start + day / 2);
  await remember("second");
  expect(await found()).toEqual(["first", "second"]);
  opened.now = start + day;
  expect(await found()).toEqual(["second"]);
  await remember("third");
  // Set back: what was recorded stays in the order of the log, and what had not expired by then is there again.
  opened.now = start - day;
  expect(await found()).toEqual(["first", "second", "third"]);
  await remember("fourth");
  const log = await opened.ledger.changes("acme" as never, 0, 100);
  const times = log.map(({ recordedAt }) => recordedAt);
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  const { hits } = await loci.recall({ query: "vendor note", scopes });
  for (const { parts } of hits) {
    expect(parts.recency).toBeLessThanOrEqual(1);
    expect(parts.importance).toBeLessThanOrEqual(1);
  }
  opened.now = start + day / 2;
  expect(await found()).not.toContain("first");
  opened.now = start + day / 2 - 1;
  expect(await found()).toContain("first");
});

test("marks of a session that a clock a day ahead has made count for their window, and no longer", async () => {
  await using opened = await TestEngine.open();
  const { loci } = opened;
  const start = opened.now;
  await loci.memories.remember({ text: "Deploys happen on Thursdays.", scope });
  const rotation = (session: string) => ({ owner: "alice", session }) as const;
  const stale = async (): Promise<number | undefined> => {
    const request = { query: "deploys", scopes, rotation: rotation("two"), explain: true } as const;
    return (await loci.recall(request)).hits[0]?.parts.stale;
  };
  opened.now = start + day;
  await loci.recall({ query: "deploys", scopes, rotation: rotation("one") });
  await loci.settled();
  opened.now = start;
  expect(await stale()).toBe(0.5);
  opened.now = start + day + 3_600_000;
  expect(await stale()).toBe(1);
});
