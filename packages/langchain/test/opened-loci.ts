import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, type OpenLociOptions, openLoci } from "@loci/loci";

/** A Loci of a test's own, in a directory that goes with it. */
export async function openedLoci(options: Partial<OpenLociOptions> = {}): Promise<{ loci: Loci } & AsyncDisposable> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "loci-langchain-"));
  const loci = await openLoci({ tenant: "acme", dataDirectory, ...options });
  // Adapters give a recall two seconds, and the first one reads a model.
  await loci.recall({ query: "What is known?", scopes: ["user:nobody"] });
  return {
    loci,
    async [Symbol.asyncDispose]() {
      await loci.close();
      await rm(dataDirectory, { recursive: true });
    },
  };
}
