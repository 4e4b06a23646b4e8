import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type BlockChange, emptyMirror, mirrorBlockChange } from "@loci/git-mirror";

interface GoldenCase {
  readonly name: string;
  readonly in: { readonly changes: readonly BlockChange[] };
  readonly out: { readonly steps: readonly unknown[] };
}

const golden = JSON.parse(readFileSync(new URL("golden/git-mirror.json", import.meta.url), "utf8")) as {
  readonly cases: readonly GoldenCase[];
};

test("there are cases", () => {
  expect(golden.cases.length).toBeGreaterThan(30);
});

test.each(golden.cases)("gives the trees and commits of $name", ({ in: { changes }, out }) => {
  let state = emptyMirror;
  const steps = changes.map((change) => {
    const step = mirrorBlockChange(state, change);
    state = step.state;
    const tree = Object.fromEntries([...state.blobs].map(([label, id]) => [`blocks/${label}.toml`, id]));
    return { tree, rootTree: step.rootTree, message: step.message, commit: step.commit };
  });
  expect(steps).toEqual(out.steps);
});
