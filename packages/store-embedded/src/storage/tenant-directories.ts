import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { TenantId } from "@loci/domain";

/** A hash, as tenants may be called anything; 160 bits of it, which do not meet by chance. */
export function tenantDirectory(tenant: TenantId): string {
  return createHash("sha256").update(tenant).digest("hex").slice(0, 40);
}

const tenantDirectoryPattern = /^[0-9a-f]{40}$/;

export function isTenantDirectory(name: string): boolean {
  return tenantDirectoryPattern.test(name);
}

/** Those of the tenants that have a directory among the others. One that was made meanwhile may be missing. */
export async function tenantsWithDirectory(
  directory: string,
  tenants: readonly TenantId[],
): Promise<readonly TenantId[]> {
  const names = new Set((await readdir(directory)).filter(isTenantDirectory));
  return names.size === 0 ? [] : tenants.filter((tenant) => names.has(tenantDirectory(tenant)));
}
