import { LociError } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { familyMethods } from "./keys/family-methods.ts";
import { memoryMethods } from "./keys/memory-methods.ts";
import { type Call, keys, type Method, scopes, type World } from "./keys/model.ts";
import { TestEngine } from "./support/test-engine.ts";

/** More when attacks are tried at length. */
const calls = Number(process.env["LOCI_ATTACK_RUNS"] ?? 2_000);

const methods: Readonly<Record<string, Method>> = { ...memoryMethods, ...familyMethods };

test(`${calls} calls of ${keys.length} keys get what a plain model says, and nothing else`, async () => {
  await using opened = await TestEngine.open();
  const world: World = { memories: [], named: [] };
  const call: fc.Arbitrary<Call> = fc.record({
    key: fc.constantFrom(...keys),
    // Jobs go through everything; the rest is called more often.
    method: fc.constantFrom(
      ...Object.keys(methods).flatMap((name) =>
        /verify|review|export/.test(name) ? [name] : Array.from({ length: 6 }, () => name),
      ),
    ),
    scope: fc.constantFrom(...scopes),
    other: fc.constantFrom(...scopes),
    pick: fc.nat(100_000),
  });
  const made = new Map<string, number>();
  const property = fc.asyncProperty(call, async (one) => {
    // So that going through everything stays short.
    const isFull =
      (one.method === "remember" && world.memories.length >= 600) ||
      (one.method.startsWith("create") && world.named.length >= 60);
    const name = isFull ? "get" : one.method;
    const method = methods[name] as Method;
    const { said, expected } = method(world, opened.as({ ...one.key, subject: "key" }), one);
    // Said before the call: the call may change what is there.
    const due = expected();
    const got = await said().catch((error: unknown) => {
      if (!LociError.is(error)) throw error;
      return error.reason;
    });
    expect([one.key, name, got]).toEqual([one.key, name, due]);
    made.set(name, (made.get(name) ?? 0) + 1);
  });
  await fc.assert(property, { seed: 20_261_122, numRuns: calls, endOnFailure: true });
  expect([...made.keys()].toSorted()).toEqual(Object.keys(methods).toSorted());
}, 3_600_000);
