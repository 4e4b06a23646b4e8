import { tenantId } from "@loci/domain";
import { expect, test } from "vitest";
import { compactStorage } from "../src/maintenance/compact-storage.ts";
import type { MaintenanceServices } from "../src/maintenance/maintenance-services.ts";

test("indexes are rewritten when enough has changed, also after a tenant with most of the changes has left", async () => {
  const settings = new Map<string, string>();
  const heads = new Map([
    ["large", 100_000],
    ["small", 2_000],
  ]);
  const index = { maintain: async () => undefined };
  const services = {
    vectors: index,
    textIndex: index,
    ledger: {
      settings: {
        get: async (_: undefined, name: string) => settings.get(name),
        set: async (_: undefined, name: string, value: string) => void settings.set(name, value),
      },
      pending: async () => [...heads].map(([tenant, head]) => ({ tenant: tenantId(tenant), head })),
      maintain: async () => ({ reclaimedBytes: 0 }),
    },
  } as unknown as MaintenanceServices;
  const rewritten = async (): Promise<number | undefined> => {
    const { counts } = await compactStorage(services, false, { signal: new AbortController().signal });
    return counts["indexes"];
  };
  expect(await rewritten()).toBe(2);
  expect(await rewritten()).toBe(0);
  heads.set("large", 105_000);
  expect(await rewritten()).toBe(0);
  heads.delete("large");
  expect(await rewritten()).toBe(2);
  expect(await rewritten()).toBe(0);
  heads.set("small", 3_100);
  expect(await rewritten()).toBe(2);
});
