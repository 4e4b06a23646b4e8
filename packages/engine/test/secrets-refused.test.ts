import { afterEach, beforeEach, expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
let opened: TestEngine;

beforeEach(async () => {
  opened = await TestEngine.open();
});
afterEach(() => opened[Symbol.asyncDispose]());

test("a secret that a model wants kept is refused by its class, and nothing is stored", async () => {
  const { memories } = opened.loci;
  const input = { text: `The token is ${token}`, scope: "user:a", origin: "capture" } as const;
  for (const call of [memories.remember(input), memories.rememberMany([{ ...input, text: "Tea" }, input])]) {
    const refusal = await call.catch((error: unknown) => error);
    expect(refusal).toMatchObject({ reason: "SECRET_REFUSED" });
    expect(String(refusal)).not.toContain(token);
  }
  expect((await memories.list({ scopes: ["user:a"] })).memories).toEqual([]);
});

test("what a program gives is stored as given", async () => {
  const text = `The token is ${token}`;
  expect((await opened.loci.memories.remember({ text, scope: "user:a" })).text).toBe(text);
});
