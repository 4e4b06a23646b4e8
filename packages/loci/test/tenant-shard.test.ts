import { describe, expect, test } from "vitest";
import { rendezvousOrder, rendezvousShard } from "../src/shards/tenant-shard.ts";

const tenants = Array.from({ length: 2_000 }, (_, number) => `tenant-${number}`);

describe("rendezvous hashing of tenants", () => {
  test("a tenant's shard is the same on every machine and in every version", () => {
    // Written down: where data is must never change with the code.
    expect(["acme", "umbrella", "globex", "initech", "東京"].map((tenant) => rendezvousShard(tenant, 4))).toEqual([
      2, 0, 2, 2, 3,
    ]);
  });

  test("the tenant of the command line is in shard 0, whatever its hash says", () => {
    const shards = Array.from({ length: 63 }, (_, index) => rendezvousShard("local", index + 2));
    expect(new Set(shards)).toEqual(new Set([0]));
  });

  test.each([2, 3, 8])("%i shards get about the same number of tenants", (shards) => {
    const counts = Array.from({ length: shards }, () => 0);
    for (const tenant of tenants) counts[rendezvousShard(tenant, shards)]! += 1;
    // Five standard deviations of a fair draw.
    const most = 5 * Math.sqrt((tenants.length / shards) * (1 - 1 / shards));
    for (const count of counts) expect(Math.abs(count - tenants.length / shards)).toBeLessThan(most);
  });

  test("with one shard more a tenant stays where it is or goes to the new one, and about one in n goes", () => {
    const moved = tenants.filter((tenant) => rendezvousShard(tenant, 4) !== rendezvousShard(tenant, 5));
    expect(moved.every((tenant) => rendezvousShard(tenant, 5) === 4)).toBe(true);
    expect(moved.length / tenants.length).toBeGreaterThan(0.15);
    expect(moved.length / tenants.length).toBeLessThan(0.25);
  });

  test("the tenants of a shard that is gone are spread over all the others", () => {
    const seconds = tenants.map((tenant) => rendezvousOrder(tenant, 4)).filter(([first]) => first === 0);
    expect(new Set(seconds.map(([, second]) => second))).toEqual(new Set([1, 2, 3]));
    expect(new Set(rendezvousOrder("acme", 4))).toEqual(new Set([0, 1, 2, 3]));
  });
});
