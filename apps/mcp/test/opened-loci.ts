import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, openLoci } from "@loci/loci";
import { afterAll, beforeAll } from "vitest";

/** Opens a Loci on a directory of its own for the tests of a file, as the one of whoever has the computer. */
export function openForTheFile(take: (loci: Loci) => void | Promise<void>): void {
  const directory = mkdtempSync(join(tmpdir(), "loci-mcp-"));
  let opened: Loci | undefined;
  beforeAll(async () => {
    opened = await openLoci({ tenant: "local", dataDirectory: directory });
    await take(opened);
  });
  afterAll(async () => {
    await opened?.close();
    rmSync(directory, { recursive: true });
  });
}
