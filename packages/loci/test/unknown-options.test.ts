// What the compiler refuses, JavaScript lets through: it has to be an error that names it, and nothing is made on the disk.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LociError, openEngine, openLoci } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";

let parent: string;
let dataDirectory: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "loci-unknown-options-"));
  dataDirectory = join(parent, "data");
});

afterEach(() => rmSync(parent, { recursive: true }));

async function refusal(opening: () => unknown): Promise<LociError> {
  try {
    await opening();
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

test.each([
  [{ dataDir: "x" }, "dataDir", "Did you mean dataDirectory?"],
  [{ index: "lance" }, "index", "Did you mean lancedb?"],
  [{ index: { kind: "pg-vector" } }, "index.kind", "Did you mean pgvector?"],
  [{ index: 7 }, "index", "7"],
  [{ ledger: "postgres" }, "ledger", "postgres"],
  [{ ledger: { kind: "postgresql" } }, "ledger.kind", "Did you mean postgres?"],
  [{ Embedder: "local" }, "Embedder", "Did you mean embedder?"],
])("%j is refused before anything is opened", async (options, field, said) => {
  for (const open of [
    () => openLoci({ tenant: "acme", dataDirectory, ...(options as object) }),
    () => openEngine({ dataDirectory, ...(options as object) }),
  ]) {
    const error = await refusal(open);
    expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field });
    expect(error.message).toContain(said);
  }
  expect(existsSync(dataDirectory)).toBe(false);
});

test("no options at all, and no tenant, say what is wanted", async () => {
  expect((await refusal(() => openLoci(undefined as never))).message).toContain("openLoci takes an object");
  expect((await refusal(() => openLoci({ dataDirectory } as never))).field).toBe("tenant");
  expect(existsSync(dataDirectory)).toBe(false);
});

test("an engine for less than a principal says what is missing", async () => {
  await using engine = await openEngine({ dataDirectory, index: "memory" });
  const whole = { tenant: "acme", subject: "test", roles: ["read"], scopePatterns: ["*"] };
  for (const [principal, field] of [
    [undefined, "tenant"],
    ["acme", "tenant"],
    [{ tenant: "acme" }, "subject"],
    [{ ...whole, roles: undefined }, "roles"],
    [{ ...whole, roles: ["reader"] }, "roles"],
    [{ ...whole, scopePatterns: "*" }, "scopePatterns"],
  ] as const) {
    const error = await refusal(() => engine.for(principal as never));
    expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field });
    expect(error.advice).toContain("openLoci({ tenant })");
  }
  expect(await engine.for(whole as never).memories.list({ scopes: ["global"] })).toEqual({ memories: [] });
});
