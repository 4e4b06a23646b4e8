import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ErrorReason, LociError, openLoci } from "@loci/loci";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

let parent: string;
let dataDirectory: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-open-"));
  dataDirectory = join(parent, "data");
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(parent, { recursive: true, force: true });
});

async function refusal(opening: Promise<unknown>): Promise<ErrorReason | undefined> {
  const error = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return LociError.is(error) ? error.reason : undefined;
}

test("what was remembered is recalled by the next process", async () => {
  const question = {
    query: "Which theme does Alice like?",
    scopes: ["user:alice"],
    evaluationTime: 1_800_000_000_000,
  } as const;
  const first = await openLoci({ tenant: "local", dataDirectory });
  const memory = await first.memories.remember({ text: "Alice likes the Solarized theme.", scope: "user:alice" });
  const before = await first.recall(question);
  await first.close();
  await using second = await openLoci({ tenant: "local", dataDirectory, create: false });
  const { timings: _, ...after } = await second.recall(question);
  expect(after).toEqual({ ...after, hits: before.hits });
  expect(after.hits[0]?.memory.id).toBe(memory.id);
  expect(memory.embedding).toBe("ready");
});

test("a directory is made when it is missing, for its owner only", async () => {
  await using _loci = await openLoci({ tenant: "local", dataDirectory });
  expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
});

test("a missing directory is left missing when it is not to be made", async () => {
  expect(await refusal(openLoci({ tenant: "local", dataDirectory, create: false }))).toBe("DATA_DIRECTORY_MISSING");
  expect(await readdir(parent)).toEqual([]);
});

test("a ledger that was lost beside its indexes is no directory without data", async () => {
  const first = await openLoci({ tenant: "local", dataDirectory });
  await first.memories.remember({ text: "Alice likes tea.", scope: "global" });
  await first.close();
  await rm(join(dataDirectory, "ledger.sqlite"));
  expect(await refusal(openLoci({ tenant: "local", dataDirectory, create: false }))).toBe("DATA_DIRECTORY_CORRUPT");
});

test("a second owner is refused, and let in afterwards", async () => {
  const first = await openLoci({ tenant: "local", dataDirectory });
  expect(await refusal(openLoci({ tenant: "local", dataDirectory }))).toBe("DATA_DIRECTORY_LOCKED");
  await first.close();
  await (await openLoci({ tenant: "local", dataDirectory })).close();
});

test("a corrupt ledger is reported, and the lock is given back", async () => {
  await (await openLoci({ tenant: "local", dataDirectory })).close();
  await writeFile(join(dataDirectory, "ledger.sqlite"), "this is no database ".repeat(1_000));
  expect(await refusal(openLoci({ tenant: "local", dataDirectory }))).toBe("DATA_DIRECTORY_CORRUPT");
  expect(await refusal(openLoci({ tenant: "local", dataDirectory }))).toBe("DATA_DIRECTORY_CORRUPT");
});

test("a damaged embedding cache costs nothing but time", async () => {
  const first = await openLoci({ tenant: "local", dataDirectory });
  await first.memories.remember({ text: "Alice likes tea.", scope: "global" });
  await first.close();
  await truncate(join(dataDirectory, "embeddings.cache"), 100);
  await using second = await openLoci({ tenant: "local", dataDirectory });
  expect((await second.recall({ query: "tea", scopes: ["global"] })).hits).toHaveLength(1);
});

test("an embedding cache that cannot be read or written is reported, and keeps nothing closed", async () => {
  await mkdir(join(dataDirectory, "embeddings.cache"), { recursive: true });
  const problems: string[] = [];
  const reportProblem = (_error: unknown, activity: string): void => void problems.push(activity);
  await (await openLoci({ tenant: "local", dataDirectory, reportProblem })).close();
  expect(problems).toEqual(["reading the embedding cache", "writing the embedding cache"]);
});

test("the directory comes from LOCI_DATA_DIR, else from the XDG data home", async () => {
  vi.stubEnv("LOCI_DATA_DIR", join(parent, "named"));
  vi.stubEnv("XDG_DATA_HOME", join(parent, "home"));
  await (await openLoci({ tenant: "local" })).close();
  vi.stubEnv("LOCI_DATA_DIR", "");
  await (await openLoci({ tenant: "local" })).close();
  expect(await readdir(parent)).toEqual(["home", "named"]);
  expect(await readdir(join(parent, "home"))).toEqual(["loci"]);
});

test("a tenant is required and checked before anything is opened", async () => {
  expect(await refusal(openLoci({ tenant: "", dataDirectory }))).toBe("INVALID_IDENTIFIER");
  // @ts-expect-error The type does not let the tenant be left out.
  expect(await refusal(openLoci({ dataDirectory }))).toBe("INVALID_IDENTIFIER");
  expect(await readdir(parent)).toEqual([]);
});

test.each([
  { maxChars: 99 },
  { maxChars: 150.5 },
  { maxChars: "1500" },
  { threshold: 1.1 },
  { threshold: Number.NaN },
  { rotation: "never" },
])("blocks are not kept by %j, which is refused before anything is opened", async (blocks) => {
  expect(await refusal(openLoci({ tenant: "local", dataDirectory, blocks: blocks as never }))).toBe(
    "INVALID_CONFIGURATION",
  );
  await using loci = await openLoci({ tenant: "local", dataDirectory, blocks: { maxChars: 100, threshold: 0 } });
  expect(await loci.blocks.list({ owner: "user:ann" })).toEqual([]);
});

test("what was acknowledged survives a process that was killed", async () => {
  const program = `
    import { openLoci } from "@loci/loci";
    const loci = await openLoci({ tenant: "local", dataDirectory: ${JSON.stringify(dataDirectory)} });
    const memory = await loci.memories.remember({ text: "Alice likes tea.", scope: "global" });
    process.stdout.write(memory.id, () => process.kill(process.pid, "SIGKILL"));
  `;
  const { stdout, signal, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@loci/source", "--input-type=module", "--eval", program],
    { cwd: import.meta.dirname, encoding: "utf8" },
  );
  expect({ signal, stderr }).toMatchObject({ signal: "SIGKILL" });
  await using loci = await openLoci({ tenant: "local", dataDirectory });
  const { hits } = await loci.recall({ query: "What does Alice like?", scopes: ["global"] });
  expect(hits.map(({ memory }) => memory.id)).toEqual([stdout]);
});
