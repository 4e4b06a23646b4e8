import { describe, expect, test } from "vitest";
import { beginMoves, decideMoves, forgetLeftovers, leftoversOf } from "../src/shards/division-changes.ts";
import { type DirectoryDivision, tenantShards } from "../src/shards/directory-division.ts";
import { rendezvousShard } from "../src/shards/tenant-shard.ts";

const undisturbed: DirectoryDivision = { shards: 3, placed: new Map([["first", 0]]), leftovers: [] };
const tenant = "acme";
const from = rendezvousShard(tenant, 3);
const to = (from + 1) % 3;
const move = { tenant, from, to };
const back = { tenant, from: to, to: from };

describe("what is written down of a move", () => {
  test("until it is decided the tenant is where it was, and what was copied is a leftover", () => {
    const begun = beginMoves(undisturbed, [move]);
    expect(tenantShards(begun)(tenant)).toBe(from);
    expect(leftoversOf(begun, to)).toEqual([tenant]);
    expect(leftoversOf(begun, from)).toEqual([]);
    // A second attempt after one that was given up.
    expect(beginMoves(begun, [move])).toEqual(begun);
    expect(forgetLeftovers(begun, [{ tenant, shard: to }])).toEqual(undisturbed);
  });

  test("from then on it is in the other shard, and what it left is one", () => {
    const decided = decideMoves(beginMoves(undisturbed, [move]), [move]);
    expect(tenantShards(decided)(tenant)).toBe(to);
    expect(leftoversOf(decided, from)).toEqual([tenant]);
    expect(leftoversOf(decided, to)).toEqual([]);
    expect(tenantShards(decided)("first")).toBe(0);
    expect(forgetLeftovers(decided, [{ tenant, shard: from }]).leftovers).toEqual([]);
  });

  test("a tenant that comes back before all that it left is removed keeps what it has", () => {
    const away = decideMoves(beginMoves(undisturbed, [move]), [move]);
    const home = decideMoves(beginMoves(away, [back]), [back]);
    expect(leftoversOf(home, from)).toEqual([]);
    expect(leftoversOf(home, to)).toEqual([tenant]);
    // Nothing has to be written down of who is where the name says.
    expect(home.placed).toEqual(undisturbed.placed);
  });

  test("what a note says of a tenant that is there is never removed", () => {
    expect(leftoversOf({ ...undisturbed, leftovers: [{ tenant, shard: from }] }, from)).toEqual([]);
    expect(leftoversOf({ ...undisturbed, leftovers: [{ tenant: "first", shard: 0 }] }, 0)).toEqual([]);
  });
});
