import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BlockChange, emptyMirror, mirrorBlockChange } from "@loci/git-mirror";
import { personName } from "../src/person-line.ts";

const usual: BlockChange = {
  label: "human",
  version: 1,
  toml: "",
  at: 0,
  proposer: "local",
  approver: null,
  reason: "",
};

describe("what is refused", () => {
  test.each(["", "Human", "../human", "a/b", "human\n", ".git", "1a", "a".repeat(65), "ä"])("the label %j", (label) => {
    expect(() => mirrorBlockChange(emptyMirror, { ...usual, label })).toThrow(
      expect.objectContaining({ reason: "INVALID_IDENTIFIER" }),
    );
  });

  test.each([0, -1, 1.5, Number.NaN])("the version %d", (version) => {
    expect(() => mirrorBlockChange(emptyMirror, { ...usual, version })).toThrow(
      expect.objectContaining({ reason: "INVALID_NUMBER" }),
    );
  });

  test.each([-1, 0.5, Number.NaN])("the time %d", (at) => {
    expect(() => mirrorBlockChange(emptyMirror, { ...usual, at })).toThrow(
      expect.objectContaining({ reason: "INVALID_INSTANT" }),
    );
  });
});

test("leaves the state it was given as it was", () => {
  const first = mirrorBlockChange(emptyMirror, usual).state;
  const blobs = [...first.blobs];
  mirrorBlockChange(first, { ...usual, version: 2, toml: null });
  expect([...first.blobs]).toEqual(blobs);
  expect(emptyMirror.blobs.size).toBe(0);
});

test("goes on from a state that was kept as from one that was not", () => {
  const { state } = mirrorBlockChange(emptyMirror, usual);
  const kept = { head: state.head, blobs: new Map([...state.blobs].toReversed()) };
  const next = { ...usual, label: "a", version: 1 };
  expect(mirrorBlockChange(kept, next).commit).toBe(mirrorBlockChange(state, next).commit);
});

test("no name can end its line or begin an address", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const shown = personName(name);
      // oxlint-disable-next-line no-control-regex -- these are what must not get through
      expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f<>]/);
      expect(shown).toMatch(/^[^ .,:;"'\\]/);
      expect(shown).toMatch(/[^ .,:;"'\\]$/);
    }),
  );
});
