import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, openLoci } from "@loci/loci";
import { afterAll, beforeAll } from "vitest";

/** A Loci of its own for the tests of a file. */
export function openedLoci(): { readonly loci: Loci } {
  let dataDirectory: string;
  let opened: Loci;
  beforeAll(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), "loci-openai-agents-"));
    opened = await openLoci({ tenant: "acme", dataDirectory });
    // Adapters give a recall two seconds, and the first one reads a model.
    await opened.recall({ query: "What is known?", scopes: ["user:nobody"] });
  });
  afterAll(async () => {
    await opened.close();
    await rm(dataDirectory, { recursive: true });
  });
  return {
    get loci() {
      return opened;
    },
  };
}
