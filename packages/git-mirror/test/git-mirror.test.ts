import { expect, test } from "vitest";
import { emptyMirror, mirrorChange } from "../src/index.ts";
import golden from "./golden/git-mirror.json" with { type: "json" };

test("the golden file is whole", () => expect(golden.cases).toHaveLength(36));

test.each(golden.cases)("$name", ({ in: { changes }, out }) => {
  let state = emptyMirror;
  const steps = changes.map(({ toml, approver, ...change }) => {
    const step = mirrorChange(state, { ...change, toml: toml ?? undefined, approver: approver ?? undefined });
    ({ state } = step);
    return {
      tree: Object.fromEntries(step.files),
      rootTree: step.rootTree,
      message: step.message,
      commit: step.commit,
    };
  });
  expect(steps).toEqual(out.steps);
});

test.each(["../escape", "Human", "a.b", "a/b", "", "-x", "a\n"])("%j names no file", (label) => {
  const change = { label, version: 1, toml: "", at: 0, proposer: "local" };
  expect(() => mirrorChange(emptyMirror, change)).toThrow(expect.objectContaining({ reason: "INVALID_BLOCK" }));
});
