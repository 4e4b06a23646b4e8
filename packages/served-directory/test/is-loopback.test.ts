import { expect, test } from "vitest";
import { isLoopback } from "../src/index.ts";

test("loopback is what only this machine reaches", () => {
  expect(["127.0.0.1", "127.8.9.1", "::1", "localhost"].filter((address) => !isLoopback(address))).toEqual([]);
  expect(["128.0.0.1", "::2", "localhost.example.org", "127.example.org", "", "127.1"].filter(isLoopback)).toEqual([]);
});
