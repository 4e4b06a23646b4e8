import { randomUUID } from "node:crypto";
import type { Ledger } from "@loci/ledger";

/** The name, in the ledger's settings, of what tells it from every other ledger. */
const settingName = "index_owner";

/**
 * What indexes and caches are marked with, so that those of another ledger are never taken for this one's, and no two
 * ledgers write to the same ones. Random. Servers that open a fresh ledger at the same time agree on it.
 */
export async function ledgerIdentity({ settings }: Pick<Ledger, "settings">): Promise<string> {
  for (;;) {
    const known = await settings.get(undefined, settingName);
    if (known !== undefined) return known;
    const identity = randomUUID();
    if (await settings.compareAndSet(undefined, settingName, undefined, identity)) return identity;
  }
}

/** Makes a ledger that was restored another one: the indexes of the former may be ahead of it. */
export async function forgetLedgerIdentity({ settings }: Pick<Ledger, "settings">): Promise<void> {
  await settings.set(undefined, settingName, undefined);
}
