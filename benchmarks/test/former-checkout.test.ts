import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkOutBaseline } from "../src/gate/former-checkout.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("the baseline's sources stand beside the repository, with its packages and their own, until they are let go", () => {
  const former = checkOutBaseline(root, "benchmarks/baseline.json");
  // A copy without its history has none.
  if (former === undefined) return expect(existsSync(join(root, ".git"))).toBe(false);
  const { directory } = former;
  expect(existsSync(join(directory, "benchmarks/src/run.ts"))).toBe(true);
  expect(realpathSync(join(directory, "node_modules/@loci/core"))).toBe(realpathSync(join(directory, "packages/core")));
  expect(realpathSync(join(directory, "node_modules/vitest"))).toBe(realpathSync(join(root, "node_modules/vitest")));
  former[Symbol.dispose]();
  expect(existsSync(directory)).toBe(false);
});

test("where there is no history, there is no checkout", () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-no-history-"));
  expect(checkOutBaseline(folder, "benchmarks/baseline.json")).toBeUndefined();
  rmSync(folder, { recursive: true });
});
