import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkOutBaseline } from "../src/gate/former-checkout.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

// A copy without its history has none.
test.skipIf(!existsSync(join(root, ".git")))(
  "the baseline's sources stand beside the repository, with its packages and their own, until they are let go",
  () => {
    const former = checkOutBaseline(root, "benchmarks/baseline.json");
    const directory = former?.directory ?? "";
    expect(existsSync(join(directory, "benchmarks/src/run.ts"))).toBe(true);
    expect(realpathSync(join(directory, "node_modules/@loci/core"))).toBe(
      realpathSync(join(directory, "packages/core")),
    );
    expect(realpathSync(join(directory, "node_modules/vitest"))).toBe(realpathSync(join(root, "node_modules/vitest")));
    former?.[Symbol.dispose]();
    expect(existsSync(directory)).toBe(false);
  },
);

test("where there is no history, there is no checkout", () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-no-history-"));
  expect(checkOutBaseline(folder, "benchmarks/baseline.json")).toBeUndefined();
  rmSync(folder, { recursive: true });
});
