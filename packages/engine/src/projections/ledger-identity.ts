import { randomUUID } from "node:crypto";
import type { TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";

/**
 * The name, in the ledger's settings, of what tells it from every other ledger. A tenant that has come from another ledger has a
 * setting of its own with this name.
 */
export const identitySetting = "index_owner";
const settingName = identitySetting;

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

/** What a tenant's log is told from every other log with: that of the ledger it began in, wherever it was moved since. */
export async function logIdentity(ledger: Pick<Ledger, "settings">, tenant: TenantId): Promise<string> {
  return (await ledger.settings.get(tenant, settingName)) ?? ledgerIdentity(ledger);
}

/** A ledger that tenants may have come to, and that knows which have brought a setting along. */
export interface MovableSettings extends Pick<Ledger, "settings"> {
  tenantsWithSetting(name: string): Promise<readonly TenantId[]>;
}

/** Makes a ledger that was restored another one: the indexes of the former may be ahead of it. */
export async function forgetLedgerIdentity(ledger: MovableSettings): Promise<void> {
  const { settings } = ledger;
  await settings.set(undefined, settingName, undefined);
  for (const tenant of await ledger.tenantsWithSetting(settingName)) await settings.set(tenant, settingName, undefined);
}
