// Fails when the committed code is not what the contract generates.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workspaceRoot } from "./buf.ts";
import { differences, generate, generatedPaths } from "./generated.ts";

const fresh = mkdtempSync(join(tmpdir(), "loci-generated-"));
try {
  generate(fresh);
  const different = differences(fresh, workspaceRoot, generatedPaths());
  for (const file of different) console.error(`${file} is not what the contract generates`);
  console.log(`generated: ${different.length} files differ`);
  if (different.length > 0) {
    console.error("Run `npm run generate` and commit what it writes.");
    process.exitCode = 1;
  }
} finally {
  rmSync(fresh, { recursive: true });
}
