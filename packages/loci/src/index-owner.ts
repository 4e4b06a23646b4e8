import { randomUUID } from "node:crypto";
import type { Ledger } from "@loci/ledger";

/** The name, in the ledger's settings, of what tells it from every other ledger. */
const ownerSetting = "index_owner";

/** What indexes outside of the data directory are marked with, so that no two ledgers write to the same ones. */
export async function ownerOf(ledger: Ledger): Promise<string> {
  const known = await ledger.settings.get(undefined, ownerSetting);
  if (known !== undefined) return known;
  const owner = randomUUID();
  await ledger.settings.set(undefined, ownerSetting, owner);
  return owner;
}

/** Makes a ledger that was restored the owner of nothing: the indexes outside its directory may be ahead of it. */
export async function forgetOwner(ledger: Ledger): Promise<void> {
  await ledger.settings.set(undefined, ownerSetting, undefined);
}
