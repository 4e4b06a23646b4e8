import { tenantId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ModelTokenRate } from "../src/usage/model-token-rate.ts";

const alice = { tenant: tenantId("acme"), subject: "alice" };

test("a caller uses a minute's worth at once, then as much as comes back, and another caller its own", () => {
  let now = 0;
  const rate = new ModelTokenRate({ tokensPerMinute: 6_000, clock: () => now });
  rate.reserve(alice, 4_000)(6_000);
  expect(() => rate.reserve(alice, 1_000)).toThrow(
    expect.objectContaining({ reason: "TOO_MANY_REQUESTS", details: { retryAfterMilliseconds: "10000" } }),
  );
  rate.reserve({ ...alice, subject: "bob" }, 6_000);
  rate.reserve({ ...alice, tenant: tenantId("other") }, 6_000);
  now = 10_000;
  // Half of what was foreseen is given back.
  rate.reserve({ ...alice }, 1_000)(500);
  rate.reserve(alice, 500);
  expect(() => rate.reserve(alice, 1)).toThrow("alice uses more than 6000 tokens of language models a minute");
});

test("a call that may use more than a minute's worth is made when all of it is there", () => {
  let now = 0;
  const rate = new ModelTokenRate({ tokensPerMinute: 100, clock: () => now });
  rate.reserve(alice, 5_000)(300);
  now = 119_000;
  expect(() => rate.reserve(alice, 5_000)).toThrow("more than 100 tokens");
  now = 180_000;
  rate.reserve(alice, 5_000);
});

test("nobody uses more than the rate allows, by more than one call was wrong about", () => {
  const call = fc.record({
    wait: fc.nat(90_000),
    planned: fc.nat(3_000),
    wrongBy: fc.integer({ min: -500, max: 500 }),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), fc.integer({ min: 100, max: 2_000 }), (calls, tokensPerMinute) => {
      let now = 0;
      let used = 0;
      const rate = new ModelTokenRate({ tokensPerMinute, clock: () => now });
      for (const { wait, planned, wrongBy } of calls) {
        now += wait;
        const before = used;
        try {
          const settle = rate.reserve(alice, planned);
          const took = Math.max(0, planned + wrongBy);
          settle(took);
          used += took;
        } catch {
          continue;
        }
        // A call larger than the bucket takes it into debt, which is paid before the next.
        expect(before).toBeLessThanOrEqual(tokensPerMinute * (1 + now / 60_000) + 1e-6);
      }
    }),
  );
});

test("many callers who come once do not stay", () => {
  let now = 0;
  const rate = new ModelTokenRate({ tokensPerMinute: 10, clock: () => now });
  for (let caller = 0; caller < 5_000; caller++) {
    now += 100;
    rate.reserve({ ...alice, subject: `user-${caller}` }, 10);
  }
  // Who has just used all of it is still known.
  expect(() => rate.reserve({ ...alice, subject: "user-4999" }, 1)).toThrow("more than 10");
});

test.each([0, -1, 1.5, Number.NaN, Infinity])("%s is no rate", (tokensPerMinute) => {
  expect(() => new ModelTokenRate({ tokensPerMinute })).toThrow(
    expect.objectContaining({ reason: "INVALID_CONFIGURATION", field: "modelTokensPerMinute" }),
  );
});
