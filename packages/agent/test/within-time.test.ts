import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { withinTime } from "../src/within-time.ts";

const { signal } = new AbortController();

test("a limit beyond what timers can wait for is no limit", async () => {
  for (const limit of [Infinity, 2 ** 31])
    expect(await withinTime(limit, signal, () => setTimeout(20, "found"))).toBe("found");
});

test("work that takes longer is waited for no longer, and its signal says why", async () => {
  let told: AbortSignal | undefined;
  const hangs = (own: AbortSignal): Promise<never> => {
    told = own;
    return new Promise(() => undefined);
  };
  await expect(withinTime(1, signal, hangs)).rejects.toMatchObject({ reason: "DEADLINE_EXCEEDED" });
  expect(told?.reason).toMatchObject({ reason: "DEADLINE_EXCEEDED" });
});
