import { expect, test } from "vitest";
import { findBlockVersion, proposedState } from "../../src/index.ts";

const history = [
  { version: 1, commitId: "aaaaaaa1".padEnd(40, "0") },
  { version: 2, commitId: "aaaaaaa2".padEnd(40, "0") },
  { version: 3, commitId: "1234567".padEnd(40, "f") },
  { version: 1_234_567, commitId: "b".repeat(40) },
];

test.each([
  [1, 1],
  ["2", 2],
  ["aaaaaaa2", 2],
  ["b".repeat(40), 1_234_567],
  ["1234567", 1_234_567],
  ["1234567f", 3],
])("%j is version %i", (wanted, version) => expect(findBlockVersion(history, wanted)).toBe(version));

test.each(["aaaaaaa", "bbbbbb", "4", "0", "-1", "01", "HEAD", "cccccccc", "AAAAAAA1", ""])("%j is none", (wanted) => {
  expect(() => findBlockVersion(history, wanted)).toThrow(expect.objectContaining({ reason: "VERSION_NOT_FOUND" }));
});

test("the policy says what becomes of a proposal", () => {
  expect([proposedState("approve", "x"), proposedState("auto", "x")]).toEqual(["pending", "approved"]);
  expect(() => proposedState("read_only", "x")).toThrow(expect.objectContaining({ reason: "BLOCK_READ_ONLY" }));
});
