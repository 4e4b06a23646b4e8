import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What a healthy small workspace contains; a test adds one file to it that should not be there. */
const healthy: Readonly<Record<string, string>> = {
  ...packageFiles("domain", [], "export type Word = string;"),
  ...packageFiles(
    "core",
    ["@loci/domain", "gpt-tokenizer"],
    `import type { Word } from "@loci/domain"; import { encode } from "gpt-tokenizer"; export const size = (word: Word) => encode(word);`,
  ),
  ...packageFiles("store", ["@loci/domain"], `export type { Word } from "@loci/domain";`),
  ...packageFiles("store-memory", ["@loci/domain", "@loci/store"], `export type { Word } from "@loci/store";`),
  ...packageFiles("store-other", ["@loci/domain", "@loci/store"], `export type { Word } from "@loci/store";`),
  ...packageFiles("engine", ["@loci/core", "@loci/store"], `export { size } from "@loci/core";`),
  ...packageFiles("loci", ["@loci/engine", "@loci/store-memory"], `export * from "@loci/engine";`),
  ...packageFiles("mcp", [], "export {};", "apps"),
  ...packageFiles("server", ["@loci/loci"], `export { size as serve } from "@loci/loci";`, "apps"),
  "apps/server/src/inner.ts": "export const inner = 1;",
  "apps/cli/package.json": manifest("cli", ["@loci/loci", "@loci/server", "@loci/store-memory"]),
  "apps/cli/src/main.ts": `import { size } from "@loci/loci"; import { serve } from "@loci/server"; console.log(size, serve);`,
  "apps/cli/src/config/stores.ts": `export type { Word } from "@loci/store-memory";`,
  ...packageFiles("tiny", ["@loci/store"], `export type { Word } from "@loci/store";`, "examples"),
  "packages/engine/src/memories/remember.ts": "export const remember = 1;",
  "packages/engine/src/assembly/assemble.ts": `export { remember } from "../recall/recall.ts";`,
  "packages/engine/src/recall/recall.ts": `export { remember } from "../memories/remember.ts";`,
  "tools/helper.ts": "export const help = 1;",
  "packages/store-memory/src/inner.ts": "export const inner = 1;",
  "packages/store-memory/test/inner.test.ts": `import { inner } from "../src/inner.ts"; console.log(inner);`,
  "node_modules/gpt-tokenizer/package.json": `{ "name": "gpt-tokenizer", "type": "module", "exports": "./index.js" }`,
  "node_modules/gpt-tokenizer/index.js": "export const encode = (text) => text.length;",
  "node_modules/left-pad/package.json": `{ "name": "left-pad", "type": "module", "exports": "./index.js" }`,
  "node_modules/left-pad/index.js": "export const pad = (text) => text;",
};

export interface PlantedWorkspace extends Disposable {
  readonly root: string;
}

/** Writes the healthy workspace, and over it the planted files, to a temporary folder that disposing removes. */
export function plantedWorkspace(planted: Readonly<Record<string, string>> = {}): PlantedWorkspace {
  const root = mkdtempSync(join(tmpdir(), "loci-arrows-"));
  const files = { ...healthy, ...planted };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  mkdirSync(join(root, "node_modules/@loci"));
  for (const file of Object.keys(files)) {
    const [, kind = "", folder] = /^(packages|apps)\/([^/]+)\/package\.json$/.exec(file) ?? [];
    if (folder !== undefined) symlinkSync(`../../${kind}/${folder}`, join(root, "node_modules/@loci", folder));
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

export function packageFiles(
  folder: string,
  dependencies: readonly string[],
  index: string,
  kind: "packages" | "apps" | "examples" = "packages",
): Record<string, string> {
  return {
    [`${kind}/${folder}/package.json`]: manifest(folder, dependencies),
    [`${kind}/${folder}/src/index.ts`]: index,
  };
}

function manifest(folder: string, dependencies: readonly string[]): string {
  return JSON.stringify({
    name: `@loci/${folder}`,
    type: "module",
    exports: { ".": { "@loci/source": "./src/index.ts", default: "./dist/index.js" } },
    dependencies: Object.fromEntries(dependencies.map((name) => [name, "*"])),
  });
}
