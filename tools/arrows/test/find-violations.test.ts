import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { findViolations } from "../find-violations.ts";
import { packageFiles, plantedWorkspace } from "./planted-workspace.ts";

const check = `${import.meta.dirname}/../check.ts`;

test("a healthy workspace has no violations, and every package is read", async () => {
  using workspace = plantedWorkspace();
  const findings = await findViolations(workspace.root);
  expect(findings).toMatchObject({ violations: [], unread: [], unlisted: [] });
  expect(findings.modules).toBeGreaterThanOrEqual(12);
});

// Each line plants one file that breaks one rule.
test.each([
  ["core uses Node", "pure-no-node", "packages/core/src/bad.ts", `import "node:fs";`],
  [
    "core uses Node without the prefix",
    "pure-no-node",
    "packages/core/src/bad.ts",
    `import { join } from "path"; join();`,
  ],
  ["core uses Node by dynamic import", "pure-no-node", "packages/core/src/bad.ts", `await import("node:fs");`],
  ["core uses another npm package", "pure-no-npm", "packages/core/src/bad.ts", `import "left-pad";`],
  ["domain uses an npm package", "pure-no-npm", "packages/domain/src/bad.ts", `import "gpt-tokenizer";`],
  [
    "domain imports core",
    "package-arrows",
    "packages/domain/src/bad.ts",
    `import { size } from "@loci/core"; size("");`,
  ],
  [
    "a type is an arrow too",
    "package-arrows",
    "packages/core/src/bad.ts",
    `import type { Word } from "@loci/store"; export type W = Word;`,
  ],
  [
    "an adapter imports an adapter",
    "package-arrows",
    "packages/store-memory/src/bad.ts",
    `export * from "@loci/store-other";`,
  ],
  [
    "an adapter imports the engine",
    "package-arrows",
    "packages/store-memory/src/bad.ts",
    `export * from "@loci/engine";`,
  ],
  [
    "the engine names an adapter",
    "package-arrows",
    "packages/engine/src/bad.ts",
    `export * from "@loci/store-memory";`,
  ],
  [
    "a room of the engine imports one above it",
    "room-arrows",
    "packages/engine/src/memories/bad.ts",
    `export * from "../assembly/assemble.ts";`,
  ],
  [
    "a room of the engine imports what puts the rooms together",
    "room-arrows",
    "packages/engine/src/calls/bad.ts",
    `export * from "../index.ts";`,
  ],
  [
    "a package imports a program",
    "package-arrows",
    "packages/loci/src/bad.ts",
    `export * from "../../../apps/cli/src/main.ts";`,
  ],
  [
    "the page of the browser uses Node",
    "page-apart",
    "apps/browser/src/page/bad.tsx",
    `import "node:fs"; export const p = <p />;`,
  ],
  [
    "the page of the browser knows the client",
    "page-apart",
    "apps/browser/src/page/bad.tsx",
    `import { size } from "@loci/core"; export const p = <p>{size("")}</p>;`,
  ],
  [
    "a program names an adapter outside config",
    "app-arrows",
    "apps/cli/src/bad.ts",
    `export * from "@loci/store-memory";`,
  ],
  ["a program goes past the library", "app-arrows", "apps/cli/src/config/bad.ts", `export * from "@loci/engine";`],
  ["a program imports one it does not start", "app-arrows", "apps/server/src/bad.ts", `export * from "@loci/mcp";`],
  [
    "a program goes past another's exports",
    "no-deep-import",
    "apps/cli/src/bad.ts",
    `import "../../server/src/inner.ts";`,
  ],
  ["an undeclared program", "declared", "apps/cli/src/bad.ts", `export * from "@loci/mcp";`],
  [
    "a package imports a tool",
    "nothing-imports-tools",
    "packages/loci/src/bad.ts",
    `export * from "../../../tools/helper.ts";`,
  ],
  [
    "a test imports a tool",
    "nothing-imports-tools",
    "packages/loci/test/bad.test.ts",
    `export * from "../../../tools/helper.ts";`,
  ],
  [
    "a deep import by path",
    "no-deep-import",
    "packages/loci/src/bad.ts",
    `export * from "../../store-memory/src/inner.ts";`,
  ],
  [
    "a deep import by name",
    "resolvable",
    "packages/loci/src/bad.ts",
    `export * from "@loci/store-memory/src/inner.ts";`,
  ],
  [
    "a deep import from a test",
    "no-deep-import",
    "packages/loci/test/bad.test.ts",
    `import "../../store-memory/src/inner.ts";`,
  ],
  [
    "a package imported by its path",
    "no-path-between-packages",
    "packages/loci/src/bad.ts",
    `export * from "../../engine/src/index.ts";`,
  ],
  [
    "an example of an adapter imports more than its contract",
    "example-arrows",
    "examples/tiny/src/bad.ts",
    `export * from "@loci/engine";`,
  ],
  [
    "a package imports an example",
    "nothing-imports-examples",
    "packages/loci/src/bad.ts",
    `export * from "../../../examples/tiny/src/index.ts";`,
  ],
  ["an undeclared npm package of an example", "declared", "examples/tiny/src/bad.ts", `import "left-pad";`],
  ["an undeclared npm package", "declared", "packages/store-memory/src/bad.ts", `import "left-pad";`],
  ["an undeclared workspace package", "declared", "packages/loci/src/bad.ts", `export * from "@loci/core";`],
  [
    "an import in a `using` declaration",
    "pure-no-node",
    "packages/core/src/bad.ts",
    `export async function read() { using file = await import("node:fs"); return file; }`,
  ],
  ["a cycle", "no-circular", "packages/store-memory/src/inner.ts", `import "./bad.ts"; import "./inner.ts";`],
])("caught: %s", async (_, rule, file, text) => {
  using workspace = plantedWorkspace({ [file]: text });
  const { violations } = await findViolations(workspace.root);
  expect(violations).toContainEqual(expect.objectContaining({ rule, from: file }));
});

test("caught: a package that no row of the table allows anything", async () => {
  using workspace = plantedWorkspace(packageFiles("surprise", [], "export {};"));
  expect((await findViolations(workspace.root)).unlisted).toEqual(["surprise"]);
});

test("caught: a room of the engine that no row of the table allows anything", async () => {
  using workspace = plantedWorkspace({ "packages/engine/src/attic/old.ts": "export const old = 1;" });
  expect((await findViolations(workspace.root)).unlisted).toEqual(["engine/attic"]);
});

test("caught: a package whose sources are not read", async () => {
  using workspace = plantedWorkspace({ "packages/api/package.json": `{ "name": "@loci/api" }` });
  expect((await findViolations(workspace.root)).unread).toEqual(["api"]);
});

test("the command says how many modules it read and fails on a violation", () => {
  using clean = plantedWorkspace();
  expect(run(clean.root)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^arrows: [1-9]\d* modules read, 0 c/),
  });

  using dirty = plantedWorkspace({ "packages/core/src/bad.ts": `import "node:fs";` });
  expect(run(dirty.root)).toMatchObject({ status: 1, stderr: "pure-no-node: packages/core/src/bad.ts -> fs\n" });
});

test("the command fails where there is nothing to read", () => {
  using workspace = plantedWorkspace();
  expect(run(`${workspace.root}/node_modules`).status).not.toBe(0);
});

function run(root: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [check, root], { encoding: "utf8" });
}
