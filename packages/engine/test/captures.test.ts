import { setTimeout } from "node:timers/promises";
import { type CaptureJob, type Loci, type Memory, tenantId } from "@loci/domain";
import { captureFamily } from "@loci/ledger";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { everything, TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";
const key = { scope, id: "s" } as const;
const at = Date.UTC(2026, 0, 1);
let opened: TestEngine;

beforeEach(async () => {
  opened = await TestEngine.open();
});
afterEach(() => opened[Symbol.asyncDispose]());

const said = (...lines: readonly string[]) => lines.map((content) => ({ role: "user", content, at }) as const);

async function memories(loci: Loci = opened.loci): Promise<readonly Memory[]> {
  return (await loci.memories.list({ scopes: [scope] })).memories;
}

async function overOf(id: string): Promise<CaptureJob> {
  return opened.loci.captures.wait(id);
}

test("what was queued when a process was killed is captured at the next start, once", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Corvid", "never call me before noon") });
  const { id, state } = await captures.start({ session: key });
  expect(state).toBe("queued");
  // Before anything of it was done: closing leaves it due.
  await opened.reopen();
  expect((await overOf(id)).state).toBe("succeeded");
  expect(await memories()).toHaveLength(2);
  await opened.reopen();
  expect(await memories()).toHaveLength(2);
});

test("a session that was closed while nobody watched is captured later", async () => {
  const { sessions } = opened.loci;
  await sessions.create(key);
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Corvid") });
  await opened.engine.drainers.pause();
  await sessions.close(key);
  await opened.reopen();
  await opened.loci.settled();
  const [capture] = (await opened.loci.captures.list({ session: key })).captures;
  expect((await overOf(capture?.id ?? "")).state).toBe("succeeded");
  expect(await memories()).toHaveLength(1);
});

test("what is closed right behind its session reports nothing, and captures it later", async () => {
  const ids = Array.from({ length: 5 }, (_, day) => `day-${day}`);
  for (const id of ids) {
    const { sessions } = opened.loci;
    await sessions.create({ scope, id });
    await sessions.append({ scope, id }, { expectedLast: 0, turns: said(`My locker number is ${id.at(-1)}.`) });
    await sessions.close({ scope, id });
    await opened.reopen();
  }
  await opened.loci.settled();
  for (const id of ids) {
    const [capture] = (await opened.loci.captures.list({ session: { scope, id } })).captures;
    expect((await overOf(capture?.id ?? "")).state).toBe("succeeded");
  }
  expect(opened.problems).toEqual([]);
});

test("a session with everyTurns is captured each time so many turns came", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: { everyTurns: 2 } });
  for (const [index, text] of ["I work at Corvid", "hello", "I play the cello", "bye"].entries()) {
    await sessions.append(key, { expectedLast: index, turns: said(text) });
    await opened.loci.settled();
  }
  const found = (await captures.list({ session: key })).captures;
  expect(found.map(({ turns }) => turns.first).toSorted((left, right) => left - right)).toEqual([1, 3]);
  for (const { id } of found) await overOf(id);
  expect(await memories()).toHaveLength(2);
});

test("the same capture asked for many times at once is carried out once", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Corvid", "I play the cello") });
  const jobs = await Promise.all(Array.from({ length: 8 }, () => captures.start({ session: key })));
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
  await Promise.all(jobs.map(({ id }) => overOf(id)));
  expect(await memories()).toHaveLength(2);
});

test("what is planned for a day is known until then, and was so later", async () => {
  const { sessions, captures, recall } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("my flight to Porto is on Friday") });
  await overOf((await captures.start({ session: key })).id);
  const [flight] = await memories();
  expect(flight).toMatchObject({
    text: "The user's flight to Porto is on Friday (2026-01-02)",
    validFrom: at,
    validTo: Date.UTC(2026, 0, 3, 12),
  });
  const query = "when is the flight to Porto";
  expect((await recall({ query, scopes: [scope], validAt: at })).hits).toHaveLength(1);
  expect((await recall({ query, scopes: [scope], validAt: Date.UTC(2026, 0, 4) })).hits).toEqual([]);
});

test("what takes another one's place on a day to come is known at once, and the other one holds until then", async () => {
  const { sessions, captures, memories: stored, recall } = opened.loci;
  await stored.remember({ scope, text: "The rent of the flat is 2,800 a month", createdAt: at - 86_400_000 });
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("the rent of the flat is 3,000 a month from March") });
  await overOf((await captures.start({ session: key })).id);
  const found = async (validAt: number): Promise<readonly string[]> => {
    const { hits } = await recall({ query: "what is the rent of the flat?", scopes: [scope], validAt });
    return hits.map(({ memory }) => memory.text).toSorted();
  };
  const fresh = "The rent of the flat is 3,000 a month from March";
  expect(await found(at + 60_000)).toEqual(["The rent of the flat is 2,800 a month", fresh]);
  expect(await found(Date.UTC(2026, 2, 2))).toEqual([fresh]);
});

test("captures of overlapping turns know what each other wrote", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Corvid", "I play the cello") });
  const jobs = await Promise.all([
    captures.start({ session: key, turns: { last: 1 } }),
    captures.start({ session: key, turns: { last: 2 } }),
  ]);
  await Promise.all(jobs.map(({ id }) => overOf(id)));
  expect((await memories()).map(({ text }) => text).toSorted()).toEqual([
    "The user plays the cello",
    "The user works at Corvid",
  ]);
});

test("a session of more turns than a job takes makes more jobs", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  for (let last = 0; last < 300; last += 100)
    await sessions.append(key, { expectedLast: last, turns: said(...Array.from({ length: 100 }, () => "hello")) });
  await captures.start({ session: key });
  const found = (await captures.list({ session: key })).captures;
  expect(found.map(({ turns }) => turns).toSorted((left, right) => left.first - right.first)).toEqual([
    { first: 1, last: 200 },
    { first: 201, last: 300 },
  ]);
});

test("a session that is gone makes its capture dead, and no text of it stands in the problem", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Corvid") });
  const { id } = await captures.start({ session: key });
  await sessions.delete(key);
  const job = await overOf(id);
  expect(["dead", "succeeded"]).toContain(job.state);
  expect(job.problem ?? "").not.toContain("Corvid");
});

test("a capture that fails for a reason that nobody knows is reported with it, and says nothing of it itself", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Corvid") });
  const commit = opened.ledger.commit.bind(opened.ledger);
  let hasFailed = false;
  vi.spyOn(opened.ledger, "commit").mockImplementation(async (batch, call) => {
    if (hasFailed || batch.author.activity !== "capture") return commit(batch, call);
    hasFailed = true;
    throw new TypeError("canary");
  });
  const { id } = await captures.start({ session: key });
  await expect.poll(() => opened.problems).toEqual(["carrying out a capture: TypeError: canary"]);
  expect((await captures.get(id)).problem ?? "").not.toContain("canary");
});

/** So much that it is read in a thread of its own. */
const atLength = Array.from({ length: 60 }, (_, index) =>
  index % 3 === 0
    ? `My locker number ${index} is in hall ${index}.`
    : `And then we ${"talked and ".repeat(20)}went on.`,
);

test("a long session is captured beside calls, and all of it", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said(...atLength) });
  const tried = await captures.start({ session: key, dryRun: true });
  const { id } = await captures.start({ session: key });
  const job = await overOf(id);
  const made = ({ outcome }: CaptureJob) => outcome?.candidates.map(({ text, evidence }) => ({ text, evidence }));
  expect(made(job)).toEqual(made(tried));
  expect(await memories()).toHaveLength(20);
  expect(opened.problems).toEqual([]);
});

test("a long capture can be cancelled", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said(...atLength) });
  const { id } = await captures.start({ session: key });
  await captures.cancel(id);
  expect((await overOf(id)).state).toBe("cancelled");
  expect(await memories()).toEqual([]);
});

test("closing while a long session is read leaves its capture due", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said(...atLength) });
  const { id } = await captures.start({ session: key });
  while ((await captures.get(id)).state === "queued") await setTimeout(1);
  await opened.reopen();
  expect((await overOf(id)).state).toBe("succeeded");
  expect(await memories()).toHaveLength(20);
  expect(opened.problems).toEqual([]);
});

test("another tenant sees nothing of a capture", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Corvid") });
  const { id } = await captures.start({ session: key });
  await overOf(id);
  const other = opened.as({ tenant: tenantId("other"), roles: ["read", "write", "approve", "admin"] });
  await expect(other.captures.get(id)).rejects.toMatchObject({ reason: "CAPTURE_NOT_FOUND" });
  await expect(other.captures.undo(id)).rejects.toMatchObject({ reason: "CAPTURE_NOT_FOUND" });
  expect((await other.captures.reviews.list({ scopes: [scope] })).reviews).toEqual([]);
});

test("what stands in the ledger of a capture is erased with its scope", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Canary71 as a nurse") });
  const { id } = await captures.start({ session: key });
  await overOf(id);
  const admin = opened.as({ roles: ["admin"] });
  await admin.maintenance.erase({ scope });
  await expect(captures.get(id)).rejects.toMatchObject({ reason: "CAPTURE_NOT_FOUND" });
  const log = await opened.ledger.changes(everything.tenant, 0, 1_000, { families: [captureFamily] });
  expect(JSON.stringify(log)).not.toContain("Canary71");
});

test("a capture keeps no second copy of what became memories", async () => {
  const { sessions, captures } = opened.loci;
  await sessions.create({ ...key, capture: "off" });
  await sessions.append(key, { expectedLast: 0, turns: said("I work at Canary71 as a nurse") });
  const { id } = await captures.start({ session: key });
  const { outcome } = await overOf(id);
  expect(outcome?.candidates.map(({ text }) => text)).toEqual(["The user works at Canary71 as a nurse"]);
  expect(outcome?.candidates[0]?.evidence[0]?.quote).toBe("I work at Canary71 as a nurse");
  const log = await opened.ledger.changes(everything.tenant, 0, 1_000, { families: [captureFamily] });
  expect(JSON.stringify(log)).not.toContain("Canary71");
});
