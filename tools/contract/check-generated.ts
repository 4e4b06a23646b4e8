// Fails when the committed code is not what the contract generates.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspaceRoot } from "./buf.ts";
import { differences, findTargets, generate, generatedPaths } from "./generated.ts";

const { available, missing } = findTargets();
const fresh = mkdtempSync(join(tmpdir(), "loci-generated-"));
try {
  generate(fresh, available);
  const different = differences(fresh, workspaceRoot, available.flatMap(generatedPaths));
  for (const file of different) console.error(`${file} is not what the contract generates`);
  console.log(`generated: ${different.length} files differ (${available.join(", ")})`);
  for (const { target, reason } of missing) console.log(`generated: SKIPPED ${target}: ${reason}`);
  if (different.length > 0) {
    console.error("Run `npm run generate` and commit what it writes.");
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true });
}
