import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workspaceRoot } from "../buf.ts";
import { differences, generate, generatedPaths } from "../generated.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-generated-test-"));
const fresh = join(folder, "fresh");

beforeAll(() => generate(fresh), 30_000);
afterAll(() => rmSync(folder, { recursive: true }));

test("the committed code and descriptors are what the contract generates", () => {
  expect(generatedPaths()).toContain("packages/api/src/gen");
  expect(differences(fresh, workspaceRoot, generatedPaths())).toEqual([]);
});

test("a file that was changed, left behind or forgotten is noticed", () => {
  const stale = join(folder, "stale");
  cpSync(fresh, stale, { recursive: true });
  writeFileSync(join(stale, "packages/api/src/gen/loci/v1/scope.ts"), "export {};\n");
  writeFileSync(join(stale, "packages/api/src/gen/loci/v1/old.ts"), "export {};\n");
  rmSync(join(stale, "packages/api/descriptors.binpb"));
  expect(differences(fresh, stale, generatedPaths())).toEqual([
    "packages/api/descriptors.binpb",
    "packages/api/src/gen/loci/v1/old.ts",
    "packages/api/src/gen/loci/v1/scope.ts",
  ]);
});
