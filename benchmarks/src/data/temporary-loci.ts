import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, openLoci, type OpenLociOptions } from "@loci/loci";

/** Loci on a directory of its own, which goes when it is disposed. */
export interface TemporaryLoci extends AsyncDisposable {
  readonly loci: Loci;
  readonly directory: string;
}

export async function openTemporaryLoci(options: Pick<OpenLociOptions, "embedder"> = {}): Promise<TemporaryLoci> {
  const directory = await mkdtemp(join(tmpdir(), "loci-benchmark-"));
  const loci = await openLoci({ ...options, tenant: "benchmark", dataDirectory: join(directory, "data") });
  return {
    loci,
    directory,
    [Symbol.asyncDispose]: async () => {
      await loci.close();
      await rm(directory, { recursive: true });
    },
  };
}
