import { type Loci, type MaintenanceReport, type MemoryId, roles, tenantId } from "@loci/domain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const day = 86_400_000;
let opened: TestEngine;
let loci: ReturnType<TestEngine["engine"]["for"]>;

beforeEach(async () => {
  opened = await TestEngine.open();
  loci = admin();
});
afterEach(() => opened[Symbol.asyncDispose]());

function admin(tenant = "acme"): ReturnType<TestEngine["engine"]["for"]> {
  return opened.engine.for({ tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] });
}

async function remember(text: string, rest: object = {}, on: Loci = loci): Promise<MemoryId> {
  return (await on.memories.remember({ text, scope: "user:alice", ...rest })).id;
}

function found(report: MaintenanceReport): readonly string[] {
  return report.findings.map(({ memory, reason }) => `${reason} ${memory}`).toSorted();
}

test("expire turns what is past its time into tombstones, and says so before with a dry run", async () => {
  const expired = await remember("lunch", { expiresAt: opened.now + day });
  const later = await remember("music", { expiresAt: opened.now + 3 * day });
  const never = await remember("deploy");
  opened.now += 2 * day;
  const dry = await loci.maintenance.expire({ dryRun: true });
  expect([found(dry), dry.counts["selected"], dry.counts["changed"]]).toEqual([[`EXPIRED ${expired}`], 1, 0]);
  expect((await loci.memories.versions(expired)).length).toBe(1);
  expect((await loci.maintenance.expire()).counts["changed"]).toBe(1);
  expect((await loci.memories.versions(expired)).at(-1)?.state).toBe("deleted");
  expect((await loci.maintenance.expire()).counts["selected"]).toBe(0);
  expect((await loci.maintenance.expire({ evaluationTime: opened.now + 9 * day })).counts["changed"]).toBe(1);
  expect((await loci.memories.versions(later)).at(-1)?.state).toBe("deleted");
  expect((await loci.memories.get(never)).state).toBe("active");
  await loci.settled();
  expect((await loci.maintenance.verify()).findings).toEqual([]);
});

test("a job writes as whoever started it, and what it decides is committed with what it does, or not at all", async () => {
  const tenant = tenantId("acme");
  const expired = await remember("lunch", { expiresAt: opened.now + day });
  const changing = await remember("dinner", { expiresAt: opened.now + day });
  opened.now += 2 * day;
  const { ledger } = opened;
  const read = ledger.decisions.bind(ledger);
  // Somebody is quicker than the job, after it has read its page.
  ledger.decisions = async (...call) => {
    const { etag } = await loci.memories.get(changing);
    await loci.memories.update(changing, { expiresAt: null }, { etag });
    return read(...call);
  };
  const { counts } = await loci.maintenance.expire();
  ledger.decisions = read;
  expect(counts).toMatchObject({ selected: 2, changed: 1, skipped: 1 });
  expect([...(await ledger.decisions(tenant, "expire", [expired, changing])).values()]).toMatchObject([
    { ref: expired, reason: "EXPIRED", details: { version: "1" } },
  ]);
  const log = await ledger.changes(tenant, 0, 10);
  expect(log.map(({ ref, author, reason }) => [ref, author, reason])).toEqual([
    [expired, { subject: "test" }, undefined],
    [changing, { subject: "test" }, undefined],
    [changing, { subject: "test" }, undefined],
    [expired, { subject: "test", activity: "expire" }, "EXPIRED"],
  ]);
  await loci.maintenance.erase({ scope: "user:alice" });
  expect((await ledger.decisions(tenant, "expire", [expired])).size).toBe(0);
});

test("prune archives by the scoring profile of the deployment, and of the tenant", async () => {
  await using own = await TestEngine.open({
    scoring: { profile: { importanceFloor: 0.01 }, tenants: { globex: { importanceFloor: 0.5 } } },
  });
  const text = { text: "half remembered", scope: "user:alice", importance: 0.3 } as const;
  const principal = { subject: "test", roles, scopePatterns: ["*"] } as const;
  const pruned = async (tenant: string): Promise<MaintenanceReport> => {
    const of = own.engine.for({ ...principal, tenant: tenantId(tenant) });
    own.now = Date.UTC(2026, 0, 1);
    await of.memories.remember(text);
    own.now += 200 * day;
    return of.maintenance.prune();
  };
  expect((await pruned("acme")).counts["archived"]).toBe(0);
  const report = await pruned("globex");
  expect(report.counts["archived"]).toBe(1);
  expect(report.findings[0]?.details).toMatchObject({ importance: "0.3", floor: "0.5" });
});

test("prune archives what has faded and is dormant, and removes it for good after the retention", async () => {
  const faded = await remember("old gossip", { importance: 0.2 });
  const important = await remember("the launch code name", { importance: 1, category: "entity" });
  const unfading = await remember("a static fact", { importance: 0.2, isStatic: true });
  const used = await remember("often used", { importance: 0.2 });
  opened.now += 200 * day;
  await loci.memories.markUsed([used]);
  await loci.settled();
  const dry = await loci.maintenance.prune({ dryRun: true, removeAfterDays: 30 });
  expect(found(dry)).toEqual([`DORMANT ${faded}`]);
  expect(dry.findings[0]?.details).toMatchObject({
    importance: "0.2",
    floor: "0.1",
    dormantDays: "200.0",
    version: "1",
  });
  const done = await loci.maintenance.prune({ removeAfterDays: 30 });
  expect([done.counts["archived"], done.counts["removed"]]).toEqual([1, 0]);
  for (const kept of [important, unfading, used]) expect((await loci.memories.get(kept)).state).toBe("active");

  // It can be undone until the retention is over.
  await loci.memories.restore(faded, 1);
  expect((await loci.memories.get(faded)).text).toBe("old gossip");
  opened.now += 200 * day;
  expect((await loci.maintenance.prune({ removeAfterDays: 30 })).counts["archived"]).toBe(1 + 1);
  opened.now += 29 * day;
  expect((await loci.maintenance.prune({ removeAfterDays: 30 })).counts["removed"]).toBe(0);
  opened.now += 2 * day;
  const removed = await loci.maintenance.prune({ removeAfterDays: 30 });
  expect(removed.counts["removed"]).toBe(2);
  await expect(loci.memories.versions(faded)).rejects.toMatchObject({ reason: "MEMORY_NOT_FOUND" });
  expect((await opened.ledger.decisions(tenantId("acme"), "prune", [faded])).size).toBe(0);
});

test("what was brought over with old times is dormant by how long it has been here", async () => {
  const old = opened.now - 700 * day;
  await remember("heard long ago", { importance: 0.2, createdAt: old });
  const line = { format: "loci-memory-1", id: "018a0000-0000-7000-8000-000000000001", state: "active" };
  const memory = { ...line, text: "from another store", scope: "user:alice", importance: 0.2, origin: "import" };
  await loci.maintenance.importMemories([JSON.stringify({ ...memory, createdAt: old, updatedAt: old })]);
  expect((await loci.maintenance.prune()).counts["archived"]).toBe(0);
  opened.now += 181 * day;
  expect((await loci.maintenance.prune()).counts["archived"]).toBe(2);
});

test("reweigh raises what is often used, lowers what is shown and never used, and always starts from what was given", async () => {
  const often = await remember("often", { importance: 0.5 });
  const unused = await remember("a lighthouse keeper", { importance: 0.8 });
  const hidden = await remember("nobody has asked for this", { importance: 0.8 });
  const unfading = await remember("static", { importance: 0.8, isStatic: true });
  // It is in every context, and so it is used in every one.
  const standing = await remember("likes tea", { importance: 0.5, category: "preference", scope: "user:bob" });
  opened.now += 31 * day;
  for (let use = 0; use < 16; use++) await loci.memories.markUsed([often, standing]);
  const show = async (): Promise<void> => {
    const { hits } = await loci.recall({ query: "lighthouse keeper", scopes: ["user:alice"] });
    expect(hits.map(({ memory }) => memory.id)).toEqual([unused]);
  };
  // Three times may be chance.
  for (let shown = 0; shown < 3; shown++) await show();
  await loci.recall({ query: "lighthouse keeper", scopes: ["user:alice"], explain: true });
  expect(found(await loci.maintenance.reweigh({ dryRun: true }))).toEqual([`OFTEN_USED ${often}`]);
  await show();
  const dry = await loci.maintenance.reweigh({ dryRun: true });
  expect(found(dry)).toEqual([`OFTEN_USED ${often}`, `SHOWN_NOT_USED ${unused}`].toSorted());
  expect(dry.findings.find(({ memory }) => memory === unused)?.details["shownCount"]).toBe("4");
  expect((await loci.maintenance.reweigh()).counts["changed"]).toBe(2);
  const raised = (await loci.memories.get(often)).importance;
  expect(raised).toBeCloseTo(0.5 + 0.5 * 0.1 * Math.log2((16 * 30) / 31));
  expect((await loci.memories.get(unused)).importance).toBeCloseTo(0.72);
  for (const id of [hidden, unfading]) expect((await loci.memories.get(id)).importance).toBe(0.8);
  expect((await loci.maintenance.reweigh()).counts["selected"]).toBe(0);
  opened.now += 30 * day;
  await loci.maintenance.reweigh();
  expect((await loci.memories.get(unused)).importance).toBeCloseTo(0.8 * 0.81);
  expect((await loci.memories.versions(unused)).map(({ importance }) => importance)[0]).toBe(0.8);

  // What somebody sets is the new original.
  const { etag } = await loci.memories.get(unused);
  await loci.memories.update(unused, { importance: 0.4 }, { etag });
  await loci.maintenance.reweigh();
  expect((await loci.memories.get(unused)).importance).toBeCloseTo(0.4 * 0.81);

  // Used at last, it is as it was given.
  await loci.memories.markUsed([unused]);
  expect(found(await loci.maintenance.reweigh())).toContain(`AS_GIVEN ${unused}`);
  expect((await loci.memories.get(unused)).importance).toBe(0.4);
});

test("review lists old static facts and slots that are filled twice, and changes nothing", async () => {
  const old = await remember("water boils at 100 degrees", { isStatic: true });
  opened.now += 400 * day;
  await remember("a new static fact", { isStatic: true });
  const light = await remember("the theme is light", { slot: "theme" });
  await remember("the theme is dark", { slot: "theme" });
  await remember("the theme is dark", { slot: "theme", scope: "user:bob" });
  await remember("lunch at noon", { slot: "lunch" });
  await remember("lunch at noon", { slot: "lunch" });
  await remember("closed", { slot: "theme", validFrom: 0, validTo: 1 });
  const head = await opened.ledger.head(tenantId("acme"));
  const report = await loci.maintenance.review();
  expect(found(report)).toEqual([`OLD_STATIC_FACT ${old}`, `SLOT_CONFLICT ${light}`].toSorted());
  expect(report.findings.find(({ reason }) => reason === "SLOT_CONFLICT")?.details["memories"]?.split(" ").length).toBe(
    2,
  );
  expect(await opened.ledger.head(tenantId("acme"))).toBe(head);
  expect((await loci.maintenance.review({ staticDays: 0 })).counts["oldStaticFacts"]).toBe(2);
});

test("erase leaves nothing of a user to recall, and everything of the others as it was", async () => {
  const other = admin("other");
  for (const [on, scope] of [
    [loci, "user:alice"],
    [loci, "user:bob"],
    [other, "user:alice"],
  ] as const)
    for (let number = 0; number < 20; number++) await remember(`note ${number} of ${scope}`, { scope }, on);
  await loci.settled();
  const linesOf = async (on: typeof loci): Promise<readonly string[]> => (await on.maintenance.exportMemories()).lines;
  const bobs = (await linesOf(loci)).filter((line) => line.includes("user:bob"));
  const others = await linesOf(other);

  const scopeAsUser = loci.maintenance.erase({ user: "user:alice", dryRun: true });
  await expect(scopeAsUser).rejects.toMatchObject({ reason: "INVALID_IDENTIFIER", field: "user" });
  for (const [scope, sessions] of [
    ["user:alice", 2],
    ["user:bob", 1],
  ] as const) {
    for (let number = 0; number < sessions; number++) await loci.sessions.create({ scope, id: `s-${number}` });
    await loci.blocks.create({ owner: scope, label: "human" });
  }
  await loci.sessions.delete({ scope: "user:alice", id: "s-0" });
  const dry = await loci.maintenance.erase({ user: "alice", dryRun: true });
  expect(dry.counts).toEqual({ found: 20, foundSessions: 1, foundBlocks: 1, erased: 0, erasedResources: 0 });
  const all = await loci.maintenance.erase({ tenant: "acme", dryRun: true });
  expect(all.counts).toMatchObject({ found: 40, foundSessions: 2, foundBlocks: 2 });
  const receipt = await loci.maintenance.erase({ user: "alice" });
  expect(receipt.counts).toMatchObject({ found: 20, erased: 20, foreign: 0 });
  expect(receipt.notes.join(" ")).toContain("Backups");
  expect(receipt.notes.join(" ")).toContain("belongs to that project and stays");
  expect((await loci.recall({ query: "note 3", scopes: ["user:alice"] })).hits).toEqual([]);
  expect(await linesOf(loci)).toEqual(bobs);
  expect(await linesOf(other)).toEqual(others);
  expect((await loci.maintenance.erase({ scope: "user:alice" })).notes[0]).toBe(
    "Nothing of user:alice of the tenant acme was there to be erased.",
  );
  const [nothing, star] = (await loci.maintenance.erase({ scope: "user:*" })).notes;
  expect([nothing, star]).toEqual([
    expect.stringContaining("Nothing of user:*"),
    expect.stringContaining("one user, called *"),
  ]);
  expect(await linesOf(loci)).toEqual(bobs);

  expect((await loci.maintenance.erase({ tenant: "acme" })).counts["erased"]).toBe(20);
  expect(await linesOf(loci)).toEqual([]);
  expect(await linesOf(other)).toEqual(others);
});

test("a conversation goes on without a turn that was erased", async () => {
  const turn = (id: string): { id: string; speaker: string; content: string; at: number } => ({
    id,
    speaker: "Mara",
    content: `turn ${id}`,
    at: 1_700_000_000_000,
  });
  const say = (...numbers: readonly string[]) =>
    loci.memories.rememberConversation({ session: "talk", scope: "user:alice", turns: numbers.map(turn) });
  const [, second] = await say("1", "2", "3");
  await opened.ledger.purge(tenantId("acme"), { refs: [second?.id as MemoryId] });
  const grown = await say("1", "2", "3", "4");
  expect(grown.map(({ text }) => text)).toEqual(["Mara: turn 1", "Mara: turn 3", "Mara: turn 4"]);
  expect(grown.map(({ provenance }) => provenance?.position)).toEqual([0, 2, 3]);
  expect(await say("2")).toEqual([]);
});

test("export and import carry memories over, again and again, without what was erased", async () => {
  const ids: MemoryId[] = [];
  for (let number = 0; number < 25; number++)
    ids.push(await remember(`note ${number}`, { tags: ["a"], metadata: { number }, slot: `slot ${number}` }));
  await loci.memories.forget(ids[0] as MemoryId);
  const lines: string[] = [];
  for (let after: string | undefined; ;) {
    const page = await loci.maintenance.exportMemories({ after, pageSize: 7 });
    lines.push(...page.lines);
    after = page.next;
    if (after === undefined) break;
  }
  expect(lines.length).toBe(24);
  const target = admin("target");
  expect(await target.maintenance.importMemories(lines)).toEqual({ imported: 24, unchanged: 0, erased: 0 });
  expect(await target.maintenance.importMemories(lines)).toEqual({ imported: 0, unchanged: 24, erased: 0 });
  const exported = (await target.maintenance.exportMemories()).lines;
  const comparable = (line: string): unknown => ({ ...(JSON.parse(line) as object), recordedAt: 0, updatedAt: 0 });
  expect(exported.map(comparable)).toEqual(lines.map(comparable));
  await opened.ledger.purge(tenantId("target"), { refs: [ids[1] as MemoryId, ids[2] as MemoryId] });
  expect(await target.maintenance.importMemories(lines)).toEqual({ imported: 0, unchanged: 22, erased: 2 });
  expect((await target.recall({ query: "note 7", scopes: ["user:alice"] })).hits.length).toBeGreaterThan(0);
  // All that was erased is known at once, however much it is.
  await opened.ledger.purge(tenantId("target"), { everything: true });
  const commits = vi.spyOn(opened.ledger, "commit");
  expect(await target.maintenance.importMemories(lines)).toEqual({ imported: 0, unchanged: 0, erased: 24 });
  expect(commits).not.toHaveBeenCalled();
  commits.mockRestore();
  await opened.ledger.purge(tenantId("acme"), { refs: [ids[1] as MemoryId] });
  expect(await loci.maintenance.importMemories(lines)).toEqual({ imported: 0, unchanged: 23, erased: 1 });
  expect(await admin("fresh").maintenance.importMemories(lines)).toEqual({ imported: 24, unchanged: 0, erased: 0 });

  for (const bad of [
    "{}",
    "nonsense",
    '{"format":"loci-memory-1","id":"x"}',
    lines[0]?.replace("active", "deleted") ?? "",
  ])
    await expect(target.maintenance.importMemories([bad])).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("what capture, approval and replacement leave in a memory is carried over with it", async () => {
  const key = { scope: "user:alice", id: "s" } as const;
  const turns = [
    { role: "user", content: "My name is Ann and I am allergic to peanuts", at: 1 },
    { role: "user", content: "Call me Anna, my name is Anna now", at: 2 },
  ] as const;
  await loci.sessions.create({ ...key, capture: "off" });
  for (const [expectedLast, turn] of turns.entries()) {
    await loci.sessions.append(key, { expectedLast, turns: [turn] });
    const { id } = await loci.captures.start({ session: key });
    expect((await loci.captures.wait(id)).state).toBe("succeeded");
  }
  await loci.captures.recordPostMortem({
    scope: "user:alice",
    failure: "the disk was full",
    lesson: "Look at the disk",
  });
  const { lines } = await loci.maintenance.exportMemories();
  const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line) as object)));
  expect([...fields]).toEqual(expect.arrayContaining(["slotValue", "approvedBy", "approvedAt"]));
  const target = admin("target");
  expect(await target.maintenance.importMemories(lines)).toMatchObject({ imported: lines.length });
  const comparable = (line: string): unknown => ({ ...(JSON.parse(line) as object), recordedAt: 0, version: 0 });
  expect((await target.maintenance.exportMemories()).lines.map(comparable)).toEqual(lines.map(comparable));
  const long = lines.map((line) => line.replace(/"slotValue":"[^"]*"/, `"slotValue":"${"x".repeat(201)}"`));
  await expect(admin("third").maintenance.importMemories(long)).rejects.toMatchObject({ reason: "TEXT_TOO_LARGE" });
});

test("jobs need their roles, and refuse what they do not know", async () => {
  const writer = opened.as({});
  const tenantAdmin = opened.engine.for({
    tenant: tenantId("acme"),
    subject: "test",
    roles: ["admin"],
    scopePatterns: ["user:alice"],
  });
  const { maintenance } = writer;
  await expect(maintenance.verify()).rejects.toMatchObject({ reason: "ROLE_REQUIRED" });
  await expect(maintenance.exportMemories()).rejects.toMatchObject({ reason: "ROLE_REQUIRED" });
  for (const job of [{ type: "reindex" }, { type: "compact" }, { type: "backup", directory: "/x" }] as const)
    await expect(tenantAdmin.maintenance.run(job)).rejects.toMatchObject({ reason: "ROLE_REQUIRED" });
  await expect(tenantAdmin.maintenance.erase({ user: "bob" })).rejects.toMatchObject({ reason: "SCOPE_NOT_PERMITTED" });
  await expect(tenantAdmin.maintenance.erase({ tenant: "acme" })).rejects.toMatchObject({
    reason: "SCOPE_NOT_PERMITTED",
  });
  for (const request of [
    {},
    { user: "a", scope: "user:b" },
    { tenant: "other" },
    { usr: "a" },
    { user: "" },
  ] as object[])
    await expect(loci.maintenance.erase(request)).rejects.toMatchObject({ reason: "INVALID_REQUEST" });
  await expect(loci.maintenance.prune({ dormantDays: -1 })).rejects.toMatchObject({ reason: "INVALID_NUMBER" });
  await expect(loci.maintenance.backup({ directory: "/tmp/x" })).rejects.toMatchObject({
    reason: "UNSUPPORTED_OPERATION",
  });
  expect((await loci.maintenance.compact()).counts["reclaimedBytes"]).toBeGreaterThanOrEqual(0);
});
