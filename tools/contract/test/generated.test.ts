import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workspaceRoot } from "../buf.ts";
import { differences, findTargets, generate, generatedPaths, targets } from "../generated.ts";

const { available, missing } = findTargets();
const folder = mkdtempSync(join(tmpdir(), "loci-generated-test-"));
const fresh = join(folder, "fresh");

// The first generation of Go code builds its generators.
beforeAll(() => generate(fresh, available), 240_000);
afterAll(() => rmSync(folder, { recursive: true }));

for (const target of targets) {
  const reason = missing.find((entry) => entry.target === target)?.reason;
  test.skipIf(reason !== undefined)(`the committed ${target} is what the contract generates ${reason ?? ""}`, () => {
    expect(differences(fresh, workspaceRoot, generatedPaths(target))).toEqual([]);
  });
}

test("a file that was changed, left behind or forgotten is noticed", () => {
  const paths = generatedPaths("typescript");
  expect(paths).toContain("packages/api/src/gen");
  const stale = join(folder, "stale");
  cpSync(fresh, stale, { recursive: true });
  writeFileSync(join(stale, "packages/api/src/gen/loci/v1/scope.ts"), "export {};\n");
  writeFileSync(join(stale, "packages/api/src/gen/loci/v1/old.ts"), "export {};\n");
  rmSync(join(stale, "packages/api/descriptors.binpb"));
  expect(differences(fresh, stale, paths)).toEqual([
    "packages/api/descriptors.binpb",
    "packages/api/src/gen/loci/v1/old.ts",
    "packages/api/src/gen/loci/v1/scope.ts",
  ]);
});
