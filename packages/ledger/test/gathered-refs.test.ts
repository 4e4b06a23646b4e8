import { type MemoryId, unpackedMemoryIds } from "@loci/domain";
import { GatheredRefs } from "@loci/ledger/sql";
import { describe, expect, test } from "vitest";
import { refNumber } from "../src/conformance/samples.ts";

/** Numbers from 0 below 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const noTurn = async (): Promise<void> => undefined;

describe("gathered refs", () => {
  test.each([0, 1, 4_095, 4_096, 4_097, 8_192, 8_193, 20_000])("%i of them come in order", async (count) => {
    const random = numbers(count + 1);
    const found = new GatheredRefs(count);
    const entries = Array.from({ length: count }, (_, number) => ({
      ref: refNumber((number * 7_919) % Math.max(count, 1)),
      key: random() < 0.1 ? null : Math.floor(random() * 50),
    }));
    for (const { ref, key } of entries) found.add(ref, key);
    const expected = entries
      .toSorted((left, right) => {
        const difference = (right.key ?? -1) - (left.key ?? -1);
        return difference === 0 ? (left.ref < right.ref ? -1 : 1) : difference;
      })
      .map(({ ref }) => ref);
    expect(unpackedMemoryIds(await found.inOrder(noTurn))).toEqual(expected);
  });

  test("what comes in order is given as it came, and every digit is kept", async () => {
    const found = new GatheredRefs(2);
    const refs = ["0190a1b2-c3d4-7e5f-8091-a2b3c4d5e6f7", "fedcba98-7654-7321-8fed-cba987654321"] as MemoryId[];
    for (const ref of refs) found.add(ref, 1);
    expect(unpackedMemoryIds(await found.inOrder(noTurn))).toEqual(refs);
    expect(() => found.add(refNumber(1), 1)).toThrow("more than 2 memories");
  });

  test("putting very many in order lets others have their turn, and ends where that throws", async () => {
    const found = new GatheredRefs(100_000);
    for (let number = 0; number < 100_000; number++) found.add(refNumber(number), number);
    let turns = 0;
    await found.inOrder(async () => void turns++);
    expect(turns).toBeGreaterThan(50);
    await expect(found.inOrder(() => Promise.reject(new Error("given up")))).rejects.toThrow("given up");
  });
});
