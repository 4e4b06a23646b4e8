import { tenantId } from "@loci/loci";
import { expect, test } from "vitest";
import { RateLimit } from "../src/calls/rate-limit.ts";
import { SharedAmount } from "../src/calls/shared-amount.ts";

const principal = { tenant: tenantId("acme"), subject: "ci", roles: [], scopePatterns: [] };

test("a key makes a burst of calls, then as many as the rate, and another key its own", () => {
  let now = 0;
  const limit = new RateLimit({ callsPerSecond: 10, burst: 3, clock: () => now });
  const count = (): void => limit.count(principal);
  for (let call = 0; call < 3; call++) count();
  expect(count).toThrow(
    expect.objectContaining({ reason: "TOO_MANY_REQUESTS", details: { retryAfterMilliseconds: "100" } }),
  );
  limit.count({ ...principal });
  now = 60;
  expect(count).toThrow(expect.objectContaining({ details: { retryAfterMilliseconds: "40" } }));
  now = 100;
  count();
  expect(count).toThrow("ci makes more than 10 calls per second");
  // A pause gives back no more than the burst.
  now = 60_000;
  for (let call = 0; call < 3; call++) count();
  expect(count).toThrow("calls per second");
});

test("a rate of 0 is none", () => {
  const limit = new RateLimit({ callsPerSecond: 0, burst: 1, clock: () => 0 });
  for (let call = 0; call < 100; call++) limit.count(principal);
  expect(() => limit.count(principal)).not.toThrow();
});

test("of what is shared one caller gets half, and all together no more than there is", () => {
  const calls = new SharedAmount(6);
  expect([1, 2, 3, 4].map(() => calls.take("flood", 1))).toEqual([true, true, true, false]);
  expect(calls.take("calm", 2)).toBe(true);
  expect(calls.take("third", 2)).toBe(false);
  expect(calls.take("third", 1)).toBe(true);
  expect(calls.total).toBe(6);
  calls.give("flood", 1);
  expect(calls.take("calm", 1)).toBe(true);
  expect(calls.take("calm", 1)).toBe(false);
  for (const [caller, amount] of [
    ["flood", 2],
    ["calm", 3],
    ["third", 1],
  ] as const)
    calls.give(caller, amount);
  expect(calls.total).toBe(0);
  expect(calls.take("calm", 3)).toBe(true);
});
