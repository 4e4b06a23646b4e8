import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new empty directory, and the way to get rid of it. */
export function temporaryDirectory(): { readonly directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), "loci-ledger-"));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
