import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EncryptionKeys,
  type Filter,
  type MemoryIdsRequest,
  type OpenedEngine,
  openEngine,
  openLoci,
  type RecallRequest,
  restoreBackup,
  roles,
  tenantId,
} from "@loci/loci";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const first: EncryptionKeys = { current: "first", keys: { first: keyOf(1) } };
const second: EncryptionKeys = { current: "second", keys: { first: keyOf(1), second: keyOf(2) } };
const scope = "user:alice";
const later = Date.parse("2026-12-20T08:00:00Z");
const start = Date.parse("2026-11-20T08:00:00Z");
/** Set on by what writes alone: what works in the background looks at it as often as it likes. */
let now = start;
/** Not the words of anything else that is written. */
const words = [
  "cardamom",
  "saffron",
  "turmeric",
  "fenugreek",
  "asafoetida",
  "galangal",
  "juniper",
  "tarragon",
  "marjoram",
  "lovage",
  "sumac",
];

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-encryption-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function opened(name: string, encryption: EncryptionKeys | undefined): Promise<OpenedEngine> {
  const metadataFields = { about: "string", weight: "number" } as const;
  const receipts = { keepMilliseconds: 86_400_000 };
  return openEngine({ dataDirectory: join(directory, name), clock: () => now, encryption, metadataFields, receipts });
}

function lociOf(engine: OpenedEngine): ReturnType<OpenedEngine["for"]> {
  return engine.for({ tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] });
}

/** A word of its own in everything that people and models write. */
async function write(engine: OpenedEngine): Promise<void> {
  now = start;
  const { memories, blocks, sessions, captures, ...loci } = lociOf(engine);
  now += 1_000;
  const [spice] = await memories.rememberMany([
    { text: "Alice cooks with cardamom.", scope, tags: ["saffron"], slot: "turmeric", key: "fenugreek" },
    { text: "Alice drinks green tea.", scope, metadata: { about: "asafoetida", weight: 2 } },
    { text: "The ferry leaves at nine.", scope, provenance: { kind: "document", sourceId: "galangal", position: 3 } },
    { text: "To brew tea, heat the water.", scope, category: "procedure", tags: ["juniper"] },
  ]);
  // So many that the indexes write files.
  now += 1_000;
  await memories.rememberMany(
    Array.from({ length: 200 }, (_, number) => ({ text: `Note ${number} of the log.`, scope: "project:log" })),
  );
  if (spice === undefined) throw new Error("Nothing was remembered.");
  now += 1_000;
  await memories.update(spice.id, { text: "Alice cooks with cardamom and salt." }, { etag: spice.etag });
  now += 1_000;
  await blocks.create({ owner: scope, label: "core_memory", values: { text: "## Rules\n- Never tarragon.\n" } });
  const session = { scope, id: "trip" } as const;
  now += 1_000;
  await sessions.create({ ...session, title: "About marjoram", rememberTurns: true });
  now += 1_000;
  await sessions.append(session, {
    expectedLast: 0,
    turns: [{ role: "user", content: "I prefer lovage to parsley. Remember that I like trains." }],
  });
  now += 1_000;
  await sessions.close(session);
  now += 1_000;
  const capture = await captures.start({ session });
  await captures.wait(capture.id);
  await loci.settled();
  await loci.assemble({ query: "sumac tea", messages: [], model: "gpt-4o", recall: { scopes: [scope] } });
  await loci.recall({ query: "sumac", scopes: [scope] });
}

function foundIn(name: string): readonly string[] {
  const files = globSync("**/*", { cwd: join(directory, name), withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(1);
  const bytes = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1").toLowerCase());
  // Indexes keep terms as UTF-16.
  return words.filter((word) => bytes.some((file) => file.includes(word) || file.includes(word.split("").join("\0"))));
}

/** Everything there is to see, by every way there is; ids and etags as they come the first time. */
async function answersOf(engine: OpenedEngine): Promise<string> {
  const { memories, blocks, sessions, captures, ...loci } = lociOf(engine);
  const scopes = [scope] as const;
  const recalled = async (query: string, more: Partial<RecallRequest> = {}): Promise<unknown> =>
    (await loci.recall({ query, scopes, recordUsage: "none", evaluationTime: later, explain: true, ...more })).hits;
  const spice = await memories.get({ scope, key: "fenugreek" });
  const ids = async (more: Partial<MemoryIdsRequest>): Promise<unknown> => {
    const parts: unknown[] = [];
    for await (const part of memories.ids({ scopes, ...more }))
      parts.push({
        total: part.total,
        ids: Buffer.from(part.ids)
          .toString("hex")
          .replaceAll(/(.{8})(.{4})(.{4})(.{4})(.{12})/g, "$1-$2-$3-$4-$5 "),
      });
    return parts;
  };
  const tags: Filter = { field: "tags", operator: "contains", value: "saffron" };
  const about: Filter = { field: "metadata.about", operator: "in", value: ["asafoetida", "other"] };
  const answers = [
    await recalled("What does Alice cook with?"),
    await recalled("cardamom tea", { where: tags }),
    await recalled("tea", {
      where: { or: [about, { not: { field: "slot", operator: "notEquals", value: "turmeric" } }] },
    }),
    await recalled("tea", { where: { field: "metadata.weight", operator: "atLeast", value: 2 } }),
    await recalled("How do I brew tea?", { categories: ["procedure"] }),
    await recalled("cardamom", { knownAt: start + 1_000 }),
    spice,
    await memories.versions(spice.id),
    await memories.list({ scopes, states: ["active", "deleted"] }),
    await ids({ text: "CARDAMOM and" }),
    await ids({ where: tags, orderBy: "importance" }),
    await blocks.get({ owner: scope, label: "core_memory" }),
    await blocks.history({ owner: scope, label: "core_memory" }),
    await sessions.get({ scope, id: "trip" }),
    await sessions.turns({ scope, id: "trip" }, {}),
    (await captures.list({ session: { scope, id: "trip" } })).captures,
    (await loci.maintenance.exportMemories({})).lines,
    (await loci.maintenance.verify()).counts,
  ];
  const known = new Map<string, number>();
  return JSON.stringify(answers, undefined, 1).replaceAll(
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    (id) => `#${known.get(id) ?? (known.set(id, known.size), known.size - 1)}`,
  );
}

describe("a data directory that is encrypted", () => {
  test("has no word in any byte, open or closed; the same without keys has them", async () => {
    const open: (readonly string[])[] = [];
    for (const [name, encryption] of [
      ["plain", undefined],
      ["sealed", first],
    ] as const) {
      await using engine = await opened(name, encryption);
      await write(engine);
      open.push(foundIn(name));
    }
    expect(open[1]).toEqual([]);
    expect(foundIn("plain")).toEqual(words.filter((word) => word !== "sumac"));
    expect(foundIn("sealed")).toEqual([]);
  });

  test("answers as one that is not, to the last bit", async () => {
    const answers: string[] = [];
    for (const [name, encryption] of [
      ["plain", undefined],
      ["sealed", first],
    ] as const) {
      {
        await using engine = await opened(name, encryption);
        await write(engine);
      }
      // What was used is noted some time later, and by now.
      await using engine = await opened(name, encryption);
      answers.push(await answersOf(engine));
    }
    expect(answers[0]).toContain("cardamom");
    expect(answers[1]).toBe(answers[0]);
  });

  test("that was not, and then under another key, goes on answering, and its indexes are made anew without words", async () => {
    let plain: string;
    {
      await using engine = await opened("data", undefined);
      await write(engine);
    }
    {
      await using engine = await opened("data", undefined);
      plain = await answersOf(engine);
    }
    const inIndex = (): readonly string[] => foundIn("data/index");
    expect(inIndex()).toContain("cardamom");
    for (const encryption of [first, second]) {
      await using engine = await opened("data", encryption);
      await lociOf(engine).settled();
      expect(inIndex()).toEqual([]);
      expect(await answersOf(engine)).toBe(plain);
    }
  });

  test("is sealed under the current key by a job, which says what each key is needed for; then the other one can go", async () => {
    {
      await using engine = await opened("data", undefined);
      await write(engine);
      await expect(lociOf(engine).maintenance.encrypt()).rejects.toMatchObject({ field: "encryption" });
    }
    {
      // Some under the first key, beside what was not encrypted.
      await using engine = await opened("data", first);
      await lociOf(engine).memories.remember({ text: "Alice bakes with nutmeg.", scope });
    }
    {
      await using engine = await opened("data", second);
      const { maintenance } = lociOf(engine);
      const waiting = await maintenance.encrypt({ dryRun: true });
      expect(waiting.findings.map(({ reason, details }) => [reason, details["keyId"]])).toEqual([
        ["SEALED_UNDER_KEY", "first"],
        ["NOT_SEALED", undefined],
      ]);
      expect(waiting.counts["waiting"]).toBe(waiting.counts["rows"]);
      const done: number[] = [];
      const report = await maintenance.encrypt({}, { onProgress: (progress) => done.push(progress.done) });
      expect(report.counts).toMatchObject({
        waiting: waiting.counts["waiting"],
        sealed: waiting.counts["rows"],
        damaged: 0,
      });
      expect(report.findings.map(({ details }) => details["keyId"])).toEqual(["second"]);
      expect(report.notes[0]).toContain("before need first");
      expect(done.at(-1)).toBeGreaterThan(200);
      const again = await maintenance.encrypt();
      expect(again.counts).toMatchObject({ waiting: 0, sealed: 0 });
    }
    expect(foundIn("data")).toEqual([]);
    await using engine = await opened("data", { current: "second", keys: { second: keyOf(2) } });
    expect((await lociOf(engine).memories.get({ scope, key: "fenugreek" })).slot).toBe("turmeric");
    expect((await lociOf(engine).maintenance.verify()).findings).toEqual([]);
    expect((await lociOf(engine).blocks.get({ owner: scope, label: "core_memory" })).text).toContain("tarragon");
  });

  test("is refused without its keys, in its backup, too, which is restored with them", async () => {
    const backup = join(directory, "backup");
    {
      await using engine = await opened("data", first);
      await write(engine);
      await lociOf(engine).maintenance.backup({ directory: backup });
    }
    expect(foundIn("backup")).toEqual([]);
    await expect(opened("data", undefined)).rejects.toMatchObject({ reason: "ENCRYPTION_KEY_MISSING" });
    const dataDirectory = join(directory, "restored");
    const restore = { from: backup, dataDirectory };
    await expect(restoreBackup(restore)).rejects.toMatchObject({ reason: "ENCRYPTION_KEY_MISSING" });
    await restoreBackup({ ...restore, encryption: first });
    await using engine = await opened("restored", first);
    await lociOf(engine).settled();
    expect((await lociOf(engine).memories.get({ scope, key: "fenugreek" })).tags).toEqual(["saffron"]);
    const erased = await lociOf(engine).maintenance.erase({ tenant: "acme" });
    expect(erased.counts["erased"]).toBeGreaterThan(3);
    expect((await lociOf(engine).memories.list({ scopes: [scope] })).memories).toEqual([]);
  });

  test("has no git mirror unless it is asked for, as a mirror is not encrypted", async () => {
    for (const [name, more] of [
      ["without", {}],
      ["with", { gitMirrors: true }],
    ] as const) {
      await using loci = await openLoci({
        dataDirectory: join(directory, name),
        tenant: "acme",
        encryption: first,
        ...more,
      });
      await loci.blocks.create({
        owner: scope,
        label: "core_memory",
        values: { text: "## Rules\n- Never tarragon.\n" },
      });
      await loci.settled();
    }
    const folders = ["without", "with"].map((name) => existsSync(join(directory, name, "git-mirrors")));
    expect(folders).toEqual([false, true]);
    expect(foundIn("without")).toEqual([]);
  });

  test("does not compare words by their order, which its indexes do not know, and says so", async () => {
    await using engine = await opened("data", first);
    await write(engine);
    const where: Filter = { field: "metadata.about", operator: "lessThan", value: "b" };
    await expect(lociOf(engine).recall({ query: "tea", scopes: [scope], where })).rejects.toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
      field: "where",
    });
  });
});
