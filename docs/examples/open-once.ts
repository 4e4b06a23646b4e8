// What `docs/guides/where-loci-runs.md` shows: one Loci for a process, however often its modules are loaded.
import { type Loci, openLoci } from "@loci/loci";

/** Not of the module: in development a server loads its modules again at every change, and a directory has one owner. */
const kept = globalThis as { loci?: Promise<Loci> | undefined };

export function openOnce(): Promise<Loci> {
  kept.loci ??= openLoci({ tenant: "acme" }).catch((error: unknown) => {
    kept.loci = undefined; // so that the next call tries again
    throw error;
  });
  return kept.loci;
}
