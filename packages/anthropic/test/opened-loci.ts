import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, openLoci } from "@loci/loci";
import { afterAll, beforeAll } from "vitest";

/** A Loci on a directory of its own for the tests of a file. Each takes a user of its own. */
export function openedLoci(): { readonly loci: Loci } {
  let directory = "";
  let opened: Loci | undefined;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "loci-agent-"));
    opened = await openLoci({ tenant: "acme", dataDirectory: directory });
    // Adapters give a recall two seconds, and the first one reads a model.
    await opened.recall({ query: "What is known?", scopes: ["user:nobody"] });
  });
  afterAll(async () => {
    await opened?.close();
    await rm(directory, { recursive: true });
  });
  return {
    get loci() {
      if (opened === undefined) throw new Error("Loci is opened before the first test.");
      return opened;
    },
  };
}
