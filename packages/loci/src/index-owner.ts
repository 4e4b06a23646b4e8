import { randomUUID } from "node:crypto";
import type { Ledger } from "@loci/ledger";

/** The name, in the ledger's settings, of what tells it from every other ledger. */
const ownerSetting = "index_owner";

/**
 * What indexes outside of the data directory are marked with, so that no two ledgers write to the same ones. Servers that
 * open a fresh ledger at the same time agree on it.
 */
export async function ownerOf({ settings }: Pick<Ledger, "settings">): Promise<string> {
  for (;;) {
    const known = await settings.get(undefined, ownerSetting);
    if (known !== undefined) return known;
    const owner = randomUUID();
    if (await settings.compareAndSet(undefined, ownerSetting, undefined, owner)) return owner;
  }
}

/** Makes a ledger that was restored the owner of nothing: the indexes outside its directory may be ahead of it. */
export async function forgetOwner({ settings }: Pick<Ledger, "settings">): Promise<void> {
  await settings.set(undefined, ownerSetting, undefined);
}
